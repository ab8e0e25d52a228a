"""A change on trial: compiled, linked into one test program after the other, and run until one of them fails."""

import os
import pathlib
import resource
import shlex
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
BUILT = ROOT / "build/mutants"
MEMORY = 2 << 30  # bytes: a change that makes an endless answer must not take the machine with it
ENVIRONMENT = dict(os.environ, ASAN_OPTIONS="detect_leaks=0:abort_on_error=1:hard_rss_limit_mb=1500")
TRANSCRIPTS = "transcripts"


def commands():
    """How make compiles and links, by name: build.mk writes them."""
    pairs = (line.split(" ", 1) for line in (BUILT / "commands").read_text().splitlines())
    return {name: shlex.split(words) for name, words in pairs}


def limit(seconds, address_space):
    """Limits of the processor's time, since the clock on the wall says nothing of a busy machine."""

    def set_limits():
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if address_space:
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))

    return set_limits


def run_unit(program, seconds, sanitized):
    """Whether a unit test passes."""
    done = subprocess.run([str(program)], cwd=ROOT, env=ENVIRONMENT, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL, preexec_fn=limit(seconds, not sanitized))
    return done.returncode == 0


def run_transcripts(program, files, seconds):
    """The first transcript that fails, or None. The runner is ended there; it says how each one went."""
    words = [str(program), "--brief", *files]
    with subprocess.Popen(words, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          preexec_fn=limit(seconds, True)) as runner:
        at = "transcripts"
        for line in runner.stdout:
            words = line.decode(errors="replace").split()
            if words[:1] == ["FAIL"]:
                runner.kill()
                return words[1]
            if words[:1] == ["ok"]:
                at = f"behind {words[1]}"
    return None if runner.returncode == 0 else at


class Bench:
    """Where one worker compiles and links. A test is the name of a unit test, that with `asan:` before it, or `transcripts`."""

    def __init__(self, name):
        self.place = BUILT / name
        self.place.mkdir(parents=True, exist_ok=True)
        self.how = commands()

    def compile(self, kind, path, source):
        """The object of this text of a source, plain or asan; None when it is no C."""
        text, made = self.place / "changed.c", self.place / f"{kind}.o"
        text.write_text(source)
        words = [*self.how[f"compile.{kind}"], "-iquote", os.path.dirname(path), "-c", str(text), "-o", str(made)]
        done = subprocess.run(words, cwd=ROOT, stderr=subprocess.DEVNULL)
        return made if done.returncode == 0 else None

    def link(self, how, objects):
        """A test program of these objects, which stand in for those of the libraries."""
        compiler, *rest = self.how[f"link.{how}"]
        program = self.place / how
        subprocess.run([compiler, *map(str, objects), *rest, "-o", str(program)], cwd=ROOT, check=True)
        return program

    def fails(self, test, path, source, objects, seconds, files):
        """The name of the test, or of the transcript, if it fails with this text of a source; else None."""
        sanitized, _, name = test.rpartition(":")
        kind = sanitized or "plain"
        objects[kind] = objects.get(kind) or self.compile(kind, path, source)
        if test == TRANSCRIPTS:
            return run_transcripts(self.link("wire", [objects[kind]]), files, seconds)
        folder = BUILT.parent / "asan" if sanitized else BUILT
        program = self.link(kind, [folder / f"obj/tests/unit/{name}.o", objects[kind]])
        return None if run_unit(program, seconds, sanitized) else test
