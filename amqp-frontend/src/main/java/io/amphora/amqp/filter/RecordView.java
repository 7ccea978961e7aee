package io.amphora.amqp.filter;

import io.amphora.amqp.codec.MalformedMessageException;
import io.amphora.amqp.codec.StoredHeader;
import io.amphora.amqp.codec.StoredSections;
import io.amphora.core.filter.Candidate;
import io.amphora.plugin.MessageProperty;
import io.amphora.plugin.MessageView;
import io.amphora.wal.LogRecord;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** A record as plugins see it. Made for one call of one filter, on a partition loop. */
final class RecordView implements MessageView {

  /** Fields of the section come in the order of the enum. */
  private static final List<MessageProperty> ORDER = List.of(MessageProperty.values());

  /** Default of the header's priority (part 3, section 3.2.1). */
  private static final int PRIORITY = 4;

  private final Candidate candidate;
  private final LogRecord record;
  private final boolean opaque;
  private @Nullable StoredHeader header;
  private @Nullable StoredSections bare;
  private @Nullable StoredSections annotations;

  RecordView(Candidate candidate) {
    this.candidate = candidate;
    this.record = candidate.record();
    this.opaque = record.messageFormat() != 0;
  }

  @Override
  public long offset() {
    return record.offset();
  }

  @Override
  public long enqueuedMillis() {
    return record.timestamp();
  }

  @Override
  public int partition() {
    return candidate.partition();
  }

  @Override
  public Optional<byte[]> key() {
    if (!record.hasKey()) {
      return Optional.empty();
    }
    ByteBuffer key = record.key();
    byte[] bytes = new byte[key.remaining()];
    key.get(bytes);
    return Optional.of(bytes);
  }

  private StoredHeader header() {
    if (header == null) {
      header = StoredHeader.of(record);
    }
    return header;
  }

  @Override
  public boolean durable() {
    return header().durable();
  }

  @Override
  public int priority() {
    return header().priority() < 0 ? PRIORITY : header().priority();
  }

  @Override
  public OptionalLong ttlMillis() {
    long ttl = header().ttlMillis();
    return ttl < 0 ? OptionalLong.empty() : OptionalLong.of(ttl);
  }

  @Override
  public int deliveryCount() {
    return candidate.attempts();
  }

  @Override
  public @Nullable Object property(MessageProperty property) {
    try {
      return opaque ? null : bare().field(StoredSections.PROPERTIES, ORDER.indexOf(property));
    } catch (MalformedMessageException e) {
      throw unreadable(e);
    }
  }

  @Override
  public @Nullable Object applicationProperty(String name) {
    try {
      return opaque ? null : bare().entry(StoredSections.APPLICATION_PROPERTIES, name);
    } catch (MalformedMessageException e) {
      throw unreadable(e);
    }
  }

  @Override
  public @Nullable Object annotation(String name) {
    if (opaque) {
      return null;
    }
    if (annotations == null) {
      int start = record.annotationsStart();
      annotations = new StoredSections(record.array(), start, start + record.annotationsLength());
    }
    try {
      return annotations.entry(StoredSections.MESSAGE_ANNOTATIONS, name);
    } catch (MalformedMessageException e) {
      throw unreadable(e);
    }
  }

  private StoredSections bare() {
    if (bare == null) {
      byte[] front = candidate.front();
      bare =
          record.isWhole()
              ? new StoredSections(
                  record.array(), record.bodyStart(), record.bodyStart() + record.bodyLength())
              : new StoredSections(front, 0, front.length);
    }
    return bare;
  }

  /** Stored bytes were checked when they came, so most likely the front is too short. */
  private IllegalStateException unreadable(MalformedMessageException e) {
    return new IllegalStateException(
        record.isWhole()
            ? "stored properties are damaged"
            : "the properties of a large message end behind its first bytes",
        e);
  }

  @Override
  public boolean isSentBy(String containerId) {
    long mark = SenderMark.of(containerId);
    return mark != SenderMark.NONE && mark == record.batch().producerId();
  }
}
