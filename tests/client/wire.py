"""wire.py - clients on TCP: a socket that does as it is told, well or badly, and MCP over HTTP with sessions."""

import http.client
import json
import select
import socket
import struct

from client.check import PATIENCE, check
from client.mcp import (INITIALIZE, LEGACY, check_response, events, handshake, headers_of, http_bytes, line_bytes,
                        numbered, request)


class Client:
    """A socket, and what has come on it but was not yet asked for."""

    def __init__(self, port, receive_buffer=None, host="127.0.0.1", source=None):
        self.socket = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
        if source:
            self.socket.bind((source, 0))
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.settimeout(PATIENCE)
        self.socket.connect((host, port))
        self.buffer = b""

    def __enter__(self):
        return self

    def __exit__(self, *why):
        self.close()

    def close(self):
        self.socket.close()

    def vanish(self):
        """Closes with a reset instead of an orderly end."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.close()

    def send(self, data):
        self.socket.sendall(data)

    # ---- What comes ----

    def more(self, size=65536):
        data = self.socket.recv(size)
        check(data, f"closed after {self.buffer[:200]!r}")
        self.buffer += data

    def take(self, n):
        data, self.buffer = self.buffer[:n], self.buffer[n:]
        return data

    def take_until(self, end, size=65536):
        while end not in self.buffer:
            self.more(size)
        return self.take(self.buffer.index(end) + len(end))

    def line(self):
        return json.loads(self.take_until(b"\n"))

    def http(self, size=65536):
        """The next response: status, headers in lower case, body."""
        head = self.take_until(b"\r\n\r\n", size).decode().split("\r\n")
        headers = {k.lower(): v.strip() for k, v in (h.split(":", 1) for h in head[1:] if h)}
        if headers.get("transfer-encoding", "").lower() == "chunked":
            body = self.chunks(size)
        else:
            body = self.body(int(headers.get("content-length", 0)), size)
        return int(head[0].split()[1]), headers, body

    def body(self, length, size):
        parts = [self.take(length)]
        left = length - len(parts[0])
        while left > 0:
            parts.append(self.socket.recv(min(size, left)))
            check(parts[-1], f"closed with {left} bytes of the body to come")
            left -= len(parts[-1])
        return b"".join(parts)

    def chunks(self, size):
        parts = []
        while True:
            length = int(self.take_until(b"\r\n", size).split(b";")[0], 16)
            parts.append(self.body(length + 2, size)[:-2])
            if length == 0:
                return b"".join(parts)

    def is_readable(self):
        return bool(select.select([self.socket], [], [], 0)[0])

    def rest(self):
        """All bytes until the peer closes; None after a reset."""
        data = self.buffer
        try:
            while piece := self.socket.recv(65536):
                data += piece
        except ConnectionResetError:
            return None
        return data

    def check_closed(self):
        """Nothing more comes, and then the end: orderly or by reset."""
        data = self.rest()
        check(not data, f"{(data or b'')[:200]!r} instead of the end")

    def check_ends(self):
        """The end comes in order, not by a reset."""
        data = self.rest()
        check(data == b"", f"{(data or b'a reset')[:200]!r} instead of the end")

    # ---- Whole exchanges ----

    def exchange_line(self, message):
        self.send(line_bytes(message))
        response = self.line()
        check(response.get("id") == message["id"], f"to {message['id']}: {json.dumps(response)[:300]}")
        return response

    def exchange_http(self, message, session=None, size=65536):
        self.send(http_bytes(message, session=session))
        status, _, body = self.http(size)
        response = json.loads(body)
        check(response.get("id") == message["id"], f"status {status}: {body[:300]!r}")
        return response

    def discover(self, id):
        """server/discover, over HTTP."""
        self.send(http_bytes(request(id)))
        self.check_http(id)

    def check_http(self, id):
        status, _, body = self.http()
        check(status == 200, f"status {status}: {body[:200]!r}")
        check_response(json.loads(body), id)

    def new_session(self):
        self.send(http_bytes(numbered(0, INITIALIZE)))
        status, headers, body = self.http()
        check(status == 200, f"status {status}: {body[:200]!r}")
        return headers["mcp-session-id"]

    # ---- An HTTP connection that becomes a stream of events ----

    def open_stream(self, data):
        self.send(data)
        status, headers, _ = self.http()
        check(status == 200, f"status {status}")
        check(headers["content-type"] == "text/event-stream", f"{headers}")
        check("content-length" not in headers, "a stream has no length")
        return self

    def event(self):
        text = self.take_until(b"\n\n").decode()
        return self.event() if text.startswith(":") else json.loads(text.removeprefix("data: "))


class HttpClient:
    """A client that behaves: one connection, kept open, and its session."""

    def __init__(self, port):
        self.link = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        self.session, self.version, self.last = None, LEGACY, 0

    def open(self, message, headers=None):
        """The response, not read yet. A message without an id gets one, unless it is complete."""
        if "jsonrpc" not in message:
            self.last += 1
            message = numbered(self.last, message)
        own = headers_of(message, self.session)
        if "Mcp-Session-Id" in own:
            own["MCP-Protocol-Version"] = self.version
        self.link.request("POST", "/mcp", json.dumps(message).encode(), {**own, **(headers or {})})
        response = self.link.getresponse()
        self.session = response.getheader("Mcp-Session-Id", self.session)
        return response

    def post(self, message, headers=None):
        """The response, and the last message in it."""
        response = self.open(message, headers)
        body = response.read()
        if response.getheader("Content-Type", "").startswith("text/event-stream"):
            return response, [*events(body)][-1]
        is_json = response.getheader("Content-Type", "").startswith("application/json")
        return response, json.loads(body) if is_json and body else None

    def begin(self, version=LEGACY, **params):
        """The handshake; its result."""
        first = handshake(version)
        self.version = version
        _, response = self.post({**first, "params": {**first["params"], **params}})
        check(response["result"]["protocolVersion"] == version, f"{response}")
        return response["result"]

    def exchange(self, message):
        _, response = self.post(message)
        check(response["id"] == message.get("id", self.last), f"id {response['id']} instead of {self.last}")
        return response

    def close(self):
        self.link.close()
