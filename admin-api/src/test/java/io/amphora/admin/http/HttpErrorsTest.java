package io.amphora.admin.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.core.BrokerException;
import io.amphora.core.ErrorCode;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class HttpErrorsTest {
  @ParameterizedTest
  @EnumSource(ErrorCode.class)
  void shouldBlameWhoHasToAct(ErrorCode code) {
    int status = HttpErrors.statusOf(code);
    switch (code.category()) {
      case CLIENT -> assertThat(status).isIn(400, 401, 403, 404, 409, 410, 412, 413, 501);
      case RESOURCE -> assertThat(status).isIn(429, 503);
      case RETRYABLE -> assertThat(status).isIn(503, 504);
      case INDETERMINATE -> assertThat(status).isEqualTo(504);
      case INTERNAL -> assertThat(status).isEqualTo(500);
    }
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
