"""test_fix.py - `lint --fix` mends what is mechanical, loses nothing, and says what it cannot mend."""

import os
import random
import subprocess

from author import fails, passes, says, scratch, skillrom
from client import programs
from client.check import Suite, check

suite = Suite()
GOOD = "---\nname: odd\ndescription: Text that is long enough. Use when testing.\n---\n\nBody: 1.0\n"


def folder_with(text, name="SKILL.md", skill="odd"):
    """A folder with one skill in it, and its manifest."""
    folder = scratch()
    programs.write(folder / skill / name, text)
    return folder, folder / skill / "SKILL.md"


def mended(text, *what, **where):
    """The text that --fix makes of a text; lint says before that it can, and has nothing to say afterwards."""
    folder, manifest = folder_with(text, **where)
    says(told("lint", folder), "`skillrom lint --fix` mends 1 skill")
    says(passes("lint", "--fix", "--strict", folder), "fixed ", *what)
    says(passes("lint", folder), "0 errors, 0 warnings")
    check("mends" not in passes("lint", folder), "there is more to mend")
    return manifest.read_bytes().decode() if manifest.exists() else None


def told(*words):
    """Both streams, whatever comes of it."""
    done = skillrom(*words)
    return done.stdout + done.stderr


def untouched(text, **where):
    folder, manifest = folder_with(text, **where)
    data = manifest.read_bytes()
    said = told("lint", "--fix", folder)
    check("fixed" not in said and manifest.read_bytes() == data, said, manifest.read_bytes())
    return said


@suite
def line_ends_and_a_mark_are_mended():
    check(mended(GOOD.replace("\n", "\r\n"), "line ends") == GOOD, "CR LF")
    check(mended(GOOD.replace("\n", "\r\n", 3), "line ends") == GOOD, "mixed")
    check(mended("\ufeff" + GOOD, "byte-order mark") == GOOD, "BOM")
    check(mended(GOOD.replace("\n", "\r\r\n"), "line ends") == GOOD, "two CR")
    lone = GOOD + "a\rb\n"
    check(mended(lone.replace("\n", "\r\n"), "line ends") == lone, "a CR of its own stays")


@suite
def fences_are_mended():
    check(mended(GOOD.replace("---\n\n", "--- \n\n"), "fences") == GOOD, "the second")
    check(mended("--- \n" + GOOD[4:], "fences") == GOOD, "the first")
    check(mended("---\t\n" + GOOD[4:].replace("---", " ---"), "fences") == GOOD, "both")
    inner = GOOD.replace("description: Text", "description: |\n  Text").replace(". Use", ".\n  ---\n  Use")
    untouched(inner)


@suite
def the_spelling_of_the_file_is_mended():
    check(mended(GOOD, "now ", name="skill.md") == GOOD, "skill.md")
    check(mended(GOOD, "now ", name="Skill.MD") == GOOD, "Skill.MD")
    folder, manifest = folder_with(GOOD)
    programs.write(manifest.parent / "skill.md", "another")
    says(fails("lint", "--fix", folder), "'skill.md' found beside SKILL.md; remove it")


@suite
def text_that_yaml_takes_for_something_else_is_quoted():
    text = GOOD.replace("Use when testing.\n", "Use when testing.\nlicense: 1.0\nmetadata:\n  version: 1.10 # as it is\n  ready: yes\n  ä: 2026-01-01\n")
    check(mended(text, "quotes") == text.replace("license: 1.0", 'license: "1.0"').replace("1.10", '"1.10"').replace("ready: yes", 'ready: "yes"')
          .replace("2026-01-01", '"2026-01-01"'), "quotes")
    check(mended(GOOD.replace("name: odd", "name: 0123"), "quotes", skill="0123") == GOOD.replace("name: odd", 'name: "0123"'), "a name")


@suite
def what_nobody_knows_is_not_quoted():
    says(untouched(GOOD.replace("name: odd\n", "name: odd\ndisable-model-invocation: true\n")), "unknown field")


@suite
def a_colon_in_a_value_is_quoted():
    bad = GOOD.replace("description: Text that", 'description: Text: "that"')
    check(mended(bad, "quotes") == GOOD.replace("Text that is long enough. Use when testing.",
                                                '"Text: \\"that\\" is long enough. Use when testing."'), "a colon")
    untouched(GOOD.replace("description: Text that", "description: Text: that #").replace("metadata", "x"))
    untouched(GOOD.replace("description: Text that", "description: Text: that\n   "))


@suite
def names_are_mended_with_their_folders():
    folder, _ = folder_with(GOOD.replace("name: odd", "name: My_Odd Skill"), skill="My_Odd Skill")
    says(passes("lint", "--fix", "--strict", folder), ": name\n", "now ")
    check(os.listdir(folder) == ["my-odd-skill"], os.listdir(folder))
    check((folder / "my-odd-skill/SKILL.md").read_text() == GOOD.replace("name: odd", "name: my-odd-skill"), "the name")
    check(mended(GOOD.replace("name: odd", "name: 'ODD'"), "name") == GOOD, "in quotes")
    says(untouched(GOOD.replace("name: odd", "name: öddß"), skill="öddß"), "SK-V-52")


@suite
def a_folder_whose_new_name_is_taken_stays():
    folder, _ = folder_with(GOOD.replace("name: odd", "name: Odd_One"), skill="Odd_One")
    programs.write(folder / "odd-one/other.txt", "taken")
    told("lint", "--fix", folder)
    check(sorted(os.listdir(folder)) == ["Odd_One", "odd-one"], os.listdir(folder))


@suite
def json_becomes_frontmatter():
    json = '{"name": "My_Pump", "description": "Says \\"hi\\": {x} and \\\\. Use when testing.", "metadata": {"version": 1.5, "odd key": "a\\nb"}}'
    wanted = ('---\nname: "my-pump"\n', 'description: "Says \\"hi\\": {x} and \\\\. Use when testing."\n',
              'metadata:\n  version: "1.5"\n  "odd key": "a\\nb"\n---\n\nBody.\n')
    for text in (f"---\n{json}\n---\n\nBody.\n", f"{json}\n\nBody.\n", f"---\r\n{json}\r\n---\r\n\r\nBody.\r\n",
                 "---\n" + json.replace(", ", ",\n  ") + "\n\n---\n\nBody.\n"):
        folder, _ = folder_with(text, skill="My_Pump")
        says(fails("pack", folder, "-o", "/dev/null"), "lint --fix")
        says(passes("lint", "--fix", "--strict", folder), "JSON")
        out = (folder / "my-pump/SKILL.md").read_text()
        check(all(part in out for part in wanted) or out.replace("name: my-pump", 'name: "my-pump"') == "".join(wanted), out)


@suite
def a_list_in_json_becomes_one_in_block_style():
    folder, manifest = folder_with('---\n{"name": "odd", "description": "Text that is long enough. Use when testing.", "tags": ["a: b", "c"]}\n---\nBody.\n')
    says(passes("lint", "--fix", folder), "JSON", "unknown field 'tags'")
    check(manifest.read_text().endswith('tags:\n  - "a: b"\n  - "c"\n---\nBody.\n'), manifest.read_text())


@suite
def what_other_tools_write_is_named():
    for text, said in ((GOOD.encode("utf-16"), "this is UTF-16; save it as UTF-8"), (GOOD.replace("---", "+++").encode(), "frontmatter in TOML; write it as YAML"),
                       (b"# A title\n\nText.\n", "must begin with a line '---', then name and description")):
        folder, manifest = folder_with("")
        manifest.write_bytes(text)
        says(fails("lint", "--fix", folder), said)
        check(manifest.read_bytes() == text, "it has changed")


@suite
def mistakes_in_json_are_told_in_its_own_words():
    for text, said in (('{ // why\n "name": "x" }', "1:3: error: malformed JSON: there are no comments"), ('{ "name": "x", }', "remove the last comma"),
                       ("{'name': 'x'}", "use double quotes"), ('{"name": x}', "1:10: error: malformed JSON: text is in double quotes"),
                       ('{"name": "x" "version": "1"}', "a comma or a closing bracket is missing"), ("", "the file is empty")):
        folder, _ = folder_with(GOOD)
        programs.write(folder / "device.json", text)
        says(fails("lint", folder), said)


@suite
def json_that_has_no_block_style_stays():
    for json in ('{"name": "odd", "metadata": {"a": [1]}}', '{"name": "odd", "metadata": {"a": {"b": "c"}}}', '{"name": "odd"', '{"name" "odd"}'):
        says(untouched(f"---\n{json}\n---\nBody.\n"), "error")


@suite
def what_is_right_stays_to_the_byte():
    says(untouched(GOOD), "0 errors, 0 warnings")
    check("fixed" not in passes("lint", "--fix", programs.EXAMPLE), "the example")


@suite
def what_cannot_be_written_is_told_and_left():
    folder, manifest = folder_with(GOOD.replace("\n", "\r\n"))
    before = manifest.read_bytes()
    done = subprocess.run(["unshare", "--mount", "--map-root-user", "sh", "-c", f'mount --bind {folder} {folder} && mount -o remount,bind,ro {folder} && "$@"',
                           "sh", programs.SKILLROM, "lint", "--fix", str(folder)], capture_output=True, text=True)
    check(done.returncode == 1, done.stdout, done.stderr)
    says(done.stderr, "Read-only file system")
    check(manifest.read_bytes() == before and os.listdir(manifest.parent) == ["SKILL.md"], "it is as it was")


@suite
def whatever_comes_is_mended_at_most_once():
    """Texts with accidents; the same in every run."""
    chance = random.Random(7)
    texts = (GOOD.replace("odd", "My_Odd").replace("Text", 'Text: "x"'), '{"name": "a_b", "description": "x \\" {"}\nBody\n',
             GOOD.replace("\n", "\r\n"), "\ufeff--- \n" + GOOD[4:])
    accidents = ('"', "\\", "{", "}", "---", "\n", "\r\n", "\r", ": ", " #", "\t", "\0", "```", "~~~transcript\n> x a=1", "&a", "*a", "...")
    folder = scratch()
    for number in range(50):
        text = chance.choice(texts)
        for _ in range(chance.randrange(5)):
            at = chance.randrange(len(text) + 1)
            text = text[:at] + chance.choice(accidents) + text[at + chance.randrange(4):]
        programs.write(folder / f"{number}/one/SKILL.md", text)
    first = skillrom("lint", "--fix", folder)
    check(first.returncode in (0, 1), first.returncode, first.stderr)
    check(first.stdout.count("fixed ") > 10, first.stdout)
    again = skillrom("lint", "--fix", folder)
    check(again.returncode in (0, 1) and "fixed " not in again.stdout, again.stdout)
