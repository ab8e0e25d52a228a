"""test_links.py - `skillrom test --link`: the same manuals against a device on a serial line, in a network, and a board in QEMU."""

import sys

from author import ROOT, fails, passes, contains, scratch
from client import programs
from client.check import Suite, check
from client.child import Child, Server
from client.emulator import Emulator
from client.mcp import line_bytes
from test_budget import agrees, budget

sys.path.append(str(ROOT / "tests/host/serial"))
from line import Line

suite = Suite()
PLANTER = ROOT / "examples/board"


def board(line):
    """The planter, its image in it."""
    return Emulator("mps2-an385", str(ROOT / "build/mps2-an385/skillrom.elf"), None, tty=line.device)


@suite
def a_device_on_a_serial_line():
    line = Line(scratch())
    Child(programs.PUMP, programs.EXAMPLE_IMAGE, "--serial", line.device)
    contains(passes("test", programs.EXAMPLE, "--link", line.host, "--allow-writes"), "9 steps of 4 manuals: 9 passed, 0 failed")
    check(line.to_host > 1000, "nothing has crossed the line", line.to_host)


@suite
def a_device_that_lasts_is_not_moved_unless_told():
    server = Server(programs.PUMP, programs.EXAMPLE_IMAGE, "--http", "127.0.0.1:0")
    url = f"http://127.0.0.1:{server.ports[0]}/mcp"
    contains(passes("test", programs.EXAMPLE, "--link", url), "1 step of 1 manual: 1 passed, 0 failed",
         "3 manuals not run: they would change something on the device; --allow-writes runs them")
    contains(passes("test", programs.EXAMPLE, "--link", url, "--allow-writes"), "9 steps of 4 manuals: 9 passed")
    contains(fails("test", programs.EXAMPLE, "--link", url, "--allow-writes"), "clear-fault/SKILL.md", "does not fail, but returns")  # it was cleared


@suite
def a_board_whose_manuals_are_true():
    line = Line(scratch())
    board(line)
    contains(passes("test", PLANTER, "--link", line.host, "--allow-writes"), "7 steps of 2 manuals: 7 passed, 0 failed",
         "6 of 6 queries find their skill first, 100%")


@suite
def a_device_that_is_not_there_is_told():
    contains(fails("test", programs.EXAMPLE, "--link", "tcp://127.0.0.1:1"), "skillrom test: tcp://127.0.0.1:1: The device cannot be reached: nothing listens there")


@suite
def costs_are_counted_on_a_serial_line_too():
    """To the byte, as the line counts them."""
    line = Line(scratch())
    Child(programs.PUMP, programs.EXAMPLE_IMAGE, "--serial", line.device)
    with open(line.host, "r+b", buffering=0) as host:

        def exchange(message):
            before, response = line.to_host, b""
            host.write(line_bytes(message))
            while not response.endswith(b"\n"):
                response += host.read(65536)
            check(line.to_host - before == len(response), "the line has carried something else", line.to_host - before, len(response))
            return response

        agrees(exchange, budget(programs.EXAMPLE))
