"""names.py - whatever a dialect lists can be read, by what it is listed as, whatever it is called. (defects 7 and 8)

The device is made here: names with all that a URI, a JSON string or a path treats in a way of its own, names that come
again in other folders, skills inside skills, one of them not listed, and skills that only their path tells apart.
[SK-A-06] [SK-A-12] [SK-B-07] [SK-C-06] [SK-D-05] [SK-E-03] [SK-E-04] [SK-F-06] [SK-F-07] [SK-F-08] [SK-V-09] [SK-W-08]
[SK-X-06] [SK-X-20]"""

import base64
import shutil
from urllib.parse import unquote

import unpack
from collisions import Server
from client.check import check
from client.programs import PUMP
from folders import WORK, Device
from mcp import content
from wire import WIRES

NAMES = ("100%.txt", "%41.txt", "%2F.txt", "%2f", "%", "%%", "ends-in-%", "%zz.md", "%00.txt", "%5C.txt", "%2e%2e.txt", "a b.txt",
         " first.txt", "ümläut ✓.md", "😀.bin", "a+b.txt", "a#b.txt", "a?b.txt", "a&b=c;d,e@!$'()*.txt", "[x]{y}|z^.txt",
         'a "quoted" name.md', "..hidden", "...", "...txt", ".dot", "no-extension", "x.tar.gz", "one.md", "sub/one.md",
         "sub/sub/one.md", "sub/one", "sub/a.b", "deep/a.b", "sub/a.b.c", "deep/a.b.c", "sub/%41.txt", "%25/%.md", "deep/er/and deeper/x.md", "assets/one.md", "assets/logo.png",
         "references/%.md", "references/100%", "scripts/one.md", "scripts/a b.lua")
SKILLS = ("names", "names/inner", "names/inner/innermost", "names/hidden", "east/line 1%/twin", "west/line 1%/twin")


def folder():
    """Each file's content is its path, or bytes that no text has."""
    top = WORK / "names"
    shutil.rmtree(top, ignore_errors=True)
    for skill in SKILLS:
        for name in NAMES:
            file = top / "skills" / skill / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(f"{skill}/{name}\n".encode() + (b"\xff\0" if name.endswith((".bin", ".png")) else b""))
        name = skill.rpartition("/")[2]
        listed = "metadata:\n  dev.skillrom/listed: \"false\"\n" if name == "hidden" else ""
        (top / "skills" / skill / "SKILL.md").write_text(f"---\nname: {name}\ndescription: Of {skill}.\n{listed}---\nRead.\n")
    (top / "device.json").write_text('{"name": "names", "version": "1"}\n')
    return top


class Reader(Server):
    """A server, and the folder that its image was made of."""

    def __init__(self, connection, modern, device):
        super().__init__(connection, modern)
        self.device = device
        self.paths = [entry["uri"].removeprefix("skill://").removesuffix("/SKILL.md")
                      for entry in self.pages("skills/list", "skills")] + ["names/hidden"]
        check(sorted(map(unquote, self.paths)) == sorted(SKILLS), "skills are", self.paths)

    def truth(self, path):
        return (self.device.folder / "skills" / path).read_bytes()

    def below(self, path):
        """What lies in a skill's folder, but its SKILL.md, in the order of bytes."""
        top = self.device.folder / "skills" / unquote(path)
        files = {str(file.relative_to(top)) for file in top.rglob("*") if file.is_file()}
        return sorted(files - {"SKILL.md"}, key=str.encode)

    def read(self, uri):
        """Gives back the path on disk of what is there, having compared it."""
        (got,) = self.result("resources/read", uri=uri)["contents"]
        path = unquote(uri.removeprefix("skill://"))
        check(content(got, uri) == self.truth(path), uri, "is not what the folder has")
        return path

    def read_all(self, uris, wanted):
        check(sorted(map(self.read, uris)) == sorted(wanted), "listed are", uris)

    def whole(self, path):
        return [f"{unquote(path)}/{file}" for file in ["SKILL.md", *self.below(path)]]


def manifest(reader):
    """A, and B's index."""
    for path in reader.paths:
        entry = reader.result("skills/get", uri=f"skill://{path}/SKILL.md")["skill"]
        reader.read_all([item["uri"] for item in entry["resources"]], reader.whole(path))
    for entry in reader.index()["skills"]:
        reader.read_all([item["uri"] for item in entry["resources"]], reader.whole(entry["url"][len("skill://"):-len("/SKILL.md")]))


def directories(reader):
    def walk(uri):
        children = reader.result("resources/directory/read", uri=uri)["resources"]
        for child in children:
            check(unquote(child["uri"].rpartition("/")[2]) == child["name"], "named otherwise:", child)
        return [uri for child in children for uri in (walk(child["uri"]) if child["mimeType"] == "inode/directory" else [child["uri"]])]

    for path in reader.paths:
        reader.read_all(walk(f"skill://{path}"), reader.whole(path))


def archives(reader):
    """B: both kinds hold the files under the names that they have on disk."""
    for path in reader.paths:
        for suffix in unpack.SUFFIXES:
            (got,) = reader.result("resources/read", uri=f"skill://{path}{suffix}")["contents"]
            files = unpack.files(content(got, got["uri"]), got["mimeType"])
            check(sorted(files) == sorted(["SKILL.md", *reader.below(path)]), "packed are", list(files))
            for name, data in files.items():
                check(data == reader.truth(f"{unquote(path)}/{name}"), name, "is another file in", got["uri"])


def scoped_list(reader):
    """C."""
    for path in reader.paths:
        listed, more = [], {}
        while not listed or more:
            page = reader.result("resources/list", uri=f"skill://{path}/", **more)
            listed += page["resources"]
            more = {"cursor": page["nextCursor"]} if "nextCursor" in page else {}
        reader.read_all([item["uri"] for item in listed], reader.whole(path))


def files_by_uri(reader):
    """D, and the tool for hosts that know no skills, which takes the names that D lists."""
    for path in reader.paths:
        files = reader.result("skills/get", name=path)["files"]
        check([file["name"] for file in files] == reader.below(path), "files are", files)
        for file in files:
            check(reader.read(file["uri"]) == f"{unquote(path)}/{file['name']}", "another file:", file)
            got = reader.result("tools/call", name="read_skill", arguments={"name": path, "path": file["name"]})["content"][0]
            data = reader.truth(f"{unquote(path)}/{file['name']}")
            check(got["text"].encode() in (data, base64.b64encode(data)), "read_skill gives", got)


def scoped(reader):
    """E: nothing of it is in a list; what is a skill is among the skills (defect 7)."""
    top = {item["uri"] for item in reader.pages("resources/list", "resources")}
    for path in reader.paths:
        contents = reader.result("skills/activate", name=path)["contents"]
        uris = [item["uri"] for item in contents["resources"]]
        check(not top & set(uris), "scoped and at the top:", top & set(uris))
        reader.read_all(uris, [file for file in reader.whole(path) if not file.endswith("/SKILL.md")])
        inside = [s.rpartition("/")[2] for s in SKILLS if s.rpartition("/")[0] == unquote(path)]
        check(sorted(skill["name"] for skill in contents.get("skills", [])) == sorted(inside), "skills inside are", contents)


def reference(reader, path, name):
    return reader.connection.exchange("skills/read_reference", {"name": path, "reference": name}, reader.modern)


def by_path_and_name(reader):
    """F: by path always; by name when it is the only one, and else the error has the paths to choose from (defect 8)."""
    for path in reader.paths:
        skill = reader.result("skills/read", name=path)["skill"]
        listed = [file for part in ("scripts", "references", "assets") for file in skill.get(part, [])]
        check(sorted(file["path"] for file in listed) == sorted(reader.below(path)), "listed are", listed)
        for file in listed:
            got = reference(reader, path, file["path"]).get("result", {}).get("content", {"uri": "?"})
            check(reader.read(got["uri"]) == f"{unquote(path)}/{file['path']}", "by path:", file, got)
            named = reference(reader, path, file["name"])
            if "error" in named:
                check(named["error"]["code"] == -32004 and named["error"]["data"]["name"] == path
                     and named["error"]["data"]["reference"] == file["name"], "refused with", named)
                candidates = named["error"]["data"]["candidates"]
                check(file["path"] in candidates and len(candidates) > 1, "of", file, "candidates are", candidates)
                check({c.rpartition("/")[2] for c in candidates} >= {file["name"]}, "not so called:", candidates)
            else:
                got = named["result"]["content"]
                check(reader.read(got["uri"]).rpartition("/")[2] == file["name"], "by name:", file, got["uri"])


def with_connection(function, wire, program, device, modern):
    with WIRES[wire](program, device.image) as connection:
        function(Reader(connection, modern, device))


def run(test):
    device = Device("names", folder())
    for function in (manifest, directories, archives, scoped_list, files_by_uri, scoped, by_path_and_name):
        for wire in WIRES:
            for era, modern in (("legacy", False), ("modern", True)):
                name = f"what is listed can be read: {function.__name__.replace('_', ' ')}, {wire}, {era}"
                test(name, with_connection, function, wire, PUMP, device, modern)
