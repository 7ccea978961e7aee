package io.amphora.core.filter;

/**
 * Decides whether a member wants a record. Pure; called on the loops of several partitions at the
 * same time. One that throws does not match.
 */
@FunctionalInterface
public interface RecordFilter {

  /** True when the member wants it. */
  boolean matches(Candidate candidate);
}
