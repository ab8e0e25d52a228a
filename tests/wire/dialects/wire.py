"""wire.py - connections to a server, over stdio or HTTP, for requests of both eras.

Both kinds of connection take a request with send() and give the next response with receive(). A request of the modern
era carries its version in _meta; one of the legacy era counts on the handshake made when the connection was opened.
Both may go over one connection."""

from client import child
from client.check import check
from client.mcp import INITIALIZE, legacy, modern, numbered
from client.wire import HttpClient


class Connection:
    """What both wires have: the handshake, and one request after the other."""

    def open(self):
        self.number = 0
        self.initialized = self.exchange("initialize", INITIALIZE["params"], False)["result"]
        self.post({"jsonrpc": "2.0", "method": "notifications/initialized"})
        self.discovered = self.exchange("server/discover", {}, True)["result"]

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        """After a failure there may be responses that nobody fetched."""
        if kind is None:
            self.close()
        self.server.kill()

    def capabilities(self, is_modern):
        return (self.discovered if is_modern else self.initialized)["capabilities"]

    def send(self, method, params, is_modern):
        """Sends a request and returns its number."""
        self.number += 1
        self.post(numbered(self.number, (modern if is_modern else legacy)(method, **params)))
        return self.number

    def exchange(self, method, params, is_modern):
        number = self.send(method, params, is_modern)
        response = self.receive()
        check(response["id"] == number, method, "was answered with", response)
        return response


class Stdio(Connection):
    """Takes any number of requests before the first response is fetched."""

    def __init__(self, program, image, *options):
        self.server = child.Stdio(program, image, *options)
        self.post, self.receive = self.server.send, self.server.line
        self.open()

    def close(self):
        rest, status = self.server.rest(), self.server.exit_code()
        check(status == 0 and not rest, "at the end came", rest, "status", status)


class Http(Connection):
    """One connection that is kept open; the response is fetched with the request."""

    def __init__(self, program, image, *options):
        self.server = child.Server(program, image, "--http", "127.0.0.1:0", *options)
        self.client = HttpClient(self.server.ports[0])
        self.client.link.connect()
        self.client.link.auto_open = 0  # a connection that the server closes is a fault
        self.responses = []
        self.open()

    def post(self, message):
        _, response = self.client.post(message)
        if "id" in message:
            self.responses.append(response)

    def receive(self):
        return self.responses.pop(0)

    def close(self):
        self.client.close()
        self.server.signal()
        status = self.server.exit_code()
        check(status == 0, "the server ended with status", status)


WIRES = {"stdio": Stdio, "http": Http}
