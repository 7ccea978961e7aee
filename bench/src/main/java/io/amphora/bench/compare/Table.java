package io.amphora.bench.compare;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Medians of what was measured, by row and contender. */
final class Table {

  private final List<String> columns;
  private final Map<String, Map<String, List<Double>>> rows = new LinkedHashMap<>();

  Table(List<String> columns) {
    this.columns = List.copyOf(columns);
  }

  void add(String row, String column, double value) {
    System.err.printf(Locale.ROOT, "%-16s %-45s %,.2f%n", column, row, value);
    rows.computeIfAbsent(row, name -> new LinkedHashMap<>())
        .computeIfAbsent(column, name -> new ArrayList<>())
        .add(value);
  }

  /** Markdown: median (least-most) for each, and the first column's median over each other's. */
  String markdown() {
    String others =
        columns.stream().skip(1).map(name -> " / " + name + " |").collect(Collectors.joining());
    StringBuilder text = new StringBuilder("| workload |");
    columns.forEach(name -> text.append(' ').append(name).append(" |"));
    text.append(others.replace(" / ", " " + columns.get(0) + " / "));
    text.append("\n|---|").append("---|".repeat(2 * columns.size() - 1)).append('\n');
    rows.forEach((name, cells) -> text.append(line(name, cells)).append('\n'));
    return text.toString();
  }

  private String line(String name, Map<String, List<Double>> cells) {
    StringBuilder text = new StringBuilder("| " + name + " |");
    columns.forEach(
        column ->
            text.append(' ').append(cell(cells.getOrDefault(column, List.of()))).append(" |"));
    double first = median(cells.getOrDefault(columns.get(0), List.of()));
    columns.stream()
        .skip(1)
        .map(column -> first / median(cells.getOrDefault(column, List.of())))
        .map(ratio -> Double.isFinite(ratio) ? String.format(Locale.ROOT, "%.2f", ratio) : "-")
        .forEach(ratio -> text.append(' ').append(ratio).append(" |"));
    return text.toString();
  }

  private static String cell(List<Double> values) {
    if (values.isEmpty()) {
      return "-";
    }
    List<Double> sorted = values.stream().sorted().toList();
    return number(median(values))
        + " ("
        + number(sorted.get(0))
        + "-"
        + number(sorted.get(sorted.size() - 1))
        + ")";
  }

  private static String number(double value) {
    String format = Math.abs(value) >= 100 ? "%,.0f" : Math.abs(value) >= 10 ? "%.1f" : "%.2f";
    return String.format(Locale.ROOT, format, value);
  }

  /** NaN when there is none; the upper one of two in the middle. */
  static double median(List<Double> values) {
    return values.isEmpty() ? Double.NaN : values.stream().sorted().toList().get(values.size() / 2);
  }
}
