package io.amphora.wal;

import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.Assertions;

/**
 * How long a fuzz test goes on: a fixed number of rounds from a fixed seed, or with {@code
 * -Dfuzz.seconds} that long from a random seed, which is printed. {@code -Dfuzz.seed} repeats one
 * round alone.
 */
public final class FuzzRun {

  private FuzzRun() {}

  /** One round. */
  public interface Round {
    void run(Random random) throws Exception;
  }

  /** Runs rounds; a failure names the seed of its round. */
  public static void run(String name, long firstSeed, int rounds, Round round) {
    Long only = Long.getLong("fuzz.seed");
    if (only != null) {
      one(name, only, round);
      return;
    }
    int seconds = Integer.getInteger("fuzz.seconds", 0);
    if (seconds == 0) {
      for (int i = 0; i < rounds; i++) {
        one(name, firstSeed + i, round);
      }
      return;
    }
    long start = System.nanoTime();
    long seed = start;
    System.out.println(name + ": " + seconds + " s from -Dfuzz.seed=" + seed);
    while (System.nanoTime() - start < TimeUnit.SECONDS.toNanos(seconds)) {
      one(name, seed++, round);
    }
    System.out.println(name + ": " + (seed - start) + " rounds");
  }

  private static void one(String name, long seed, Round round) {
    try {
      round.run(new Random(seed));
    } catch (Throwable e) {
      Assertions.fail(name + " fails with -Dfuzz.seed=" + seed + ": " + e, e);
    }
  }
}
