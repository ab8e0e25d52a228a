#!/usr/bin/env python3
"""bench.py - requests over the emulated Ethernet, in time and in instructions, beside a bare lwIP echo on the same board

usage: tests/boards/net/bench.py BUILD...     in the top folder; `make bench-net` builds what it needs

The echo sends back 200 bytes and is the limit: the same firmware, controller, driver, lwIP, emulator and client
(echo.c). A long response cannot be as fast as that on any board; beside each request stands what the echo takes for a
request and a response of the same lengths, without HTTP, JSON and MCP.

Times are of this machine today. They take turns, one round trip each, so that what else the machine does hits all, and
ratios are of the fastest tenth, which it has hit least; still they are not judged.

Instructions are judged. They are what the board's processor executes in turns of its main loop that have a frame, with QEMU's
clock that counts them (-icount), and come again within a hundredth, however busy this machine is.
The last line is "N passed, N failed".
"""
import statistics
import sys
import time

sys.dont_write_bytecode = True  # leave no files beside the sources

from board import HTTP_PORT, Board
from client.check import Tally, check
from client.mcp import PING, http_bytes, request
from segments import whole

ROUNDS = 600  # round trips of each
COUNTED = 20  # round trips of each whose instructions are counted
SHIFT = 6  # -icount: an instruction takes 64 ns, which is more than a cycle of any board's clock
AIM = 3.0  # times the echo's round trip
READ_AIM = 1.15  # a long response is there to be sent: times the echo of the same lengths

READ = "resources/read, 5 KB"
REQUESTS = {
    "ping": PING,
    "tools/list": request(1, "tools/list"),
    "skills/list": request(1, "skills/list"),
    READ: request(1, "resources/read", uri="skill://manual/SKILL.md"),
}

# What a read may cost beyond the echo of the same lengths, in instructions: a twentieth more than it does.
READ_CEILING = 28300


def exchange(client, request, enough):
    """One round trip: its seconds, and the response."""
    start, data = time.perf_counter(), b""
    client.sendall(request)
    while not enough(data):
        data += client.recv(65536)
    return time.perf_counter() - start, data


def as_long(length):
    """How both clients know that a response is complete, at the same cost."""
    return lambda data: len(data) >= length


def bare(length, response):
    """The request to the echo that is as long as another one, for a response of this length."""
    request = str(response).encode()
    return request + b"." * (length - len(request) - 1) + b"\n"


class Bench:
    """A board with the server and the echo: what can be asked, and how long each response is."""

    def __init__(self, build, extra=()):
        self.board = Board(build, f"build/{build}/echo.elf", "build/net/bench.rom", ports=(HTTP_PORT, 7), extra=extra)
        echo = self.board.connect(7).socket
        self.jobs = {"echo": (echo, b"e" * 200, as_long(200))}
        exchange(*self.jobs["echo"])  # before QEMU's network knows the board, it loses a second connection's first packet
        link, self.sizes = self.board.connect().socket, {"echo": 200}
        for name, message in REQUESTS.items():
            data = http_bytes(message)
            response = exchange(link, data, whole(1))[1]
            check(b'"result":' in response, f"{name} is not answered with a result: {response!r}")
            self.sizes[name] = len(response)
            self.jobs[name] = (link, data, as_long(len(response)))
            self.jobs[f"bare {name}"] = (echo, bare(len(data), len(response)), as_long(len(response)))

    def word(self, name):
        """The value of a variable of the firmware."""
        emulator = self.board.emulator
        return int(emulator.command_result(f"xp /1wx {emulator.symbols[name]:#x}", rb": (0x[0-9a-f]{8})")[1], 16)

    def instructions(self, name):
        exchange(*self.jobs[name])
        before = self.word("busy_cycles")
        for _ in range(COUNTED):
            exchange(*self.jobs[name])
        cycles = (self.word("busy_cycles") - before) % 2**32
        return cycles * 1e9 / self.word("board_hz") / 2**SHIFT / COUNTED

    def end(self):
        self.board.emulator.kill()


def show_times(build):
    bench = Bench(build)
    times = {name: [] for name in bench.jobs}
    for _ in range(ROUNDS):
        for name, job in bench.jobs.items():
            times[name].append(exchange(*job)[0])
    bench.end()
    fast = {name: sorted(taken)[ROUNDS // 10] for name, taken in times.items()}
    print(f"{build}, one connection, {ROUNDS} round trips each; ratios of the fastest tenth")
    print(f"  {'':24}{'bytes':>8}{'per s':>9}{'p10 ms':>9}{'p50 ms':>9}{'p99 ms':>9}{'/ echo':>9}{'bare / echo':>13}{'/ bare':>9}")
    for name in ("echo", *REQUESTS):
        limit = fast.get(f"bare {name}", fast["echo"])
        late = sorted(times[name])[int(ROUNDS * 0.99)]
        print(f"  {name:24}{bench.sizes[name]:8}{1 / statistics.mean(times[name]):9.0f}{fast[name] * 1e3:9.3f}"
              f"{statistics.median(times[name]) * 1e3:9.3f}{late * 1e3:9.3f}"
              f"{fast[name] / fast['echo']:9.2f}{limit / fast['echo']:13.2f}{fast[name] / limit:9.2f}")
    for against in ("echo", "bare"):
        slow = [name for name in REQUESTS if fast[name] > AIM * fast["echo" if against == "echo" else f"bare {name}"]]
        print(f"  within {AIM:g} times the {'echo of 200 bytes' if against == 'echo' else 'echo of the same lengths'}: "
              f"{'missed by ' + ', '.join(slow) if slow else 'met'}")
    ratio = fast[READ] / fast[f"bare {READ}"]
    print(f"  {READ}, within {READ_AIM} times the echo of the same lengths: {'met' if ratio <= READ_AIM else f'missed, {ratio:.2f}'}")


def judge_instructions(build, tally):
    bench = Bench(build, extra=["-icount", f"shift={SHIFT}"])
    print(f"  {'instructions':24}{'':8}{'all':>9}{'bare':>9}{'more':>9}{'/ bare':>9}")
    for name in REQUESTS:
        spent, limit = bench.instructions(name), bench.instructions(f"bare {name}")
        print(f"  {name:32}{spent:9.0f}{limit:9.0f}{spent - limit:9.0f}{spent / limit:9.2f}")
        if name == READ:
            tally.judge(f"{build}: {name} takes {READ_CEILING} instructions more than the echo at most", spent - limit <= READ_CEILING,
                        f"{spent - limit:.0f}")
    bench.end()
    print(flush=True)


def main(arguments):
    if not arguments:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    tally = Tally(quiet=True)
    for build in arguments:
        show_times(build)
        judge_instructions(build, tally)
    return tally.finish()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
