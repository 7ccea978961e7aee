package io.amphora.boot.jms;

import io.amphora.boot.it.BrokerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** One broker for all classes of the suite: the first starts it, it ends with the test run. */
public final class SuiteBroker implements BeforeAllCallback {

  private static final ExtensionContext.Namespace SPACE =
      ExtensionContext.Namespace.create(SuiteBroker.class);

  private static volatile BrokerProcess broker;

  @Override
  public void beforeAll(ExtensionContext context) {
    context.getRoot().getStore(SPACE).getOrComputeIfAbsent(Running.class);
  }

  static BrokerProcess broker() {
    return broker;
  }

  /** The broker and its data. */
  public static final class Running implements AutoCloseable {
    private final Path data;

    public Running() {
      try {
        data = Files.createTempDirectory("jms-suite");
        broker = BrokerProcess.serving(data.resolve("data"));
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void close() throws IOException {
      broker.close();
      try (Stream<Path> files = Files.walk(data)) {
        files.sorted(Comparator.reverseOrder()).forEach(Running::delete);
      }
    }

    private static void delete(Path file) {
      try {
        Files.delete(file);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
