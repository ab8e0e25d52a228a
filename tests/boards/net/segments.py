#!/usr/bin/env python3
"""segments.py - requests and answers in every segmentation, on a board in QEMU

usage: tests/boards/net/segments.py BUILD        in the top folder, after `make net-programs`

The responses must be the same bytes however the request was cut and however small the segments are that the client
takes. After each connection everything must be free again. The last line is "N passed, N failed".
"""
import sys

sys.dont_write_bytecode = True  # leave no files beside the sources

from board import HTTP_PORT, LINE_PORT, Board
from client.check import Tally
from client.mcp import PING, http_bytes
from ethernet import Client, Network
from storms import PONG, READ

LINE = b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n'
PINGED = b'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 36\r\n\r\n' + PONG[:-1]


def whole(count):
    """True when so many responses are complete."""
    def enough(data):
        found, at = 0, 0
        while (head := data.find(b"\r\n\r\n", at)) >= 0:
            length = int(data[at:head].split(b"Content-Length: ")[1].split(b"\r\n")[0])
            at = head + 4 + length
            found += at <= len(data)
        return found >= count
    return enough


def exchange(network, requests, count, size=None, **how):
    client = Client(network, HTTP_PORT, **how)
    client.send(requests, size)
    response = client.until(whole(count))
    client.finish()
    client.until(lambda _: False)
    return response, client.segments


def check_sizes(network, expected):
    for size in (1, 2, 3, 7, 64, 535, 536, 1072, 1460):
        for name, request, response in (("ping", http_bytes(PING), PINGED), ("read", http_bytes(READ), expected)):
            got, _ = exchange(network, request, 1, size)
            yield f"{name} in segments of {size}", got == response


def check_mss(network, expected):
    for mss in (64, 100, 300, 536, 1071, 1460):
        got, segments = exchange(network, http_bytes(READ), 1, mss=mss)
        yield f"a response of {len(expected)} bytes to a client with MSS {mss}", got == expected and max(segments) <= mss
    for window in (50, 536, 700):
        got, segments = exchange(network, http_bytes(READ), 1, window=window)
        yield f"a response to a client with a window of {window}", got == expected and max(segments) <= window


def check_together(network, expected):
    for size in (1, 50, 536):
        got, _ = exchange(network, http_bytes(PING) * 5 + http_bytes(READ) + http_bytes(PING), 7, size)
        yield f"seven requests back to back, in segments of {size}", got == PINGED * 5 + expected + PINGED
    client = Client(network, LINE_PORT)
    client.send(LINE * 30, 97)
    got = client.until(lambda data: len(data) >= 30 * len(PONG))
    client.reset()
    yield "30 lines in segments of 97", got == PONG * 30


def check_order(network, expected):
    client = Client(network, HTTP_PORT)
    request = http_bytes(READ)
    half = len(request) // 2
    client.segment(24, request[half:], at=client.sent + half)  # the second half comes first
    client.segment(24, request[:half])
    client.segment(24, request[:half])  # and the first twice
    client.segment(24, request[half:], at=client.sent + half)
    client.sent += len(request)
    got = client.until(whole(1))
    client.finish()
    client.until(lambda _: False)
    yield "segments out of order and twice", got == expected
    client = Client(network, LINE_PORT)
    line = LINE.replace(b'"ping"', b'"ping","params":{"_meta":{"x":"' + b"a" * 400 + b'"}}')
    client.segment(24, line[:400])
    client.segment(24, line)  # sent again with what follows it: lwIP hands up empty buffers in front
    client.sent += len(line)
    got = client.until(lambda data: b"\n" in data)
    client.reset()
    yield "a segment that overlaps the one before", got == PONG


def check_peers(network, expected):
    """One address has three of the four slots at most, and lines never all of them (defect 27)."""
    greedy, other = bytes([10, 0, 2, 7]), bytes([10, 0, 2, 8])
    lines = []
    for _ in range(3):
        lines.append(Client(network, LINE_PORT, ip=greedy))
        lines[-1].send(LINE)
        lines[-1].until(lambda data: b"\n" in data)
    fourth = Client(network, HTTP_PORT, ip=greedy)
    fourth.send(http_bytes(PING))
    refused = fourth.until(whole(1))
    got, _ = exchange(network, http_bytes(PING), 1, ip=other)
    for client in (*lines, fourth):
        client.reset()
    yield "a fourth connection of one address is command_result to come back", refused.startswith(b"HTTP/1.1 503 ")
    yield "another address is served beside three lines", got == PINGED


def main(arguments):
    if len(arguments) != 1:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    build, tally, network = arguments[0], Tally(quiet=True), Network()
    board = Board(build, f"build/{build}/program.elf", "build/example.rom", network=network)
    expected, _ = exchange(network, http_bytes(READ), 1)
    for checks in (check_sizes, check_mss, check_together, check_order, check_peers):
        for what, good in checks(network, expected):
            leaks = board.wait_until_free()
            tally.judge(f"{build}: {what}", good and not leaks, f"not free again: {leaks}" if leaks else "another answer")
    board.stop()
    return tally.finish()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
