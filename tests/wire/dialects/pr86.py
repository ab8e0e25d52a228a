"""MCP-native skills (PR #86): skills/activate, with tools, prompts, resources and skills of its own.

[SK-E-01] [SK-E-02] [SK-E-03] [SK-E-04] [SK-E-05] [SK-E-07] [SK-E-08] [SK-E-09] [SK-X-21]"""

from client.check import check
from mcp import SKILL_NAME, Learned, pages, read, refused, result, shape

LISTED = {"name": SKILL_NAME, "description": str}
TOOL = {"name": str, "inputSchema": dict}
RESOURCE = {"uri": str, "name": str}
CONTENTS = {
    "tools": [lambda tool: shape(tool, TOOL, {"title": str, "description": str, "annotations": dict})],
    "prompts": [lambda prompt: shape(prompt, {"name": str}, {"arguments": [lambda a: shape(a, {"name": str})]})],
    "resources": [lambda resource: shape(resource, RESOURCE, {"mimeType": str, "size": int, "description": str})],
    "skills": [lambda skill: shape(skill, LISTED, {"title": str})],
}
SAMPLES = {"integer": 1, "number": 1, "string": "x", "boolean": False}


def arguments_for(schema):
    """What a model might fill in: the least that the schema asks for."""
    kinds = {name: schema["properties"][name] for name in schema.get("required", [])}
    return {name: kind.get("minimum", SAMPLES[kind["type"]]) for name, kind in kinds.items()}


def use_tool(tool):
    """It can be called like any other, and is as particular about its arguments."""
    check(tool["inputSchema"].get("type") == "object", "a schema of", tool["inputSchema"])
    arguments = arguments_for(tool["inputSchema"])
    called = yield from result("tools/call", name=tool["name"], arguments=arguments)
    shape(called, {"content": [lambda block: shape(block, {"type": str})]}, {"isError": bool})
    check(not called.get("isError"), tool["name"], "failed:", called)
    if arguments:
        called = yield from result("tools/call", name=tool["name"], arguments={name: {} for name in arguments})
        check(called.get("isError") is True, tool["name"], "took an object for", list(arguments))


def use(contents, learned):
    for tool in contents.get("tools", []):
        yield from use_tool(tool)
    for prompt in contents.get("prompts", []):
        arguments = {a["name"]: "x" for a in prompt.get("arguments", []) if a.get("required")}
        got = yield from result("prompts/get", name=prompt["name"], arguments=arguments)
        check(got["messages"], prompt["name"], "has no messages")
    for resource in contents.get("resources", []):
        data, mime_type = yield from read(resource["uri"])
        check((len(data), mime_type) == (resource["size"], resource["mimeType"]), "not as told:", resource)
        learned.files[resource["uri"]] = data


def top_level():
    """The names of everything that is in a list."""
    tools = yield from pages("tools/list", "tools")
    prompts = yield from pages("prompts/list", "prompts")
    resources = yield from pages("resources/list", "resources")
    return {"tools": [t["name"] for t in tools], "prompts": [p["name"] for p in prompts],
            "resources": [r["uri"] for r in resources]}


def activate(name, listed, learned):
    bundle = yield from result("skills/activate", name=name)
    shape(bundle, {"instructions": str}, {"contents": dict})
    contents = bundle.get("contents", {})
    shape(contents, {}, CONTENTS)
    check(all(contents.values()) and bundle.get("contents") != {}, "an empty member:", contents)
    for kind, key in (("tools", "name"), ("prompts", "name"), ("resources", "uri")):
        scoped = {item[key] for item in contents.get(kind, [])}
        check(not scoped & set(listed[kind]), "scoped and listed:", scoped & set(listed[kind]))
    learned.instructions[name] = bundle["instructions"]
    yield from use(contents, learned)
    check(bundle == (yield from result("skills/activate", name=name)), name, "is another when activated again")
    return [child["name"] for child in contents.get("skills", [])]


def tour(capabilities):
    shape(capabilities, {"skills": dict})
    learned = Learned()
    listed = yield from top_level()
    skills = yield from pages("skills/list", "skills")
    children = set()
    for skill in skills:
        shape(skill, LISTED, {"title": str, "_meta": dict})
        check("contents" not in skill, "contents in a list:", skill)
        learned.names.append(skill["name"])
        children |= set((yield from activate(skill["name"], listed, learned)))
    check(children <= set(learned.instructions), "children that cannot be activated:", children)
    check(listed == (yield from top_level()), "activation changed the lists")
    error = yield from refused(-32602, "skills/activate", name="no-such-skill")
    check(error["data"]["name"] == "no-such-skill", "the error names", error)
    yield from refused(-32602, "skills/activate")
    return learned
