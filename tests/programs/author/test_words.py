"""test_words.py - messages that show the place, and rules that are explained."""

import os
import pty
import re

from author import ROOT, edit, example, fails, passes, contains, scratch, skillrom
from client import programs
from client.check import Suite, check

suite = Suite()
ID = re.compile(r"SK-[A-Z]-\d\d")


def skill(frontmatter, body="Text.\n"):
    folder = scratch() / "odd"
    programs.write(folder / "SKILL.md", f"---\n{frontmatter}\n---\n{body}")
    return folder


def on_terminal(*words, **environment):
    """What a call prints to a terminal."""
    said = []
    pid, master = pty.fork()
    if pid == 0:
        os.execve(programs.SKILLROM, [programs.SKILLROM, *map(str, words)], os.environ | environment)
    try:
        while data := os.read(master, 65536):
            said.append(data)
    except OSError:
        pass  # the end, on a terminal
    os.waitpid(pid, 0)
    os.close(master)
    return b"".join(said).decode()


@suite
def a_mistyped_key_is_recognized():
    contains(fails("lint", skill("name: odd\nDescription: Text that is long enough.\nauthor: me")),
         "unknown field 'Description'; did you mean 'description'?", "unknown field 'author'; put it under metadata")


@suite
def a_caret_is_under_the_place():
    contains(fails("lint", skill("name: Odd_Name\ndescription: Text that is long enough.")),
         "SKILL.md:2:7: error: name 'Odd_Name': only a-z, 0-9 and single hyphens between them [SK-V-52]\n"
         "    name: Odd_Name\n"
         "          ^\n")


@suite
def also_behind_letters_of_several_bytes_and_in_long_lines():
    long = "ä" * 90
    output = fails("lint", skill(f"name: odd\ndescription: Text that is long enough.\nmetadata:\n  {long}: 1.0"))
    place = re.search(r"SKILL.md:5:(\d+): .*\n    (.*)\n    ( *)\^\n", output)
    check(place is not None, output)
    check(int(place[1]) == 95 and place[2][len(place[3]):] == "1.0", output)


@suite
def a_whole_file_has_none():
    check("^" not in fails("lint", skill("description: Text that is long enough.")), "name missing has no place")


@suite
def json_has_neither_caret_nor_colour():
    output = skillrom("lint", "--json", skill("name: Odd_Name\ndescription: Text that is long enough.")).stdout
    check(all(line.startswith('{"path":') for line in output.splitlines()), output)


@suite
def colour_is_for_terminals_that_want_it():
    folder = skill("name: Odd_Name\ndescription: Text that is long enough.")
    contains(on_terminal("lint", folder), "\033[1;31merror:\033[0m", "\033[1;32m^\033[0m")
    check("\033" not in on_terminal("lint", folder, NO_COLOR="1"), "NO_COLOR")
    check("\033" not in fails("lint", folder), "a pipe")


@suite
def every_rule_that_a_message_names_is_explained():
    named = set()
    for file in (ROOT / "romfs/mkromfs").rglob("*.c"):
        if file.name != "rules_text.c":
            named |= set(re.findall(r'"(SK-[A-Z]-\d\d)"', file.read_text()))
    check(len(named) > 70, len(named))
    listed = set(ID.findall(passes("explain")))
    listed_ids = set(ID.findall((ROOT / "tests/ids.txt").read_text()))
    check(named - listed == set(), "not explained:", named - listed)
    check(listed - listed_ids == set(), "in no list:", listed - listed_ids)


@suite
def an_explanation_says_why_and_what_to_do():
    contains(passes("explain", "SK-V-52"), "SK-V-52: the letters of a name", "my-skill", "lint --fix")
    check(passes("explain", "sk-v-52") == passes("explain", "SK-V-52"), "in lower case")
    for rule in ID.findall(passes("explain")):
        output = passes("explain", rule)
        check(len(output.splitlines()) >= 4 and all(len(line) <= 80 for line in output.splitlines()), output)
    contains(fails("explain", "SK-V-9"), "unknown rule 'SK-V-9'; `skillrom explain` lists all rules")


@suite
def a_description_that_says_only_what_is_told_to_those_who_ask():
    device = example()
    edit(device / "skills/daily-check/SKILL.md", "Use before the first dose of the day, after the pump was left alone, or when someone asks whether the pump is ready.", "")
    edit(device / "skills/daily-check/SKILL.md", "at the start or end of a shift and say what needs attention. ", "every morning.")
    contains(passes("lint", "--budget", device), "daily-check/SKILL.md:1:1: warning: the description says what, but not when", "[SK-H-05]")
    check("SK-H-05" not in passes("lint", device), "nobody asked")


@suite
def thousands_of_files_have_a_line_of_progress_on_a_terminal():
    folder = scratch()
    for number in range(200):
        programs.write(folder / f"in/skill-{number}/SKILL.md", f"---\nname: skill-{number}\ndescription: Text that is long enough.\n---\nText.\n")
    output = on_terminal("pack", folder / "in", "-o", folder / "x.rom")
    contains(output, "\rreading 64 files\033[K", "packing 128 files", "verifying 192 files", "\r\033[K")
    check(output.rindex("\033[K") < output.index("200 skills"), "the line is gone before the summary", output[-300:])
    done = skillrom("pack", folder / "in", "-o", folder / "x.rom")
    check("\r" not in done.stdout + done.stderr and done.stderr == "", done.stderr)


@suite
def findings_are_printed_by_line():
    output = fails("lint", skill("name: Odd_Name\ndescription: Text that is long enough.\nlicense: 1.0\nmetadata:\n  version: 1.10"))
    places = [tuple(map(int, place)) for place in re.findall(r"SKILL.md:(\d+):(\d+): ", output)]
    check(len(places) > 2 and places == sorted(places), output)


@suite
def a_version_without_quotes_is_one_finding():
    output = fails("lint", skill("name: odd\ndescription: Text that is long enough.\nmetadata:\n  version: 1.10"))
    contains(output, "metadata 'version' must be a quoted string [SK-V-57]", "1 skill, 1 error, 0 warnings")
    check(len(ID.findall(output)) == 1, output)


@suite
def a_missing_folder_has_a_reason_and_no_place():
    contains(fails("lint", "nosuch"), "nosuch: error: No such file or directory\n", "0 skills, 1 error, 0 warnings")


@suite
def skills_with_errors_are_counted():
    folder = scratch()
    for name in ("one", "Two", "three"):
        programs.write(folder / name.lower() / "SKILL.md", f"---\nname: {name}\ndescription: Text that is long enough.\n---\nText.\n")
    contains(fails("lint", folder), "3 skills, 1 error, 0 warnings", "`skillrom lint --fix` can fix 1 skill\n")


@suite
def a_description_of_one_character_is_singular():
    contains(passes("lint", skill("name: odd\ndescription: x")), "a description of 1 character can hardly say it [SK-V-54]")


@suite
def another_file_is_not_called_a_truncated_image():
    file = scratch() / "note.txt"
    programs.write(file, "abc")
    contains(fails("info", file), f"skillrom info: {file}: this is not a skill image")


@suite
def an_output_that_would_replace_a_source_is_refused_without_counts():
    folder = skill("name: odd\ndescription: Text that is long enough.")
    output = fails("pack", folder, "-o", folder / "SKILL.md")
    contains(output, "skillrom pack: ", "would be overwritten; choose another output")
    check("nothing written" not in output, output)
