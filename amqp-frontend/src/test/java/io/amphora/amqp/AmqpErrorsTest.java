package io.amphora.amqp;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.core.BrokerException;
import io.amphora.core.ErrorCode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AmqpErrorsTest {

  @ParameterizedTest
  @EnumSource(ErrorCode.class)
  void shouldHaveAConditionForEveryCode(ErrorCode code) {
    assertThat(AmqpErrors.condition(code).toString()).startsWith("amqp:");
    assertThat(AmqpErrors.of(new BrokerException(code, "why")).getDescription()).isEqualTo("why");
  }

  @ParameterizedTest
  @EnumSource(
      value = ErrorCode.class,
      names = {"NOT_LEADER", "TIMEOUT", "INDETERMINATE"})
  void shouldNotBlameTheClientForWhatPasses(ErrorCode code) {
    assertThat(AmqpErrors.condition(code).toString()).isEqualTo("amqp:link:detach-forced");
  }
}
