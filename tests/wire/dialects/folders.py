"""folders.py - the devices that are served, and what their folders say: the truth that models are compared with."""

import json
import re
import shutil

import mcp
from client.programs import ROOT, pack

WORK = ROOT / "build" / "dialects"


class Device:
    """A packed folder."""

    def __init__(self, name, folder, *options):
        self.folder = folder
        WORK.mkdir(parents=True, exist_ok=True)
        self.image = pack(folder, WORK / f"{name}.rom", *options)
        self.skills = {}  # path to SKILL.md, in byte order of paths
        for file in sorted(folder.glob("skills/**/SKILL.md"), key=lambda file: str(file.parent).encode()):
            self.skills[str(file.parent.relative_to(folder / "skills"))] = file.read_bytes()

    def flags(self, path):
        return mcp.frontmatter(self.skills[path]).get("metadata", {})

    def names(self, indexed):
        """The listed skills; indexed: without those whose content is made at run time."""
        return [path.split("/")[-1] for path in self.skills
                if self.flags(path).get("dev.skillrom/listed") != "false"
                and not (indexed and self.flags(path).get("dev.skillrom/dynamic") == "true")]

    def file(self, uri):
        return (self.folder / "skills" / uri.removeprefix("skill://")).read_bytes()

    def instructions(self, name, arguments):
        """The body of the only skill with this name, with its placeholders filled as the folder's author declared."""
        (path,) = (path for path in self.skills if path.split("/")[-1] == name)
        body = self.skills[path].decode().split("\n---\n", 1)[1]
        text = re.sub(r"\A(?:[ \t\r]*\n)+|(?:\r?\n[ \t]*)+\Z", "", body)  # blank lines around it go
        return fill(text, self.flags(path), arguments)


def fill(text, flags, given):
    """Only declared arguments are replaced, and what replaces them is not looked at again."""
    if given is None:
        return text
    declared = {a["name"]: a.get("default", "") for a in json.loads(flags.get("dev.skillrom/arguments", "[]"))}
    values = {**declared, **{name: value for name, value in given.items() if name in declared}}
    return re.sub(r"\{\{([a-z][a-z0-9_]*)\}\}", lambda m: values.get(m[1], m[0]), text)


def without_twins():
    """The device of the wire tests that has every field, less one of its two skills of the same name: a client that
    knows skills by name cannot have both."""
    source, folder = ROOT / "tests" / "wire" / "devices" / "dialects", WORK / "every-field"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(source, folder)
    shutil.rmtree(folder / "skills" / "west")
    return folder
