"""Dialect C1, PR #69 as it stood in the end: the index of the Agent Skills discovery format, and templates.

[SK-C-01] [SK-C-02] [SK-C-03] [SK-C-04] [SK-C-05] [SK-C-07] [SK-W-10] [SK-W-11]"""

import json

from client.check import check
from mcp import Learned, fits, frontmatter, links, pages, read, result, shape

EXTENSION = "io.modelcontextprotocol/skills"
SCHEMA = "https://schemas.agentskills.io/discovery/0.2.0/schema.json"


def read_index():
    """The entries of the only type that this dialect knows."""
    text, _ = yield from read("skill://index.json")
    index = json.loads(text)
    shape(index, {"$schema": str, "skills": [dict]})
    check(index["$schema"] == SCHEMA, "not for this client:", index["$schema"])
    return [entry for entry in index["skills"] if entry.get("type") == "skill-md"]


def take_skill(entry, learned):
    shape(entry, {"name": str, "description": str, "url": str})
    root = entry["url"].removesuffix("SKILL.md")
    check(entry["url"].startswith("skill://") and root.endswith(f"/{entry['name']}/"), "URL and name differ:", entry)
    data, _ = yield from read(entry["url"])
    fields = frontmatter(data)
    check((entry["name"], entry["description"]) == (fields["name"], fields["description"]), "SKILL.md is not as", entry)
    learned.names.append(entry["name"])
    learned.files[entry["url"]] = data
    for path in links(data):
        learned.files[root + path], _ = yield from read(root + path)
    return root


def browse(template, learned):
    """What a person sees who types letter by letter."""
    shape(template, {"uriTemplate": str, "name": str}, {"description": str, "mimeType": str})
    reference = {"type": "ref/resource", "uri": template["uriTemplate"]}
    for typed in ("", "c", "no-such-skill"):
        found = yield from result("completion/complete", ref=reference, argument={"name": "name", "value": typed})
        shape(found["completion"], {"values": [str]}, {"total": int, "hasMore": bool})
        for name in found["completion"]["values"]:
            check(name.startswith(typed), name, "does not begin with", typed)
            uri = template["uriTemplate"].replace("{name}", name)
            learned.files[uri], _ = yield from read(uri)


def tour(capabilities):
    fits(capabilities["extensions"][EXTENSION], dict, "the settings")
    learned = Learned()
    roots = []
    for entry in (yield from read_index()):
        roots.append((yield from take_skill(entry, learned)))
    check(not any(a != b and a.startswith(b) for a in roots for b in roots), "a skill inside a skill:", roots)
    templates = yield from pages("resources/templates/list", "resourceTemplates")
    ours = [t for t in templates if t["uriTemplate"].startswith("skill://") and t["uriTemplate"].endswith("{name}/SKILL.md")]
    check({t["uriTemplate"].removesuffix("{name}/SKILL.md") for t in ours}
         >= {root[: root[:-1].rindex("/") + 1] for root in roots}, "a skill without template:", templates)
    for template in ours:
        yield from browse(template, learned)
    return learned
