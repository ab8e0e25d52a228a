"""doubt.py - do the models notice? Each is given one response that was tampered with, and must complain.

A model that takes everything would pass every other test."""

import copy
import json

from client.check import Ended, Failed, check

GONE = object()
INDEX = "skill://index.json"

# Where: a method, or the index as a document. Which member of the result, and what it becomes.
SPOILED = {
    "released": (("skills/list", "skills.0.uri", GONE), ("skills/list", "skills.0.frontmatter", GONE),
          ("skills/list", "skills.0.resources", GONE), ("skills/list", "skills.0.resources", "later"),
          ("skills/list", "skills.0.resources.1.digest", "sha256:" + 64 * "0"), ("skills/list", "skills.0.resources.1", GONE),
          ("skills/list", "skills.0.resources.1.size", 1), ("skills/list", "skills.0.frontmatter.description", "Other."),
          ("skills/get", "skill.frontmatter.license", "None"), ("resources/read", "contents.0.text", "---\n---\n"),
          ("resources/read", "contents.0.uri", "skill://other/SKILL.md"), ("resources/directory/read", "resources.0", GONE)),
    "sep2640_draft1": (("index", "$schema", GONE), ("index", "skills.0.name", GONE), ("index", "skills.0.type", GONE),
           ("index", "skills.0.description", GONE), ("index", "skills.0.url", GONE), ("index", "skills.0.digest", GONE),
           ("index", "skills.0.digest", "sha256:" + 64 * "0"), ("resources/list", "resources", [])),
    "sep2640_draft2": (("index", "skills.0.digest", GONE), ("index", "skills.0.frontmatter.license", "None"),
           ("index", "skills.0.archives.0.digest", "sha256:" + 64 * "0"), ("index", "skills.0.archives.1.mimeType", GONE),
           ("index", "skills.0.archives.1.url", "skill://pump/clear-fault.zip"), ("index", "skills.0.frontmatter", GONE)),
    "sep2640_draft3": (("index", "skills.0.resources.0.digest", GONE), ("index", "skills.0.resources.1", GONE),
           ("index", "skills.0.resources.0.digest", "sha256:" + 64 * "0"), ("index", "skills.0.frontmatter.name", GONE)),
    "pr69_0": (("resources/list", "resources.0.name", GONE), ("resources/list", "resources.0.name", "other"),
           ("resources/list", "resources.0.uri", INDEX), ("resources/list", "resources.0.description", "Other.")),
    "pr69_1": (("index", "$schema", "https://schemas.agentskills.io/discovery/0.1.0/schema.json"),
           ("index", "skills.0.url", GONE), ("index", "skills.0.description", "Other."),
           ("resources/templates/list", "resourceTemplates", [])),
    "sep2076": (("skills/list", "skills.0.name", GONE), ("skills/list", "skills.0.tags", "pump"),
          ("skills/list", "skills.0.dependencies", GONE), ("skills/get", "instructions", GONE),
          ("skills/get", "instructions", "Do as you like."), ("skills/get", "files.0.uri", GONE), ("tools/list", "tools", []),
          ("prompts/list", "prompts", [])),
    "pr86": (("skills/list", "skills.0.description", GONE), ("skills/list", "skills.0.name", "Daily_Check"),
          ("skills/activate", "instructions", GONE), ("skills/activate", "contents.resources.0.uri", GONE),
          ("skills/activate", "contents.prompts", []), ("skills/activate", "contents.tools", [{"name": "line_status"}]),
          ("skills/activate", "contents.tools", [{"name": "line_status", "inputSchema": {"type": "object"}}]),
          ("tools/list", "tools.0", GONE)),
    "skills_page": (("skills/list", "skills.0.description", GONE), ("skills/list", "skills.0.instructions", "A body."),
          ("skills/read", "skill.instructions", GONE), ("skills/read", "skill.references.0.description", GONE),
          ("skills/read", "skill.references.0.description", ""), ("skills/read", "skill.assets", []),
          ("skills/read", "skill.metadata.author", 7), ("skills/read_reference", "content.text", "Other."),
          ("skills/execute", "isError", GONE), ("skills/execute", "content.0.type", "file")),
}


def change(value, path, new):
    """The value with one member changed or gone; None when it has no such place."""
    value = copy.deepcopy(value)
    *steps, last = [int(step) if step.isdigit() else step for step in path.split(".")]
    place = value
    for step in steps:
        if not (step < len(place) if isinstance(step, int) else step in place):
            return None
        place = place[step]
    if new is GONE:
        if not (last < len(place) if isinstance(last, int) else last in place):
            return None
        del place[last]
    else:
        place[last] = new
    return value


def spoiler(where, path, new):
    """Tampers with the first response that it fits."""
    done = []

    def spoil(method, params, response):
        if done or "result" not in response:
            return response
        if where == "index" and params.get("uri") == INDEX and method == "resources/read":
            content = response["result"]["contents"][0]
            changed = change(json.loads(content["text"]), path, new)
            spoiled = change(response, "result.contents.0.text", json.dumps(changed))
        else:
            doubted = where == method and params.get("uri") != INDEX
            spoiled = change(response, "result." + path, new) if doubted else None
        if spoiled is None:
            return response
        done.append(method)
        return spoiled

    return spoil, done


def notices(hear_all, dialect, where, path, new):
    spoil, done = spoiler(where, path, new)
    noticed = False
    try:
        hear_all(dialect, spoil)
    except Ended:
        raise
    except (Failed, KeyError, ValueError):
        noticed = True
    check(done, "no answer has", path)
    check(noticed, "a client took it")


def run(test, hear_all):
    for dialect, spoils in SPOILED.items():
        for where, path, new in spoils:
            what = "gone" if new is GONE else f"changed to {new!r:.40}"
            test(f"{dialect} notices {where} {path} {what}", notices, hear_all, dialect, where, path, new)
