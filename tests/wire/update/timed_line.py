"""timed_line.py - a serial line with a clock of its own, so that a busy machine does not make an update slower.

Each end has a time: when the last byte that it has received arrived. Bytes leave an end at its time, or when the line in that direction is
free; they arrive after as long as a line of 115200 baud takes for them, and set the other end's time. So the sum has every byte that a client
had to wait for, and every turn from one direction to the other; computing and erasing take no time."""

import os
import pty
import threading
import tty

BYTES_PER_SECOND = 11520


class TimedLine:
    """`host` and `device` are the names of its ends; `bytes` the bytes to the device and back; `seconds` the time of the host's end."""

    def __init__(self):
        self.lock, self.times, self.free, self.bytes = threading.Lock(), [0.0, 0.0], [0.0, 0.0], [0, 0]
        ends = [pty.openpty() for _ in range(2)]
        for _, slave in ends:
            tty.setraw(slave)
        self.host, self.device = (os.ttyname(slave) for _, slave in ends)
        for end in (0, 1):
            threading.Thread(target=self.carry, args=(end, ends[end][0], ends[1 - end][0]), daemon=True).start()

    def carry(self, end, source, sink):
        while data := os.read(source, 256):
            with self.lock:
                self.free[end] = max(self.free[end], self.times[end]) + len(data) / BYTES_PER_SECOND
                self.times[1 - end] = max(self.times[1 - end], self.free[end])
                self.bytes[end] += len(data)
            os.write(sink, data)

    @property
    def seconds(self):
        return self.times[0]


def base64_seconds(size):
    """What the line needs for so many bytes in base64, and nothing else: requests are JSON."""
    return (size + 2) // 3 * 4 / BYTES_PER_SECOND
