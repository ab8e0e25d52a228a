"""broker.py - Mosquitto as Debian has it, on a free port of this machine, with a configuration of its own."""

import os
import socket

from client.check import check
from client.child import Child

MOSQUITTO = "/usr/sbin/mosquitto"


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Broker:
    """Runs from the start. `lines` are added to its configuration; without `anonymous` everybody needs a name. Killed and started
    again it has the same port."""

    def __init__(self, folder, *lines, anonymous=True):
        self.port = free_port()
        self.url = f"mqtt://127.0.0.1:{self.port}"
        self.file = os.path.join(folder, f"mosquitto-{self.port}.conf")
        with open(self.file, "w") as file:
            file.write("\n".join([f"listener {self.port} 127.0.0.1", f"allow_anonymous {str(anonymous).lower()}", "user root",
                                  *lines, ""]))
        self.start()

    def start(self):
        self.child = Child(MOSQUITTO, "-c", self.file)
        self.child.wait_for("running")

    def kill(self):
        self.child.kill()

    def memory_kb(self):
        with open(f"/proc/{self.child.process.pid}/status") as status:
            return int(next(line.split()[1] for line in status if line.startswith("VmRSS")))


def need():
    check(os.path.exists(MOSQUITTO), "mosquitto is missing; run: tools/install-packages test")
