"""test_manuals.py - `skillrom test` passes what is true and found, and fails what no longer is."""

import json
import pathlib
import shutil
import subprocess

from author import ROOT, compiled, edit, example, fails, passes, contains, scratch, skillrom
from client import programs
from client.check import Suite, check

suite = Suite()
USELESS = "description: Helps with things. Use when needed."


def try_example(device, program=programs.PUMP):
    return skillrom("test", device, "--program", program)


@suite
def the_manuals_of_the_example_are_true():
    output = passes("test", programs.EXAMPLE, "--program", programs.PUMP)
    contains(output, "9 steps of 4 manuals: 9 passed, 0 failed", "14 of 14 queries find their skill first, 100%", "keyword match only")


@suite
def a_handler_that_answers_otherwise_fails_them():
    device = example()
    edit(device / "tools.c", '"dispensed "', '"delivered "')
    output = fails("test", device, "--program", compiled(device))
    contains(output, "pump/check-accuracy/SKILL.md:36:6: error: instead of this run_dose returns: delivered 1.000 ml; line 1", "[SK-T-03]",
         "8 passed, 1 failed")


@suite
def a_handler_that_fails_where_it_did_not_fails_them():
    device = example()
    edit(device / "tools.c", 'skr_put(call, "dispensed ");', 'skr_fail(call, "dispensed ");')
    contains(fails("test", device, "--program", compiled(device)), "run_dose fails: dispensed")


@suite
def a_tool_that_is_renamed_fails_them():
    device = example()
    (device / "tools/line_status.json").rename(device / "tools/show_lines.json")
    edit(device / "tools/show_lines.json", "line_status", "show_lines")
    edit(device / "tools.c", "line_status", "show_lines")
    for skill in device.glob("skills/**/SKILL.md"):
        text = skill.read_text()
        skill.write_text(text.replace("dev.skillrom/tools: line_status", "dev.skillrom/tools: show_lines"))
    output = fails("test", device, "--program", compiled(device))
    contains(output, "daily-check/SKILL.md:26:6: warning: the device has no tool 'line_status'; correct the name [SK-T-02]", "line_status fails: No such tool: line_status")
    contains(fails("lint", "--strict", device), "error: the device has no tool 'line_status'; correct the name")


def guarded():
    """A copy of the device whose tools have rules."""
    return pathlib.Path(shutil.copytree(ROOT / "examples/dispenser", scratch() / "device"))


@suite
def a_plan_moves_nothing():
    output = passes("test", ROOT / "examples/dispenser", "--program", programs.DISPENSER)
    contains(output, "5 steps of 1 manual: 5 passed, 0 failed", "3 plans of 3 tool calls: 3 moved nothing, 0 failed")


@suite
def a_plan_that_moves_something_fails():
    device = guarded()
    edit(device / "device.c", "if (skr_planning(call)) {", "if (skr_planning(call)) {\n        d->moves++;")
    output = fails("test", device, "--program", compiled(device))
    contains(output, "SKILL.md:25:3: error: planning dispense changes what status returns; its handler must ask skr_planning", "[SK-T-05]",
             "3 plans of 3 tool calls: 2 moved nothing, 1 failed")


@suite
def a_plan_that_fails_where_the_tool_call_does_not_is_reported():
    device = guarded()
    edit(device / "device.c", 'skr_putf(call, "would dispense', 'skr_fail(call, "");\n        skr_putf(call, "would dispense')
    contains(fails("test", device, "--program", compiled(device)), "the plan of dispense fails: would dispense 500 ul from line 2 [SK-T-05]")


@suite
def a_tool_that_can_plan_needs_a_transcript_to_prove_it():
    device = guarded()
    edit(device / "skills/dose-safely/SKILL.md", "> dispense line", "> status # line")
    contains(fails("test", device, "--program", programs.DISPENSER), "tools/dispense.json:1:1: warning: no transcript calls dispense, which can plan")


@suite
def a_condition_that_the_firmware_lacks_does_not_link():
    device = guarded()
    edit(device / "device.c", "condition_lid_closed", "condition_lid_shut")
    made = device.parent / "made"
    made.mkdir()
    passes("pack", device, "--header", made / "tools.h")
    done = subprocess.run(["gcc", "-std=c99", "-Icore", "-Iromfs", "-Iport/posix", f"-I{made}", *map(str, sorted(device.glob("*.c"))), "build/libposix.a",
                           "build/libskillrom.a", "-o", made / "deviced"], cwd=ROOT, capture_output=True, text=True)
    check(done.returncode != 0 and "undefined reference to `condition_lid_closed'" in done.stderr, done.stderr)


@suite
def a_description_that_is_made_useless_fails_them():
    for skill in ("daily-check", "pump/clear-fault", "pump/check-accuracy", "pump/change-consumables"):
        device = example()
        manifest = device / "skills" / skill / "SKILL.md"
        old = next(line for line in manifest.read_text().splitlines() if line.startswith("description:"))
        edit(manifest, old, USELESS)
        output = fails("test", device, "--program", programs.PUMP)
        contains(output, "queries find their skill; the minimum is 100% [SK-T-04]", f"'{skill}'")


@suite
def without_a_budget_three_quarters_are_enough_but_each_skill_must_be_found():
    device = example()
    edit(device / "device.json", ', "queryHits": 100', "")
    with open(device / "queries.txt", "a") as queries:
        queries.write("daily-check  E21 on line 4\n")
    output = passes("test", device, "--program", programs.PUMP)
    contains(output, "queries.txt:16:14: warning: finds 'pump/clear-fault' instead of 'daily-check' [SK-T-04]", "14 of 15", "93%",
         "confused: daily-check with pump/clear-fault, 1 time")
    edit(device / "skills/daily-check/SKILL.md", "description: Check all four", "description: Xyzzy. Use when xyzzy. " * 1 + "#")
    contains(fails("test", device, "--program", programs.PUMP), "no query finds 'daily-check'")


@suite
def a_device_without_handlers_is_told_what_to_do():
    contains(fails("test", programs.EXAMPLE), "No such tool", "--program")


def manual(text, queries=None, tools=True):
    """A device with one skill that has this text."""
    device = scratch() / "device"
    programs.write(device / "device.json", '{"name":"t","version":"1"}')
    programs.write(device / "skills/try/SKILL.md", f"---\nname: try\ndescription: Tries it. Use when trying.\n---\n\n{text}\n")
    if queries is not None:
        programs.write(device / "queries.txt", queries)
    return device


def block(*lines, info="transcript"):
    return "\n".join((f"```{info}", *lines, "```"))


@suite
def wildcards_stand_for_what_varies():
    good = (("< try: Tries it. Use when trying.",), ("< ...",), ("< try...",), ("< try...", "< ..."), ("< ...", "< ...", "< ..."), ("< ...trying.",),
            ("< ...Tries...",), ("< try...it...when...",), ("< ...", "< try: ...", "< ..."))
    for lines in good:
        passes("test", manual(block("> list_skills", *lines)))
    bad = (("< x...",), ("< ...x",), ("< ...try...try...try...",), ("< ...", "< never"), ("<",), ("! ...",))
    for lines in bad:
        contains(fails("test", manual(block("> list_skills", *lines))), "[SK-T-03]")


@suite
def errors_and_resources_can_be_expected():
    passes("test", manual(block("> read_skill path=none", "! ...", "> skill://try/SKILL.md", "< ---", "< name: try", "< ...",
                                "> skill://none/SKILL.md", "! ...")))
    contains(fails("test", manual(block("> skill://try/SKILL.md", "< ---", "< name: other", "< ..."))),
         "SKILL.md:9:3: error: instead of this skill://try/SKILL.md returns: name: try")


@suite
def a_call_without_a_result_must_only_not_fail():
    passes("test", manual(block("> list_skills")))
    contains(fails("test", manual(block("> no_tool"))), "no_tool fails")


@suite
def arguments_are_words_or_json():
    for words in ('name=try', 'name="try"', 'file="SKILL.md"  name=try', '{"name":"try"}', '{"name": "try"} '):
        passes("test", manual(block(f"> read_skill {words}", "< ...", "< name: try", "< ...")))
    for words, why in (("try", "words name=value"), ("=try", "words name=value"), ('{"path":', "not a JSON object"), ("{} {}", "not a JSON object")):
        contains(fails("lint", "--strict", manual(block(f"> read_skill {words}"))), "SKILL.md:7:14: error", why, "[SK-T-01]")


@suite
def a_transcript_that_is_none_is_told():
    for lines, why in ((("list_skills",), "a line of a transcript is"), (("< x",), "a result without a call"), ((">",), "a line of a transcript is")):
        contains(fails("lint", "--strict", manual(block(*lines))), why, "[SK-T-01]")
        contains(passes("lint", manual(block(*lines))), "warning", why)


@suite
def other_blocks_are_not_transcripts():
    for info in ("", "text", "transcripts", "sh transcript"):
        contains(fails("test", manual(block("> no_tool", info=info))), "nothing to test", "no skill has a transcript")
    contains(fails("test", manual("````\n```transcript\n> no_tool\n```\n````")), "nothing to test")
    contains(fails("test", manual("~~~ transcript\n> no_tool\n~~~")), "no_tool fails")


@suite
def questions_that_are_none_are_told():
    for line, why in (("try", "a line is a skill and a query"), ("other  is it there?", "there is no skill 'other'; correct the name")):
        contains(fails("test", manual("Text.", queries=line)), "queries.txt:1:1: error", why)
    contains(fails("test", manual("Text.", queries="try zzz")), "no word of this is in a name or description", "no query finds 'try'")
    passes("test", manual("Text.", queries="# nothing\n\n   try   do try it\r\n"))


@suite
def a_device_that_ends_or_talks_nonsense_is_told():
    device, odd = manual(block("> list_skills")), scratch() / "odd"
    for script, why in (("exit 3", "the program has ended"), ("echo no; sleep 60", "something else than MCP messages")):
        programs.write(odd, f"#!/bin/sh\necho its last words >&2\n{script}\n")
        odd.chmod(0o755)
        contains(fails("test", device, "--program", odd), "its last words", why)
    contains(fails("test", device, "--program", odd.parent / "none"), "cannot run", "No such file")


@suite
def misuse_is_reported():
    fails("test", code=2)
    contains(fails("test", "a", "--program", "x", "--link", "y", code=2), "--program and --link name two devices; leave out one")


LEVEL = {"name": "level", "description": "Reads the level.", "inputSchema": {"type": "object"}, "outputSchema": {
    "type": "object", "required": ["ml"], "additionalProperties": False,
    "properties": {"ml": {"type": "integer", "minimum": 0, "maximum": 500}, "unit": {"type": "string", "enum": ["ml"]}}}}
RESPONDER = """#!/usr/bin/env python3
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if "id" in message:
        result = {"content": [{"type": "text", "text": "fine"}], "structuredContent": %s} if message["method"] == "tools/call" else {}
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
"""


@suite
def structured_content_that_breaks_its_schema_is_told():
    """defect 77: whatever a handler wrote passed as structured content."""
    device, odd = manual(block("> level", "< fine")), scratch() / "odd"
    programs.write(device / "tools/level.json", json.dumps(LEVEL))
    for content, why in (({"ml": 1}, None), ({"ml": 500, "unit": "ml"}, None), ({}, "ml"), ({"ml": 501}, "ml"), ({"ml": "1"}, "ml"),
                         ({"ml": 1, "unit": "l"}, "unit"), ({"ml": 1, "more": 2}, "more")):
        programs.write(odd, RESPONDER % repr(content))
        odd.chmod(0o755)
        if why is None:
            passes("test", device, "--program", odd)
        else:
            contains(fails("test", device, "--program", odd), f"level: structured content does not fit the outputSchema: {why} ", "[SK-T-03]")
