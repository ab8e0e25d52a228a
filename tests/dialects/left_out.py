"""left_out.py - servers built without a dialect: its methods and its capability are gone, the others still work.

tests/dialects/build.mk builds them. [SK-X-14] [SK-X-16] [SK-A-18] [SK-D-01]"""

import subprocess

from client.check import PATIENCE, check
from client.programs import without
from wire import Stdio

EXTENSION = {"io.modelcontextprotocol/skills": {"directoryRead": True}}
ALL = {"extensions": EXTENSION, "experimental": EXTENSION, "skills": {"listChanged": False, "scripts": True}}
METHODS = {
    "e": {"skills/activate": {"name": "daily-check"}},
    "f": {"skills/read": {"name": "daily-check"},
          "skills/read_reference": {"name": "daily-check", "reference": "acceptance.md"},
          "skills/execute": {"name": "clear-fault", "script": "pressure_test", "arguments": {"line": 1}}},
}

# What is built, which dialects it lacks, which models it still serves, what it declares.
SERVERS = {
    "b": ("b", ("a", "c0", "d", "e", "f"), {k: v for k, v in ALL.items() if k != "experimental"}),
    "c": ("c", ("a", "b1", "b2", "b3", "c1", "d", "e", "f"), ALL),
    "d": ("d", ("a", "b1", "b2", "b3", "c0", "c1", "e", "f"), ALL),
    "e": ("e", ("a", "b1", "b2", "b3", "c0", "c1", "d", "f"), ALL),
    "f": ("f", ("a", "b1", "b2", "b3", "c0", "c1", "d", "e"), {**ALL, "skills": {"listChanged": False}}),
    "def": ("def", ("a", "b1", "b2", "b3", "c0", "c1"), {k: v for k, v in ALL.items() if k != "skills"}),
    "any": ("bcdef", ("a",), {"extensions": EXTENSION}),
}


def declares(device, what, wanted):
    with Stdio(without(what), device.image) as connection:
        for modern in (False, True):
            declared = connection.capabilities(modern)
            check({key: declared[key] for key in ALL if key in declared} == wanted, "declared are", declared)


def check_missing(connection, dialect, modern):
    for method, params in METHODS.get(dialect, {}).items():
        answer = connection.ask(method, params, modern)
        check(answer.get("error", {}).get("code") == -32601, method, "answers", answer)
    if dialect == "b":
        for uri in ("skill://index.json", "skill://daily-check.zip", "skill://daily-check.tar.gz"):
            answer = connection.ask("resources/read", {"uri": uri}, modern)
            check(answer.get("error", {}).get("code") == (-32602 if modern else -32002), uri, "is still there:", answer)
        listed = connection.ask("resources/list", {}, modern)["result"]["resources"]
        check("skill://index.json" not in [item["uri"] for item in listed], "the index is listed")
    if dialect == "c":  # a member that nobody knows is ignored
        scoped = connection.ask("resources/list", {"uri": "skill://"}, modern)["result"]
        check(scoped == connection.ask("resources/list", {}, modern)["result"], "the list is scoped:", scoped)
    if dialect == "d":  # the method is also A's, which wants a URI
        answer = connection.ask("skills/get", {"name": "daily-check"}, modern)
        check(answer.get("error", {}).get("code") == -32602, "skills/get by name answers", answer)


def lacks(device, what, dialects):
    with Stdio(without(what), device.image) as connection:
        for modern in (False, True):
            for dialect in dialects:
                check_missing(connection, dialect, modern)


def says_that_it_cannot_run_scripts(device, what):
    ended = subprocess.run([without(what), device.image, "--exec-scripts"], stdin=subprocess.DEVNULL,
                           capture_output=True, timeout=PATIENCE)
    check(ended.returncode == 1 and b"built without skills/execute" in ended.stderr, "it says", ended)


def run(test, alone, device):
    test("without f: --exec-scripts is refused", says_that_it_cannot_run_scripts, device, "f")
    for what, (dialects, models, wanted) in SERVERS.items():
        name = f"without {what}"
        test(f"{name}: the capabilities are those that are left", declares, device, what, wanted)
        test(f"{name}: the methods are gone", lacks, device, what, dialects)
        for model in models:
            for era, modern in (("legacy", False), ("modern", True)):
                test(f"{name}: a client of {model} is served, {era}", alone, model, device, "stdio", modern, (), without(what))
