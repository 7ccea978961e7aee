package io.amphora.boot;

import io.amphora.boot.Await.Endpoint;
import io.amphora.boot.config.ClusterKeys;
import io.amphora.boot.config.Config;
import io.amphora.boot.config.ConfigKey;
import io.amphora.boot.config.ListenerKeys;
import io.amphora.boot.config.StorageKeys;
import io.amphora.boot.config.TlsKeys;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Refuses a start that cannot succeed, before anything is touched: a broker that finds its port
 * taken after recovery has written to its logs for nothing. The real listeners check again.
 */
final class Preflight {

  private Preflight() {}

  /** Checks the data directory and the ports. */
  static void check(Config config) throws StartException {
    DataDirectory.prepare(StorageKeys.dataDir(config));
    DataDirectory.free(StorageKeys.dataDir(config));
    free(config.get(ListenerKeys.AMQP_HOST), config, ListenerKeys.AMQP_PORT);
    if (!config.get(TlsKeys.CERTIFICATE).isEmpty()) {
      readable(config, TlsKeys.CERTIFICATE);
      readable(config, TlsKeys.KEY);
      if (!config.get(TlsKeys.CLIENT_CA).isEmpty()) {
        readable(config, TlsKeys.CLIENT_CA);
      } else if (config.get(TlsKeys.CLIENT_CERTIFICATE) == TlsKeys.ClientCertificate.REQUIRED) {
        // Without it nobody would be asked for a certificate: the opposite of what was meant.
        throw new StartException(
            StartException.ENVIRONMENT,
            TlsKeys.CLIENT_CA.name()
                + ": needed, because "
                + TlsKeys.CLIENT_CERTIFICATE.name()
                + " is required");
      }
      free(config.get(TlsKeys.HOST), config, TlsKeys.PORT);
    }
    free(config.get(ListenerKeys.HTTP_HOST), config, ListenerKeys.HTTP_PORT);
    free(ClusterKeys.HOST, config, ClusterKeys.HAZELCAST_PORT);
  }

  private static void readable(Config config, ConfigKey<String> key) throws StartException {
    String file = config.get(key);
    if (file.isEmpty() || !Files.isReadable(Path.of(file)) || Files.isDirectory(Path.of(file))) {
      throw new StartException(
          StartException.ENVIRONMENT, key.name() + ": cannot read the file '" + file + "'");
    }
  }

  private static void free(String host, Config config, ConfigKey<Integer> key)
      throws StartException {
    int port = config.get(key);
    if (port == 0) {
      return;
    }
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getByName(host), port));
    } catch (IOException e) {
      throw Await.refused(new Endpoint(host, port, key), e);
    }
  }
}
