"""test_line.py - conventions of the command line, which are the same for every command: groups, examples, short options, one prefix."""

import re

from author import ROOT, fails, passes, contains, scratch, skillrom
from client import programs
from client.check import Suite, check

suite = Suite()
GROUPS = {"Author": "new lint test explain pack serve", "Image": "info ls cat verify keys sign",
          "Device": "find call read bridge fleet token update", "Help": "help completions"}
SKILL = "---\nname: {0}\ndescription: The only one. Use when testing.\n---\nText.\n"


def commands():
    return [name for names in GROUPS.values() for name in names.split()]


def skills(*names):
    folder = scratch()
    for name in names:
        programs.write(folder / name / "SKILL.md", SKILL.format(name))
    return folder


@suite
def commands_are_listed_by_group():
    found, group = {}, None
    for line in passes("help").splitlines():
        if re.fullmatch(r"[A-Z][a-z]+", line):
            group = line
            found[group] = []
        elif group and re.match(r"  [a-z]", line):
            found[group].append(line.split()[0])
    check({name: " ".join(words) for name, words in found.items()} == GROUPS, found)


@suite
def every_help_has_two_examples_whose_options_exist():
    for command in commands():
        text = passes(command, "--help")
        examples = re.findall(r"^  (\S.*)\n    \S", text.split("\nExamples:\n")[1], re.M)
        check(len(examples) == 2, command, examples)
        for line in examples:
            check(f"skillrom {command}" in line, command, line)
            for option in re.findall(r" (--[a-z-]+)", line):
                options = text if command != "serve" else text + passes("help", "fleet")  # it passes options on
                check(re.search(rf"^  (-\w, )?{option}\b", options, re.M), line, option, "is not an option of", command)


@suite
def the_exit_statuses_are_told_as_they_are():
    for command in commands():
        contains(passes(command, "--help").replace("\n", " "), "1 failure: invalid input, a file or device that cannot be used, a tool or test that failed")


@suite
def help_names_its_forms():
    contains(fails("pack", "--help=foo", code=2), "skillrom pack: --help has the forms man, bash and zsh")
    contains(fails("--help=foo", code=2), "man, bash and zsh")


@suite
def the_version_has_a_short_name():
    for words in (["-V"], ["--version"], ["pack", "-V"]):
        check(passes(*words) == passes("--version"), words)
    contains(fails("-v", code=2), "skillrom: unknown option '-v'; did you mean -V?")
    contains(fails("--versoin", code=2), "did you mean --version?")
    contains(fails("--frob", code=2), "options follow the command")


@suite
def short_options_take_their_value_as_in_getopt():
    folder = skills("one")
    passes("pack", folder, f"-o{folder}/x.rom")
    check((folder / "x.rom").exists())
    contains(fails("pack", folder, f"-o={folder}/y.rom", code=2), "-o: a short option takes its value without '='")
    check(not (folder / "y.rom").exists())


@suite
def quiet_and_verbose_are_everywhere():
    folder = skills("one")
    image = folder / "x.rom"
    check(passes("pack", "-q", folder, "-o", image) == "")
    check(passes("lint", folder, "-q") == "")
    check(passes("verify", "--quiet", image) == "")
    check(passes("new", "-q", "two", folder) == "" and (folder / "two/SKILL.md").exists())
    check(passes("new", "-q", "--device", "lamp", folder) == "" and (folder / "lamp/device.json").exists())
    check(skillrom("token", "-q", "eve", "-o", folder / "tokens").stderr == "")
    check(passes("keys", "-q", "new", folder / "key.pem").startswith("-----BEGIN PUBLIC KEY-----") and skillrom("keys", "-q", "new", folder / "b").stderr == "")
    check(passes("sign", "-q", image, "--key", folder / "key.pem", "--product", "lamp", "--number", "1", "-o", folder / "r.rom") == "")
    done = skillrom("verify", "-v", image)
    check(done.returncode == 0 and re.fullmatch(r"skillrom verify: took \d+ ms; exit status 0\n", done.stderr), done)
    for command in commands():
        contains(passes(command, "--help"), "  -q, --quiet", "  -v, --verbose")


@suite
def the_operand_that_is_missing_is_named():
    for words, name in ((["read", "http://127.0.0.1:1"], "URI"), (["read"], "URL|TTY"), (["cat", "x"], "PATH"), (["cat"], "FILE.rom"),
                        (["update", "http://127.0.0.1:1"], "RELEASE.rom"), (["completions"], "the shell, bash or zsh,")):
        contains(fails(*words, code=2), f"skillrom {words[0]}: {name} is missing; see skillrom {words[0]} --help")


@suite
def keys_names_a_wrong_word_before_a_missing_file():
    contains(fails("keys", "frob", code=2), "'frob': give new, public or c; see skillrom keys --help")
    contains(fails("keys", "new", code=2), "new: give one file; see")
    contains(fails("keys", "c", code=2), "c: give one file or more; see")


@suite
def options_that_would_be_ignored_are_refused():
    url = "http://127.0.0.1:1"
    contains(fails("call", url, "--plan", code=2), "skillrom call: --plan is for a tool call; name the tool")
    contains(fails("call", url, "--yes", code=2), "skillrom call: --yes is for a tool call; name the tool")
    contains(fails("call", url, "line_status", "--log", code=2), "skillrom call: --log prints all tool calls; leave out line_status")
    for option in ("--devices=a", "--share=10", "--stop-after=2", "--parallel=2", "--audit-log=x"):
        contains(fails("update", url, "x.rom", option, code=2), "are for devices on a broker, mqtt://; see skillrom update --help")
    for option in ("--pin=sha256:" + 64 * "0", "--baud=9600", "--plain"):
        contains(fails("update", "mqtt://127.0.0.1:1", "x.rom", "--devices=*", option, code=2), "are for one device at a URL or a serial port")


@suite
def what_is_no_image_is_called_so():
    file = scratch() / "abc"
    file.write_text("abc")
    contains(fails("info", file), f"skillrom info: {file}: this is not a skill image; make one with `skillrom pack`")


@suite
def lint_names_a_missing_folder_without_a_place():
    contains(fails("lint", "nosuch"), "nosuch: error: No such file or directory")
    contains(fails("lint", "/dev/null"), "/dev/null: error: neither a folder nor a SKILL.md; ", "0 skills, 1 error, ")


@suite
def lint_counts_every_skill_and_sorts_by_line():
    folder = skills("one", "two", "three", "four")
    (folder / "four/SKILL.md").write_text("Text.\n")
    (folder / "one/SKILL.md").write_text("---\nname: One\ndescription: x\nmetadata:\n  version: 1.0\n---\nText.\n")
    text = fails("lint", folder)
    contains(text, "4 skills, ", "can fix 1 skill", "a description of 1 character can")
    lines = [int(n) for n in re.findall(r"one/SKILL\.md:(\d+):", text)]
    check(len(lines) == 3 and lines == sorted(lines), lines)
    (folder / "four/SKILL.md").write_text(SKILL.format("four"))
    contains(passes("lint", folder / "four"), "1 skill, 0 errors")


@suite
def nothing_is_counted_where_nothing_was_checked():
    folder = skills("a-b")
    text = fails("pack", folder, "-o", folder / "a-b/SKILL.md")
    contains(text, "a file of the folder would be overwritten; choose another output")
    check("0 errors" not in text, text)


@suite
def times_have_a_unit():
    contains(fails("find", "--wait", "10", code=2), "--wait 10: not a time from 100ms to 60000ms; give it with its unit (ms, s, m or h)")
    contains(fails("call", "http://127.0.0.1:1", "--wait", "1ms"), "skillrom call: ")


@suite
def completions_are_those_of_help():
    for shell in ("bash", "zsh"):
        check(passes("completions", shell) == passes("pack", f"--help={shell}"), shell)
    contains(fails("completions", "fish", code=2), "unknown shell 'fish'; give bash or zsh")


@suite
def an_option_has_one_meaning():
    """Values are called alike wherever an option takes one."""
    seen = {}
    for command in commands():
        for name, value in re.findall(r"^  (?:-\w, )?(--[a-z-]+)(?: (\S+))?(?:  |\n|$)", passes(command, "--help"), re.M):
            seen.setdefault(name, set()).add((value or "").split(".")[0])
    two = {name: values for name, values in seen.items() if len(values) > 1}
    check(two == {}, two)
    for gone in ("--record", "--list", "--read", "--c", "--all", "--skip-bad", "--builds", "--wait-ms", "--answer-ms"):
        check(gone not in seen, gone)


@suite
def messages_begin_with_the_command():
    for source in [*(ROOT / "host").rglob("*.c"), *(ROOT / "romfs").rglob("*.c")]:
        check('"skillrom: ' not in source.read_text(), source)
