#!/usr/bin/python3
"""Sends numbers, each until it is accepted, through a restart of the broker. Run by ReconnectIT.

    reconnect.py HOST:PORT ADDRESS COUNT
"""
import sys

from proton import Message
from proton.handlers import MessagingHandler
from proton.reactor import Container

URL, ADDRESS, COUNT = sys.argv[1], sys.argv[2], int(sys.argv[3])


class Sending(MessagingHandler):
    def __init__(self):
        super().__init__()
        self.next, self.waiting, self.restarted, self.sender = 0, False, False, None

    def on_start(self, event):
        connection = event.container.connect(URL)
        self.sender = event.container.create_sender(connection, ADDRESS)

    def send(self):
        if not self.waiting and self.sender.credit and (self.next < COUNT // 2 or self.restarted):
            self.waiting = True
            self.sender.send(Message(body=self.next))

    def on_sendable(self, event):
        self.send()

    def on_accepted(self, event):
        self.waiting = False
        self.next += 1
        if self.next == COUNT // 2:
            print("half", flush=True)
        if self.next == COUNT:
            event.connection.close()
        else:
            self.send()

    def on_disconnected(self, event):
        self.restarted, self.waiting = True, False


Container(Sending()).run()
