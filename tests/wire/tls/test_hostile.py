"""Peers that mean ill, or cannot do better: each gets a defined end, and a neighbour is served meanwhile."""
import random
import socket
import ssl
import struct
import subprocess

from client.check import PATIENCE, Suite, check, until
from client.mcp import http_bytes, request
from targets import Peer, client_hello, context
from test_clients import check_served

suite = Suite()


class Neighbour:
    """A client that was there before, and goes on being served. Between requests its connection may give way to one of an
    earlier test that the emulator's network delivers late; then it connects again, as clients do."""

    def __init__(self, target):
        self.target, self.peer = target, Peer(target).handshake()
        self.count = 0
        self.check_served()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.peer.socket.close()

    def check_served(self):
        self.count += 1
        try:
            status, body = self.peer.exchange(request(self.count))
        except (OSError, RuntimeError):
            check(not self.peer.got, f"the neighbour's answer was cut off: {self.peer.got!r}")
            self.peer.socket.close()
            self.peer = Peer(self.target).handshake()
            status, body = self.peer.exchange(request(self.count))
        check(status == 200 and body["id"] == self.count, f"the neighbour got {status} {body}")


def end_of(target, data):
    """What the server says to these bytes, when nothing follows, until it hangs up."""
    with socket.create_connection(("127.0.0.1", target.port), timeout=PATIENCE) as line:
        line.sendall(data)
        line.shutdown(socket.SHUT_WR)
        said = b""
        try:
            while more := line.recv(65536):
                said += more
        except ConnectionError:
            pass
        return said


@suite
def clients_that_cannot_agree_get_an_alert(target):
    def versions(low, high):
        return lambda made: (made.set_ciphers("ALL:@SECLEVEL=0"), setattr(made, "minimum_version", low),
                             setattr(made, "maximum_version", high))

    def only(settle):
        return lambda made: (setattr(made, "maximum_version", ssl.TLSVersion.TLSv1_2), settle(made))

    version, failure = b"\x02\x46", b"\x02\x28"  # fatal, protocol_version and handshake_failure
    for what, settle, alert in [
        ("TLS 1.0", versions(ssl.TLSVersion.TLSv1, ssl.TLSVersion.TLSv1), version),
        ("TLS 1.1", versions(ssl.TLSVersion.TLSv1_1, ssl.TLSVersion.TLSv1_1), version),
        ("a suite we do not have", only(lambda made: made.set_ciphers("ECDHE-RSA-AES256-GCM-SHA384")), failure),
        ("a curve we do not have", only(lambda made: made.set_ecdh_curve("secp384r1")), failure),
    ]:
        made = context(target.certs)
        settle(made)
        said = end_of(target, client_hello(target, made))
        check(said == bytes([21, 3, 3, 0, 2]) + alert, f"{what} got {said.hex()}")
    made = context(target.certs)
    made.minimum_version = ssl.TLSVersion.TLSv1_3
    said = end_of(target, client_hello(target, made))
    check(len(said) == 7 and said[0] == 21 and said[5] == 2, f"TLS 1.3 alone got {said.hex()}")
    check_served(target)


@suite
def a_client_hello_cut_at_every_byte(target):
    hello = client_hello(target)
    with Neighbour(target) as neighbour:
        for n in range(1, len(hello)):
            said = end_of(target, hello[:n])
            check(said == b"", f"after {n} bytes it said {said[:40]!r}")
            if n % 50 == 0:
                neighbour.check_served()
        neighbour.check_served()


@suite
def the_second_flight_cut_at_every_byte(target):
    step = 1 if target.records > 4096 else 11  # a board takes its time to shake hands
    with Neighbour(target) as neighbour:
        n = 0
        while True:
            with Peer(target) as peer:
                flight = peer.second_flight()
                if n >= len(flight):
                    break
                peer.socket.sendall(flight[:n])
                peer.socket.shutdown(socket.SHUT_WR)
                said = peer.end()
                check(said == b"", f"after {n} bytes of {len(flight)} it said {said[:40]!r}")
            n += step
        neighbour.check_served()


@suite
def a_request_cut_within_its_record(target):
    with Neighbour(target) as neighbour:
        for n in (1, 4, 5, 6, 20, 100):
            with Peer(target) as peer:
                record = peer.handshake().record(http_bytes(request(1)))
                peer.socket.sendall(record[:n])
                peer.socket.shutdown(socket.SHUT_WR)
                check(peer.plain() in (b"", None), "half a record was answered")
        neighbour.check_served()


@suite
def altered_bytes_of_the_handshake(target):
    """Whatever bit is wrong, nobody gets through: the two ends would not agree about what was said."""
    dice = random.Random(1)
    hello = client_hello(target)
    with Neighbour(target) as neighbour:
        for _ in range(60):
            at = dice.randrange(len(hello))
            altered = bytearray(hello)
            altered[at] ^= 1 << dice.randrange(8)
            end_of(target, bytes(altered))
        for _ in range(6):
            with Peer(target) as peer:
                flight = bytearray(peer.second_flight())
                flight[dice.randrange(5, len(flight))] ^= 1 << dice.randrange(8)
                peer.socket.sendall(flight)
                peer.socket.shutdown(socket.SHUT_WR)
                said = peer.end()
                check(len(said) <= 7, f"it went on with {said[:60]!r}")
        neighbour.check_served()


@suite
def an_altered_record_ends_the_connection(target):
    with Neighbour(target) as neighbour:
        with Peer(target) as peer:
            record = bytearray(peer.handshake().record(http_bytes(request(1))))
            record[40] ^= 1
            peer.socket.sendall(record)
            check(not peer.plain(), "an altered request was answered")
        neighbour.check_served()


@suite
def a_record_that_comes_twice_ends_the_connection(target):
    with Peer(target) as peer:
        record = peer.handshake().record(http_bytes(request(1)))
        peer.socket.sendall(record)
        check(peer.response()[0] == 200, "the first was not answered")
        peer.socket.sendall(record)
        check(not peer.plain(), "the second was answered")
    check_served(target)


@suite
def random_records(target):
    dice = random.Random(2)
    with Neighbour(target) as neighbour:
        for i in range(120):
            kind = dice.choice((20, 21, 22, 22, 22, 23, 24, dice.randrange(256)))
            body = dice.randbytes(dice.choice((0, 1, 4, 40, 300, 2000)))
            head = bytes([kind, 3, dice.choice((0, 1, 3, 4))]) + len(body).to_bytes(2, "big")
            end_of(target, head + body)
            if i % 40 == 0:
                neighbour.check_served()
        neighbour.check_served()


@suite
def random_records_within_a_connection(target):
    dice = random.Random(3)
    with Neighbour(target) as neighbour:
        for kind in (20, 21, 22, 23, 24):
            with Peer(target) as peer:
                peer.handshake()
                body = dice.randbytes(60)
                peer.socket.sendall(bytes([kind, 3, 3]) + len(body).to_bytes(2, "big") + body)
                check(not peer.plain(), f"a record of type {kind} was answered")
        neighbour.check_served()


@suite
def no_renegotiation(target):
    """s_client asks for one at a line that is R. It is told no, which openssl takes for the end."""
    with Neighbour(target) as neighbour:
        done = subprocess.run(["openssl", "s_client", "-connect", f"127.0.0.1:{target.port}", "-tls1_2"], input="R\n",
                              capture_output=True, text=True, timeout=PATIENCE)
        check("RENEGOTIATING" in done.stdout + done.stderr, "s_client did not ask")
        check("no renegotiation" in done.stderr, done.stderr)
        neighbour.check_served()


@suite
def a_peer_that_hangs_up_without_close_notify(target):
    with Neighbour(target) as neighbour:
        for _ in range(3):
            with Peer(target) as peer:
                peer.handshake().exchange(request(1))
        neighbour.check_served()


@suite
def a_peer_that_resets(target):
    with Neighbour(target) as neighbour:
        for after in ("hello", "handshake", "request"):
            with Peer(target) as peer:
                if after == "hello":
                    peer.second_flight()
                else:
                    peer.handshake()
                if after == "request":
                    peer.socket.sendall(peer.record(http_bytes(request(1))))
                peer.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        neighbour.check_served()


@suite
def plain_http_is_told_to_use_https(target):
    said = end_of(target, b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
    check(said.startswith(b"HTTP/1.1 400 ") and said.endswith(b"use https\n"), f"it said {said!r}")
    head, _, body = said.partition(b"\r\n\r\n")
    check(f"Content-Length: {len(body)}\r\n".encode() in head + b"\r\n", "its length is wrong")
    check_served(target)


@suite
def half_open_connections_give_way(target):
    """More than there are slots: the next client still gets one."""
    silent = []
    try:
        for _ in range(6):
            silent.append(socket.create_connection(("127.0.0.1", target.port), timeout=PATIENCE))
        for _ in range(6):
            silent.append(socket.create_connection(("127.0.0.1", target.port), timeout=PATIENCE))
            silent[-1].sendall(client_hello(target)[:20])
        served_in_the_end(target)
    finally:
        for line in silent:
            line.close()
    served_in_the_end(target)


def served_in_the_end(target):
    """While everybody is still left in peace a newcomer may be told to come back; then it does."""

    def served():
        try:
            check_served(target)
            return True
        except (OSError, RuntimeError):  # hung up on, or an alert, internal_error
            return False

    until(served, "a newcomer is served")


@suite
def a_slow_handshake_is_ended_and_others_are_served(target):
    """A byte now and then, and never the last: for as long as the server lets it."""
    hello = client_hello(target)
    with socket.create_connection(("127.0.0.1", target.port), timeout=PATIENCE) as slow, Neighbour(target) as neighbour:
        slow.settimeout(0.05)
        for at in range(100000):
            neighbour.check_served()
            try:
                slow.sendall(hello[at:at + 1] if at < len(hello) - 1 else b"")
                check(slow.recv(100) == b"", "it said something to half a ClientHello")
                return
            except TimeoutError:
                continue
            except ConnectionError:
                return
    check(False, "it was never ended")


@suite
def a_record_that_is_too_long(target):
    """What a board has no room for gets 413. A PC has room for the longest there is; beyond that nobody knows TLS."""
    if target.records > 4096:
        with Peer(target) as peer:
            peer.handshake()
            peer.socket.sendall(b"\x17\x03\x03\xff\xff" + bytes(100))
            check(peer.response()[0] == 413, "no 413")
            check(peer.got == b"", f"its length is wrong: {peer.got} follows")
        return
    with Peer(target) as peer:
        peer.handshake()
        peer.socket.sendall(peer.record(http_bytes(request(1), extra="X-Long: " + "x" * 3000 + "\r\n")))
        status, text = peer.response()
        check(status == 413 and "TLS record" in text, f"{status} {text}")
        check(peer.got == b"", f"its length is wrong: {peer.got} follows")
        check(peer.plain() == b"", "no close_notify after it")
    check_served(target)
