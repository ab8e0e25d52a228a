#!/usr/bin/env python3
"""bench.py - requests a second and round trips over the emulated Ethernet, beside a bare lwIP echo on the same board

usage: tests/net/bench.py BUILD...     in the top folder; `make bench-net` builds what it needs

The echo sends back 200 bytes and is the limit: the same firmware, controller, driver, lwIP, emulator and client
(echo.c). A long answer cannot be as fast as that on any board, so beside each request stands what the echo takes for a
request and an answer of the same lengths, without HTTP, JSON and MCP. They take turns, so that what else the machine
does hits all. Times are of this machine today; the ratios are what to compare.
"""
import json
import statistics
import sys
import time

sys.dont_write_bytecode = True  # leave no files beside the sources

from board import HTTP_PORT, Board
from client.mcp import PING, http_bytes, request
from segments import whole

ROUNDS, TIMES = 60, 10
AIM = 3.0  # times the echo's round trip, as the median


REQUESTS = {
    "ping": PING,
    "tools/list": request(1, "tools/list"),
    "skills/list": request(1, "skills/list"),
    "resources/read, 5 KB": request(1, "resources/read", uri="skill://manual/SKILL.md"),
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


def bare(length, answer):
    """The job of the echo that is as long as a request and its answer."""
    request = str(answer).encode()
    return request + b"." * (length - len(request) - 1) + b"\n", lambda data: len(data) >= answer


def bench(build):
    board = Board(build, f"build/{build}/echo.elf", "build/net/bench.rom", ports=(HTTP_PORT, 7))
    echo = board.connect(7).socket
    jobs = {"echo": (echo, b"e" * 200, lambda data: len(data) >= 200)}
    measure(*jobs["echo"])  # before QEMU's network knows the board, it loses a second connection's first packet
    link, sizes = board.connect().socket, {"echo": 200}
    for name, message in REQUESTS.items():
        jobs[name] = (link, http_bytes(message), whole(1))
        _, sizes[name] = measure(*jobs[name])
        jobs[f"bare {name}"] = (echo, *bare(len(jobs[name][1]), sizes[name]))
    times = {name: [] for name in jobs}
    for _ in range(ROUNDS):
        for name, job in jobs.items():
            times[name] += measure(*job)[0]
    board.emulator.kill()
    median = {name: statistics.median(taken) for name, taken in times.items()}
    print(f"{build}, one connection, {ROUNDS * TIMES} round trips each")
    print(f"  {'':24}{'bytes':>8}{'per s':>9}{'p50 ms':>9}{'p99 ms':>9}{'/ echo':>9}{'bare / echo':>13}{'/ bare':>9}")
    for name in ("echo", *REQUESTS):
        limit = median.get(f"bare {name}", median["echo"])
        late = sorted(times[name])[int(len(times[name]) * 0.99)]
        print(f"  {name:24}{sizes[name]:8}{1 / statistics.mean(times[name]):9.0f}{median[name] * 1e3:9.3f}{late * 1e3:9.3f}"
              f"{median[name] / median['echo']:9.2f}{limit / median['echo']:13.2f}{median[name] / limit:9.2f}")
    for against in ("echo", "bare"):
        slow = [name for name in REQUESTS
                if median[name] > AIM * median["echo" if against == "echo" else f"bare {name}"]]
        print(f"  p50 within {AIM:g} times the {'echo of 200 bytes' if against == 'echo' else 'echo of the same lengths'}: "
              f"{'missed by ' + ', '.join(slow) if slow else 'met'}")
    print(flush=True)
    return {name: taken / median["echo"] for name, taken in median.items()}


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
