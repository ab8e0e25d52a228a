#!/usr/bin/env python3
"""size-report.py - flash and RAM of core and reader on Cortex-M, against their budgets.

usage: size-report.py SIZEDIR --flash BYTES --ram BYTES --dialects BYTES --surface BYTES --native OBJECT

SIZEDIR holds a folder CPU-VARIANT for each build of tests/size/main.c, with firmware.map from the linker and
obj/; the Makefile builds them. main.c is a device whose tool has an integer argument. Flash is what the linker kept of
core, reader and miniz. memcpy and the like from the C library are listed separately, because nearly every firmware has
them already; main.c stands for the product and is left out.
RAM is struct skr_server and struct skr_conn, as main.c places them.
The last line is "N passed, N failed", one for each budget.
"""
import argparse
import pathlib
import re
import subprocess
import sys

CPUS = {"cortex-m0plus": "Cortex-M0+", "cortex-m3": "Cortex-M3"}
SWITCHES = ["http", "extras", "jobs", "talk", "tasks", "changes", "dialects", "deflate"]
KINDS_OF_ARGUMENTS = ["bool", "enum", "string", "wide", "decimal", "double", "array", "object"]
PARTS = [("core", "core"), ("romfs", "image reader"), ("miniz", "miniz (tinfl)")]
KINDS = ["text", "rodata", "data", "bss"]
SECTION = re.compile(r"^ (\.?[\w.$-]+)?\s+0x([0-9a-f]+)\s+0x([0-9a-f]+) (\S.*)$")


def kind_of(section):
    if section.startswith(".ARM.ex"):  # unwind tables lie in flash like code
        return "text"
    if section == "COMMON":
        return "bss"
    return next((kind for kind in KINDS if section.startswith("." + kind)), None)


def part_of(path):
    for name in ("core", "romfs"):
        if f"/obj/{name}/" in path:
            return name
    return "miniz" if path.endswith("/miniz.o") else None


def sections(path):
    """(name, address, bytes, source file) of everything the linker kept, in order."""
    found, name = [], None
    for line in path.read_text().split("Linker script and memory map", 1)[1].splitlines():
        if re.match(r"^ \.[\w.$-]+$", line):  # a long name has a line to itself
            name = line.strip()
            continue
        match = SECTION.match(line)
        if match:
            found.append((match[1] or name or "", int(match[2], 16), int(match[3], 16), match[4]))
        name = None
    return found


def read_map(path):
    """({part: {kind: bytes}}, {library function: bytes}) of what the linker kept.

    Equal strings of several files are merged, and the map then gives their full size to more than one; so a section
    ends where the next begins.
    """
    parts = {part: dict.fromkeys(KINDS, 0) for part, _ in PARTS}
    library = {}
    rows = sections(path)
    for (name, at, size, source), following in zip(rows, rows[1:] + [("", 0, 0, "")]):
        if at <= following[1] < at + size:
            size = following[1] - at
        kind = kind_of(name)
        member = re.search(r"\.a\((?:lib_a-)?_?(\w+?)(?:-stub)?\.o\)$", source)
        if kind and member and size:
            library[member.group(1)] = library.get(member.group(1), 0) + size
        elif kind and part_of(source):
            parts[part_of(source)][kind] += size
    return parts, library


def struct_sizes(obj):
    """Bytes of struct skr_server and struct skr_conn, from the variables of main.c."""
    out = subprocess.run(["nm", "-S", str(obj)], check=True, capture_output=True, text=True).stdout
    size = {fields[3]: int(fields[1], 16) for fields in map(str.split, out.splitlines()) if len(fields) == 4}
    return size["server"], size["conn"]


class Report:
    def __init__(self, folder, flash_budget, ram_budget):
        self.folder = pathlib.Path(folder)
        self.flash_budget, self.ram_budget = flash_budget, ram_budget
        self.passed = self.failed = 0

    def sizes(self, cpu, variant):
        folder = self.folder / f"{cpu}-{variant}"
        parts, library = read_map(folder / "firmware.map")
        return (parts, library) + struct_sizes(folder / "obj/tests/size/main.o")

    def judge(self, value, budget):
        if value <= budget:
            self.passed += 1
            return f"{value} bytes of {budget}, {budget - value} free"
        self.failed += 1
        return f"{value} bytes of {budget}, OVER BUDGET by {value - budget}"

    def tiny(self, cpu):
        parts, library, server, conn = self.sizes(cpu, "tiny")
        print(f"{CPUS[cpu]}, profile tiny, -Os")
        print(f"  {'':20}" + "".join(f"{kind:>9}" for kind in KINDS))
        for part, title in PARTS:
            if sum(parts[part].values()):
                print(f"  {title:20}" + "".join(f"{parts[part][kind]:9}" for kind in KINDS))
        print(f"  flash: {self.judge(flash(parts), self.flash_budget)}")
        total = server + conn + sum(p["data"] + p["bss"] for p in parts.values())
        print(f"  RAM:   {self.judge(total, self.ram_budget)}"
              f" (struct skr_server {server}, struct skr_conn {conn}; stack apart)")
        print(f"  besides, {sum(library.values())} bytes from the C library: {' '.join(sorted(library))}")
        print()

    def added(self, variant, base, cpu="cortex-m3"):
        return flash(self.sizes(cpu, variant)[0]) - flash(self.sizes(cpu, base)[0])

    def row(self, title, variant):
        return f"  {title:20}" + "".join(f"{self.added(variant, 'tiny', cpu):+12}" for cpu in CPUS)

    def switches(self, dialects_budget):
        print("what a switch adds to profile tiny, with those it needs, in bytes")
        print(f"  {'':20}" + "".join(f"{name:>12}" for name in CPUS.values()) + f"{'server':>12}{'connection':>12}")
        _, _, base_server, base_conn = self.sizes("cortex-m3", "tiny")
        for switch in SWITCHES:
            _, _, server, conn = self.sizes("cortex-m3", switch)
            print(self.row(switch, switch) + f"{server - base_server:+12}{conn - base_conn:+12}")
        print(f"  dialects, Cortex-M3: {self.judge(self.added('dialects', 'tiny'), dialects_budget)}")
        print()

    def kinds(self):
        print("what the first argument of another kind adds to it, in bytes")
        print(f"  {'':20}" + "".join(f"{name:>12}" for name in CPUS.values()))
        for kind in KINDS_OF_ARGUMENTS:
            print(self.row(kind, "arg-" + kind))
        print("  (wide: 64 bits; double: besides, the compiler's floating point)")
        print()

    def surface(self, budget):
        print("everything that MCP has, without HTTP, Cortex-M3, with every function and every kind of argument")
        parts, _, server, conn = self.sizes("cortex-m3", "surface")
        print(f"  flash: {self.judge(flash(parts), budget)}")
        print(f"  RAM:   struct skr_server {server}, struct skr_conn {conn}")
        print(f"  with all older dialects of skills: {self.added('surface-dialects', 'surface'):+}")
        print()

    def profiles(self, native_object, request_max, connection_budget):
        print("RAM by profile, in bytes")
        print(f"  {'':20}{'server':>12}{'connection':>12}")
        for title, obj in (
            ("tiny, Cortex-M", self.folder / "cortex-m3-tiny/obj/tests/size/main.o"),
            ("net, Cortex-M", self.folder / "cortex-m3-net/obj/tests/size/main.o"),
            ("host, this machine", native_object),
        ):
            server, conn = struct_sizes(obj)
            print(f"  {title:20}{server:12}{conn:12}")
        _, net = struct_sizes(self.folder / "cortex-m3-net/obj/tests/size/main.o")
        print(f"  an HTTP connection of profile net, without its buffer of {request_max} for the request: "
              f"{self.judge(net - request_max, connection_budget)}")
        print()


def flash(parts):
    return sum(p["text"] + p["rodata"] + p["data"] for p in parts.values())


def main():
    parser = argparse.ArgumentParser(description="Flash and RAM of core and reader on Cortex-M.")
    parser.add_argument("folder", metavar="SIZEDIR")
    parser.add_argument("--flash", type=int, required=True, help="budget in bytes")
    parser.add_argument("--ram", type=int, required=True, help="budget in bytes")
    parser.add_argument("--dialects", type=int, required=True, help="budget in bytes")
    parser.add_argument("--surface", type=int, required=True, help="budget in bytes")
    parser.add_argument("--connection", type=int, required=True, help="budget in bytes")
    parser.add_argument("--request-max", type=int, required=True, help="SKR_REQUEST_MAX of profile net")
    parser.add_argument("--native", required=True, help="main.c's object for this machine, profile host")
    args = parser.parse_args()
    report = Report(args.folder, args.flash, args.ram)
    for cpu in CPUS:
        report.tiny(cpu)
    report.switches(args.dialects)
    report.kinds()
    report.surface(args.surface)
    report.profiles(args.native, args.request_max, args.connection)
    print(f"{report.passed} passed, {report.failed} failed")
    return 1 if report.failed else 0


if __name__ == "__main__":
    sys.exit(main())
