"""Dialect B1, the first SEP-2640 drafts: skill://index.json with typed entries.

Skills come as files, as packed archives, or as templates that a person fills in. Entries of a type that this client
does not know are skipped. [SK-B-01] [SK-B-02] [SK-B-03] [SK-B-06] [SK-B-07] [SK-B-08] [SK-B-09] [SK-B-12] [SK-W-11]"""

import json

import unpack
from client.check import check
from mcp import DIGEST, Learned, fits, frontmatter, links, pages, read, read_verified, result, shape

EXTENSION = "io.modelcontextprotocol/skills"
INDEX = "skill://index.json"
SCHEMA = "https://schemas.agentskills.io/discovery/0.2.0/schema.json"


def declared(capabilities):
    """Some SDKs drop capabilities that they do not know, so the extension is looked for in two places."""
    places = [capabilities.get(place, {}).get(EXTENSION) for place in ("extensions", "experimental")]
    check(all(isinstance(place, dict) for place in places), "declared as", places)


def take_skill(entry, learned):
    shape(entry, {"name": str, "description": str, "url": str, "digest": DIGEST})
    data, _ = yield from read_verified(entry["url"], entry["digest"])
    root = entry["url"].removesuffix("SKILL.md")
    check(root.split("/")[-2] == entry["name"] == frontmatter(data)["name"], "three names:", entry["url"])
    learned.names.append(entry["name"])
    learned.files[entry["url"]] = data
    for path in links(data):
        learned.files[root + path], _ = yield from read(root + path)


def take_archive(entry, learned):
    shape(entry, {"name": str, "description": str, "url": str, "digest": DIGEST})
    data, mime_type = yield from read_verified(entry["url"], entry["digest"])
    root = unpack.without_suffix(entry["url"])
    check(root.split("/")[-1] == entry["name"], entry["url"], "is not named after", entry["name"])
    files = unpack.files(data, mime_type)
    check(frontmatter(files["SKILL.md"])["name"] == entry["name"], "another skill is packed in", entry["url"])
    for path, inside in files.items():
        alone, _ = yield from read(f"{root}/{path}")
        check(alone == inside, path, "is another file in", entry["url"])
        learned.files[f"{root}/{path}"] = inside


def take_template(entry, learned, templates):
    shape(entry, {"description": str, "url": str})
    check("name" not in entry and "digest" not in entry, "more than a template:", entry)
    check(entry["url"] in templates, entry["url"], "is in no list of templates")
    reference = {"type": "ref/resource", "uri": entry["url"]}
    found = (yield from result("completion/complete", ref=reference, argument={"name": "name", "value": ""}))["completion"]
    check(found["values"], "nothing fits", entry["url"])
    for name in found["values"]:
        uri = entry["url"].replace("{name}", name)
        learned.files[uri], _ = yield from read(uri)


def tour(capabilities):
    declared(capabilities)
    learned = Learned()
    listed = [item["uri"] for item in (yield from pages("resources/list", "resources"))]
    check(listed.count(INDEX) == 1, "the index is not in", listed)
    templates = [t["uriTemplate"] for t in (yield from pages("resources/templates/list", "resourceTemplates"))]
    text, mime_type = yield from read(INDEX)
    check(mime_type == "application/json", "an index of type", mime_type)
    index = json.loads(text)
    shape(index, {"$schema": str, "skills": [dict]})
    check(index["$schema"] == SCHEMA, "another schema:", index["$schema"])
    for entry in index["skills"]:
        fits(entry.get("type"), str, "type")
        if entry["type"] == "skill-md":
            yield from take_skill(entry, learned)
        elif entry["type"] == "archive":
            yield from take_archive(entry, learned)
        elif entry["type"] == "mcp-resource-template":
            yield from take_template(entry, learned, templates)
    response = yield "resources/read", {"uri": "skill://no-such-skill.tar.gz"}
    check(response["error"]["code"] in (-32602, -32002), "an unknown archive gave", response)
    return learned
