"""releases.py - keys, images and releases of the example device, and a device that accepts them."""

import base64
import itertools
import json
import pathlib
import subprocess

from client import programs
from client.check import afterwards, check
from client.child import Server, die_with_parent
from client.mcp import INITIALIZE, line_bytes, numbered
from client.wire import Client

SKILL, FILE = "skill://daily-check/SKILL.md", "skills/daily-check/SKILL.md"
HEAD = 128  # bytes of a release before its image


def skillrom(*words, code=0):
    """Its stdout and stderr, together."""
    done = subprocess.run([programs.SKILLROM, *map(str, words)], capture_output=True, text=True, preexec_fn=die_with_parent)
    check(done.returncode == code, f"skillrom {' '.join(map(str, words))}: {done.returncode}: {done.stdout} {done.stderr}")
    return done.stdout + done.stderr


class Releases:
    """Files below one folder. Two keys, of which devices have both public halves; a third that they do not have."""

    def __init__(self, folder):
        self.folder, self.names = pathlib.Path(folder), itertools.count()
        self.images = {}
        for name in ("first", "second", "foreign"):
            (self.folder / f"{name}.pub").write_text(self.new_key(self.folder / f"{name}.pem"))

    @staticmethod
    def new_key(path):
        done = subprocess.run([programs.SKILLROM, "keys", "new", str(path)], capture_output=True, text=True)
        check(done.returncode == 0, done.stderr)
        return done.stdout

    def image(self, sentence="", more=lambda folder: None):
        """An image of the example whose daily check ends with this sentence."""
        if sentence not in self.images:
            def change(folder):
                path = folder / FILE
                path.write_text(path.read_text() + sentence + "\n")
                more(folder)
            self.images[sentence] = programs.changed_copy(programs.EXAMPLE, str(self.folder / f"device-{next(self.names)}"), change)
        return self.images[sentence]

    def sign(self, image, number, key="first", index=0, product="pump", min_key=0):
        """The file of a release."""
        path = self.folder / f"release-{next(self.names)}.rom"
        skillrom("sign", image, "--key", self.folder / f"{key}.pem", "--product", product, "--number", number, "--key-index", index,
                 "--min-key", min_key, "-o", path)
        return path

    def release(self, number, **more):
        return self.sign(self.image(f"Sentence of release {number}."), number, **more)

    def options(self, slots):
        return ["--update", str(slots), "--update-key", str(self.folder / "first.pub"), "--update-key", str(self.folder / "second.pub"),
                "--product", "pump"]

    def slots(self):
        return self.folder / f"slots-{next(self.names)}"

    def device(self, slots, *options, program=None):
        return Server(program or programs.PUMP, self.image(), *self.options(slots), *options)


class Updater:
    """A client on a TCP port with lines, which does the steps of an update one by one."""

    def __init__(self, port, receive_buffer=None):
        self.client, self.last = Client(port, receive_buffer), 0
        afterwards(self.client.close)
        self.exchange(**INITIALIZE)

    def send(self, method, params=None):
        self.last += 1
        self.client.send(line_bytes(numbered(self.last, {"method": method, "params": params or {}})))

    def receive(self):
        """The response to the last request; notifications are passed over."""
        while True:
            response = self.client.line()
            if response.get("id") == self.last:
                return response

    def exchange(self, method, params=None):
        self.send(method, params)
        return self.receive()

    def step(self, name, **params):
        return self.exchange(f"skillrom/update/{name}", params)

    def do(self, name, **params):
        """The result; it must be one."""
        response = self.step(name, **params)
        check("result" in response, f"{name}: {json.dumps(response)[:300]}")
        return response["result"]

    @staticmethod
    def release_text(release):
        return base64.b64encode(release[:HEAD]).decode()

    def begin(self, release):
        return self.step("begin", release=self.release_text(release))

    def parts(self, release, offset=0, size=4096):
        """The parameters of each write."""
        image, number = release[HEAD:], int.from_bytes(release[4:8], "little")
        for at in range(offset, len(image), size):
            yield {"number": number, "offset": at, "data": base64.b64encode(image[at:at + size]).decode()}

    def upload(self, release):
        offset = self.begin(release)["result"]["offset"]
        for part in self.parts(release, offset):
            self.do("write", **part)

    def text(self):
        """What the device says of the daily check."""
        return self.exchange("resources/read", {"uri": SKILL})["result"]["contents"][0]["text"]
