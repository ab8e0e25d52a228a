"""What the tests of port/posix share: an image to serve, the real program as a child, a client for
each wire, and a runner that prints one line a test. Standard library only.

Waits end when the awaited thing happens; PATIENCE only bounds a failure. No test measures time."""

import json
import os
import re
import resource
import select
import signal
import socket
import subprocess
import sys
import tempfile
import time
import traceback

PATIENCE = 60
VERSION = "2026-07-28"
BIG_URI = "skill://big-file/assets/big.txt"
BIG_LINE = 'line %07d "quoted" \\ and a tab\t\n'
BIG_LINES = 300000  # some 12 MB as JSON: more than the system buffers between two sockets


def big_text():
    return "".join(BIG_LINE % i for i in range(BIG_LINES))


class Failed(Exception):
    pass


def check(condition, why):
    if not condition:
        raise Failed(why)


def until(happened, what):
    """Asks again until it has happened."""
    end = time.monotonic() + PATIENCE
    while not happened():
        check(time.monotonic() < end, f"waited in vain until {what}")
        time.sleep(0.005)


# ---- The image ----


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.write(text)


def pack_image(skillrom, folder):
    """Three skills, one of them with a large file."""
    device = os.path.join(folder, "device")
    for name in ("big-file", "second-skill", "third-skill"):
        text = f"---\nname: {name}\ndescription: For tests of a port.\n---\nNothing.\n"
        write(f"{device}/skills/{name}/SKILL.md", text)
    write(f"{device}/skills/big-file/assets/big.txt", big_text())
    image = os.path.join(folder, "test.rom")
    subprocess.run([skillrom, "pack", device, "-o", image], check=True, stdout=subprocess.DEVNULL)
    return image


def pack_tools(skillrom, folder, name, tools):
    """A device with tools."""
    device = os.path.join(folder, name)
    write(f"{device}/device.json", '{"name": "tools", "version": "1"}')
    for tool in tools:
        about = {"name": tool, "description": "For tests of a port.", "inputSchema": {"type": "object"}}
        write(f"{device}/tools/{tool}.json", json.dumps(about))
    subprocess.run([skillrom, "pack", device, "-o", f"{device}.rom"], check=True, stdout=subprocess.DEVNULL)


# ---- Requests and answers ----


def request(id, method="server/discover", **params):
    params["_meta"] = {
        "io.modelcontextprotocol/protocolVersion": VERSION,
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    return {"jsonrpc": "2.0", "id": id, "method": method, "params": params}


def read_big(id):
    return request(id, "resources/read", uri=BIG_URI)


def line_bytes(message):
    return json.dumps(message).encode() + b"\n"


def http_bytes(message, host="localhost", path="/mcp", extra=""):
    body = json.dumps(message)
    head = (
        f"POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n"
        f"Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: {VERSION}\r\n"
        f"Mcp-Method: {message['method']}\r\n"
    )
    if "uri" in message["params"]:
        head += f"Mcp-Name: {message['params']['uri']}\r\n"
    return (head + extra + f"Content-Length: {len(body)}\r\n\r\n" + body).encode()


def check_answer(message, id):
    check(message.get("id") == id, f"id {message.get('id')!r} instead of {id!r}")
    check("result" in message, f"no result: {json.dumps(message)[:300]}")


def check_big(message, id):
    check_answer(message, id)
    check(message["result"]["contents"][0]["text"] == big_text(), "the large file came out different")


# ---- The program ----


def allow_descriptors(count):
    return lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (count, count))


class Server:
    """skillromd with sockets. `with Server(program, image, "--http", "127.0.0.1:0") as s: s.ports[0]`"""

    def __init__(self, program, image, *arguments, descriptors=None):
        self.child = subprocess.Popen(
            [program, image, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            preexec_fn=allow_descriptors(descriptors) if descriptors else None,
        )
        wanted = sum(a.startswith(("--http", "--tcp")) for a in arguments)
        self.said = []
        self.ports = []
        while len(self.ports) < wanted:
            line = self.child.stderr.readline().decode()
            check(line, f"ended before it was ready: {self.said}")
            self.said.append(line)
            where = re.search(r"serving .* at (?:http|tcp)://.*:(\d+)(/\S*)?$", line)
            if where:
                self.ports.append(int(where.group(1)))

    def __enter__(self):
        return self

    def __exit__(self, *why):
        if self.child.poll() is None:
            self.child.send_signal(signal.SIGKILL)
        self.child.wait()
        self.child.stdout.close()
        self.child.stderr.close()

    def signal(self, number=signal.SIGTERM):
        self.child.send_signal(number)

    def exit_code(self):
        return self.child.wait(PATIENCE)

    def cpu_ticks(self):
        with open(f"/proc/{self.child.pid}/stat") as stat:
            fields = stat.read().rsplit(")", 1)[1].split()
        return int(fields[11]) + int(fields[12])

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.child.pid}/fd"))


class Client:
    """A socket, and what has come on it but was not yet asked for."""

    def __init__(self, port, receive_buffer=None, host="127.0.0.1", source=None):
        self.socket = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
        if source:
            self.socket.bind((source, 0))
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.settimeout(PATIENCE)
        self.socket.connect((host, port))
        self.buffer = b""

    def __enter__(self):
        return self

    def __exit__(self, *why):
        self.socket.close()

    def send(self, data):
        self.socket.sendall(data)

    def more(self, size=65536):
        data = self.socket.recv(size)
        check(data, f"closed after {self.buffer[:200]!r}")
        self.buffer += data

    def take(self, n):
        data, self.buffer = self.buffer[:n], self.buffer[n:]
        return data

    def line(self):
        while b"\n" not in self.buffer:
            self.more()
        return json.loads(self.take(self.buffer.index(b"\n") + 1))

    def http(self, size=65536):
        """The next response: status, headers in lower case, body."""
        while b"\r\n\r\n" not in self.buffer:
            self.more(size)
        head = self.take(self.buffer.index(b"\r\n\r\n") + 4).decode().split("\r\n")
        headers = {k.lower(): v.strip() for k, v in (h.split(":", 1) for h in head[1:] if h)}
        if headers.get("transfer-encoding", "").lower() == "chunked":
            body = self.chunks(size)
        else:
            body = self.body(int(headers.get("content-length", 0)), size)
        return int(head[0].split()[1]), headers, body

    def body(self, length, size):
        parts = [self.take(length)]
        left = length - len(parts[0])
        while left > 0:
            parts.append(self.socket.recv(min(size, left)))
            check(parts[-1], f"closed with {left} bytes of the body to come")
            left -= len(parts[-1])
        return b"".join(parts)

    def chunks(self, size):
        parts = []
        while True:
            while b"\r\n" not in self.buffer:
                self.more(size)
            length = int(self.take(self.buffer.index(b"\r\n") + 2).split(b";")[0], 16)
            parts.append(self.body(length + 2, size)[:-2])
            if length == 0:
                return b"".join(parts)

    def ask(self, id):
        """A whole HTTP exchange."""
        self.send(http_bytes(request(id)))
        self.check_http(id)

    def check_http(self, id):
        status, _, body = self.http()
        check(status == 200, f"status {status}: {body[:200]!r}")
        check_answer(json.loads(body), id)

    def check_closed(self):
        """Nothing more comes, and then the end: orderly or by reset."""
        try:
            data = self.buffer + self.socket.recv(65536)
        except ConnectionResetError:
            data = b""
        check(data == b"", f"{data[:200]!r} instead of the end")

    def check_ends(self):
        """The end comes in order, not by a reset."""
        data = self.buffer + self.socket.recv(65536)
        check(data == b"", f"{data[:200]!r} instead of the end")

    def is_readable(self):
        return bool(select.select([self.socket], [], [], 0)[0])


# ---- The runner ----


class Suite:
    """Collects the functions marked with it, and runs them in order."""

    def __init__(self):
        self.tests = []

    def __call__(self, function):
        self.tests.append(function)
        return function

    def run(self, program, image):
        failed = 0
        for test in self.tests:
            try:
                test(program, image)
                print(f"ok {test.__name__}", flush=True)
            except Exception as error:
                failed += 1
                print(f"not ok {test.__name__}: {error!r}", flush=True)
                if not isinstance(error, Failed):
                    traceback.print_exc(file=sys.stderr)
        return len(self.tests) - failed, failed


def scratch_folder():
    return tempfile.TemporaryDirectory(prefix="skillrom-port-")
