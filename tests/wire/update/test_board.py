"""test_board.py - firmware on a micro:bit in QEMU, whose flash is real: updated over its serial line, and cut off at any instruction.

A cut stops the machine wherever it is, saves its flash, and starts another machine with it."""

import base64
import pathlib
import random
import socket
import time

from client import programs
from client.check import PATIENCE, Suite, check
from client.child import Stdio
from client.mcp import INITIALIZE
from releases import HEAD, SKILL, skillrom

suite = Suite()

CUTS = 100
FIRMWARE, KEY = programs.ROOT / "build/update-board/firmware.bin", programs.ROOT / "build/update-board/key.pem"
SIZE, IMAGE_AT = 256 * 1024, 0x10000


class Board(Stdio):
    """A machine with this flash. Its serial line is stdin and stdout: a socket would be full after 278 writes of one byte."""

    def __init__(self, folder, flash):
        self.saved, before = folder / "saved", folder / "flash"
        before.write_bytes(flash)
        self.monitor, theirs = socket.socketpair()
        super().__init__("qemu-system-arm", "-M", "microbit", "-display", "none", "-device", f"loader,file={before},addr=0,force-raw=on",
                         "-chardev", "stdio,id=line,signal=off", "-serial", "chardev:line", "-chardev", f"socket,id=monitor,fd={theirs.fileno()}",
                         "-mon", "chardev=monitor,mode=readline", pass_fds=[theirs.fileno()])
        theirs.close()
        check(b"ready" in self.lines.get(timeout=PATIENCE), "the board does not start")
        self.request("initialize", INITIALIZE["params"])

    def request(self, method, params):
        """The response; notifications are passed over."""
        return self.response(self.send({"method": method, "params": params}))

    def response(self, id):
        while True:
            response = self.line()
            if response.get("id") == id:
                return response

    def step(self, name, **params):
        response = self.request(f"skillrom/update/{name}", params)
        check("result" in response, f"{name}: {response}")
        return response["result"]

    def text(self):
        return self.request("resources/read", {"uri": SKILL})["result"]["contents"][0]["text"]

    def cut(self):
        """Stops it where it is; what its flash holds."""
        self.saved.unlink(missing_ok=True)
        self.monitor.sendall(f"stop\nmemsave 0 {SIZE} \"{self.saved}\"\nquit\n".encode())
        self.exit_code()
        return self.saved.read_bytes()


def first_flash(r):
    """As it is programmed at the factory: the program, the first image in slot 0, the rest erased."""
    image = pathlib.Path(r.image()).read_bytes()
    program = FIRMWARE.read_bytes()[:IMAGE_AT].ljust(IMAGE_AT, b"\xff")
    return (program + image).ljust(SIZE, b"\xff")


def signed(r, number):
    path = r.folder / f"board-{number}.rom"
    skillrom("sign", r.image(f"Sentence of release {number}."), "--key", KEY, "--product", "pump", "--number", number, "-o", path)
    return path.read_bytes()


def requests(board, release, number):
    """The steps of an update, from where the board is."""
    offset, image = board.step("begin", release=base64.b64encode(release[:HEAD]).decode())["offset"], release[HEAD:]
    part = board.step("status")["part"]
    while offset < len(image):
        yield "write", {"number": number, "offset": offset, "data": base64.b64encode(image[offset:offset + part]).decode()}
        offset += part
    yield "commit", {}
    yield "confirm", {"number": number}


@suite
def an_update_survives_a_power_cut(r):
    release, board = signed(r, 1), Board(r.folder, first_flash(r))
    old = board.text()
    for name, params in requests(board, release, 1):
        board.step(name, **params)
    check("release 1." in board.text() and board.text() != old)
    board = Board(r.folder, board.cut())
    check("release 1." in board.text() and board.step("status")["number"] == 1)


@suite
def cut_at_any_instruction(r):
    rng, texts, releases = random.Random(29), {}, [signed(r, number) for number in range(1, 4)]
    board = Board(r.folder, first_flash(r))
    texts[0] = board.text()
    for number in range(1, 4):
        texts[number] = f"{texts[0][:-1]}Sentence of release {number}.\n"
    confirmed = asked = cuts = 0
    while cuts < CUTS:
        number, left = board.step("status")["number"], rng.randrange(70)
        check(confirmed <= number <= max(confirmed, asked), f"{number} after {confirmed}, {asked}")
        check(board.text() == texts[number], f"release {number} is not whole")
        if number == len(releases):
            board.cut()
            board, confirmed, asked = Board(r.folder, first_flash(r)), 0, 0
            continue
        for name, params in requests(board, releases[number], number + 1):
            asked = number + 1 if name == "confirm" else asked
            id = board.send({"method": f"skillrom/update/{name}", "params": params})
            if left == 0:
                time.sleep(rng.random() * 0.01)  # where it is then does not matter: any place will do
                break
            left -= 1
            response = board.response(id)
            check("result" in response, response)
            confirmed = number + 1 if name == "confirm" else confirmed
        if left == 0:
            cuts += 1
            board = Board(r.folder, board.cut())
    print(f"{cuts} cuts", flush=True)
