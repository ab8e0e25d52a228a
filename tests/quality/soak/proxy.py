#!/usr/bin/env python3
"""proxy.py - the way between the bridge and its device, which breaks: connections are cut, reset and held up as dice say

usage: proxy.py PORT SEED     passes connections on to this port; says which port it has itself

A process of its own, as the crowd is. Told "break" on its stdin, it breaks connections until it is told "restore"; told "hold", nothing passes
until it is told "go". It says "done" to each. At the end of its stdin it says how many it has broken."""

import random
import select
import socket
import struct
import sys
import threading


class Proxy:
    def __init__(self, target, seed):
        self.target, self.dice, self.breaks, self.holds, self.broken = target, random.Random(seed), False, False, 0
        self.listener = socket.create_server(("127.0.0.1", 0))

    def accept(self):
        while True:
            near = self.listener.accept()[0]
            try:
                far = socket.create_connection(("127.0.0.1", self.target), timeout=5)
            except OSError:
                near.close()
                continue
            threading.Thread(target=self.carry, args=(near, far), daemon=True).start()

    def carry(self, near, far):
        with near, far:
            while True:
                ready, _, _ = select.select([] if self.holds else [near, far], [], [], 0.05)
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


def main(target, seed):
    proxy = Proxy(int(target), seed)
    threading.Thread(target=proxy.accept, daemon=True).start()
    print(proxy.listener.getsockname()[1], flush=True)
    for word in map(str.strip, sys.stdin):
        if word in ("break", "restore"):
            proxy.breaks = word == "break"
        else:
            proxy.holds = word == "hold"
        print("done", flush=True)
    print(proxy.broken, flush=True)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__.strip())
    main(*sys.argv[1:])
