"""commands.py - command lines that are not run, in code of all pages: their programs, commands, options and targets exist."""

import functools
import pathlib
import re
import shlex
import subprocess
import tempfile

from pages import prose, split

PROGRAMS = {"skillrom", "skillromd", "make"}
ENDS = {"|", "||", "&&", ";", "--", ">", ">>", "#"}  # a command ends here, or its words begin to be another's
STARTS = re.compile(r"(?:build/|\.\./build/|npx )?(?:skillrom|skillromd|make|npm|claude|curl|openssl|git|mosquitto_\w+) ")
HISTORY = {"CHANGELOG.md", "tests/DEFECTS.md"}  # they name what there was at their time
NAMES = {"on", "library", "stdio"}  # `skillrom on BOARD: ready` and `skillrom library` are no calls
OWN = ("docs/tutorials/", "docs/guides/", "README.md", "docs/README.md")  # here all command lines are run, or say why not


def printed(*words, cwd=None):
    return subprocess.run(words, cwd=cwd, capture_output=True, text=True).stdout


@functools.cache
def options_of(tree, program, command):
    """The options in a help; None when there is no such command."""
    if command and command not in re.findall(r"^  ([a-z]+) ", printed(tree / "build/skillrom", "help"), re.M):
        return None
    text = printed(tree / "build" / program, *filter(None, [command]), "--help")
    return set(re.findall(r"^  (?:-\w, )?(--[a-z-]+|-\w\b)", text, re.M)) | set(re.findall(r"^  (-\w), ", text, re.M))


@functools.cache
def targets(tree):
    """What can be made here, and in the folder of a device that `skillrom new` has made."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([tree / "build/skillrom", "new", "--device", "any"], cwd=folder, check=True, capture_output=True)
        made = (pathlib.Path(folder) / "any/Makefile").read_text()
    text = printed("make", "-pRrq", ":", cwd=tree) + made
    return set(re.findall(r"^([\w./-]+)(?: [\w./ -]+)?:(?!=)", text, re.M))


def words_of(text):
    try:
        return shlex.split(text, comments=True)
    except ValueError:  # a quote that is not closed, in code that is not a command line
        return text.split()


def call_faults(tree, text):
    """What does not exist of the calls in a piece of code."""
    words = words_of(text)
    for i, word in enumerate(words):
        program = word.rsplit("/", 1)[-1]
        if program not in PROGRAMS or i and words[i - 1] not in ENDS | {"sudo", "&"} and "/" not in word:
            continue
        rest = []
        for more in words[i + 1:]:
            if more in ENDS:
                break
            rest.append(more)
        yield from make_faults(tree, rest) if program == "make" else own_faults(tree, program, rest)


def make_faults(tree, words):
    for word, before in zip(words, [""] + words):
        if re.fullmatch(r"[a-z][\w./-]*", word) and before != "-C" and "mine" not in word and word not in targets(tree):
            yield f"make has no target {word}"


def own_faults(tree, program, words):
    command = words[0] if program == "skillrom" and words and re.fullmatch(r"[a-z]+", words[0]) and words[0] not in NAMES else ""
    options = options_of(tree, program, command)
    if options is None:
        yield f"there is no skillrom {command}"
    elif command or program == "skillromd":
        unknown = [word for word in words if (m := re.match(r"--[a-z-]+", word)) and m[0] not in options]
        passed_on = options_of(tree, "skillrom", "fleet") | options_of(tree, "skillromd", "") if command == "serve" else set()
        yield from (f"{program} {command} has no option {word}" for word in unknown if word.split("=")[0] not in passed_on)


def call_lines(tree, page):
    """[(number, code)]: lines of blocks that hold commands, and code in prose."""
    text = (tree / page).read_text()
    for number, line, block in split(text):
        if block is not None and block.language in ("sh", "text", "console", "") and STARTS.match(line.removeprefix("$ ")):
            yield number, re.split(r" {3,}", line.removeprefix("$ "))[0], block  # what follows explains it
    for number, line in prose(text):
        for code in re.findall(r"`([^`]+)`", line):
            yield number, code, None


def command_faults(tree, page):
    if str(page) in HISTORY:
        return
    for number, code, block in call_lines(tree, page):
        if block is not None and block.language == "text" and str(page).startswith(OWN):
            yield f"{page}:{number}: a command in a block of text is not run; use console, or sh with needs="
        yield from (f"{page}:{number}: {fault}" for fault in call_faults(tree, code))


def name_faults(tree):
    """README and tutorials can be followed in one folder: none makes a device that another has made."""
    seen = {}
    for page in [pathlib.Path("README.md"), *sorted(path.relative_to(tree) for path in (tree / "docs/tutorials").glob("*.md"))]:
        for name in re.findall(r"^\$ .*skillrom new --device (\S+)", (tree / page).read_text(), re.M):
            if name in seen:
                yield f"{page}: makes {name}, which {seen[name]} has made; `skillrom new` overwrites nothing"
            seen[name] = page
