"""SEP-2076: skills as a primitive, got by name, with arguments and dependencies.

[SK-D-01] [SK-D-02] [SK-D-03] [SK-D-04] [SK-D-05] [SK-D-06] [SK-D-08]"""

import re

from client.check import check
from mcp import Learned, pages, read, refused, result, shape

PROMPT = {"type": re.compile("ref/prompt"), "name": str}
RESOURCE = {"type": re.compile("ref/resource"), "uri": str}
ARGUMENT = {"title": str, "description": str, "required": bool}
FILE = {"title": str, "description": str, "mimeType": str, "required": bool, "_meta": dict}


def dependencies(value):
    shape(value, {}, {"tools": [str], "prompts": [lambda p: shape(p, PROMPT, {"title": str})],
                      "resources": [lambda r: shape(r, RESOURCE)]})


SKILL = {"title": str, "icons": [lambda icon: shape(icon, {"src": str})], "description": str, "version": str,
         "tags": [str], "arguments": [lambda a: shape(a, {"name": str}, ARGUMENT)], "dependencies": dependencies,
         "_meta": dict}
GOT = {"description": str, "dependencies": dependencies, "files": [lambda f: shape(f, {"name": str, "uri": str}, FILE)]}


def check_dependencies(wanted, tools, prompts):
    check(set(wanted.get("tools", [])) <= tools, "tools that are in no list:", wanted)
    check({p["name"] for p in wanted.get("prompts", [])} <= prompts, "prompts that are in no list:", wanted)
    for resource in wanted.get("resources", []):
        if "{" not in resource["uri"]:
            yield from read(resource["uri"])


def get(skill, learned):
    """The skill, with an argument given for each that is required; and without, which must be refused."""
    name = skill["name"]
    required = [a["name"] for a in skill.get("arguments", []) if a.get("required")]
    given = {argument: f"<{argument}>" for argument in required}
    for argument in required:
        less = {key: value for key, value in given.items() if key != argument}
        error = yield from refused(-32602, "skills/get", name=name, arguments=less)
        check(error["data"]["argument"] == argument, "the error names", error)
        yield from refused(-32602, "skills/get", name=name, arguments={**given, argument: 7})
    got = yield from result("skills/get", name=name, **({"arguments": given} if given else {}))
    shape(got, {"instructions": str}, GOT)
    check(got == (yield from result("skills/get", name=name, arguments=given)), "got again, it is another:", name)
    learned.instructions[name], learned.arguments[name] = got["instructions"], given
    return got


def tour(capabilities):
    shape(capabilities, {"skills": dict})
    shape(capabilities["skills"], {}, {"listChanged": bool})
    learned = Learned()
    tools = {tool["name"] for tool in (yield from pages("tools/list", "tools"))}
    prompts = {prompt["name"] for prompt in (yield from pages("prompts/list", "prompts"))}
    for skill in (yield from pages("skills/list", "skills")):
        shape(skill, {"name": str}, SKILL)
        learned.names.append(skill["name"])
        got = yield from get(skill, learned)
        check(got.get("dependencies") == skill.get("dependencies"), "listed and got depend on other things:", skill)
        yield from check_dependencies(got.get("dependencies", {}), tools, prompts)
        for file in got.get("files", []):
            learned.files[file["uri"]], mime_type = yield from read(file["uri"])
            check(mime_type == file["mimeType"] and file["uri"].endswith("/" + file["name"]), "not as listed:", file)
    error = yield from refused(-32602, "skills/get", name="no-such-skill")
    check(error["data"]["name"] == "no-such-skill", "the error names", error)
    yield from refused(-32602, "skills/get")
    return learned
