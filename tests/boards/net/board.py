"""board.py - a board with Ethernet in QEMU: its TCP ports on this machine's loopback, its serial line as a log.

QEMU's user network is a network of its own with nobody else on it (restrict=on); ports of the board are forwarded
from free ports of 127.0.0.1, which QEMU picks. Nothing else of this machine can be reached from the board.
"""
import os
import re
import select
import socket
import sys
import time

sys.dont_write_bytecode = True  # leave no files beside the sources
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))

from client.check import PATIENCE, until  # noqa: E402
from client.emulator import Emulator  # noqa: E402
from client.wire import Client  # noqa: E402

HTTP_PORT, LINE_PORT = 80, 7701

# Elements that are in use also when nobody is connected.
STANDING = {"TCP_PCB_LISTEN", "SYS_TIMEOUT", "UDP_PCB", "IGMP_GROUP"}
COUNTS = re.compile(r"^net: slots (\d+)/(\d+) (.*) pools (.*)$")


class Board:
    """A running board that has said it is ready."""

    def __init__(self, build, elf, image=None, ports=(HTTP_PORT, LINE_PORT), network=None, extra=()):
        """With a network (ethernet.py) its cable ends there, and no port is forwarded."""
        self.line, theirs = socket.socketpair()
        forwards = "".join(f",hostfwd=tcp:127.0.0.1:0-:{port}" for port in ports)
        words = network.words() if network else ["-nic", f"user,restrict=on{forwards}"]
        self.emulator = Emulator(build, elf, theirs, image, [*words, *extra],
                                 inherit=[network.board_end.fileno()] if network else [])
        theirs.close()
        self.log = b""
        self.wait_for(rb": ready[^\n]*\n")
        self.ports = {} if network else self.forwarded()

    def forwarded(self):
        """{port of the board: port on loopback}"""
        text = self.emulator.command_result("info usernet", rb"(?:[\s\S]*?\(qemu\) ){2}")[0]
        found = re.findall(rb"TCP\[HOST_FORWARD\]\s+\d+\s+127\.0\.0\.1\s+(\d+)\s+\S+\s+(\d+)", text)
        return {int(board): int(ours) for ours, board in found}

    def wait_for(self, pattern):
        """Reads the log until the pattern has come; returns its match. What was read is used up."""
        until = time.monotonic() + PATIENCE
        while True:
            match = re.search(pattern, self.log)
            if match:
                self.log = self.log[match.end():]
                return match
            ready, _, _ = select.select([self.line], [], [], max(0, until - time.monotonic()))
            data = self.line.recv(4096) if ready else b""
            if not data:
                raise RuntimeError(f"the board fell silent; its log ends with {self.log[-300:]!r}")
            self.log += data

    def counts(self):
        """What it says when asked: {"slots": 0, "accepted": 7, ..., "pools": {"TCP_PCB": 0, ...}}"""
        self.line.sendall(b"?")
        text = self.wait_for(rb"net: [^\n]*\n")[0].decode().strip()
        slots, _, counters, pools = COUNTS.match(text).groups()
        words, elements = counters.split(), pools.split()
        found = {"slots": int(slots), "pools": {}}
        for name, value in re.findall(r"([a-z-]+) (\d+)", " ".join(words)):
            found[name] = int(value)
        for name, used in zip(elements[::2], elements[1::2]):
            found["pools"][name] = int(used.split("/")[0])
        return found

    def leaks(self, but=()):
        """Slots and pool elements that are in use: {} when everything is free."""
        counts = self.counts()
        found = {name: used for name, used in counts["pools"].items() if used and name not in STANDING | set(but)}
        if counts["slots"]:
            found["slots"] = counts["slots"]
        return found

    def wait_until_free(self, but=()):
        """{} as soon as everything is free, or what is not when patience ends."""
        until = time.monotonic() + PATIENCE
        while True:
            found = self.leaks(but)
            if not found or time.monotonic() > until:
                return found
            time.sleep(0.05)

    def wait_for_rest(self):
        """Until every response has been acknowledged: then what is idle survives a reset (boards/net/resume.c)."""
        until(lambda: not self.counts()["pools"]["TCP_SEG"], "a response is never acknowledged")

    def url(self):
        return f"http://127.0.0.1:{self.ports[HTTP_PORT]}/mcp"

    def line_url(self):
        return f"tcp://127.0.0.1:{self.ports[LINE_PORT]}"

    def connect(self, port=HTTP_PORT, **how):
        return Client(self.ports[port], **how)

    def restart(self):
        """As if its reset button were pressed; bytes of stack that were used before."""
        used = self.emulator.stack_used()
        self.emulator.reset()
        self.wait_for(rb": ready[^\n]*\n")
        return used

    def stop(self):
        """Ends it; bytes of stack that were used."""
        return self.emulator.stop()
