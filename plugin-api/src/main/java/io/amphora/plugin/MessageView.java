package io.amphora.plugin;

import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A stored message as filters see it: everything but its body. Decoded when it is asked for.
 * Confined to the calling thread, and valid only during the call that it was handed to.
 *
 * <p>AMQP values are these Java objects:
 *
 * <table>
 * <caption>Types</caption>
 * <tr><td>boolean</td><td>{@link Boolean}</td></tr>
 * <tr><td>all integers, signed or not</td><td>{@link Long}; {@link java.math.BigInteger} for a
 *     ulong above 2^63-1</td></tr>
 * <tr><td>float, double</td><td>{@link Double}</td></tr>
 * <tr><td>char, string, symbol</td><td>{@link String}</td></tr>
 * <tr><td>timestamp</td><td>{@link java.time.Instant}</td></tr>
 * <tr><td>uuid</td><td>{@link java.util.UUID}</td></tr>
 * <tr><td>binary</td><td>{@code byte[]}, not to be changed</td></tr>
 * <tr><td>list, array</td><td>{@link java.util.List}</td></tr>
 * <tr><td>map</td><td>{@link java.util.Map}</td></tr>
 * <tr><td>null, and what cannot be told here (decimals)</td><td>null</td></tr>
 * </table>
 *
 * A described value is the value without its descriptor. Messages of an AMQP format other than 0
 * are opaque: they have neither properties, annotations nor application properties.
 */
public interface MessageView {

  /** Offset in its partition, from 0. */
  long offset();

  /** When it was appended, milliseconds since 1970. */
  long enqueuedMillis();

  /** Number of its partition, from 0. */
  int partition();

  /** Key of the message, when it has one; bytes of a string. */
  Optional<byte[]> key();

  /** Header field durable; false when it was not sent. */
  boolean durable();

  /** Header field priority, 0 to 255; 4 when it was not sent. */
  int priority();

  /** Header field ttl as it was sent, milliseconds. */
  OptionalLong ttlMillis();

  /** Failed deliveries so far to the receiver's group. */
  int deliveryCount();

  /** A field of the properties; null when it was not sent. */
  @Nullable Object property(MessageProperty property);

  /** A message annotation; null when there is none of that name, or when it is null. */
  @Nullable Object annotation(String name);

  /** An application property; null when there is none of that name, or when it is null. */
  @Nullable Object applicationProperty(String name);

  /**
   * True when the message was sent over a connection with this container-id. False when that is not
   * known: the message is older than the broker version that keeps it, or came in a transaction.
   */
  boolean isSentBy(String containerId);
}
