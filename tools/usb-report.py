#!/usr/bin/env python3
"""usb-report.py - what USB takes of a board's flash and RAM, and the stack used, against their budgets

usage: usb-report.py --flash BYTES --ram BYTES --stack BYTES BUILD...

BUILD is a folder with skillrom.map and, after tests/boards/qemu, stack.txt. USB is TinyUSB with its driver, port/usb, boards/usb
and the board's own part, without the server and the connection, which any wire has.
The last line is "N passed, N failed", one for each budget.
"""
import argparse
import sys

sys.dont_write_bytecode = True  # leave no files beside the sources
import firmware

USB = {"TinyUSB": ("/tinyusb/",), "port/usb": ("/obj/port/usb/",), "board": ("/obj/boards/usb/", "/usb/board.o")}


class Report(firmware.Budgets):
    def __init__(self, args):
        super().__init__()
        self.budget = args

    def board(self, folder):
        kept = {part: [0, 0] for part in USB}
        for name, _, size, source in firmware.sections(folder / "skillrom.map"):
            part = next((part for part, signs in USB.items() if any(sign in source for sign in signs)), None)
            kind = "text" if name.startswith(".time_critical") else firmware.kind_of(name)
            if part is not None:
                kept[part][0] += size if kind in ("text", "rodata", "data") else 0
                kept[part][1] += size if kind in ("data", "bss") else 0
        symbols = firmware.symbols(folder / "skillrom.elf")
        kept["board"][1] -= symbols["server"][1] + symbols["conn"][1]
        print(folder.name)
        for part, (flash, ram) in kept.items():
            print(f"  {part:10} {flash:6} bytes of flash, {ram:5} of RAM")
        print(f"  USB, flash: {self.judge(sum(flash for flash, _ in kept.values()), self.budget.flash)}")
        print(f"  USB, RAM: {self.judge(sum(ram for _, ram in kept.values()), self.budget.ram)}")
        painted = firmware.painted(folder)
        if painted:
            print(f"  stack, painted during tests: {self.judge(painted, self.budget.stack)}")


def main():
    parser = argparse.ArgumentParser(description="Flash and RAM of USB.")
    for name in ("flash", "ram", "stack"):
        parser.add_argument(f"--{name}", type=int, required=True, help="budget in bytes")
    return firmware.report_builds(parser, Report)


if __name__ == "__main__":
    sys.exit(main())
