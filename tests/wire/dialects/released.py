"""The released extension: skills/list and skills/get by URI, verified reads, directories.

A host of this dialect trusts nothing: it compares every entry with the SKILL.md that it read, and every file with its
digest and size. [SK-A-01] [SK-A-03] [SK-A-04] [SK-A-05] [SK-A-09] [SK-A-10] [SK-A-11] [SK-A-12] [SK-A-13] [SK-A-14]
[SK-V-60] [SK-W-06]"""

from client.check import check
from mcp import DIGEST, Learned, fits, frontmatter, pages, read, read_verified, refused, result, shape

EXTENSION = "io.modelcontextprotocol/skills"
ENTRY = ("uri", "frontmatter", "resources")


def settings(capabilities):
    shape(capabilities, {"resources": dict, "extensions": dict})
    fits(capabilities["extensions"].get(EXTENSION), dict, "the settings")
    return capabilities["extensions"][EXTENSION]


def root_of(entry):
    check(entry["uri"].startswith("skill://") and entry["uri"].endswith("/SKILL.md"), "no skill's URI:", entry["uri"])
    return entry["uri"].removesuffix("/SKILL.md")


def check_entry(entry):
    shape(entry, {"uri": str, "frontmatter": dict, "resources": (list, str)})
    shape(entry["frontmatter"], {"name": str, "description": str})
    check(root_of(entry).split("/")[-1] == entry["frontmatter"]["name"], "URI and name differ:", entry["uri"])
    if isinstance(entry["resources"], str):
        check(entry["resources"] == "dynamic", "neither a manifest nor dynamic:", entry["resources"])
        return []
    for item in entry["resources"]:
        shape(item, {"uri": str, "digest": DIGEST, "size": int})
        check(item["uri"].startswith(root_of(entry) + "/"), item["uri"], "lies outside", root_of(entry))
    uris = [item["uri"] for item in entry["resources"]]
    check(uris[0] == entry["uri"] and len(set(uris)) == len(uris), "no manifest:", uris)
    check(uris[1:] == sorted(uris[1:], key=str.encode), "not in byte order:", uris)
    return entry["resources"]


def walk(directory):
    """The URIs and sizes of all files below."""
    found = {}
    for child in (yield from pages("resources/directory/read", "resources", uri=directory)):
        shape(child, {"uri": str, "name": str, "mimeType": str}, {"size": int})
        check(child["uri"] == directory + "/" + child["name"], child["uri"], "is not a child of", directory)
        if child["mimeType"] == "inode/directory":
            found |= yield from walk(child["uri"])
        else:
            found[child["uri"]] = child["size"]
    return found


def visit(entry, learned, directories):
    """Everything about one skill."""
    manifest = check_entry(entry)
    again = (yield from result("skills/get", uri=entry["uri"]))["skill"]
    check(again == entry, "listed and got differ:", again)
    for item in manifest:
        data, _ = yield from read_verified(item["uri"], item["digest"])
        check(len(data) == item["size"], item["uri"], "has", len(data), "bytes")
        learned.files[item["uri"]] = data
    skill_md, mime_type = yield from read(entry["uri"])
    check(mime_type == "text/markdown", "a SKILL.md of type", mime_type)
    check(frontmatter(skill_md) == entry["frontmatter"], "SKILL.md says", frontmatter(skill_md))
    learned.names.append(entry["frontmatter"]["name"])
    if directories and manifest:
        found = yield from walk(root_of(entry))
        check(found == {item["uri"]: item["size"] for item in manifest}, "directories hold", found)


def tour(capabilities):
    learned = Learned()
    directories = settings(capabilities).get("directoryRead", False)
    fits(directories, bool, "directoryRead")
    listed = yield from pages("skills/list", "skills")
    check([root_of(e) for e in listed] == sorted(root_of(e) for e in listed), "not in order of paths")
    for entry in listed:
        yield from visit(entry, learned, directories)
    error = yield from refused(-32602, "skills/get", uri="skill://no-such-skill/SKILL.md")
    check(error["data"]["uri"] == "skill://no-such-skill/SKILL.md", "the error names", error)
    yield from refused(-32602, "skills/get", uri=root_of(listed[0]))
    yield from refused(-32602, "resources/directory/read", uri=listed[0]["uri"])
    return learned
