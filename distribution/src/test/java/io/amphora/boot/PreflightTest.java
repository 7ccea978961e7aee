package io.amphora.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.amphora.boot.config.Config;
import io.amphora.boot.config.ConfigLoader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PreflightTest {

  private static final String FREE =
      "listeners.amqp.port=0 listeners.http.port=0 cluster.hazelcast.port=0";

  @TempDir private Path dir;

  private static StartException refused(String... overrides) {
    return catchThrowableOfType(StartException.class, () -> Preflight.check(config(overrides)));
  }

  private static Config config(String... overrides) throws Exception {
    List<String> all = new java.util.ArrayList<>(List.of(FREE.split(" ")));
    all.addAll(List.of(overrides));
    return ConfigLoader.load(new ConfigLoader.Sources(Optional.empty(), Map.of(), all));
  }

  @Test
  void shouldMakeTheDataDirectoryAndLeaveNothingInIt() throws Exception {
    Path data = dir.resolve("a").resolve("b");
    Preflight.check(config("data.dir=" + data));
    assertThat(data).isEmptyDirectory();
  }

  @Test
  void shouldRefuseADataDirectoryThatIsAFileOrCannotBe() throws Exception {
    Path file = Files.createFile(dir.resolve("file"));
    StartException isFile = refused("data.dir=" + file);
    assertThat(isFile).hasMessageContaining(file.toString()).hasMessageContaining("data.dir");
    assertThat(isFile.exitCode()).isEqualTo(2);
    StartException below = refused("data.dir=" + file.resolve("below"));
    assertThat(below).hasMessageContaining("not writable").hasMessageContaining("--data");
    assertThat(below.exitCode()).isEqualTo(2);
  }

  @Test
  void shouldLookAtTheLockBeforeThePorts() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"));
        FileChannel lock =
            FileChannel.open(
                dir.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      lock.lock();
      String port = "listeners.amqp.port=" + taken.getLocalPort();
      StartException refused = refused("data.dir=" + dir, port);
      assertThat(refused).hasMessageContaining("is used by another broker");
      assertThat(refused.exitCode()).isEqualTo(2);
    }
    Preflight.check(config("data.dir=" + dir));
  }

  @Test
  void shouldRefuseAFileForTlsThatCannotBeRead() throws Exception {
    String data = "data.dir=" + dir.resolve("data");
    String there = Files.createFile(dir.resolve("there.pem")).toString();
    String certificate = "listeners.amqps.certificate=" + there;
    for (String missing : List.of("certificate", "key", "client-ca")) {
      String wrong = "listeners.amqps." + missing + "=" + dir.resolve("no.pem");
      String key = missing.equals("key") ? wrong : "listeners.amqps.key=" + there;
      StartException refused = refused(data, certificate, key, wrong);
      assertThat(refused).hasMessageStartingWith("listeners.amqps." + missing);
      assertThat(refused).hasMessageContaining("no.pem");
      assertThat(refused.exitCode()).isEqualTo(2);
    }
    assertThat(refused(data, certificate)).hasMessageStartingWith("listeners.amqps.key");
  }

  @Test
  void shouldRefuseToRequireCertificatesThatNothingCanVerify() throws Exception {
    String there = Files.createFile(dir.resolve("there.pem")).toString();
    List<String> tls = new java.util.ArrayList<>(List.of("data.dir=" + dir.resolve("data")));
    tls.add("listeners.amqps.port=0");
    tls.add("listeners.amqps.certificate=" + there);
    tls.add("listeners.amqps.key=" + there);
    tls.add("listeners.amqps.client-certificate=required");
    StartException refused = refused(tls.toArray(String[]::new));
    assertThat(refused).hasMessageStartingWith("listeners.amqps.client-ca");
    assertThat(refused.exitCode()).isEqualTo(2);
    tls.add("listeners.amqps.client-ca=" + there);
    Preflight.check(config(tls.toArray(String[]::new)));
  }

  @Test
  void shouldRefuseAPortThatIsTakenAndNameItsKey() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      String port = Integer.toString(taken.getLocalPort());
      for (String key :
          List.of("listeners.amqp.port", "listeners.http.port", "cluster.hazelcast.port")) {
        StartException refused = refused("data.dir=" + dir, key + "=" + port);
        assertThat(refused).hasMessageStartingWith(key).hasMessageContaining("127.0.0.1:" + port);
        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.getMessage()).hasLineCount(1);
      }
    }
  }
}
