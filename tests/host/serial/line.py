"""A serial line for tests: two pseudo-terminals, and a thread between them that carries bytes, counts them, and
damages them when told to. The ends have stable names (links), as /dev/serial/by-id has: a cable that is pulled
and plugged in again is a new pseudo-terminal under the old name."""

import os
import pty
import random
import select
import threading
import tty

from client.check import afterwards


class Line:
    """`line.host` and `line.device` are the names of its two ends."""

    def __init__(self, folder, name="line", noise=0, seed=1):
        self.host, self.device = (os.path.join(folder, f"{name}.{end}") for end in ("host", "device"))
        self.noise = noise  # one byte in so many is flipped, dropped or doubled
        self.random = random.Random(seed)
        self.to_device = self.to_host = 0  # bytes that were sent that way
        self.inject = b""  # bytes to put on the line in both directions
        self.lock = threading.Lock()
        self.ends = {}
        self.wake = os.pipe()
        self.stopping = False
        self.plug(self.host)
        self.plug(self.device)
        self.next_damage = self.gap()
        self.thread = threading.Thread(target=self.carry, daemon=True)
        self.thread.start()
        afterwards(self.close)

    def gap(self):
        return self.random.randrange(1, 2 * self.noise) if self.noise else 0

    def plug(self, end):
        """Makes a new pseudo-terminal for this end; the one before, if any, hangs up."""
        master, slave = pty.openpty()
        tty.setraw(slave)
        os.set_blocking(master, False)
        beside = end + ".new"
        if os.path.lexists(beside):
            os.unlink(beside)
        os.symlink(os.ttyname(slave), beside)
        with self.lock:
            self.unplug(end)
            os.rename(beside, end)
            self.ends[end] = (master, slave)  # the slave stays open, or the master would see errors between users
        os.write(self.wake[1], b"x")

    def unplug(self, end):
        if end in self.ends:
            for fd in self.ends.pop(end):
                os.close(fd)
            if os.path.lexists(end):
                os.unlink(end)

    def pull(self, end):
        with self.lock:
            self.unplug(end)
        os.write(self.wake[1], b"x")

    def damage(self, data):
        if not self.noise:
            return data
        out = bytearray()
        for byte in data:
            self.next_damage -= 1
            if self.next_damage > 0:
                out.append(byte)
                continue
            self.next_damage = self.gap()
            how = self.random.randrange(3)
            if how == 0:
                out.append(byte ^ 1 << self.random.randrange(8))
            elif how == 1:
                out += bytes([byte, byte])
        return bytes(out)

    def carry(self):
        pending = {self.host: b"", self.device: b""}  # to be written to that end
        while not self.stopping:
            with self.lock:
                ends = dict(self.ends)
                if self.inject:
                    for end in pending:
                        pending[end] += self.inject
                    self.inject = b""
            masters = {ends[e][0]: e for e in ends}
            full = [m for m, e in masters.items() if pending[e]]
            readable = [m for m, e in masters.items() if len(pending[self.other(e)]) < 4096]
            try:
                r, w, _ = select.select(readable + [self.wake[0]], full, [], 1)
            except OSError:
                continue
            if self.wake[0] in r:
                os.read(self.wake[0], 4096)
                continue
            with self.lock:
                for master in w:
                    self.put(master, masters[master], pending)
                for master in r:
                    self.get(master, masters[master], pending)

    def other(self, end):
        return self.device if end == self.host else self.host

    def get(self, master, end, pending):
        if self.ends.get(end, (None,))[0] != master:
            return
        try:
            data = os.read(master, 4096)
        except OSError:
            return
        if end == self.host:
            self.to_device += len(data)
        else:
            self.to_host += len(data)
        other = self.other(end)
        if other in self.ends:
            pending[other] += self.damage(data)
            self.put(self.ends[other][0], other, pending)

    def put(self, master, end, pending):
        if self.ends.get(end, (None,))[0] != master:
            pending[end] = b""
            return
        try:
            n = os.write(master, pending[end]) if pending[end] else 0
        except BlockingIOError:
            return
        except OSError:
            n = len(pending[end])
        pending[end] = pending[end][n:]

    def count(self):
        return self.to_device + self.to_host

    def close(self):
        """When the test is over, if not before."""
        if self.stopping:
            return
        self.stopping = True
        os.write(self.wake[1], b"x")
        self.thread.join()
        for end in (self.host, self.device):
            self.unplug(end)
        os.close(self.wake[0])
        os.close(self.wake[1])
