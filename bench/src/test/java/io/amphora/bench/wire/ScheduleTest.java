package io.amphora.bench.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ScheduleTest {

  @Test
  void shouldCountAMessageFromWhenItWasDueHoweverLateItIsTaken() {
    Schedule schedule = Schedule.rate(1000);
    long start = schedule.start();

    assertThat(schedule.next(start + 2_500_000)).isEqualTo(start);
    assertThat(schedule.next(start + 2_500_000)).isEqualTo(start + 1_000_000);
    assertThat(schedule.next(start + 2_500_000)).isEqualTo(start + 2_000_000);
    assertThat(schedule.next(start + 2_500_000)).isEqualTo(Schedule.NOTHING);
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
    Schedule schedule = Schedule.unlimited();
    schedule.stop();

    assertThat(schedule.next(1)).isEqualTo(Schedule.NOTHING);
  }
}
