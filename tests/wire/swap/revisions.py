"""Images of one device that differ in their revision number, and clients that tell from every response
which revision it is of. A response that shows two is mixed, and fails the test."""

import functools
import hashlib
import json
import os
import re
import shutil
import signal

from client.check import check
from client.mcp import get_bytes, request
from client.programs import pack, write
from client.wire import Client

SKILL = "skill://stamped/SKILL.md"
REFERENCE = "skill://stamped/references/notes.md"
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
def reference_text(number):
    return f"revision {number}\n" * 200


@functools.cache
def big_text(number):
    return f"revision {number:06} 1234567\n" * BIG_LINES


class Revisions:
    """Packs revisions as they are asked for. The files named *.big also have the large file."""

    def __init__(self, folder):
        self.folder, self.count = folder, 0

    def fill(self, device, number, big=False, skill="stamped"):
        root = f"{device}/skills/{skill}"
        write(f"{root}/SKILL.md", skill_text(number).replace("stamped", skill))
        write(f"{root}/references/notes.md", reference_text(number))
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
            pack(device, path)
            shutil.rmtree(device)
        return path

    def served(self, number, big=False):
        """A file of its own for one server."""
        self.count += 1
        path = f"{self.folder}/served-{self.count}.rom"
        shutil.copy(self.image(number, big), path)
        return path


class Swapping:
    """Replaces the image that a running skillromd serves."""

    def __init__(self, revisions, server, path):
        self.revisions, self.server, self.path = revisions, server, path

    def put(self, source):
        """A new file takes the place of the old one."""
        shutil.copy(source, self.path + ".new")
        os.rename(self.path + ".new", self.path)
        self.server.signal(signal.SIGHUP)

    def swap(self, number, big=False):
        before = len(self.server.lines_with("replaced; now"))
        self.put(self.revisions.image(number, big))
        self.server.wait_for("replaced; now", before + 1)


# ---- What a response is of ----


def stamps(text):
    return {int(n) for n in re.findall(r"revision 0*(\d+)", text)}


def revision_of(message):
    """The one revision that all of a response is of."""
    check("result" in message, f"no result: {json.dumps(message)[:300]}")
    result = message["result"]
    found = stamps(json.dumps(result))
    check(len(found) == 1, f"a response of {len(found)} revisions {sorted(found)}: {json.dumps(result)[:300]}")
    (number,) = found
    for entry in result.get("skills", []):
        if isinstance(entry.get("resources"), list) and entry["uri"] == SKILL:
            digests = {r["uri"]: r["digest"] for r in [entry, *entry["resources"]] if "digest" in r}
            digests = {SKILL: digest(skill_text(number)), REFERENCE: digest(reference_text(number))}
            for uri, expected in digests.items():
                if uri in digests:
                    check(digests[uri] == expected, f"revision {number} has another's digest of {uri}")
    for content in result.get("contents", []):
        text_of = {SKILL: skill_text, REFERENCE: reference_text, BIG: big_text}.get(content["uri"])
        if text_of:
            check(content["text"] == text_of(number), f"{content['uri']} of revision {number} is not whole")
    return number


def listen(id, **wanted):
    return request(id, "subscriptions/listen", notifications=wanted)


def get_stream(port, session):
    return Client(port).open_stream(get_bytes(session))
