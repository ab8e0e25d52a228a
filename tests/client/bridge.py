"""bridge.py - the bridge as a child with a client on its stdio, and requests whose right response is known."""

import json
import os
import queue
import subprocess

from client import programs
from client.check import PATIENCE, check
from client.child import Server, Stdio
from client.mcp import INITIALIZE, legacy, modern, numbered


class Programs:
    """The programs under test and the truth about the example device, asked of its program itself."""

    def __init__(self, folder, skillrom=programs.SKILLROM, pump=programs.PUMP):
        self.skillrom, self.pump, self.image, self.folder = skillrom, pump, programs.EXAMPLE_IMAGE, folder
        self.truth = {}
        skills = self.right(modern("skills/list"))["result"]["skills"]
        self.files = [file["uri"] for skill in skills for file in skill["resources"]]

    def right(self, request):
        """The response without any line in between; the id is 0."""
        key = json.dumps(request, sort_keys=True)
        if key not in self.truth:
            self.truth[key] = json.loads(self.response_bytes(numbered(0, request)))
        return self.truth[key]

    def response_bytes(self, message):
        line = json.dumps(message) + "\n"
        return subprocess.run([self.pump, self.image], input=line.encode(), capture_output=True).stdout

    def other_image(self, name, device=programs.EXAMPLE):
        """An image of the device with one line more in one of its files."""

        def change(folder):
            skill = sorted(os.listdir(folder / "skills"))[0]
            with open(folder / "skills" / skill / "SKILL.md", "a") as file:
                file.write("\nOne line more.\n")

        return programs.changed_copy(device, os.path.join(self.folder, name), change)

    def reads(self, n):
        """n requests that differ: files, lists, and a tool that only looks."""
        all = [modern("resources/read", uri=uri) for uri in self.files]
        all += [modern("tools/call", name="line_status", arguments={"line": i}) for i in range(1, 5)]
        all += [modern("resources/templates/list"), modern("prompts/list")]
        return [all[i * 7 % len(all)] for i in range(n)]

    def is_right(self, request, response):
        return response.get("result") == self.right(request).get("result") and "result" in response


class Bridge(Stdio):
    """The bridge with a client on its stdio."""

    def __init__(self, programs, *arguments, command=None):
        self.responses, self.client_requests = queue.Queue(), queue.Queue()
        self.notifications_received = []  # notifications
        self.waiting = {}  # requests without a response, by id
        super().__init__(*(command or (programs.skillrom, "bridge")), *arguments)

    def on_line(self, line):
        message = json.loads(line) if line else {}
        if "method" not in message:
            self.responses.put(message)
        elif "id" in message:
            self.client_requests.put(message)
        else:
            self.notifications_received.append(message)

    @property
    def notifications(self):
        return [message["method"] for message in list(self.notifications_received)]

    def send(self, message, spelled=str):
        """Remembers what waits for a response."""
        self.waiting[self.last + 1] = message
        return super().send(message, spelled)

    def notify(self, notification):
        super().send({"jsonrpc": "2.0", **notification})

    def reply(self, client_request, **outcome):
        super().send(numbered(client_request["id"], outcome))

    def next_of(self, messages, what):
        try:
            message = messages.get(timeout=PATIENCE)
        except queue.Empty:
            message = None
        check(message, f"{what}: nothing comes, and it said {self.said[-5:]}")
        return message

    def client_request(self):
        """The next request of the server."""
        return self.next_of(self.client_requests, "a question")

    def receive(self):
        """The next response, with the request it belongs to."""
        response = self.next_of(self.responses, f"{len(self.waiting)} requests hang: {list(self.waiting.values())[:2]}")
        request = self.waiting.pop(response.get("id"), None)
        check(request is not None, f"a response to nothing: {json.dumps(response)[:200]}")
        return request, response

    def exchange(self, request):
        self.send(request)
        return self.receive()[1]

    def exchange_all(self, requests, window=8):
        """Several under way simultaneously. Yields (request, answer)."""
        requests = list(requests)
        while requests or self.waiting:
            while requests and len(self.waiting) < window:
                self.send(requests.pop(0))
            yield self.receive()


def http_bridge(programs, *arguments):
    return Server(programs.skillrom, "bridge", *arguments, "--http", "127.0.0.1:0")


def check_right(p, request, response):
    check(p.is_right(request, response), f"{json.dumps(request)[:200]} got {json.dumps(response)[:300]}")


def check_both_eras(p, bridge, reads):
    """A client of either era gets the device's own responses, as its era says them."""
    for request, response in bridge.exchange_all(p.reads(reads)):
        check_right(p, request, response)
    first = bridge.exchange(INITIALIZE)["result"]
    check(first["serverInfo"]["name"] == "tidewater-dp4", f"{first}")
    check(first["capabilities"]["tools"] == {"listChanged": True}, "the bridge promises changes")
    response = bridge.exchange(legacy("resources/read", uri="skill://nothing/here"))
    check(response["error"]["code"] == -32002, f"as the older era says it: {response}")
    response = bridge.exchange(modern("resources/read", uri="skill://nothing/here"))
    check(response["error"]["code"] == -32602, f"and the newer: {response}")
    check(bridge.exchange(legacy("ping"))["result"] == {}, "ping")
    check(bridge.exchange(legacy("no/such"))["error"]["code"] == -32601, "unknown method, older")
    check(bridge.exchange(modern("no/such"))["error"]["code"] == -32601, "unknown method, newer")
