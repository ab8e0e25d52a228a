"""firmware.py - what the reports read of linked firmware, and how they count figures against budgets"""
import pathlib
import re
import subprocess

SECTION = re.compile(r"^ (\.?[\w.$-]+)?\s+0x([0-9a-f]+)\s+0x([0-9a-f]+) (\S.*)$")
PARTS = [("core", "core"), ("romfs", "image reader"), ("miniz", "miniz (tinfl)"),
         ("oauth", "port/oauth"), ("bearssl", "BearSSL")]
KINDS = ["text", "rodata", "data", "bss"]


def kind_of(section):
    if section.startswith(".ARM.ex"):  # unwind tables lie in flash like code
        return "text"
    if section == "COMMON":
        return "bss"
    return next((kind for kind in KINDS if section.startswith("." + kind)), None)


def sections(path):
    """(name, address, bytes, source file) of everything the linker kept, in order, out of its map."""
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


def part_of(path):
    for name in ("core", "romfs"):
        if f"/obj/{name}/" in path:
            return name
    if "/bearssl/" in path or "/obj/port/oauth/" in path:
        return "bearssl" if "/bearssl/" in path else "oauth"
    return "miniz" if path.endswith("/miniz.o") else None


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
        member = re.search(r"\.a\((?:lib_a-|libc_string_)?_?([\w-]+?)(?:-stub|-asm)?(?:\.[cS])?\.o\)$", source)
        if kind and member and size:
            library[member.group(1)] = library.get(member.group(1), 0) + size
        elif kind and part_of(source):
            parts[part_of(source)][kind] += size
    return parts, library


def flash(parts):
    return sum(p["text"] + p["rodata"] + p["data"] for p in parts.values())


def loaded(elf):
    """{section: bytes} of an ELF file."""
    out = subprocess.run(["size", "-A", str(elf)], check=True, capture_output=True, text=True).stdout
    return {row[0]: int(row[1]) for row in map(str.split, out.splitlines()) if len(row) == 3 and row[0][0] == "."}


def symbols(elf):
    """{name: (address, size)}"""
    out = subprocess.run(["nm", "-S", str(elf)], check=True, capture_output=True, text=True).stdout
    rows = [line.split() for line in out.splitlines()]
    return {row[-1]: (int(row[0], 16), int(row[1], 16) if len(row) == 4 else 0) for row in rows if len(row) >= 3}


def painted(folder):
    """The most stack that any run has used; 0: nothing has been run."""
    path = folder / "stack.txt"
    return max((int(line.split()[0]) for line in path.read_text().splitlines()), default=0) if path.exists() else 0


class Budgets:
    """Counts which figures fit."""

    def __init__(self):
        self.passed = self.failed = 0

    def judge(self, value, budget, unit=" bytes"):
        fits = value <= budget
        self.passed += fits
        self.failed += not fits
        return f"{value}{unit} of {budget}, " + (f"{budget - value} free" if fits else f"OVER BUDGET by {value - budget}")

    def sum_up(self):
        """Prints the counts; the exit status."""
        print(f"{self.passed} passed, {self.failed} failed")
        return 1 if self.failed else 0


def report_builds(parser, kind):
    """Judges each build of the command line by a report of this kind; the exit status."""
    parser.add_argument("builds", nargs="+", metavar="BUILD")
    args = parser.parse_args()
    report = kind(args)
    for build in args.builds:
        report.board(pathlib.Path(build))
    return report.sum_up()
