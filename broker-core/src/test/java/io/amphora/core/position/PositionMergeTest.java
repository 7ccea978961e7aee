package io.amphora.core.position;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.amphora.core.BrokerException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class PositionMergeTest {
  private static final int SPACE = 40;

  @Provide
  Arbitrary<Position> positions() {
    return Arbitraries.longs().map(PositionMergeTest::position);
  }

  private static Position position(long seed) {
    Random random = new Random(seed);
    List<OffsetRange> done = ranges(random);
    Map<Long, Integer> attempts = new TreeMap<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      attempts.put((long) random.nextInt(SPACE), 1 + random.nextInt(20));
    }
    Reset reset = new Reset(random.nextInt(8) == 0 ? 1 : 0, 0);
    return PositionMerge.normalise(
        new Position(reset, random.nextInt(SPACE), done, attempts, ranges(random)));
  }

  private static List<OffsetRange> ranges(Random random) {
    List<OffsetRange> ranges = new ArrayList<>();
    for (int i = random.nextInt(6); i > 0; i--) {
      long from = random.nextInt(SPACE);
      ranges.add(new OffsetRange(from, from + random.nextInt(5)));
    }
    return ranges;
  }

  private static boolean isDone(Position position, long offset) {
    return offset < position.committed()
        || position.done().stream().anyMatch(r -> r.from() <= offset && offset < r.to());
  }

  @Property(tries = 1000)
  void mergeIsCommutative(@ForAll("positions") Position a, @ForAll("positions") Position b) {
    assertThat(PositionMerge.merge(a, b)).isEqualTo(PositionMerge.merge(b, a));
  }

  @Property(tries = 1000)
  void mergeIsAssociative(
      @ForAll("positions") Position a,
      @ForAll("positions") Position b,
      @ForAll("positions") Position c) {
    assertThat(PositionMerge.merge(PositionMerge.merge(a, b), c))
        .isEqualTo(PositionMerge.merge(a, PositionMerge.merge(b, c)));
  }

  @Property(tries = 1000)
  void mergeIsIdempotent(@ForAll("positions") Position a, @ForAll("positions") Position b) {
    Position once = PositionMerge.merge(a, b);
    assertThat(PositionMerge.merge(a, a)).isEqualTo(a);
    assertThat(PositionMerge.merge(once, b)).isEqualTo(once);
  }

  @Property(tries = 1000)
  void mergeNeverUndoesAnAcknowledgement(
      @ForAll("positions") Position a, @ForAll("positions") Position b) {
    Position merged = PositionMerge.merge(a, b);
    for (long offset = 0; offset < SPACE + 10; offset++) {
      boolean expected =
          a.reset().equals(b.reset())
              ? isDone(a, offset) || isDone(b, offset)
              : isDone(a.reset().compareTo(b.reset()) > 0 ? a : b, offset);
      assertThat(isDone(merged, offset)).as("offset %d", offset).isEqualTo(expected);
    }
  }

  @Property(tries = 1000)
  void theJournalKeepsWhatItIsGiven(@ForAll("positions") Position a) {
    assertThat(PositionCodec.decode(ByteBuffer.wrap(PositionCodec.encode(a)))).isEqualTo(a);
  }

  @Property(tries = 1000)
  void damagedBytesAreRefusedOrMeanSomethingElse(
      @ForAll("positions") Position a, @ForAll byte[] junk, @ForAll int where) {
    byte[] good = PositionCodec.encode(a);
    byte[] cut = java.util.Arrays.copyOf(good, Math.floorMod(where, good.length));
    assertThatThrownBy(() -> PositionCodec.decode(ByteBuffer.wrap(cut)))
        .isInstanceOf(BrokerException.class);
    byte[] longer = java.util.Arrays.copyOf(good, good.length + 1);
    assertThatThrownBy(() -> PositionCodec.decode(ByteBuffer.wrap(longer)))
        .isInstanceOf(BrokerException.class);
    try {
      Position other = PositionCodec.decode(ByteBuffer.wrap(junk));
      assertThat(PositionMerge.normalise(other)).isEqualTo(other);
    } catch (BrokerException expected) {
      assertThat(expected.code()).isEqualTo(io.amphora.core.ErrorCode.CORRUPT);
    }
  }

  @Property(tries = 300)
  void theTrackerAgreesWithAPlainSet(@ForAll long seed) {
    Random random = new Random(seed);
    long start = random.nextInt(5);
    PositionTracker tracker = new PositionTracker(Position.at(start), 1000);
    TreeMap<Long, Boolean> model = new TreeMap<>();
    for (int i = 0; i < 60; i++) {
      long offset = random.nextInt(SPACE);
      switch (random.nextInt(4)) {
        case 0 -> {
          tracker.park(offset);
          model.put(offset, true);
        }
        case 1 -> {
          long to = offset + random.nextInt(4);
          tracker.skip(offset, to);
          for (long o = offset; o < to; o++) {
            model.put(o, true);
          }
        }
        case 2 -> tracker.countFailure(offset);
        default -> {
          tracker.done(offset);
          model.put(offset, true);
        }
      }
      Position now = tracker.snapshot();
      assertThat(PositionMerge.normalise(now)).isEqualTo(now);
      for (long o = 0; o < SPACE + 5; o++) {
        assertThat(tracker.isDone(o)).isEqualTo(o < start || model.containsKey(o));
      }
      assertThat(tracker.isDone(tracker.committed())).isFalse();
    }
  }
}
