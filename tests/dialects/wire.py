"""wire.py - connections to a server, over stdio or HTTP, for requests of both eras.

Both kinds of connection take a request with send() and give the next answer with receive(). A request of the modern
era carries its version in _meta; one of the legacy era counts on the handshake made when the connection was opened.
Both may go over one connection. Every wait ends when the server has said something or is gone; PATIENCE only bounds a
failure."""

import http.client
import json
import re
import subprocess
import threading

PATIENCE = 60
LEGACY, MODERN = "2025-11-25", "2026-07-28"
META = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientCapabilities": {},
}
NAMED_BY = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}


def request(number, method, params, modern):
    """The message; a legacy request without parameters has no params at all."""
    message = {"jsonrpc": "2.0", "id": number, "method": method}
    if modern:
        params = {**params, "_meta": {**META, **params.get("_meta", {})}}
    if params:
        message["params"] = params
    return message


class Connection:
    """What both wires have: the handshake, and one request after the other."""

    def open(self):
        self.number = 0
        hello = {"protocolVersion": LEGACY, "capabilities": {}, "clientInfo": {"name": "model", "version": "1"}}
        self.initialized = self.ask("initialize", hello, False)["result"]
        self.post({"jsonrpc": "2.0", "method": "notifications/initialized"})
        self.discovered = self.ask("server/discover", {}, True)["result"]

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        """After a failure there may be answers that nobody fetched."""
        self.close(quiet=kind is None)

    def capabilities(self, modern):
        return (self.discovered if modern else self.initialized)["capabilities"]

    def send(self, method, params, modern):
        """Sends a request and returns its number."""
        self.number += 1
        self.post(request(self.number, method, params, modern))
        return self.number

    def ask(self, method, params, modern):
        number = self.send(method, params, modern)
        answer = self.receive()
        assert answer["id"] == number, f"{method} was answered with {answer}"
        return answer


class Stdio(Connection):
    """Takes any number of requests before the first answer is fetched."""

    def __init__(self, program, image, *options):
        self.child = subprocess.Popen([program, image, *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                      stderr=subprocess.DEVNULL)
        self.open()

    def post(self, message):
        self.child.stdin.write(json.dumps(message).encode() + b"\n")
        self.child.stdin.flush()

    def receive(self):
        silence = threading.Timer(PATIENCE, self.child.kill)
        silence.start()
        line = self.child.stdout.readline()
        silence.cancel()
        assert line.endswith(b"\n"), f"the server fell silent or stopped, status {self.child.wait()}"
        return json.loads(line)

    def close(self, quiet):
        self.child.stdin.close()
        rest = self.child.stdout.read()
        self.child.stdout.close()
        status = self.child.wait()
        assert not quiet or (status == 0 and rest == b""), f"at the end came {rest[:200]}, status {status}"


class Http(Connection):
    """One connection that is kept open; the answer is fetched with the request."""

    def __init__(self, program, image, *options):
        self.child = subprocess.Popen([program, image, "--http", "127.0.0.1:0", *options], stderr=subprocess.PIPE,
                                      stdout=subprocess.DEVNULL, text=True)
        port = re.search(r"127\.0\.0\.1:(\d+)", self.child.stderr.readline()).group(1)
        self.link = http.client.HTTPConnection("127.0.0.1", int(port), timeout=PATIENCE)
        self.link.connect()
        self.link.auto_open = 0  # a connection that the server closes is a fault
        self.session = {}
        self.answers = []
        self.open()

    def headers(self, message):
        params = message.get("params", {})
        own = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
        if MODERN not in params.get("_meta", {}).values():
            return {**own, **self.session}
        own |= {"MCP-Protocol-Version": MODERN, "Mcp-Method": message["method"]}
        if message["method"] in NAMED_BY:
            own["Mcp-Name"] = params[NAMED_BY[message["method"]]]
        return own

    def post(self, message):
        self.link.request("POST", "/mcp", json.dumps(message).encode(), self.headers(message))
        answer = self.link.getresponse()
        body = answer.read()
        if answer.getheader("Mcp-Session-Id"):
            self.session = {"Mcp-Session-Id": answer.getheader("Mcp-Session-Id"), "MCP-Protocol-Version": LEGACY}
        if answer.getheader("Content-Type", "").startswith("text/event-stream"):
            body = re.search(rb"^data: ?(\{.*)$", body, re.MULTILINE).group(1)
        if "id" in message:
            self.answers.append(json.loads(body))

    def receive(self):
        return self.answers.pop(0)

    def close(self, quiet):
        self.link.close()
        self.child.terminate()
        status = self.child.wait()
        self.child.stderr.close()
        assert not quiet or status == 0, f"the server ended with status {status}"


WIRES = {"stdio": Stdio, "http": Http}
