"""Images of one device that differ in their revision number, and clients that tell from every answer
which revision it is of. An answer that shows two is mixed, and fails the test."""

import functools
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import threading

from harness import PATIENCE, Client, check, http_bytes, line_bytes, request, write

SKILL = "skill://stamped/SKILL.md"
NOTES = "skill://stamped/references/notes.md"
SAME = "skill://stamped/references/same.md"
BIG = "skill://stamped/assets/big.txt"
BIG_LINES = 170000  # some 4 MB as JSON
ID_KEY = "io.modelcontextprotocol/subscriptionId"


@functools.cache
def digest(text):
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()


@functools.cache
def skill_text(number):
    return (
        f"---\nname: stamped\ndescription: Use it in revision {number}, to see which one is served.\n"
        f"---\nThis is revision {number}.\n"
    )


@functools.cache
def notes_text(number):
    return f"revision {number}\n" * 200


@functools.cache
def big_text(number):
    return f"revision {number:06} 1234567\n" * BIG_LINES


class Revisions:
    """Packs revisions as they are asked for. The files named *.big have the large file, too."""

    def __init__(self, skillrom, folder):
        self.skillrom = skillrom
        self.folder = folder

    def fill(self, device, number, big=False, skill="stamped"):
        root = f"{device}/skills/{skill}"
        write(f"{root}/SKILL.md", skill_text(number).replace("stamped", skill))
        write(f"{root}/references/notes.md", notes_text(number))
        write(f"{root}/references/same.md", "the same in each revision\n")
        if big:
            write(f"{root}/assets/big.txt", big_text(number))

    def image(self, number, big=False):
        path = f"{self.folder}/revision-{number}{'.big' if big else ''}.rom"
        if not os.path.exists(path):
            device = f"{self.folder}/device-{number}"
            self.fill(device, number, big)
            for other in range(3):  # so that lists have pages
                self.fill(device, number, skill=f"other-{other}")
            subprocess.run([self.skillrom, "pack", device, "-o", path], check=True, stdout=subprocess.DEVNULL)
            shutil.rmtree(device)
        return path

    def served(self, number, big=False):
        """A file of its own for one server."""
        self.count = getattr(self, "count", 0) + 1
        path = f"{self.folder}/served-{self.count}.rom"
        shutil.copy(self.image(number, big), path)
        return path


class Swapping:
    """A running skillromd and the file it serves."""

    def __init__(self, revisions, child, path):
        self.revisions = revisions
        self.child = child
        self.path = path
        self.said = []
        self.ready = threading.Condition()
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        for line in self.child.stderr:
            with self.ready:
                self.said.append(line.decode())
                self.ready.notify_all()

    def wait_for(self, pattern, count=1):
        """Until so many lines of stderr match; gives the last of them."""
        with self.ready:
            found = lambda: [line for line in self.said if re.search(pattern, line)]
            heard = self.ready.wait_for(lambda: len(found()) >= count, PATIENCE)
            check(heard, f"never said {pattern}: {self.said}")
            return found()[-1]

    def put(self, source):
        """A new file takes the place of the old one."""
        shutil.copy(source, self.path + ".new")
        os.rename(self.path + ".new", self.path)
        self.child.send_signal(signal.SIGHUP)

    def swap(self, number, big=False):
        with self.ready:
            before = sum("replaced; now" in line for line in self.said)
        self.put(self.revisions.image(number, big))
        self.wait_for("replaced; now", before + 1)


# ---- What an answer is of ----


def stamps(text):
    return {int(n) for n in re.findall(r"revision 0*(\d+)", text)}


def revision_of(message):
    """The one revision that all of an answer is of."""
    check("result" in message, f"no result: {json.dumps(message)[:300]}")
    result = message["result"]
    found = stamps(json.dumps(result))
    check(len(found) == 1, f"an answer of {len(found)} revisions {sorted(found)}: {json.dumps(result)[:300]}")
    (number,) = found
    for entry in result.get("skills", []):
        if isinstance(entry.get("resources"), list) and entry["uri"] == SKILL:
            digests = {r["uri"]: r["digest"] for r in [entry, *entry["resources"]] if "digest" in r}
            known = {SKILL: digest(skill_text(number)), NOTES: digest(notes_text(number))}
            for uri, expected in known.items():
                if uri in digests:
                    check(digests[uri] == expected, f"revision {number} has another's digest of {uri}")
    for content in result.get("contents", []):
        known = {SKILL: skill_text, NOTES: notes_text, BIG: big_text}.get(content["uri"])
        if known:
            check(content["text"] == known(number), f"{content['uri']} of revision {number} is not whole")
    return number


# ---- Clients ----


def legacy(id, method, **params):
    return {"jsonrpc": "2.0", "id": id, "method": method, "params": params}


def handshake(id=0, version="2025-11-25"):
    info = {"name": "test", "version": "1"}
    return legacy(id, "initialize", protocolVersion=version, capabilities={}, clientInfo=info)


def listen(id, **wanted):
    return request(id, "subscriptions/listen", notifications=wanted)


def legacy_http(message, session=None):
    body = json.dumps(message)
    head = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    head += "Accept: application/json, text/event-stream\r\n"
    head += f"Mcp-Session-Id: {session}\r\n" if session else ""
    return (head + f"Content-Length: {len(body)}\r\n\r\n" + body).encode()


class Pipe:
    """skillromd on stdin and stdout, with the methods of Client that lines need."""

    def __init__(self, program, path):
        self.child = subprocess.Popen(
            [program, path, "--reload"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
        )
        self.reader = os.fdopen(os.dup(self.child.stdout.fileno()), "rb")

    def send(self, data):
        self.child.stdin.write(data)

    def line(self):
        line = self.reader.readline()
        check(line.endswith(b"\n"), f"ended after {line[:200]!r}")
        return json.loads(line)

    def __enter__(self):
        return self

    def __exit__(self, *why):
        self.child.stdin.close()
        self.child.kill() if why[0] else None
        code = self.child.wait(PATIENCE)
        self.reader.close()
        check(why[0] or code == 0, f"exit code {code}")


class Stream(Client):
    """An HTTP connection that has become a stream of events."""

    def open(self, data):
        self.send(data)
        status, headers, _ = self.http()
        check(status == 200, f"status {status}")
        check(headers["content-type"] == "text/event-stream", f"{headers}")
        check("content-length" not in headers, "a stream has no length")
        return self

    def event(self):
        while b"\n\n" not in self.buffer:
            self.more()
        text = self.take(self.buffer.index(b"\n\n") + 2).decode()
        return self.event() if text.startswith(":") else json.loads(text.removeprefix("data: "))


def get_bytes(session):
    head = "GET /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n"
    return f"{head}Mcp-Session-Id: {session}\r\n\r\n".encode()


def get_stream(port, session):
    return Stream(port).open(get_bytes(session))


def new_session(client):
    client.send(legacy_http(handshake()))
    status, headers, body = client.http()
    check(status == 200, f"status {status}: {body[:200]!r}")
    return headers["mcp-session-id"]


def ask_line(client, message):
    client.send(line_bytes(message))
    answer = client.line()
    check(answer.get("id") == message["id"], f"to {message['id']}: {json.dumps(answer)[:300]}")
    return answer


def ask_http(client, message, session=None, size=65536):
    modern = session is None
    client.send(http_bytes(message) if modern else legacy_http(message, session))
    status, _, body = client.http(size)
    answer = json.loads(body)
    check(answer.get("id") == message["id"], f"status {status}: {body[:300]!r}")
    return answer
