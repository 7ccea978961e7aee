package io.amphora.boot;

import com.codahale.metrics.MetricRegistry;
import com.codahale.metrics.jvm.GarbageCollectorMetricSet;
import com.codahale.metrics.jvm.MemoryUsageGaugeSet;
import io.amphora.admin.AdminOptions;
import io.amphora.admin.AdminServer;
import io.amphora.amqp.server.AmqpOptions;
import io.amphora.amqp.server.AmqpServer;
import io.amphora.amqp.server.ConnectionLoop;
import io.amphora.amqp.server.LoginOptions;
import io.amphora.boot.Await.Endpoint;
import io.amphora.boot.config.ClusterKeys;
import io.amphora.boot.config.Config;
import io.amphora.boot.config.ConfigKey;
import io.amphora.boot.config.CoreKeys;
import io.amphora.boot.config.ListenerKeys;
import io.amphora.boot.config.StorageKeys;
import io.amphora.boot.config.TlsKeys;
import io.amphora.boot.config.TopicKeys;
import io.amphora.cluster.ClusterNode;
import io.amphora.cluster.ClusterOptions;
import io.amphora.core.Reply;
import io.amphora.core.node.Broker;
import io.amphora.core.node.BrokerPorts;
import io.amphora.core.node.CoreOptions;
import io.amphora.core.node.LocalBroker;
import io.amphora.core.node.RunningBroker;
import io.amphora.wal.Wal;
import io.amphora.wal.WalException;
import io.amphora.wal.codec.Compression;
import io.amphora.wal.disk.DiskOptions;
import io.amphora.wal.disk.DiskWal;
import io.vertx.core.Context;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One broker: builds everything, in the order in which this file reads, and stops it in the
 * opposite order. Used by one thread at a time: first the one that starts, then the one that stops.
 */
final class BrokerNode {

  private static final Logger log = LoggerFactory.getLogger(BrokerNode.class);
  private static final long CLOSE_LIMIT_SECONDS = 10;

  private final Config config;
  private final StopOnFault faults;
  private final MetricRegistry metrics = new MetricRegistry();
  private final Teardown teardown = new Teardown();
  private final FileWatch watch = new FileWatch();
  private String readyLine = "";
  private String amqps = "";

  private BrokerNode(Config config, StopOnFault faults) {
    this.config = config;
    this.faults = faults;
  }

  /**
   * Starts a broker; blocks until it serves. When anything fails, what was started is stopped.
   *
   * @throws StartException with one line for the operator
   */
  static BrokerNode start(Config config, StopOnFault faults) throws StartException {
    BrokerNode node = new BrokerNode(config, faults);
    try {
      node.start();
      return node;
    } catch (StartException | RuntimeException e) {
      node.teardown.run();
      throw e;
    }
  }

  /** The line that says that the broker serves, and where. */
  String readyLine() {
    return readyLine;
  }

  /**
   * Stops: clients are told, what is pending is answered, positions and logs are made durable.
   * Blocks.
   *
   * @return true when everything stopped as it should
   */
  boolean stop() {
    return teardown.run();
  }

  private void start() throws StartException {
    Preflight.check(config);
    LoginOptions logins = Logins.read(config, watch);
    Wal wal = startStore();
    logSettings();
    prepareCompression();
    EventLoops loops = startLoops();
    ClusterNode cluster = startCluster();
    RunningBroker broker = startCore(wal, loops, cluster);
    FirstUser.ensure(config, broker, loops.control());
    AmqpServer server = amqpServer(broker, loops, logins);
    String amqp = startAmqp(server, loops);
    String http = startHttp(broker, loops, server);
    readyLine = "ready amqp=" + amqp + " http=" + http + amqps;
  }

  private void logSettings() {
    log.info("Amphora {}, Java {}", Version.text(), Runtime.version());
    config
        .shown()
        .forEach((key, value) -> log.info("{} = {} ({})", key, value.text(), value.source()));
    String http = config.get(ListenerKeys.HTTP_HOST);
    if (ListenerKeys.httpAnonymous(config) && !ListenerKeys.isLoopback(http)) {
      log.warn("REST on {} asks for no user: whoever reaches it can delete topics", http);
    }
  }

  /** Native libraries are loaded here: on a loop that would be too slow. */
  private void prepareCompression() {
    for (Compression each : Compression.values()) {
      each.problem().ifPresent(why -> log.warn("{}", why));
    }
  }

  private Wal startStore() throws StartException {
    Path dir = StorageKeys.dataDir(config);
    try {
      Wal wal = DiskWal.open(dir, diskOptions());
      teardown.add("store", wal::close);
      return wal;
    } catch (WalException e) {
      throw storeRefused(dir, e);
    }
  }

  private static StartException storeRefused(Path dir, WalException e) {
    return switch (e.kind()) {
      case LOCKED -> DataDirectory.inUse(dir, e);
      case DISK_FULL ->
          new StartException(
              StartException.ENVIRONMENT,
              "data.dir %s has no space left; make some: %s".formatted(dir, e.getMessage()),
              e);
      case CORRUPT, OUT_OF_RANGE, BUSY, IO, CLOSED ->
          new StartException(
              StartException.FAILED, "data.dir %s: %s".formatted(dir, e.getMessage()), e);
    };
  }

  private DiskOptions diskOptions() {
    return DiskOptions.DEFAULT
        .withReserve(config.get(StorageKeys.DISK_RESERVE))
        .withFaults(
            cause ->
                faults.fatal("the store failed; check the disk, then start the broker", cause));
  }

  private EventLoops startLoops() {
    EventLoops loops =
        EventLoops.start(
            Runtime.getRuntime().availableProcessors(),
            error -> faults.fatal("an event loop failed; report this with the log", error));
    teardown.add("event loops", loops::close);
    return loops;
  }

  private ClusterNode startCluster() throws StartException {
    ClusterOptions options = ClusterKeys.clusterOptions(config);
    try {
      ClusterNode cluster = ClusterNode.start(options);
      teardown.add("cluster member", cluster::close);
      return cluster;
    } catch (IllegalStateException e) {
      throw new StartException(StartException.ENVIRONMENT, "broker.id: " + e.getMessage(), e);
    } catch (UncheckedIOException e) {
      throw Await.refused(
          new Endpoint(options.host(), options.port(), ClusterKeys.HAZELCAST_PORT), e);
    }
  }

  private RunningBroker startCore(Wal wal, EventLoops loops, ClusterNode cluster)
      throws StartException {
    CoreOptions options = CoreKeys.coreOptions(config, Runtime.getRuntime().maxMemory());
    log.info(
        "memory: heap {} MiB, append budget {} MiB, tail cache {} MiB",
        Runtime.getRuntime().maxMemory() >> 20,
        options.appendBudgetBytes() >> 20,
        options.tailCacheBytes() >> 20);
    metrics.registerAll("jvm.memory", new MemoryUsageGaugeSet());
    metrics.registerAll("jvm.gc", new GarbageCollectorMetricSet());
    metrics.gauge("jvm.threads", () -> ManagementFactory.getThreadMXBean()::getThreadCount);
    BrokerPorts ports =
        new BrokerPorts(
            loops.partitionLoops(),
            loops.control(),
            wal,
            cluster.membership(),
            cluster.topologyStore(),
            cluster.positionStore(),
            faults,
            metrics);
    CompletableFuture<Reply<RunningBroker>> started = new CompletableFuture<>();
    loops.control().execute(() -> LocalBroker.start(ports, options, started::complete));
    RunningBroker broker = Await.reply(started, "the broker's partitions");
    teardown.add("broker core", () -> stopCore(broker));
    return broker;
  }

  private static void stopCore(RunningBroker broker) throws Exception {
    CompletableFuture<Void> stopped = new CompletableFuture<>();
    broker.stop(() -> stopped.complete(null));
    stopped.get(CLOSE_LIMIT_SECONDS, TimeUnit.SECONDS);
  }

  private AmqpServer amqpServer(Broker broker, EventLoops loops, LoginOptions logins) {
    long largest = ListenerKeys.maxMessageBytes(config);
    Broker seen = new WithTopicDefaults(broker, TopicKeys.topicDefaults(config), largest);
    log.info("messages may have {} KiB at most", largest >> 10);
    AmqpServer server = new AmqpServer(loops.vertx(), loops.connectionLoops(), seen, logins);
    server.metrics(metrics);
    server.filters(PluginsOnClassPath.filters());
    server.origins(config.get(ListenerKeys.WEBSOCKET_ORIGINS));
    return server;
  }

  private String startAmqp(AmqpServer server, EventLoops loops) throws StartException {
    teardown.add("AMQP listener", () -> Await.closed(server.close()));
    Optional<AmqpOptions> tls = TlsKeys.amqpOptions(config);
    if (tls.isPresent()) {
      List<Path> files = TlsKeys.files(config);
      watch.add("TLS", files, FileWatch.print(files), vertx -> server.renewCertificates());
      amqps = " amqps=" + listen(server, tls.get(), TlsKeys.PORT);
    }
    watch.start(loops.vertx(), config.get(TlsKeys.RELOAD_INTERVAL));
    return listen(server, ListenerKeys.amqpOptions(config), ListenerKeys.AMQP_PORT);
  }

  private static String listen(AmqpServer server, AmqpOptions options, ConfigKey<Integer> port)
      throws StartException {
    Endpoint wanted = new Endpoint(options.host(), options.port(), port);
    return wanted.withPort(Await.listening(server.listen(options), wanted)).text();
  }

  private String startHttp(Broker broker, EventLoops loops, AmqpServer amqp) throws StartException {
    Map<String, String> shown = new LinkedHashMap<>();
    config.shown().forEach((key, value) -> shown.put(key, value.text()));
    AdminOptions options =
        new AdminOptions(
            config.get(ListenerKeys.HTTP_HOST),
            config.get(ListenerKeys.HTTP_PORT),
            Version.text(),
            shown,
            TopicKeys.restDefaults(config),
            ListenerKeys.httpAnonymous(config));
    AdminServer server = new AdminServer(loops.vertx(), loops.control(), broker, options, metrics);
    Context context = loops.control().context();
    server.webSockets(
        amqp.webSockets(
            ListenerKeys.webSocketOptions(config), new ConnectionLoop(context, loops.control())));
    teardown.add("HTTP listener", () -> Await.closed(Await.on(context, server::close)));
    Endpoint wanted = new Endpoint(options.host(), options.port(), ListenerKeys.HTTP_PORT);
    return wanted.withPort(Await.listening(Await.on(context, server::listen), wanted)).text();
  }
}
