"""Sends or receives one large message with Proton Python. Run: large.py URL send|receive ADDRESS SIZE

Prints the SHA-256 of the body.
"""

import hashlib
import random
import sys

from proton import Message
from proton.utils import BlockingConnection

URL, WHAT, ADDRESS, SIZE = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
TIMEOUT = 300

connection = BlockingConnection(URL, timeout=TIMEOUT)
if WHAT == "send":
    body = random.Random(SIZE).randbytes(SIZE)
    connection.create_sender(ADDRESS).send(Message(body=body, inferred=True), timeout=TIMEOUT)
else:
    receiver = connection.create_receiver(ADDRESS, credit=1)
    body = bytes(receiver.receive(timeout=TIMEOUT).body)
    receiver.accept()
assert len(body) == SIZE, "%d bytes" % len(body)
print(hashlib.sha256(body).hexdigest())
connection.close()
