package io.amphora.plugin.tagfilter.sql;

import java.util.regex.Pattern;

/** Java's literals of integers (decimal, hexadecimal, octal) and floating point numbers. Pure. */
final class NumberLiteral {
  private static final Pattern HEX = Pattern.compile("0[xX][0-9a-fA-F]+[lL]?");
  private static final Pattern OCTAL = Pattern.compile("0[0-7]+[lL]?");
  private static final Pattern DECIMAL = Pattern.compile("(0|[1-9][0-9]*)[lL]?");
  private static final Pattern FLOAT =
      Pattern.compile(
          "([0-9]+\\.[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?[fFdD]?"
              + "|[0-9]+[eE][+-]?[0-9]+[fFdD]?|[0-9]+[fFdD]");

  private NumberLiteral() {}

  /**
   * A {@link Long} or a {@link Double}.
   *
   * @param negative whether a minus stands in front of it
   */
  static Number read(Token token, boolean negative) throws SyntaxException {
    String text = token.text();
    try {
      if (HEX.matcher(text).matches()) {
        long bits = Long.parseUnsignedLong(digits(text).substring(2), 16);
        return negative ? -bits : bits;
      } else if (OCTAL.matcher(text).matches()) {
        long bits = Long.parseUnsignedLong(digits(text), 8);
        return negative ? -bits : bits;
      } else if (DECIMAL.matcher(text).matches()) {
        return Long.parseLong((negative ? "-" : "") + digits(text));
      } else if (FLOAT.matcher(text).matches()) {
        double value = Double.parseDouble(text);
        return negative ? -value : value;
      }
    } catch (NumberFormatException e) {
      throw new SyntaxException("'" + text + "' does not fit 64 bits,", token.position());
    }
    throw new SyntaxException("'" + text + "' is no number,", token.position());
  }

  private static String digits(String text) {
    char last = text.charAt(text.length() - 1);
    return last == 'l' || last == 'L' ? text.substring(0, text.length() - 1) : text;
  }
}
