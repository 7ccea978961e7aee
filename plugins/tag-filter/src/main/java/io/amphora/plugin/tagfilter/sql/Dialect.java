package io.amphora.plugin.tagfilter.sql;

import io.amphora.plugin.MessageView;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What the two languages differ in. */
public enum Dialect {
  /** JMS 3.1, section 3.8: strings have no order; LIKE, IN and IS NULL are for fields only. */
  JMS(false, true) {
    @Override
    Function<MessageView, @Nullable Object> field(Token name) throws SyntaxException {
      return JmsNames.field(name);
    }
  },

  /** AMQP filter expressions, section 6: fields are named by their sections. */
  AMQP(true, false) {
    @Override
    Function<MessageView, @Nullable Object> field(Token name) throws SyntaxException {
      return SectionNames.field(name);
    }
  };

  final boolean ordersText;
  final boolean fieldsOnly;

  Dialect(boolean ordersText, boolean fieldsOnly) {
    this.ordersText = ordersText;
    this.fieldsOnly = fieldsOnly;
  }

  /** What a name stands for. */
  abstract Function<MessageView, @Nullable Object> field(Token name) throws SyntaxException;
}
