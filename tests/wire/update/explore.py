"""explore.py - every power cut during an update, on each kind of flash, by explore.c; then designs that are known to be wrong, each of
which it must find.

In `make test` every pair of cuts, in `make test-long` any number of cuts until no state is new. The counts of each run are printed."""

import concurrent.futures
import os
import pathlib
import subprocess
import tempfile

from wrong_designs import HELPER, WRONG

ROOT = pathlib.Path(__file__).resolve().parents[3]
SOURCES = ["tests/wire/update/explore.c", "tests/wire/update/model.c", "port/update/update.c", "port/update/update_record.c", "romfs/release.c", "romfs/sha256.c",
           "romfs/crc32.c"]
CC = os.environ.get("CC", "gcc")
LANES = 2

# A kind of flash: what it is called, the geometry, options of the explorer
PAIRS = [
    ("bit by bit", {"UNIT": 4, "RELEASES": 2}, ["--cuts", "2"]),
    ("once per word", {"UNIT": 8, "RELEASES": 3}, ["--cuts", "2"]),
    ("once per word, with a code", {"UNIT": 8, "RELEASES": 3}, ["--cuts", "2", "--ecc"]),
    ("once per page, with a code", {"UNIT": 256, "RELEASES": 3}, ["--cuts", "2", "--ecc"]),
]
# Any number of cuts: few sequences, units and parts, and one release, so that the states come to an end
ANY = {"SKR_UPDATE_SEQUENCES": "7u", "RELEASES": 1, "UNIT": 256, "SECTORS": 2, "PARTS": 2}
CLOSURES = [
    ("no weak record, any number of cuts", ANY, ["--weak", "0"]),
    ("no weak record, small units, any number of cuts", {**ANY, "UNIT": 64}, ["--weak", "0"]),
    ("a weak record at a time, any number of cuts", ANY, ["--weak", "1"]),
    ("a weak record at a time, with a code, any number of cuts", ANY, ["--weak", "1", "--ecc"]),
]
SMALL = {"SECTORS": 3, "UNIT": 64, "RELEASES": 3}  # where wrong designs are looked for


def compile_to(program, geometry, folder=ROOT, flags=()):
    """Sources that the folder does not have are those of the tree."""
    words = [CC, "-std=c99", "-O2", *flags, f"-I{ROOT}/romfs", f"-I{ROOT}/port/update", *(f"-D{name}={value}" for name, value in geometry.items())]
    paths = [folder / s if (folder / s).exists() else ROOT / s for s in SOURCES]
    subprocess.run([*words, *paths, "-o", program], check=True)


def explore(scratch, name, geometry, options):
    """(well, what it printed)"""
    program = scratch / name.replace(" ", "-").replace(",", "")
    compile_to(program, geometry, flags=["-Wall", "-Wextra", "-Werror"])
    done = subprocess.run([program, *options], capture_output=True, text=True)
    return done.returncode == 0 and " 0 wrong" in done.stdout, done.stdout.strip()


def find_wrong(scratch, number, design):
    """Whether the explorer finds a wrong design, and what it printed first."""
    name, path, old, new = design
    text = (ROOT / path).read_text()
    if text.count(old) != 1:
        return False, f"{path} has {text.count(old)} times what should be broken"
    folder = scratch / f"wrong-{number}"
    (folder / path).parent.mkdir(parents=True)
    text = text.replace(old, new)
    (folder / path).write_text(text.replace(*HELPER, 1) if "reads_blank" in new else text)
    compile_to(folder / "explore", SMALL, folder, ["-w"])
    done = subprocess.run([folder / "explore", "--cuts", "2"], capture_output=True, text=True)
    return "WRONG: " in done.stdout, done.stdout.partition("\n")[0]


def run(tally, long):
    with tempfile.TemporaryDirectory(prefix="skr-update-") as folder, concurrent.futures.ThreadPoolExecutor(LANES) as pool:
        scratch = pathlib.Path(folder)
        work = [(name, pool.submit(explore, scratch, name, geometry, options)) for name, geometry, options in (CLOSURES if long else PAIRS)]
        if not long:
            work += [(f"found: {design[0]}", pool.submit(find_wrong, scratch, number, design)) for number, design in enumerate(WRONG)]
        for name, result in work:
            well, said = result.result()
            tally.judge(f"{name}: {said}", well, said)
