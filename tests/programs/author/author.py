"""author.py - the command line as an author uses it, and folders to try it on."""

import pathlib
import shutil
import subprocess

from client import programs
from client.check import afterwards, check
from client.child import die_with_parent

ROOT = programs.ROOT


def scratch():
    """A folder that is gone after the test."""
    folder = programs.scratch_folder()
    afterwards(folder.cleanup)
    return pathlib.Path(folder.name)


def skillrom(*words, **more):
    """Runs it, and gives what came of it."""
    more = {"capture_output": True, "text": True, "stdin": subprocess.DEVNULL, **more}
    return subprocess.run([programs.SKILLROM, *map(str, words)], preexec_fn=die_with_parent, **more)


def passes(*words):
    """Its stdout."""
    done = skillrom(*words)
    check(done.returncode == 0, words, done.returncode, done.stdout, done.stderr)
    return done.stdout


def fails(*words, code=1):
    """Both streams of a call that ends with this code."""
    done = skillrom(*words)
    check(done.returncode == code, words, done.returncode, done.stdout, done.stderr)
    return done.stdout + done.stderr


def contains(text, *words):
    check(words[0] in text, f"{words[0]!r} is not in {text!r}")
    for word in words[1:]:
        check(word in text, f"{word!r} is not in {text!r}")


def example():
    """A copy of the example device."""
    return pathlib.Path(shutil.copytree(ROOT / "examples/pump", scratch() / "device"))


def edit(file, old, new):
    text = file.read_text()
    check(old in text, f"{old!r} is not in {file}")
    file.write_text(text.replace(old, new))


def compiled(device):
    """The program of a device's folder, as port/posix/README.md says."""
    made = device.parent / "made"
    made.mkdir(exist_ok=True)
    passes("pack", device, "--header", made / "tools.h")
    done = subprocess.run(["gcc", "-std=c99", "-w", "-Icore", "-Iromfs", "-Iport/posix", f"-I{made}",
                           *map(str, sorted(device.glob("*.c"))), "build/libposix.a", "build/libskillrom.a",
                           "-o", str(made / "deviced")], cwd=ROOT, capture_output=True, text=True)
    check(done.returncode == 0, done.stderr)
    return made / "deviced"
