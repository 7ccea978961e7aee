package io.amphora.admin.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.core.BrokerException;
import io.amphora.core.ErrorCode;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class HttpErrorsTest {
  @ParameterizedTest
  @EnumSource(ErrorCode.class)
  void shouldBlameWhoHasToAct(ErrorCode code) {
    List<Integer> fitting =
        switch (code.category()) {
          case CLIENT -> List.of(400, 401, 403, 404, 409, 410, 412, 413, 501);
          case RESOURCE -> List.of(429, 503);
          case RETRYABLE -> List.of(503, 504);
          case INDETERMINATE -> List.of(504);
          case INTERNAL -> List.of(500);
        };
    assertThat(HttpErrors.statusOf(code)).isIn(fitting);
    assertThat(HttpErrors.codeOf(code)).matches("[a-z]+(-[a-z]+)*");
  }

  @Test
  void shouldGiveEveryErrorItsOwnCode() {
    assertThat(Arrays.stream(ErrorCode.values()).map(HttpErrors::codeOf)).doesNotHaveDuplicates();
  }

  @Test
  void shouldShowTheMessageOfABrokerError() {
    Problem problem =
        HttpErrors.problemOf(new BrokerException(ErrorCode.NOT_LEADER, "no leader for t/0"));
    assertThat(problem).isEqualTo(new Problem(503, "not-leader", "no leader for t/0", ""));
  }
}
