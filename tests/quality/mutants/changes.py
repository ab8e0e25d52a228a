"""Small changes to C: where they can be made in a source, and what they make of it."""

import collections
import dataclasses
import re

# What stands for what. Blanks around the binary ones tell them from signs, addresses and arrows.
SWAPS = [
    (r"(?<= )<(?= )", "<="), (r"(?<= )<=(?= )", "<"), (r"(?<= )>(?= )", ">="), (r"(?<= )>=(?= )", ">"),
    (r"(?<= )<(?= )", ">="), (r"(?<= )>(?= )", "<="), (r"(?<= )==(?= )", "!="), (r"(?<= )!=(?= )", "=="),
    (r"(?<= )&&(?= )", "||"), (r"(?<= )\|\|(?= )", "&&"), (r"(?<= )&(?= )", "|"), (r"(?<= )\|(?= )", "&"),
    (r"(?<= )\+(?= )", "-"), (r"(?<= )-(?= )", "+"), (r"(?<= )<<(?= )", ">>"), (r"(?<= )>>(?= )", "<<"),
    (r"(?<= )\+=(?= )", "-="), (r"(?<= )-=(?= )", "+="), (r"(?<= )\|=(?= )", "&="), (r"(?<= )&=(?= )", "|="),
    (r"\+\+", "--"), (r"--", "++"), (r"(?<=[( ])!(?=[\w(])", ""), (r"\btrue\b", "false"), (r"\bfalse\b", "true"),
]
NUMBER = re.compile(r"(?<![\w.])(0x[0-9A-Fa-f]+|[1-9]\d*|0)(u?)\b(?!\.)")
LETTER = re.compile(r"'([!-&(-\[\]-~])'")
STATEMENT = re.compile(r"^\s+(?!return\b|break\b|continue\b|goto\b|case\b|default\b)[\w(*][^{}]*;\s*$")
DECLARES = re.compile(r"^\s+(static |const |struct |enum |unsigned |char |bool |u?int\d*(_t)? |size_t |double |void )")
CONDITION = re.compile(r"^(\s+(?:\} else )?(?:if|while) \()(.*)(\) \{)\s*$")
RETURN = re.compile(r"^(\s+return )(?!true\b|false\b)(.*);\s*$")


@dataclasses.dataclass(frozen=True)
class Change:
    path: str
    function: str
    number: int  # of the line, from 0
    old: str
    new: str
    again: int  # 1: the first of its kind in this function

    def key(self):
        """What names it however lines move: the file, the function, both texts, and which one if there are several."""
        which = f" #{self.again}" if self.again > 1 else ""
        return f"{self.path}: {self.function}{which}: {self.old.strip()} => {self.new.strip()}"

    def diff(self):
        return f"{self.path}:{self.number + 1}: {self.function}\n    - {self.old.strip()}\n    + {self.new.strip()}"


def blanked(source):
    """The source with every character of comments, texts and letters a `~`, so that only code can be found in it."""
    pattern = r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|' + r"'(?:\\.|[^'\\\n])+'"
    return re.sub(pattern, lambda found: re.sub(r"[^\n]", "~", found.group()), source, flags=re.S)


def bodies(code):
    """(first line, last line, name, returns a bool) of each function: braces of functions stand at the margin."""
    lines, head, start = code.split("\n"), "", None
    for number, line in enumerate(lines):
        if line == "{":
            start = number + 1
        elif line.startswith("}") and start is not None:
            name = re.search(r"(\w+)\(", head)
            if name and line == "}":
                yield start, number - 1, name.group(1), bool(re.match(r"(static |inline )*bool\b", head))
            start, head = None, ""
        elif start is None:
            head = line if re.match(r"\w", line) else head + " " + line.strip()


def edits(line, code, is_bool):
    """Every other form of one line, given also as code alone."""
    for pattern, other in SWAPS:
        for found in re.finditer(pattern, code):
            yield line[: found.start()] + other + line[found.end() :]
    for found in NUMBER.finditer(code):
        value = int(found.group(1), 0)
        room = DECLARES.match(code) and code[found.start() - 1] == "[" and "=" not in code[: found.start()]  # more of it is the same
        for other in ([] if room else [value + 1]) + ([value - 1] if value > 0 else []):
            yield line[: found.start()] + str(other) + found.group(2) + line[found.end() :]
    for found in LETTER.finditer(line):
        if code[found.start()] == "~":
            yield line[: found.start()] + f"'{chr(ord(found.group(1)) ^ 1)}'" + line[found.end() :]
    condition = CONDITION.match(code)
    if condition:
        yield line[: condition.end(1)] + "!(" + line[condition.end(1) : condition.start(3)] + ")" + line[condition.start(3) :]
    if is_bool and RETURN.match(code):
        found = RETURN.match(code)
        yield line[: found.end(1)] + "!(" + line[found.end(1) : found.end(2)] + ");"
    if STATEMENT.match(code) and not DECLARES.match(code) and code.count("(") == code.count(")"):
        yield re.match(r"\s*", line).group() + ";"


def of_source(path, source):
    """Every change to the functions of a source, in order, each once. What is asserted stays: it says what holds anyway."""
    lines, code = source.split("\n"), blanked(source)
    parts = code.split("\n")
    for first, last, function, is_bool in bodies(code):
        times = collections.Counter()
        for number in range(first, last + 1):
            if parts[number].lstrip().startswith("#") or "ASSERT" in parts[number]:
                continue
            seen = {lines[number]}
            for new in edits(lines[number], parts[number], is_bool):
                if new not in seen:
                    seen.add(new)
                    pair = lines[number].strip(), new.strip()
                    times[pair] += 1
                    yield Change(path, function, number, lines[number], new, times[pair])
