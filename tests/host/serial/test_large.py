"""Answers that are too large to be kept for a client who does not read."""

import array
import fcntl
import json
import os
import random
import socket
import subprocess
import termios
import time

from bridge import Device
from client.check import PATIENCE, Suite, check, until
from client.child import Child
from client.mcp import line_bytes, modern, numbered
from client.programs import EXAMPLE, changed_copy, write
from line import Line

suite = Suite()

SIZES = (500_000, 60_777, 61_554, 62_331, 63_108)  # of files; in base64 all are large
LARGE = 32 << 20  # TRANSPORT_LARGE


class DeafBridge(Child):
    """The bridge with a client that reads only when it is told to."""

    def __init__(self, programs, *arguments):
        super().__init__(programs.skillrom, "bridge", *arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def send(self, **requests):
        for id, request in requests.items():
            self.process.stdin.write(line_bytes(numbered(id, request)))
        self.process.stdin.flush()

    def read(self, count):
        """The next responses, by their ids."""
        responses = [json.loads(self.process.stdout.readline()) for _ in range(count)]
        return {response["id"]: response for response in responses}


class Owner:
    """Stands for the bridge that has the port."""

    def __init__(self, line):
        self.port = os.open(line.host, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        fcntl.flock(self.port, fcntl.LOCK_EX)
        number = os.stat(line.host).st_rdev
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.settimeout(PATIENCE)
        self.listener.bind(f"\0skillrom-bridge-{os.getuid()}-{number}")
        self.listener.listen()

    def __enter__(self):
        return self

    def accept(self):
        self.link, _ = self.listener.accept()
        self.link.settimeout(PATIENCE)
        self.lines = self.link.makefile("rb")

    def requests(self, count):
        """Their ids, by URI; what the bridge wants to hear of by itself is none of them."""
        ids = {}
        while len(ids) < count:
            request = json.loads(self.lines.readline())
            if request["method"] == "resources/read":
                ids[request["params"]["uri"]] = request["id"]
        return ids

    def wait_until_read(self):
        """Until the bridge has taken all that was sent."""
        unread = array.array("i", [1])

        def taken():
            fcntl.ioctl(self.link, termios.TIOCOUTQ, unread)
            return unread[0] == 0

        until(taken, "the bridge has read everything")

    def __exit__(self, *why):
        self.link.close()
        self.listener.close()
        os.close(self.port)


def image_with_files(p):
    dice = random.Random(1)

    def change(folder):
        for i, size in enumerate(SIZES):
            write(folder / f"skills/daily-check/assets/{i}.bin", dice.randbytes(size))

    return changed_copy(EXAMPLE, os.path.join(p.folder, "large"), change)


def is_held(line):
    before = line.to_host
    time.sleep(0.4)
    return line.to_host < before + 1000


@suite
def device_waits_for_a_client_that_does_not_read(p):
    image = image_with_files(p)
    status = modern("tools/call", name="line_status", arguments={"line": 1})
    for mode, rounds in ((), len(SIZES)), (("--plain",), 2):
        line = Line(p.folder, "deaf" + "".join(mode))
        with Device(p, line, image), DeafBridge(p, line.host, "--no-cache", "--response-timeout", "5000ms", *mode) as b:
            b.wait_for("device found")
            for i in range(1, rounds):
                files = [modern("resources/read", uri=f"skill://daily-check/assets/{n}.bin") for n in (0, i)]
                b.send(first=files[0], second=files[1], third=status, fourth=status)
                until(lambda: is_held(line), "both large places are taken")
                for id, response in b.read(4).items():
                    check("result" in response, f"{mode} {i} {id}: {response}")
            check(not b.has_said("connecting again"), f"{b.said}")


@suite
def answer_behind_the_one_that_takes_the_last_place_is_kept(p):
    line = Line(p.folder, "behind")
    with Owner(line) as owner, DeafBridge(p, line.host, "--no-cache", "--response-timeout", "5000ms") as b:
        owner.accept()
        b.send(**{uri: modern("resources/read", uri=uri) for uri in "abcd"})
        ids = owner.requests(4)
        text = {uri: f'{{"jsonrpc":"2.0","id":"{id}","result":{{"contents":"%s"}}}}\n' for uri, id in ids.items()}
        second = text["b"] % ("b" * 700_000)
        owner.link.sendall((text["a"] % ("a" * 700_000) + second[:-100]).encode())
        owner.wait_until_read()  # so that the bridge finds in one piece what follows
        owner.link.sendall((second[-100:] + text["c"] % "c" + text["d"] % "d").encode())
        owner.wait_until_read()
        for uri, response in b.read(4).items():
            check(set(response.get("result", {}).get("contents", "")) == {uri}, f"{uri}: {str(response)[:200]}")


@suite
def answer_that_is_too_long_is_an_error_at_once(p):
    line = Line(p.folder, "long")
    with Owner(line) as owner, DeafBridge(p, line.host, "--no-cache") as b:
        owner.accept()
        b.send(**{uri: modern("resources/read", uri=uri) for uri in "ab"})
        ids = owner.requests(2)
        owner.link.sendall(f'{{"jsonrpc":"2.0","id":"{ids["a"]}","result":{{"contents":"'.encode())
        owner.link.sendall(b"x" * LARGE + b'"}}\n')
        owner.link.sendall(f'{{"jsonrpc":"2.0","id":"{ids["b"]}","result":{{"contents":"y"}}}}\n'.encode())
        responses = b.read(2)
        check("result" in responses["b"], f"{responses['b']}")
        error = responses["a"]["error"]
        check(error["code"] == -32603 and "TRANSPORT_LARGE" in error["message"], f"{error}")
        check(not error["data"]["retry"], "another try would not help")
