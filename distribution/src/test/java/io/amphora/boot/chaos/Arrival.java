package io.amphora.boot.chaos;

import java.util.Date;
import org.apache.qpid.protonj2.client.Message;
import org.apache.qpid.protonj2.client.exceptions.ClientException;

/**
 * A message as it arrived.
 *
 * @param time when it was appended, ms since 1970
 */
record Arrival(int partition, long offset, long time, Payload payload) {

  /** Reads what the broker adds (docs/amqp.md section 4), and checks the body. */
  static Arrival of(Message<?> message) throws ClientException {
    return new Arrival(
        (Integer) message.annotation("x-opt-partition"),
        (Long) message.annotation("x-opt-sequence-number"),
        millis(message.annotation("x-opt-enqueued-time")),
        Payload.decode((byte[]) message.body()));
  }

  private static long millis(Object timestamp) {
    return timestamp instanceof Date date ? date.getTime() : (Long) timestamp;
  }

  SeenLog.Entry entry() {
    return new SeenLog.Entry(payload, time);
  }
}
