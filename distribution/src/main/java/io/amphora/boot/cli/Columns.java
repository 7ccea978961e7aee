package io.amphora.boot.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Makes a table of JSON objects: one column a field, one row an object. */
final class Columns {

  private Columns() {}

  /** Rows with the field names in capitals above them; a field that is null or missing is "-". */
  static List<List<String>> table(String[] fields, List<JsonNode> objects) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(Arrays.stream(fields).map(Columns::heading).toList());
    for (JsonNode object : objects) {
      rows.add(Arrays.stream(fields).map(field -> cell(object.path(field))).toList());
    }
    return rows;
  }

  private static String heading(String field) {
    return field.replaceAll("([A-Z])", "-$1").toUpperCase(Locale.ROOT);
  }

  private static String cell(JsonNode value) {
    if (value.isArray()) {
      return Integer.toString(value.size());
    }
    return value.isNull() || value.isMissingNode() || value.asText().isEmpty()
        ? "-"
        : value.asText();
  }
}
