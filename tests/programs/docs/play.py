"""play.py - runs the commands of a page as a reader would, and compares what they print.

    ```console              $ lines are commands; the lines after one are found in its output, in this order;
                            `...` is any text; (exit 1) is its status, otherwise 0
    ```console background   starts a command that goes on, until the page ends, and waits for its lines
    ```console retry        again, until it prints these lines: for what takes a moment
    ```c file=PATH          the block is saved there; append=PATH: added to it

A page has a network, a process table and a home of its own; /dev/pts/N stands for the terminal that was printed."""

import os
import pathlib
import re
import signal
import subprocess
import time

PATIENCE = 120


class Wrong(Exception):
    pass


def commands_of(block):
    """[(command, expected lines, status)]"""
    found = []
    for line in block.lines:
        if line.startswith("$ "):
            found.append([line[2:], [], 0])
        elif not found:
            raise Wrong(f"{block.place}: the first line of a console block is a command: $ ...")
        elif re.fullmatch(r"\(exit \d+\)", line):
            found[-1][2] = int(line[6:-1])
        elif line.strip():
            found[-1][1].append(line.strip())
    return found


def missing_line(expected, output):
    """The first expected line that does not follow those before it; None when all are there."""
    rest = iter(output.splitlines())
    for line in expected:
        pattern = re.compile(".*".join(re.escape(part) for part in line.split("...")))
        if not any(pattern.fullmatch(seen.strip()) for seen in rest):
            return line
    return None


class Reader:
    """A shell in a folder, with everything that it starts."""

    def __init__(self, folder, scratch):
        self.folder, self.scratch, self.count, self.terminal = folder, scratch, 0, None
        scratch.mkdir(parents=True)
        (scratch / "home").mkdir()
        kept = {name: os.environ[name] for name in ("PATH", "CCACHE_DIR", "TERM") if name in os.environ}
        own = [] if os.geteuid() == 0 else ["-r"]
        words = ["unshare", *own, "-n", "-p", "-f", "--mount-proc", "--kill-child", "bash", "--noprofile", "--norc"]
        self.shell = subprocess.Popen(words, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                      env={**kept, "HOME": str(scratch / "home"), "LC_ALL": "C"}, text=True, start_new_session=True)
        self.type_line("ip link set lo up")

    def type_line(self, line):
        self.shell.stdin.write(line + "\n")
        self.shell.stdin.flush()

    def end(self):
        os.killpg(self.shell.pid, signal.SIGKILL)
        self.shell.wait()

    def begin(self, command, background):
        """Starts it; returns where its output and its status will be."""
        self.count += 1
        out, status = self.scratch / f"{self.count}.out", self.scratch / f"{self.count}.status"
        if self.terminal:
            command = re.sub(r"/dev/pts/\d+", self.terminal, command)
        if background:
            self.type_line(f"tail -f /dev/null | {{ {command}; echo $? >{status}; }} >{out} 2>&1 &")
        else:
            self.type_line(f"{{ {command}\n}} >{out} 2>&1 </dev/null; echo $? >{status}")
        return out, status

    def run(self, command, expected, wanted, place, background=False):
        out, status = self.begin(command, background)
        limit = time.monotonic() + PATIENCE
        while True:
            ended = status.exists() and status.read_text().strip()
            text = out.read_text(errors="replace") if out.exists() else ""
            lines = [re.sub(r"/dev/pts/\d+", "/dev/pts/N", line) for line in expected]
            lack = missing_line(lines, re.sub(r"/dev/pts/\d+", "/dev/pts/N", text))
            if (background and lack is None) or ended or time.monotonic() > limit or self.shell.poll() is not None:
                break
            time.sleep(0.02)
        found = re.search(r"/dev/pts/\d+", text)
        self.terminal = found[0] if background and found else self.terminal
        if background and ended:
            raise Wrong(f"{place}: `{command}` ended with {ended}\n{text}")
        if lack is not None:
            raise Wrong(f"{place}: `{command}` does not print: {lack}\n{text}")
        if not background and ended != str(wanted):
            raise Wrong(f"{place}: `{command}` exits with {ended or 'nothing'}, not {wanted}\n{text}")

    def where(self):
        """The folder that the shell is in now."""
        out, status = self.begin("pwd", False)
        while not status.exists() or not status.read_text().strip():
            time.sleep(0.01)
        return pathlib.Path(out.read_text().strip())


def save(reader, block):
    name = block.attributes.get("file") or block.attributes["append"]
    path = reader.where() / name
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "w" if "file" in block.attributes else "a") as file:
        file.write("\n".join(block.lines) + "\n")


def play_block(reader, block):
    again = "retry" in block.attributes
    for command, expected, status in commands_of(block):
        limit = time.monotonic() + PATIENCE
        while True:
            try:
                reader.run(command, expected, status, block.place, "background" in block.attributes)
                break
            except Wrong:
                if not again or time.monotonic() > limit:
                    raise
                time.sleep(0.1)


def is_played(block):
    return block.language == "console" or "file" in block.attributes or "append" in block.attributes


def play(blocks, folder, scratch):
    """Plays the blocks of a page; returns how many, or raises Wrong."""
    before = set(folder.iterdir())
    reader = Reader(folder, scratch)
    try:
        for block in blocks:
            if block.language == "console":
                play_block(reader, block)
            else:
                save(reader, block)
    finally:
        reader.end()
        for made in set(folder.iterdir()) - before:
            subprocess.run(["rm", "-rf", made], check=True)
    return len(blocks)
