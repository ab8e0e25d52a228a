"""Writes a device folder with any number of skills that look like a product's: a description of two
sentences, a body of a page, a file of references. The same number gives the same bytes."""

import json
import os
import shutil

VERBS = ["calibrate", "clean", "replace", "inspect", "diagnose", "align", "prime", "drain", "lubricate", "log"]
PARTS = ["level-sensor", "feed-pump", "inlet-valve", "drive-belt", "heater", "display", "door-lock", "fan", "filter", "probe"]

MANUAL = "manual-of-the-pump"  # the skill whose file has 5 KB
MANUAL_FILE = f"{MANUAL}/references/manual.md"
MANUAL_SIZE = 5 * 1024

SKILL = """---
name: {name}
description: How to {verb} the {part} of unit {number:05d} and see that it is right afterwards. Use when the \
{part} is due by the log, after a fault that names it, or when someone asks about it.
license: Apache-2.0
compatibility: Firmware 2.x and later
metadata:
  author: Field service
  version: "1.{minor}.0"
---

# {verb} the {part}

Read this to the end before you touch anything. The unit stays powered; only the {part} of unit {number:05d} is stopped.

1. Call `line_status` and note what it says. If a line shows a fault, stop here and use the skill for that fault.
2. Ask the person at the bench whether the tray is dry and the bottles are in date. You cannot see either.
3. Say in one sentence what you are going to do and for how long the line will stand still. Wait for a "yes".
4. {verb} the {part} as the figure shows: first the outer ring, then the seal, then the two screws, hand-tight.
5. Call `line_status` again and compare with the [limits](references/limits.md).

| What you see | Verdict | What to do |
| --- | --- | --- |
| value within 2 % of the mean | good | nothing |
| value within 5 % of the mean | soon | note it in the log and look again tomorrow |
| value outside 5 % | now | repeat from step 4, at most twice |
| no value at all | stop | call service and say "unit {number:05d}, {part}" |

Report in one line of text: the part, the two values, the verdict.
"""

LIMITS = """# Limits of the {part}

The mean is taken over ten cycles at room temperature. Values are in "per cent of nominal".

| Cycle | Low | High |
| ---: | ---: | ---: |
| 1 | 97.0 | 103.0 |
| 10 | 98.0 | 102.0 |
| 100 | 95.0 | 105.0 |

Unit {number:05d} left the factory with 100.{minor} %.
"""

MANUAL_LINES = (
    "{n:3d}. Turn the knob to FILL, wait for the lamp, and note what the display shows.\n",
    "{n:3d}. Open the inlet by a quarter turn. If the bubble does not move, open it by another one.\n",
    '{n:3d}. When the display says "DONE", close the inlet first and the drain after it.\n',
)


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.write(text)


def name_of(number):
    return f"{VERBS[number % 10]}-{PARTS[number // 10 % 10]}-{number:05d}"


def write_skill(folder, number, name=None):
    facts = {
        "name": name or name_of(number),
        "verb": VERBS[number % 10],
        "part": PARTS[number // 10 % 10].replace("-", " "),
        "number": number,
        "minor": number % 10,
    }
    write(f"{folder}/skills/{facts['name']}/SKILL.md", SKILL.format(**facts))
    write(f"{folder}/skills/{facts['name']}/references/limits.md", LIMITS.format(**facts))


def write_device(folder, example, skills, manual):
    """A device with the example's tools and so many skills; with `manual` the first one has the file of 5 KB."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    with open(f"{example}/device.json") as file:
        device = json.load(file)
    device.pop("budgets", None)  # they are those of the example's own skills
    write(f"{folder}/device.json", json.dumps(device))
    scoped = shutil.ignore_patterns("*.*.json")  # of skills that this device does not have
    shutil.copytree(f"{example}/tools", f"{folder}/tools", ignore=scoped)
    for number in range(1 if manual else 0, skills):
        write_skill(folder, number)
    if manual:
        write_skill(folder, 0, MANUAL)
        lines = (MANUAL_LINES[n % 3].format(n=n) for n in range(1, 1000))
        write(f"{folder}/skills/{MANUAL_FILE}", ("# Manual\n\n" + "".join(lines))[: MANUAL_SIZE - 1] + "\n")
