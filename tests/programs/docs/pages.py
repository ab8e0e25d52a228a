"""pages.py - pages, their blocks, and what can be checked without running anything."""

import json
import pathlib
import re
import subprocess
import urllib.parse

SKIPPED = {"build", "third_party", ".git", "skills", "prompts", "golden", "node_modules", "devices"}
HISTORY = {"CHANGELOG.md", "tests/DEFECTS.md"}  # they name what was there at their time
LANGUAGES = {"text", "console", "sh", "json", "c", "html", "markdown", "yaml", "acl", "cmake", "conf", "toml", "transcript", "make"}
NEEDS = {"agent", "authority", "board", "network", "time"}  # why a block of commands cannot be run in a test
FOLDERS = "boards|core|docs|examples|host|packaging|port|romfs|tests|tools"
FIGURE = re.compile(r"([\d][\d,.]*)<!--=([\w.+-]+)-->")
QUOTED = re.compile(r"(?<!with )(?<![\d,.])(\d[\d,.]*) (?:bytes|KB) of (?:flash|RAM|stack)\b")
WIDTHS = {"README.md": 90}
WIDTH = 100
NUMBERS = dict(enumerate("no one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen".split()))


class Block:
    """A fenced block: its language, its attributes and its lines."""

    def __init__(self, page, line, info):
        words = info.split()
        self.page, self.line, self.lines = page, line, []
        self.language = words[0] if words else ""
        self.attributes = dict(word.partition("=")[::2] for word in words[1:])

    @property
    def place(self):
        return f"{self.page}:{self.line}"


def pages_of(tree):
    found = [path.relative_to(tree) for path in tree.rglob("*.md")]
    return sorted(path for path in found if not SKIPPED & set(path.parts[:-1]))


def split(text):
    """[(number, line, the block it is in or None)]"""
    rows, block, fence = [], None, None
    for number, line in enumerate(text.splitlines(), 1):
        fence_line = re.match(r"\s*(`{3,})(.*)$", line)
        if block is None and fence_line:
            fence, block = fence_line[1], Block("", number, fence_line[2])
            rows.append((number, line, block))
        elif block is not None and fence_line and fence_line[1] == fence and not fence_line[2].strip():
            rows.append((number, line, block))
            block = None
        else:
            if block is not None:
                block.lines.append(line)
            rows.append((number, line, block))
    return rows


def blocks_of(tree, page):
    found = []
    for _, _, block in split((tree / page).read_text()):
        if block is not None and block not in found:
            block.page = str(page)
            found.append(block)
    return found


def prose(text):
    """Lines outside fenced and indented blocks."""
    return [(number, line) for number, line, block in split(text) if block is None and not line.startswith("    ")]


# ---- Links ----


def slug(heading):
    words = re.sub(r"<!--.*?-->|`|\*|\[|\]\(.*?\)", "", heading).strip().lower()
    return re.sub(r"[^\w\- ]", "", words).replace(" ", "-")


def anchors(text):
    return {slug(line.lstrip("#")) for _, line in prose(text) if line.startswith("#")}


def link_faults(tree, page):
    text = (tree / page).read_text()
    for number, line in prose(text):
        for target in re.findall(r"\]\(([^)\s]+)(?: \"[^\"]*\")?\)", line) + re.findall(r'(?:src|href)="([^"]+)"', line):
            if re.match(r"[a-z]+:", target):
                continue
            name, _, anchor = urllib.parse.unquote(target).partition("#")
            file = (tree / page).parent / name if name else tree / page
            if not file.exists():
                yield f"{page}:{number}: the link {target} leads nowhere"
            elif anchor and file.suffix == ".md" and anchor not in anchors(file.read_text()):
                yield f"{page}:{number}: {name or page} has no heading #{anchor}"


def path_faults(tree, page):
    """Files that a page names in `code` are there."""
    if str(page) in HISTORY:
        return
    for number, line in prose((tree / page).read_text()):
        for name in re.findall(rf"`((?:{FOLDERS})/[\w./-]+)`", line):
            made = "/build/" in f"/{name}/" or "mine" in name or "NAME" in name
            method = re.fullmatch(r"tools/[a-z_]+(\.json)?", name)  # tools/list, a device's tools/set_lamp.json
            if not made and not method and not (tree / name.rstrip("/")).exists() and not ((tree / page).parent / name).exists():
                yield f"{page}:{number}: there is no {name}"


# ---- Widths, figures, blocks ----


def width_faults(tree, page):
    most = WIDTHS.get(str(page), WIDTH)
    for number, line in prose((tree / page).read_text()):
        whole = str(page) in WIDTHS or not line.lstrip().startswith(("|", "![", "<", "["))  # rows of tables cannot be wrapped
        if len(line) > most and whole:
            yield f"{page}:{number}: has {len(line)} columns, at most {most} are allowed"


def figures_of(tree):
    lines = (tree / "docs/figures.txt").read_text().splitlines()
    return dict(line.split(" ", 1) for line in lines if line and not line.startswith("#"))


def figure_faults(tree, page):
    if str(page) in HISTORY:
        return
    figures = figures_of(tree)
    for number, line in prose((tree / page).read_text()):
        for shown, key in FIGURE.findall(line):
            if figures.get(key) != shown:
                yield f"{page}:{number}: {key} is {figures.get(key, 'not in docs/figures.txt')}, not {shown}"
        if page.name == "README.md" and len(page.parts) == 1:
            for shown in QUOTED.findall(line):
                yield f"{page}:{number}: {shown} does not come from docs/figures.txt"


def counts(tree):
    """{what a page may count: how many there are}."""
    header = (tree / "core/skr_config.h").read_text().split("*/")[0]
    return {"tutorials": len(list((tree / "docs/tutorials").glob("*.md"))), "switches": len(re.findall(r"^ \*   SKR_\w+ ", header, re.M)),
            "boards": len(list((tree / "boards").glob("*/board.mk"))), "profiles": len(re.findall(r"SKR_PROFILE_\w+\)", (tree / "core/skr_config.h").read_text())) + 1}


def count_faults(tree, page):
    """A number of things that can be counted is right: six boards."""
    if str(page) in HISTORY:
        return
    for number, line in prose((tree / page).read_text()):
        for word, what in re.findall(r"\b([a-z]+) (tutorials|switches|boards in emulators|profiles)\b", line.lower()):
            right = counts(tree)[what.split()[0]]
            if word in NUMBERS.values() and word != NUMBERS[right]:
                yield f"{page}:{number}: there are {right} {what}, not {word}"


def block_faults(tree, page):
    """In documents for readers, every block says what it shows."""
    if page.parts[0] != "docs" and len(page.parts) > 1:
        return
    for block in blocks_of(tree, page):
        unknown = NEEDS.isdisjoint(block.attributes.get("needs", "").split(","))
        if block.language not in LANGUAGES:
            yield f"{block.place}: a block of an unknown kind '{block.language}'"
        elif block.language == "sh" and unknown:
            yield f"{block.place}: commands that are not run say why: needs=" + "|".join(sorted(NEEDS))
        elif block.language == "json" and "file" not in block.attributes:
            try:
                json.loads("\n".join(block.lines))
            except ValueError as wrong:
                yield f"{block.place}: not JSON: {wrong}"


def picture_faults(tree, page):
    """Pictures say what they show to those who do not see them."""
    text = "\n".join(line for _, line in prose((tree / page).read_text()))
    found = [(name, alt, title) for alt, name, title in re.findall(r'!\[([^]]*)\]\(([^)\s]+)(?: "([^"]*)")?\)', text)]
    for tag in re.findall(r"<img\b[^>]*>", text):
        found.append([(re.search(rf'\b{name}="([^"]*)"', tag) or ["", ""])[1] for name in ("src", "alt", "title")])
    for name, alt, title in found:
        file = (tree / page).parent / name
        if not alt.strip():
            yield f"{page}: the picture {name} has no alternative text"
        drawn = file.read_text() if file.suffix == ".svg" and file.exists() else ""
        if not title.strip() and "<title>" not in drawn:
            yield f"{page}: the picture {name} has no title"
        if drawn and "prefers-color-scheme:dark" not in drawn:
            yield f"{page}: the picture {name} is not for dark pages"


def generated_faults(tree):
    result = subprocess.run([tree / "tools/make-pages", "--check", "--tree", tree], capture_output=True, text=True)
    if result.returncode != 0:
        yield from (result.stdout + result.stderr).splitlines()


CHECKS = {"links": link_faults, "paths": path_faults, "widths": width_faults, "figures": figure_faults, "blocks": block_faults,
          "pictures": picture_faults, "counts": count_faults}
