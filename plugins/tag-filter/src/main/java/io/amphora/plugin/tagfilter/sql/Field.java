package io.amphora.plugin.tagfilter.sql;

import io.amphora.plugin.MessageView;
import java.math.BigInteger;
import java.time.Instant;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A value of the message.
 *
 * @param read may return any value that {@link MessageView} knows
 */
record Field(Function<MessageView, @Nullable Object> read) implements Expression {

  @Override
  public Kind kind() {
    return Kind.ANY;
  }

  @Override
  public @Nullable Object in(Evaluation evaluation) {
    evaluation.spend(1);
    Object value = read.apply(evaluation.message());
    if (value instanceof Instant time) {
      return time.toEpochMilli();
    } else if (value instanceof BigInteger large) {
      return large.doubleValue();
    }
    return value instanceof UUID id ? id.toString() : value;
  }
}
