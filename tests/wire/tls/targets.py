"""targets.py - what speaks TLS here: skillromd, and the boards in QEMU. And a client that can stop at any byte."""
import json
import os
import pathlib
import re
import signal
import socket
import ssl
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(os.path.join(HERE, "..", "..", "boards", "net"))

from board import Board  # noqa: E402
from client.check import PATIENCE  # noqa: E402
from client.child import Server  # noqa: E402
from client.emulator import record_stack, symbols  # noqa: E402
from client.mcp import http_bytes, request  # noqa: E402
from client.programs import ROOT, SKILLROMD, pack, write  # noqa: E402

HTTPS_PORT = 443
FILE_URI = "skill://manual/assets/long.txt"
FILE_TEXT = "".join(f'line {i:05} "quoted" and \\ and a tab\t\n' for i in range(1600))  # 64 KB as JSON


def pack_image(folder):
    """An image with a file of 64 KB, small enough for a board."""
    skill = f"{folder}/device/skills/manual"
    write(f"{skill}/SKILL.md", "---\nname: manual\ndescription: A long manual. Use it in tests of TLS, and nowhere else.\n---\nNothing.\n")
    write(f"{skill}/assets/long.txt", FILE_TEXT)
    return pack(f"{folder}/device", f"{folder}/test.rom")


def read_file(id):
    return request(id, "resources/read", uri=FILE_URI)


class Program(Server):
    """skillromd, over HTTP and over HTTPS."""

    records = 16384  # bytes of one record that it takes

    def __init__(self, certs, image, *options, cert="device", key=None):
        self.certs = certs
        super().__init__(SKILLROMD, image, "--http", "127.0.0.1:0", "--https", "127.0.0.1:0", "--cert", certs.path(f"{cert}.pem"),
                         "--key", certs.path(key or f"{cert}.key"), *options)
        self.plain_port, self.port = self.ports

    def stop(self):
        """Ends it; whatever it had to complain about, sanitizers included."""
        before = len(self.said)
        self.signal(signal.SIGTERM)
        code = self.exit_code()
        said = "\n".join(self.said[before:])
        return said if code != 0 or "ERROR" in said else ""


class EmulatedBoard:
    """A firmware with TLS in QEMU."""

    records = 2048

    def __init__(self, build, certs, image, identity="identity.bin"):
        self.build, self.certs, self.elf = build, certs, ROOT / "build" / build / "program.elf"
        at = symbols(self.elf)["link_identity"]
        self.board = Board(build, str(self.elf), image, ports=(HTTPS_PORT,),
                           extra=["-device", f"loader,file={certs.path(identity)},addr={at:#x},force-raw=on"])
        self.port = self.board.ports[HTTPS_PORT]

    def stop(self):
        """Everything must be free that connections used."""
        leaks = self.board.wait_until_free(but={"TCP_PCB"})
        record_stack(self.build, self.elf, self.board.stop())
        return f"not freed: {leaks}" if leaks else ""


def context(certs, authority="ca"):
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    made.load_verify_locations(certs.path(f"{authority}.pem"))
    return made


class Peer:
    """A TLS client whose bytes can be seen, cut and altered before they leave."""

    def __init__(self, target, made=None, connect=True):
        self.incoming, self.outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self.tls = (made or context(target.certs)).wrap_bio(self.incoming, self.outgoing, server_hostname="localhost")
        self.socket = socket.create_connection(("127.0.0.1", target.port), timeout=PATIENCE) if connect else None
        self.got = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def step(self, action):
        """Does it as far as it gets: True when it is done, False when the server has to speak first."""
        try:
            action()
            return True
        except ssl.SSLWantReadError:
            return False

    def flight(self):
        """The bytes to send now."""
        return self.outgoing.read()

    def hear(self):
        """Takes in what the server says; False at its end."""
        data = self.socket.recv(65536)
        self.incoming.write(data)
        return data != b""

    def second_flight(self):
        """Sends the ClientHello, and returns what would have to follow the server's part."""
        self.step(self.tls.do_handshake)
        self.socket.sendall(self.flight())
        while True:
            if not self.hear():
                raise RuntimeError("the server hung up in the handshake")
            self.step(self.tls.do_handshake)
            bytes_ = self.flight()
            if bytes_:
                return bytes_

    def handshake(self, send=None):
        """All of it; `send` may cut the bytes into pieces."""
        send = send or self.socket.sendall
        while True:
            done = self.step(self.tls.do_handshake)
            send(self.flight())
            if done:
                return self
            if not self.hear():
                raise RuntimeError("the server hung up in the handshake")

    def record(self, plain):
        """The bytes as a record, for tests that alter it."""
        self.tls.write(plain)
        return self.flight()

    def exchange(self, message, extra="", send=None):
        (send or self.socket.sendall)(self.record(http_bytes(message, extra=extra)))
        return self.response()

    def plain(self):
        """Some bytes that the server said; b"" at a clean end, None when it hung up without close_notify."""
        while True:
            try:
                return self.tls.read(65536)
            except ssl.SSLWantReadError:
                if not self.hear():
                    return None
            except ssl.SSLZeroReturnError:
                return b""

    def until(self, found):
        while not found(self.got):
            more = self.plain()
            if not more:
                raise RuntimeError(f"the response ends early: {self.got[-200:]!r}")
            self.got += more

    def response(self):
        """Status, and the body as JSON or text."""
        self.until(lambda got: b"\r\n\r\n" in got)
        head, _, self.got = self.got.partition(b"\r\n\r\n")
        length = int(re.search(rb"content-length: (\d+)", head, re.I)[1])
        self.until(lambda got: len(got) >= length)
        body, self.got = self.got[:length], self.got[length:]
        return int(head.split()[1]), json.loads(body) if b"application/json" in head else body.decode()

    def end(self):
        """What the server says until it hangs up: bytes as they come, and whether it reset the connection."""
        said = b""
        try:
            while True:
                data = self.socket.recv(65536)
                if not data:
                    return said
                said += data
        except ConnectionError:
            return said


def client_hello(target, made=None):
    """What a real client begins with."""
    peer = Peer(target, made, connect=False)
    peer.step(peer.tls.do_handshake)
    return peer.flight()
