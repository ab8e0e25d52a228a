"""routes.py - every route from a client to a device: directly, through bridges of all kinds, through the fleet."""

import itertools
import json
import os
import re
import signal
import socket
import sys
import threading

from client import programs
from client.bridge import http_bridge
from client.broker import Broker
from client.check import afterwards, check
from client.child import Child, Server
from client.mcp import line_bytes

sys.path.append(str(programs.ROOT / "tests/host/serial"))
from line import Line

sys.path.append(str(programs.ROOT / "tests/wire/tls"))
from authority import Authority
from certs import Folder

numbers = itertools.count()
RAN = re.compile(r"(tools/call run_dose|skills/execute).* ok ")


class Route:
    """A port that asks for tokens, and the device that it leads to. A bridge forwards requests: it cannot know who started a task, or
    what a script runs."""

    def __init__(self, server, runs, forwards=True, prefix="", modern=True, updates=True, tls=False, tokens=None):
        self.port, self.runs, self.forwards = server.ports[0], runs, forwards
        self.prefix, self.modern, self.updates, self.tls, self.tokens = prefix, modern, updates, tls, tokens

    def spelled(self, row):
        """The parameters as a client on this route writes them."""
        params = dict(row.params)
        if self.prefix and "name" in params and not row.method.startswith("skills/"):
            params["name"] = f"{self.prefix}_{params['name']}"
        if self.prefix and "uri" in params:
            params["uri"] = params["uri"].replace("://", f"://{self.prefix}/")
        return params


class FleetRoute(Route):
    def spelled(self, row):
        if row.method != "tools/call":
            return super().spelled(row)
        call = {"devices": ["pump-1"], "tool": row.params["name"], "arguments": row.params["arguments"]}
        return {**row.params, "name": "call_tool", "arguments": call}


class Pump(Child):
    """The example device, and how often something of it that operates has run."""

    def __init__(self, folder, *options):
        slots = f"{folder}/slots-{next(numbers)}"
        super().__init__(programs.PUMP, programs.EXAMPLE_IMAGE, "--log", "--update", slots, "--update-key", f"{folder}/key.pub",
                         "--product", "pump", *options)
        self.wait_for("serving")
        self.ports = self.named_ports()

    def runs(self):
        return len(self.lines_with(RAN))


def stop(child):
    """Returns when it does not run any more, until SIGCONT."""
    child.signal(signal.SIGSTOP)
    os.waitid(os.P_PID, child.process.pid, os.WSTOPPED | os.WNOWAIT)


class Recorder:
    """A device of others, with lines over TCP, of 2025-06-18 alone. It has every method, and notes what it is told to do."""

    OPERATES = "skills/execute", "tasks/cancel", "tasks/update", "tasks/result", "vendor/erase"
    TOOLS = [{"name": "line_status", "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": True}},
             {"name": "run_dose", "inputSchema": {"type": "object"}}]
    ends_after = follower = other_side = None  # the method after whose response another device takes its place at that program

    def __init__(self):
        self.did, self.error, listener = [], None, socket.create_server(("127.0.0.1", 0))
        self.url = f"tcp://127.0.0.1:{listener.getsockname()[1]}"
        afterwards(listener.close)
        threading.Thread(target=self.serve, args=(listener,), daemon=True).start()

    def serve(self, listener):
        """What goes wrong in this thread fails the test: a device that is silent would look like a bridge that gives up."""
        try:
            while True:
                try:
                    peer, _ = listener.accept()
                except OSError:
                    return
                with peer:
                    self = self if self.serve_peer(peer) else self.follower
        except Exception as error:
            self.error = error
            raise

    def serve_peer(self, peer):
        """Until the other side leaves; false when this device is to be replaced."""
        for line in peer.makefile("rb"):
            message = json.loads(line)
            last = message["method"] == self.ends_after
            if last:
                stop(self.other_side)  # so that it sees answer and end together
            if "id" in message:
                peer.sendall(line_bytes({"jsonrpc": "2.0", "id": message["id"], **self.outcome(message)}))
            if last:
                peer.shutdown(socket.SHUT_RDWR)
                self.other_side.signal(signal.SIGCONT)
                return False
        return True

    def outcome(self, message):
        method, params = message["method"], message.get("params", {})
        if "io.modelcontextprotocol/protocolVersion" in params.get("_meta", {}):
            return {"error": {"code": -32602, "message": "initialize first"}}
        if method == "initialize":
            return {"result": {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}},
                               "serverInfo": {"name": "other", "version": "1"}}}
        if method == "tools/list":
            return {"result": {"tools": self.TOOLS}}
        if params.get("name") == "run_dose" or method in self.OPERATES:
            self.did.append(method)
        return {"result": {"content": [{"type": "text", "text": "fine"}]}}

    def runs(self):
        check(self.error is None, f"the device itself has failed: {self.error!r}")
        return len(self.did)


def bridge(p, folder, *devices):
    return http_bridge(p, *devices, "--no-cache", "--token-file", f"{folder}/tokens")


def device(p, folder):
    pump = Pump(folder, "--http", "127.0.0.1:0", "--token-file", f"{folder}/tokens")
    return Route(pump, pump.runs, forwards=False)


def secured(folder, *options):
    """A device with TLS, and options for its certificate."""
    certs = Folder(folder)
    return Pump(folder, "--https", "127.0.0.1:0", "--cert", certs.path("device.pem"), "--key", certs.path("device.key"), *options)


def device_with_tls(p, folder):
    pump = secured(folder, "--token-file", f"{folder}/tokens")
    return Route(pump, pump.runs, forwards=False, tls=True)


def device_with_an_authority(p, folder):
    """Its tokens have scopes; that of `update` may also read."""
    authority = Authority(folder)
    pump = secured(folder, *authority.options())
    scopes = {"alice": "read operate", "bob": "read", "carol": "openid update", "dave": "update operate"}
    return Route(pump, pump.runs, forwards=False, tls=True, tokens={name: authority.token(name, scope) for name, scope in scopes.items()})


def bridge_to_http(p, folder):
    pump = Pump(folder, "--http", "127.0.0.1:0")
    return Route(bridge(p, folder, f"http://127.0.0.1:{pump.ports[0]}"), pump.runs)


def bridge_to_tcp(p, folder):
    pump = Pump(folder, "--tcp", "127.0.0.1:0")
    return Route(bridge(p, folder, f"tcp://127.0.0.1:{pump.ports[0]}"), pump.runs)


def bridge_to_serial(p, folder, *options):
    line = Line(folder, f"line{len(options)}")
    pump = Pump(folder, "--serial", line.device)
    return Route(bridge(p, folder, line.host, *options), pump.runs)


def bridge_to_plain_serial(p, folder):
    return bridge_to_serial(p, folder, "--plain")


def bridge_to_bridge(p, folder):
    pump = Pump(folder, "--tcp", "127.0.0.1:0")
    inner = http_bridge(p, f"tcp://127.0.0.1:{pump.ports[0]}", "--no-cache")
    return Route(bridge(p, folder, f"http://127.0.0.1:{inner.ports[0]}"), pump.runs)


def bridge_to_two(p, folder):
    pumps = Pump(folder, "--tcp", "127.0.0.1:0"), Pump(folder, "--http", "127.0.0.1:0")
    both = bridge(p, folder, f"a=tcp://127.0.0.1:{pumps[0].ports[0]}", f"b=http://127.0.0.1:{pumps[1].ports[0]}")
    return Route(both, lambda: sum(pump.runs() for pump in pumps), prefix="a", updates=False)


def bridge_to_older(p, folder):
    other = Recorder()
    return Route(bridge(p, folder, other.url), other.runs, modern=False, updates=False)


def fleet(p, folder):
    pump, broker = Pump(folder, "--tcp", "127.0.0.1:0"), Broker(folder, "set_tcp_nodelay true")
    published = Child(p.skillrom, "bridge", f"tcp://127.0.0.1:{pump.ports[0]}", "--mqtt", broker.url, "--id", "pump-1", "--no-cache")
    published.wait_for("pump-1")
    server = Server(p.skillrom, "fleet", broker.url, "--http", "127.0.0.1:0", "--token-file", f"{folder}/tokens", "--no-cache")
    return FleetRoute(server, pump.runs, forwards=False, updates=False)


ROUTES = (device, device_with_tls, device_with_an_authority, bridge_to_http, bridge_to_tcp, bridge_to_serial, bridge_to_plain_serial, bridge_to_bridge, bridge_to_two,
        bridge_to_older, fleet)
