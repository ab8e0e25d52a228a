#!/usr/bin/env python3
"""net-report.py - flash and RAM of firmwares with lwIP and HTTP, by part, against their budgets

usage: net-report.py --flash BYTES --ram BYTES [--tls-flash BYTES --tls-ram BYTES] BUILD...

BUILD is a folder with program.map and program.elf, the example device without its skills, and stack.txt, the stack
used by runs in the emulator. All figures are bytes. RAM counts everything: connections, lwIP's pools, the reserved
stack. No allocator may be linked. With the last two budgets BUILD ends in -tls, and what it needs more than the same
board without TLS is the cost of TLS: flash, and RAM per connection. The last line is "N passed, N failed".
"""
import argparse
import pathlib
import re
import subprocess
import sys

SECTION = re.compile(r"^ (\.?[\w.$-]+)?\s+0x([0-9a-f]+)\s+0x([0-9a-f]+) (\S.*)$")
PARTS = [("core", "/obj/core/"), ("image reader", "/obj/romfs/"), ("port/lwip", "/obj/port/lwip/"), ("port/tls", "/obj/port/tls/"),
         ("BearSSL", "/bearssl/"), ("lwIP", "/lwip/"),
         ("board", "/obj/boards/"), ("example device", "/obj/examples/"), ("C library", ".a(")]
FLASH = (".text", ".rodata", ".data", ".vectors", ".ARM.ex")
RAM = (".data", ".bss", "COMMON", ".stack", ".noinit")
ALLOCATORS = re.compile(r"_*(malloc|calloc|realloc|free|memalign|sbrk)(_r)?$")


def sections(path):
    """(name, bytes, source file) of everything the linker kept."""
    name = None
    for line in path.read_text().split("Linker script and memory map", 1)[1].splitlines():
        if re.match(r"^ \.[\w.$-]+$", line):  # a long name has a line to itself
            name = line.strip()
            continue
        match = SECTION.match(line)
        if match and int(match[3], 16) > 0:
            yield match[1] or name or "", int(match[3], 16), match[4]
        name = None


def part_of(source):
    return next((title for title, sign in PARTS if sign in source), "other")


def symbols(elf):
    """{name: (address, size)}"""
    out = subprocess.run(["nm", "-S", str(elf)], check=True, capture_output=True, text=True).stdout
    rows = [line.split() for line in out.splitlines()]
    return {row[-1]: (int(row[0], 16), int(row[1], 16) if len(row) == 4 else 0) for row in rows if len(row) >= 3}


def image_of(elf):
    """Bytes in flash and in RAM, as they are loaded: the sum of what the linker placed."""
    out = subprocess.run(["size", "-A", str(elf)], check=True, capture_output=True, text=True).stdout
    size = {row[0]: int(row[1]) for row in map(str.split, out.splitlines()) if len(row) == 3 and row[1].isdigit()}
    flash = size.get(".text", 0) + size.get(".ARM.exidx", 0) + size.get(".data", 0)
    return flash, sum(size.get(name, 0) for name in (".stack", ".data", ".bss", ".noinit"))


def painted(folder):
    """The most stack that any run has used; 0: nothing has been run."""
    path = folder / "stack.txt"
    return max((int(line.split()[0]) for line in path.read_text().splitlines()), default=0) if path.exists() else 0


def tls_takes(folder):
    """What TLS adds: bytes of flash, and of RAM in each slot; stack is neither."""
    plain = folder.with_name(folder.name.removesuffix("-tls"))
    slots = [symbols(build / "program.elf")["net"][1] for build in (folder, plain)]
    return image_of(folder / "program.elf")[0] - image_of(plain / "program.elf")[0], (slots[0] - slots[1]) // 4


def report(folder, budgets, tls_budgets):
    elf = folder / "program.elf"
    flash, ram = {}, {}
    for name, size, source in sections(folder / "program.map"):
        part = part_of(source)
        if name.startswith(FLASH):
            flash[part] = flash.get(part, 0) + size
        if name.startswith(RAM):
            ram[part] = ram.get(part, 0) + size
    named = symbols(elf)
    stack = named["link_stack_top"][0] - named["link_stack"][0]
    print(f"{folder.name}, the example device without its skills, Cortex-M3, -Os")
    print(f"  {'':24}{'flash':>9}{'RAM':>9}")
    for title, _ in [*PARTS, ("other", "")]:
        if flash.get(title) or ram.get(title):
            print(f"  {title:24}{flash.get(title, 0):9}{ram.get(title, 0):9}")
    print(f"  {'stack, reserved':24}{'':9}{stack:9}")
    slots = named["net"][1] // 4
    pools = sum(size for name, (_, size) in named.items() if name.startswith("memp_memory_"))
    print(f"  per connection: {slots} bytes of RAM in a slot, and a quarter of lwIP's pools, {pools // 4}")
    failed = 0
    used = painted(folder)
    rows = [("flash", image_of(elf)[0], budgets[0]), ("RAM", image_of(elf)[1], budgets[1])]
    if used:
        rows += [("stack, painted", used, stack)]
    else:
        print("  stack, painted: not known before the board has been run (make qemu-net)")
    if tls_budgets[0]:
        takes = tls_takes(folder)
        rows += [("TLS, flash", takes[0], tls_budgets[0]), ("TLS, RAM of a connection", takes[1], tls_budgets[1])]
    rows += [("names of an allocator", len([name for name in named if ALLOCATORS.match(name)]), 0)]
    for what, value, budget in rows:
        over = value - budget
        print(f"  {what}: {value} of {budget}, " + (f"OVER BUDGET by {over}" if over > 0 else f"{-over} free"))
        failed += over > 0
    print()
    return len(rows) - failed, failed


def main():
    parser = argparse.ArgumentParser(description="Flash and RAM of firmwares with lwIP and HTTP.")
    parser.add_argument("--flash", type=int, required=True, help="budget in bytes")
    parser.add_argument("--ram", type=int, required=True, help="budget in bytes")
    parser.add_argument("--tls-flash", type=int, default=0, help="budget in bytes")
    parser.add_argument("--tls-ram", type=int, default=0, help="budget in bytes")
    parser.add_argument("folders", nargs="+", metavar="BUILD")
    args = parser.parse_args()
    counts = [report(pathlib.Path(folder), (args.flash, args.ram), (args.tls_flash, args.tls_ram)) for folder in args.folders]
    passed, failed = (sum(column) for column in zip(*counts))
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
