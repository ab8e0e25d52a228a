#!/usr/bin/env python3
"""test_usb.py - the Pico on its own USB plug, in rp2040js with usb_host.mjs as the computer that it is plugged into

usage: test_usb.py      after `make build/rp2040-pico/skillrom.elf` and tests/boards/qemu/install

Prints a line per test; the last line is "N passed, N failed".
"""
import json
import os
import pathlib
import pty
import sys
import threading
import tty

sys.dont_write_bytecode = True  # leave no files beside the sources
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))

from client.check import Tally, check
from client.child import Stdio
from client.mcp import line_bytes, modern, request
from client.programs import SKILLROM, scratch_folder
from test_boards import PING, PONG, Board

BUILD = "rp2040-pico"
READY = b"skillrom on rp2040-pico: ready\n"
SKILL = request(7, "resources/read", uri="skill://tend-plant/SKILL.md")
MEGABYTE = 1 << 20


class Pico(Board):
    def __init__(self, build=BUILD, image=None):
        super().__init__(build, image=image)

    def usb(self, command):
        return self.emulator.query(f"usb {command}")

    def up(self):
        assert self.boot() == READY
        return self

    def long_response(self):
        """A long response, as it is when nothing disturbs it."""
        return self.until(b"\n", line_bytes(SKILL))


# ---- Tests: each raises when something is wrong ----


def describes_itself():
    with Pico() as pico:
        pico.up()
        found = json.loads(pico.usb("info"))
        assert found == {"vendor": 0x2E8A, "number": 0x000A, "maker": "skillrom", "product": BUILD, "serial": "",
                        "classes": [0xEF, 2, 10]}, found


def a_host_that_stops_reading_loses_nothing():
    count = 40
    with Pico() as pico:
        long = pico.up().long_response()
        pico.usb("stop")
        pico.line.sendall(line_bytes(SKILL) * count + PING % 1)
        pico.emulator.query("info instructions")
        pico.usb("read")
        came = pico.until(PONG % 1)
        assert came == long * count + PONG % 1, (len(came), len(long))


def a_program_that_closes_the_port_takes_its_answer_with_it():
    with Pico() as pico:
        pico.up().long_response()
        pico.usb("stop")
        pico.line.sendall(line_bytes(SKILL) * 3)
        pico.usb("close")
        pico.usb("open")
        pico.usb("read")
        left = pico.until(b"\n" + READY)
        assert len(left) <= 64 * 2 + 1 + len(READY), left  # what was in the controller, and not a byte more
        pico.until(PONG % 2, PING % 2)


def a_program_that_only_opens_the_port_hears_the_greeting_and_nothing_else():
    with Pico() as pico:
        pico.up().until(PONG % 1, PING % 1)
        for _ in range(3):
            pico.usb("close")
            pico.usb("open")
            assert pico.until(READY) == b"\n" + READY


def half_a_request_is_gone_with_the_program_that_sent_it():
    with Pico() as pico:
        pico.up().line.sendall(b'{"jsonrpc":"2.0","id":5,"meth')
        pico.usb("close")
        pico.usb("open")
        pico.until(READY)
        assert pico.until(PONG % 1, PING % 1) == PONG % 1


def the_plug_may_be_pulled_in_the_middle_of_an_answer():
    with Pico() as pico:
        long = pico.up().long_response()
        for _ in range(3):
            pico.usb("stop")
            pico.line.sendall(line_bytes(SKILL) * 3)
            pico.usb("unplug")
            pico.usb("read")
            pico.usb("plug")
            pico.until(READY)
            assert pico.long_response() == long


def a_megabyte_in_each_direction_arrives():
    """Lines of noise, which are answered one by one, as a megabyte goes in; then responses of a megabyte come out."""
    with Pico() as pico:
        long = pico.up().long_response()
        lines = MEGABYTE // 512
        noise = b"".join(b'{"jsonrpc":"2.0","method":"notifications/x","params":{"_meta":{"n":"%s"}}}\n' % (b"%0430d" % n)
                         for n in range(lines))
        before = int(pico.emulator.query("info instructions"))
        assert pico.until(PONG % 1, noise + PING % 1) == PONG % 1
        after_in = int(pico.emulator.query("info instructions"))
        count = MEGABYTE // len(long) + 1
        came = pico.until(PONG % 2, line_bytes(SKILL) * count + PING % 2)
        after_out = int(pico.emulator.query("info instructions"))
        assert came == long * count + PONG % 2, (len(came), count * len(long))
        print(f"   in: {len(noise)} bytes, {(after_in - before) * 1024 // len(noise)} instructions per KB;"
              f" out: {len(came)} bytes, {(after_out - after_in) * 1024 // len(came)} per KB")


def terminal_on(line):
    """The name of a pseudo-terminal whose other end is `line`."""
    master, slave = pty.openpty()
    tty.setraw(slave)

    def carry(get, put):
        try:
            while data := get():
                put(data)
        except OSError:
            pass  # the test is over

    for ends in ((lambda: os.read(master, 4096), line.sendall), (lambda: line.recv(4096), lambda data: os.write(master, data))):
        threading.Thread(target=carry, args=ends, daemon=True).start()
    return os.ttyname(slave)


def shown_by_linux(folder, found):
    """A folder like /sys/class/tty with ttyACM0 in it: the names of the USB device are in the folder above its interface."""
    device = pathlib.Path(folder) / "devices/1-1"
    port = device / "1-1:1.0/tty/ttyACM0"
    port.mkdir(parents=True)
    (device / "product").write_text(found["product"] + "\n")
    (device / "manufacturer").write_text(found["maker"] + "\n")
    (port / "device").symlink_to("../..")
    shown = pathlib.Path(folder) / "class"
    shown.mkdir()
    (shown / "ttyACM0").symlink_to(port)
    return str(shown)


def the_bridge_finds_it_by_itself():
    """`skillrom bridge` without arguments, in a view of this machine where Linux shows such a port. The kernel's own driver for it
    is the one part that is not here."""
    with Pico() as pico, scratch_folder() as folder:
        shown = shown_by_linux(folder, json.loads(pico.up().usb("info")))
        name = terminal_on(pico.line)
        view = ["bwrap", "--die-with-parent", "--bind", "/", "/", "--tmpfs", "/dev", "--dev-bind", "/dev/pts", "/dev/pts", "--dev-bind", "/dev/urandom",
                "/dev/urandom", "--symlink", name, "/dev/ttyACM0", "--bind", shown, "/sys/class/tty", SKILLROM]
        with Stdio(*view, "find") as listing:
            listing.exit_code()
            line = listing.lines.get()
            check(line.split() == [b"/dev/ttyACM0", b"rp2040-pico"], f"the port is listed with its name: {line}")
        with Stdio(*view, "bridge", "--no-cache") as bridge:
            response = bridge.exchange(modern("resources/read", uri="skill://tend-plant/SKILL.md"))
            check("# " in response["result"]["contents"][0]["text"], response)
            response = bridge.exchange(modern("tools/call", name="set_lamp", arguments={"lamp": 1, "on": True}))
            check("lamp 1 on" in response["result"]["content"][0]["text"], response)


TESTS = [describes_itself, a_host_that_stops_reading_loses_nothing, a_program_that_closes_the_port_takes_its_answer_with_it,
         a_program_that_only_opens_the_port_hears_the_greeting_and_nothing_else,
         half_a_request_is_gone_with_the_program_that_sent_it, the_plug_may_be_pulled_in_the_middle_of_an_answer,
         a_megabyte_in_each_direction_arrives, the_bridge_finds_it_by_itself]


def main():
    tally = Tally()
    for test in TESTS:
        tally.test(f"{BUILD}: {test.__name__.replace('_', ' ')}", test)
    return tally.finish()


if __name__ == "__main__":
    sys.exit(main())
