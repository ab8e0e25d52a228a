#!/usr/bin/env python3
"""bench.py - requests a second and round trips over the emulated Ethernet, beside a bare lwIP echo on the same board

usage: tests/net/bench.py BUILD...     in the top folder; `make bench-net` builds what it needs

The echo sends back 200 bytes and is the limit: the same firmware, controller, driver, lwIP, emulator and client
(echo.c). They take turns, so that what else the machine does hits both. Times are of this machine today; the ratios
are what to compare.
"""
import json
import statistics
import sys
import time

from board import HTTP_PORT, Board
from segments import whole
from storms import META, PING, post

ROUNDS, TIMES = 60, 10
AIM = 3.0  # times the echo's round trip, as the median


def modern(method, **params):
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, "_meta": META}}


REQUESTS = {
    "ping": PING,
    "tools/list": modern("tools/list"),
    "skills/list": modern("skills/list"),
    "resources/read, 5 KB": modern("resources/read", uri="skill://manual/SKILL.md"),
}


def measure(client, request, enough):
    """Seconds of one round trip, TIMES times."""
    times = []
    for _ in range(TIMES):
        start, data = time.perf_counter(), b""
        client.sendall(request)
        while not enough(data):
            data += client.recv(65536)
        times.append(time.perf_counter() - start)
    return times, len(data)


def bench(build):
    board = Board(build, f"build/{build}/echo.elf", "build/net/bench.rom", ports=(HTTP_PORT, 7))
    jobs = {"echo, 200 bytes": (board.connect(7), b"e" * 200, lambda data: len(data) >= 200)}
    measure(*jobs["echo, 200 bytes"])  # before QEMU's network knows the board, it loses a second connection's first packet
    link = board.connect()
    for name, message in REQUESTS.items():
        jobs[name] = (link, post(message), whole(1))
    times, sizes = {name: [] for name in jobs}, {}
    for _ in range(ROUNDS):
        for name, job in jobs.items():
            taken, sizes[name] = measure(*job)
            times[name] += taken
    board.emulator.kill()
    limit = statistics.median(times["echo, 200 bytes"])
    print(f"{build}, one connection, {ROUNDS * TIMES} round trips each")
    print(f"  {'':24}{'bytes':>8}{'per s':>9}{'p50 ms':>9}{'p99 ms':>9}{'p50 / echo':>12}")
    slow = []
    for name, taken in times.items():
        median, late = statistics.median(taken), sorted(taken)[int(len(taken) * 0.99)]
        print(f"  {name:24}{sizes[name]:8}{1 / statistics.mean(taken):9.0f}{median * 1e3:9.3f}{late * 1e3:9.3f}"
              f"{median / limit:12.2f}")
        if median > AIM * limit:
            slow.append(name)
    print(f"  aim: p50 within {AIM:g} times the echo: {'missed by ' + ', '.join(slow) if slow else 'met'}\n", flush=True)
    return {name: statistics.median(taken) / limit for name, taken in times.items()}


def main(arguments):
    if not arguments:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    ratios = {build: bench(build) for build in arguments}
    with open("build/net/bench.json", "w") as file:
        json.dump(ratios, file, indent=1)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
