"""mqtt.py - a client of a broker that does as it is told: MQTT 5 as far as MCP over MQTT needs it; and a device made of one."""

import json
import queue
import socket
import struct
import threading

from client.check import PATIENCE, afterwards

def text(value):
    data = value if isinstance(value, bytes) else value.encode()
    return struct.pack(">H", len(data)) + data


def varying(n):
    out = b""
    while True:
        n, digit = n >> 7, n & 127
        out += bytes([digit | (128 if n else 0)])
        if not n:
            return out


FIXED = {0x01: 1, 0x02: 4, 0x23: 2}  # other properties of a publication, and their sizes


def user_properties(data):
    found = {}
    while data:
        kind, data = data[0], data[1:]
        if kind in FIXED:
            data = data[FIXED[kind]:]
            continue
        values = []
        for _ in range(2 if kind == 0x26 else 1):
            n = struct.unpack(">H", data[:2])[0]
            values, data = [*values, data[2:2 + n].decode()], data[2 + n:]
        if kind == 0x26:
            found[values[0]] = values[1]
    return found


class Mqtt:
    """A connection. Messages wait in `inbox` as (topic, payload, sender); one that is `deaf` never reads from its socket."""

    def __init__(self, broker, id, will=None, user=None, password=None, deaf=False, keepalive=0):
        self.id, self.inbox, self.acks = id, queue.Queue(), queue.Queue()
        self.link = socket.create_connection(("127.0.0.1", broker.port), PATIENCE)
        self.link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        afterwards(self.close)
        self.lock, self.last = threading.Lock(), 0
        flags = 2 | (0x04 | 0x20 if will else 0) | (0x80 if user else 0) | (0x40 if password else 0)
        body = text("MQTT") + bytes([5, flags]) + struct.pack(">H", keepalive) + b"\0" + text(id)
        if will:
            body += b"\0" + text(will) + text("")
        body += (text(user) if user else b"") + (text(password) if password else b"")
        self.packet(0x10, body)
        if deaf:
            return
        threading.Thread(target=self.read_all, daemon=True).start()
        self.acks.get(timeout=PATIENCE)

    def packet(self, kind, body):
        with self.lock:
            self.link.sendall(bytes([kind]) + varying(len(body)) + body)

    def exactly(self, n):
        data = b""
        while len(data) < n:
            piece = self.link.recv(n - len(data))
            if not piece:
                raise EOFError
            data += piece
        return data

    def number(self):
        n = shift = 0
        while True:
            digit = self.exactly(1)[0]
            n, shift = n | (digit & 127) << shift, shift + 7
            if not digit & 128:
                return n

    def read_all(self):
        try:
            while True:
                kind = self.exactly(1)[0]
                body = self.exactly(self.number())
                if kind >> 4 == 3:
                    self.on_publish(kind, body)
                elif kind >> 4 in (2, 9, 4):  # CONNACK, SUBACK, PUBACK
                    self.acks.put((kind >> 4, body))
        except (OSError, EOFError):
            self.inbox.put(None)

    def on_publish(self, kind, body):
        n = struct.unpack(">H", body[:2])[0]
        topic, rest = body[2:2 + n].decode(), body[2 + n:]
        if kind & 6:
            self.packet(0x40, rest[:2])
            rest = rest[2:]
        n = shift = at = 0
        while True:
            digit = rest[at]
            n, shift, at = n | (digit & 127) << shift, shift + 7, at + 1
            if not digit & 128:
                break
        self.inbox.put((topic, rest[at + n:], user_properties(rest[at:at + n]).get("MCP-MQTT-CLIENT-ID", "")))

    def subscribe(self, *filters, wait=True):
        self.last += 1
        body = struct.pack(">H", self.last) + b"\0" + b"".join(text(f) + bytes([1 | 4]) for f in filters)
        self.packet(0x82, body)
        if wait:
            self.ack(9)

    def ack(self, kind):
        """The next response of this kind; its reason codes."""
        while True:
            got, body = self.acks.get(timeout=PATIENCE)
            if got == kind:
                return body[3:] if kind == 9 else body[2:3]

    def publish(self, topic, payload, retain=False, confirm=False):
        """With `confirm` QoS 1; the reason code of the broker, 0 if it took it."""
        data = payload if isinstance(payload, bytes) else payload.encode()
        own = b"".join(b"\x26" + text(key) + text(value) for key, value in
                       (("MCP-COMPONENT-TYPE", "mcp-server"), ("MCP-MQTT-CLIENT-ID", self.id)))
        data = varying(len(own)) + own + data
        if not confirm:
            self.packet(0x30 | retain, text(topic) + data)
            return 0
        self.last += 1
        self.packet(0x32 | retain, text(topic) + struct.pack(">H", self.last) + data)
        reason = self.ack(4)
        return reason[0] if reason else 0

    def close(self):
        try:
            self.link.shutdown(socket.SHUT_RDWR)  # without DISCONNECT: the broker publishes the will
        except OSError:
            pass
        self.link.close()


TOOLS = [{"name": "look", "description": "Looks at the gauge.", "inputSchema": {"type": "object"},
          "annotations": {"readOnlyHint": True}},
         {"name": "act", "description": "Turns the wheel.", "inputSchema": {"type": "object"}}]


class ScriptedDevice:
    """An MCP server on a broker, not of ours: written from the specification of MCP over MQTT alone. It counts the calls that
    reach it, and responds as `responses` says for a tool: a text, or a function of the arguments. None disables the response."""

    def __init__(self, broker, id, kind="gauge", responses=None, meta=None, greets=True, announce=True, tools=TOOLS, **more):
        self.id, self.kind, self.calls, self.greeted, self.greets, self.tools = id, kind, [], [], greets, tools
        self.responses = responses if responses is not None else {}
        self.presence = f"$mcp-server/presence/{id}/{kind}"
        self.mqtt = Mqtt(broker, more.pop("mqtt_id", id), will=self.presence, **more)
        self.mqtt.subscribe(f"$mcp-server/{id}/{kind}", f"$mcp-rpc/+/{id}/{kind}")
        threading.Thread(target=self.serve, daemon=True).start()
        self.meta = meta or {}
        if announce:
            self.announce()

    def announce(self, confirm=False):
        params = {"server_name": self.kind, "description": "a gauge", "meta": self.meta}
        message = {"jsonrpc": "2.0", "method": "notifications/server/online", "params": params}
        return self.mqtt.publish(self.presence, json.dumps(message), retain=True, confirm=confirm)

    def leave(self):
        self.mqtt.publish(self.presence, "", retain=True)

    def serve(self):
        for topic, payload, sender in iter(self.mqtt.inbox.get, None):
            try:
                self.take(topic, json.loads(payload), sender)
            except (ValueError, AttributeError, OSError):
                pass  # not a message, or the connection is gone

    def take(self, topic, message, sender):
        if message.get("method") == "initialize" and self.greets:
            self.greeted.append(sender)
            info = {"name": self.kind, "version": "1"}
            self.reply(f"$mcp-rpc/{sender}/{self.id}/{self.kind}", message["id"],
                       result={"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": info})
        elif "id" in message and "method" in message:
            self.respond(topic, message)

    def reply(self, topic, id, **outcome):
        self.mqtt.publish(topic, json.dumps({"jsonrpc": "2.0", "id": id, **outcome}))

    def respond(self, topic, message):
        method = message["method"]
        if method == "tools/call":
            name = message["params"]["name"]
            self.calls.append(message["params"])
            self.last_id = message["id"]
            said = self.responses.get(name, "fine")
            if callable(said):
                said = said(message["params"].get("arguments", {}))
            if said is not None:
                self.reply(topic, message["id"], result={"content": [{"type": "text", "text": said}]})
        elif method == "tools/list":
            self.reply(topic, message["id"], result={"tools": self.tools})
        elif method == "ping":
            self.reply(topic, message["id"], result={})
        else:
            self.reply(topic, message["id"], error={"code": -32601, "message": "no such method"})
