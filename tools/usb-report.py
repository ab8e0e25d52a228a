#!/usr/bin/env python3
"""usb-report.py - what USB takes of a board's flash and RAM, and the stack used, against their budgets

usage: usb-report.py --flash BYTES --ram BYTES --stack BYTES BUILD...

BUILD is a folder with skillrom.map and, after tests/boards/qemu, stack.txt. USB is TinyUSB with its driver, port/usb, boards/usb
and the board's own part, without the server and the connection, which any wire has.
The last line is "N passed, N failed", one for each budget.
"""
import argparse
import importlib.util
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
USB = {"TinyUSB": ("/tinyusb/",), "port/usb": ("/obj/port/usb/",), "board": ("/obj/boards/usb/", "/usb/board.o")}


def load(name):
    spec = importlib.util.spec_from_file_location(name.replace("-", "_"), HERE / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Report:
    def __init__(self, args):
        self.budget, self.maps, self.nets = args, load("size-report"), load("net-report")
        self.passed = self.failed = 0

    def judge(self, what, value, budget):
        fits = value <= budget
        self.passed += fits
        self.failed += not fits
        print(f"  {what}: {value} bytes of {budget}" + ("" if fits else f", OVER BUDGET by {value - budget}"))

    def board(self, folder):
        kept = {part: [0, 0] for part in USB}
        for name, _, size, source in self.maps.sections(folder / "skillrom.map"):
            part = next((part for part, signs in USB.items() if any(sign in source for sign in signs)), None)
            kind = "text" if name.startswith(".time_critical") else self.maps.kind_of(name)
            if part is not None:
                kept[part][0] += size if kind in ("text", "rodata", "data") else 0
                kept[part][1] += size if kind in ("data", "bss") else 0
        symbols = self.nets.symbols(folder / "skillrom.elf")
        kept["board"][1] -= symbols["server"][1] + symbols["conn"][1]
        print(folder.name)
        for part, (flash, ram) in kept.items():
            print(f"  {part:10} {flash:6} bytes of flash, {ram:5} of RAM")
        self.judge("USB, flash", sum(flash for flash, _ in kept.values()), self.budget.flash)
        self.judge("USB, RAM", sum(ram for _, ram in kept.values()), self.budget.ram)
        painted = self.nets.painted(folder)
        if painted:
            self.judge("stack, painted during tests", painted, self.budget.stack)


def main():
    parser = argparse.ArgumentParser(description="Flash and RAM of USB.")
    for name in ("flash", "ram", "stack"):
        parser.add_argument(f"--{name}", type=int, required=True, help="budget in bytes")
    parser.add_argument("builds", nargs="+", metavar="BUILD")
    args = parser.parse_args()
    report = Report(args)
    for build in args.builds:
        report.board(pathlib.Path(build))
    print(f"{report.passed} passed, {report.failed} failed")
    return 1 if report.failed else 0


if __name__ == "__main__":
    sys.exit(main())
