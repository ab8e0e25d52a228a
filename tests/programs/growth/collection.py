"""collection -- writes a folder of many skills that look like public ones: about 2.4 files of a few KB per skill, in
folders of authors, with references, scripts and assets. The same number gives the same bytes.

    tests/programs/growth/collection.py FOLDER [SKILLS [bad]]
"""

import os
import random
import sys

WORDS = ("agent archive audit batch branch build cache check client cluster commit config context convert cursor data "
         "deploy diagram draft error export feature filter format graph group image index input invoice label layout "
         "limit list log merge metric model module note order output page parse patch plan policy print prompt query "
         "queue record release report request review route sample schema script search section server setup sheet "
         "source stage state step style summary table task template test text token trace update upload user value "
         "version view widget window workflow").split()
SKILLS_OF_AN_AUTHOR = 40

SKILL = """---
name: {name}
description: {description}
license: MIT
metadata:
  author: {author}
  version: "1.{minor}"{more}
---

# {title}

{text}
"""


def sentence(rng):
    words = rng.choices(WORDS, k=rng.randint(6, 16))
    return " ".join(words).capitalize() + rng.choice((".", ".", ".", ":", '; see "' + rng.choice(WORDS) + '".'))


def text_of(rng, size):
    """Markdown of about `size` bytes."""
    lines = []
    while size > 0:
        kind = rng.random()
        if kind < 0.1:
            lines.append(f"\n## {rng.choice(WORDS).capitalize()} {rng.choice(WORDS)}\n")
        elif kind < 0.4:
            lines.append(f"- `{rng.choice(WORDS)}_{rng.choice(WORDS)}`: {sentence(rng)}")
        else:
            lines.append(" ".join(sentence(rng) for _ in range(3)))
        size -= len(lines[-1])
    return "\n".join(lines)


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.write(text)


def name_of(number):
    rng = random.Random(-number - 1)
    return f"{rng.choice(WORDS)}-{rng.choice(WORDS)}-{number:05d}"


def write_skill(folder, number, bad):
    """With `bad` every sixth skill has an error: its name, its frontmatter, or a sub-skill that is one of these."""
    rng = random.Random(number)
    author = f"author-{number // SKILLS_OF_AN_AUTHOR:03d}"
    name = name_of(number)
    place = f"{folder}/{author}/{name}"
    fault = number // 6 % 3 if bad and number % 6 == 0 else None
    text = text_of(rng, rng.randint(1000, 9000))
    files = {"references/guide.md": 0.45, "references/examples.md": 0.25, "scripts/run.py": 0.4, "assets/template.txt": 0.2,
             "LICENSE.txt": 0.14}
    for path, share in files.items():
        if rng.random() < share:
            write(f"{place}/{path}", f"# {path} of {name}\n\n{text_of(rng, rng.randint(500, 8000))}\n")
            text += f"\n\nSee [{path}]({path})."
    names = {0: name.title(), 1: f"[{name}"}
    more = f"\n  dev.skillrom/subskills: {name_of(number - 6)}" if fault == 2 else ""
    write(f"{place}/SKILL.md", SKILL.format(name=names.get(fault, name), author=author, minor=number % 10, title=name.replace("-", " "), text=text, more=more,
                                            description=f"How to {name.replace('-', ' ')}. Use when someone asks for it. "
                                            f"Number {number}."))


def write_collection(folder, skills, bad=False):
    for number in range(skills):
        write_skill(folder, number, bad)


if __name__ == "__main__":
    if not 2 <= len(sys.argv) <= 4:
        sys.exit(__doc__)
    write_collection(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 18427, sys.argv[3:] == ["bad"])
