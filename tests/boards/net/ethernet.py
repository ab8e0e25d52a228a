"""ethernet.py - a peer on the board's Ethernet that sends exactly the segments it is command_result to.

The emulator's network card is on a socket that carries whole frames, so nothing between test and board joins or cuts
segments. There is just enough of ARP, IP and TCP here to be a client; what is not acknowledged for a while is sent
again, as by everyone.
"""
import select
import socket
import struct
import time

from client.check import PATIENCE

AGAIN_S = 0.3
BOARD_IP, OUR_IP = bytes([10, 0, 2, 15]), bytes([10, 0, 2, 2])
BOARD_MAC, OUR_MAC = bytes.fromhex("525400123456"), bytes.fromhex("02000a000202")
FIN, SYN, RST, PSH, ACK = 1, 2, 4, 8, 16


def checksum(data):
    data += b"\0" * (len(data) % 2)
    total = sum(struct.unpack(f"!{len(data) // 2}H", data))
    while total > 0xFFFF:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


class Network:
    """The far end of the cable."""

    def __init__(self):
        self.socket, self.board_end = socket.socketpair()
        self.buffer = b""
        self.next_port = 40000

    def words(self):
        """For QEMU's command line; the socket must be inherited."""
        return ["-nic", f"socket,fd={self.board_end.fileno()}"]

    def send(self, kind, payload):
        frame = BOARD_MAC + OUR_MAC + struct.pack("!H", kind) + payload
        frame += b"\0" * (60 - len(frame))
        self.socket.sendall(struct.pack("!I", len(frame)) + frame)

    def frame(self, again):
        """The next packet for us; ARP is answered here. Calls again() now and then while nothing comes."""
        until = time.monotonic() + PATIENCE
        while True:
            while len(self.buffer) >= 4 and len(self.buffer) >= 4 + struct.unpack("!I", self.buffer[:4])[0]:
                n = struct.unpack("!I", self.buffer[:4])[0]
                frame, self.buffer = self.buffer[4:4 + n], self.buffer[4 + n:]
                if frame[12:14] == b"\x08\x06":
                    self.send_arp_reply(frame[14:42])
                elif frame[12:14] == b"\x08\x00":
                    return frame[14:]
            if select.select([self.socket], [], [], AGAIN_S)[0]:
                self.buffer += self.socket.recv(65536)
            elif time.monotonic() > until:
                raise RuntimeError("nothing comes from the board")
            else:
                again()

    def send_arp_reply(self, request):
        if request[6:8] == b"\0\1" and request[24:28] != BOARD_IP:  # all other addresses are ours
            self.send(0x0806, request[:6] + b"\0\2" + OUR_MAC + request[24:28] + request[8:18])


class Client:
    """A TCP connection to the board. `mss` is what we announce, `window` what we take, `ip` where we come from."""

    def __init__(self, network, port, mss=1460, window=65535, ip=OUR_IP):
        self.network, self.port, self.window, self.ip = network, port, window, ip
        network.next_port += 1
        self.ours = network.next_port
        self.sent, self.seen, self.acknowledged = 1000 * self.ours, 0, 0
        self.flying = b""  # sent and not acknowledged
        self.received, self.ended, self.lost = b"", False, False
        self.segments = []  # sizes of what the board has sent
        self.segment(SYN, options=struct.pack("!BBH", 2, 4, mss))
        self.sent += 1
        while not self.seen:
            self.receive()

    def segment(self, flags, data=b"", options=b"", at=None):
        sequence = self.sent if at is None else at
        offset = (20 + len(options)) // 4
        head = struct.pack("!HHIIBBHHH", self.ours, self.port, sequence & 0xFFFFFFFF, self.seen, offset << 4, flags,
                           self.window, 0, 0) + options
        pseudo = self.ip + BOARD_IP + struct.pack("!BBH", 0, 6, len(head) + len(data))
        total = checksum(pseudo + head + data)
        segment = head[:16] + struct.pack("!H", total) + head[18:] + data
        ip = struct.pack("!BBHHHBBH", 0x45, 0, 20 + len(segment), 0, 0, 64, 6, 0) + self.ip + BOARD_IP
        ip = ip[:10] + struct.pack("!H", checksum(ip)) + ip[12:]
        self.network.send(0x0800, ip + segment)

    def send(self, data, size=None):
        """Sends in segments of `size` bytes, and waits for each window of them to be acknowledged."""
        size = size or 1460
        for i in range(0, len(data), size):
            piece = data[i:i + size]
            self.segment(ACK | PSH, piece)
            self.sent += len(piece)
            self.flying += piece
            while not self.lost and self.sent - self.acknowledged > 500:
                self.receive()

    def again(self):
        if self.flying:
            self.segment(ACK | PSH, self.flying[:536], at=self.acknowledged)

    def finish(self):
        self.segment(ACK | FIN)
        self.sent += 1

    def reset(self):
        self.segment(RST | ACK)

    def receive(self):
        """One segment of the board for this connection; acknowledges what it brings."""
        packet = self.network.frame(self.again)
        total = struct.unpack("!H", packet[2:4])[0]
        segment = packet[(packet[0] & 15) * 4:total]
        if packet[9] != 6 or segment[2:4] != struct.pack("!H", self.ours):
            return
        sequence, self.acknowledged = struct.unpack("!II", segment[4:12])
        self.flying = self.flying[len(self.flying) - max(0, self.sent - self.acknowledged):] if self.flying else b""
        flags, data = segment[13], segment[(segment[12] >> 4) * 4:]
        if flags & RST:
            self.lost = self.ended = True
            return
        if flags & SYN:
            self.seen = (sequence + 1) & 0xFFFFFFFF
            self.segment(ACK)
        elif sequence == self.seen and (data or flags & FIN):
            self.segments.append(len(data))
            self.received += data
            self.seen = (self.seen + len(data) + (flags & FIN)) & 0xFFFFFFFF
            self.ended |= bool(flags & FIN)
            self.segment(ACK)
        elif data:
            self.segment(ACK)  # again, or not in turn

    def until(self, enough):
        """Receives until enough(received) or the board has ended the connection."""
        while not enough(self.received) and not self.ended:
            self.receive()
        return self.received
