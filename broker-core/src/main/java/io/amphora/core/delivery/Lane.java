package io.amphora.core.delivery;

import com.codahale.metrics.Meter;
import io.amphora.core.filter.Candidate;
import io.amphora.core.filter.MemberFilter;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The members of one dispatcher that want the same messages, and which of those that were passed
 * over they want. Owned by the partition loop.
 */
final class Lane {
  private static final Logger LOG = LoggerFactory.getLogger(Lane.class);

  private final MemberFilter wanted;
  private final Meter failures;

  /** Offsets of passed-over messages that match; not kept when everything does. */
  final TreeSet<Long> matching = new TreeSet<>();

  /** Passed-over messages in [scanFrom, scanEnd) were not looked at: they are older than this. */
  long scanFrom;

  long scanEnd;
  int members;

  private long lastOffset = -1;
  private int lastAttempts;
  private boolean lastAnswer;
  private boolean warned;

  Lane(MemberFilter wanted, Meter failures) {
    this.wanted = wanted;
    this.failures = failures;
  }

  boolean isAll() {
    return wanted.isAll();
  }

  /** Asks the filter, once per record that several members are offered. */
  boolean wants(Candidate candidate) {
    if (isAll()) {
      return true;
    }
    long offset = candidate.record().offset();
    if (offset != lastOffset || candidate.attempts() != lastAttempts) {
      lastAnswer = ask(candidate);
      lastOffset = offset;
      lastAttempts = candidate.attempts();
    }
    return lastAnswer;
  }

  private boolean ask(Candidate candidate) {
    try {
      return wanted.filter().matches(candidate);
    } catch (RuntimeException | StackOverflowError e) {
      failures.mark();
      if (!warned) {
        warned = true;
        LOG.warn(
            "filter {} failed at offset {}, which is not delivered; later failures are counted only",
            wanted.text(),
            candidate.record().offset(),
            e);
      }
      return false;
    }
  }

  /** Whether it has not looked at a passed-over message of this offset. */
  boolean isUnseen(long offset) {
    return !isAll() && offset >= scanFrom && offset < scanEnd;
  }

  /** It looked at everything below. */
  void seen(long offset, boolean matches) {
    scanFrom = offset + 1;
    if (matches) {
      matching.add(offset);
    }
  }
}
