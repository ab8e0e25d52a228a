#!/usr/bin/env python3
"""bench.py - instructions per request on a Cortex-M3, and how well a serial line is used; counted, not timed

usage: bench.py

Runs build/mps2-an385/measure.elf and line.elf in QEMU, whose clock is then the number of instructions executed: the
figures are the same on every machine and in every run, which is checked by running each twice.
The last line is "N passed, N failed".
"""
import os
import subprocess
import sys

sys.dont_write_bytecode = True  # leave no files beside the sources
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

from client.check import Tally
from client.child import die_with_parent
from client.programs import ROOT

MHZ = 64
PER_KB = 1500  # a text is sent as it is stored
CEILINGS = {"ping": 6000, "tools/list": 22557, "tools/call": 30000, "skills/list": 21056}  # instructions
LINE_GOAL = 97.0  # percent of the byte rate while an answer streams
SPEEDS = {10: "1 MHz", 7: "8 MHz", 4: "64 MHz"}  # -icount shift: 1024, 128 and 16 ns an instruction
JUDGED = ("8 MHz", "64 MHz")  # the slowest shows where the line begins to wait


def run(name, shift):
    """The lines it says, cut at |."""
    words = ["qemu-system-arm", "-M", "mps2-an385", "-display", "none", "-monitor", "none", "-serial", "null",
             "-semihosting-config", "enable=on,target=native", "-icount", f"shift={shift},sleep=off",
             "-kernel", str(ROOT / f"build/mps2-an385/{name}.elf")]
    done = subprocess.run(words, capture_output=True, text=True, preexec_fn=die_with_parent)
    text = done.stdout + done.stderr  # semihosting writes to either
    if done.returncode != 0:
        sys.exit(f"bench: {name}.elf ended with status {done.returncode}: {text}")
    return [line.split("|") for line in text.splitlines() if "|" in line]


def instructions(tally):
    first, again = run("measure", 8), run("measure", 8)
    tally.judge("instructions are the same in every run", first == again and len(first) == 6, (first, again))
    print(f"instructions per request, Cortex-M3, profile tiny, boards/device; and the time at {MHZ} MHz, "
          "one instruction a cycle assumed")
    print(f"  {'':24}{'request':>9}{'answer':>9}{'instructions':>14}{'ms':>9}")
    rows = {name: (int(request), int(answer), int(spent)) for name, request, answer, spent in first}
    for name, (request, answer, spent) in rows.items():
        print(f"  {name:24}{request:>9}{answer:>9}{spent:>14}{spent / MHZ / 1000:>9.3f}")
        if name in CEILINGS:
            tally.judge(f"{name} takes {CEILINGS[name]} instructions at most", spent <= CEILINGS[name], spent)
    small, large = rows["resources/read small"], rows["resources/read large"]
    each = (large[2] - small[2]) * 1024 / (large[1] - small[1])
    tally.judge(f"a KB of stored text takes {PER_KB} instructions at most", each <= PER_KB, each)
    print(f"  {'resources/read, per KB':24}{'':>9}{1024:>9}{max(each, 0):>14.0f}{max(each, 0) / MHZ / 1000:>9.3f}")
    print()


def line_use(tally):
    print("use of a line of 115200 baud while an answer streams, main loop and rings included")
    print(f"  {'':24}{'answer':>9}" + "".join(f"{speed:>10}" for speed in SPEEDS.values()))
    runs = {shift: (run("line", shift), run("line", shift)) for shift in SPEEDS}
    for first, again in runs.values():
        tally.judge("the use of the line is the same in every run", first == again and len(first) == 3, (first, again))
    for i, (name, sent, _) in enumerate(runs[7][0]):
        use = [100 * int(first[i][1]) / int(first[i][2]) for first, _ in runs.values()]
        print(f"  {name:24}{sent:>9}" + "".join(f"{percent:>9.2f}%" for percent in use))
        for percent, speed in zip(use, SPEEDS.values()):
            if speed in JUDGED:
                tally.judge(f"{name} at {speed} uses {LINE_GOAL} % at least", percent >= LINE_GOAL, f"{percent:.2f} %")
    print()


def main():
    tally = Tally(quiet=True)
    instructions(tally)
    line_use(tally)
    return tally.finish()


if __name__ == "__main__":
    sys.exit(main())
