#!/usr/bin/python3
"""Writes or reads the messages of cases.json with Proton Python. Run by MatrixIT.

    matrix.py write HOST:PORT ADDRESS CASES
    matrix.py read HOST:PORT ADDRESS COUNT     prints each message as a case, one a line
"""
import hashlib
import json
import struct
import sys
import uuid

from proton import (Array, Data, Message, UNDESCRIBED, byte, char, decimal32, decimal64, decimal128, float32, int32,
                    short, symbol, timestamp, ubyte, uint, ulong, ushort)
from proton.utils import BlockingConnection

TIMEOUT = 60
ME = "python"
BROKERS = ("x-opt-offset", "x-opt-sequence-number", "x-opt-enqueued-time", "x-opt-partition", "x-opt-partition-key")

# name, from JSON, class, to JSON
SCALARS = [
    ("boolean", bool, bool, bool),
    ("ubyte", ubyte, ubyte, int), ("ushort", ushort, ushort, int), ("uint", uint, uint, int),
    ("ulong", lambda v: ulong(int(v)), ulong, lambda v: str(int(v))),
    ("byte", byte, byte, int), ("short", short, short, int), ("int", int32, int32, int),
    ("float", lambda v: float32(struct.unpack(">f", bytes.fromhex(v))[0]), float32, lambda v: struct.pack(">f", v).hex()),
    ("double", lambda v: struct.unpack(">d", bytes.fromhex(v))[0], float, lambda v: struct.pack(">d", v).hex()),
    ("decimal32", lambda v: decimal32(int(v, 16)), decimal32, lambda v: "%08x" % int(v)),
    ("decimal64", lambda v: decimal64(int(v, 16)), decimal64, lambda v: "%016x" % int(v)),
    ("decimal128", lambda v: decimal128(bytes.fromhex(v)), decimal128, lambda v: bytes(v).hex()),
    ("char", lambda v: char(chr(v)), char, ord),
    ("timestamp", lambda v: timestamp(int(v)), timestamp, lambda v: str(int(v))),
    ("uuid", uuid.UUID, uuid.UUID, str),
    ("symbol", symbol, symbol, str), ("string", str, str, str),
    ("binary", bytes.fromhex, bytes, lambda v: v.hex()),
    ("long", int, int, lambda v: str(int(v))),
]
ARRAYS = {"int": Data.INT, "symbol": Data.SYMBOL}


def build(typed):
    name = typed[0]
    if name == "null":
        return None
    if name == "list":
        return [build(v) for v in typed[1]]
    if name == "map":
        return {build(k): build(v) for k, v in typed[1]}
    if name == "array":
        wrap = symbol if typed[1] == "symbol" else int
        return Array(UNDESCRIBED, ARRAYS[typed[1]], *[wrap(v) for v in typed[2]])
    return next(make for n, make, _, _ in SCALARS if n == name)(typed[1])


def show(value):
    if value is None:
        return ["null"]
    if isinstance(value, memoryview):
        value = bytes(value)
    if isinstance(value, Array):
        name = next(n for n, t in ARRAYS.items() if t == value.type)
        return ["array", name, [str(v) if name == "symbol" else int(v) for v in value.elements]]
    if isinstance(value, list):
        return ["list", [show(v) for v in value]]
    if isinstance(value, dict):
        return ["map", [[show(k), show(v)] for k, v in value.items()]]
    for name, _, cls, out in SCALARS:
        if type(value) is cls:
            return [name, out(value)]
    raise TypeError("%r" % type(value))


def filler(size):
    return bytes((i * 31 + 7) % 251 for i in range(251)) * (size // 251) + bytes((i * 31 + 7) % 251 for i in range(size % 251))


def data(section):
    return section.hex() if len(section) < 300 else "%d %s" % (len(section), hashlib.sha256(section).hexdigest())


PROPERTIES = {"message-id": "id", "user-id": "user_id", "to": "address", "reply-to": "reply_to",
              "correlation-id": "correlation_id", "content-type": "content_type",
              "content-encoding": "content_encoding", "group-id": "group_id", "group-sequence": "group_sequence",
              "reply-to-group-id": "reply_to_group_id"}
TIMES = {"absolute-expiry-time": "expiry_time", "creation-time": "creation_time"}


def message(case):
    m = Message(subject=case["name"], durable=case.get("header", {}).get("durable", False))
    m.priority = case.get("header", {}).get("priority", 4)
    kind, *content = case["body"]
    m.inferred = kind in ("data", "size", "sequence")
    if kind == "size":
        m.body = filler(content[0])
    elif kind == "data":
        m.body = bytes.fromhex(content[0][0])
    elif kind == "none":
        m.body = None
    elif kind == "value":
        m.body = build(content[0])
    else:
        m.body = [build(v) for v in content[0][0]]
    for name, typed in case.get("properties", {}).items():
        if name in TIMES:
            setattr(m, TIMES[name], int(typed[1]) / 1000)
        else:
            setattr(m, PROPERTIES[name], build(typed))
    m.properties = {k: build(v) for k, v in case.get("application", {}).items()} or None
    m.annotations = {symbol(k): build(v) for k, v in case.get("annotations", {}).items()} or None
    return m


# What an absent field reads as.
DEFAULTS = (None, "", b"", 0)


def properties(m):
    shown = {}
    for name, attribute in PROPERTIES.items():
        value = getattr(m, attribute)
        if value in DEFAULTS or value == symbol(None):
            continue
        if name in ("content-type", "content-encoding"):
            value = symbol(value)
        if isinstance(value, int):
            # The client hands these out without their type.
            shown[name] = ["uint", int(value)] if name == "group-sequence" else ["ulong", str(int(value))]
        else:
            shown[name] = show(value)
    for name, attribute in TIMES.items():
        value = getattr(m, attribute)
        if value:
            shown[name] = ["timestamp", str(round(value * 1000))]
    return shown


def described(m):
    case = {"name": m.subject, "header": {"durable": m.durable, "priority": m.priority}, "properties": properties(m)}
    case["application"] = {k: show(v) for k, v in (m.properties or {}).items()}
    case["annotations"] = {str(k): show(v) for k, v in (m.annotations or {}).items() if str(k) not in BROKERS}
    body = bytes(m.body) if isinstance(m.body, memoryview) else m.body
    if m.inferred and isinstance(body, bytes):
        case["body"] = ["data", [data(body)]]
    elif m.inferred and isinstance(body, list):
        case["body"] = ["sequence", [[show(v) for v in body]]]
    else:
        case["body"] = ["value", show(body)]
    return case


def main():
    mode, url, address, argument = sys.argv[1:]
    connection = BlockingConnection(url, timeout=TIMEOUT)
    if mode == "write":
        sender = connection.create_sender(address)
        with open(argument) as f:
            for case in json.load(f):
                if not {ME, ME + ":write"} & set(case.get("skip", [])):
                    sender.send(message(case))
    else:
        receiver = connection.create_receiver(address, credit=10)
        for _ in range(int(argument)):
            print(json.dumps(described(receiver.receive())), flush=True)
            receiver.accept()
    connection.close()


main()
