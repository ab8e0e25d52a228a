"""Clients that leave: the tool they called is cancelled, and free for the next client. A matrix of eras, transports, moments and
ways to leave, with real processes and signals (defect 72)."""

import itertools
import os
import pty
import signal
import subprocess

from bridge import Device
from client.bridge import Bridge, http_bridge
from client.check import PATIENCE, Suite, afterwards, check, until
from client.child import Child, Server, die_with_parent
from client.mcp import META, cancelled, http_bytes, legacy, modern, numbered
from client.programs import CONFORMANCE_DEVICE, SKILLROM
from client.wire import Client, HttpClient
from line import Line

suite = Suite()

IMAGE = "build/conformance.rom"
MOMENTS = "running", "elicitation"
ENDS = {signal.SIGINT: 130, signal.SIGTERM: 143, signal.SIGHUP: 129}
CAN = {"elicitation": {"form": {}}}


def hold(moment, era=legacy, **more):
    return era("tools/call", name="test_hold", arguments={"moment": moment}, **more)


class Networked:
    """The fixture on HTTP and on lines over TCP."""

    def __init__(self):
        self.server = Server(CONFORMANCE_DEVICE, IMAGE, "--tcp", "127.0.0.1:0", "--http", "127.0.0.1:0")
        self.tcp, self.http = (f"{kind}://127.0.0.1:{port}" for kind, port in zip(("tcp", "http"), self.server.ports))

    def state(self):
        """What the tool says to another client: busy, or how often it was cancelled."""
        _, response = HttpClient(self.server.ports[1]).post(hold("free", modern))
        return response["result"]["content"][0]["text"]

    def wait_until_busy(self):
        until(lambda: "busy" in self.state(), "the tool is busy")

    def check_cancelled(self, times, what):
        until(lambda: "busy" not in self.state(), f"{what}: the tool is free")
        check(self.state() == f"free, cancelled {times} times", f"{what}: {self.state()}")


class Overheard(Line):
    """A serial line of which everything is kept that went to the device."""

    heard = b""

    def damage(self, data):
        self.heard += data
        return data


class Wired:
    """The fixture on a serial line. Nobody else can ask how it is while a client has the line."""

    def __init__(self, p, name):
        self.line = Overheard(p.folder, name)
        Device(p, self.line, image=IMAGE, program=CONFORMANCE_DEVICE)

    def wait_until_busy(self):
        until(lambda: b'"moment":"running"' in self.line.heard or b"Go on?" in self.line.heard, "the tool is called")

    def check_cancelled(self, times, what):
        self.line.heard = b""
        done = subprocess.run([SKILLROM, "call", self.line.host, "test_hold", "moment=free"], stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=PATIENCE, preexec_fn=die_with_parent)
        self.line.heard = b""
        check(done.stdout == b"free, cancelled %d times\n" % times, f"{what}: {done}")


def lead(status, command):
    """Runs a command in this session and writes its process and its exit code to `status`; then waits to be killed."""
    die_with_parent()
    child = os.fork()
    if child == 0:
        die_with_parent()
        os.execv(command[0], command)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.write(status, b"%d" % child)
    os.write(status, b"%d" % os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    while True:
        signal.pause()


class AtTerminal:
    """`skillrom call` with a terminal of its own, at which Ctrl-C can be typed. Another process leads the terminal's session, as a
    shell does: when its leader ends, Linux drops what has been written to a terminal and not yet been read."""

    def __init__(self, *words):
        self.said = b""
        self.status, status = os.pipe()
        leader, self.terminal = pty.fork()
        if leader == 0:
            lead(status, [SKILLROM, "call", *words])
        os.close(status)
        self.pid = int(os.read(self.status, 16))
        afterwards(lambda: (os.close(self.terminal), os.close(self.status), os.kill(leader, signal.SIGKILL), os.waitpid(leader, 0)))

    def wait_for(self, words):
        while words not in self.said:
            self.said += os.read(self.terminal, 4096)

    def end(self, number):
        if number == signal.SIGINT:
            os.write(self.terminal, b"\x03")
        else:
            os.kill(self.pid, number)
        code = int(os.read(self.status, 16))
        os.set_blocking(self.terminal, False)
        try:
            while True:
                self.said += os.read(self.terminal, 4096)
        except BlockingIOError:
            return code


def check_calls(device, place, *options):
    """Every moment and signal, for `skillrom call` at one place."""
    for times, (moment, (number, code)) in enumerate(itertools.product(MOMENTS, ENDS.items()), 1):
        what = f"{place} {moment} {number.name}"
        child = AtTerminal(place, "test_hold", f"moment={moment}", *options)
        if moment == "elicitation":
            child.wait_for(b"): ")
        device.wait_until_busy()
        got = child.end(number)
        check(got == code and b"tools/call cancelled" in child.said, f"{what}: {got} {child.said}")
        device.check_cancelled(times, what)


@suite
def call_ended_by_a_signal_cancels_its_tool_over_http(p):
    device = Networked()
    check_calls(device, device.http)


@suite
def call_ended_by_a_signal_cancels_its_tool_over_tcp(p):
    device = Networked()
    check_calls(device, device.tcp)


@suite
def call_ended_by_a_signal_cancels_its_tool_on_a_serial_line(p):
    for options in (), ("--plain",):
        device = Wired(p, "cancel" + "".join(options))
        check_calls(device, device.line.host, *options)


@suite
def call_ended_by_a_signal_cancels_its_tool_through_a_bridge(p):
    for kind in "http", "tcp":
        device = Networked()
        with http_bridge(p, getattr(device, kind), "--no-cache") as b:
            check_calls(device, f"http://127.0.0.1:{b.ports[0]}")


@suite
def call_ended_by_a_signal_cancels_its_tool_through_a_bridge_with_a_serial_line(p):
    device = Wired(p, "cancel-behind")
    with http_bridge(p, device.line.host, "--no-cache") as b:
        check_calls(device, f"http://127.0.0.1:{b.ports[0]}")
        check_calls_shared(p, device)


def check_calls_shared(p, device):
    """A bridge has the line, and shares it with the call."""
    for times, moment in enumerate(MOMENTS, 1 + len(MOMENTS) * len(ENDS)):
        child = AtTerminal(device.line.host, "test_hold", f"moment={moment}")
        if moment == "elicitation":
            child.wait_for(b"): ")
        device.wait_until_busy()
        check(child.end(signal.SIGINT) == 130, f"{moment}: {child.said}")
        device.check_cancelled(times, f"shared, {moment}")


@suite
def call_that_nohup_has_started_goes_on_when_its_terminal_closes(p):
    """Its exit code names the first signal that it has read."""
    device = Networked()
    child = Child(SKILLROM, "call", device.http, "test_hold", "moment=running",
                  before=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    device.wait_until_busy()
    child.signal(signal.SIGHUP)
    child.signal(signal.SIGINT)
    check(child.exit_code() == 130, f"{child.said}")
    device.check_cancelled(1, "nohup")


@suite
def answer_that_does_not_come_in_time_cancels_the_tool(p):
    device = Networked()
    for times, place in enumerate((device.http, device.tcp), 1):
        child = AtTerminal(place, "test_hold", "moment=running", "--response-timeout", "500ms")
        child.wait_for(b"tools/call cancelled")
        device.check_cancelled(times, place)


@suite
def modern_client_that_closes_its_stream_cancels_its_tool(p):
    """Over HTTP, direct and through the bridge. A question of this era is a result, so nothing waits for it."""
    can = {**META, "io.modelcontextprotocol/clientCapabilities": CAN}
    device = Networked()
    with http_bridge(p, device.http, "--no-cache") as over_http, http_bridge(p, device.tcp, "--no-cache") as over_tcp:
        for times, port in enumerate((device.server.ports[1], over_http.ports[0], over_tcp.ports[0]), 1):
            _, response = HttpClient(port).post(hold("elicitation", modern, _meta=can))
            check(response["result"]["resultType"] == "input_required", f"{response}")
            check("busy" not in device.state(), "a question keeps nothing busy")
            with Client(port) as client:
                client.send(http_bytes(numbered(1, hold("running", modern))))
                device.wait_until_busy()
                client.vanish()
            device.check_cancelled(times, f"port {port}")


@suite
def client_on_stdio_cancels_through_the_bridge(p):
    device = Networked()
    times = 0
    for kind, era, moment in itertools.product(("http", "tcp"), (legacy, modern), MOMENTS):
        if era is modern and moment == "elicitation":
            continue
        with Bridge(p, getattr(device, kind), "--no-cache") as b:
            b.exchange(legacy("initialize", protocolVersion="2025-11-25", capabilities=CAN, clientInfo={"name": "t", "version": "1"}))
            id = b.send(hold(moment, era))
            if moment == "elicitation":
                b.client_request()
            device.wait_until_busy()
            b.notify(cancelled(id))
            times += 1
            device.check_cancelled(times, f"{kind} {era.__name__} {moment}")


@suite
def bridge_that_ends_cancels_what_is_under_way(p):
    """The first signal lets responses under way finish for a while, the second does not."""
    device = Networked()
    for times, (kind, moment) in enumerate(itertools.product(("http", "tcp"), MOMENTS), 1):
        b = Bridge(p, getattr(device, kind), "--no-cache")
        b.exchange(legacy("initialize", protocolVersion="2025-11-25", capabilities=CAN, clientInfo={"name": "t", "version": "1"}))
        b.send(hold(moment))
        if moment == "elicitation":
            b.client_request()
        device.wait_until_busy()
        b.signal(signal.SIGTERM)
        b.signal(signal.SIGINT)
        check(b.exit_code() == 0, f"{kind} {moment}: {b.said}")
        device.check_cancelled(times, f"{kind} {moment}")
