"""test_size.py - what updates cost on a Cortex-M3: README.md's figures are measured again, and have limits."""

import re
import subprocess

from client import programs
from client.check import Suite, check

suite = Suite()

README = programs.ROOT / "port/update/README.md"
ROW = re.compile(r"^\| `([\w./]+\.c)` \|.*\| ([\d,]+) \|$", re.M)
SOURCES = {name: programs.ROOT / "port/update" / name for name in ("update.c", "update_record.c", "updater.c", "update_reason.c", "../../romfs/release.c",
                                                                   "../../core/mcp/method_update.c")}
FLAGS = ("-std=c99 -mcpu=cortex-m3 -mthumb -Os -ffreestanding -ffunction-sections -DSKR_PROFILE_NET -DSKR_UPDATE=1 -DSKR_CHANGES=1 -Icore -Iromfs -Iport/update "
         "-isystem third_party/jsmn -isystem third_party/miniz").split()
FLASH_MOST, RAM_MOST = 4530, 512  # bytes: 3% above what is measured; 4 times what is measured
CHAINS = ("skr_update_begin put_record program", "skr_update_copy skr_update_write program", "skr_update_commit put_record program",
          "skr_update_confirm put_record program")
RAM = '#include "updater.h"\nchar ram[sizeof(struct skr_server_update)], rom[sizeof(struct skr_update_config)];\n'


def compiled(r, source, name, *flags):
    made = r.folder / f"{name}.o"
    subprocess.run(["arm-none-eabi-gcc", *FLAGS, *flags, "-c", "-x", "c", source, "-o", made], check=True)
    return made


def flash_of(made):
    """Code and constants."""
    words = subprocess.run(["arm-none-eabi-size", made], check=True, capture_output=True, text=True).stdout.splitlines()[1].split()
    return int(words[0]) + int(words[1])


@suite
def flash_is_what_the_page_says(r):
    said = {name: int(bytes.replace(",", "")) for name, bytes in ROW.findall(README.read_text())}
    sizes = {name: flash_of(compiled(r, source, source.stem)) for name, source in SOURCES.items()}
    print(f"{sum(sizes.values())} bytes of flash on a Cortex-M3: {sizes}", flush=True)
    check(sum(sizes.values()) <= FLASH_MOST, sizes)
    for name, size in sizes.items():
        check(abs(said[name] - size) <= size // 50, f"{name}: {size}, and {said[name]} on the page")


@suite
def ram_is_what_the_page_says(r):
    source = r.folder / "ram.c"
    source.write_text(RAM)
    lines = subprocess.run(["arm-none-eabi-nm", "-S", "-t", "d", compiled(r, source, "ram")], check=True, capture_output=True, text=True).stdout.splitlines()
    sizes = {words[3]: int(words[1]) for words in map(str.split, lines)}
    check(f"RAM: {sizes['ram']} bytes of `struct skr_server_update` and {sizes['rom']} of constant" in README.read_text(), sizes)
    check(sizes["ram"] <= RAM_MOST)


@suite
def stack_is_what_the_page_says(r):
    """The frames of calls that are not merged into others, in the deepest chain."""
    compiled(r, SOURCES["update.c"], "stack", "-fstack-usage")
    frames = {words[0].rpartition(":")[2]: int(words[1]) for words in map(str.split, (r.folder / "stack.su").read_text().splitlines())}
    deepest = max(sum(frames[name] for name in chain.split()) for chain in CHAINS)
    check(f"Stack: {deepest} bytes below the handler" in README.read_text(), deepest, frames)
