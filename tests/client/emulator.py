"""emulator.py - how each board is run without the board: a command line, and how its memory is looked at.

The serial line is a socket that the emulator inherits: no port, no name, nothing to wait for. QEMU has the Arm boards;
the RP2040 runs in npm's rp2040js, by pico.mjs.
"""
import os
import pathlib
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile

from client.check import afterwards
from client.child import die_with_parent

ROOT = pathlib.Path(__file__).resolve().parents[2]
NODE_FOLDER = ROOT / "build/pico"  # where tests/qemu/install puts rp2040js and pico.mjs
# What QEMU has to say of the LM3S6965 before any firmware runs, and of a frame that comes during a reset.
NO_MATTER = ("Timer with period zero, disabling", "Slirp: Failed to send packet, ret: -1")

PAINT = b"\xa5\xa5\xa5\xa5"  # boards/common/startup.c

MACHINES = {"mps2-an385": "mps2-an385", "mps2-an385-full": "mps2-an385", "stm32vldiscovery": "stm32vldiscovery",
            "lm3s6965evb": "lm3s6965evb"}
PICO = "rp2040-pico"


def symbols(elf):
    """{name: value} of an ELF file for a 32-bit little-endian machine."""
    data = pathlib.Path(elf).read_bytes()
    offset, entry, count = struct.unpack_from("<I", data, 32)[0], *struct.unpack_from("<HH", data, 46)
    sections = [struct.unpack_from("<10I", data, offset + i * entry) for i in range(count)]
    found = {}
    for section in sections:
        if section[1] != 2:  # SHT_SYMTAB
            continue
        strings = sections[section[6]][4]
        for at in range(section[4], section[4] + section[5], 16):
            name, value = struct.unpack_from("<II", data, at)
            found[data[strings + name:data.index(b"\0", strings + name)].decode()] = value
    return found


def painted_over(stack):
    """How many bytes of a stack are no longer as startup.c painted them."""
    unused = 0
    while stack[unused:unused + 4] == PAINT:
        unused += 4
    return len(stack) - unused


def note_stack(build, elf, used):
    """Adds to build/BUILD/stack.txt how many bytes of stack a run has used, for `make size`."""
    with open(ROOT / "build" / build / "stack.txt", "a") as file:
        file.write(f"{used} {pathlib.Path(elf).name}\n")


def prepare():
    """It must not end by itself at Ctrl-C: its memory is looked at before."""
    os.setpgid(0, 0)
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    die_with_parent()


def check_installed(build, elf):
    """Ends with what to run when something is missing."""
    program = "node" if build == PICO else "qemu-system-arm"
    if not os.path.exists(elf):
        sys.exit(f"{elf} is not there; run: make BOARD={build}")
    if not shutil.which(program):
        sys.exit(f"{program} is missing; run: tools/install-packages test")
    if build == PICO and not (NODE_FOLDER / "installed.json").exists():
        sys.exit("the emulator of the RP2040 is not installed; run: tests/qemu/install")


class Emulator:
    """A running board. `line` is its serial line, as a socket or file descriptor that the emulator inherits; or `tty`
    is, the name of a terminal (QEMU only)."""

    def __init__(self, build, elf, line, image=None, extra=(), inherit=(), tty=None):
        if build not in (*MACHINES, PICO):
            sys.exit(f"no emulator for {build}; there are {', '.join([*MACHINES, PICO])}")
        check_installed(build, elf)
        self.symbols = symbols(elf)
        self.pico = build == PICO
        self.monitor, theirs = socket.socketpair()
        if self.pico:
            words = ["node", str(NODE_FOLDER / "pico.mjs"), str(elf)]
            words += [str(image), str(self.symbols["link_image"])] if image else []
        else:
            words = ["qemu-system-arm", "-M", MACHINES[build], "-display", "none", "-kernel", str(elf),
                     "-semihosting-config", "enable=on,target=native", "-chardev", f"serial,id=line,path={tty}" if tty else "socket,id=line,fd=0",
                     "-serial", "chardev:line", "-chardev", f"socket,id=monitor,fd={theirs.fileno()}",
                     "-mon", "chardev=monitor,mode=readline", *extra]
            if image:
                words += ["-device", f"loader,file={image},addr={self.symbols['link_image']:#x},force-raw=on"]
        self.errors = tempfile.TemporaryFile()
        environment = dict(os.environ, SKILLROM_MONITOR=str(theirs.fileno()))
        self.process = subprocess.Popen(words, stdin=line, pass_fds=[theirs.fileno(), *inherit], env=environment,
                                        stderr=self.errors, preexec_fn=prepare)
        theirs.close()
        afterwards(self.kill)

    def reset(self):
        """As its reset button does (QEMU only)."""
        self.monitor.sendall(b"system_reset\n")

    def program_counter(self):
        """Where the processor is."""
        text = b""
        self.monitor.sendall(b"info registers\n")
        while True:
            text += self.monitor.recv(4096)
            found = re.search(rb"R15=([0-9a-f]{8})[\s\S]*\(qemu\) ", text)
            if found:
                return int(found[1], 16)

    def memory(self, address, size):
        """Bytes of the board's RAM, and ends the emulator."""
        with tempfile.NamedTemporaryFile() as file:
            self.monitor.sendall(f'pmemsave {address} {size} "{file.name}"\nquit\n'.encode())
            self.wait()
            return pathlib.Path(file.name).read_bytes()

    def wait(self):
        """Until it has ended; its exit status. Tells what it complained about."""
        status = self.process.wait()
        self.errors.seek(0)
        for complaint in self.errors.read().decode(errors="replace").splitlines():
            if not complaint.endswith(NO_MATTER):
                print(complaint, file=sys.stderr)
        return status

    def stack_used(self):
        """Bytes of stack that were used until now; QEMU only."""
        bottom, top = self.symbols["link_stack"], self.symbols["link_stack_top"]
        with tempfile.NamedTemporaryFile() as file:
            self.monitor.sendall(f'pmemsave {bottom} {top - bottom} "{file.name}"\n'.encode())
            text = b""
            while not text.endswith(b"\r\n(qemu) "):
                text += self.monitor.recv(4096)
            return painted_over(pathlib.Path(file.name).read_bytes())

    def stop(self):
        """Ends it; bytes of stack that were used."""
        bottom, top = self.symbols["link_stack"], self.symbols["link_stack_top"]
        return painted_over(self.memory(bottom, top - bottom))

    def kill(self):
        self.process.kill()
        self.process.wait()
