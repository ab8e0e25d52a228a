"""Dialect B2, the middle SEP-2640 drafts: index entries with frontmatter, a digest, and archives to choose from.

Each skill is taken from its SKILL.md, and once more from each archive; both must be the same.
[SK-B-04] [SK-B-06] [SK-B-07] [SK-B-08] [SK-B-09] [SK-B-12] [SK-X-08] [SK-X-10]"""

import json
import re

import unpack
from client.check import check
from mcp import DIGEST, Learned, frontmatter, read, read_verified, shape

EXTENSION = "io.modelcontextprotocol/skills"
ARCHIVE = {"url": str, "mimeType": re.compile("application/(gzip|zip)"), "digest": DIGEST}


def declared(capabilities):
    for place in ("extensions", "experimental"):
        if EXTENSION in capabilities.get(place, {}):
            return
    check(False, "the extension is not declared:", capabilities)


def is_skill(entry):
    """An entry without the required member is none, whatever else it has."""
    return isinstance(entry.get("frontmatter"), dict)


def check_entry(entry):
    shape(entry["frontmatter"], {"name": str, "description": str})
    shape(entry, {}, {"url": str, "digest": DIGEST, "archives": [lambda archive: shape(archive, ARCHIVE)]})
    check(("url" in entry) == ("digest" in entry), "url and digest go together:", entry)
    check("url" in entry or entry.get("archives"), "no way to the skill:", entry)


def take_archives(entry, root, learned):
    """Every archive has the files that are addressable below the skill."""
    for archive in entry["archives"]:
        data, mime_type = yield from read_verified(archive["url"], archive["digest"])
        check(mime_type == archive["mimeType"], archive["url"], "is of type", mime_type)
        files = unpack.files(data, mime_type)
        for path, inside in files.items():
            alone, _ = yield from read(f"{root}/{path}")
            check(alone == inside, path, "is another file in", archive["url"])
            learned.files[f"{root}/{path}"] = inside


def tour(capabilities):
    declared(capabilities)
    learned = Learned()
    text, _ = yield from read("skill://index.json")
    for entry in filter(is_skill, json.loads(text)["skills"]):
        check_entry(entry)
        data, _ = yield from read_verified(entry["url"], entry["digest"])
        check(frontmatter(data) == entry["frontmatter"], "SKILL.md says", frontmatter(data))
        learned.names.append(entry["frontmatter"]["name"])
        yield from take_archives(entry, entry["url"].removesuffix("/SKILL.md"), learned)
    check(len(set(learned.names)) == len(learned.names), "a skill twice:", learned.names)
    return learned
