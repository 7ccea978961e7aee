package io.amphora.plugin;

import java.util.Locale;

/** The fields of the properties section, in the order of part 3, section 3.2.4. */
public enum MessageProperty {
  MESSAGE_ID,
  USER_ID,
  TO,
  SUBJECT,
  REPLY_TO,
  CORRELATION_ID,
  CONTENT_TYPE,
  CONTENT_ENCODING,
  ABSOLUTE_EXPIRY_TIME,
  CREATION_TIME,
  GROUP_ID,
  GROUP_SEQUENCE,
  REPLY_TO_GROUP_ID;

  /** Its name in the specification, such as {@code message-id}. */
  public String amqpName() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
