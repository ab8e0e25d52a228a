"""test_budget.py - `lint --budget` tells what really crosses the wire; what hosts cut is a warning, what exceeds a budget an
error."""

import json

from author import edit, example, fails, passes, contains, scratch, skillrom
from client import programs
from client.check import PATIENCE, Suite, check
from client.child import Server, Stdio
from client.mcp import INITIALIZE, legacy, line_bytes, modern, numbered
from client.wire import Client

suite = Suite()
DEVICES = {programs.EXAMPLE: programs.PUMP, programs.ROOT / "tests/wire/conformance/device": None}


def budget(folder):
    return json.loads(passes("lint", "--budget", "--json", folder).splitlines()[-1])["budget"]


def on_stdio(*command):
    """A function that sends a message and gives the bytes of the response, newline included."""
    program = Stdio(*command)

    def exchange(message):
        program.send(line_bytes(message))
        return program.lines.get(timeout=PATIENCE)

    return exchange


def on_tcp(*command):
    client = Client(Server(*command, "--tcp", "127.0.0.1:0").ports[0])

    def exchange(message):
        client.send(line_bytes(message))
        return client.take_until(b"\n")

    return exchange


def agrees(exchange, costs):
    """Every number against the length of its response: to the byte, but for the capabilities, which depend on the device."""
    counted = {"instructions": len(exchange(numbered(1, INITIALIZE)))}
    check(abs(counted["instructions"] - costs["instructions"]["wireBytes"]) <= 64, counted, costs["instructions"])
    for part in ("tools", "skills"):
        response = exchange(numbered(2, legacy(f"{part}/list")))
        check(b"nextCursor" not in response, "more than one page")
        check(len(response) == costs[part]["wireBytes"], part, len(response), costs[part])
    check(len(costs["files"]) > 0, "no file")
    for file in costs["files"]:
        response = exchange(numbered(3, legacy("resources/read", uri=file["uri"])))
        check(len(response) == file["wireBytes"], file, len(response))


@suite
def the_bytes_of_the_example_are_those_on_stdio():
    agrees(on_stdio(programs.PUMP, programs.EXAMPLE_IMAGE), budget(programs.EXAMPLE))


@suite
def and_those_on_a_line_of_tcp():
    agrees(on_tcp(programs.PUMP, programs.EXAMPLE_IMAGE), budget(programs.EXAMPLE))


@suite
def a_client_of_2026_gets_a_little_more_around_the_same():
    exchange, costs = on_stdio(programs.PUMP, programs.EXAMPLE_IMAGE), budget(programs.EXAMPLE)
    for part in ("tools", "skills"):
        more = len(exchange(numbered(1, modern(f"{part}/list")))) - costs[part]["wireBytes"]
        check(0 < more < 200, part, more)
    more = len(exchange(numbered(1, modern("server/discover")))) - costs["instructions"]["wireBytes"]
    check(0 < more < 300, more)


@suite
def so_they_are_for_skills_without_a_device():
    folder = scratch()
    programs.write(folder / "in/quote/SKILL.md", '---\nname: quote\ndescription: Says "\\" and ä. Use when quoting.\n---\n"\\\t\u0001é\n')
    programs.write(folder / "in/quote/assets/odd name.bin", bytes(range(256)) * 3)
    programs.write(folder / "in/quote/empty.txt", "")
    image = programs.pack(folder / "in", folder / "image.rom")
    agrees(on_stdio(programs.SKILLROMD, image), budget(folder / "in"))


@suite
def tokens_are_bytes_by_4_3():
    files = {file["uri"]: file for file in budget(programs.EXAMPLE)["files"]}
    size = (programs.EXAMPLE / "skills/daily-check/SKILL.md").stat().st_size
    check(files["skill://daily-check/SKILL.md"]["tokens"] == round(size / 4.3), size, files)
    check(files["skill://pump/change-consumables/assets/tube-path.png"]["tokens"] == 0, "a picture has no tokens here")


@suite
def people_get_a_table_that_says_it_is_an_estimate():
    output = passes("lint", "--budget", programs.EXAMPLE)
    contains(output, "always loaded", "tools (tools/list)", "references/acceptance.md", "estimate", "s at 115200")
    check(all(len(line) <= 100 for line in output.splitlines()), output)


@suite
def instructions_that_hosts_cut_are_told():
    device = example()
    for characters, reported in (2048, False), (2049, True):
        text = json.loads((device / "device.json").read_text()) | {"instructions": "ä" * characters, "budgets": {}}
        (device / "device.json").write_text(json.dumps(text))
        out = passes("lint", device)
        check(("[SK-H-01]" in out) == reported, out)


@suite
def names_of_tools_that_hosts_reject_are_told():
    device = example()
    edit(device / "device.json", "tidewater-dp4", "t" * (128 - len("mcp____line_status")))
    check("line_status.json" not in passes("lint", device), "128 characters pass")
    edit(device / "device.json", "ttt", "tttt")
    contains(passes("lint", device), "[SK-H-02]", "line_status.json")


@suite
def results_that_hosts_cut_are_told():
    device = example()
    edit(device / "tools/blink_lamp.json", '"annotations"', '"x-skillrom": {"outputMax": 108000}, "annotations"')
    (device / "skills/daily-check/references/long.md").write_text("A line of text.\n" * 7000)
    output = passes("lint", "--budget", edited_budget(device, "fileTokens", 30000))
    contains(output, "blink_lamp.json:1:1: warning: outputMax allows", "long.md:1:1: warning: about 26047 tokens", "[SK-H-03]")


def edited_budget(device, name, value):
    """The device with this budget only."""
    text = json.loads((device / "device.json").read_text()) | {"budgets": {name: value}}
    (device / "device.json").write_text(json.dumps(text, indent=2))
    return device


@suite
def every_budget_fails_lint_and_pack_when_it_is_exceeded():
    device, image = example(), scratch() / "x.rom"
    costs = budget(device)
    files = [file for file in costs["files"]]
    is_now = {
        "alwaysTokens": costs["always"]["tokens"],
        "activationTokens": max(file["tokens"] for file in files if file["uri"].endswith("SKILL.md")),
        "fileTokens": max(file["tokens"] for file in files if not file["uri"].endswith("SKILL.md")),
        "listBytes": costs["always"]["wireBytes"],
        "imageBytes": costs["imageBytes"],
    }
    for name, value in is_now.items():
        passes("lint", edited_budget(device, name, value))
        contains(fails("lint", edited_budget(device, name, value - 1)), f"over budget: {name} is {value}, at most {value - 1}; shorten it, or raise the budget in device.json [SK-H-04]",
             "device.json:7:5: error")
        contains(fails("pack", device, "-o", image), f"over budget: {name}", "nothing written")
        check(not image.exists(), "it was written")
        passes("pack", "--keep-going", device, "-o", image)
        image.unlink()


@suite
def a_budget_that_is_none_is_told():
    for name, value, why in (("tokens", 5, "'budgets' has no member 'tokens'"), ("fileTokens", 0, "whole number from 1"),
                             ("fileTokens", "5", "whole number from 1"), ("queryHits", 101, "from 1 to 100")):
        contains(fails("lint", edited_budget(example(), name, value)), why)


@suite
def what_is_not_a_folder_has_no_budget():
    check(skillrom("lint", "--budget", scratch() / "none").returncode == 1, "exit status")
