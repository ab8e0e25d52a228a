"""test_fix.py - `lint --fix` fixes what is mechanical, loses nothing, and says what it cannot fix."""

import json
import os
import random
import subprocess

from author import fails, passes, contains, scratch, skillrom
from client import programs
from client.check import Suite, check

suite = Suite()
GOOD = "---\nname: odd\ndescription: Text that is long enough. Use when testing.\n---\n\nBody: 1.0\n"


def folder_with(text, name="SKILL.md", skill="odd"):
    """A folder with one skill in it, and its manifest."""
    folder = scratch()
    programs.write(folder / skill / name, text)
    return folder, folder / skill / "SKILL.md"


def fixed(text, *what, **where):
    """The text that --fix makes of a text; lint says before that it can, and has nothing to say afterwards."""
    folder, manifest = folder_with(text, **where)
    contains(output_of("lint", folder), "`skillrom lint --fix` can fix 1 skill")
    contains(passes("lint", "--fix", "--strict", folder), "fixed ", *what)
    contains(passes("lint", folder), "0 errors, 0 warnings")
    check("fixes" not in passes("lint", folder), "there is more to fix")
    return manifest.read_bytes().decode() if manifest.exists() else None


def output_of(*words):
    """Both streams, whatever comes of it."""
    done = skillrom(*words)
    return done.stdout + done.stderr


def untouched(text, **where):
    folder, manifest = folder_with(text, **where)
    data = manifest.read_bytes()
    said = output_of("lint", "--fix", folder)
    check("fixed" not in said and manifest.read_bytes() == data, said, manifest.read_bytes())
    return said


@suite
def line_ends_and_a_mark_are_fixed():
    check(fixed(GOOD.replace("\n", "\r\n"), "line ends") == GOOD, "CR LF")
    check(fixed(GOOD.replace("\n", "\r\n", 3), "line ends") == GOOD, "mixed")
    check(fixed("\ufeff" + GOOD, "byte-order mark") == GOOD, "BOM")
    check(fixed(GOOD.replace("\n", "\r\r\n"), "line ends") == GOOD, "two CR")
    lone = GOOD + "a\rb\n"
    check(fixed(lone.replace("\n", "\r\n"), "line ends") == lone, "a CR of its own stays")


@suite
def fences_are_fixed():
    check(fixed(GOOD.replace("---\n\n", "--- \n\n"), "fences") == GOOD, "the second")
    check(fixed("--- \n" + GOOD[4:], "fences") == GOOD, "the first")
    check(fixed("---\t\n" + GOOD[4:].replace("---", " ---"), "fences") == GOOD, "both")
    inner = GOOD.replace("description: Text", "description: |\n  Text").replace(". Use", ".\n  ---\n  Use")
    untouched(inner)


@suite
def the_spelling_of_the_file_is_fixed():
    check(fixed(GOOD, "now ", name="skill.md") == GOOD, "skill.md")
    check(fixed(GOOD, "now ", name="Skill.MD") == GOOD, "Skill.MD")
    folder, manifest = folder_with(GOOD)
    programs.write(manifest.parent / "skill.md", "another")
    contains(fails("lint", "--fix", folder), "'skill.md' found beside SKILL.md; remove it")


@suite
def text_that_yaml_takes_for_something_else_is_quoted():
    text = GOOD.replace("Use when testing.\n", "Use when testing.\nlicense: 1.0\nmetadata:\n  version: 1.10 # as it is\n  ready: yes\n  ä: 2026-01-01\n")
    check(fixed(text, "quotes") == text.replace("license: 1.0", 'license: "1.0"').replace("1.10", '"1.10"').replace("ready: yes", 'ready: "yes"')
          .replace("2026-01-01", '"2026-01-01"'), "quotes")
    check(fixed(GOOD.replace("name: odd", "name: 0123"), "quotes", skill="0123") == GOOD.replace("name: odd", 'name: "0123"'), "a name")


@suite
def what_nobody_knows_is_not_quoted():
    contains(untouched(GOOD.replace("name: odd\n", "name: odd\ndisable-model-invocation: true\n")), "unknown field")


@suite
def a_colon_in_a_value_is_quoted():
    bad = GOOD.replace("description: Text that", 'description: Text: "that"')
    check(fixed(bad, "quotes") == GOOD.replace("Text that is long enough. Use when testing.",
                                                '"Text: \\"that\\" is long enough. Use when testing."'), "a colon")
    untouched(GOOD.replace("description: Text that", "description: Text: that #").replace("metadata", "x"))
    check(fixed(GOOD.replace("description: Text that", 'description: Text: that\n\n   "'), "quotes") ==
          GOOD.replace("description: Text that", 'description: "Text: that\n\n   \\"').replace("testing.", 'testing."'), "lines are kept")


def fixed_all(texts):
    """What --fix makes of many texts in one run, each a skill: {key: (text, what was said of it)}. Again changes nothing."""
    folder = scratch()
    paths = {key: folder / f"s{number}" / "SKILL.md" for number, key in enumerate(texts)}
    for number, key in enumerate(texts):
        programs.write(paths[key], texts[key].replace("NAME", f"s{number}"))
    lines = output_of("lint", "--fix", folder).split("\n")
    after = {key: path.read_bytes().decode() for key, path in paths.items()}
    output_of("lint", "--fix", folder)
    check(after == {key: path.read_bytes().decode() for key, path in paths.items()}, "a second time changes something")
    return {key: (after[key].replace(f"name: s{number}\n", "name: NAME\n"), "\n".join(line for line in lines if f"{path.parent}/" in line))
            for number, (key, path) in enumerate(paths.items())}


FIELDS = {"name": "---\nname: {}\ndescription: Text that is long enough. Use when testing.\n---\n\nBody.\n",
          "description": "---\nname: NAME\ndescription: {}\n---\n\nBody.\n"}
for _field, _lines in (("license", "license: {}\n"), ("compatibility", "compatibility: {}\n"), ("other", "argument-hint: {}\n"),
                       ("metadata", "metadata:\n  a: b\n  hint: {}\n  z: w\n"), ("deep", "metadata:\n    hint:    {}\nlicense: MIT\n")):
    FIELDS[_field] = f"---\nname: NAME\ndescription: Text that is long enough. Use when testing.\n{_lines}---\n\nBody.\n"
STAYS = {"[": "close the bracket, or quote this value: it begins with '['", "{": "close the bracket, or quote this value: it begins with '{'",
         ">": "begin the text on the next line, or quote", "|": "begin the text on the next line, or quote",
         '"': "this quote is never closed", "'": "this quote is never closed"}


def first_characters():
    """(value, what becomes of it): "quoted", "same", or words of the message."""
    for first in "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~ä0A":
        for rest in ("text and more", " text and more", first + "Bold" + first + first + " and more"):
            value = first + rest
            closed = first in "\"'" and rest.count(first) > 1 or value.startswith("{{")
            if first in STAYS and not closed:
                yield value, STAYS[first]
            elif first == "#":
                yield value, ""  # a comment, and what that means for the field
            else:
                needs = first in ",]}@%`*&!" or closed or ": " in value or first in "-?:" and rest[0] == " "
                yield value, "quoted" if needs else "same"
    for value in ("a: b", "Use when: x", "[WIP] text", "[a] [b]", "{x} y", '"Foo" does: "bar"', "'Tis isn't", "&quot;a&quot; b", "!important x", "a:", "*",
                  "*.md", "@", "a\tb: c", "ä: \\ \"x\""):
        yield value, "quoted"
    for value in ("a:b", "a#b", "x -- y", "a & b * c ! d", "http://x", "(a) [b]", "?a", "-a", "=> b"):
        yield value, "same"
    yield "!!str text", "YAML feature '!tag' is not portable"
    yield "a: b # c", "quote this value: it contains ': '"


@suite
def a_value_that_yaml_cannot_read_is_quoted_whatever_its_first_character_and_field():
    """defect 68: the message says so, --fix does so, and keeps every other byte. A name can then be read, and becomes a valid one or not."""
    cases = {(value, field): (wanted, text) for value, wanted in first_characters() for field, text in FIELDS.items()}
    done = fixed_all({key: text.replace("{}", key[0]) for key, (_, text) in cases.items()})
    for (value, field), (wanted, text) in cases.items():
        after, said = done[value, field]
        if wanted in ("quoted", "same"):
            check(field == "name" or after == text.replace("{}", value if wanted == "same" else json.dumps(value, ensure_ascii=False)), value, field, after)
            errors = [line for line in said.split("\n") if " error: " in line]
            check(field == "name" and all("SK-V-52" in line or "SK-V-60" in line for line in errors) or not errors, value, field, said)
        else:
            check(after == text.replace("{}", value) and wanted in said, value, field, said)
    before = {key: warnings_of(text.replace("{}", key[0])) for key, (wanted, text) in cases.items() if wanted == "quoted" and key[1] == "license"}
    check(all("error: quote this value" in said or "text after the closing quote" in said or "{{ is text" in said for said in before.values()), before)


def warnings_of(text):
    folder, _ = folder_with(text.replace("NAME", "odd"))
    return output_of("lint", folder)


@suite
def anchors_that_are_used_stay():
    contains(untouched(GOOD.replace("name: odd\n", "name: odd\nlicense: &x MIT\ncompatibility: *x\n")), "'&anchor' is not portable", "'*alias' is not portable")


SHAPES = {"text": "a", "sharp": "x # y: 'z' \"q\" ü", "lines": "a\nb\n", "number": 1, "float": 1.5, "yes": True, "null": None, "empty": "",
          "list": ["a", "b"], "nothing": [], "none": {}, "map": {"a": "b"}, "odd keys": {"a b": 1, "1": 2, "c: d": 3}, "maps": [{"a": 1}, {"b": [True, None]}],
          "deep": {"a": {"b": {"c": [1, {"d": "e's"}]}}}, "claw": {"emoji": "🧲", "requires": {"bins": ["curl"]}, "install": [{"id": "brew", "n": 2}]}}


def block(value, indent):
    """A value in YAML's block style, as it follows `key:`."""
    if isinstance(value, dict) and value:
        return "".join(f"\n{indent}{json.dumps(key)}:{block(inner, indent + '  ')}" for key, inner in value.items())
    if isinstance(value, list) and value:
        return "".join(f"\n{indent}-{' ' + json.dumps(inner, ensure_ascii=False)}" for inner in value)
    return " " + json.dumps(value, ensure_ascii=False)


def frontmatter(kind, value):
    metadata = {"before": "x", "value": value, "after": "w"}
    wide = json.dumps(metadata, ensure_ascii=False, indent=2).replace("\n", "\n  ")
    whole = {"name": "NAME", "description": "Text that is long enough. Use when testing.", "metadata": metadata, "license": "MIT"}
    yaml = "---\nname: NAME\ndescription: Text that is long enough. Use when testing.\nmetadata:{}\nlicense: MIT\n---\n\nBody: {{x}}\n"
    return {"block": yaml.format("\n  before: x\n  value:" + block(value, "    ") + "\n\n  # note\n  after: w"),
            "inner flow": yaml.format("\n  before: x\n  value: " + json.dumps(value, ensure_ascii=False) + " # note\n  after: w"),
            "flow": yaml.format(" " + json.dumps(metadata, ensure_ascii=False)), "wide flow": yaml.format("\n  " + wide),
            "json": f"---\n{json.dumps(whole, ensure_ascii=False)}\n---\n\nBody: {{x}}\n", "bare json": json.dumps(whole, indent=1) + "\n\nBody: {x}\n"}[kind]


def metadata_in(text):
    """The mapping below `metadata:` of a text in which all values are one-line strings."""
    found = {}
    for line in text.split("metadata:\n")[1].split("\nlicense")[0].split("\n"):
        if line.strip() and not line.lstrip().startswith("#"):
            key, value = line.strip().split(": ", 1)
            if value.endswith(" # note"):
                value = value[:-7]
            found[json.loads(key) if key[0] == '"' else key] = (value[1:-1].replace("''", "'") if value[0] == "'" else
                                                             json.loads(value) if value[0] == '"' else value)
    return found


@suite
def metadata_that_is_no_text_becomes_text_with_its_json():
    """defect 67: every shape in every kind of frontmatter."""
    cases = {(kind, shape): frontmatter(kind, value) for kind in ("block", "inner flow", "flow", "wide flow", "json", "bare json") for shape, value in SHAPES.items()}
    for (kind, shape), (after, said) in fixed_all(cases).items():
        value, found = SHAPES[shape], metadata_in(after)
        check(" error: " not in said and " warning: " not in said, kind, shape, said, after)
        check(list(found) == ["before", "value", "after"] and found["before"] == "x" and found["after"] == "w", kind, shape, after)
        check(found["value"] == value if isinstance(value, str) else json.loads(found["value"]) == value, kind, shape, after)
        check(after.endswith("---\n\nBody: {x}\n"), kind, shape, after)
        check(("# note" in after) == ("# note" in cases[kind, shape]), kind, shape, "a comment is lost")
        if kind in ("block", "inner flow") and isinstance(value, (dict, list)):
            lines = cases[kind, shape].split("  value:")
            check(after.startswith(lines[0]) and after.endswith("  after: w" + lines[1].split("  after: w")[1]), kind, shape, after)


@suite
def metadata_that_cannot_become_json_says_why():
    for lines, why in (("\n  a:\n    # why\n    b: c", "5: metadata 'a' has a comment inside, which JSON cannot hold; move it above the key"),
                       (" {a: b, # why\n  c: [d]}", "field 'metadata' has a comment inside, which block style would lose"),
                       ("\n  - a", "field 'metadata' is not a mapping"), (" text", "field 'metadata' is not a mapping"), ("", "field 'metadata' is not a mapping"),
                       ("\n  dev.skillrom/tags: [a, b]", "metadata 'dev.skillrom/tags' is text by a grammar of its own"),
                       ("\n  version:", "metadata 'version' is empty"),
                       ("\n  a: {\"\\e[31m\": 1}\n  \"\\e[31m\": [1, # x\n    2]", "metadata '\\x1b[31m' has a comment")):
        said = left_by_fix(GOOD.replace("---\n\n", f"metadata:{lines}\n---\n\n"))
        check(any("not fixed " in line and why in line for line in said.split("\n")), lines, said)


def left_by_fix(text):
    folder, _ = folder_with(text)
    return output_of("lint", "--fix", folder)


@suite
def tags_that_became_json_are_still_tags():
    folder, manifest = folder_with(GOOD.replace("---\n\n", "metadata:\n  tags: [pump, a b]\n---\n\n"))
    passes("lint", "--fix", folder)
    check("tags: '[\"pump\",\"a b\"]'" in manifest.read_text(), manifest.read_text())
    image = folder / "x.rom"
    passes("pack", folder, "-o", image)
    check(b'"tags":["pump","a b"]' in image.read_bytes(), "the image has other tags")


@suite
def names_are_fixed_with_their_folders():
    folder, _ = folder_with(GOOD.replace("name: odd", "name: My_Odd Skill"), skill="My_Odd Skill")
    contains(passes("lint", "--fix", "--strict", folder), ": name\n", "now ")
    check(os.listdir(folder) == ["my-odd-skill"], os.listdir(folder))
    check((folder / "my-odd-skill/SKILL.md").read_text() == GOOD.replace("name: odd", "name: my-odd-skill"), "the name")
    check(fixed(GOOD.replace("name: odd", "name: 'ODD'"), "name") == GOOD, "in quotes")
    contains(untouched(GOOD.replace("name: odd", "name: öddß"), skill="öddß"), "SK-V-52")


@suite
def a_folder_whose_new_name_is_taken_stays():
    folder, _ = folder_with(GOOD.replace("name: odd", "name: Odd_One"), skill="Odd_One")
    programs.write(folder / "odd-one/other.txt", "taken")
    output_of("lint", "--fix", folder)
    check(sorted(os.listdir(folder)) == ["Odd_One", "odd-one"], os.listdir(folder))


@suite
def json_becomes_frontmatter():
    frontmatter = '{"name": "My_Pump", "description": "Says \\"hi\\": {x} and \\\\. Use when testing.", "metadata": {"version": 1.5, "odd key": "a\\nb"}}'
    wanted = ('---\nname: "my-pump"\n', 'description: "Says \\"hi\\": {x} and \\\\. Use when testing."\n',
              'metadata:\n  version: "1.5"\n  "odd key": "a\\nb"\n---\n\nBody.\n')
    for text in (f"---\n{frontmatter}\n---\n\nBody.\n", f"{frontmatter}\n\nBody.\n", f"---\r\n{frontmatter}\r\n---\r\n\r\nBody.\r\n",
                 "---\n" + frontmatter.replace(", ", ",\n  ") + "\n\n---\n\nBody.\n"):
        folder, _ = folder_with(text, skill="My_Pump")
        contains(fails("pack", folder, "-o", "/dev/null"), "lint --fix")
        contains(passes("lint", "--fix", "--strict", folder), "JSON")
        out = (folder / "my-pump/SKILL.md").read_text()
        check(all(part in out for part in wanted) or out.replace("name: my-pump", 'name: "my-pump"') == "".join(wanted), out)


@suite
def a_list_in_json_becomes_one_in_block_style():
    folder, manifest = folder_with('---\n{"name": "odd", "description": "Text that is long enough. Use when testing.", "tags": ["a: b", "c"]}\n---\nBody.\n')
    contains(passes("lint", "--fix", folder), "JSON", "unknown field 'tags'")
    check(manifest.read_text().endswith('tags:\n  - "a: b"\n  - "c"\n---\nBody.\n'), manifest.read_text())


@suite
def what_other_tools_write_is_named():
    for text, said in ((GOOD.encode("utf-16"), "this is UTF-16; save it as UTF-8"), (GOOD.replace("---", "+++").encode(), "frontmatter in TOML; write it as YAML"),
                       (b"# A title\n\nText.\n", "must begin with a line '---', then name and description")):
        folder, manifest = folder_with("")
        manifest.write_bytes(text)
        contains(fails("lint", "--fix", folder), said)
        check(manifest.read_bytes() == text, "it has changed")


@suite
def mistakes_in_json_are_told_in_its_own_words():
    for text, said in (('{ // why\n "name": "x" }', "1:3: error: malformed JSON: there are no comments"), ('{ "name": "x", }', "remove the last comma"),
                       ("{'name': 'x'}", "use double quotes"), ('{"name": x}', "1:10: error: malformed JSON: text is in double quotes"),
                       ('{"name": "x" "version": "1"}', "a comma or a closing bracket is missing"), ("", "the file is empty"),
                       ("{", "2:1: error: malformed JSON: a value, a colon or a closing bracket is missing here or before"),
                       ('{"name"}', "a value, a colon"), ("[1, 2", "a closing bracket is missing"), ('{"name": "x"}}', "this bracket closes nothing"),
                       ('{"name": "x}', "this quote is never closed"), ('{"name": 01}', "not a number; it has no zero before it"),
                       ('{"name": 1 "version": "1"}', "and a comma or a closing bracket after it")):
        folder, _ = folder_with(GOOD)
        programs.write(folder / "device.json", text)
        contains(fails("lint", folder), said)


@suite
def json_that_has_no_block_style_stays():
    deep = '{"name": "odd", "hooks": ' + '{"a": ' * 9 + "1" + "}" * 9 + "}"
    for text in (deep, '{"name": "odd"', '{"name" "odd"}', '{"name": "odd", "name": "even"}'):
        contains(untouched(f"---\n{text}\n---\nBody.\n"), "error")


@suite
def what_json_has_below_other_fields_stays_as_it_is():
    folder, manifest = folder_with('{"name": "odd", "description": "Text that is long enough. Use when testing.", "metadata": {}, "hooks": {"a": [1, {"b": "c"}]}, '
                                   '"tags": [], "x": [["y"], {"z": null}]}\nBody.\n')
    contains(output_of("lint", "--fix", folder), "JSON", "0 errors")
    check(manifest.read_text().endswith('metadata: {}\nhooks:\n  a: [1,{"b":"c"}]\ntags: []\nx:\n  - ["y"]\n  - {"z":null}\n---\nBody.\n'), manifest.read_text())


@suite
def what_is_right_stays_to_the_byte():
    contains(untouched(GOOD), "0 errors, 0 warnings")
    check("fixed" not in passes("lint", "--fix", programs.EXAMPLE), "the example")


@suite
def what_cannot_be_written_is_told_and_left():
    folder, manifest = folder_with(GOOD.replace("\n", "\r\n"))
    before = manifest.read_bytes()
    done = subprocess.run(["unshare", "--mount", "--map-root-user", "sh", "-c", f'mount --bind {folder} {folder} && mount -o remount,bind,ro {folder} && "$@"',
                           "sh", programs.SKILLROM, "lint", "--fix", str(folder)], capture_output=True, text=True)
    check(done.returncode == 1, done.stdout, done.stderr)
    contains(done.stderr, "Read-only file system")
    check(manifest.read_bytes() == before and os.listdir(manifest.parent) == ["SKILL.md"], "it is as it was")


@suite
def whatever_comes_is_fixed_at_most_once():
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
