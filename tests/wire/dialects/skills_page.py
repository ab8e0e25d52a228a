"""The skills page: skills/read, skills/read_reference, skills/execute.

[SK-F-01] [SK-F-02] [SK-F-04] [SK-F-05] [SK-F-06] [SK-F-08] [SK-F-09] [SK-F-10] [SK-F-11] [SK-F-13]"""

import re

from client.check import check
from mcp import SKILL_NAME, Learned, annotations, content, pages, refused, result, shape

FILE = {"name": str, "description": re.compile("(?s).+"), "path": str}
SKILL = {
    "name": SKILL_NAME,
    "description": str,
    "instructions": str,
}
PARTS = ("scripts", "references", "assets")
BLOCKS = {"text": {"text": str}, "image": {"data": str, "mimeType": str}, "audio": {"data": str, "mimeType": str},
          "resource_link": {"uri": str, "name": str}, "resource": {"resource": dict}}
ARGUMENTS = {"line": 2}  # what a model would find in the instructions


def file(value):
    shape(value, FILE, {"annotations": annotations})
    check(value["path"].split("/")[-1] == value["name"], "path and name differ:", value)


def metadata(value):
    for key, text in value.items():
        check(isinstance(text, str), key, "is not text:", text)


def read_reference(name, reference, learned):
    got = (yield from result("skills/read_reference", name=name, reference=reference))["content"]
    learned.files[got["uri"]] = content(got, got["uri"])
    return got


def read_references(skill, learned):
    """Each by its path; those whose name is the only one of its kind also by that."""
    files = skill.get("references", []) + skill.get("assets", [])
    names = [f["name"] for f in files]
    for entry in files:
        got = yield from read_reference(skill["name"], entry["path"], learned)
        check(got["uri"].endswith("/" + entry["path"]), entry["path"], "gave", got["uri"])
        if names.count(entry["name"]) == 1:
            check(got == (yield from read_reference(skill["name"], entry["name"], learned)), "by name another:", entry)
    for unknown in ("references/no-such-file.md", "no-such-file"):
        error = yield from refused(-32004, "skills/read_reference", name=skill["name"], reference=unknown)
        check(error["data"] == {"name": skill["name"], "reference": unknown}, "the error names", error)
    for malformed in ("../SKILL.md", "/SKILL.md", "references\\x.md", "%2e%2e/SKILL.md", "\0", ""):
        yield from refused(-32602, "skills/read_reference", name=skill["name"], reference=malformed)


def execute(skill, script):
    for spelling in (script["path"], script["name"], script["name"].rpartition(".")[0]):
        done = yield from result("skills/execute", name=skill["name"], script=spelling, arguments=ARGUMENTS)
        shape(done, {"content": [dict], "isError": bool})
        check(not done["isError"], script["path"], "failed:", done)
        for block in done["content"]:
            check(block["type"] in BLOCKS, "no content of MCP:", block)
            shape(block, BLOCKS[block["type"]])


def visit(name, description, scripts, learned):
    skill = (yield from result("skills/read", name=name))["skill"]
    shape(skill, SKILL, {**{part: [file] for part in PARTS}, "metadata": metadata})
    check((skill["name"], skill["description"]) == (name, description), "listed and read differ:", skill)
    check(all(skill[part] for part in PARTS if part in skill), "an empty array:", skill)
    check(scripts or "scripts" not in skill, "scripts, where the server declares none:", skill)
    learned.instructions[name] = skill["instructions"]
    yield from read_references(skill, learned)
    for script in skill.get("scripts", []):
        yield from execute(skill, script)
        yield from refused(-32003, "skills/execute", name=name, script="no-such-script", arguments={})


def tour(capabilities):
    shape(capabilities, {"skills": dict})
    shape(capabilities["skills"], {}, {"listChanged": bool, "scripts": bool})
    learned = Learned()
    for skill in (yield from pages("skills/list", "skills")):
        shape(skill, {"name": SKILL_NAME, "description": str},
              {"title": str, "keywords": [str], "annotations": annotations})
        check("instructions" not in skill, "a body in a list:", skill)
        learned.names.append(skill["name"])
        yield from visit(skill["name"], skill["description"], capabilities["skills"].get("scripts"), learned)
    for method, more in (("skills/read", {}), ("skills/read_reference", {"reference": "x.md"}),
                         ("skills/execute", {"script": "x"})):
        error = yield from refused(-32002, method, name="../no-such-skill", **more)
        check(error["data"]["name"] == "../no-such-skill", "the error names", error)
        yield from refused(-32602, method, **more)
    return learned
