package io.amphora.core.topology;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.amphora.core.BrokerException;
import io.amphora.core.ErrorCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/**
 * Whose data directory this is, and which controller term it has promised: one small JSON document.
 *
 * @param format version of the document's format
 * @param brokerId the broker that owns the directory
 * @param clusterId the cluster it belongs to, empty before the bootstrap is finished
 * @param promisedTerm highest controller term promised (safety rule 9)
 */
public record NodeIdentity(int format, String brokerId, String clusterId, long promisedTerm) {

  private static final int FORMAT = 1;

  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
          .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
          .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .build();

  /** An identity in the present format. */
  public static NodeIdentity of(String brokerId, String clusterId, long promisedTerm) {
    return new NodeIdentity(FORMAT, brokerId, clusterId, promisedTerm);
  }

  /** The document. */
  public byte[] encode() {
    try {
      return MAPPER.writeValueAsBytes(this);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Reads the document.
   *
   * @throws BrokerException {@code CORRUPT} when it is not a complete document of this format
   */
  public static NodeIdentity decode(byte[] document) {
    try {
      NodeIdentity identity = MAPPER.readValue(document, NodeIdentity.class);
      if (identity == null) { // the word null is JSON, too
        throw corrupt("is empty", null);
      }
      if (identity.format == FORMAT && !identity.brokerId.isEmpty() && identity.promisedTerm >= 0) {
        return identity;
      }
      throw corrupt(
          "has format %d, this version reads %d, or lacks the broker or the term"
              .formatted(identity.format, FORMAT),
          null);
    } catch (IOException | IllegalArgumentException e) {
      throw corrupt("cannot be read: " + e.getMessage(), e);
    }
  }

  private static BrokerException corrupt(String why, @Nullable Throwable e) {
    String message = "the node document " + why;
    return e == null
        ? new BrokerException(ErrorCode.CORRUPT, message)
        : new BrokerException(ErrorCode.CORRUPT, message, e);
  }
}
