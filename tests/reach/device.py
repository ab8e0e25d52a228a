"""device.py - a device in a network that can be killed and started again at the same place."""

import signal

from client.child import Server
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
