"""The device's end alone, by an independent host (frames.py) and by hand."""

import json
import os
import random
import select
import time

from bridge import Device
from client.bridge import Bridge
from client.check import PATIENCE, Suite, check
from client.mcp import modern
from frames import Host
from line import Line

suite = Suite()


class Terminal:
    """The host's end of a line, opened as a file."""

    def __init__(self, line):
        self.fd = os.open(line.host, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        self.got = b""

    def __enter__(self):
        return self

    def __exit__(self, *why):
        os.close(self.fd)

    def write(self, data):
        while data:
            try:
                data = data[os.write(self.fd, data) :]
            except BlockingIOError:
                select.select([], [self.fd], [], 1)

    def read(self):
        if select.select([self.fd], [], [], 0.05)[0]:
            try:
                return os.read(self.fd, 65536)
            except BlockingIOError:
                pass
        return b""

    def line(self):
        end = time.monotonic() + PATIENCE
        while b"\n" not in self.got:
            check(time.monotonic() < end, f"no line; got {self.got[:200]!r}")
            self.got += self.read()
        line, _, self.got = self.got.partition(b"\n")
        return json.loads(line)


def text_of(request, id):
    return json.dumps({"jsonrpc": "2.0", "id": id, **request}).encode() + b"\n"


@suite
def terminal_gets_answers_and_log_lines_are_ignored(p):
    line = Line(p.folder, "terminal")
    with Device(p, line), Terminal(line) as t:
        t.write(b"hello? is anybody there\r\n\n   {not a message}\n# a comment\n" + text_of(modern("tools/list"), 7))
        response = t.line()
        check(response["id"] == 7 and p.is_right(modern("tools/list"), response), f"{response}")
        t.write(b'{"jsonrpc":"2.0","id":8,"method":"ping"}\r\n{broken\n')
        check(t.line()["id"] == 8, "carriage returns do not matter")
        check(t.line()["error"]["code"] == -32700, "a line that begins like a message is answered")


@suite
def its_log_and_the_log_of_a_bridge_have_a_line_for_each_request(p):
    """In both modes: the device knows its host by the port, the bridge its client by stdin."""
    cost = r" [1-9]\d* bytes \d+ ms$"
    calls = {
        "tools/call line_status ok": modern("tools/call", name="line_status", arguments={"line": 1}),
        "tools/call run_dose error result": modern("tools/call", name="run_dose", arguments={"line": 4, "volume_ul": 100}),
        "resources/read skill://no/such error -32602": modern("resources/read", uri="skill://no/such"),
    }
    for mode in (), ("--plain",):
        line = Line(p.folder, "log" + "".join(mode))
        with Device(p, line, options=["--log"]) as device, Bridge(p, line.host, "--no-cache", "--log", *mode) as b:
            for how, call in calls.items():
                b.exchange(call)
                b.wait_for_line(": stdin " + how + cost)
                device.wait_for_line(f": {line.device} " + how + cost)


@suite
def host_written_from_the_specification_can_talk_to_it(p):
    line = Line(p.folder, "second")
    with Device(p, line), Terminal(line) as t:
        host = Host(t.write, t.read)
        host.hello()
        identity = host.identity
        for i, request in enumerate(p.reads(20)):
            host.send(text_of(request, i))
            response = json.loads(host.line())
            check(response["id"] == i and p.is_right(request, response), f"{request} got {str(response)[:200]}")
        host.hello()
        check(host.identity == identity, "the same device is the same")


@suite
def host_written_from_the_specification_survives_noise(p):
    line = Line(p.folder, "noisy", noise=1000, seed=5)
    with Device(p, line), Terminal(line) as t:
        host = Host(t.write, t.read)
        host.hello()
        for i, request in enumerate(p.reads(20)):
            host.send(text_of(request, i))
            response = json.loads(host.line())
            check(response["id"] == i and p.is_right(request, response), f"{request} got {str(response)[:200]}")


@suite
def megabyte_of_random_bytes_then_a_request(p):
    line = Line(p.folder, "random")
    noise = random.Random(3).randbytes(1 << 20)
    with Device(p, line), Terminal(line) as t:
        for mode in ("plain", "reliable"):
            for at in range(0, len(noise), 65536):
                t.write(noise[at : at + 65536])
                t.read()
            if mode == "plain":
                t.write(b"\n" + text_of(modern("prompts/list"), "after"))
                end = time.monotonic() + PATIENCE
                while b'"id":"after"' not in t.got:
                    check(time.monotonic() < end, "not answered")
                    t.got += t.read()
            else:
                host = Host(t.write, t.read)
                host.hello()
                host.send(text_of(modern("prompts/list"), 1))
                check(p.is_right(modern("prompts/list"), json.loads(host.line())), "not answered")
