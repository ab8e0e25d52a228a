"""programs.py - which programs and images tests run, and images of their own. A folder of tests names no program by
itself: it takes it from here.

The sanitized build is taken where there is one. SKILLROM, SKILLROMD and PUMP in the environment choose others."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from client.check import check
from client.child import die_with_parent

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / ("asan" if (ROOT / "build/asan/skillromd").exists() else ".")
SKILLROM = os.environ.get("SKILLROM", str(BUILD / "skillrom"))
SKILLROMD = os.environ.get("SKILLROMD", str(BUILD / "skillromd"))  # serves any image, without handlers
PUMP = os.environ.get("PUMP", str(BUILD / "pump"))  # the example device, with its handlers
PLAIN_SKILLROM = str(ROOT / "build/skillrom")  # not sanitized, as the next two
PLAIN_SKILLROMD = str(ROOT / "build/skillromd")
PLAIN_PUMP = str(ROOT / "build/pump")
WITHOUT_DIALECTS = str(ROOT / "build/without-dialects/pump")  # without the older dialects (tests/wire/dialects/build.mk)
CONFORMANCE_DEVICE = str(BUILD / "conformance-device")
DISPENSER = str(BUILD / "dispenser")  # a device whose tools have rules
EXAMPLE = ROOT / "examples/pump"
EXAMPLE_IMAGE = str(ROOT / "build/example.rom")

os.environ.setdefault("ASAN_OPTIONS", "detect_leaks=0:abort_on_error=1")


def need(*programs):
    """Ends with what to run when one is missing."""
    for program in programs or (SKILLROM, SKILLROMD, PUMP):
        if not os.access(program, os.X_OK):
            print(f"{program} is missing; run: make\n0 passed, 1 failed")
            sys.exit(1)


def scratch_folder():
    return tempfile.TemporaryDirectory(prefix="skillrom-test-")


def write(path, content):
    path = pathlib.Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())


def pack(folder, image, *options):
    """Packs a device's folder; the image's path."""
    done = subprocess.run([SKILLROM, "pack", str(folder), "-o", str(image), *options], capture_output=True, text=True,
                          preexec_fn=die_with_parent)
    check(done.returncode == 0, done.stderr)
    return str(image)


def changed_copy(source, folder, change):
    """An image of a copy of the device in `source`, below `folder`, after change(copy). Its budgets are those of the original."""
    shutil.copytree(source, folder)
    description = pathlib.Path(folder) / "device.json"
    facts = json.loads(description.read_text())
    facts.pop("budgets", None)
    description.write_text(json.dumps(facts))
    change(pathlib.Path(folder))
    return pack(folder, f"{folder}.rom")
