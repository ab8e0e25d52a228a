"""The image file changes under skillromd (defect 29): what is served was copied and checked, and stays what it was."""

import os
import shutil
import signal
import subprocess

from client.check import Suite, check
from client.child import Server
from client.mcp import http_bytes, request
from client.programs import scratch_folder
from client.wire import Client
from large import check_big, read_big

suite = Suite()
HTTP = ("--http", "127.0.0.1:0")


def cut(path):
    os.truncate(path, os.path.getsize(path) // 2)


def empty(path):
    os.truncate(path, 0)


def overwrite(path):
    with open(path, "r+b") as file:
        file.write(b"\xf0\xff\xff\x7f" * (os.path.getsize(path) // 4))


def flip_a_byte_of_the_last_file(path):
    """What mounting does not look at: the bytes of files."""
    with open(path, "r+b") as file:
        file.seek(-3, os.SEEK_END)
        byte = file.read(1)
        file.seek(-3, os.SEEK_END)
        file.write(bytes([byte[0] ^ 1]))


DAMAGES = (cut, empty, overwrite, flip_a_byte_of_the_last_file)


def check_all(server):
    """All of the image is read, as it was."""
    with Client(server.ports[0]) as client:
        client.discover(1)
        client.send(http_bytes(request(2, "skills/list")))
        client.check_http(2)
        check_big(client.exchange_http(read_big(3)), 3)


@suite
def file_may_be_changed_in_place_while_it_is_served(program, image):
    with scratch_folder() as folder:
        for damage in DAMAGES:
            copy = shutil.copy(image, os.path.join(folder, "served.rom"))
            with Server(program, copy, *HTTP) as server:
                damage(copy)
                check_all(server)


@suite
def damaged_file_does_not_take_the_place_of_the_image(program, image):
    with scratch_folder() as folder:
        for damage in DAMAGES:
            copy = shutil.copy(image, os.path.join(folder, "served.rom"))
            with Server(program, copy, *HTTP, "--reload") as server:
                damage(copy)
                server.signal(signal.SIGHUP)
                server.wait_for("still serving the previous image")
                check(not server.has_said("replaced; now"), f"{damage.__name__}: {server.said}")
                check_all(server)


@suite
def damaged_file_is_not_served(program, image):
    reasons = {cut: "truncated", empty: "empty", overwrite: "not a skill image",
               flip_a_byte_of_the_last_file: "digest does not match"}
    with scratch_folder() as folder:
        for damage, reason in reasons.items():
            copy = shutil.copy(image, os.path.join(folder, "served.rom"))
            damage(copy)
            done = subprocess.run([program, copy], stdin=subprocess.DEVNULL, capture_output=True, text=True)
            check(done.returncode == 1 and reason in done.stderr, f"{damage.__name__}: {done}")
