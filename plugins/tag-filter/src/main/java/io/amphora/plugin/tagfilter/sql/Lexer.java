package io.amphora.plugin.tagfilter.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Cuts an expression into tokens. */
final class Lexer {

  private static final Set<String> KEYWORDS =
      Set.of("NOT", "AND", "OR", "BETWEEN", "LIKE", "IN", "IS", "NULL", "ESCAPE", "TRUE", "FALSE");

  private static final List<String> OPERATORS =
      List.of("<>", "<=", ">=", "!=", "=", "<", ">", "+", "-", "*", "/", "%", "(", ")", ",");

  private final String text;
  private final List<Token> tokens = new ArrayList<>();
  private int at;

  private Lexer(String text) {
    this.text = text;
  }

  /** The tokens, the last of which is {@link Token.Kind#END}. */
  static List<Token> tokens(String text) throws SyntaxException {
    Lexer lexer = new Lexer(text);
    lexer.run();
    return lexer.tokens;
  }

  private void run() throws SyntaxException {
    while (true) {
      while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
        at++;
      }
      if (at == text.length()) {
        add(Token.Kind.END, "", at);
        return;
      }
      next(text.charAt(at));
    }
  }

  private void next(char first) throws SyntaxException {
    int start = at;
    if (first == '\'') {
      add(Token.Kind.STRING, quoted('\''), start);
    } else if (first == '"' || Character.isJavaIdentifierStart(first)) {
      name(start);
    } else if (isDigit(at) || (first == '.' && isDigit(at + 1))) {
      number(start);
    } else {
      operator(start);
    }
  }

  private void add(Token.Kind kind, String content, int start) {
    tokens.add(new Token(kind, content, start + 1));
  }

  /** The content between quotes; a doubled quote is one. */
  private String quoted(char quote) throws SyntaxException {
    int start = at++;
    StringBuilder content = new StringBuilder();
    while (at < text.length()) {
      char next = text.charAt(at++);
      if (next != quote) {
        content.append(next);
      } else if (at < text.length() && text.charAt(at) == quote) {
        content.append(quote);
        at++;
      } else {
        return content.toString();
      }
    }
    throw new SyntaxException("a " + quote + " that is not closed", start + 1);
  }

  /** A name may have dots, and parts in double quotes. */
  private void name(int start) throws SyntaxException {
    StringBuilder name = new StringBuilder();
    boolean plain = true;
    while (at < text.length()) {
      char next = text.charAt(at);
      boolean opens = name.isEmpty() || name.charAt(name.length() - 1) == '.';
      if (next == '"' && opens) {
        name.append(quoted('"'));
        plain = false;
      } else if (Character.isJavaIdentifierPart(next) || next == '.') {
        name.append(next);
        at++;
      } else {
        break;
      }
    }
    String word = name.toString().toUpperCase(Locale.ROOT);
    boolean keyword = plain && KEYWORDS.contains(word);
    add(keyword ? Token.Kind.KEYWORD : Token.Kind.NAME, keyword ? word : name.toString(), start);
  }

  private boolean isDigit(int index) {
    return index < text.length() && text.charAt(index) >= '0' && text.charAt(index) <= '9';
  }

  /** Java's forms of literals; what they mean is decided by {@link NumberLiteral}. */
  private void number(int start) {
    boolean hex = text.startsWith("0x", at) || text.startsWith("0X", at);
    while (at < text.length() && continuesNumber(text.charAt(at), hex)) {
      at++;
    }
    add(Token.Kind.NUMBER, text.substring(start, at), start);
  }

  private boolean continuesNumber(char next, boolean hex) {
    boolean sign = next == '+' || next == '-';
    char before = text.charAt(at - (sign ? 1 : 0));
    return sign
        ? !hex && (before == 'e' || before == 'E')
        : next == '.' || next == '_' || (next < 128 && Character.isLetterOrDigit(next));
  }

  private void operator(int start) throws SyntaxException {
    for (String each : OPERATORS) {
      if (text.startsWith(each, at)) {
        at += each.length();
        add(Token.Kind.OPERATOR, each.equals("!=") ? "<>" : each, start);
        return;
      }
    }
    throw new SyntaxException("unexpected '" + text.charAt(at) + "'", start + 1);
  }
}
