#!/usr/bin/env python3
"""bench.py - instructions per request on a Cortex-M3 and on RISC-V, and how well a serial line is used; counted, not timed

usage: bench.py

Runs build/mps2-an385/measure.elf and line.elf, and build/sifive-e/measure.elf, in QEMU, whose clock is then the number of instructions executed: the
figures are the same on every machine and in every run, which is checked by running each twice.
The last line is "N passed, N failed".
"""
import os
import subprocess
import sys

sys.dont_write_bytecode = True  # leave no files beside the sources
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))

from client.boards import BUILDS
from client.check import Tally
from client.child import die_with_parent
from client.programs import ROOT

MHZ = 64
PER_KB = 1500  # a text is sent as it is stored
CEILINGS = {"ping": 6000, "tools/list": 22557, "tools/call": 30000, "skills/list": 21056}  # instructions
RISCV_MORE = 1.3  # times as many on rv32imc
LINE_GOAL = 97.0  # percent of the byte rate while a response streams
SPEEDS = {10: "1 MHz", 7: "8 MHz", 4: "64 MHz"}  # -icount shift: 1024, 128 and 16 ns an instruction
JUDGED = ("8 MHz", "64 MHz")  # the slowest shows where the line begins to wait


def run(name, shift, build="mps2-an385"):
    """The lines it says, cut at |."""
    words = [*BUILDS[build]["EMULATOR"].split(), "-display", "none", "-monitor", "none", "-serial", "null",
             "-semihosting-config", "enable=on,target=native", "-icount", f"shift={shift},sleep=off",
             "-kernel", str(ROOT / f"build/{build}/{name}.elf")]
    done = subprocess.run(words, capture_output=True, text=True, preexec_fn=die_with_parent)
    text = done.stdout + done.stderr  # semihosting writes to either
    if done.returncode != 0:
        sys.exit(f"bench: {name}.elf ended with status {done.returncode}: {text}")
    return [line.split("|") for line in text.splitlines() if "|" in line]


def counted(tally, build):
    """{request: (its bytes, those of the response, instructions)}"""
    first, again = run("measure", 8, build), run("measure", 8, build)
    tally.judge(f"instructions on {build} are the same in every run", first == again and len(first) == 6, (first, again))
    return {name: (int(request), int(response), int(spent)) for name, request, response, spent in first}


def per_kb(rows):
    small, large = rows["resources/read small"], rows["resources/read large"]
    return (large[2] - small[2]) * 1024 / (large[1] - small[1])


def instructions(tally):
    rows, riscv = counted(tally, "mps2-an385"), counted(tally, "sifive-e")
    print(f"instructions per request, Cortex-M3, profile tiny, examples/board; the time at {MHZ} MHz, "
          "one instruction a cycle assumed; and instructions of rv32imc")
    print(f"  {'':24}{'request':>9}{'answer':>9}{'instructions':>14}{'ms':>9}{'rv32imc':>10}")
    for name, (request, response, spent) in rows.items():
        print(f"  {name:24}{request:>9}{response:>9}{spent:>14}{spent / MHZ / 1000:>9.3f}{riscv[name][2]:>10}")
        if name in CEILINGS:
            tally.judge(f"{name} takes {CEILINGS[name]} instructions at most", spent <= CEILINGS[name], spent)
            most = CEILINGS[name] * RISCV_MORE
            tally.judge(f"{name} takes {most:.0f} at most on RISC-V", riscv[name][2] <= most, riscv[name][2])
    each = per_kb(rows)
    tally.judge(f"a KB of stored text takes {PER_KB} instructions at most", each <= PER_KB, each)
    print(f"  {'resources/read, per KB':24}{'':>9}{1024:>9}{max(each, 0):>14.0f}{max(each, 0) / MHZ / 1000:>9.3f}{per_kb(riscv):>10.0f}")
    print()


def line_use(tally):
    print("use of a line of 115200 baud while a response streams, main loop and rings included")
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
