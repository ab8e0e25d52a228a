#!/usr/bin/env python3
"""resets.py - what a reset of a board in QEMU leaves of its connections (boards/net/resume.c)

usage: tests/boards/net/resets.py BUILD        in the top folder, after `make net-programs`

The peer is ethernet.py: it sees every segment, and nothing between it and the board closes or opens a connection of its own accord.
The last line is "N passed, N failed".
"""
import pathlib
import struct
import subprocess
import sys

sys.dont_write_bytecode = True  # leave no files beside the sources

from board import HTTP_PORT, LINE_PORT, Board
from client.check import Tally, check
from client.emulator import symbols
from client.mcp import PING, http_bytes
from client.programs import scratch_folder
from ethernet import ACK, BOARD_IP, OUR_IP, PSH, Client, Network
from segments import LINE, PINGED, whole
from storms import READ

SEVERAL = 3
FIRST_PORT = 40001  # of ethernet.py's first client


class Place:
    """A board and its cable."""

    def __init__(self, build, *extra, elf=None):
        self.network = Network()
        self.board = Board(build, elf or f"build/{build}/program.elf", "build/example.rom", network=self.network, extra=extra)

    def client(self, ip=7):
        return Client(self.network, HTTP_PORT, ip=bytes([10, 0, 2, ip]))

    def restart(self):
        self.board.wait_for_rest()
        self.board.restart()


def ping(client):
    """Asks on this connection, and looks at what comes for this alone."""
    client.received = b""
    client.send(http_bytes(PING))
    check(client.until(whole(1)) == PINGED, f"{client.received!r}; ended: {client.ended}")


def idle_ones_go_on(place):
    """connections that wait for their next request go on, three resets long"""
    clients = [place.client(ip) for ip in (7, 7, 8)]
    for client in clients:
        ping(client)
    for _ in range(SEVERAL):
        place.restart()
        for client in clients:
            ping(client)
    for client in clients:
        client.finish()
        client.until(lambda _: False)
        check(not client.lost, "no orderly end")


def long_responses_follow(place):
    """what was sent before does not matter: a file, a reset, the same file"""
    client = place.client()
    client.send(http_bytes(READ))
    before = client.until(whole(1))
    place.restart()
    client.received = b""
    client.send(http_bytes(READ))
    check(client.until(whole(1)) == before, "another answer")
    client.reset()


def asked_while_it_is_down(place):
    """a request that is sent while the board is down is answered when it is up"""
    client = place.client()
    ping(client)
    place.board.wait_for_rest()
    place.board.emulator.reset_and_hold()
    client.segment(ACK | PSH, http_bytes(PING))
    place.board.emulator.release()
    place.board.wait_for(rb": ready[^\n]*\n")
    ping(client)
    client.reset()


def twice_in_a_row(place):
    """two resets and nothing in between"""
    client = place.client()
    ping(client)
    place.restart()
    place.restart()
    ping(client)
    client.reset()


def others_are_notified(place):
    """clients of lines and of half a request are told immediately that their connections are gone, each of them of one machine"""
    line, halves = Client(place.network, LINE_PORT, ip=bytes([10, 0, 2, 8])), [place.client() for _ in range(2)]
    line.send(LINE)
    line.until(lambda data: b"\n" in data)
    for half in halves:
        half.send(http_bytes(PING)[:40])
        while half.flying:
            half.receive()
    place.restart()
    for client in (line, *halves):
        client.until(lambda _: False)
        check(client.lost, "not command_result")


def nothing_is_done_twice(place):
    """a request whose response has not arrived is not answered again"""
    client = place.client()
    request = http_bytes(READ)
    client.segment(ACK | PSH, request)
    while len(place.network.frame(lambda: None)) < 200:  # the response, which nobody acknowledges
        pass
    place.board.restart()
    client.until(lambda _: False)
    check(client.lost and not client.received, "the connection goes on")
    client.lost = client.ended = False
    client.segment(ACK | PSH, request)
    client.until(lambda _: False)
    check(client.lost and not client.received, "answered again")


SCENES = [idle_ones_go_on, long_responses_follow, asked_while_it_is_down, twice_in_a_row, others_are_notified, nothing_is_done_twice]


def after_power_on(build, folder):
    """what is in RAM at power-on is taken for no connection"""
    elf, bare, noise = f"build/{build}/program.elf", folder / "program.elf", folder / "noise.bin"
    address = symbols(elf)["remembered"]
    subprocess.run(["arm-none-eabi-objcopy", "-R", ".noinit", elf, bare], check=True)  # its place is the noise's now
    looks_real = BOARD_IP + OUR_IP + struct.pack("<IIHHI", 1, 2, HTTP_PORT, FIRST_PORT, 536)
    noise.write_bytes(looks_real * 4 + bytes(4) + b"\xff" * 4)  # loaded again by each reset; only the sum is wrong
    place = Place(build, "-device", f"loader,file={noise},addr={address:#x},force-raw=on", elf=bare)
    client = Client(place.network, HTTP_PORT)
    check(client.ours == FIRST_PORT, "not the port that looks real")
    ping(client)
    place.restart()
    client.send(http_bytes(PING))
    client.until(lambda _: False)
    check(client.lost, "goes on with a connection that it cannot know")
    ping(place.client())
    place.board.stop()


def main(arguments):
    if len(arguments) != 1:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    build, tally = arguments[0], Tally()
    place = Place(build)

    def run(scene):
        scene(place)
        leaks = place.board.wait_until_free()
        check(not leaks, f"not free again: {leaks}")

    for scene in SCENES:
        tally.test(f"{build}: {scene.__doc__}", run, scene)
    place.board.stop()
    with scratch_folder() as folder:
        tally.test(f"{build}: {after_power_on.__doc__}", after_power_on, build, pathlib.Path(folder))
    return tally.finish()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
