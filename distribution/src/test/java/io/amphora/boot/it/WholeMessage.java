package io.amphora.boot.it;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.buffer.ProtonBufferAllocator;
import org.apache.qpid.protonj2.client.Delivery;
import org.apache.qpid.protonj2.client.Message;
import org.apache.qpid.protonj2.client.exceptions.ClientException;
import org.apache.qpid.protonj2.client.impl.ClientMessageSupport;

/**
 * A message of the protonj2 client, decoded from one piece. The client itself decodes from the
 * pieces in which the socket gave it, and fails with an {@code IndexOutOfBoundsException} when a
 * symbol of the annotations lies in neither the first nor the last of them ({@code
 * ProtonCompositeBufferImpl.copy} of 1.1.0 counts from the start of the whole).
 */
public final class WholeMessage {

  private WholeMessage() {}

  /** To be called once for a delivery, instead of its {@code message()}. */
  public static Message<?> of(Delivery delivery) throws ClientException {
    try (InputStream stream = delivery.rawInputStream()) {
      return of(stream.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Of an encoded message. */
  public static Message<?> of(byte[] encoded) throws ClientException {
    ProtonBuffer buffer = ProtonBufferAllocator.defaultAllocator().copy(encoded);
    return ClientMessageSupport.decodeMessage(buffer, ignored -> {});
  }
}
