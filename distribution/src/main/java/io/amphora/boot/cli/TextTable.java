package io.amphora.boot.cli;

import java.util.ArrayList;
import java.util.List;

/** Columns under headings. */
final class TextTable {

  private static final String GAP = "  ";

  private TextTable() {}

  /**
   * @param rows cells; the first row has the headings; numbers are set to the right
   */
  static List<String> lines(List<List<String>> rows) {
    int columns = rows.get(0).size();
    int[] widths = new int[columns];
    boolean[] numeric = new boolean[columns];
    for (int column = 0; column < columns; column++) {
      int c = column;
      widths[c] = rows.stream().mapToInt(row -> row.get(c).length()).max().orElse(0);
      numeric[c] =
          rows.size() > 1 && rows.stream().skip(1).allMatch(row -> row.get(c).matches("-?\\d*"));
    }
    List<String> lines = new ArrayList<>();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int column = 0; column < columns; column++) {
        String padding = " ".repeat(widths[column] - row.get(column).length());
        line.append(column == 0 ? "" : GAP);
        line.append(numeric[column] ? padding + row.get(column) : row.get(column) + padding);
      }
      lines.add(line.toString().stripTrailing());
    }
    return lines;
  }
}
