"""peer.py - the independent client (client.mjs) as a child, and the bridge that publishes a device."""

import json
import os
import threading

from client.check import check, until
from client.child import Child, Server, Stdio

ONLINE, OFFLINE = "online", "offline"
SCRIPTS = ""  # where client.mjs and node_modules are; set by run


class Peer(Stdio):
    """An MCP client of the specification. `events` is all that has come by itself."""

    def __init__(self, broker, server=None, name=None, url=None, capabilities=None, **options):
        self.events, self.results, self.lock = [], {}, threading.Lock()
        super().__init__("node", os.path.join(SCRIPTS, "peer.mjs"), url or broker.url, json.dumps(options))
        until(lambda: self.first("connected") or self.first("refused") or self.process.poll() is not None, "it connects")
        self.refused = not self.first("connected")
        self.client_id = None if self.refused else self.first("connected")["clientId"]
        if server:
            self.do("open", server=server, name=name)
            self.initialized = self.do("initialize", params={"capabilities": capabilities or {}})

    def on_line(self, line):
        if line and not line.endswith(b"\n"):
            return  # it was killed
        message = json.loads(line) if line else {"event": "ended"}
        with self.lock:
            if "event" in message:
                self.events.append(message)
            else:
                self.results[message["id"]] = message

    def first(self, event):
        return next((e for e in list(self.events) if e["event"] == event), None)

    def start(self, what, **more):
        """Begins something; the number to wait for."""
        self.last += 1
        self.process.stdin.write(json.dumps({"do": what, "id": self.last, **more}).encode() + b"\n")
        return self.last

    def wait(self, number):
        until(lambda: number in self.results, f"{number} is answered; {self.events[-3:]}")
        response = self.results[number]
        check("failed" not in response, response.get("failed"))
        return response["result"]

    def start_and_wait(self, what, **more):
        """The number of something that may have failed."""
        number = self.start(what, **more)
        until(lambda: number in self.results, f"{number} is answered")
        return number

    def do(self, what, **more):
        return self.wait(self.start(what, **more))

    def exchange(self, method, **params):
        return self.do("request", method=method, params=params)

    def call(self, tool, **arguments):
        response = self.exchange("tools/call", name=tool, arguments=arguments)
        check("result" in response, response)
        return response["result"]["content"][0]["text"]

    def messages(self, method=None):
        """What has come on any topic but presence."""
        found = [e for e in list(self.events) if e["event"] == "message"]
        return [e for e in found if method is None or e["message"].get("method") == method]

    def presences(self, server):
        return [e for e in list(self.events) if e["event"] == "presence" and e["server"] == server]

    def presence(self, server):
        """The last one's params; OFFLINE; or None."""
        found = self.presences(server)
        return None if not found else found[-1]["online"]["params"] if "online" in found[-1] else OFFLINE

    def wait_online(self, server, holds=lambda params: True):
        until(lambda: isinstance(self.presence(server), dict) and holds(self.presence(server)),
              f"{server} is there: {self.presences(server)[-2:]}")
        return self.presence(server)

    def wait_offline(self, server):
        until(lambda: self.presence(server) == OFFLINE, f"{server} is away: {self.presences(server)[-2:]}")


class Device(Server):
    """The example device, or another, over HTTP."""

    def __init__(self, p, image=None, port=0, *options, program=None):
        super().__init__(program or p.pump, image or p.image, "--http", f"127.0.0.1:{port}", *options)
        self.url = f"http://127.0.0.1:{self.ports[0]}"


class Publisher(Child):
    """`skillrom bridge --mqtt`."""

    def __init__(self, p, device, broker, id="pump-17", *options, url=None, **more):
        where = device if isinstance(device, str) else device.url
        super().__init__(p.skillrom, "bridge", where, "--mqtt", url or broker.url, "--id", id, "--no-cache", *options, **more)

    def wait(self, count=1):
        return self.wait_for("published as", count)
