"""targets.py - what speaks TLS here: skillromd, and the boards in QEMU. And a client that can stop at any byte."""
import json
import pathlib
import re
import socket
import ssl
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE.parent / "net"))
from board import Board  # noqa: E402

PATIENCE = 120  # only bounds a failure
VERSION = "2026-07-28"
HTTPS_PORT = 443
FILE_URI = "skill://manual/assets/long.txt"
FILE_TEXT = "".join(f'line {i:05} "quoted" and \\ and a tab\t\n' for i in range(1600))  # 64 KB as JSON


def pack(folder):
    """An image with a file of 64 KB, small enough for a board."""
    skill = pathlib.Path(folder) / "device/skills/manual"
    (skill / "assets").mkdir(parents=True)
    (skill / "SKILL.md").write_text("---\nname: manual\ndescription: A long manual. Use it in tests of TLS, and nowhere else.\n---\nNothing.\n")
    (skill / "assets/long.txt").write_text(FILE_TEXT)
    image = pathlib.Path(folder) / "test.rom"
    subprocess.run([ROOT / "build/skillrom", "pack", skill.parent.parent, "-o", image], check=True, stdout=subprocess.DEVNULL)
    return str(image)


def request(id, method="server/discover", **params):
    params["_meta"] = {"io.modelcontextprotocol/protocolVersion": VERSION,
                       "io.modelcontextprotocol/clientCapabilities": {}}
    return {"jsonrpc": "2.0", "id": id, "method": method, "params": params}


def headers(message):
    found = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
             "MCP-Protocol-Version": VERSION, "Mcp-Method": message["method"]}
    if "uri" in message["params"]:
        found["Mcp-Name"] = message["params"]["uri"]
    return found


def http_bytes(message, extra=""):
    body = json.dumps(message)
    head = "".join(f"{name}: {value}\r\n" for name, value in headers(message).items())
    return f"POST /mcp HTTP/1.1\r\nHost: localhost\r\n{head}{extra}Content-Length: {len(body)}\r\n\r\n{body}".encode()


def read_file(id):
    return request(id, "resources/read", uri=FILE_URI)


class Program:
    """skillromd, or another program of port/posix."""

    name = "skillromd"
    records = 16384  # bytes of one record that it takes

    def __init__(self, certs, image, *options, program=None, cert="device", key=None):
        self.certs = certs
        words = [str(program or ROOT / "build/asan/skillromd"), image, "--http", "127.0.0.1:0", "--https", "127.0.0.1:0",
                 "--cert", certs.path(f"{cert}.pem"), "--key", certs.path(key or f"{cert}.key"), *options]
        self.child = subprocess.Popen(words, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.said = ""
        ports = {}
        while len(ports) < 2:
            line = self.child.stderr.readline()
            if not line:
                raise RuntimeError(f"it did not start: {self.said}")
            self.said += line
            where = re.search(r" at (https?)://127.0.0.1:(\d+)/", line)
            if where:
                ports[where[1]] = int(where[2])
        self.port, self.plain_port = ports["https"], ports["http"]

    def stop(self):
        """Ends it; whatever it had to complain about, sanitizers included."""
        self.child.terminate()
        said = self.child.stderr.read()
        return said if self.child.wait() != 0 or "ERROR" in said else ""


class EmulatedBoard:
    """A firmware with TLS in QEMU."""

    records = 2048

    def __init__(self, build, certs, image, identity="identity.bin"):
        self.name, self.certs = build, certs
        elf = ROOT / "build" / build / "program.elf"
        at = 0x3F800  # link_identity
        self.board = Board(build, str(elf), image, ports=(HTTPS_PORT,),
                           extra=["-device", f"loader,file={certs.path(identity)},addr={at:#x},force-raw=on"])
        self.port = self.board.ports[HTTPS_PORT]

    def stop(self):
        """Everything must be free that connections used."""
        leaks = self.board.wait_until_free(but={"TCP_PCB"})
        with open(ROOT / "build" / self.name / "stack.txt", "a", encoding="ascii") as file:
            file.write(f"{self.board.stop()} tests/tls\n")
        return f"not freed: {leaks}" if leaks else ""


def context(certs, authority="ca"):
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    made.load_verify_locations(certs.path(f"{authority}.pem"))
    return made


class Peer:
    """A TLS client whose bytes can be seen, cut and altered before they leave."""

    def __init__(self, target, made=None, connect=True):
        self.incoming, self.outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self.tls = (made or context(target.certs)).wrap_bio(self.incoming, self.outgoing, server_hostname="localhost")
        self.socket = socket.create_connection(("127.0.0.1", target.port), timeout=PATIENCE) if connect else None
        self.got = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def step(self, action):
        """Does it as far as it gets: True when it is done, False when the server has to speak first."""
        try:
            action()
            return True
        except ssl.SSLWantReadError:
            return False

    def flight(self):
        """The bytes to send now."""
        return self.outgoing.read()

    def hear(self):
        """Takes in what the server says; False at its end."""
        data = self.socket.recv(65536)
        self.incoming.write(data)
        return data != b""

    def second_flight(self):
        """Sends the ClientHello, and returns what would have to follow the server's part."""
        self.step(self.tls.do_handshake)
        self.socket.sendall(self.flight())
        while True:
            if not self.hear():
                raise RuntimeError("the server hung up in the handshake")
            self.step(self.tls.do_handshake)
            bytes_ = self.flight()
            if bytes_:
                return bytes_

    def handshake(self, send=None):
        """All of it; `send` may cut the bytes into pieces."""
        send = send or self.socket.sendall
        while True:
            done = self.step(self.tls.do_handshake)
            send(self.flight())
            if done:
                return self
            if not self.hear():
                raise RuntimeError("the server hung up in the handshake")

    def record(self, plain):
        """The bytes as a record, for whoever wants to alter it."""
        self.tls.write(plain)
        return self.flight()

    def ask(self, message, extra="", send=None):
        (send or self.socket.sendall)(self.record(http_bytes(message, extra)))
        return self.answer()

    def plain(self):
        """Some bytes that the server said; b"" at a clean end, None when it hung up without close_notify."""
        while True:
            try:
                return self.tls.read(65536)
            except ssl.SSLWantReadError:
                if not self.hear():
                    return None
            except ssl.SSLZeroReturnError:
                return b""

    def until(self, found):
        while not found(self.got):
            more = self.plain()
            if not more:
                raise RuntimeError(f"the answer ends early: {self.got[-200:]!r}")
            self.got += more

    def answer(self):
        """Status, and the body as JSON or text."""
        self.until(lambda got: b"\r\n\r\n" in got)
        head, _, self.got = self.got.partition(b"\r\n\r\n")
        length = int(re.search(rb"content-length: (\d+)", head, re.I)[1])
        self.until(lambda got: len(got) >= length)
        body, self.got = self.got[:length], self.got[length:]
        return int(head.split()[1]), json.loads(body) if b"application/json" in head else body.decode()

    def end(self):
        """What the server says until it hangs up: bytes as they come, and whether it reset the connection."""
        said = b""
        try:
            while True:
                data = self.socket.recv(65536)
                if not data:
                    return said
                said += data
        except ConnectionError:
            return said


def client_hello(target, made=None):
    """What a real client begins with."""
    peer = Peer(target, made, connect=False)
    peer.step(peer.tls.do_handshake)
    return peer.flight()
