"""The host's end of the reliable mode, written from port/uart/README.md alone and as simply as possible: one
frame at a time, everything that is not acknowledged is sent again. What this can talk to, others can."""

import struct
import time
import zlib

from client.check import PATIENCE

START, ESCAPE = 0x01, 0x10
HELLO, WELCOME, BYE = 1, 2, 3
READY, POLL, FINAL, AGAIN = 0x04, 0x08, 0x10, 0x20


def encode(ctl, number, ack, payload=b""):
    body = struct.pack("<BBHH", 0x40 | ctl, 0x20 + len(payload), number, ack) + payload
    body += struct.pack("<I", zlib.crc32(body))
    out = bytearray([START])
    for byte in body:
        out += bytes([ESCAPE, byte ^ 0x40]) if byte < 0x20 else bytes([byte])
    return bytes(out)


class Decoder:
    """Feed bytes; get (ctl, number, ack, payload) for frames. `text` gathers what stands between them."""

    def __init__(self):
        self.body = None
        self.escaped = False
        self.text = bytearray()

    def feed(self, data):
        frames = []
        for byte in data:
            if byte == START:
                self.body, self.escaped = bytearray(), False
            elif self.body is None:
                self.text.append(byte)
            elif byte == ESCAPE and not self.escaped:
                self.escaped = True
            elif byte < 0x20 and not self.escaped:
                self.body = None
                self.text.append(byte)
            else:
                self.body.append(byte ^ 0x40 if self.escaped else byte)
                self.escaped = False
                if len(self.body) >= 10 and len(self.body) == 10 + self.body[1] - 0x20:
                    if zlib.crc32(self.body[:-4]) == struct.unpack("<I", self.body[-4:])[0]:
                        ctl, _, number, ack = struct.unpack("<BBHH", self.body[:6])
                        frames.append((ctl & 0x3F, number, ack, bytes(self.body[6:-4])))
                    self.body = None
        return frames


class Host:
    """`write(bytes)` and `read()` (bytes, possibly none) are the line. Blocks while it works."""

    def __init__(self, write, read):
        self.write, self.read = write, read
        self.decoder = Decoder()
        self.nonce = 0
        self.received = bytearray()

    def wait(self, done):
        """Reads until done() or a short while has passed; True when done."""
        end = time.monotonic() + 0.3
        while not done() and time.monotonic() < end:
            for frame in self.decoder.feed(self.read()):
                self.on_frame(*frame)
        return done()

    def on_frame(self, ctl, number, ack, payload):
        if ctl & 3 == WELCOME and number == self.nonce:
            self.identity = payload[4:20]
            self.frame_max = payload[1]
            self.on = True
        if ctl & 3 == BYE:
            self.on = False
        if ctl & 3 != 0 or not self.on:
            return
        self.acked = ack
        self.ready = bool(ctl & READY)
        if payload:
            if number == self.expected:
                self.received += payload
                self.expected = (self.expected + len(payload)) & 0xFFFF
            self.write(encode(READY, self.sent, self.expected))
        elif ctl & POLL:
            self.write(encode(READY | FINAL, self.sent, self.expected))

    def hello(self):
        end = time.monotonic() + PATIENCE
        self.on = False
        while time.monotonic() < end:
            self.nonce += 1
            self.expected = self.sent = self.acked = 0
            self.ready = True
            self.write(b"\n" + encode(HELLO, self.nonce, 200))
            if self.wait(lambda: self.on):
                return
        raise TimeoutError("no welcome")

    def send(self, data):
        end = time.monotonic() + PATIENCE
        while data:
            piece = data[: self.frame_max // 2]
            then = (self.sent + len(piece)) & 0xFFFF
            while self.acked != then:
                if time.monotonic() > end or not self.on:
                    raise TimeoutError("not acknowledged")
                self.write(encode(READY | POLL, self.sent, self.expected, piece))
                self.wait(lambda: self.acked == then)
            self.sent = then
            data = data[len(piece) :]

    def line(self):
        end = time.monotonic() + PATIENCE
        while b"\n" not in self.received:
            if time.monotonic() > end or not self.on:
                raise TimeoutError("no answer")
            self.wait(lambda: b"\n" in self.received)
        line, _, rest = bytes(self.received).partition(b"\n")
        self.received = bytearray(rest)
        return line
