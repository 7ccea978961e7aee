package io.amphora.amqp.node;

import io.amphora.amqp.testkit.EngineRig;
import io.amphora.amqp.testkit.RawFrame;
import io.amphora.amqp.testkit.Wire;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.qpid.proton.Proton;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.UnsignedInteger;
import org.apache.qpid.proton.amqp.messaging.AmqpValue;
import org.apache.qpid.proton.amqp.messaging.ApplicationProperties;
import org.apache.qpid.proton.message.Message;

/** A client that asks nodes, on a connection without a socket. */
final class NodeRig {

  final EngineRig rig;
  private long nextId;

  NodeRig(EngineRig rig) {
    this.rig = rig;
    rig.send(Wire.SASL, Wire.saslInit("ANONYMOUS", new byte[0]));
    rig.opened();
  }

  static List<RawFrame> of(List<RawFrame> frames, int code) {
    return frames.stream().filter(f -> f.code() == code).toList();
  }

  /** Condition of the detach that refuses a link; empty when it is attached. */
  static String refusal(List<RawFrame> frames) {
    return of(frames, RawFrame.DETACH).stream().map(f -> f.condition(2)).findFirst().orElse("");
  }

  /** A receiver of answers with credit. */
  void answersTo(int handle, String node, String target) {
    Object[] more = {null, null, Wire.source(node), Wire.target(target), null};
    rig.send(Wire.attach(0, handle, "in" + handle, true, more));
    rig.send(Wire.flow(handle, 0L, 100, false, false));
  }

  void requestsTo(int handle, String node) {
    rig.send(Wire.sender(0, handle, "out" + handle, Wire.target(node)));
  }

  /** One link of a pair. */
  List<RawFrame> paired(int handle, boolean receiver, Object paired) {
    Map<Symbol, Object> properties = new HashMap<>();
    properties.put(Symbol.valueOf("paired"), paired);
    return rig.send(
        Wire.frame(
            0,
            RawFrame.ATTACH,
            "pair",
            Wire.u(handle),
            receiver,
            null,
            null,
            Wire.source("/management"),
            Wire.target("/management"),
            null,
            null,
            receiver ? null : Wire.u(0),
            null,
            null,
            null,
            properties));
  }

  static Message request(Object id, String replyTo, Map<String, Object> properties, Object body) {
    Message message = Proton.message();
    message.setMessageId(id);
    message.setReplyTo(replyTo);
    message.setApplicationProperties(new ApplicationProperties(properties));
    message.setBody(new AmqpValue(body));
    return message;
  }

  static byte[] encode(Message message) {
    byte[] bytes = new byte[1 << 16];
    int length = message.encode(bytes, 0, bytes.length);
    return java.util.Arrays.copyOf(bytes, length);
  }

  /** Sends a request and returns all that comes back. */
  List<RawFrame> ask(int handle, Message request) {
    return rig.send(Wire.transfer(handle, nextId++, encode(request)));
  }

  /** The answers among frames. */
  static List<Message> answers(List<RawFrame> frames) {
    return of(frames, RawFrame.TRANSFER).stream().map(NodeRig::decode).toList();
  }

  private static Message decode(RawFrame frame) {
    Message message = Proton.message();
    message.decode(frame.payload(), 0, frame.payload().length);
    return message;
  }

  /** Handle that a transfer came over. */
  static int handle(RawFrame transfer) {
    return ((UnsignedInteger) transfer.get(0)).intValue();
  }

  static Object property(Message message, String key) {
    return message.getApplicationProperties().getValue().get(key);
  }

  static Object body(Message message) {
    return ((AmqpValue) message.getBody()).getValue();
  }
}
