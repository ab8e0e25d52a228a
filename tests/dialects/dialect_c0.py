"""Dialect C0, the first commits of PR #69: resources/list within skill://, and within one skill.

[SK-C-06] [SK-C-07] [SK-W-09]"""

from mcp import Learned, frontmatter, need, pages, read, refused, shape

EXTENSION = "io.modelcontextprotocol/skills"
RESOURCE = {"uri": str, "name": str}
OPTIONAL = {"description": str, "mimeType": str, "size": int, "annotations": dict}


def tour(capabilities):
    need(isinstance(capabilities["extensions"][EXTENSION], dict), "the extension is not declared:", capabilities)
    learned = Learned()
    for skill in (yield from pages("resources/list", "resources", uri="skill://")):
        shape(skill, RESOURCE, OPTIONAL)
        need(skill["uri"].startswith("skill://") and skill["uri"].endswith("/SKILL.md"), "no skill:", skill)
        data, mime_type = yield from read(skill["uri"])
        fields = frontmatter(data)
        need((skill["name"], skill["description"]) == (fields["name"], fields["description"]), "SKILL.md is not as", skill)
        need(mime_type == skill["mimeType"] == "text/markdown", "a SKILL.md of type", mime_type)
        learned.names.append(skill["name"])
        root = skill["uri"].removesuffix("SKILL.md")
        files = yield from pages("resources/list", "resources", uri=root)
        need(files == (yield from pages("resources/list", "resources", uri=root[:-1])), "a slash matters to", root)
        for item in files:
            shape(item, RESOURCE, OPTIONAL)
            need(item["uri"].startswith(root), item["uri"], "lies outside", root)
            data, mime_type = yield from read(item["uri"])
            need((len(data), mime_type) == (item["size"], item["mimeType"]), item["uri"], "is not as listed")
            learned.files[item["uri"]] = data
        need(skill["uri"] in learned.files, root, "has no SKILL.md in its list")
    yield from refused(-32602, "resources/list", uri="skill://no-such-skill/")
    yield from refused(-32602, "resources/list", uri=root + "SKILL.md")
    yield from refused(-32602, "resources/list", uri=7)
    return learned
