package io.amphora.boot.config;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads a YAML file into dotted names, each with the line it stands on. */
final class YamlSource {

  private final String name;
  private final JsonParser parser;
  private final List<RawSetting> settings = new ArrayList<>();

  private YamlSource(String name, JsonParser parser) {
    this.name = name;
    this.parser = parser;
  }

  /**
   * @return all values of the file, in its order
   * @throws ConfigException when it cannot be read or is no YAML
   */
  static List<RawSetting> read(Path file) throws ConfigException {
    String name = file.toString();
    try (JsonParser parser = new YAMLFactory().createParser(Files.readString(file))) {
      YamlSource source = new YamlSource(name, parser);
      source.document();
      return source.settings;
    } catch (JsonProcessingException e) {
      throw new ConfigException(
          List.of(name + ":" + line(e) + ": not YAML: " + firstLine(e.getOriginalMessage())));
    } catch (IOException e) {
      throw new ConfigException(
          List.of(name + ": cannot be read (" + e.getClass().getSimpleName() + ")"));
    }
  }

  private void document() throws IOException, ConfigException {
    JsonToken first = parser.nextToken();
    if (first == null || first == JsonToken.VALUE_NULL) {
      return;
    }
    if (first != JsonToken.START_OBJECT) {
      throw new ConfigException(List.of(here() + ": expected `key: value` lines"));
    }
    section("");
  }

  /** Reads up to the end of the object that the parser has just entered. */
  private void section(String prefix) throws IOException, ConfigException {
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String key = prefix + parser.currentName();
      String source = here();
      JsonToken value = parser.nextToken();
      if (value == JsonToken.START_OBJECT) {
        section(key + ".");
      } else if (value == JsonToken.START_ARRAY) {
        settings.add(new RawSetting(key, items(), source));
      } else if (value != JsonToken.VALUE_NULL || ConfigKeys.find(key).isPresent()) {
        settings.add(
            new RawSetting(key, value == JsonToken.VALUE_NULL ? "" : parser.getText(), source));
      }
    }
  }

  private String items() throws IOException, ConfigException {
    List<String> items = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      if (!parser.currentToken().isScalarValue()) {
        throw new ConfigException(List.of(here() + ": expected a list of plain values"));
      }
      items.add(parser.getText());
    }
    return String.join(",", items);
  }

  private String here() {
    return name + ":" + parser.currentTokenLocation().getLineNr();
  }

  private static int line(JsonProcessingException e) {
    return e.getLocation() == null ? 1 : e.getLocation().getLineNr();
  }

  private static String firstLine(String text) {
    return text.lines().findFirst().orElse("");
  }
}
