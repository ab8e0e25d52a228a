#!/usr/bin/env python3
"""uf2.py - an RP2040 firmware as a UF2 file, to be dragged onto the board

usage: uf2.py FIRMWARE.elf FIRMWARE.uf2
       uf2.py --checksum FIRMWARE.elf      put the checksum into section .boot, which the boot ROM checks

The format is a row of 512-byte blocks, each with an address and 256 bytes for it.
"""
import pathlib
import struct
import subprocess
import sys
import tempfile

OBJCOPY = "arm-none-eabi-objcopy"
FLASH = 0x10000000
BLOCK = 256
FAMILY_RP2040 = 0xE48BFF56
FLAG_FAMILY = 0x2000
BOOT_SIZE = 252


def crc32(data):
    """The boot ROM's: most significant bit first, and not inverted at the end."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte << 24
        for _ in range(8):
            crc = (crc << 1 ^ (0x04C11DB7 if crc & 0x80000000 else 0)) & 0xFFFFFFFF
    return crc


def binary(elf, *options):
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "out"
        subprocess.run([OBJCOPY, "-O", "binary", *options, elf, str(out)], check=True)
        return out.read_bytes()


def put_checksum(elf):
    boot = binary(elf, "-j", ".boot").ljust(BOOT_SIZE, b"\0")[:BOOT_SIZE]
    with tempfile.NamedTemporaryFile() as section:
        section.write(boot + struct.pack("<I", crc32(boot)))
        section.flush()
        subprocess.run([OBJCOPY, "--update-section", f".boot={section.name}", elf], check=True)


def blocks(data):
    count = -(-len(data) // BLOCK)
    for n in range(count):
        head = struct.pack("<8I", 0x0A324655, 0x9E5D5157, FLAG_FAMILY, FLASH + BLOCK * n, BLOCK, n, count, FAMILY_RP2040)
        yield head + data[BLOCK * n:BLOCK * (n + 1)].ljust(476, b"\0") + struct.pack("<I", 0x0AB16F30)


def main(arguments):
    if len(arguments) == 2 and arguments[0] == "--checksum":
        put_checksum(arguments[1])
    elif len(arguments) == 2:
        pathlib.Path(arguments[1]).write_bytes(b"".join(blocks(binary(arguments[0], "--gap-fill", "0xff"))))
    else:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
