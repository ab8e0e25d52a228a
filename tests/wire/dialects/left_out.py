"""left_out.py - a server built without the older dialects: their methods and capabilities are gone, the released one still works.

tests/wire/dialects/build.mk builds it. [SK-X-14] [SK-X-16] [SK-A-18] [SK-D-01]"""

import subprocess

from client.check import PATIENCE, check
from client.programs import WITHOUT_DIALECTS
from wire import Stdio

EXTENSION = {"io.modelcontextprotocol/skills": {"directoryRead": True}}
ALL = {"extensions": EXTENSION, "experimental": EXTENSION, "skills": {"listChanged": False, "scripts": True}}
METHODS = {
    "pr86": {"skills/activate": {"name": "daily-check"}},
    "skills_page": {"skills/read": {"name": "daily-check"},
          "skills/read_reference": {"name": "daily-check", "reference": "acceptance.md"},
          "skills/execute": {"name": "clear-fault", "script": "pressure_test", "arguments": {"line": 1}}},
}

LEFT = {"extensions": {**EXTENSION, "io.modelcontextprotocol/ui": {}}}  # what is still declared


def declares(device):
    with Stdio(WITHOUT_DIALECTS, device.image) as connection:
        for modern in (False, True):
            declared = connection.capabilities(modern)
            check({key: declared[key] for key in ALL if key in declared} == LEFT, "declared are", declared)


def check_missing(connection, dialect, modern):
    for method, params in METHODS.get(dialect, {}).items():
        response = connection.exchange(method, params, modern)
        check(response.get("error", {}).get("code") == -32601, method, "answers", response)
    if dialect == "sep2640_draft":
        for uri in ("skill://index.json", "skill://daily-check.zip", "skill://daily-check.tar.gz"):
            response = connection.exchange("resources/read", {"uri": uri}, modern)
            code = response.get("error", {}).get("code")
            check(code == (-32602 if modern else -32002), uri, "is still there:", response)
        listed = connection.exchange("resources/list", {}, modern)["result"]["resources"]
        check("skill://index.json" not in [item["uri"] for item in listed], "the index is listed")
    if dialect == "pr69":  # a member that nobody knows is ignored
        scoped = connection.exchange("resources/list", {"uri": "skill://"}, modern)["result"]
        check(scoped == connection.exchange("resources/list", {}, modern)["result"], "the list is scoped:", scoped)
    if dialect == "sep2076":  # the released extension has this method too, and wants a URI
        response = connection.exchange("skills/get", {"name": "daily-check"}, modern)
        check(response.get("error", {}).get("code") == -32602, "skills/get by name answers", response)


def lacks(device):
    with Stdio(WITHOUT_DIALECTS, device.image) as connection:
        for modern in (False, True):
            for dialect in ("sep2640_draft", "pr69", "sep2076", "pr86", "skills_page"):
                check_missing(connection, dialect, modern)


def says_that_it_cannot_run_scripts(device):
    ended = subprocess.run([WITHOUT_DIALECTS, device.image, "--exec-scripts"], stdin=subprocess.DEVNULL,
                           capture_output=True, timeout=PATIENCE)
    check(ended.returncode == 1 and b"built without skills/execute" in ended.stderr, "it says", ended)


def run(test, alone, device):
    test("without dialects: --exec-scripts is refused", says_that_it_cannot_run_scripts, device)
    test("without dialects: the capabilities are those that are left", declares, device)
    test("without dialects: the methods are gone", lacks, device)
    for era, modern in (("legacy", False), ("modern", True)):
        test(f"without dialects: a client of the released extension is served, {era}", alone, "released", device, "stdio", modern, (), WITHOUT_DIALECTS)
