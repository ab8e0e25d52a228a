#!/usr/bin/env python3
"""record.py - a board whose tokens are in a record in flash, in QEMU: who is let in, and that nobody is by a damaged one

usage: tests/boards/net/record.py BUILD        in the top folder, after `make net-programs`

The record is written by `skillrom token --flash-record`, as a person would, and put into the board's flash beside its program. The last line
is "N passed, N failed".
"""
import pathlib
import subprocess
import sys

sys.dont_write_bytecode = True  # leave no files beside the sources

from board import Board
from client.check import Tally, check
from client.emulator import symbols
from client.mcp import request
from client.programs import PLAIN_SKILLROM, scratch_folder
from storms import exchange

STOP = request(3, "tools/call", name="stop_all", arguments={})
DAMAGED = rb"no tokens in flash, or damaged ones: every request over HTTP is refused\n"


def skillrom(*words):
    return subprocess.run([PLAIN_SKILLROM, "token", *words], capture_output=True, text=True)


class Boards:
    def __init__(self, build, folder):
        self.build, self.folder = build, folder
        self.elf = f"build/{build}/program.elf"
        self.record = folder / "tokens.bin"
        self.tokens = [skillrom(*words, "--flash-record", str(self.record)).stdout.strip()
                       for words in (("alice",), ("bob", "--read-only"))]

    def boot(self, record):
        """With these bytes where the record belongs; None: flash as it is when nothing has been written."""
        extra = []
        if record is not None:
            file = self.folder / "flash.bin"
            file.write_bytes(record)
            extra = ["-device", f"loader,file={file},addr={symbols(self.elf)['link_tokens']:#x},force-raw=on"]
        return Board(self.build, self.elf, "build/example.rom", extra=extra)


def token(text):
    return {"Authorization": f"Bearer {text}"}


def holders_of_tokens_are_let_in(boards):
    alice, bob = boards.tokens
    check(alice.startswith("skr_") and bob.startswith("skr_") and alice != bob, boards.tokens)
    board = boards.boot(boards.record.read_bytes())
    check(exchange(board, **token(alice)) == {}, "alice is not let in")
    check(exchange(board, **token(bob)) == {}, "bob is not let in")
    check("content" in exchange(board, STOP, **token(alice)), "alice may not operate")
    check(exchange(board, STOP, **token(bob)) == 403, "bob may operate")
    check(exchange(board) == 401, "a client without a token is let in")
    check(exchange(board, **token("skr_wrong")) == 401, "a wrong token is let in")
    board.restart()
    check(exchange(board, **token(alice)) == {}, "alice is not let in after a reset")
    board.stop()


def nobody_is_let_in_without_a_sound_record(boards):
    good = boards.record.read_bytes()

    def but(at, value):
        return good[:at] + bytes([value]) + good[at + 1:]

    damaged = {
        "none": None,
        "erased": b"\xff" * 1024,
        "another magic": but(0, ord("s")),
        "no rows": but(4, 0),
        "too many rows": but(4, 9),
        "far too many rows": but(7, 0x80),
        "another CRC": but(8, good[8] ^ 1),
        "a bit of a hash": but(12, good[12] ^ 1),
        "rights, and nothing else": but(12 + 32, 1),
        "the last byte": but(len(good) - 1, 1),
        "cut off": good[:-64] + b"\xff" * 64,
    }
    for what, record in damaged.items():
        board = boards.boot(record)
        check(exchange(board, **token(boards.tokens[0])) == 401, f"{what}: let in")
        board.wait_for(DAMAGED)
        check(exchange(board) == 401, f"{what}: let in without a token")
        board.stop()


def a_record_takes_eight_tokens_of_different_names(boards):
    file = str(boards.folder / "many.bin")
    for i in range(8):
        check(skillrom(f"user{i}", "--flash-record", file).returncode == 0, f"the token {i} is refused")
    check("is full" in skillrom("one-more", "--flash-record", file).stderr, "a ninth is taken")
    again = skillrom("alice", "--flash-record", str(boards.record))
    check(again.returncode == 1 and "already has" in again.stderr and again.stdout == "", again)
    check(len(boards.record.read_bytes()) == 12 + 2 * 64, "a refused one has changed the record")
    check("30 characters" in skillrom("n" * 31, "--flash-record", file).stderr, "a long name is taken")
    pathlib.Path(file).write_bytes(b"SKRT" + bytes(8) + b"x")
    check("not a record" in skillrom("dave", "--flash-record", file).stderr, "something else is taken for a record")
    check(skillrom("dave", "--flash-record", file, "--emit-c", file + ".inc").returncode == 2, "--emit-c goes with --flash-record")


def main(arguments):
    if len(arguments) != 1:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    tally = Tally()
    with scratch_folder() as folder:
        boards = Boards(arguments[0], pathlib.Path(folder))
        for test in (holders_of_tokens_are_let_in, nobody_is_let_in_without_a_sound_record,
                     a_record_takes_eight_tokens_of_different_names):
            tally.test(f"{arguments[0]}: {test.__name__}", lambda: test(boards))
    return tally.finish()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
