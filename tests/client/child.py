"""child.py - programs under test as children: what they say on stderr, where they serve, their stdin and stdout.

A child is killed when its test is over or when its parent dies, however that ends."""

import ctypes
import json
import os
import queue
import re
import signal
import subprocess
import threading

from client.check import PATIENCE, Ended, afterwards, check, until
from client.mcp import numbered

prctl = ctypes.CDLL(None).prctl  # looked up here: between fork and exec only what needs no lock may be done
PR_SET_PDEATHSIG = 1
PORT = re.compile(r"serving .* at (?:https?|tcp)://.*:(\d+)(?:/\S*)?$")


def die_with_parent():
    """For the new process, and there last: another user id would undo it."""
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def start_in_our_place(words, numbers, **more):
    """A process that these signals to us are passed on to. Threads that run already must have them blocked. One thread waits for
    them: a handler of Python runs only when the main thread's call returns, and a signal that comes just before a call that
    waits would never be passed on."""

    def prepare():
        signal.pthread_sigmask(signal.SIG_UNBLOCK, numbers)
        die_with_parent()

    def pass_on():
        while True:
            process.send_signal(signal.sigwait(numbers))

    signal.pthread_sigmask(signal.SIG_BLOCK, numbers)
    process = subprocess.Popen(words, preexec_fn=prepare, **more)
    threading.Thread(target=pass_on, daemon=True).start()
    return process


class Child:
    """`said` has the lines of its stderr. As a context it is killed at the end."""

    def __init__(self, *command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, before=None, **more):
        """`before` is called in the new process."""

        def prepare():
            if before is not None:
                before()
            die_with_parent()

        self.said = []
        self.process = subprocess.Popen(command, stdin=stdin, stdout=stdout, stderr=subprocess.PIPE,
                                        preexec_fn=prepare, **more)
        afterwards(self.kill)
        self.reader = threading.Thread(target=self.listen, daemon=True)
        self.reader.start()

    def listen(self):
        with self.process.stderr as stderr:
            for line in stderr:
                self.said.append(line.decode(errors="replace").rstrip("\n"))

    def lines_with(self, pattern):
        return [line for line in list(self.said) if re.search(pattern, line)]

    def has_said(self, words):
        return bool(self.lines_with(re.escape(words)))

    def wait_for_line(self, pattern, count=1):
        """Until so many lines of stderr match; gives the last of them."""
        until(lambda: len(self.lines_with(pattern)) >= count or self.process.poll() is not None,
              f"it says {pattern!r}: {self.said}")
        if self.process.poll() is not None:
            self.reader.join(PATIENCE)  # its last words may still be on their way
        check(len(self.lines_with(pattern)) >= count, f"ended without saying {pattern!r}: {self.said}")
        return self.lines_with(pattern)[-1]

    def wait_for(self, words, count=1):
        return self.wait_for_line(re.escape(words), count)

    def named_ports(self):
        """Where it has said that it serves."""
        return [int(PORT.search(line)[1]) for line in self.lines_with(PORT)]

    def signal(self, number=signal.SIGTERM):
        self.process.send_signal(number)

    def exit_code(self):
        """Of a program that ends by itself, or has been told to. Then `said` is complete."""
        code = self.process.wait(PATIENCE)
        self.reader.join(PATIENCE)
        return code

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.reader.join(PATIENCE)
        for end in (self.process.stdin, self.process.stdout):
            if end:
                try:
                    end.close()
                except BrokenPipeError:
                    pass  # what was not flushed is of no interest any more

    def __enter__(self):
        return self

    def __exit__(self, *why):
        self.kill()

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def cpu_ticks(self):
        with open(f"/proc/{self.process.pid}/stat") as stat:
            fields = stat.read().rsplit(")", 1)[1].split()
        return int(fields[11]) + int(fields[12])


class Server(Child):
    """A program that serves on sockets: skillromd, `skillrom serve`, the bridge. `ports` are in the order in which it
    names them: `with Server(program, image, "--http", "127.0.0.1:0") as s: s.ports[0]`"""

    def __init__(self, *command, **more):
        super().__init__(*command, **more)
        wanted = sum(str(word).startswith(("--http", "--tcp")) for word in command)
        self.wait_for_line(PORT, max(1, wanted))
        self.ports = self.named_ports()


class Stdio(Child):
    """A program with a client on its stdin and stdout."""

    def __init__(self, *command, **more):
        self.lines, self.last = queue.Queue(), 0
        super().__init__(*command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, **more)
        self.stdout_reader = threading.Thread(target=self.read_lines, daemon=True)
        self.stdout_reader.start()

    def read_lines(self):
        with os.fdopen(os.dup(self.process.stdout.fileno()), "rb") as stdout:
            for line in stdout:
                self.on_line(line)
        self.on_line(None)

    def on_line(self, line):
        """Called with each line of stdout, and with None at its end."""
        self.lines.put(line)

    def send(self, message, spelled=str):
        """Bytes, or a message, whose id this gives back: one that is not complete gets an id. `spelled` may write the
        same JSON otherwise."""
        if isinstance(message, dict) and "jsonrpc" not in message:
            self.last += 1
            message = numbered(self.last, message)
        data = message if isinstance(message, bytes) else spelled(json.dumps(message)).encode() + b"\n"
        while data:  # an unbuffered pipe may take a part
            data = data[self.process.stdin.write(data):]
        return message.get("id") if isinstance(message, dict) else None

    def line(self):
        """The next message of the program."""
        try:
            line = self.lines.get(timeout=PATIENCE)
        except queue.Empty:
            raise Ended(f"nothing comes; it said {self.said[-5:]}") from None
        if line is None:
            self.lines.put(None)
            raise Ended(f"it said {self.said[-5:]}")
        return json.loads(line)

    def exchange(self, message):
        """Sends it, and gives the next message, which must be its response."""
        id, response = self.send(message), self.line()
        check(response.get("id") == id, f"to {id}: {json.dumps(response)[:300]}")
        return response

    def rest(self):
        """Ends its input; all messages that still come."""
        self.process.stdin.close()
        return [json.loads(line) for line in iter(lambda: self.lines.get(timeout=PATIENCE), None)]

    def finish(self):
        """Ends its input; the exit status."""
        self.process.stdin.close()
        return self.exit_code()
