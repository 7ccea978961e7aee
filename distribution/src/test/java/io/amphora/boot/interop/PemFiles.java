package io.amphora.boot.interop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** Self-signed certificates in files, made with the JDK's keytool. */
final class PemFiles {

  static final String PASSWORD = "changeit";

  private final Path dir;

  PemFiles(Path dir) {
    this.dir = dir;
  }

  /** Makes a key and its certificate; afterwards there are NAME.p12, NAME.crt and NAME.key. */
  void make(String name, String subject) throws Exception {
    Path store = file(name + ".p12");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of("-genkeypair", "-alias", name, "-keyalg", "RSA", "-dname", subject));
    command.addAll(List.of("-ext", "san=ip:127.0.0.1,dns:localhost", "-storetype", "PKCS12"));
    command.addAll(List.of("-keystore", store.toString(), "-storepass", PASSWORD));
    Process keytool = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(keytool.getInputStream().readAllBytes());
    assertThat(keytool.waitFor()).as(said).isZero();
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    pem(name + ".crt", "CERTIFICATE", keys.getCertificate(name).getEncoded());
    pem(name + ".key", "PRIVATE KEY", keys.getKey(name, PASSWORD.toCharArray()).getEncoded());
  }

  private void pem(String file, String kind, byte[] content) throws Exception {
    String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
    Files.writeString(
        file(file), "-----BEGIN " + kind + "-----\n" + body + "\n-----END " + kind + "-----\n");
  }

  Path file(String name) {
    return dir.resolve(name);
  }
}
