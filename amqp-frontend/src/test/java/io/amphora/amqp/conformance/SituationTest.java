package io.amphora.amqp.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.amphora.amqp.AmqpErrors;
import io.amphora.amqp.Situation;
import io.amphora.amqp.Situation.Scope;
import io.amphora.amqp.testkit.EngineRig;
import io.amphora.amqp.testkit.RawFrame;
import io.amphora.amqp.testkit.Wire;
import io.amphora.core.BrokerException;
import io.amphora.core.ErrorCode;
import io.amphora.core.partition.AppendResult;
import io.amphora.core.topology.TopicConfig;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.qpid.proton.amqp.Binary;
import org.apache.qpid.proton.amqp.DescribedType;
import org.apache.qpid.proton.amqp.UnsignedInteger;
import org.apache.qpid.proton.amqp.UnsignedShort;
import org.junit.jupiter.api.Test;

/** The table of errors is complete, legal, and each of its rows can be met on the wire. */
class SituationTest {

  /** Where part 2 (2.8.15 to 2.8.18) and part 4 (4.5.8) have the conditions of each scope. */
  private static final Map<Scope, String> OF_SCOPE =
      Map.of(
          Scope.CONNECTION, "amqp:connection:",
          Scope.SESSION, "amqp:session:",
          Scope.LINK, "amqp:link:",
          Scope.DELIVERY, "amqp:transaction:");

  private static final Set<String> LEGAL =
      Set.of(
          "amqp:internal-error",
          "amqp:not-found",
          "amqp:unauthorized-access",
          "amqp:decode-error",
          "amqp:resource-limit-exceeded",
          "amqp:not-allowed",
          "amqp:invalid-field",
          "amqp:not-implemented",
          "amqp:resource-locked",
          "amqp:precondition-failed",
          "amqp:resource-deleted",
          "amqp:illegal-state",
          "amqp:frame-size-too-small",
          "amqp:connection:forced",
          "amqp:connection:framing-error",
          "amqp:connection:redirect",
          "amqp:session:window-violation",
          "amqp:session:errant-link",
          "amqp:session:handle-in-use",
          "amqp:session:unattached-handle",
          "amqp:link:detach-forced",
          "amqp:link:transfer-limit-exceeded",
          "amqp:link:message-size-exceeded",
          "amqp:link:redirect",
          "amqp:link:stolen",
          "amqp:transaction:unknown-id",
          "amqp:transaction:rollback",
          "amqp:transaction:timeout");

  /** Legal conditions that are never sent, and why. */
  private static final Map<String, String> NEVER =
      Map.of(
          "amqp:frame-size-too-small", "frames are split to any legal size",
          "amqp:session:errant-link", "what comes late for a link is dropped: clients race",
          "amqp:connection:redirect", "every node serves every address",
          "amqp:link:redirect", "every node serves every address",
          "amqp:transaction:rollback", "there are no transactions yet",
          "amqp:transaction:timeout", "there are no transactions yet");

  /** Rows that cannot be met, and why. */
  private static final Map<String, String> NOT_MET =
      Map.of("UNAUTHORIZED CONNECTION", "nobody is refused after SASL until there are rights");

  private static final int SENDER = 0;
  private static final int RECEIVER = 1;

  private static EngineRig rig() {
    EngineRig rig = new EngineRig(EngineRig.settings(true, 65536), false);
    rig.broker
        .withTopic("t", 1)
        .withTopic("small", TopicConfig.DEFAULT.withPartitions(1).withMaxMessageBytes(1024));
    return rig;
  }

  /** With a sender to {@code t} and a receiver from it. */
  private static EngineRig linked() {
    EngineRig rig = rig().opened();
    rig.send(
        Wire.sender(0, SENDER, "s", Wire.target("t")),
        Wire.receiver(0, RECEIVER, "r", Wire.source("t")),
        Wire.sender(0, 2, "any", Wire.list(0x29)));
    return rig;
  }

  @Test
  void shouldHaveOnlyLegalConditions() {
    for (Situation row : Situation.values()) {
      String condition = row.condition().toString();
      assertThat(LEGAL).as("%s", row).contains(condition);
      OF_SCOPE.forEach(
          (scope, prefix) -> {
            if (condition.startsWith(prefix)) {
              Set<Scope> allowed = EnumSet.of(scope);
              if (scope == Scope.LINK) {
                allowed.add(Scope.DELIVERY); // an error of a rejected delivery may be any
              }
              assertThat(allowed).as("%s", row).containsAll(row.scopes());
            }
          });
    }
  }

  @Test
  void shouldSayWhyTheOtherLegalConditionsAreNeverSent() {
    Set<String> sent =
        Arrays.stream(Situation.values())
            .map(row -> row.condition().toString())
            .collect(Collectors.toSet());
    assertThat(new TreeSet<>(NEVER.keySet())).doesNotContainAnyElementsOf(sent);
    Set<String> both = new TreeSet<>(sent);
    both.addAll(NEVER.keySet());
    assertThat(both).isEqualTo(new TreeSet<>(LEGAL));
  }

  @Test
  void shouldLetEveryRowBeMet() {
    Map<String, String> met = new TreeMap<>(NOT_MET);
    TRIGGERS.forEach((row, trigger) -> met.put(row, assertMet(row, trigger.apply(linked()))));
    for (ErrorCode code : ErrorCode.values()) {
      Situation row = AmqpErrors.situation(code);
      met.put(row + " LINK", assertMet(row + " LINK", detached(linked(), code)));
      if (row.scopes().contains(Scope.DELIVERY)) {
        met.put(row + " DELIVERY", assertMet(row + " DELIVERY", refused(linked(), code)));
      }
    }
    Set<String> all = new TreeSet<>();
    for (Situation row : Situation.values()) {
      row.scopes().forEach(scope -> all.add(row + " " + scope));
    }
    assertThat(met.keySet()).isEqualTo(all);
  }

  /** The core ends the receiver's membership. */
  private static List<RawFrame> detached(EngineRig rig, ErrorCode code) {
    rig.broker.group("t::$queue").detachAll(new BrokerException(code, "what a person can act on"));
    return rig.read();
  }

  /** The core refuses an append. */
  private static List<RawFrame> refused(EngineRig rig, ErrorCode code) {
    rig.broker.partition("t", 0).forced =
        Optional.of(
            new AppendResult.Refused(new BrokerException(code, "what a person can act on")));
    return rig.send(Wire.transfer(SENDER, 0L, Wire.message("x")));
  }

  private static final Map<Scope, Integer> FRAME =
      new EnumMap<>(
          Map.of(
              Scope.CONNECTION, RawFrame.CLOSE,
              Scope.SESSION, RawFrame.END,
              Scope.LINK, RawFrame.DETACH,
              Scope.DELIVERY, RawFrame.DISPOSITION));

  private static String assertMet(String row, List<RawFrame> frames) {
    Situation situation = Situation.valueOf(row.split(" ")[0]);
    Scope scope = Scope.valueOf(row.split(" ")[1]);
    RawFrame frame =
        frames.stream().filter(f -> f.code() == FRAME.get(scope)).findFirst().orElse(null);
    assertThat(frame).as("%s in %s", row, frames).isNotNull();
    List<?> error = error(scope, frame);
    assertThat(error.get(0)).as(row).hasToString(situation.condition().toString());
    String description = String.valueOf(error.get(1));
    assertThat(description).as("%s: a sentence", row).hasSizeGreaterThan(15).contains(" ");
    assertThat(description).as(row).doesNotContain("Exception", "null");
    if (scope == Scope.LINK) {
      assertThat(frame.get(1)).as("%s: closed", row).isEqualTo(true);
    }
    return description;
  }

  private static List<?> error(Scope scope, RawFrame frame) {
    Object holder =
        switch (scope) {
          case CONNECTION, SESSION -> frame.get(0);
          case LINK -> frame.get(2);
          case DELIVERY -> ((List<?>) ((DescribedType) frame.get(4)).getDescribed()).get(0);
        };
    return (List<?>) ((DescribedType) holder).getDescribed();
  }

  private static byte[] transfer(int handle, Object... fields) {
    Object[] all = new Object[fields.length + 1];
    all[0] = UnsignedInteger.valueOf(handle);
    System.arraycopy(fields, 0, all, 1, fields.length);
    return Wire.frame(0, 0, Wire.encode(Wire.list(RawFrame.TRANSFER, all)), Wire.message("x"));
  }

  private static byte[] to(String address) {
    return Wire.join(Wire.encode(Wire.list(0x73, null, null, address)), Wire.message("x"));
  }

  private static byte[][] many(int count, Function<Integer, byte[]> each) {
    byte[][] all = new byte[count][];
    Arrays.setAll(all, each::apply);
    return all;
  }

  private static List<RawFrame> narrow(int channelMax, int handleMax, byte[]... then) {
    EngineRig rig = rig();
    rig.send(
        Wire.AMQP,
        Wire.frame(
            0, RawFrame.OPEN, "c", null, Wire.u(512), UnsignedShort.valueOf((short) channelMax)),
        Wire.frame(0, RawFrame.BEGIN, null, Wire.u(0), Wire.u(9), Wire.u(9), Wire.u(handleMax)));
    return rig.send(then);
  }

  /** What leads to each row; the rows of the core's errors are met by those errors. */
  private static final Map<String, Function<EngineRig, List<RawFrame>>> TRIGGERS =
      Map.ofEntries(
          Map.entry("MALFORMED CONNECTION", rig -> rig.send(Wire.frame(0, 0x99, "what"))),
          Map.entry(
              "MALFORMED DELIVERY", rig -> rig.send(Wire.transfer(SENDER, 0L, new byte[] {1, 2}))),
          Map.entry("BEYOND_LIMITS CONNECTION", rig -> rig.send(Wire.begin(300))),
          Map.entry("ILLEGAL_STATE CONNECTION", rig -> rig().send(Wire.AMQP, Wire.begin(0))),
          Map.entry(
              "ILLEGAL_STATE SESSION",
              rig ->
                  rig.send(
                      Wire.transfer(SENDER, 0L, Wire.message("x"), false, true),
                      Wire.transfer(SENDER, 1L, Wire.message("x")))),
          Map.entry("NOT_ALLOWED CONNECTION", rig -> rig.send(Wire.open())),
          Map.entry(
              "NOT_ALLOWED SESSION",
              rig -> rig.send(Wire.transfer(RECEIVER, 0L, Wire.message("x")))),
          Map.entry("RESOURCE_LIMIT CONNECTION", rig -> narrow(0, 9, Wire.begin(1))),
          Map.entry(
              "RESOURCE_LIMIT SESSION",
              rig ->
                  narrow(
                      0,
                      0,
                      Wire.sender(0, 0, "a", Wire.target("t")),
                      Wire.sender(0, 1, "b", Wire.target("t")))),
          Map.entry("CONNECTION_FORCED CONNECTION", rig -> rig.advance(160_000_000_000L)),
          Map.entry(
              "INTERNAL CONNECTION",
              rig -> {
                rig.engine.run(
                    () -> {
                      throw new IllegalStateException("a fault of the broker, on purpose");
                    });
                rig.wake();
                return rig.read();
              }),
          Map.entry(
              "HANDLE_IN_USE SESSION", rig -> rig.send(Wire.sender(0, 0, "x", Wire.target("t")))),
          Map.entry("UNATTACHED_HANDLE SESSION", rig -> rig.send(Wire.detach(77, true))),
          Map.entry(
              "WINDOW_VIOLATION SESSION",
              rig ->
                  rig.send(many(8193, i -> Wire.transfer(SENDER, 0L, new byte[0], false, true)))),
          Map.entry(
              "INVALID_FIELD SESSION", rig -> rig.send(Wire.transfer(SENDER, null, new byte[0]))),
          Map.entry(
              "OVER_CREDIT LINK",
              rig ->
                  rig.send(
                      many(
                          300,
                          i -> Wire.transfer(SENDER, (long) i, Wire.message("x"), true, false)))),
          Map.entry(
              "MESSAGE_TOO_LARGE LINK",
              rig -> {
                rig.send(Wire.sender(0, 3, "small", Wire.target("small")));
                return rig.send(Wire.transfer(3, 0L, Wire.data(new byte[2000])));
              }),
          Map.entry("NOT_FOUND LINK", rig -> rig.send(Wire.sender(0, 3, "x", Wire.target("no")))),
          Map.entry("NOT_FOUND DELIVERY", rig -> rig.send(Wire.transfer(2, 0L, to("no")))),
          Map.entry(
              "INVALID_FIELD LINK", rig -> rig.send(Wire.sender(0, 3, "x", Wire.target("t::g")))),
          Map.entry(
              "PRECONDITION_FAILED DELIVERY",
              rig -> rig.send(Wire.transfer(2, 0L, Wire.message("without a to")))),
          Map.entry(
              "DELETED LINK",
              rig -> {
                rig.broker.remove("t");
                return rig.send(Wire.transfer(SENDER, 0L, Wire.message("x")));
              }),
          Map.entry(
              "STOLEN LINK",
              rig ->
                  rig.send(
                      Wire.begin(1),
                      Wire.attach(
                          1,
                          0,
                          "s",
                          false,
                          new Object[] {null, null, null, Wire.target("t"), Wire.u(0)}))),
          Map.entry(
              "UNKNOWN_TRANSACTION DELIVERY",
              rig ->
                  rig.send(
                      transfer(
                          SENDER,
                          Wire.u(0),
                          new Binary(new byte[1]),
                          Wire.u(0),
                          false,
                          false,
                          null,
                          Wire.list(0x34, new Binary(new byte[] {7}))))));
}
