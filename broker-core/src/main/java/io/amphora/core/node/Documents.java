package io.amphora.core.node;

import io.amphora.core.Loop;
import io.amphora.core.Reply;
import io.amphora.core.partition.WalErrors;
import io.amphora.wal.Wal;
import io.amphora.wal.WalResult;
import java.util.function.Consumer;
import java.util.function.Function;

/** Small documents of the data directory, answered as {@link Reply} on the control loop. */
record Documents(Wal wal, Loop control) {

  /** Name of the document that says whose directory this is. */
  static final String NODE = "node.json";

  /** Content, empty when there is none. */
  void read(String name, Consumer<Reply<byte[]>> done) {
    wal.readDocument(
        name, control, result -> done.accept(reply(result, name + " cannot be read", b -> b)));
  }

  /** Replaces it durably. */
  void write(String name, byte[] content, Consumer<Reply<String>> done) {
    wal.writeDocument(
        name,
        content,
        control,
        result -> done.accept(reply(result, name + " cannot be written", n -> n)));
  }

  /** The answer of the log as an answer of the core. */
  static <T, R> Reply<R> reply(WalResult<T> result, String what, Function<T, R> value) {
    return result instanceof WalResult.Ok<T> ok
        ? Reply.ok(value.apply(ok.value()))
        : new Reply.Failed<>(WalErrors.toBroker(what, ((WalResult.Failed<T>) result).error()));
  }
}
