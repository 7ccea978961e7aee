"""What a user of Proton Python expects of TLS. Run: secure.py URL TRUSTED_CRT CLIENT_CRT CLIENT_KEY

The broker takes nobody without a user; bob has the password secret. Prints one line per check and
exits 1 when one fails.
"""

import sys

from proton import ConnectionException, Message, SSLDomain
from proton.utils import BlockingConnection

URL, TRUSTED, CERTIFICATE, KEY = sys.argv[1:]


def domain(certificate):
    tls = SSLDomain(SSLDomain.MODE_CLIENT)
    tls.set_trusted_ca_db(TRUSTED)
    tls.set_peer_authentication(SSLDomain.VERIFY_PEER)
    if certificate:
        tls.set_credentials(CERTIFICATE, KEY, None)
    return tls


def send_and_receive(certificate, **more):
    connection = BlockingConnection(URL, timeout=20, ssl_domain=domain(certificate), **more)
    address = "secure-python"
    receiver = connection.create_receiver(address)
    connection.create_sender(address).send(Message(body="over TLS"))
    message = receiver.receive(timeout=20)
    assert message.body == "over TLS", message.body
    receiver.accept()
    connection.close()


def by_certificate():
    send_and_receive(True)
    send_and_receive(True, allowed_mechs="EXTERNAL")


def by_password_without_a_certificate():
    send_and_receive(False, user="bob", password="secret")


def nobody_without_either():
    try:
        send_and_receive(False)
    except ConnectionException:
        return
    raise AssertionError("let in")


for check in (by_certificate, by_password_without_a_certificate, nobody_without_either):
    check()
    print("ok", check.__name__)
