"""device.py - a device in a network that can be killed and started again at the same place; and what is between it and us."""

import contextlib
import json
import queue
import signal
import socket
import threading

from client.check import PATIENCE, Failed, afterwards, check
from client.child import Server
from client.mcp import line_bytes
from client.programs import CONFORMANCE_DEVICE, EXAMPLE_IMAGE, PUMP

FIXTURE = (CONFORMANCE_DEVICE, "build/conformance.rom")


class Networked:
    """The example device. `urls` are where it is: lines over TCP, then HTTP."""

    def __init__(self, *options, program=PUMP, image=EXAMPLE_IMAGE):
        self.program, self.options = program, options
        self.addresses = ["127.0.0.1:0", "127.0.0.1:0"]
        self.start(image)
        self.addresses = [f"127.0.0.1:{port}" for port in self.server.ports]

    @property
    def tcp(self):
        return f"tcp://{self.addresses[0]}"

    @property
    def http(self):
        return f"http://{self.addresses[1]}"

    @property
    def urls(self):
        return self.tcp, self.http

    def start(self, image=EXAMPLE_IMAGE):
        self.server = Server(self.program, image, "--tcp", self.addresses[0], "--http", self.addresses[1], *self.options)

    def kill(self):
        """kill -9: nobody says good-bye."""
        self.server.signal(signal.SIGKILL)
        self.server.exit_code()

    def stop(self):
        """It takes connections, but does nothing more."""
        self.server.signal(signal.SIGSTOP)

    def go_on(self):
        self.server.signal(signal.SIGCONT)


def hang_up(*ends):
    for end in ends:
        try:
            end.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


class Between:
    """Passes on what comes from the server, up to so many bytes on each connection in turn; then everything."""

    def __init__(self, port, limits=()):
        self.port, self.limits, self.ends = port, list(limits), []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self.listener.getsockname()[1]}"
        afterwards(self.listener.close)
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            try:
                near, _ = self.listener.accept()
            except OSError:
                return
            far = socket.create_connection(("127.0.0.1", self.port))
            self.ends += [near, far]
            limit = self.limits.pop(0) if self.limits else None
            threading.Thread(target=self.pass_on, args=(near, far, None), daemon=True).start()
            threading.Thread(target=self.pass_on, args=(far, near, limit), daemon=True).start()

    def pass_on(self, one, other, left):
        try:
            while left is None or left > 0:
                data = one.recv(4096 if left is None else min(left, 4096))
                if not data:
                    break
                other.sendall(data)
                left = None if left is None else left - len(data)
        except OSError:
            pass
        hang_up(one, other)

    def cut(self):
        """Ends every connection there is now."""
        hang_up(*self.ends)


class Puppet:
    """A device with lines over TCP that says nothing by itself, but for the first question of a bridge: a test takes what comes by
    next(), in the order in which it came, and says what it likes when it likes."""

    def __init__(self):
        self.got, self.peer = queue.Queue(), None
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"tcp://127.0.0.1:{self.listener.getsockname()[1]}"
        afterwards(self.listener.close)
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        self.peer, _ = self.listener.accept()
        with contextlib.suppress(ConnectionResetError):  # a bridge that ends before it has read everything
            for line in self.peer.makefile("rb"):
                message = json.loads(line)
                if message.get("method") == "server/discover":
                    self.respond(message, {})
                else:
                    self.got.put(message)

    def next(self, method=None):
        """What has come next; a request must have this method, a reply has none."""
        try:
            message = self.got.get(timeout=PATIENCE)
        except queue.Empty:
            raise Failed(f"nothing comes instead of {method}") from None
        check(message.get("method") == method, f"{message} instead of {method}")
        return message

    def send(self, message):
        self.peer.sendall(line_bytes(message))

    def respond(self, request, result):
        self.send({"jsonrpc": "2.0", "id": request["id"], "result": result})
