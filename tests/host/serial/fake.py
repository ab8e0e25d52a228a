"""A device that says whatever a test wants, at the end of a line: plain lines, or frames with any identity."""

import json
import os
import select
import threading

from frames import BYE, FINAL, HELLO, POLL, READY, WELCOME, Decoder, encode


def compact(message):
    return json.dumps(message, separators=(",", ":")).encode()


class Fake:
    """`responses` maps methods to results, or to functions of the request that return lines to send: bytes or messages.
    `got` has every line that came as it came, `refused` those that were no JSON, `blank` counts empty ones."""

    def __init__(self, line, responses=None, spell=compact):
        self.responses, self.spell = {"ping": {}, **(responses or {})}, spell
        self.got, self.refused, self.blank = [], [], 0
        self.fd = os.open(line.device, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        self.stopping = False
        self.dead = False
        self.thread = threading.Thread(target=self.serve, daemon=True)
        self.thread.start()

    def __enter__(self):
        return self

    def __exit__(self, *why):
        self.stopping = True
        self.thread.join()
        os.close(self.fd)

    def serve(self):
        rest = b""
        while not self.stopping:
            if not select.select([self.fd], [], [], 0.05)[0]:
                continue
            data = os.read(self.fd, 4096)
            *lines, rest = (rest + (b"" if self.dead else self.take(data))).split(b"\n")
            for line in lines:
                self.on_line(line)

    def take(self, data):
        return data

    def write(self, data):
        while data:
            select.select([], [self.fd], [])
            data = data[os.write(self.fd, data) :]

    def send(self, message):
        self.write((message if isinstance(message, bytes) else self.spell(message)) + b"\n")

    def on_line(self, line):
        self.blank += line == b""
        if not line.startswith(b"{"):
            return
        self.got.append(line)
        try:
            message = json.loads(line)
        except ValueError:
            self.refused.append(line)
            self.send({"jsonrpc": "2.0", "error": {"code": -32700, "message": "Parse error"}})
            return
        response = self.responses.get(message.get("method", "reply"))
        if callable(response):
            for reply in response(message):
                self.send(reply)
        elif response is not None:
            self.send({"jsonrpc": "2.0", "id": message["id"], "result": response})
        elif "method" in message and "id" in message:
            self.send({"jsonrpc": "2.0", "id": message["id"], "error": {"code": -32601, "message": "Unknown"}})

    def calls(self, method):
        return [line for line in self.got if b'"' + method.encode() + b'"' in line]


class Framed(Fake):
    """The same in reliable mode, as port/uart/README.md has it, with `identity` in its welcome."""

    def __init__(self, line, identity, responses=None):
        self.identity, self.decoder, self.on = identity, Decoder(), False
        super().__init__(line, responses)

    def take(self, data):
        text = b""
        for ctl, number, _, payload in self.decoder.feed(data):
            if ctl & 3 == HELLO:
                self.on, self.expected, self.sent = True, 0, 0
                self.write(encode(WELCOME, number, 0, bytes([1, 64, 1, 0]) + self.identity))
            elif ctl & 3 == BYE:
                self.on = False
            elif not self.on:
                self.write(encode(BYE, 0, 0))
            else:
                if payload and number == self.expected:
                    text += payload
                    self.expected = (self.expected + len(payload)) & 0xFFFF
                if payload or ctl & POLL:
                    self.write(encode(READY | (FINAL if ctl & POLL else 0), self.sent, self.expected))
        plain, self.decoder.text = bytes(self.decoder.text), bytearray()
        return text if self.on else plain

    def send(self, message):
        if not self.on:
            return super().send(message)
        data = (message if isinstance(message, bytes) else self.spell(message)) + b"\n"
        while data:  # the line is a good one: nothing has to be sent again
            self.write(encode(READY, self.sent, self.expected, data[:60]))
            self.sent = (self.sent + len(data[:60])) & 0xFFFF
            data = data[60:]
