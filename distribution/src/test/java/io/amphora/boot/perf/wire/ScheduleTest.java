package io.amphora.boot.perf.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ScheduleTest {

  @Test
  void shouldCountAMessageFromWhenItWasDueHoweverLateItIsTaken() {
    Schedule schedule = Schedule.rate(1000, Long.MAX_VALUE);

    assertThat(schedule.next(7)).isEqualTo(7);
    assertThat(schedule.next(7)).isEqualTo(Schedule.NOTHING);
    assertThat(schedule.next(7 + 2_500_000)).isEqualTo(7 + 1_000_000);
    assertThat(schedule.next(7 + 2_500_000)).isEqualTo(7 + 2_000_000);
    assertThat(schedule.next(7 + 2_500_000)).isEqualTo(Schedule.NOTHING);
  }

  @Test
  void shouldStillGiveWhatWasPlannedBeforeTheStopAndNothingAfter() {
    Schedule schedule = Schedule.rate(1_000_000, Long.MAX_VALUE);
    long start = System.nanoTime() - 10_500;
    assertThat(schedule.next(start)).isEqualTo(start);

    schedule.stop();
    long planned = schedule.planned();
    long given = 1;
    while (schedule.next(Long.MAX_VALUE) != Schedule.NOTHING) {
      given++;
    }

    assertThat(planned).isGreaterThanOrEqualTo(11);
    assertThat(given).isEqualTo(planned);
  }

  @Test
  void shouldKeepToItsCountAlsoAtARate() {
    Schedule schedule = Schedule.rate(1000, 2);

    assertThat(schedule.next(0)).isEqualTo(0);
    assertThat(schedule.next(9_000_000)).isEqualTo(1_000_000);
    assertThat(schedule.next(9_000_000)).isEqualTo(Schedule.NOTHING);
  }

  @Test
  void shouldAllowNoMoreThanTheCountUntilOneIsReleased() {
    Schedule schedule = Schedule.count(1);

    assertThat(schedule.next(7)).isEqualTo(7);
    assertThat(schedule.next(8)).isEqualTo(Schedule.NOTHING);
    schedule.release();
    assertThat(schedule.next(9)).isEqualTo(9);
  }

  @Test
  void shouldHaveNothingAfterStop() {
    Schedule schedule = Schedule.count(Long.MAX_VALUE);
    schedule.stop();

    assertThat(schedule.next(System.nanoTime())).isEqualTo(Schedule.NOTHING);
    assertThat(schedule.planned()).isZero();
  }
}
