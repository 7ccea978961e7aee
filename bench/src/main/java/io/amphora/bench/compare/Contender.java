package io.amphora.bench.compare;

import io.amphora.boot.perf.wire.Target;
import java.io.IOException;
import java.nio.file.Path;

/** A broker that can be started from scratch. */
interface Contender {

  /** Column title. */
  String name();

  /** Where to connect to, but for the address. */
  Target target();

  /** The command that runs the broker in the foreground with its data in {@code dir}. */
  ProcessBuilder command(Path dir) throws IOException, InterruptedException;
}
