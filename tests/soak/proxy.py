"""proxy.py - the way between the bridge and its device, which breaks: connections are cut, reset and held up as dice say."""

import random
import select
import socket
import struct
import threading

from client.check import afterwards


class Proxy:
    """Passes connections to `port` on to `target`. While `breaks`, it breaks them, `broken` of them so far; while `holds`, nothing passes."""

    def __init__(self, target, seed):
        self.target, self.dice, self.breaks, self.broken, self.ended = target, random.Random(seed), False, 0, False
        self.holds = False
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()
        afterwards(self.end)

    def end(self):
        self.ended = True
        self.listener.close()

    def accept(self):
        while not self.ended:
            try:
                near = self.listener.accept()[0]
                far = socket.create_connection(("127.0.0.1", self.target), timeout=5)
            except OSError:
                continue
            threading.Thread(target=self.carry, args=(near, far), daemon=True).start()

    def carry(self, near, far):
        with near, far:
            while not self.ended:
                ready, _, _ = select.select([] if self.holds else [near, far], [], [], 0.05 if self.holds else 0.2)
                for end in ready:
                    try:
                        data = end.recv(65536)
                    except OSError:
                        data = b""
                    if not data or not self.pass_on(data, far if end is near else near):
                        return

    def pass_on(self, data, to):
        """False when the connection is over."""
        breaks = self.breaks and self.dice.random() < 0.01
        if breaks:
            self.broken += 1
            data = data[:self.dice.randrange(len(data))]
        try:
            to.sendall(data)
        except OSError:
            return False
        if breaks and self.dice.random() < 0.5:
            to.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        return not breaks
