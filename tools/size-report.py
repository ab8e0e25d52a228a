#!/usr/bin/env python3
"""size-report.py - flash and RAM of core and reader on Cortex-M and RISC-V, against their budgets.

usage: size-report.py SIZEDIR --flash BYTES --riscv-percent N --ram BYTES --dialects BYTES --auth BYTES --guard BYTES --panel BYTES --surface BYTES --native OBJECT [--brief]

SIZEDIR holds a folder CPU-VARIANT for each build of tests/quality/size/main.c, with firmware.elf and
firmware.map from the linker; the Makefile builds them. main.c is a device whose tool has an integer argument. Flash is what the linker kept of
core, reader and miniz. memcpy and the like from the C library are listed separately, because nearly every firmware has
them already; main.c stands for the product and is left out. RISC-V may take N percent more than the Cortex-M3, and the same RAM.
RAM is struct skr_server and struct skr_conn, as main.c places them.
Draws SIZEDIR/flash.svg: flash by layer, and what each switch adds. With --brief: only what has a budget, and no picture.
The last line is "N passed, N failed", one for each budget.
"""
import argparse
import pathlib
import re
import sys

sys.dont_write_bytecode = True  # leave no files beside the sources
import svg
from firmware import KINDS, PARTS, Budgets, flash, kind_of, read_map, sections, symbols

CPUS = {"cortex-m0plus": "Cortex-M0+", "cortex-m3": "Cortex-M3"}
RISCV = {"rv32imc": "RISC-V, rv32imc"}
SWITCHES = ["http", "extras", "jobs", "interactive", "tasks", "changes", "dialects", "deflate"]
KINDS_OF_ARGUMENTS = ["bool", "enum", "string", "wide", "decimal", "double", "array", "object"]


def struct_sizes(program):
    """Bytes of struct skr_server and struct skr_conn, from the variables of main.c, in its object or linked."""
    named = symbols(program)
    return named["server"][1], named["conn"][1]


class Report(Budgets):
    def __init__(self, folder, ram_budget):
        super().__init__()
        self.folder = pathlib.Path(folder)
        self.ram_budget = ram_budget

    def sizes(self, cpu, variant):
        folder = self.folder / f"{cpu}-{variant}"
        parts, library = read_map(folder / "firmware.map")
        return (parts, library) + struct_sizes(folder / "firmware.elf")

    def tiny(self, cpu, title, budget):
        parts, library, server, conn = self.sizes(cpu, "tiny")
        print(f"{title}, profile tiny, -Os")
        print(f"  {'':20}" + "".join(f"{kind:>9}" for kind in KINDS))
        for part, name in PARTS:
            if sum(parts[part].values()):
                print(f"  {name:20}" + "".join(f"{parts[part][kind]:9}" for kind in KINDS))
        print(f"  flash: {self.judge(flash(parts), budget)}")
        total = server + conn + sum(p["data"] + p["bss"] for p in parts.values())
        print(f"  RAM:   {self.judge(total, self.ram_budget)}"
              f" (struct skr_server {server}, struct skr_conn {conn}; stack apart)")
        print(f"  besides, {sum(library.values())} bytes from the C library: {' '.join(sorted(library))}")
        print()

    def riscv(self, percent):
        base, library, server, conn = self.sizes("cortex-m3", "tiny")
        for cpu, title in RISCV.items():
            self.tiny(cpu, title, flash(base) * (100 + percent) // 100)
            parts, linked, *structs = self.sizes(cpu, "tiny")
            whole, other = flash(parts) + sum(linked.values()), flash(base) + sum(library.values())
            print(f"  {flash(parts) / flash(base) - 1:+.1%} of the flash of a Cortex-M3, where {percent} % is allowed; "
                  f"with what is linked of C libraries {whole} bytes, {whole / other - 1:+.1%}")
            print(f"  RAM beyond that of a Cortex-M3: {self.judge(sum(structs) - server - conn, 0)}")
            print()

    def added(self, variant, base, cpu="cortex-m3"):
        return flash(self.sizes(cpu, variant)[0]) - flash(self.sizes(cpu, base)[0])

    def row(self, title, variant):
        return f"  {title:20}" + "".join(f"{self.added(variant, 'tiny', cpu):+12}" for cpu in CPUS)

    def dialects(self, budget):
        print("what older dialects of skills add to profile tiny")
        print(f"  Cortex-M3:  {self.judge(self.added('dialects', 'tiny'), budget)}")
        print()

    def switches(self):
        print("what a switch adds to profile tiny, with those it needs, in bytes")
        print(f"  {'':20}" + "".join(f"{name:>12}" for name in CPUS.values()) + f"{'server':>12}{'connection':>12}")
        _, _, base_server, base_conn = self.sizes("cortex-m3", "tiny")
        for switch in SWITCHES:
            _, _, server, conn = self.sizes("cortex-m3", switch)
            print(self.row(switch, switch) + f"{server - base_server:+12}{conn - base_conn:+12}")
        print()

    def layers(self, cpu="cortex-m3"):
        """[(layer, bytes)] of profile tiny, the largest first."""
        found = {}
        rows = sections(self.folder / f"{cpu}-tiny/firmware.map")
        for (name, at, size, source), following in zip(rows, rows[1:] + [("", 0, 0, "")]):
            layer = re.search(r"/obj/(core/\w+|romfs)/", source)
            if layer and kind_of(name) in ("text", "rodata", "data"):
                size = following[1] - at if at <= following[1] < at + size else size
                found[layer[1]] = found.get(layer[1], 0) + size
        return sorted(found.items(), key=lambda row: -row[1])

    def draw(self):
        layers = [(name, size, f"{size:,}") for name, size in self.layers()]
        switches = [(name, self.added(name, "tiny"), f"+{self.added(name, 'tiny'):,}") for name in SWITCHES]
        text = svg.bars("Flash on a Cortex-M3, in bytes: by layer, and by switch", [
            (f"Profile tiny by layer, {sum(size for _, size, _ in layers):,} bytes of flash on a Cortex-M3", layers),
            ("What a switch adds to it, with those it needs", switches),
        ])
        (self.folder / "flash.svg").write_text(text)

    def auth(self, budget):
        print("what bearer tokens add to HTTP, SHA-256 included")
        print(f"  Cortex-M3:  {self.judge(self.added('http', 'http-open'), budget)}")
        print()

    def guard(self, budget):
        print("what rules of tools add to a tool that asks its client, one of each kind and SHA-256 included")
        print(f"  Cortex-M3:  {self.judge(self.added('guard', 'client-requests'), budget)}")
        print()

    def panel(self, profile, budget):
        print(f"what the panel adds to profile {profile}")
        print(f"  Cortex-M3:  {self.judge(self.added(profile, profile + '-panelless'), budget)}")
        print()

    def oauth(self):
        print("what access tokens of an authorization server add to that, Cortex-M3")
        parts, _, _, conn = self.sizes("cortex-m3", "oauth")
        base, _, _, base_conn = self.sizes("cortex-m3", "http")
        added = {part: flash({part: parts[part]}) - flash({part: base[part]}) for part, _ in PARTS}
        print(f"  flash: {sum(added.values())} bytes: core {added['core'] + added['romfs']}, port/oauth {added['oauth']}, "
              f"BearSSL {added['bearssl']}, most of which TLS has already")
        print(f"  RAM: {conn - base_conn} bytes per connection, 512 of them for longer requests and 256 for longer heads of answers")
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
        print()

    def surface_dialects(self):
        print(f"all older dialects of skills add to that: {self.added('surface-dialects', 'surface')} bytes")
        print()

    def profiles(self, native_object, request_max, connection_budget):
        print("RAM by profile, in bytes")
        print(f"  {'':20}{'server':>12}{'connection':>12}")
        for title, obj in (
            ("tiny, Cortex-M", self.folder / "cortex-m3-tiny/firmware.elf"),
            ("net, Cortex-M", self.folder / "cortex-m3-net/firmware.elf"),
            ("host, this machine", native_object),
        ):
            server, conn = struct_sizes(obj)
            print(f"  {title:20}{server:12}{conn:12}")
        _, net = struct_sizes(self.folder / "cortex-m3-net/firmware.elf")
        print(f"  an HTTP connection of profile net, without its buffer of {request_max} for the request: "
              f"{self.judge(net - request_max, connection_budget)}")
        print()


def main():
    parser = argparse.ArgumentParser(description="Flash and RAM of core and reader on Cortex-M.")
    parser.add_argument("folder", metavar="SIZEDIR")
    parser.add_argument("--flash", type=int, required=True, help="budget in bytes")
    parser.add_argument("--riscv-percent", type=int, required=True, help="flash on RISC-V beyond that on a Cortex-M3")
    parser.add_argument("--ram", type=int, required=True, help="budget in bytes")
    parser.add_argument("--dialects", type=int, required=True, help="budget in bytes")
    parser.add_argument("--auth", type=int, required=True, help="budget in bytes")
    parser.add_argument("--guard", type=int, required=True, help="budget in bytes")
    parser.add_argument("--panel", type=int, required=True, help="budget in bytes")
    parser.add_argument("--surface", type=int, required=True, help="budget in bytes")
    parser.add_argument("--connection", type=int, required=True, help="budget in bytes")
    parser.add_argument("--request-max", type=int, required=True, help="SKR_REQUEST_MAX of profile net")
    parser.add_argument("--native", required=True, help="main.c's object for this machine, profile host")
    parser.add_argument("--brief", action="store_true", help="only what has a budget")
    args = parser.parse_args()
    report = Report(args.folder, args.ram)
    for cpu, title in CPUS.items():
        report.tiny(cpu, title, args.flash)
    report.riscv(args.riscv_percent)
    report.dialects(args.dialects)
    report.auth(args.auth)
    report.profiles(args.native, args.request_max, args.connection)
    report.surface(args.surface)
    report.panel("net", args.panel)
    if not args.brief:
        report.panel("full", args.panel)
        report.surface_dialects()
        report.switches()
        report.guard(args.guard)
        report.oauth()
        report.kinds()
        report.draw()
    return report.sum_up()


if __name__ == "__main__":
    sys.exit(main())
