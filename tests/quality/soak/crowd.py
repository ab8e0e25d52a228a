#!/usr/bin/env python3
"""crowd.py - clients as they also come: cut off, slow, silent, talking nonsense, leaving in the middle of everything

usage: crowd.py HTTP-PORT TCP-PORT SEED     0 for the second: there is none

A process of its own, so that those who behave are not slowed down by it. It does nothing until it is told "go" on its stdin; told
"rest", it closes whatever it has and says "resting"; at the end of its stdin it ends. What a client is told here is not judged: it only
does its worst. How often each kind has had its turn is printed at the end."""

import collections
import contextlib
import os
import random
import socket
import sys
import threading

sys.dont_write_bytecode = True
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))

from client.mcp import INITIALIZE, cancelled, get_bytes, http_bytes, line_bytes, numbered, request
from client.wire import Client

PAUSE = 0.02  # seconds between two turns of one client: they are to be annoying, not to take the machine from everybody
AT_ONCE = 2  # clients of each kind
counts, lock = collections.Counter(), threading.Lock()


class Crowd:
    def __init__(self, http, tcp, seed):
        self.http, self.tcp, self.seed = http, tcp, seed
        self.working = threading.Event()
        self.asleep = threading.Event()  # set when all of it is to end
        self.resting = threading.Semaphore(0)
        self.connections = set()

    def live(self, kind, number):
        dice = random.Random(f"{self.seed} {kind.__name__} {number}")
        while not self.asleep.is_set():
            if not self.working.wait(0.1):
                continue
            while self.working.is_set():
                try:
                    kind(self, dice)
                except (OSError, ValueError, KeyError, Exception) as error:  # whatever the server does with it is right
                    if isinstance(error, (NameError, TypeError, AttributeError)):
                        raise  # but for mistakes of our own
                with lock:
                    counts[kind.__name__] += 1
                self.asleep.wait(PAUSE)
            self.resting.release()

    def wait(self, dice, most):
        """Holds on, but not longer than the crowd works."""
        for _ in range(dice.randrange(1 + int(most / 0.05))):
            if not self.working.is_set():
                return
            self.asleep.wait(0.05)

    @contextlib.contextmanager
    def client(self, port=None, **more):
        with Client(port or self.http, **more) as client:
            client.socket.settimeout(2)
            self.connections.add(client.socket)
            try:
                yield client
            finally:
                self.connections.discard(client.socket)

    def rest(self):
        """Ends all waiting for answers."""
        self.working.clear()
        for connection in list(self.connections):
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)


def some_request(dice):
    return dice.choice([
        request(1, "resources/read", uri="skill://conformance-demo/SKILL.md"), request(2, "tools/list"), request(3, "skills/list"),
        request(4, "tools/call", name="slow_compute", arguments={"seconds": 1}), numbered(5, INITIALIZE),
        request(6, "tools/call", name="confirm_delete", arguments={}), request(7, "tools/call", name="test_tool_with_progress", arguments={})])


# ---- Kinds ----


def cut_off(crowd, dice):
    """Leaves in the middle of a request, or of its response, in order or with a reset."""
    data = http_bytes(some_request(dice))
    with crowd.client() as client:
        client.send(data[:dice.randrange(len(data) + 1)])
        if dice.random() < 0.3:
            client.socket.recv(dice.randrange(1, 400))
        if dice.random() < 0.5:
            client.vanish()


def slow_writer(crowd, dice):
    data = http_bytes(some_request(dice))
    with crowd.client() as client:
        for at in range(0, len(data), 40):
            client.send(data[at:at + 40])
            crowd.wait(dice, 0.2)
        client.http()


def slow_reader(crowd, dice):
    """Asks for more than fits, and hardly reads."""
    with crowd.client(receive_buffer=2048) as client:
        client.socket.settimeout(0.5)
        for _ in range(60):
            client.send(http_bytes(request(9, "tools/list")))
        for _ in range(dice.randrange(10)):
            client.socket.recv(100)
            crowd.wait(dice, 0.2)
        client.vanish()


def silent(crowd, dice):
    with crowd.client() as client:
        client.send(b"" if dice.random() < 0.5 else b"POST /mcp HT")
        crowd.wait(dice, 2)


def nonsense(crowd, dice):
    data = bytearray(http_bytes(some_request(dice)))
    for _ in range(dice.randrange(1, 6)):
        data[dice.randrange(len(data))] = dice.randrange(256)
    with crowd.client() as client:
        client.send(data if dice.random() < 0.7 else dice.randbytes(dice.randrange(1, 3000)))
        client.http()


def streams(crowd, dice):
    """Opens a stream, of a session or of changes, and leaves it somehow."""
    with crowd.client() as client:
        if dice.random() < 0.5:
            session = client.new_session()
            client.send(get_bytes(session))
        else:
            client.send(http_bytes(request(11, "subscriptions/listen", notifications={"toolsListChanged": True})))
        crowd.wait(dice, 1)
        if dice.random() < 0.5:
            client.vanish()


def sessions(crowd, dice):
    """A client of the initialize era that asks for something slow and goes, or cancels it."""
    with crowd.client() as client:
        session = client.new_session()
        slow = numbered(12, {"method": "tools/call", "params": {"name": "slow_compute", "arguments": {"seconds": 1}}})
        client.send(http_bytes(slow, session=session))
        if dice.random() < 0.5:
            with crowd.client() as other:
                other.send(http_bytes(cancelled(12), session=session))
                other.http()
        crowd.wait(dice, 0.3)


def lines(crowd, dice):
    """The same on raw TCP: batches of requests, cut off anywhere; what is not JSON."""
    if crowd.tcp == 0:
        cut_off(crowd, dice)
        return
    with crowd.client(crowd.tcp) as client:
        data = b"".join(line_bytes(some_request(dice)) for _ in range(dice.randrange(1, 20)))
        client.send(data[:dice.randrange(len(data) + 1)] if dice.random() < 0.8 else b"GET / HTTP/1.1\r\n\r\n")
        for _ in range(dice.randrange(3)):
            client.socket.recv(1000)
        if dice.random() < 0.5:
            client.vanish()


KINDS = [cut_off, slow_writer, slow_reader, silent, nonsense, streams, sessions, lines]


def main(http, tcp, seed):
    crowd = Crowd(int(http), int(tcp), seed)
    threads = [threading.Thread(target=crowd.live, args=(kind, number), daemon=True) for kind in KINDS for number in range(AT_ONCE)]
    socket.setdefaulttimeout(5)
    for thread in threads:
        thread.start()
    for word in map(str.strip, sys.stdin):
        if word == "go":
            crowd.working.set()
        else:
            crowd.rest()
            for _ in threads:
                crowd.resting.acquire()
            print("resting", flush=True)
    crowd.asleep.set()
    print(" ".join(f"{kind} {n}" for kind, n in sorted(counts.items())), flush=True)


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__.strip())
    main(*sys.argv[1:])
