"""A change on trial: compiled, linked into the library, and run in one test program after the other until one of them fails.
Nothing outside build/mutants is written."""

import functools
import os
import pathlib
import re
import resource
import shlex
import signal
import subprocess
import threading

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
BUILT = ROOT / "build/mutants"
MEMORY = 2 << 30  # bytes: a change that makes an endless answer must not take the machine with it
SANITIZERS = "detect_leaks=0:abort_on_error=1:hard_rss_limit_mb=1500:detect_odr_violation=0"
TRANSCRIPTS = "transcripts"


class Stopped(Exception):
    """The run was ended from outside: what a program did after that is not a verdict."""


class Programs:
    """The programs that run. Ctrl-C ends them without a verdict: each has a session of its own, so only we are told."""

    def __init__(self):
        self.lock, self.running, self.stopped = threading.Lock(), set(), False

    def start(self, words, **how):
        with self.lock:
            if self.stopped:
                raise Stopped
            program = subprocess.Popen([str(w) for w in words], cwd=ROOT, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                       start_new_session=True, **how)
            self.running.add(program)
            return program

    def end(self, program):
        """(exit status, seconds of the processor) of a program that ends, with those that it waited for."""
        _, status, usage = os.wait4(program.pid, 0)
        with self.lock:
            program.returncode = os.waitstatus_to_exitcode(status)
            self.running.discard(program)
            if self.stopped:
                raise Stopped
        return program.returncode, usage.ru_utime + usage.ru_stime

    def stop(self):
        with self.lock:
            self.stopped = True
            for program in self.running:
                os.killpg(program.pid, signal.SIGKILL)


programs = Programs()


def commands():
    """How make compiles and links, and the names of the unit tests: build.mk writes them."""
    pairs = (line.split(" ", 1) for line in (BUILT / "commands").read_text().splitlines())
    return {name: shlex.split(words) for name, words in pairs}


def kind_of(test):
    """How a test is built: `plain`, or `asan` with sanitizers."""
    return "asan" if test.startswith("asan:") else "plain"


def limit(seconds, address_space):
    """Limits of the processor's time, since the clock on the wall says nothing of a busy machine."""

    def set_limits():
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if address_space:
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))

    return set_limits


def first_failure(lines):
    """The first transcript that fails, of what the runner says about each; otherwise the last that was well, as `behind FILE`."""
    at = "behind nothing"
    for line in lines:
        words = line.decode(errors="replace").split()
        if words[:1] == ["FAIL"]:
            return words[1]
        if words[:1] == ["ok"]:
            at = f"behind {words[1]}"
    return at


class Bench:
    """Where one worker compiles and links. A test is the name of a unit test, that with `asan:` before it, or `transcripts`."""

    def __init__(self, name):
        self.place = BUILT / name
        self.how = commands()
        for kind in ("plain", "asan"):
            (self.place / kind).mkdir(parents=True, exist_ok=True)

    def compile(self, kind, path, source):
        """The object of this text of a source, plain or asan; None when it is not C."""
        text, made = self.place / "changed.c", self.place / kind / "changed.o"
        text.write_text(source)
        words = [*self.how[f"compile.{kind}"], "-iquote", os.path.dirname(path), "-c", text, "-o", made]
        status, _ = programs.end(programs.start(words))
        return made if status == 0 else None

    def link(self, kind, path, made):
        """The folder with the library that has this object instead of that of the source."""
        before = f"build/mutants/{kind}/obj/{path.removesuffix('.c')}.o"
        words = [made if word == before else word for word in self.how[f"link.{kind}"]]
        status, _ = programs.end(programs.start([*words, "-o", self.place / kind / "libskillrom.so"]))
        if status != 0 or made not in words:
            raise RuntimeError(f"{path} cannot be linked: {words}")
        return self.place / kind

    def run(self, test, library, seconds, files, **more):
        """(the name of the test, or of the transcript, if it fails with this library, else None; seconds of the processor)"""
        kind, name = kind_of(test), test.removeprefix("asan:")
        environment = dict(os.environ, LD_LIBRARY_PATH=str(library), ASAN_OPTIONS=SANITIZERS, **more)
        program = BUILT / kind / ("wire-runner" if test == TRANSCRIPTS else f"unit/{name}")
        how = {"env": environment, "preexec_fn": limit(seconds, kind == "plain")}
        if test != TRANSCRIPTS:
            status, took = programs.end(programs.start([program], stdout=subprocess.DEVNULL, **how))
            return test if status else None, took
        runner = programs.start([program, "--brief", *files], stdout=subprocess.PIPE, **how)
        with runner.stdout:
            failure = first_failure(runner.stdout)
            if not failure.startswith("behind "):
                os.kill(runner.pid, signal.SIGKILL)  # not runner.kill, which would take its status
        status, took = programs.end(runner)
        return failure if status else None, took

    def reached(self, test, files):
        """The names of the functions that a test comes through."""
        said = self.place / "reached"
        said.unlink(missing_ok=True)
        self.run(test, BUILT / "reach", 600, files, REACHED=str(said))
        return sorted({functions()[int(line)] for line in said.read_text().split()})


@functools.cache
def functions():
    """The functions of the library that reports them, by their distance from reached_here; as the sources call them, though
    skr_layout.h gives some a longer name."""
    done = subprocess.run(["nm", BUILT / "reach/libskillrom.so"], stdout=subprocess.PIPE, text=True, check=True)
    found = [line.split() for line in done.stdout.splitlines() if " t " in line.lower()]
    here = next(int(words[0], 16) for words in found if words[2] == "reached_here")
    return {int(words[0], 16) - here: re.split(r"\.|_of_another_", words[2])[0] for words in found}
