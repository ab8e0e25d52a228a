"""Requests per second of the example device and of a server that answers with constant bytes, side by side.

The servers share one core, the load has another. Rounds are short and alternate, and the ratio is the median
over pairs of neighbours: what else the machine does meets both alike. The processor time that the server
itself used for a request is shown as well, that of its least disturbed round."""

import os
import re
import socket
import statistics
import subprocess
import time

import bench

ROUNDS = 15
ROUND_MS = 200
CONNECTIONS = (1, 8, 32, 128)


def two_cores():
    cores = sorted(os.sched_getaffinity(0))
    return cores[0], cores[-1]


def pinned(core, *command):
    return ["taskset", "-c", str(core), *command]


def exchange(port, request):
    """The bytes of the response to one request."""
    with socket.create_connection(("127.0.0.1", port)) as link:
        link.sendall(request)
        response = b""
        while True:
            more = link.recv(1 << 20)
            if not more:
                raise bench.Failed(f"the server closed after {response[:500]}")
            response += more
            head, end, body = response.partition(b"\r\n\r\n")
            if end and len(body) == int(re.search(rb"\r\nContent-Length: (\d+)", head).group(1)):
                return response


class Server:
    """A server under measurement, by its port and its process."""

    def __init__(self, command, stream, pattern):
        self.child = subprocess.Popen(command, **{stream: subprocess.PIPE})
        line = getattr(self.child, stream).readline().decode()
        self.port = int(re.search(pattern, line).group(1))

    def __enter__(self):
        return self

    def __exit__(self, *why):
        self.child.kill()
        self.child.wait()
        for stream in (self.child.stdout, self.child.stderr):
            if stream:
                stream.close()

    def cpu_ns(self):
        with open(f"/proc/{self.child.pid}/schedstat") as stat:
            return int(stat.read().split()[0])


def example(core, image):
    command = pinned(core, bench.PUMP_128, image, "--http", "127.0.0.1:0")
    return Server(command, "stderr", r"at http://127\.0\.0\.1:(\d+)/")


def constant(core, response):
    return Server(pinned(core, bench.CONSTANT, bench.keep("answer", response)), "stdout", r"(\d+)")


def one_round(server, core, connections, request_file):
    """Requests per second, microseconds of the server's processor time for each, and how many of them 99 % took at most."""
    before = server.cpu_ns()
    command = pinned(core, bench.LOAD, str(server.port), str(connections), str(ROUND_MS), request_file)
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise bench.Failed(done.stderr)
    responses, nanoseconds, late_ns = map(int, done.stdout.split())
    return responses * 1e9 / nanoseconds, (server.cpu_ns() - before) / 1000 / responses, late_ns / 1000


def compare(ours, theirs, core, connections, request_file):
    """A row: requests per second of both, their ratio, processor time and 99th percentile of both."""
    pairs = []
    for number in range(ROUNDS):
        order = (ours, theirs) if number % 2 == 0 else (theirs, ours)
        result = {server: one_round(server, core, connections, request_file) for server in order}
        pairs.append((*result[ours], *result[theirs]))
    our_speed, our_cpu, our_late, their_speed, their_cpu, their_late = zip(*pairs)
    ratio = statistics.median(ours / theirs for ours, theirs in zip(our_speed, their_speed))
    middle = statistics.median
    return middle(our_speed), middle(their_speed), ratio, min(our_cpu), min(their_cpu), middle(our_late), middle(their_late)


def measure():
    """Rows of request, connections, and what compare() gives."""
    image = bench.make_image(20, manual=True)
    server_core, load_core = two_cores()
    rows = []
    with example(server_core, image) as ours:
        session = bench.session_of(exchange(ours.port, bench.http_bytes(bench.INITIALIZE)))
        cases = (
            ("ping", bench.http_bytes(bench.PING, session)),
            ("skills/list, 20 skills", bench.http_bytes(bench.modern("skills/list"))),
            ("resources/read, 5 KB", bench.http_bytes(bench.modern("resources/read", uri=bench.MANUAL_URI))),
        )
        for name, request in cases:
            response = exchange(ours.port, request)
            request_file = bench.keep("load.request", request)
            with constant(server_core, response) as theirs:
                for connections in CONNECTIONS:
                    numbers = compare(ours, theirs, load_core, connections, request_file)
                    rows.append((name, len(response), connections, *numbers))
    return rows


def measure_stdio(lines=100000):
    """Rows of request and lines per second that pump --stdio answers when they come without a pause."""
    image = bench.make_image(20, manual=True)
    server_core, _ = two_cores()
    rows = []
    read = bench.modern("resources/read", uri=bench.MANUAL_URI)
    for name, message in (("ping", bench.PING), ("resources/read, 5 KB", read)):
        requests = bench.keep("stdio.requests", bench.line_bytes(message) * lines)
        with open(requests, "rb") as source:
            start = time.monotonic()
            subprocess.run(
                pinned(server_core, bench.PUMP, image),
                stdin=source,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                check=True,
            )
            rows.append((name, lines / (time.monotonic() - start)))
        os.remove(requests)
    return rows
