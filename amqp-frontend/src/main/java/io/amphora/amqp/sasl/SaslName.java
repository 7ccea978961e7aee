package io.amphora.amqp.sasl;

import java.util.Optional;

/** The form of a name inside messages that commas take apart (RFC 5801 section 4). */
final class SaslName {

  private SaslName() {}

  /** {@code =2C} is a comma, {@code =3D} an equals sign; any other use of it is an error. */
  static Optional<String> unescaped(String name) {
    String plain = name.replace("=2C", ",").replace("=3D", "=");
    String again = plain.replace("=", "=3D").replace(",", "=2C");
    return again.equals(name) ? Optional.of(plain) : Optional.empty();
  }
}
