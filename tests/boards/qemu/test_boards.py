#!/usr/bin/env python3
"""test_boards.py - what transcripts cannot say about a firmware: noise, lamps, images, the linker's budgets, the heap

usage: test_boards.py BUILD...      folders below build/

Prints a line per test; the last line is "N passed, N failed".
"""
import os
import pathlib
import random
import re
import select
import shutil
import signal
import socket
import struct
import subprocess
import sys

sys.dont_write_bytecode = True  # leave no files beside the sources
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))

from client.boards import BUILDS
from client.check import PATIENCE, Ended, Tally
from client.emulator import Emulator
from client.mcp import line_bytes, request
from client.programs import ROOT, scratch_folder

NOISE = 1 << 20
PING = b'{"jsonrpc":"2.0","id":"%d","method":"ping"}\n'
PONG = b'{"jsonrpc":"2.0","id":"%d","result":{}}\n'
HEAP = re.compile(r"^_?(malloc|calloc|realloc|free|_?sbrk|_?malloc_r|_?free_r|_?sbrk_r)$")


class Board:
    def __init__(self, build, elf="skillrom.elf", image=None):
        self.line, theirs = socket.socketpair()
        self.emulator = Emulator(build, ROOT / "build" / build / elf, theirs, image)
        theirs.close()
        self.data = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.emulator.kill()
        self.line.close()

    def until(self, end, to_send=b""):
        """Sends and receives simultaneously, until `end` has come; what came up to it."""
        while end not in self.data:
            readable, writable, _ = select.select([self.line], [self.line] if to_send else [], [], PATIENCE)
            if not readable and not writable:
                raise Ended(f"waited for {end!r}, the last that came is {self.data[-200:]!r}")
            if writable:
                to_send = to_send[self.line.send(to_send[:4096]):]
            if readable:
                received = self.line.recv(65536)
                if not received:
                    raise Ended(f"the emulator ended; the last that came is {self.data[-200:]!r}")
                self.data += received
        came, end, self.data = self.data.partition(end)
        return came + end

    def boot(self):
        return self.until(b"\n")

    def ping(self, number, before=b""):
        self.until(PONG % number, before + PING % number)


# ---- Tests: each raises when something is wrong ----


def boots_and_reports_it(build):
    with Board(build) as board:
        line = board.boot()
        name = build.removesuffix("-full").encode()
        assert line == b"skillrom on " + name + b": ready\n", line
        board.ping(1)


def refuses_an_image_that_is_none(build):
    with Board(build, "program.elf") as board:
        line = board.boot()
        assert b": no skills are served" in line, line


def responds_after_noise(build, size):
    """Bytes of any value, then a request."""
    noise = random.Random(7).randbytes(size)
    with Board(build) as board:
        board.boot()
        board.ping(1, noise + b"\n")
        board.ping(2)


def answers_what_comes_in_one_go(build):
    """More requests than the ring holds, sent without waiting: all are answered, in order."""
    count = 200
    with Board(build) as board:
        board.boot()
        came = board.until(PONG % count, b"".join(PING % n for n in range(1, count + 1)))
        assert came == b"".join(PONG % n for n in range(1, count + 1))


# (address, bits of the lamps, all of them when they are dark); QEMU does not have the STM32's pins.
LAMPS = {"mps2-an385": (0x40028000, [1 << 0, 1 << 1], 0), "rp2040-pico": (0xD0000010, [1 << 25, 1 << 15], 0),
         "sifive-e": (0x1001200C, [1 << 19, 1 << 21], 1 << 19 | 1 << 21)}


def lights_lamps(build):
    """The peripheral itself says that a lamp is lit."""
    address, bits, dark = LAMPS[build]
    for lit in range(len(bits)):
        with Board(build) as board:
            board.boot()
            call = request(1, "tools/call", name="set_lamp", arguments={"lamp": lit + 1, "on": True})
            response = board.until(b"\n", line_bytes(call))
            assert b"lamp %d on" % (lit + 1) in response, response
            pins = int.from_bytes(board.emulator.memory(address, 4), "little") & sum(bits)
            assert pins == dark ^ bits[lit], hex(pins)


def address_behind_wfi(build):
    """Where the program counter stands while the processor waits for an interrupt."""
    tool = "riscv64-unknown-elf" if BUILDS[build].get("ARCH") == "riscv" else "arm-none-eabi"
    out = subprocess.run([f"{tool}-objdump", "-d", "--disassemble=clock_sleep", str(ROOT / "build" / build / "skillrom.elf")], check=True,
                         capture_output=True, text=True).stdout
    found = re.search(r"^\s*([0-9a-f]+):\s+([0-9a-f]+)\s+wfi", out, re.M)
    assert found, "clock_sleep has no wfi"
    return int(found[1], 16) + len(found[2]) // 2


def sleeps_when_idle(build):
    """Looked at while nothing happens, the processor is found waiting for an interrupt. How often depends on how busy
    this machine is; that it is found so at all does not, and one that runs in circles never is."""
    behind = address_behind_wfi(build)
    with Board(build) as board:
        board.boot()
        board.ping(1)
        assert any(board.emulator.program_counter() == behind for _ in range(1000)), "it is never seen asleep"


def answers_what_was_sent_before_it_was_up(build):
    """defect 14: an MCP client does not wait for a word before its first request; and hears nothing but messages."""
    with subprocess.Popen(["tests/boards/qemu/boot", build, f"build/{build}/skillrom.elf", "--stdio"], cwd=ROOT, stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE) as boot:
        boot.stdin.write(PING % 1)
        boot.stdin.flush()
        ready, _, _ = select.select([boot.stdout], [], [], PATIENCE)
        line = boot.stdout.readline() if ready else b""
        boot.send_signal(signal.SIGTERM)
        _, errors = boot.communicate(timeout=PATIENCE)
        assert line == PONG % 1, line
        assert b": ready\n" in errors, errors


def responds_to_all_piped_input(build):
    """defect 80: the end of input ended the board before it had answered."""
    run = subprocess.run(["tests/boards/qemu/boot", build, f"build/{build}/skillrom.elf", "--stdio"], cwd=ROOT, timeout=PATIENCE,
                         input=PING % 1 + PING % 2 + (PING % 3).rstrip(b"\n"), capture_output=True)
    assert run.stdout == PONG % 1 + PONG % 2 + PONG % 3 and run.returncode == 0, run


def boot_reports_what_to_run(build):
    """defect 14: in a fresh copy of the sources nothing has been built or installed."""
    with scratch_folder() as folder:
        for part in ("boards", "tools", "tests/client"):
            shutil.copytree(ROOT / part, f"{folder}/{part}")
        pathlib.Path(f"{folder}/tests/boards/qemu").mkdir(parents=True)
        shutil.copy(ROOT / "tests/boards/qemu/boot", f"{folder}/tests/boards/qemu")
        for elf, wanted in (("missing.elf", f"make BOARD={build}"), (ROOT / "build" / build / "skillrom.elf", "tests/boards/qemu/install")):
            run = subprocess.run(["tests/boards/qemu/boot", build, str(elf), "--stdio"], cwd=folder, stdin=subprocess.DEVNULL,
                                 capture_output=True, text=True)
            assert run.returncode == 1 and f"run: {wanted}" in run.stderr and "Traceback" not in run.stderr, run.stderr


def names_the_emulator_that_is_missing(build):
    """On a machine that has nothing but Python."""
    with scratch_folder() as folder:
        run = subprocess.run([sys.executable, "tests/boards/qemu/boot", build, f"build/{build}/skillrom.elf", "--stdio"], cwd=ROOT,
                             env={"PATH": str(folder)}, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        assert run.returncode == 1 and "qemu-system-riscv32, which sifive-e is emulated by, is missing" in run.stderr, run.stderr
        assert run.stderr.endswith("Debian's package qemu-system-misc\n"), run.stderr


def ends_at_ctrl_c(build):
    """The terminal signals everyone in its foreground; boot still has the emulator to ask, and nothing to complain of."""
    with subprocess.Popen(["tests/boards/qemu/boot", build, f"build/{build}/skillrom.elf", "--stdio"], cwd=ROOT, stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True) as boot:
        boot.stderr.readline()  # it is up
        os.killpg(boot.pid, signal.SIGINT)
        _, errors = boot.communicate(timeout=PATIENCE)
        assert boot.returncode == 0 and not errors, errors


def works_without_the_reliable_mode(build):
    """SKR_UART_RELIABLE 0: plain lines as ever, and nothing of port/uart in the flash."""
    elf = ROOT / "build" / build / "plain.elf"
    names = subprocess.run(["nm", str(elf)], check=True, capture_output=True, text=True).stdout
    assert "skr_frame_" not in names and "skr_uart_" not in names
    with Board(build, "plain.elf") as board:
        board.boot()
        board.ping(1)


def has_no_heap(build):
    elf = ROOT / "build" / build / "skillrom.elf"
    names = subprocess.run(["nm", str(elf)], check=True, capture_output=True, text=True).stdout.split()
    found = sorted(name for name in names if HEAP.match(name))
    assert not found, found
    linked = elf.with_suffix(".map").read_text().split("Linker script and memory map")[1]
    members = re.findall(r"lib\w+\.a\((?:lib_a-)?([\w-]*(?:malloc|sbrk|free)[\w-]*)\.o\)", linked)
    assert not members, members


def fails_to_link_over_budget(build):
    """The same link with a kilobyte too much, once of flash and once of RAM."""
    folder = ROOT / "build" / build
    for section, region in (("rodata", "FLASH"), ("bss", "RAM")):
        source = folder / f"too-much-{section}.c"
        kind = "const volatile char" if section == "rodata" else "volatile char"
        size = 64 << 20
        source.write_text(f"{kind} too_much[{size}];\n")
        words = ["make", "-s", "-C", str(ROOT), f"link-{build}", f"EXTRA={source.relative_to(ROOT)} -Wl,-u,too_much"]
        run = subprocess.run(words, capture_output=True, text=True)
        source.unlink()
        assert run.returncode != 0 and f"region `{region}' overflowed" in run.stderr, run.stderr[-400:]


def loaded(elf):
    """What a 32-bit ELF file has for flash, from its first address on; 0xff where it has nothing."""
    data = elf.read_bytes()
    start, entry, count = struct.unpack_from("<I", data, 28)[0], *struct.unpack_from("<HH", data, 42)
    segments = [struct.unpack_from("<8I", data, start + i * entry) for i in range(count)]
    segments = sorted((where, data[at:at + size]) for kind, at, _, where, size, *_ in segments if kind == 1 and size > 0)
    flash = b""
    for where, content in segments:
        flash = flash.ljust(where - segments[0][0], b"\xff") + content
    return flash


def has_files_for_other_tools(build):
    """skillrom.bin and .hex are what the ELF has for flash, with the skills in it; the memory that it takes is printed."""
    run = subprocess.run(["make", "-s", "-C", str(ROOT), f"BOARD={build}"], capture_output=True, text=True)
    assert run.returncode == 0 and re.search(r"FLASH: +\d+ B .*%", run.stdout) and re.search(r"RAM: +\d+ B .*%", run.stdout), run
    firmware = ROOT / "build" / build / "skillrom"
    flash = firmware.with_suffix(".bin").read_bytes()
    assert flash == loaded(firmware.with_suffix(".elf")), len(flash)
    assert (ROOT / "build/device/tiny/examples-board.rom").read_bytes() in flash
    with scratch_folder() as folder:
        subprocess.run(["objcopy", "-I", "ihex", "-O", "binary", "--gap-fill", "0xff", firmware.with_suffix(".hex"), f"{folder}/flash"], check=True)
        assert pathlib.Path(f"{folder}/flash").read_bytes() == flash


def is_flashed_by_its_tool(build):
    """`make flash` with a stand-in for the tool, which says that it is one; and without any."""
    tool, *options = BUILDS[build]["FLASH"].split()
    with scratch_folder() as folder:
        fake = pathlib.Path(folder) / tool
        fake.write_text(f'#!/bin/sh\necho "a fake {tool}:" "$@"\n')
        fake.chmod(0o755)
        alone = {"PATH": str(folder)}
        path = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"}

        def flash(*words, env=alone):
            return subprocess.run(words, cwd=ROOT, env=env, capture_output=True, text=True)

        words = ["tools/flash", build, tool, *options]
        printed = flash("make", "-s", "flash", f"BOARD={build}", env=path).stdout if tool == "openocd" else flash(*words).stdout
        assert re.search(rf"^a fake {tool}: .*build/{build}/skillrom\.", printed, re.M), printed
        assert all(option in printed for option in options), printed
        printed = flash("tools/flash", "-n", *words[1:]).stdout
        assert f"{tool} " in printed and "fake" not in printed, printed
        fake.write_text("#!/bin/sh\nexit 3\n")
        run = flash(*words)
        assert run.returncode == 1 and f"{tool} could not write to {build}" in run.stderr, run
        fake.unlink()
        run = flash(*words)
        assert run.returncode == 1 and f"{tool}, which writes to {build}, is not installed" in run.stderr, run


def tests_of(build):
    yield boots_and_reports_it, ()
    yield refuses_an_image_that_is_none, ()
    yield answers_what_comes_in_one_go, ()
    yield responds_after_noise, (NOISE if build == "mps2-an385" else NOISE // 32,)
    yield has_no_heap, ()
    yield has_files_for_other_tools, ()
    if "FLASH" in BUILDS[build]:
        yield is_flashed_by_its_tool, ()
    if build != "rp2040-pico":
        yield fails_to_link_over_budget, ()
    if build == "mps2-an385":
        yield works_without_the_reliable_mode, ()
        yield ends_at_ctrl_c, ()
    yield answers_what_was_sent_before_it_was_up, ()
    yield responds_to_all_piped_input, ()
    if build == "rp2040-pico":
        yield boot_reports_what_to_run, ()
    if build == "sifive-e":
        yield names_the_emulator_that_is_missing, ()
    if build in LAMPS:
        yield lights_lamps, ()
    yield sleeps_when_idle, ()


def main(builds):
    tally = Tally()
    for build in builds:
        for test, arguments in tests_of(build):
            tally.test(f"{build}: {test.__name__.replace('_', ' ')}", test, build, *arguments)
    return tally.finish()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
