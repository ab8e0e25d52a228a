"""What the publisher says to a broker, byte by byte, before anything is carried; with a broker that is made here."""

import socket
import struct
import threading

from client.check import PATIENCE, Suite, afterwards, check
from peer import Device, Publisher

suite = Suite()


class Reader:
    """MQTT 5 data types, taken off a packet."""

    def __init__(self, data):
        self.data = data

    def take(self, n):
        part, self.data = self.data[:n], self.data[n:]
        check(len(part) == n, "the packet is too short")
        return part

    def number(self, n):
        return int.from_bytes(self.take(n), "big")

    def text(self):
        return self.take(self.number(2)).decode()

    def varint(self):
        value, shift = 0, 0
        while True:
            byte = self.number(1)
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def properties(self):
        """By number; user properties as a dict."""
        inside, found = Reader(self.take(self.varint())), {"user": {}}
        while inside.data:
            kind = inside.number(1)
            if kind == 38:
                name = inside.text()
                found["user"][name] = inside.text()
            else:
                found[kind] = inside.number({17: 4, 33: 2, 39: 4}[kind])
        return found


def packet(connection):
    """(type, rest) of the next one; None at the end."""
    try:
        first = connection.recv(1)
    except ConnectionResetError:
        first = b""
    if not first:
        return None
    length, shift = 0, 0
    while True:
        byte = connection.recv(1)[0]
        length |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            break
    data = b""
    while len(data) < length:
        data += connection.recv(length - len(data))
    return first[0] >> 4, Reader(data)


def read_connect(reader):
    check(reader.text() == "MQTT" and reader.number(1) == 5, "not MQTT 5")
    flags, keepalive = reader.number(1), reader.number(2)
    found = {"flags": flags, "keepalive": keepalive, "properties": reader.properties(), "id": reader.text()}
    if flags & 4:
        reader.properties()
        found["will_topic"], found["will"] = reader.text(), reader.take(reader.number(2))
    return found


class FakeBroker:
    """Accepts each client, with the properties that are given for each connection in turn; keeps every CONNECT."""

    def __init__(self, *responses):
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"mqtt://127.0.0.1:{self.socket.getsockname()[1]}"
        self.connects, self.responses, self.done = [], list(responses), threading.Event()
        afterwards(self.socket.close)
        threading.Thread(target=self.run, daemon=True).start()

    def run(self):
        for properties in self.responses:
            connection, _ = self.socket.accept()
            with connection:
                kind, reader = packet(connection)
                self.connects.append(read_connect(reader))
                body = b"\0\0" + bytes([len(properties)]) + properties
                connection.sendall(b"\x20" + bytes([len(body)]) + body)
                if len(self.connects) == len(self.responses):
                    self.done.set()
                while packet(connection):
                    pass


@suite
def connect_is_what_the_specification_wants(p):
    broker = FakeBroker(b"")
    Publisher(p, Device(p), broker, "pump-17", "--mqtt-name", "lab/pump")
    check(broker.done.wait(PATIENCE), "nobody came")
    connect = broker.connects[0]
    check(connect["id"] == "pump-17" and connect["flags"] & 2, "clean start", connect)
    check(connect["will_topic"] == "$mcp-server/presence/pump-17/lab/pump" and connect["will"] == b"", connect)
    check(connect["flags"] & 0x20 and connect["flags"] >> 3 & 3 == 1, "the will is retained, QoS 1", connect)
    properties = connect["properties"]
    check(properties.get(17, 0) == 0, "session expiry", properties)
    check(properties[33] == 64 and properties[39] == 33 << 20, "receive maximum and packet size", properties)
    check(properties["user"]["MCP-COMPONENT-TYPE"] == "mcp-server" and "skillrom" in properties["user"]["MCP-META"], properties)


@suite
def a_name_that_the_broker_gives_is_taken(p):
    """It comes when the connection stands, and the will has to have it: so there is a second connection."""
    def user(name, value):
        return b"\x26" + struct.pack(">H", len(name)) + name + struct.pack(">H", len(value)) + value

    given = user(b"MCP-SERVER-NAME", b"site/given")
    broker = FakeBroker(given, given)
    publisher = Publisher(p, Device(p), broker, "pump-17")
    check(broker.done.wait(PATIENCE), "nobody came back")
    check([c["will_topic"] for c in broker.connects] ==
          ["$mcp-server/presence/pump-17/tidewater-dp4", "$mcp-server/presence/pump-17/site/given"], broker.connects)
    publisher.wait_for("published as pump-17/site/given")
