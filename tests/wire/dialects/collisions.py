"""collisions.py - what one server says where the dialects meet: the same method, name, capability or document.

The device is the one of the wire tests that has every field, a skill that is not listed, one whose content is made at
run time, and two of the same name."""

import json
import shutil

from client.check import check
from client.programs import EXAMPLE, ROOT, PUMP
from folders import WORK, Device
from wire import WIRES

FORM = "dev.skillrom/form"
A_MEMBERS = {"uri", "frontmatter", "resources"}
LEAN_MEMBERS = {"name", "title", "icons", "description", "version", "tags", "keywords", "arguments", "dependencies",
                "annotations"}
EXTENSION = {"io.modelcontextprotocol/skills": {"directoryRead": True}}
FAULT = "skill://plant/clear-fault/SKILL.md"


class Server:
    """One connection, asked in one era."""

    def __init__(self, connection, modern):
        self.connection, self.modern = connection, modern

    def result(self, method, **params):
        response = self.connection.exchange(method, params, self.modern)
        check("result" in response, method, params, "was refused:", response)
        return response["result"]

    def refused(self, code, method, **params):
        response = self.connection.exchange(method, params, self.modern)
        check(response.get("error", {}).get("code") == code, method, params, "was not refused with", code, "but got", response)
        return response["error"]

    def pages(self, method, member, forms=(None,)):
        """All items; each page is asked for in the next of these forms."""
        items, cursor, turn = [], {}, 0
        while True:
            form = forms[turn % len(forms)]
            page = self.result(method, **cursor, **({"_meta": {FORM: form}} if form else {}))
            items += page[member]
            if "nextCursor" not in page:
                return items
            cursor, turn = {"cursor": page["nextCursor"]}, turn + 1

    def index(self):
        return json.loads(self.result("resources/read", uri="skill://index.json")["contents"][0]["text"])


# ---- skills/list ----


def forms(server):
    """[SK-X-01] [SK-X-02] the superset has what the other two have together; [SK-A-18] A's alone is pure A."""
    whole, lean, pure = (server.pages("skills/list", "skills", [form]) for form in (None, "lean", "a"))
    for entry, short, released in zip(whole, lean, pure, strict=True):
        check(released.keys() == A_MEMBERS, "form a has", list(released))
        check({"name", "description"} <= short.keys() <= LEAN_MEMBERS, "form lean has", list(short))
        check(entry == {**released, **short}, "the superset is another:", entry)
        check(not any(value in (None, [], {}, "") for value in short.values()), "nothing to say, and says it:", short)
    check(lean[0].keys() < LEAN_MEMBERS and any(entry.keys() == LEAN_MEMBERS for entry in lean), "not every member is used")
    for other in ("LEAN", "superset", "", 7, None, ["lean"], {"form": "lean"}):
        said = server.result("skills/list", _meta={FORM: other})["skills"]
        check(said == whole[: len(said)], "form", other, "is not ignored")


def forms_share_cursors(server):
    """[SK-X-03] a cursor of one form goes on in another."""
    whole, lean, pure = (server.pages("skills/list", "skills", [form]) for form in (None, "lean", "a"))
    mixed = server.pages("skills/list", "skills", ["lean", None, "a"])
    check(mixed == [(lean, whole, pure)[i % 3][i] for i in range(len(whole))], "other pages when forms take turns:", mixed)


def members_agree(server):
    """[SK-X-04] one thing said twice is the same thing; the index also agrees."""
    for entry in server.pages("skills/list", "skills"):
        check(entry["name"] == entry["frontmatter"]["name"], "two names:", entry)
        check(entry["description"] == entry["frontmatter"]["description"], "two descriptions:", entry)
        check(entry.get("tags") == entry.get("keywords"), "tags and keywords:", entry)
    listed = {entry["uri"]: entry for entry in server.pages("skills/list", "skills")}
    for entry in server.index()["skills"]:
        if "uri" in entry:
            same = {key: listed[entry["uri"]][key] for key in entry.keys() & listed[entry["uri"]].keys()}
            check(same.items() <= entry.items(), "the index says otherwise:", entry)


# ---- skills/get ----


def get_by_parameters(server):
    """[SK-X-05] the table of skills/get."""
    by_uri = server.result("skills/get", uri=FAULT)
    check("skill" in by_uri and "instructions" not in by_uri, "by uri came", by_uri)
    by_name = server.result("skills/get", name="clear-fault", arguments={"line": "1"})
    check("instructions" in by_name and "skill" not in by_name, "by name came", by_name)
    for name in ("clear-fault", "plant/clear-fault"):
        check(server.result("skills/get", uri=FAULT, name=name) == by_uri, "uri and name", name)
    check(server.result("skills/get", uri=FAULT, arguments={"line": "1"}) == by_uri, "arguments are not ignored")
    server.refused(-32602, "skills/get", uri=FAULT, name="prime-pump")
    server.refused(-32602, "skills/get", uri="skill://no-such/SKILL.md", name="clear-fault")
    message = server.refused(-32602, "skills/get")["message"]
    check("uri" in message and "name" in message, "the message names only one:", message)
    for params in ({"uri": 7}, {"uri": None}, {"uri": 7, "name": "clear-fault"}, {"uri": ["x"], "name": 7}, {"name": 7}):
        server.refused(-32602, "skills/get", **params)


# ---- Names ----


def paths_as_names(server):
    """[SK-X-06] wherever a name is taken, the path will do."""
    for method, more in (("skills/get", {"arguments": {"line": "2"}}), ("skills/activate", {}), ("skills/read", {}),
                         ("skills/read_reference", {"reference": "references/limits.md"}),
                         ("skills/execute", {"script": "pressure_test", "arguments": {"line": 2}})):
        by_name = server.result(method, name="clear-fault", **more)
        check(by_name == server.result(method, name="plant/clear-fault", **more), method, "by path gives another")


def twins(server):
    """[SK-X-06] a name of two skills names none; the error tells both, and the path helps."""
    for method, code, more in (("skills/get", -32602, {}), ("skills/activate", -32602, {}), ("skills/read", -32002, {}),
                               ("skills/read_reference", -32002, {"reference": "x.md"}),
                               ("skills/execute", -32002, {"script": "x"})):
        error = server.refused(code, method, name="twin", **more)
        check(error["data"] == {"name": "twin", "candidates": ["east/twin", "west/twin"]}, method, "says", error)
    for side in ("east", "west"):
        check(server.result("skills/get", name=f"{side}/twin")["instructions"] == f"Turn {side}.", "another twin")
        check(server.result("skills/activate", name=f"{side}/twin")["instructions"] == f"Turn {side}.", "another twin")
        check(server.result("skills/read", name=f"{side}/twin")["skill"]["instructions"] == f"Turn {side}.", "another twin")


def not_listed(server):
    """[SK-M-20] [SK-A-09] [SK-A-10] [SK-C-05] who knows the name of an unlisted skill is served, in every dialect."""
    uri = "skill://secret/SKILL.md"
    check(server.result("skills/get", uri=uri)["skill"]["uri"] == uri, "not got by URI")
    check("Hush." in server.result("resources/read", uri=uri)["contents"][0]["text"], "not read")
    for method in ("skills/get", "skills/activate"):
        check(server.result(method, name="secret")["instructions"] == "Hush.", method)
    check(server.result("skills/read", name="secret")["skill"]["instructions"] == "Hush.", "skills/read")
    said = [server.pages("skills/list", "skills"), server.pages("resources/list", "resources"), server.index(),
            server.result("resources/list", uri="skill://"), server.pages("prompts/list", "prompts"),
            server.result("completion/complete", ref={"type": "ref/resource", "uri": "skill://{name}/SKILL.md"},
                          argument={"name": "name", "value": ""})]
    check("secret" not in json.dumps(said), "it is listed")


def made_at_run_time(server):
    """[SK-A-07] [SK-X-11] a skill without manifest is one to A, and no entry of the index."""
    entry = server.result("skills/get", uri="skill://live/SKILL.md")["skill"]
    check(entry["resources"] == "dynamic" and entry["frontmatter"]["name"] == "live", "its entry is", entry)
    check(entry in server.pages("skills/list", "skills"), "it is not listed")
    check("skill://live/" not in json.dumps(server.index()), "it is in the index")


# ---- skill://index.json ----


def index(server):
    """[SK-X-07] [SK-X-08] [SK-X-09] [SK-X-12] [SK-X-13] skills in order, then archives, then templates."""
    document = server.index()
    check(document.keys() == {"$schema", "skills"}, "the root has", list(document))
    kinds = [entry["type"] for entry in document["skills"]]
    check(kinds == ["skill-md"] * 4 + ["archive"] + ["mcp-resource-template"], "kinds in the order", kinds)
    skills, archive, template = document["skills"][:4], document["skills"][4], document["skills"][5]
    listed = [entry["uri"] for entry in server.pages("skills/list", "skills") if entry["resources"] != "dynamic"]
    check([entry["uri"] for entry in skills] == listed, "indexed are", skills)
    for entry in skills:
        check(entry.keys() - {"version"} == {"name", "type", "description", "url", "digest", "archives"} | A_MEMBERS,
             "an entry has", list(entry))
        check(entry["url"] == entry["uri"] and entry["digest"] == entry["resources"][0]["digest"], "two truths:", entry)
    check(archive.keys() == {"name", "type", "description", "url", "digest"}, "an archive has", list(archive))
    check({"url": archive["url"], "mimeType": "application/gzip", "digest": archive["digest"]}
         in next(entry for entry in skills if entry["name"] == "clear-fault")["archives"], "another archive:", archive)
    check(template == {"type": "mcp-resource-template", "description": "Skills of one machine",
                      "url": "skill://plant/{name}/SKILL.md"}, "the template is", template)
    check("urlTemplate" not in json.dumps(document), "a member of one day in June")


# ---- Capabilities, errors, tools ----


def capabilities(server):
    """[SK-X-14] [SK-A-01] [SK-A-02] [SK-B-12] [SK-D-01] [SK-F-01] every dialect's declaration, in both eras alike."""
    declared = server.connection.capabilities(server.modern)
    wanted = {"extensions": EXTENSION, "experimental": EXTENSION, "skills": {"listChanged": False, "scripts": True}}
    check({key: declared.get(key) for key in wanted} == wanted, "declared are", declared)
    check(all(isinstance(declared.get(key), dict) for key in ("resources", "tools", "prompts", "completions")),
         "declared are", declared)
    check(not declared["resources"].get("listChanged"), "a fixed image changes")


def errors(server):
    """[SK-X-17] [SK-A-16] [SK-E-08] [SK-F-11] the code is the method's, for every client."""
    unknown = -32602 if server.modern else -32002
    for code, method, params, data in (
            (-32602, "skills/get", {"uri": "skill://x/SKILL.md"}, {"uri": "skill://x/SKILL.md"}),
            (-32602, "resources/directory/read", {"uri": "skill://x"}, {"uri": "skill://x"}),
            (-32602, "resources/directory/read", {"uri": FAULT}, {"uri": FAULT}),
            (unknown, "resources/read", {"uri": "skill://x/SKILL.md"}, {"uri": "skill://x/SKILL.md"}),
            (-32602, "skills/get", {"name": "x"}, {"name": "x"}),
            (-32602, "skills/activate", {"name": "x"}, {"name": "x"}),
            (-32002, "skills/read", {"name": "x"}, {"name": "x"}),
            (-32002, "skills/read_reference", {"name": "x", "reference": "y"}, {"name": "x"}),
            (-32004, "skills/read_reference", {"name": "clear-fault", "reference": "y"},
             {"name": "clear-fault", "reference": "y"}),
            (-32002, "skills/execute", {"name": "x", "script": "y"}, {"name": "x"}),
            (-32003, "skills/execute", {"name": "clear-fault", "script": "y"},
             {"name": "clear-fault", "script": "y", "reason": "unknown-script"})):
        error = server.refused(code, method, **params)
        check(error.get("data") == data, method, params, "names", error.get("data"))
    for method in ("skills/list", "resources/list", "resources/templates/list", "tools/list", "prompts/list"):
        server.refused(-32602, method, cursor="forged")
    for method in ("skills/activate", "skills/read", "skills/read_reference", "skills/execute"):
        server.refused(-32602, method)
        server.refused(-32602, method, name=7, reference="x", script="x")


def tools(server):
    """[SK-X-18] [SK-X-19] a tool is listed or scoped; a script and its tool are one thing."""
    listed = {tool["name"] for tool in server.pages("tools/list", "tools")}
    contents = server.result("skills/activate", name="clear-fault")["contents"]
    scoped = {tool["name"] for tool in contents["tools"]}
    check(scoped == {"stop_all", "clear-fault.pressure_test"} and not listed & scoped, "listed", listed, "scoped", scoped)
    check("line_status" in listed and "stop_all" not in json.dumps(server.result("skills/get", name="clear-fault",
         arguments={"line": "1"})["dependencies"]), "a dependency that is not listed")
    run = server.result("skills/execute", name="clear-fault", script="pressure_test", arguments={"line": 3})
    called = server.result("tools/call", name="clear-fault.pressure_test", arguments={"line": 3})
    check(run["content"] == called["content"] and not called.get("isError", False), "ran and called:", run, called)
    server.refused(-32602, "skills/execute", name="clear-fault", script="pressure_test", arguments={"line": 9})
    check(server.result("tools/call", name="clear-fault.pressure_test", arguments={"line": 9})["isError"], "line 9 exists")


def children(server):
    """[SK-X-20] [SK-E-05] children are those that the skill names, shaped as in a list."""
    (child,) = server.result("skills/activate", name="clear-fault")["contents"]["skills"]
    check((child["name"], child["description"]) == ("prime-pump", "Prime a dry pump before the first dose."), child)
    check("contents" not in server.result("skills/activate", name="prime-pump"), "the child has children")


def files_of_each_kind(server):
    """[SK-E-06] [SK-F-03] [SK-D-05] every file but SKILL.md is in every dialect's account of the skill once."""
    root = FAULT.removesuffix("SKILL.md")
    entry = server.result("skills/get", uri=FAULT)["skill"]
    files = {item["uri"].removeprefix(root) for item in entry["resources"]} - {"SKILL.md"}
    got = server.result("skills/get", name="clear-fault", arguments={"line": "1"})["files"]
    check([f["name"] for f in got] == sorted(files), "D has", got)
    read = server.result("skills/read", name="clear-fault")["skill"]
    parts = {part: [f["path"] for f in read[part]] for part in ("scripts", "references", "assets")}
    check(sorted(sum(parts.values(), [])) == sorted(files), "F has", parts)
    check(parts == {"scripts": ["scripts/pressure_test.lua"],
                   "references": ["notes.txt", "references/codes.md", "references/limits.md", "references/old/codes.md"],
                   "assets": ["assets/codes.csv", "assets/logo.bin", "scripts/old_test.py"]}, "F sorts them as", parts)
    scoped = server.result("skills/activate", name="clear-fault")["contents"]["resources"]
    check([r["uri"].removeprefix(root) for r in scoped] == sorted(files - {"scripts/pressure_test.lua"}), "E has", scoped)


def annotations(server):
    """[SK-W-12] [SK-M-11] [SK-M-12] [SK-M-13] no _meta on what is listed, and the annotations of its author."""
    (resource,) = (r for r in server.pages("resources/list", "resources") if r["uri"] == FAULT)
    wanted = {"audience": ["user", "assistant"], "priority": 0.5, "lastModified": "2026-10-01T00:00:00Z"}
    (entry,) = (e for e in server.pages("skills/list", "skills") if e["uri"] == FAULT)
    check(resource["annotations"] == entry["annotations"] == wanted, "annotated", resource, entry)
    said = [server.pages("resources/list", "resources"), server.pages("skills/list", "skills"),
            server.pages("resources/templates/list", "resourceTemplates"),
            server.result("resources/read", uri=FAULT)["contents"],
            server.result("resources/directory/read", uri=FAULT.removesuffix("/SKILL.md"))["resources"]]
    check('"_meta"' not in json.dumps(said), "_meta on a skill's resource")


# ---- Other images ----


def another_scheme(server):
    """[SK-V-61] [SK-B-10] all skills are elsewhere, and the index, which stays where it is, has them."""
    base = "plant://site/"
    check(all(entry["uri"].startswith(base) for entry in server.pages("skills/list", "skills")), "another scheme")
    indexed = [entry["url"] for entry in server.index()["skills"]]
    check(indexed and all(url.startswith(base) for url in indexed), "the index has", indexed)
    for entry in server.index()["skills"]:
        for uri in [entry["url"]] + [archive["url"] for archive in entry["archives"]]:
            server.result("resources/read", uri=uri)
    unknown = -32602 if server.modern else -32002
    server.refused(unknown, "resources/read", uri="skill://daily-check/SKILL.md")
    for method, more in (("skills/get", {}), ("skills/activate", {}), ("skills/read", {}),
                         ("skills/read_reference", {"reference": "acceptance"})):
        server.result(method, name="daily-check", **more)


def no_skills(server):
    """[SK-X-14] an image with no skills at all declares none of it."""
    declared = server.connection.capabilities(server.modern)
    check(not {"extensions", "experimental", "skills"} & declared.keys(), "declared are", declared)


SAME_DEVICE = (forms, members_agree, get_by_parameters, paths_as_names, twins, not_listed, made_at_run_time, index,
               capabilities, errors, tools, children, files_of_each_kind, annotations)


def with_connection(function, wire, program, image, modern, options):
    with WIRES[wire](program, image, *options) as connection:
        function(Server(connection, modern))


def without_skills():
    folder = WORK / "no-skills"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "device.json").write_text('{"name": "bare", "version": "1", "panel": false}\n')
    (folder / "tools").mkdir(exist_ok=True)
    shutil.copy(EXAMPLE / "tools/stop_all.json", folder / "tools")  # as the program was built for it
    return folder


def run(test):
    source = ROOT / "tests/wire/devices/dialects"
    device = Device("twins", source)
    elsewhere = Device("elsewhere", EXAMPLE, "--base", "plant://site/")
    bare = Device("no-skills", without_skills())
    cases = [(function, device, ()) for function in SAME_DEVICE]
    cases += [(forms_share_cursors, device, ("--page", "1")), (another_scheme, elsewhere, ()), (no_skills, bare, ())]
    for function, served, options in cases:
        for wire in WIRES:
            for era, modern in (("legacy", False), ("modern", True)):
                name = f"where dialects meet: {function.__name__.replace('_', ' ')}, {wire}, {era}"
                test(name, with_connection, function, wire, PUMP, served.image, modern, options)
