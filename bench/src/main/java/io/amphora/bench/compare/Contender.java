package io.amphora.bench.compare;

import io.amphora.boot.perf.load.ServerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** A broker that can be started from scratch. */
interface Contender {

  /** Column title. */
  String name();

  /** How to see that it serves. */
  Greeting greeting();

  /** The command that runs the broker in the foreground with its data in {@code dir}. */
  ProcessBuilder command(Path dir) throws IOException, InterruptedException;

  /** What loads it while it runs. */
  Generator generator(ServerProcess usage);

  /** What a reader of its column must know. */
  default Optional<String> note() {
    return Optional.empty();
  }

  /** True when the rows with other sizes of messages are measured, too. */
  default boolean sized() {
    return false;
  }
}
