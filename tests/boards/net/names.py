#!/usr/bin/env python3
"""names.py - a board that gets its address by DHCP and answers to its name by mDNS, in QEMU

usage: tests/boards/net/names.py BUILD        in the top folder, after `make net-programs`

QEMU's user network gives the address. It carries no multicast to this machine, so the resolver here sits on the board's
cable beside it: a hub joins both. The last line is "N passed, N failed".
"""
import struct
import sys

sys.dont_write_bytecode = True  # leave no files beside the sources

from board import HTTP_PORT, Board
from client.check import Tally, check
from ethernet import OUR_MAC, Network, checksum
from storms import exchange

GROUP_IP, GROUP_MAC = bytes([224, 0, 0, 251]), bytes.fromhex("01005e0000fb")
RESOLVER_IP = bytes([10, 0, 2, 77])
A, PTR, TXT, SRV = 1, 12, 16, 33


class Hub(Network):
    """The cable ends at QEMU's user network and here."""

    def words(self):
        return ["-netdev", f"user,id=user,restrict=on,hostfwd=tcp:127.0.0.1:0-:{HTTP_PORT}",
                "-netdev", f"socket,id=here,fd={self.board_end.fileno()}",
                "-netdev", "hubport,hubid=0,id=h0,netdev=user", "-netdev", "hubport,hubid=0,id=h1,netdev=here",
                "-nic", "hubport,hubid=0"]


def name_bytes(name):
    return b"".join(bytes([len(label)]) + label.encode() for label in name.split(".")) + b"\0"


def query_mdns(network, name, kind):
    """The records of the answer, as bytes."""
    query = struct.pack("!HHHHHH", 0, 0, 1, 0, 0, 0) + name_bytes(name) + struct.pack("!HH", kind, 1)
    udp = struct.pack("!HHHH", 5353, 5353, 8 + len(query), 0) + query
    ip = struct.pack("!BBHHHBBH", 0x45, 0, 20 + len(udp), 0, 0, 255, 17, 0) + RESOLVER_IP + GROUP_IP
    ip = ip[:10] + struct.pack("!H", checksum(ip)) + ip[12:]
    frame = GROUP_MAC + OUR_MAC + b"\x08\x00" + ip + udp
    again = lambda: network.socket.sendall(struct.pack("!I", len(frame)) + frame)  # noqa: E731
    again()
    while True:
        packet = network.frame(again)
        message = packet[(packet[0] & 15) * 4 + 8:]
        if packet[9] == 17 and packet[20:22] == struct.pack("!H", 5353) and message[2] & 0x80 and message[6:8] != b"\0\0":
            if name_bytes(name)[:-1] in message or kind == A:
                return message


def main(arguments):
    if len(arguments) != 1:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    build = arguments[0]
    hub = Hub()
    board = Board(build, f"build/{build}/program.elf", "build/example.rom", network=hub)
    board.ports = board.forwarded()
    checks = {
        "mDNS knows the address": lambda: bytes([10, 0, 2, 15]) in query_mdns(hub, "skillrom.local", A),
        "mDNS lists the service": lambda: b"\x08skillrom" in query_mdns(hub, "_mcp._tcp.local", PTR),
        "mDNS tells port and path": lambda: b"\x09path=/mcp" in query_mdns(hub, "skillrom._mcp._tcp.local", TXT)
        and struct.pack("!H", HTTP_PORT) in query_mdns(hub, "skillrom._mcp._tcp.local", SRV),
        "HTTP at the address that DHCP gave": lambda: exchange(board, Host="10.0.2.15") == {},
    }
    tally = Tally()
    for what, holds in checks.items():
        tally.test(f"{build}: {what}", lambda: check(holds(), "another answer"))
    board.stop()
    return tally.finish()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
