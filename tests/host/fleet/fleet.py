"""fleet.py - `skillrom fleet` with a client, and the swarm."""

import json
import re
import subprocess
import urllib.error
import urllib.request

import client.broker
from client import programs
from client.check import check, until
from client.child import Child, Server, die_with_parent
from client.mcp import headers_of, modern, numbered
from client.wire import HttpClient

SWARM = str(programs.BUILD / "swarm")
IMAGES = str(programs.ROOT / "build/fleet")


class Broker(client.broker.Broker):
    """As README.md of host/fleet wants it: otherwise PUBACK and response wait for each other."""

    def __init__(self, folder, *lines, **more):
        super().__init__(folder, "set_tcp_nodelay true", *lines, **more)


class Fleet(Server):
    """The server, over HTTP, with an agent. More words are options."""

    def __init__(self, broker, folder, *options, program=programs.SKILLROM):
        self.record = folder / "record.jsonl"
        super().__init__(program, "fleet", broker.url, "--http", "127.0.0.1:0", "--metrics", "127.0.0.1:0", "--audit-log",
                         str(self.record), "--cache", str(folder / "cache"), *options)
        self.metrics_port = int(re.search(r":(\d+)/metrics", self.wait_for("metrics at"))[1])
        self.agent = Agent(self.ports[0])

    def document(self, path, port=None):
        """Status and text of a document of --metrics, or at another port."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port or self.metrics_port}{path}") as response:
                return response.status, response.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def figure(self, name):
        """One of /metrics."""
        found = re.search(rf"^skillrom_fleet_{re.escape(name)} (\d+)$", self.document("/metrics")[1], re.M)
        check(found, f"/metrics has no {name}")
        return int(found[1])

    def until_present(self, count):
        until(lambda: self.figure('devices{presence="present"}') == count, f"{count} devices are present")

    def recorded(self, **wanted):
        lines = [json.loads(line) for line in self.record.read_text().splitlines()] if self.record.exists() else []
        return [line for line in lines if wanted.items() <= line.items()]

    def kilobytes(self):
        with open(f"/proc/{self.process.pid}/status") as status:
            return int(re.search(r"VmRSS:\s+(\d+)", status.read())[1])


class Agent:
    """A client of it, of 2026-07-28; with a token if one is given."""

    def __init__(self, port, token=None):
        self.port, self.headers = port, {"Authorization": f"Bearer {token}"} if token else {}
        self.link = HttpClient(port)

    def exchange(self, method, /, **params):
        """The response, a result or an error."""
        _, response = self.link.post(modern(method, **params), self.headers)
        return response

    def result(self, method, /, **params):
        response = self.exchange(method, **params)
        check("result" in response, json.dumps(response)[:500])
        return response["result"]

    def tool(self, name, /, **arguments):
        """The whole result of one of the three tools."""
        return self.result("tools/call", name=name, arguments=arguments)

    def begin(self, name, /, **arguments):
        """Sends a call of one of the three tools whose response is not waited for."""
        message = numbered(1, modern("tools/call", name=name, arguments=arguments))
        self.link.link.request("POST", "/mcp", json.dumps(message).encode(), {**headers_of(message), **self.headers})

    def devices(self, **arguments):
        """The names on a page of list_devices, and the rest of it."""
        page = self.tool("list_devices", **arguments)["structuredContent"]
        return [device["name"] for device in page["devices"]], page

    def device(self, name):
        """What list_devices says of it."""
        found = self.tool("list_devices", name=name)["structuredContent"]["devices"]
        check(len(found) == 1, f"{len(found)} devices called {name}")
        return found[0]

    def call(self, device, tool, /, wait_ms=0, **arguments):
        """One device: the text of its result, and whether it is an error."""
        result = self.tool("call_tool", device=device, tool=tool, arguments=arguments, wait_ms=wait_ms)
        return result["content"][0]["text"], result.get("isError", False)

    def call_all(self, devices, tool, **more):
        """Several: the results, by name."""
        result = self.tool("call_tool", devices=devices, tool=tool, **more)
        check("structuredContent" in result, json.dumps(result)[:500])
        return {one["device"]: one for one in result["structuredContent"]["results"]}


def token(file, name, *options):
    done = subprocess.run([programs.SKILLROM, "token", name, "-o", str(file), *options], capture_output=True, text=True,
                          preexec_fn=die_with_parent)
    check(done.returncode == 0, done.stderr)
    return done.stdout.strip()


class Swarm(Child):
    """Many devices in one program."""

    def __init__(self, broker, count, *options, program=SWARM, wait=True):
        super().__init__(program, broker.url, str(count), "--images", IMAGES, *options, stdin=subprocess.PIPE,
                         stdout=subprocess.PIPE)
        if wait:
            self.wait_ready()

    def wait_ready(self):
        line = self.process.stdout.readline().decode()
        check(line.startswith("ready"), f"the swarm says {line!r} {self.said}")

    def command(self, words):
        """A command; what it answers."""
        self.process.stdin.write(words.encode() + b"\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline().decode().strip()
        check(line and line != "what?", f"the swarm says {line!r} to {words!r}: {self.said}")
        return line

    def calls(self):
        """Tools that have run in all of its devices."""
        return int(re.search(r"calls (\d+)", self.command("count"))[1])
