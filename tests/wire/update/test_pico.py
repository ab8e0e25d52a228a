"""test_pico.py - the Pico in rp2040js: its manual is replaced over its USB plug, its flash is erased and programmed by its own driver.

The boot ROM's functions are played by tests/boards/qemu/pico_rom.mjs. Instructions are counted, not timed."""

import base64
import json
import os
import struct
import subprocess
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "boards", "qemu"))

from client import programs
from client.check import Suite, check
from client.mcp import INITIALIZE, line_bytes, numbered
from releases import HEAD, skillrom
from test_board import requests
from test_usb import Pico, terminal_on

suite = Suite()

BUILD = "rp2040-pico-update"
KEY = programs.ROOT / "build" / BUILD / "key.pem"
SKILL, FILE = "skill://tend-plant/SKILL.md", "skills/tend-plant/SKILL.md"


def signed(r, number, more=lambda folder: None):
    def change(folder):
        path = folder / FILE
        path.write_text(path.read_text() + f"Sentence of release {number}.\n")
        more(folder)
    image = programs.changed_copy(programs.ROOT / "examples/board", str(r.folder / f"pico-{number}"), change)
    path = r.folder / f"pico-{number}.release"
    skillrom("sign", image, "--key", KEY, "--product", "pump", "--number", number, "-o", path)
    return path


def cut(pico, path):
    """Switches it off; what its flash has from its first slot on, to the end of its records."""
    symbols = pico.emulator.symbols
    path.write_bytes(pico.emulator.memory(symbols["link_image"], symbols["link_records_end"] - symbols["link_image"]))
    return path


# A tenth more than is measured: for a signature, and for each byte whose digest is computed.
VERIFY_MOST, DIGEST_MOST = 90_000_000, 270


class Updated(Pico):
    """A Pico with what its flash had before it was switched off, and a client that does the steps of an update."""

    def __init__(self, flash=None):
        check(subprocess.run([programs.ROOT / "tests/boards/qemu/install"]).returncode == 0, "rp2040js is not installed")
        super().__init__(BUILD, flash)
        self.last = 0
        self.boot()
        self.exchange(**INITIALIZE)

    def exchange(self, method, params=None):
        self.last += 1
        self.line.sendall(line_bytes(numbered(self.last, {"method": method, "params": params or {}})))
        while True:
            response = json.loads(self.until(b"\n"))
            if response.get("id") == self.last:
                return response

    def step(self, name, **params):
        response = self.exchange(f"skillrom/update/{name}", params)
        check("result" in response, f"{name}: {response}")
        return response["result"]

    def text(self):
        return self.exchange("resources/read", {"uri": SKILL})["result"]["contents"][0]["text"]

    def executed(self):
        return int(self.emulator.query("info instructions"))



@suite
def is_updated_over_its_usb_plug(r):
    release = signed(r, 1)
    with Updated() as pico:
        old = pico.text()
    with Pico(BUILD) as pico:
        pico.boot()
        before = int(pico.emulator.query("info flash"))
        said = skillrom("update", terminal_on(pico.line), release, "--confirm")
        check("release 1" in said, said)
        check(int(pico.emulator.query("info flash")) > before, "flash was not written")
        flash = cut(pico, r.folder / "pico.flash")
    with Updated(flash) as pico:
        check(pico.text() == old + "Sentence of release 1.\n" and pico.step("status")["number"] == 1, "release 1 is not in force after a reset")


@suite
def an_image_with_other_tools_is_refused_before_anything_is_written(r):
    def change_a_limit(folder):
        path = folder / "tools/water.json"
        path.write_text(path.read_text().replace('"maximum": 200', '"maximum": 300'))

    def add_a_resource(folder):
        programs.write(folder / "resources/level.json", '{"uri": "planter://level", "name": "level", "title": "Level", "description": "Water in the tank", "mimeType": "text/plain"}')
    with Updated() as pico:
        interface, before = pico.step("status")["interface"], int(pico.emulator.query("info flash"))
        for number, change in ((4, change_a_limit), (5, add_a_resource)):
            release = signed(r, number, change).read_bytes()
            check(release[24:32].hex() != interface, "the interface is the same")
            response = pico.exchange("skillrom/update/begin", {"release": base64.b64encode(release[:HEAD]).decode()})
            check(response.get("error", {}).get("message") == "Update refused: other tools", response)
        check(int(pico.emulator.query("info flash")) == before, "flash was written")
        check(signed(r, 6).read_bytes()[24:32].hex() == interface)


@suite
def firmware_is_flashed_with_blank_records(r):
    """Otherwise records of the firmware before could put an image in force that does not fit this one."""
    with Pico(BUILD) as pico:
        symbols = pico.emulator.symbols
    blocks, flashed = (programs.ROOT / "build" / BUILD / "skillrom.uf2").read_bytes(), {}
    for at in range(0, len(blocks), 512):
        address, size = struct.unpack_from("<2I", blocks, at + 12)
        flashed.update(zip(range(address, address + size), blocks[at + 32:at + 32 + size]))
    check(all(flashed[at] == 0xFF for at in range(symbols["link_records"], symbols["link_records_end"])))


@suite
def instructions_to_the_first_response(r):
    release = signed(r, 2).read_bytes()
    with Updated() as pico:
        spent = {}
        before = pico.executed()
        pico.step("begin", release=base64.b64encode(release[:HEAD]).decode())
        spent["begin, with the signature"] = pico.executed() - before
        for name, params in requests(pico, release, 2):
            before = pico.executed()
            pico.step(name, **params)
            if name == "commit":
                spent["commit, with the digest"] = pico.executed() - before
                check("release 2." in pico.text(), "the new text is not served")
                spent["commit and the first answer of the new release"] = pico.executed() - before
        before = pico.executed()
        pico.text()
        spent["the same answer later"] = pico.executed() - before
        print(f"{len(release) - HEAD} bytes: {spent}", flush=True)
        begin, commit, responded, later = spent.values()
        check(begin < VERIFY_MOST and commit < DIGEST_MOST * (len(release) - HEAD) and responded - commit < 2 * later, spent)


@suite
def a_cut_in_an_upload_leaves_the_old_release(r):
    release = signed(r, 3).read_bytes()
    flash, left, cuts = None, 0, 0
    while True:
        with Updated(flash) as pico:
            check("Sentence" not in pico.text() and pico.step("status")["number"] == 0, "not the old release")
            for n, (name, params) in enumerate(requests(pico, release, 3)):
                if n == left or name == "confirm":
                    break
                pico.step(name, **params)
            if name == "confirm":
                break
            flash, left, cuts = cut(pico, r.folder / f"pico-{cuts % 2}.flash"), left + 4, cuts + 1
    check(cuts > 3, f"{cuts} cuts")
