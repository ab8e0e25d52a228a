"""install.py - what package-lock.json pins, in build/mqtt, with the scripts beside it: imports are resolved from where a file lies."""

import fcntl
import filecmp
import pathlib
import shutil
import subprocess

from client.programs import ROOT

HERE = pathlib.Path(__file__).resolve().parent
WORK = ROOT / "build/mqtt"


def install():
    """Once; gives the folder. Two runs at the same time must not install at the same time."""
    WORK.mkdir(parents=True, exist_ok=True)
    done = WORK / "installed.json"
    with open(WORK / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists() or not filecmp.cmp(done, HERE / "package-lock.json", shallow=False):
            for name in "package.json", "package-lock.json", ".npmrc":
                shutil.copy(HERE / name, WORK / name)
            subprocess.run(["npm", "ci"], cwd=WORK, check=True, stdout=subprocess.DEVNULL)
            shutil.copy(HERE / "package-lock.json", done)
        for script in HERE.glob("*.mjs"):
            shutil.copy(script, WORK / script.name)
    return str(WORK)
