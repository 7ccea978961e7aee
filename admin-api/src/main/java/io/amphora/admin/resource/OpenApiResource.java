package io.amphora.admin.resource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.amphora.admin.http.Answer;
import io.amphora.admin.http.RouteTable;
import io.vertx.core.Future;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;

/** The contract of the REST API (OpenAPI 3.1), for people's tools. */
public final class OpenApiResource {
  private final JsonNode document;

  public OpenApiResource() {
    this.document = document();
  }

  /** The document as it is packed with this module. */
  static JsonNode document() {
    try (InputStream yaml = OpenApiResource.class.getResourceAsStream("/openapi.yaml")) {
      return new YAMLMapper().readTree(Objects.requireNonNull(yaml, "openapi.yaml is packed"));
    } catch (IOException e) {
      throw new UncheckedIOException("openapi.yaml cannot be read", e);
    }
  }

  public void mount(RouteTable routes) {
    Answer answer = Answer.json(200, document);
    routes.get("/api/v1/openapi.json", request -> Future.succeededFuture(answer));
  }
}
