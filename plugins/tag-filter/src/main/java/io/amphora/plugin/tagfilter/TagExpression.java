package io.amphora.plugin.tagfilter;

import java.util.Set;
import java.util.function.Predicate;

/**
 * Conditions on tags: a tag, {@code *} for any message, {@code !}, {@code &&}, {@code ||} and
 * parentheses, in this order of precedence. A tag is made of letters, digits and {@code _ - . : =
 * / @ #}, or stands in single quotes, where a doubled quote is one.
 */
final class TagExpression {

  /** Longest text, characters. */
  static final int MAX_LENGTH = 4096;

  private static final int MAX_DEPTH = 100;

  private static final String MARKS = "_-.:=/@#";

  /** What a text means. */
  sealed interface Result {}

  /** A condition on the tags of a message. */
  record Parsed(Predicate<Set<String>> condition) implements Result {}

  /** It is no expression. */
  record Wrong(String reason) implements Result {}

  private static final class Problem extends Exception {
    private static final long serialVersionUID = 1L;

    Problem(String what, int position) {
      super(what + " at position " + position);
    }
  }

  private final String text;
  private int at;
  private int depth;

  private TagExpression(String text) {
    this.text = text;
  }

  static Result parse(String text) {
    if (text.length() > MAX_LENGTH) {
      return new Wrong("longer than " + MAX_LENGTH + " characters");
    }
    TagExpression parser = new TagExpression(text);
    try {
      Predicate<Set<String>> all = parser.or();
      if (!parser.isAtEnd()) {
        throw parser.unexpected();
      }
      return new Parsed(all);
    } catch (Problem e) {
      return new Wrong(String.valueOf(e.getMessage()));
    }
  }

  private boolean isAtEnd() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
    return at == text.length();
  }

  private boolean takes(String sign) {
    boolean is = !isAtEnd() && text.startsWith(sign, at);
    at += is ? sign.length() : 0;
    return is;
  }

  private Problem unexpected() {
    return new Problem(
        isAtEnd() ? "unexpected end" : "unexpected '" + text.charAt(at) + "'", at + 1);
  }

  private Predicate<Set<String>> or() throws Problem {
    Predicate<Set<String>> all = and();
    while (takes("||")) {
      all = all.or(and());
    }
    return all;
  }

  private Predicate<Set<String>> and() throws Problem {
    Predicate<Set<String>> all = not();
    while (takes("&&")) {
      all = all.and(not());
    }
    return all;
  }

  private Predicate<Set<String>> not() throws Problem {
    if (++depth > MAX_DEPTH) {
      throw new Problem("nested deeper than " + MAX_DEPTH, at + 1);
    }
    Predicate<Set<String>> result = takes("!") ? not().negate() : value();
    depth--;
    return result;
  }

  private Predicate<Set<String>> value() throws Problem {
    if (takes("*")) {
      return tags -> true;
    }
    if (takes("(")) {
      Predicate<Set<String>> inner = or();
      if (!takes(")")) {
        throw unexpected();
      }
      return inner;
    }
    String tag = tag();
    return tags -> tags.contains(tag);
  }

  private String tag() throws Problem {
    if (takes("'")) {
      return quoted();
    }
    int start = at;
    while (at < text.length() && isTagCharacter(text.charAt(at))) {
      at++;
    }
    if (at == start) {
      throw unexpected();
    }
    return text.substring(start, at);
  }

  private static boolean isTagCharacter(char each) {
    return Character.isLetterOrDigit(each) || MARKS.indexOf(each) >= 0;
  }

  private String quoted() throws Problem {
    StringBuilder tag = new StringBuilder();
    while (at < text.length()) {
      char next = text.charAt(at++);
      if (next != '\'') {
        tag.append(next);
      } else if (at < text.length() && text.charAt(at) == '\'') {
        tag.append(next);
        at++;
      } else {
        return tag.toString();
      }
    }
    throw unexpected();
  }
}
