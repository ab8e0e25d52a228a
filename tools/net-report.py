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
import sys

sys.dont_write_bytecode = True  # leave no files beside the sources
import firmware

PARTS = [("core", "/obj/core/"), ("image reader", "/obj/romfs/"), ("port/lwip", "/obj/port/lwip/"), ("port/tls", "/obj/port/tls/"),
         ("BearSSL", "/bearssl/"), ("lwIP", "/lwip/"),
         ("board", "/obj/boards/"), ("example device", "/obj/examples/"), ("C library", ".a(")]
FLASH = (".text", ".rodata", ".data", ".vectors", ".ARM.ex")
RAM = (".data", ".bss", "COMMON", ".stack", ".noinit")
ALLOCATORS = re.compile(r"_*(malloc|calloc|realloc|free|memalign|sbrk)(_r)?$")


def part_of(source):
    return next((title for title, sign in PARTS if sign in source), "other")


def image_of(elf):
    """Bytes in flash and in RAM, as they are loaded: the sum of what the linker placed."""
    size = firmware.loaded(elf)
    flash = size.get(".text", 0) + size.get(".ARM.exidx", 0) + size.get(".data", 0)
    return flash, sum(size.get(name, 0) for name in (".stack", ".data", ".bss", ".noinit"))


def tls_takes(folder):
    """What TLS adds: bytes of flash, and of RAM in each slot; stack is neither."""
    plain = folder.with_name(folder.name.removesuffix("-tls"))
    slots = [firmware.symbols(build / "program.elf")["net"][1] for build in (folder, plain)]
    return image_of(folder / "program.elf")[0] - image_of(plain / "program.elf")[0], (slots[0] - slots[1]) // 4


def report(counts, folder, budgets, tls_budgets):
    elf = folder / "program.elf"
    flash, ram = {}, {}
    for name, _, size, source in firmware.sections(folder / "program.map"):
        part = part_of(source)
        if name.startswith(FLASH):
            flash[part] = flash.get(part, 0) + size
        if name.startswith(RAM):
            ram[part] = ram.get(part, 0) + size
    named = firmware.symbols(elf)
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
    used = firmware.painted(folder)
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
        print(f"  {what}: {counts.judge(value, budget, unit='')}")
    print()


def main():
    parser = argparse.ArgumentParser(description="Flash and RAM of firmwares with lwIP and HTTP.")
    parser.add_argument("--flash", type=int, required=True, help="budget in bytes")
    parser.add_argument("--ram", type=int, required=True, help="budget in bytes")
    parser.add_argument("--tls-flash", type=int, default=0, help="budget in bytes")
    parser.add_argument("--tls-ram", type=int, default=0, help="budget in bytes")
    parser.add_argument("folders", nargs="+", metavar="BUILD")
    args = parser.parse_args()
    counts = firmware.Budgets()
    for folder in args.folders:
        report(counts, pathlib.Path(folder), (args.flash, args.ram), (args.tls_flash, args.tls_ram))
    return counts.sum_up()


if __name__ == "__main__":
    sys.exit(main())
