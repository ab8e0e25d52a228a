#!/usr/bin/env python3
"""board-report.py - flash, RAM and stack of each board's firmware, against the budgets

usage: board-report.py --flash BYTES --ram BYTES --stack BYTES --uart-flash BYTES --uart-ram BYTES --calls FILE BUILD...
       --flash-riscv and --uart-flash-riscv, if they are others on RISC-V

BUILD is a folder like build/stm32vldiscovery with skillrom.elf, skillrom.map, obj/ and, after tests/boards/qemu, stack.txt: the
stack actually used, one line per run. The computed stack is the deepest path of calls from main, plus the frame that
the processor pushes for an interrupt, plus the deepest handler; handlers do not interrupt each other.
The last line is "N passed, N failed", one for each budget.
"""
import argparse
import pathlib
import re
import subprocess
import sys

sys.dont_write_bytecode = True  # leave no files beside the sources
import firmware

HERE = pathlib.Path(__file__).resolve().parent
LIBRARY_FRAME = 32  # assumed for functions such as memcpy
RISCV = 243  # in an ELF header
HARD_FLOAT = 0x400
SOURCES = ("core", "romfs", "boards", "examples", "port")


def machine(elf):
    """(its number, its flags) of a 32-bit ELF file."""
    head = elf.read_bytes()[:40]
    return int.from_bytes(head[18:20], "little"), int.from_bytes(head[36:40], "little")


def interrupt_frame(elf):
    """What the processor itself pushes for an interrupt: on a Cortex-M eight registers, with a floating-point unit eighteen more,
    and four bytes to align them; on RISC-V nothing, its handler has all of it."""
    number, flags = machine(elf)
    return 0 if number == RISCV else 108 if flags & HARD_FLOAT else 36


def structs(elf):
    """Bytes of the server, the connection and the reliable mode in boards/common/main.c."""
    named = firmware.symbols(elf)
    return [named.get(name, (0, 0))[1] for name in ("server", "conn", "uart")]


def computed_stack(folder, calls):
    """(main, deepest interrupt handler) in bytes, by tools/stackmax.py."""
    files = sorted(path for source in SOURCES for path in (folder / "obj" / source).rglob("*.ci"))
    text = "\n".join(path.read_text() for path in files)
    handlers = sorted(set(re.findall(r'title: "(?:[^"]*:)?(\w+_Handler)"', text)) - {"Reset_Handler", "Fault_Handler"})
    words = [str(HERE / "stackmax.py"), "--unused-ok", "--total-only", "--library", str(LIBRARY_FRAME), "--calls", calls]
    for root in ["main", *handlers]:
        words += ["--root", root]
    run = subprocess.run([*words, *map(str, files)], capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(run.stdout)
    found = {name: int(size) for name, size in re.findall(r"^(\w+): (\d+) bytes", run.stdout, re.M)}
    return found.pop("main"), max(found.values())


class Report(firmware.Budgets):
    def __init__(self, args):
        super().__init__()
        self.ram, self.stack, self.uart_ram, self.calls = args.ram, args.stack, args.uart_ram, args.calls
        self.flash = {False: (args.flash, args.uart_flash),
                      True: (args.flash_riscv or args.flash, args.uart_flash_riscv or args.uart_flash)}

    def uart(self, elf):
        """Flash of port/uart, the reliable mode."""
        return sum(size for name, _, size, source in firmware.sections(elf.with_suffix(".map"))
                   if "/obj/port/uart/" in source and firmware.kind_of(name) in ("text", "rodata", "data"))

    def board(self, folder):
        elf = folder / "skillrom.elf"
        size = firmware.loaded(elf)
        parts, _ = firmware.read_map(elf.with_suffix(".map"))
        server, conn, uart = structs(elf)
        main, handler = computed_stack(folder, self.calls)
        frame = interrupt_frame(elf)
        computed = main + frame + handler
        flash, uart_flash = self.flash[machine(elf)[0] == RISCV]
        painted = firmware.painted(folder)
        program = sum(size.get(name, 0) for name in (".text", ".ARM.exidx", ".data", ".boot"))
        print(folder.name)
        print(f"  core + reader + line wire, flash: {self.judge(firmware.flash(parts), flash)}")
        print(f"  server {server} + connection {conn}, RAM: {self.judge(server + conn, self.ram)}")
        print(f"  reliable mode, flash: {self.judge(self.uart(elf), uart_flash)}")
        print(f"  reliable mode, RAM: {self.judge(uart, self.uart_ram)}")
        print(f"  stack, computed: {self.judge(computed, self.stack)}"
              f" (main {main}, interrupt frame {frame}, handler {handler})")
        if painted:
            print(f"  stack, painted during tests: {self.judge(painted, computed)}")
        print(f"  all of it: program {program}, skills {size.get('.image', 0)} in flash;"
              f" data {size.get('.data', 0) + size.get('.bss', 0)}, stack {size['.stack']} in RAM")
        print()


def main():
    parser = argparse.ArgumentParser(description="Flash, RAM and stack of each board's firmware.")
    for name in ("flash", "ram", "stack", "uart-flash", "uart-ram"):
        parser.add_argument(f"--{name}", type=int, required=True, help="budget in bytes")
    for name in ("flash-riscv", "uart-flash-riscv"):
        parser.add_argument(f"--{name}", type=int, help="budget in bytes, if it is another on RISC-V")
    parser.add_argument("--calls", required=True, help="what function pointers may hold")
    return firmware.report_builds(parser, Report)


if __name__ == "__main__":
    sys.exit(main())
