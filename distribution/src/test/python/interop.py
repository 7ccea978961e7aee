"""What a user of Proton Python expects of the broker. Run: interop.py URL NOT_CREATING_URL

Prints one line per check and exits 1 when one fails. The second URL is a broker with auto-create off.
"""

import sys
import time
import traceback
import uuid
from decimal import Decimal

from proton import (Array, Data, Delivery, Described, Endpoint, Message, UNDESCRIBED, byte, char, decimal64, int32, float32,
                    short, symbol, timestamp, ubyte, uint, ulong, ushort)
from proton.handlers import MessagingHandler
from proton.reactor import Container, Copy, Filter, LinkOption, Selector
from proton.utils import BlockingConnection, LinkDetached, SendException

URL = sys.argv[1]
NOT_CREATING_URL = sys.argv[2]
TIMEOUT = 20
CHECKS = []


def check(function):
    CHECKS.append(function)
    return function


def fresh(name):
    return "py-%s-%s" % (name, uuid.uuid4())


def connect(url=None):
    return BlockingConnection(url or URL, timeout=TIMEOUT)


def bare(message):
    """The encoded bare message: what must come back byte for byte."""
    copy = Message()
    copy.decode(message.encode())
    copy.annotations = None
    copy.instructions = None
    copy.durable = False
    copy.priority = 4
    copy.ttl = 0
    copy.first_acquirer = False
    copy.delivery_count = 0
    return copy.encode()


def equal(actual, expected):
    assert actual == expected, "expected %r, got %r" % (expected, actual)


@check
def sizes():
    with_connection = connect()
    address = fresh("sizes")
    sender = with_connection.create_sender(address)
    receiver = with_connection.create_receiver(address, credit=1)
    for size in (0, 1, 10, 255, 256, 1024, 65535, 65536, 100_000, 1 << 20):
        body = bytes((i * 31 + size) % 251 for i in range(size))
        sent = Message(body=body, inferred=True, id="m-%d" % size)
        sender.send(sent)
        got = receiver.receive()
        equal(bytes(got.body) if got.body is not None else b"", body)
        equal(bare(got), bare(sent))
        receiver.accept()
    with_connection.close()


@check
def body_kinds():
    c = connect()
    address = fresh("kinds")
    sender = c.create_sender(address)
    receiver = c.create_receiver(address, credit=10)
    bodies = [
        None, True, False, "text", "", "snow \u2603 \U0001f600 \u00e9", b"bytes", symbol("sym"), char("x"),
        ubyte(255), ushort(65535), uint(2 ** 32 - 1), ulong(2 ** 64 - 1), byte(-128), short(-1), int32(-2 ** 31),
        -2 ** 63, 1.5, float32(0.25), timestamp(1234567890123), uuid.uuid4(), decimal64(12345),
        [1, "two", None, [3]], {"a": 1, "b": {"c": [True]}},
        Array(UNDESCRIBED, Data.INT, 1, 2, 3),
    ]
    for body in bodies:
        sent = Message(body=body, id=ulong(7))
        sender.send(sent)
        got = receiver.receive()
        equal(got.body, body)
        equal(bare(got), bare(sent))
        receiver.accept()
    for body in (b"data section", [1, "sequence", {"x": None}]):
        sent = Message(body=body, inferred=True)
        sender.send(sent)
        got = receiver.receive()
        equal(bare(got), bare(sent))
        receiver.accept()
    c.close()


@check
def properties_byte_for_byte():
    c = connect()
    address = fresh("props-\u00fc")
    sender = c.create_sender(address)
    receiver = c.create_receiver(address, credit=1)
    for message_id in ("id-\u2603", uuid.uuid4(), ulong(2 ** 63), b"\x00\xff"):
        sent = Message(
            body="b", id=message_id, correlation_id=message_id, subject="s\u00e9", reply_to="r/\u4e2d",
            user_id=b"u\x00", content_type=symbol("text/plain"), content_encoding=symbol("x"),
            expiry_time=4102444800.0, creation_time=1.5, group_id="g\u00df", group_sequence=4294967295,
            reply_to_group_id="rg", address="to-\U0001f600",
            properties={"k\u00fc": "v\u2603", "int": int32(-1), "long": -5, "bool": True, "null": None,
                        "uuid": uuid.uuid4(), "ts": timestamp(1), "double": 2.5, "bytes": b"\x00\x01"},
            annotations={symbol("x-opt-mine"): "a\u00e9", symbol("x-opt-n"): 5})
        sender.send(sent)
        got = receiver.receive()
        equal(bare(got), bare(sent))
        equal(got.annotations[symbol("x-opt-mine")], "a\u00e9")
        equal(got.annotations[symbol("x-opt-n")], 5)
        receiver.accept()
    c.close()


@check
def broker_annotations():
    c = connect()
    address = fresh("annotations")
    sender = c.create_sender(address)
    sender.send(Message(body="x", annotations={symbol("x-opt-partition-key"): "k"}))
    receiver = c.create_receiver(address, credit=1)
    a = receiver.receive().annotations
    assert isinstance(a[symbol("x-opt-offset")], str), a
    equal(a[symbol("x-opt-offset")], str(int(a[symbol("x-opt-sequence-number")])))
    assert isinstance(a[symbol("x-opt-enqueued-time")], timestamp), a
    equal(a[symbol("x-opt-partition-key")], "k")
    receiver.accept()
    c.close()


@check
def header_survives():
    c = connect()
    address = fresh("header")
    c.create_sender(address).send(Message(body="x", durable=True, priority=9, ttl=3000000.0))
    receiver = c.create_receiver(address, credit=1)
    got = receiver.receive()
    equal((got.durable, got.priority, got.delivery_count), (True, 9, 0))
    assert 2000000 < got.ttl <= 3000000, got.ttl
    receiver.accept()
    c.close()


@check
def credit_one_keeps_order():
    c = connect()
    address = fresh("credit1")
    sender = c.create_sender(address)
    for i in range(50):
        sender.send(Message(body=i))
    receiver = c.create_receiver(address, credit=1)
    for i in range(50):
        equal(receiver.receive().body, i)
        receiver.accept()
    c.close()


@check
def release_returns_uncounted():
    c = connect()
    address = fresh("release")
    c.create_sender(address).send(Message(body="again"))
    receiver = c.create_receiver(address, credit=1)
    for _ in range(20):
        got = receiver.receive()
        equal((got.body, got.delivery_count), ("again", 0))
        receiver.release(delivered=False)
    equal(receiver.receive().body, "again")
    receiver.accept()
    c.close()


@check
def modify_counts():
    c = connect()
    address = fresh("modify")
    c.create_sender(address).send(Message(body="again"))
    receiver = c.create_receiver(address, credit=1)
    for attempt in range(5):
        got = receiver.receive()
        equal((got.body, got.delivery_count), ("again", attempt))
        receiver.fetcher.unsettled[0].local.failed = True
        receiver.release(delivered=True)
    equal(receiver.receive().delivery_count, 5)
    receiver.accept()
    c.close()


@check
def reject_does_not_come_back():
    c = connect()
    address = fresh("reject")
    sender = c.create_sender(address)
    sender.send(Message(body="bad"))
    sender.send(Message(body="good"))
    receiver = c.create_receiver(address, credit=1)
    equal(receiver.receive().body, "bad")
    receiver.reject()
    equal(receiver.receive().body, "good")
    receiver.accept()
    c.close()


@check
def unsettled_comes_back_after_close():
    address = fresh("lost")
    c = connect()
    c.create_sender(address).send(Message(body="kept"))
    c.create_receiver(address, credit=1).receive()
    c.close()
    c = connect()
    receiver = c.create_receiver(address, credit=1)
    equal(receiver.receive().body, "kept")
    receiver.accept()
    c.close()


@check
def unknown_address_is_refused():
    c = connect(NOT_CREATING_URL)
    for create in (c.create_sender, c.create_receiver):
        try:
            create(fresh("unknown"))
        except LinkDetached as e:
            equal(e.condition, "amqp:not-found")
        else:
            raise AssertionError("the link was not refused")
    c.close()


@check
def groups_have_their_own_position():
    c = connect()
    address = fresh("groups")
    sender = c.create_sender(address)
    for i in range(10):
        sender.send(Message(body=i))
    for group in ("a-", "b-"):
        receiver = c.create_receiver(address + "::" + group + address, credit=10)
        for i in range(10):
            equal(receiver.receive().body, i)
            receiver.accept()
        receiver.close()
    c.close()


def read(connection, address, count, option):
    receiver = connection.create_receiver(address, credit=100, options=option)
    bodies = []
    for _ in range(count):
        bodies.append(receiver.receive().body)
        receiver.accept()
    receiver.close()
    return bodies


def stream_offset(value):
    return Filter({symbol("rabbitmq:stream-offset-spec"):
                   Described(symbol("rabbitmq:stream-offset-spec"), value)})


@check
def readers_start_where_their_filter_says():
    c = connect()
    address = fresh("readers")
    sender = c.create_sender(address)
    for i in range(10):
        sender.send(Message(body=i))
    first = c.create_receiver(address, credit=1, options=stream_offset("first"))
    got = first.receive()
    base = got.annotations[symbol("x-opt-sequence-number")]
    equal(got.body, 0)
    first.accept()
    first.close()
    equal(read(c, address, 10, stream_offset("first")), list(range(10)))
    equal(read(c, address, 1, stream_offset("last")), [9])
    equal(read(c, address, 4, stream_offset(ulong(base + 6))), [6, 7, 8, 9])
    equal(read(c, address, 10, stream_offset(timestamp(1))), list(range(10)))
    after = Selector("amqp.annotation.x-opt-offset > '%d'" % (base + 7))
    equal(read(c, address, 2, after), [8, 9])
    code = Filter({symbol("start"): Described(ulong(0x137000000A), "amqp.annotation.x-opt-offset > -1")})
    equal(read(c, "/" + address + "/ConsumerGroups/$Default/Partitions/0", 10, code), list(range(10)))
    ours = Filter({symbol("s"): Described(symbol("amphora:start"), base + 9)})
    equal(read(c, address + "/Partitions/0", 1, ours), [9])
    receiver = c.create_receiver(address, credit=100, options=stream_offset("next"))
    equal(list(filters_of(receiver)), [symbol("rabbitmq:stream-offset-spec")])
    sender.send(Message(body="new"))
    equal(receiver.receive().body, "new")
    receiver.accept()
    receiver.close()
    queue = c.create_receiver(address, credit=100)
    for i in list(range(10)) + ["new"]:
        equal(queue.receive().body, i)
        queue.accept()
    c.close()


@check
def selectors_share_a_queue():
    c = connect()
    address = fresh("selectors")
    sender = c.create_sender(address)
    for i in range(6):
        sender.send(Message(body=i, properties={"odd": i % 2 == 1, "n": i}))
    odd = c.create_receiver(address, credit=10, options=Selector("odd AND n < 5"))
    equal(list(filters_of(odd)), [symbol("selector")])
    for i in [1, 3]:
        equal(odd.receive().body, i)
        odd.accept()
    odd.close()
    rest = c.create_receiver(address, credit=10)
    for i in [0, 2, 4, 5]:
        equal(rest.receive().body, i)
        rest.accept()
    c.close()


def filters_of(receiver):
    data = receiver.link.remote_source.filter
    data.rewind()
    data.next()
    return data.get_dict()


@check
def malformed_starts_are_refused():
    c = connect()
    try:
        c.create_receiver(fresh("malformed"), options=Selector("amqp.annotation.x-opt-offset < 1"))
    except LinkDetached as e:
        equal(e.condition, "amqp:invalid-field")
    else:
        raise AssertionError("the link was not refused")
    c.close()


@check
def browsing_takes_nothing():
    c = connect()
    address = fresh("browse")
    sender = c.create_sender(address)
    for i in range(5):
        sender.send(Message(body=i))
    queue = c.create_receiver(address, credit=1)
    equal(queue.receive().body, 0)
    queue.accept()
    queue.close()
    for _ in range(2):
        browser = c.create_receiver(address, credit=100, options=Copy())
        equal([browser.receive().body for _ in range(4)], [1, 2, 3, 4])
        browser.close()
    equal(read(c, address, 4, None), [1, 2, 3, 4])
    c.close()


@check
def dynamic_nodes_carry_answers():
    c = connect()
    address = fresh("requests")
    replies = c.create_receiver(None, credit=1, dynamic=True)
    reply_to = replies.link.remote_source.address
    assert reply_to, "no address"
    c.create_sender(address).send(Message(body="question", reply_to=reply_to, id="q1"))
    other = connect()
    server = other.create_receiver(address, credit=1)
    request = server.receive()
    other.create_sender(request.reply_to).send(Message(body="answer", correlation_id=request.id))
    server.accept()
    answer = replies.receive()
    equal((answer.body, answer.correlation_id), ("answer", "q1"))
    replies.accept()
    c.close()
    assert becomes_unknown(other, reply_to), "the temporary topic is still there"
    other.close()


def becomes_unknown(connection, address):
    """The broker deletes after it has answered the detach."""
    deadline = time.time() + TIMEOUT
    while time.time() < deadline:
        try:
            connection.create_sender(address, name=fresh("late")).close()
        except LinkDetached as e:
            return e.condition == "amqp:not-found"
    return False


@check
def anonymous_sender():
    c = connect()
    sender = c.create_sender(None)
    addresses = [fresh("anonymous") for _ in range(3)]
    for address in addresses:
        sender.send(Message(body=address, address=address))
    for address in addresses:
        receiver = c.create_receiver(address, credit=1)
        equal(receiver.receive().body, address)
        receiver.accept()
    c.close()


@check
def many_links_on_one_connection():
    c = connect()
    address = fresh("links")
    receivers = [c.create_receiver("%s::group-%d" % (address, i), credit=1) for i in range(20)]
    sender = c.create_sender(address)
    for i in range(5):
        sender.send(Message(body=i))
    for receiver in receivers:
        for i in range(5):
            equal(receiver.receive().body, i)
            receiver.accept()
    c.close()


@check
def expired_messages_are_passed_over():
    c = connect()
    address = fresh("expired")
    sender = c.create_sender(address)
    for i in range(20):
        sender.send(Message(body=i, ttl=0.001))
    sender.send(Message(body="alive", ttl=3000000.0))
    time.sleep(0.05)
    receiver = c.create_receiver(address, credit=5)
    got = receiver.receive()
    equal(got.body, "alive")
    assert 2999000.0 < got.ttl <= 3000000.0, got.ttl
    receiver.accept()
    c.close()


@check
def partition_keys_keep_order():
    c = connect()
    address = fresh("keys")
    sender = c.create_sender(address)
    for i in range(30):
        sender.send(Message(body=i, annotations={symbol("x-opt-partition-key"): "k%d" % (i % 3)}))
    receiver = c.create_receiver(address, credit=30)
    seen = {}
    for _ in range(30):
        got = receiver.receive()
        seen.setdefault(got.annotations[symbol("x-opt-partition-key")], []).append(got.body)
        receiver.accept()
    for k in range(3):
        equal(seen["k%d" % k], [i for i in range(30) if i % 3 == k])
    c.close()


class Drain(MessagingHandler):
    """Drains twice: with fewer messages than credit, then with none."""

    def __init__(self, address):
        super().__init__(prefetch=0, auto_accept=True)
        self.address = address
        self.bodies = []
        self.drains = 0
        self.draining = False

    def on_start(self, event):
        connection = event.container.connect(URL, reconnect=False)
        self.sender = event.container.create_sender(connection, self.address)
        self.sent = False
        self.accepted = 0
        self.timer = event.container.schedule(TIMEOUT, self)

    def on_timer_task(self, event):
        raise AssertionError("drain was not answered: %r" % self.bodies)

    def on_sendable(self, event):
        if not self.sent:
            self.sent = True
            for i in range(3):
                self.sender.send(Message(body=i))

    def on_accepted(self, event):
        self.accepted += 1
        if self.accepted == 3:
            self.receiver = event.container.create_receiver(event.connection, self.address)

    def on_link_opened(self, event):
        if event.link.is_receiver:
            self.draining = True
            event.link.drain(10)

    def on_message(self, event):
        self.bodies.append(event.message.body)

    def on_link_flow(self, event):
        link = event.link
        if link.is_receiver and self.draining and link.credit == 0:
            self.drains += 1
            if self.drains == 1:
                link.drain(5)
            else:
                self.draining = False
                self.timer.cancel()
                event.connection.close()


@check
def drain_with_and_without_messages():
    handler = Drain(fresh("drain"))
    Container(handler).run()
    equal(handler.bodies, [0, 1, 2])
    equal(handler.drains, 2)


class Many(MessagingHandler):
    """Publishes and consumes more messages than a window holds."""

    def __init__(self, address, count):
        super().__init__(prefetch=100)
        self.address, self.count = address, count
        self.sent = self.confirmed = 0
        self.bodies = []

    def on_start(self, event):
        connection = event.container.connect(URL, reconnect=False)
        event.container.create_sender(connection, self.address)
        event.container.create_receiver(connection, self.address)

    def on_sendable(self, event):
        while event.sender.credit and self.sent < self.count:
            event.sender.send(Message(body=self.sent))
            self.sent += 1

    def on_accepted(self, event):
        self.confirmed += 1
        self.finish(event)

    def on_message(self, event):
        self.bodies.append(event.message.body)
        self.finish(event)

    def finish(self, event):
        if self.confirmed == self.count and len(self.bodies) == self.count:
            event.connection.close()


@check
def many_messages_in_order():
    handler = Many(fresh("many"), 20000)
    Container(handler).run()
    equal(handler.bodies, list(range(20000)))


class PreSettled(MessagingHandler):
    def __init__(self, address):
        super().__init__(prefetch=10)
        self.address = address
        self.bodies = []
        self.sent = False

    def on_start(self, event):
        from proton.reactor import AtMostOnce
        connection = event.container.connect(URL, reconnect=False)
        event.container.create_sender(connection, self.address, options=AtMostOnce())
        event.container.create_receiver(connection, self.address, options=AtMostOnce())

    def on_sendable(self, event):
        if not self.sent:
            self.sent = True
            for i in range(5):
                event.sender.send(Message(body=i))

    def on_message(self, event):
        self.bodies.append(event.message.body)
        if len(self.bodies) == 5:
            event.connection.close()


@check
def pre_settled_both_ways():
    handler = PreSettled(fresh("settled"))
    Container(handler).run()
    equal(handler.bodies, [0, 1, 2, 3, 4])


def main():
    failed = 0
    for function in CHECKS:
        try:
            function()
            print("ok   " + function.__name__, flush=True)
        except BaseException:
            failed += 1
            print("FAIL " + function.__name__, flush=True)
            traceback.print_exc(file=sys.stdout)
    print("%d passed, %d failed" % (len(CHECKS) - failed, failed))
    sys.exit(1 if failed else 0)


main()
