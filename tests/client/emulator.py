"""emulator.py - how each board is run without the board: a command line, and how its memory is looked at.

Which emulator is its EMULATOR in boards/*/board.mk. The serial line is a socket that the emulator inherits: no port, no name,
nothing to wait for. QEMU has most boards; the RP2040 runs in npm's rp2040js, by pico.mjs.
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
import threading

from client.boards import BUILDS, ROOT
from client.check import PATIENCE, afterwards, check, until
from client.child import die_with_parent

NODE_FOLDER = ROOT / "build/pico"  # where tests/boards/qemu/install puts rp2040js and pico.mjs
# What QEMU has to say of the LM3S6965 before any firmware runs, and of a frame that comes during a reset.
NO_MATTER = ("Timer with period zero, disabling", "Slirp: Failed to send packet, ret: -1")

PAINT = b"\xa5\xa5\xa5\xa5"  # boards/common/startup.c


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


def record_stack(build, elf, used):
    """Adds to build/BUILD/stack.txt how many bytes of stack a run has used, for `make size`."""
    with open(ROOT / "build" / build / "stack.txt", "a") as file:
        file.write(f"{used} {pathlib.Path(elf).name}\n")


def prepare():
    """It must not end by itself at Ctrl-C: its memory is looked at before."""
    os.setpgid(0, 0)
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    die_with_parent()


def emulator_of(build):
    """Its words in board.mk: QEMU with its options, or rp2040js with what its serial line is."""
    if "EMULATOR" not in BUILDS.get(build, {}):
        builds = ", ".join(name for name, keys in BUILDS.items() if "EMULATOR" in keys)
        sys.exit(f"no emulator for {build}; there are {builds}. EMULATOR.{build} in its board.mk names one")
    return BUILDS[build]["EMULATOR"].split()


def package_of(program):
    """Debian's name for what has a program."""
    return re.search(rf"^test (\S+) {program} ", (ROOT / "tools/install-packages").read_text(), re.M)[1]


def check_installed(build, elf):
    """Ends with what to run when something is missing."""
    program = emulator_of(build)[0].replace("rp2040js", "node")
    if not os.path.exists(elf):
        sys.exit(f"{elf} is not there; run: make BOARD={build}")
    if not shutil.which(program):
        sys.exit(f"{program}, which {build} is emulated by, is missing; run: tools/install-packages test, "
                 f"or install Debian's package {package_of(program)}")
    if program == "node" and not (NODE_FOLDER / "installed.json").exists():
        sys.exit("the emulator of the RP2040 is not installed; run: tests/boards/qemu/install")


def as_elf(image, address):
    """An image for a place in memory as the smallest ELF file: of a plain one QEMU takes no more than the board has RAM."""
    data = pathlib.Path(image).read_bytes()
    header = struct.pack("<16s2H5I6H", b"\x7fELF\1\1\1", 2, 0, 1, 0, 52, 0, 0, 52, 32, 1, 0, 0, 0)
    segment = struct.pack("<8I", 1, 84, address, address, len(data), len(data), 4, 4)
    file = tempfile.NamedTemporaryFile(suffix=".elf")
    file.write(header + segment + data)
    file.flush()
    return file


def with_room(line):
    """A socket in place of `line`, for an emulator that drops a byte when its socket has no room for it, as QEMU does for the FE310; and
    the threads that carry bytes between the two, to be started when the emulator has been. A Unix socket has room for some
    280 bytes that are sent one by one; TCP puts them together, and is emptied immediately."""
    line = socket.socket(fileno=os.dup(line if isinstance(line, int) else line.fileno()))
    with socket.create_server(("127.0.0.1", 0)) as listener:
        ours = socket.create_connection(listener.getsockname())
        theirs, _ = listener.accept()

    def carry(source, to):
        try:
            while data := source.recv(65536):
                to.sendall(data)
            to.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass  # the test is over

    return theirs, [threading.Thread(target=carry, args=ends, daemon=True) for ends in ((line, ours), (ours, line))]


class Emulator:
    """A running board. `line` is its serial line, as a socket or file descriptor that the emulator inherits; or `tty`
    is, the name of a terminal (QEMU only)."""

    def __init__(self, build, elf, line, image=None, extra=(), inherit=(), tty=None):
        check_installed(build, elf)
        emulator = emulator_of(build)
        line, carriers = with_room(line) if emulator[0] == "qemu-system-riscv32" and not tty else (line, [])
        self.symbols = symbols(elf)
        self.monitor, theirs = socket.socketpair()
        self.monitor.settimeout(PATIENCE)
        if emulator[0] == "rp2040js":
            words = ["node", str(NODE_FOLDER / "pico.mjs"), emulator[1], str(elf)]
            words += [str(image), str(self.symbols["link_image"])] if image else []
        else:
            words = [*emulator, "-display", "none", "-kernel", str(elf),
                     "-semihosting-config", "enable=on,target=native", "-chardev", f"serial,id=line,path={tty}" if tty else "socket,id=line,fd=0",
                     "-serial", "chardev:line", "-chardev", f"socket,id=monitor,fd={theirs.fileno()}",
                     "-mon", "chardev=monitor,mode=readline", *extra]
            if image:
                self.image = as_elf(image, self.symbols["link_image"])
                words += ["-device", f"loader,file={self.image.name}"]
        self.errors = tempfile.TemporaryFile()
        environment = dict(os.environ, SKILLROM_MONITOR=str(theirs.fileno()))
        self.process = subprocess.Popen(words, stdin=line, pass_fds=[theirs.fileno(), *inherit], env=environment,
                                        stderr=self.errors, preexec_fn=prepare)
        theirs.close()
        for carrier in carriers:
            carrier.start()
        afterwards(self.kill)

    def reset(self):
        """As its reset button does (QEMU only)."""
        self.monitor.sendall(b"system_reset\n")

    def reset_and_hold(self):
        """Resets it and holds it before its first instruction, until `release`: what is sent meanwhile arrives after the reset, and
        what was sent before does not (QEMU only). The monitor itself resets a little later than it answers."""
        self.monitor.sendall(b"stop\n")
        self.reset()
        until(lambda: self.command_result("info status", rb"VM status: ([^\r\n]*)\r")[1] == b"paused (prelaunch)", "the board is not reset")

    def release(self):
        self.command_result("cont", rb"\(qemu\) $")

    def command_result(self, command, pattern):
        """Gives the monitor a command; the match of the pattern in what it says from then on."""
        text = b""
        self.monitor.sendall(command.encode() + b"\n")
        while not (match := re.search(pattern, text)):
            data = self.monitor.recv(4096)
            check(data, f"the emulator ended at {command!r}; it said {text!r}")
            text += data
        return match

    def query(self, command):
        """What the monitor of rp2040js answers: tests/boards/qemu/pico.mjs."""
        return self.command_result(command, rb"([\s\S]*)\r\n\(qemu\) $")[1].decode()

    def program_counter(self):
        """Where the processor is."""
        return int(self.command_result("info registers", rb"(?:R15=| pc +)([0-9a-f]{8})[\s\S]*\(qemu\) ")[1], 16)

    def memory(self, address, size):
        """Bytes of the board's RAM, and ends the emulator."""
        with tempfile.NamedTemporaryFile() as file:
            self.monitor.sendall(f'memsave {address} {size} "{file.name}"\nquit\n'.encode())
            self.wait()
            return pathlib.Path(file.name).read_bytes()

    def wait(self):
        """Until it has ended; its exit status. Tells what it complained about."""
        status = self.process.wait(PATIENCE)
        self.errors.seek(0)
        for complaint in self.errors.read().decode(errors="replace").splitlines():
            if not complaint.endswith(NO_MATTER):
                print(complaint, file=sys.stderr)
        return status

    def stack_used(self):
        """Bytes of stack that were used until now; QEMU only."""
        bottom, top = self.symbols["link_stack"], self.symbols["link_stack_top"]
        with tempfile.NamedTemporaryFile() as file:
            self.command_result(f'memsave {bottom} {top - bottom} "{file.name}"', rb"\r\n\(qemu\) $")
            return painted_over(pathlib.Path(file.name).read_bytes())

    def stop(self):
        """Ends it; bytes of stack that were used."""
        bottom, top = self.symbols["link_stack"], self.symbols["link_stack_top"]
        return painted_over(self.memory(bottom, top - bottom))

    def kill(self):
        self.process.kill()
        self.process.wait()
