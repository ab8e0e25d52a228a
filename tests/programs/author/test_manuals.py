"""test_manuals.py - `skillrom test` passes what is true and found, and fails what no longer is."""

import json

from author import compiled, edit, example, fails, passes, says, scratch, skillrom
from client import programs
from client.check import Suite, check

suite = Suite()
USELESS = "description: Helps with things. Use when needed."


def try_example(device, program=programs.PUMP):
    return skillrom("test", device, "--program", program)


@suite
def the_manuals_of_the_example_are_true():
    told = passes("test", programs.EXAMPLE, "--program", programs.PUMP)
    says(told, "9 steps of 4 manuals: 9 passed, 0 failed", "14 of 14 queries find their skill first, 100%", "keyword match only")


@suite
def a_handler_that_answers_otherwise_fails_them():
    device = example()
    edit(device / "tools.c", '"dispensed "', '"delivered "')
    told = fails("test", device, "--program", compiled(device))
    says(told, "pump/check-accuracy/SKILL.md:36:6: error: instead of this run_dose returns: delivered 1.000 ml; line 1", "[SK-T-03]",
         "8 passed, 1 failed")


@suite
def a_handler_that_fails_where_it_did_not_fails_them():
    device = example()
    edit(device / "tools.c", 'skr_put(call, "dispensed ");', 'skr_fail(call, "dispensed ");')
    says(fails("test", device, "--program", compiled(device)), "run_dose fails: dispensed")


@suite
def a_tool_that_is_renamed_fails_them():
    device = example()
    (device / "tools/line_status.json").rename(device / "tools/show_lines.json")
    edit(device / "tools/show_lines.json", "line_status", "show_lines")
    edit(device / "tools.c", "line_status", "show_lines")
    for skill in device.glob("skills/**/SKILL.md"):
        text = skill.read_text()
        skill.write_text(text.replace("dev.skillrom/tools: line_status", "dev.skillrom/tools: show_lines"))
    told = fails("test", device, "--program", compiled(device))
    says(told, "daily-check/SKILL.md:26:6: warning: no tool 'line_status' here [SK-T-02]", "line_status fails: No such tool: line_status")
    says(fails("lint", "--strict", device), "error: no tool 'line_status' here")


@suite
def a_description_that_is_made_useless_fails_them():
    for skill in ("daily-check", "pump/clear-fault", "pump/check-accuracy", "pump/change-consumables"):
        device = example()
        manifest = device / "skills" / skill / "SKILL.md"
        old = next(line for line in manifest.read_text().splitlines() if line.startswith("description:"))
        edit(manifest, old, USELESS)
        told = fails("test", device, "--program", programs.PUMP)
        says(told, "queries find their skill; the minimum is 100% [SK-T-04]", f"'{skill}'")


@suite
def without_a_budget_three_quarters_are_enough_but_each_skill_must_be_found():
    device = example()
    edit(device / "device.json", ', "queryHits": 100', "")
    with open(device / "queries.txt", "a") as queries:
        queries.write("daily-check  E21 on line 4\n")
    told = passes("test", device, "--program", programs.PUMP)
    says(told, "queries.txt:16:14: warning: finds 'pump/clear-fault' instead of 'daily-check' [SK-T-04]", "14 of 15", "93%",
         "confused: daily-check with pump/clear-fault, 1 time")
    edit(device / "skills/daily-check/SKILL.md", "description: Check all four", "description: Xyzzy. Use when xyzzy. " * 1 + "#")
    says(fails("test", device, "--program", programs.PUMP), "no query finds 'daily-check'")


@suite
def a_device_without_handlers_is_told_what_to_do():
    says(fails("test", programs.EXAMPLE), "No such tool", "--program")


def manual(text, queries=None, tools=True):
    """A device with one skill that has this text."""
    device = scratch() / "device"
    programs.write(device / "device.json", '{"name":"t","version":"1"}')
    programs.write(device / "skills/try/SKILL.md", f"---\nname: try\ndescription: Tries it. Use when trying.\n---\n\n{text}\n")
    if queries is not None:
        programs.write(device / "queries.txt", queries)
    return device


def block(*lines, mark="transcript"):
    return "\n".join((f"```{mark}", *lines, "```"))


@suite
def wildcards_stand_for_what_varies():
    good = (("< try: Tries it. Use when trying.",), ("< ...",), ("< try...",), ("< try...", "< ..."), ("< ...", "< ...", "< ..."), ("< ...trying.",),
            ("< ...Tries...",), ("< try...it...when...",), ("< ...", "< try: ...", "< ..."))
    for lines in good:
        passes("test", manual(block("> list_skills", *lines)))
    bad = (("< x...",), ("< ...x",), ("< ...try...try...try...",), ("< ...", "< never"), ("<",), ("! ...",))
    for lines in bad:
        says(fails("test", manual(block("> list_skills", *lines))), "[SK-T-03]")


@suite
def errors_and_resources_can_be_expected():
    passes("test", manual(block("> read_skill path=none", "! ...", "> skill://try/SKILL.md", "< ---", "< name: try", "< ...",
                                "> skill://none/SKILL.md", "! ...")))
    says(fails("test", manual(block("> skill://try/SKILL.md", "< ---", "< name: other", "< ..."))),
         "SKILL.md:9:3: error: instead of this skill://try/SKILL.md returns: name: try")


@suite
def a_call_without_a_result_must_only_not_fail():
    passes("test", manual(block("> list_skills")))
    says(fails("test", manual(block("> no_tool"))), "no_tool fails")


@suite
def arguments_are_words_or_json():
    for words in ('name=try', 'name="try"', 'file="SKILL.md"  name=try', '{"name":"try"}', '{"name": "try"} '):
        passes("test", manual(block(f"> read_skill {words}", "< ...", "< name: try", "< ...")))
    for words, why in (("try", "words name=value"), ("=try", "words name=value"), ('{"path":', "no JSON object"), ("{} {}", "no JSON object")):
        says(fails("lint", "--strict", manual(block(f"> read_skill {words}"))), "SKILL.md:7:14: error", why, "[SK-T-01]")


@suite
def a_transcript_that_is_none_is_told():
    for lines, why in ((("list_skills",), "a line of a transcript is"), (("< x",), "a result without a call"), ((">",), "a line of a transcript is")):
        says(fails("lint", "--strict", manual(block(*lines))), why, "[SK-T-01]")
        says(passes("lint", manual(block(*lines))), "warning", why)


@suite
def other_blocks_are_not_transcripts():
    for mark in ("", "text", "transcripts", "sh transcript"):
        says(fails("test", manual(block("> no_tool", mark=mark))), "nothing to test", "no skill has a transcript")
    says(fails("test", manual("````\n```transcript\n> no_tool\n```\n````")), "nothing to test")
    says(fails("test", manual("~~~ transcript\n> no_tool\n~~~")), "no_tool fails")


@suite
def questions_that_are_none_are_told():
    for line, why in (("try", "a line is a skill and a query"), ("other  is it there?", "no skill 'other' here")):
        says(fails("test", manual("Text.", queries=line)), "queries.txt:1:1: error", why)
    says(fails("test", manual("Text.", queries="try zzz")), "no word of this is in a name or description", "no query finds 'try'")
    passes("test", manual("Text.", queries="# nothing\n\n   try   do try it\r\n"))


@suite
def a_device_that_ends_or_talks_nonsense_is_told():
    device, odd = manual(block("> list_skills")), scratch() / "odd"
    for script, why in (("exit 3", "the program has ended"), ("echo no; sleep 60", "something else than MCP messages")):
        programs.write(odd, f"#!/bin/sh\necho its last words >&2\n{script}\n")
        odd.chmod(0o755)
        says(fails("test", device, "--program", odd), "its last words", why)
    says(fails("test", device, "--program", odd.parent / "none"), "cannot run", "No such file")


@suite
def misuse_is_told():
    fails("test", code=2)
    says(fails("test", "a", "--program", "x", "--link", "y", code=2), "one device at a time")


LEVEL = {"name": "level", "description": "Reads the level.", "inputSchema": {"type": "object"}, "outputSchema": {
    "type": "object", "required": ["ml"], "additionalProperties": False,
    "properties": {"ml": {"type": "integer", "minimum": 0, "maximum": 500}, "unit": {"type": "string", "enum": ["ml"]}}}}
ANSWERS = """#!/usr/bin/env python3
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
        programs.write(odd, ANSWERS % repr(content))
        odd.chmod(0o755)
        if why is None:
            passes("test", device, "--program", odd)
        else:
            says(fails("test", device, "--program", odd), f"level: structured content does not fit the outputSchema: {why} ", "[SK-T-03]")
