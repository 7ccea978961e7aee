package io.amphora.core.partition;

/** When an append is answered. */
public enum Acks {
  /** Not at all: pre-settled. */
  NONE,
  /** When it is durable on the leader. */
  LEADER,
  /** When the whole ISR has it: at the high watermark. */
  ALL
}
