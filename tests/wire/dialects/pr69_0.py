"""Dialect C0, the first commits of PR #69: resources/list within skill://, and within one skill.

[SK-C-06] [SK-C-07] [SK-W-09]"""

from client.check import check
from mcp import Learned, frontmatter, pages, read, refused, shape

EXTENSION = "io.modelcontextprotocol/skills"
RESOURCE = {"uri": str, "name": str}
OPTIONAL = {"description": str, "mimeType": str, "size": int, "annotations": dict}


def tour(capabilities):
    check(isinstance(capabilities["extensions"][EXTENSION], dict), "the extension is not declared:", capabilities)
    learned = Learned()
    for skill in (yield from pages("resources/list", "resources", uri="skill://")):
        shape(skill, RESOURCE, OPTIONAL)
        check(skill["uri"].startswith("skill://") and skill["uri"].endswith("/SKILL.md"), "no skill:", skill)
        data, mime_type = yield from read(skill["uri"])
        fields = frontmatter(data)
        check((skill["name"], skill["description"]) == (fields["name"], fields["description"]), "SKILL.md is not as", skill)
        check(mime_type == skill["mimeType"] == "text/markdown", "a SKILL.md of type", mime_type)
        learned.names.append(skill["name"])
        root = skill["uri"].removesuffix("SKILL.md")
        files = yield from pages("resources/list", "resources", uri=root)
        check(files == (yield from pages("resources/list", "resources", uri=root[:-1])), "a slash matters to", root)
        for item in files:
            shape(item, RESOURCE, OPTIONAL)
            check(item["uri"].startswith(root), item["uri"], "lies outside", root)
            data, mime_type = yield from read(item["uri"])
            check((len(data), mime_type) == (item["size"], item["mimeType"]), item["uri"], "is not as listed")
            learned.files[item["uri"]] = data
        check(skill["uri"] in learned.files, root, "has no SKILL.md in its list")
    yield from refused(-32602, "resources/list", uri="skill://no-such-skill/")
    yield from refused(-32602, "resources/list", uri=root + "SKILL.md")
    yield from refused(-32602, "resources/list", uri=7)
    return learned
