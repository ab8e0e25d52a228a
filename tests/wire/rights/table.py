"""table.py - the methods and the right each of them needs, read from the table that the programs are built from."""

import re

from client import programs

ROW = re.compile(r'^SKR_METHOD\("([^"]+)", (\w+), (\w+), \w+, (\w+),', re.M)
READ, OPERATE, BY_TOOL, BY_DEVICE, UPDATE = "SKR_MAY_READ", "SKR_MAY_OPERATE", "SKR_BY_TOOL", "SKR_BY_DEVICE", "SKR_BY_UPDATER"
NAME_OF = {"SKR_NAME_IS_NAME": "name", "SKR_NAME_IS_URI": "uri", "SKR_NAME_IS_TASK": "taskId"}

FILE, PROMPT = "skill://daily-check/SKILL.md", {"type": "ref/prompt", "name": "daily-check"}
PARAMS = {
    "completion/complete": {"ref": PROMPT, "argument": {"name": "line", "value": ""}},
    "events/poll": {"name": "alarm"},
    "logging/setLevel": {"level": "error"},
    "prompts/get": {"name": "daily-check"},
    "resources/directory/read": {"uri": "skill://daily-check/"},
    "resources/read": {"uri": FILE},
    "resources/subscribe": {"uri": "pump://status"},
    "resources/unsubscribe": {"uri": "pump://status"},
    "skills/activate": {"name": "daily-check"},
    "skills/execute": {"name": "clear-fault", "script": "pressure_test", "arguments": {"line": 1}},
    "skills/get": {"uri": FILE},
    "skills/read": {"name": "daily-check"},
    "skills/read_reference": {"name": "daily-check", "reference": "limits.md"},
    "subscriptions/listen": {"notifications": {"toolsListChanged": True}},
    "tasks/cancel": {"taskId": "none"},
    "tasks/get": {"taskId": "none"},
    "tasks/result": {"taskId": "none"},
    "tasks/update": {"taskId": "none", "inputResponses": {}},
}
DOSE = {"line": 1, "volume_ul": 500}
TOOLS = {  # what is called, and whether a reader may
    "a tool that reads": ({"name": "line_status", "arguments": {"line": 1}}, True),
    "a tool that operates": ({"name": "run_dose", "arguments": DOSE}, False),
    "a tool that operates, as a task": ({"name": "run_dose", "arguments": DOSE, "task": {"ttl": 60000}}, False),
    "a tool that operates, with a token for progress":
        ({"name": "run_dose", "arguments": DOSE, "_meta": {"progressToken": "p"}}, False),
}


class Row:
    """A request of the matrix: a method, its parameters, the right that it needs."""

    def __init__(self, method, right, name_header="", variant="", params=None, reads=False):
        self.method, self.right, self.variant, self.reads = method, right, variant, reads
        self.params = PARAMS.get(method, {}) if params is None else params
        self.header = NAME_OF.get(name_header)

    def __str__(self):
        return f"{self.method} of {self.variant}" if self.variant else self.method


def rows():
    """Every method of the table, tools/call with each kind of tool, and a method that only a device of others may have."""
    found = ROW.findall((programs.ROOT / "core/mcp/method_rows.h").read_text())
    for method, _, right, name_header in found:
        if right == BY_TOOL:
            yield from (Row(method, right, name_header, variant, *what) for variant, what in TOOLS.items())
        else:
            yield Row(method, right, name_header)
    yield Row("vendor/erase", OPERATE)
