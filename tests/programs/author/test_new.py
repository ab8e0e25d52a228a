"""test_new.py - what `skillrom new` leaves is clean, builds, serves and can be tested immediately. tests/programs/build makes it a firmware."""

import os
import subprocess

from author import edit, fails, passes, contains, scratch, skillrom
from client.check import Suite, check
from client.child import Stdio
from client.mcp import modern

suite = Suite()


def made(folder, *goals):
    """make, as a person types it there."""
    quiet = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    return subprocess.run(["make", *goals], cwd=folder, env=quiet, capture_output=True, text=True)


@suite
def a_new_skill_lints_clean():
    folder = scratch()
    passes("new", "purge-line", folder)
    contains(passes("lint", folder / "purge-line"), "1 skill, 0 errors, 0 warnings")
    contains(fails("lint", "--strict", folder / "purge-line"), "this is still what `skillrom new` wrote")


@suite
def a_new_device_builds_serves_and_is_tested_at_once():
    folder = scratch()
    for name in ("desk-lamp", "3d-printer"):
        passes("new", "--device", name, folder)
        contains(passes("lint", "--strict", folder / name), "1 skill, 0 errors, 0 warnings")
        done = made(folder / name, "test")
        check(done.returncode == 0, done.stdout, done.stderr)
        contains(done.stdout, "4 steps of 1 manual: 4 passed, 0 failed", "2 of 2 queries find their skill first")
        check("warning" not in done.stderr, done.stderr)
        program = Stdio(folder / name / f"build/{name}", folder / name / f"build/{name}.rom")
        tools = program.exchange(modern("tools/list"))["result"]["tools"]
        check([tool["name"] for tool in tools if tool["name"] == "set_lamp"], tools)


@suite
def its_make_notices_what_is_no_longer_true():
    folder = scratch()
    passes("new", "--device", "desk-lamp", folder)
    edit(folder / "desk-lamp/device.c", '"the lamp is on"', '"the lamp shines"')
    done = made(folder / "desk-lamp", "test")
    check(done.returncode != 0, done.stdout)
    contains(done.stdout, "instead of this set_lamp returns: the lamp shines")
    edit(folder / "desk-lamp/skills/switch-lamp/SKILL.md", "< the lamp is on", "< the lamp shines")
    done = made(folder / "desk-lamp", "test")
    check(done.returncode == 0, done.stdout, done.stderr)


@suite
def nothing_is_overwritten():
    folder = scratch()
    passes("new", "--device", "desk-lamp", folder)
    contains(fails("new", "--device", "desk-lamp", folder), "already exists; choose another name or remove it first")
    check(skillrom("new", "--device", "Desk_Lamp", folder).returncode == 2, "an invalid name")
    check(sorted(os.listdir(folder)) == ["desk-lamp"], os.listdir(folder))
