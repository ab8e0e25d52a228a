"""Dialect B3, the last SEP-2640 drafts: index entries with uri, frontmatter and a complete list of files.

There are no archives any more; a directory can be listed where the server says so. [SK-B-05] [SK-B-09] [SK-B-11]
[SK-B-12] [SK-B-13]"""

import json

from client.check import check
from mcp import DIGEST, Learned, frontmatter, pages, read, read_verified, shape

EXTENSION = "io.modelcontextprotocol/skills"


def settings(capabilities):
    places = [capabilities.get(place, {}).get(EXTENSION) for place in ("extensions", "experimental")]
    check(any(place is not None for place in places), "the extension is not declared:", capabilities)
    return next(place for place in places if place is not None)


def is_skill(entry):
    return isinstance(entry.get("uri"), str) and isinstance(entry.get("frontmatter"), dict)


def list_directory(uri):
    """All files below; the drafts wrote the root of a skill with a slash after it."""
    found = []
    for child in (yield from pages("resources/directory/read", "resources", uri=uri + "/")):
        if child["mimeType"] == "inode/directory":
            found += yield from list_directory(child["uri"])
        else:
            found.append(child["uri"])
    return found


def visit(entry, directories, learned):
    shape(entry["frontmatter"], {"name": str, "description": str})
    shape(entry, {}, {"resources": [lambda item: shape(item, {"uri": str, "digest": DIGEST})]})
    for item in entry.get("resources", []):
        learned.files[item["uri"]], _ = yield from read_verified(item["uri"], item["digest"])
    check(frontmatter(learned.files[entry["uri"]]) == entry["frontmatter"], "SKILL.md is not as", entry)
    if directories:
        found = yield from list_directory(entry["uri"].removesuffix("/SKILL.md"))
        check(sorted(found) == sorted(item["uri"] for item in entry["resources"]), "directories hold", found)
    learned.names.append(entry["frontmatter"]["name"])


def tour(capabilities):
    learned = Learned()
    directories = settings(capabilities).get("directoryRead", False)
    text, _ = yield from read("skill://index.json")
    for entry in filter(is_skill, json.loads(text)["skills"]):
        yield from visit(entry, directories, learned)
    scanned = [item["uri"] for item in (yield from pages("resources/list", "resources"))]
    check(set(learned.files) & set(scanned) == {u for u in learned.files if u.endswith("/SKILL.md")},
         "a scan of resources/list for SKILL.md finds other skills:", scanned)
    return learned
