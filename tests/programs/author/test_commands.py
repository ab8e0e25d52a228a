"""test_commands.py - every command with a wrong file, a wrong option, without permission, on a full disk, into a closed pipe: one line
that says what is wrong, the right exit status, nothing half written.

A row says how a command is called; words in braces are places that `Bench` makes. A command without a row fails a test."""

import os
import pathlib
import re
import shutil
import signal
import subprocess

from author import ROOT, passes, scratch, skillrom
from client import programs
from client.check import Suite, afterwards, check
from client.child import Server, die_with_parent

suite = Suite()
NOBODY = 65534
SUMMARY = re.compile(r"\d+ skills?, \d+ errors?|: (nothing written|not packed|not tested): "  # counts, behind what is wrong
                     r"|; (trying again|waiting for it)$")  # and before it, why it takes a moment

# command: (a call that works, one with a wrong file, one without permission, one that writes to a full disk)
ROWS = {
    "new": ("new a-skill {out}", "new a-skill {text}", "new a-skill {closed}", "new a-skill {tiny}"),
    "new --device": ("new --device a-device {out}", "new --device a-device {text}/x", "new --device a-device {closed}",
                     "new --device a-device {tiny}"),
    "lint": ("lint {skills}", "lint {text}", "lint {secret}", None),
    "lint --budget": ("lint --budget {skills}", "lint --budget {none}", "lint --budget {secret}", None),
    "lint --fix": ("lint --fix {skills}", "lint --fix {text}", "lint --fix {secret}", None),
    "test": ("test {device} --program {pump}", "test {text}", "test {secret}", None),
    "explain": ("explain SK-V-52", "explain SK-V-0", None, None),
    "pack": ("pack {skills} -o {out}/x.rom", "pack {text} -o {out}/x.rom", "pack {skills} -o {closed}/x.rom",
             "pack {device} -o {tiny}/x.rom --emit-c {tiny}/x.c --header {tiny}/tools.h"),
    "info": ("info {rom}", "info {text}", "info {secret}/file", None),
    "ls": ("ls {rom}", "ls {text}", "ls {secret}/file", None),
    "cat": ("cat {rom} one/SKILL.md", "cat {rom} none", "cat {secret}/file x", None),
    "verify": ("verify {rom}", "verify {text}", "verify {secret}/file", None),
    "serve": (None, "serve {text}", "serve {secret}/file", None),
    "token": ("token alice -o {out}/tokens", "token alice -o {skills}", "token alice -o {closed}/tokens",
              "token alice -o {full}/tokens"),
    "help": ("help pack", None, None, None),
    "completions": ("completions bash", None, None, None),
    "keys": ("keys public {key}", "keys public {text}", "keys public {secret}/file", None),
    "keys new": (None, "keys new {text}", "keys new {closed}/new.pem", None),
    "sign": ("sign {rom} --key {key} --product lamp --number 1 -o {out}/release", "sign {text} --key {key} --product lamp --number 1 -o {out}/release",
             "sign {rom} --key {key} --product lamp --number 1 -o {closed}/release", None),
    "update": (None, "update {url} {text}", "update {url} {secret}/file", None),  # a device that takes one: tests/wire/update
    "call": ("call {url} line_status", "call tcp://127.0.0.1:1 --wait 1ms --quiet", "call {secret}/file --wait 1ms --quiet", None),
    "read": ("read {url} pump://status", "read {url} pump://none", "read {secret}/file pump://status --wait 1ms --quiet", None),
    "find": (None, None, None, None),  # takes no file and depends on the network: tests/host/reach
    "bridge": (None, "bridge {skills}", "bridge tcp://127.0.0.1:1 --no-cache --device-token {secret}/file", None),
    "fleet": (None, "fleet mqtt://127.0.0.1:1 --http 127.0.0.1:0 --token-file {text} --no-cache",
              "fleet mqtt://127.0.0.1:1 --http 127.0.0.1:0 --token-file {secret}/file --no-cache", None),
    "fleet mqtt://127.0.0.1:1": (None, "fleet mqtt://127.0.0.1:1 --no-cache --audit-log {skills}",
                                 "fleet mqtt://127.0.0.1:1 --no-cache --audit-log {closed}/record", None),  # on a full disk: tests/host/fleet
}


class Bench:
    """Good and bad places, in a folder that nobody may enter by another way."""

    def __init__(self):
        self.root = scratch()
        self.root.chmod(0o755)
        for name in ("out", "closed", "secret", "tiny", "full"):
            (self.root / name).mkdir()
        programs.write(self.root / "skills/one/SKILL.md", "---\nname: one\ndescription: The only one. Use when testing.\n---\nText.\n")
        programs.write(self.root / "text", "no image\n")
        programs.write(self.root / "secret/file", "secret\n")
        programs.pack(self.root / "skills", self.root / "rom")
        subprocess.run([programs.SKILLROM, "keys", "new", self.root / "key"], check=True, capture_output=True)
        (self.root / "key").chmod(0o644)
        (self.root / "out").chmod(0o777)
        (self.root / "closed").chmod(0o555)
        (self.root / "secret").chmod(0)
        afterwards(lambda: (self.root / "secret").chmod(0o755))
        self.program = self.root / "skillrom"
        shutil.copy(programs.SKILLROM, self.program)  # the folder where it was built may be closed to others
        shutil.copy(programs.SKILLROMD, self.root / "skillromd")
        self.server = Server(programs.PUMP, programs.EXAMPLE_IMAGE, "--http", "127.0.0.1:0")

    def words(self, call):
        names = {"skills": "skills", "text": "text", "rom": "rom", "none": "none", "secret": "secret", "closed": "closed", "out": "out",
                 "tiny": "tiny", "full": "full", "key": "key"}
        places = {name: str(self.root / place) for name, place in names.items()}
        return call.format(**places, device=programs.EXAMPLE, pump=programs.PUMP,
                           url=f"http://127.0.0.1:{self.server.ports[0]}/mcp").split()

    def run(self, call, **more):
        """As a user who is not root."""
        who = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.getuid() == 0 and more.pop("unprivileged", True) else {}
        return subprocess.run([str(self.program), *self.words(call)], stdin=subprocess.DEVNULL, cwd=self.root, text=True,
                              preexec_fn=die_with_parent, timeout=300, **who,
                              **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **more})

    def files(self, *folders):
        """What is there now, by name and content."""
        found = {}
        for folder in folders:
            for file in sorted((self.root / folder).rglob("*")):
                found[str(file)] = file.read_bytes() if file.is_file() else None
        return found


def one_line(done, code, what):
    lines = [line for line in ((done.stdout or "") + done.stderr).splitlines() if not SUMMARY.search(line)]
    check(done.returncode == code, what, "exit status", done.returncode, lines)
    check(len(lines) == 1, what, "lines:", lines)
    check(len(lines[0]) > 20, what, "too short:", lines)


@suite
def every_command_has_a_row():
    listed = re.findall(r"^  ([a-z]+) ", passes("help"), re.M)
    check(len(listed) >= 10, listed)
    check(set(listed) <= {row.split()[0] for row in ROWS}, "without a row:", set(listed) - {row.split()[0] for row in ROWS})


@suite
def what_works_works():
    bench = Bench()
    for command, (works, *_) in ROWS.items():
        if works:
            done = bench.run(works)
            check(done.returncode == 0, command, done.stdout, done.stderr)


@suite
def a_wrong_option_is_usage():
    bench = Bench()
    for command in ROWS:
        one_line(bench.run(f"{command} --frobnicate x y"), 2, command)


@suite
def a_wrong_file_is_bad_input():
    bench = Bench()
    before = bench.files("out", "skills")
    for command, (_, wrong, *_) in ROWS.items():
        if wrong:
            one_line(bench.run(wrong), 1, wrong)
            check(bench.files("out", "skills") == before, command, "has changed something")


@suite
def no_permission_is_reported():
    bench = Bench()
    for command, (_, _, denied, _) in ROWS.items():
        if denied:
            done = bench.run(denied)
            one_line(done, 1, denied)
            check("ermission denied" in done.stdout + done.stderr, command, done.stderr)
            check(bench.files("closed") == {}, command, "has written")


@suite
def a_full_disk_leaves_nothing_half_written():
    """A file system of 4 KB; and one without any room, for what is small."""
    bench = Bench()
    for command, (_, _, _, full) in ROWS.items():
        if not full:
            continue
        script = (f"mount -t tmpfs -o size=4k none {bench.root}/tiny && mount -t tmpfs -o size=4k none {bench.root}/full && "
                  f"head -c 4096 /dev/zero >{bench.root}/full/zeros && touch {bench.root}/full/tokens; \"$@\"; code=$?; "
                  f"find {bench.root}/tiny {bench.root}/full -mindepth 1 ! -name zeros -size +0 >&2; "
                  f"find {bench.root}/tiny -mindepth 1 >&2; exit $code")
        done = subprocess.run(["unshare", "--mount", "--map-root-user", "sh", "-c", script, "sh", str(bench.program), *bench.words(full)],
                              capture_output=True, text=True, preexec_fn=die_with_parent)
        one_line(done, 1, full)
        check("No space left" in done.stderr, command, done.stderr)


@suite
def what_fix_cannot_write_stays_as_it_was():
    bench, dirty = Bench(), "---\r\nname: one\r\ndescription: The only one. Use when testing.\r\n---\r\nText.\r\n"
    skill = bench.root / "dirty/one/SKILL.md"
    programs.write(skill, dirty)
    skill.parent.chmod(0o555)
    denied = bench.run(f"lint --fix {bench.root}/dirty")
    script = f"mount -t tmpfs -o size=4k none {bench.root}/tiny && cp -r {bench.root}/dirty {bench.root}/tiny && \"$@\"; code=$?; cat {bench.root}/tiny/*/*/*; exit $code"
    full = subprocess.run(["unshare", "--mount", "--map-root-user", "sh", "-c", script, "sh", str(bench.program), "lint", "--fix", f"{bench.root}/tiny"],
                          capture_output=True, preexec_fn=die_with_parent)
    check(denied.returncode == 1 and f"{skill}: Permission denied" in denied.stderr, denied)
    check(full.returncode == 1 and b"SKILL.md: No space left on device" in full.stderr, full)
    check(skill.read_bytes() == dirty.encode() and full.stdout.endswith(dirty.encode()), full.stdout)


@suite
def a_full_stdout_is_no_success():
    bench = Bench()
    for command, (works, *_) in ROWS.items():
        if works:
            with open("/dev/full", "w") as full:
                done = bench.run(works, stdout=full, unprivileged=True)
            done.stderr = "\n".join(line for line in done.stderr.splitlines() if "may operate" not in line)
            one_line(done, 1, works)
            check("cannot write to stdout" in done.stderr, command, done.stderr)


@suite
def a_closed_pipe_ends_it_without_a_word():
    """As for other programs: the reader has seen enough."""
    bench = Bench()
    for command, (works, *_) in ROWS.items():
        for call in filter(None, (works, f"{command} --help")):
            shutil.rmtree(bench.root / "out")
            (bench.root / "out").mkdir()
            (bench.root / "out").chmod(0o777)
            reader, writer = os.pipe()
            os.close(reader)
            done = bench.run(call, stdout=writer)
            os.close(writer)
            check(done.returncode == -signal.SIGPIPE, call, "exit status", done.returncode, done.stderr)
            check("stdout" not in done.stderr and "pipe" not in done.stderr, call, done.stderr)


@suite
def a_token_that_nobody_has_seen_is_not_valid():
    bench = Bench()
    with open("/dev/full", "w") as full:
        bench.run("token alice -o {out}/tokens", stdout=full)
    check(bench.files("out") == {}, bench.files("out"))
