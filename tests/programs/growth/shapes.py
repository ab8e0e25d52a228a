"""shapes -- folders that strangers could write, each a function of a size: names of files and their texts. A text of None is a
folder; a text that begins with LINK is a symbolic link to the rest of it."""

import json
import math

LINK = "link:"
NAME = "good"
HEAD = "---\nname: {}\ndescription: A good skill for all who need one, when they need one.\n{}---\n\n# Good\n\n"
DEVICE = {"device.json": '{"name":"dev","version":"1.0.0"}'}


def manifest(name=NAME, more="", body=""):
    return HEAD.format(name, more) + body


def skill(body="", more="", **files):
    return {f"{NAME}/SKILL.md": manifest(more=more, body=body), **{f"{NAME}/{path}": text for path, text in files.items()}}


def body(text):
    """A SKILL.md whose body repeats a text."""
    return lambda n: skill(text * n)


def metadata(line):
    return lambda n: skill(more="metadata:\n" + "".join("  " + line.format(i) + "\n" for i in range(n)))


def keys(line):
    return lambda n: skill(more="".join(line.format(i) + "\n" for i in range(n)))


def skills(n, more=lambda i: "", text=lambda i: "", files=lambda i: {}):
    """So many skills in folders of a hundred."""
    out = {}
    for i in range(n):
        place = f"skills/f{i // 100}/s{i}"
        out[f"{place}/SKILL.md"] = manifest(f"s{i}", more(i), text(i))
        out.update((f"{place}/{path}", content) for path, content in files(i).items())
    return out


def tool(name, properties=None, **more):
    schema = {"type": "object", "properties": properties or {}}
    return {f"tools/{name}.json": json.dumps({"name": name, "description": "d", "inputSchema": schema, **more})}


def tools(n, **more):
    out = {}
    for i in range(n):
        out.update(tool(f"t{i}", {"mode": {"type": "string", "enum": ["a", "b"]}}, **more))
    return out


def device(*parts):
    out = dict(DEVICE)
    for part in parts:
        out.update(part)
    return out


def extra(key, value):
    return f'metadata:\n  dev.skillrom/{key}: "{value}"\n'


def arguments(n):
    return "metadata:\n  dev.skillrom/arguments: '" + json.dumps([{"name": f"a{i}"} for i in range(n)]) + "'\n"


def words(form, n):
    return " ".join(form.format(i) for i in range(n))


def deep(n, inside):
    """Folders in folders, with n bytes of paths; inside(i) are files of folder number i."""
    out, path = {}, ""
    for i in range(math.isqrt(n)):
        out.update((path + name, text) for name, text in inside(i).items())
        path += "d/"
    return out


def prompt(n, text, more=""):
    listed = "".join(f"  - name: a{i}\n" for i in range(n))
    return {"prompts/p.md": f"---\ndescription: d\narguments:\n{listed}---\n\n{text}"}


def table():
    """(what, command, size, folder of that size). The command is `lint`, or `pack` with options."""
    lint, files, pack, skip = "lint", "lint --allow-oversize", "pack", "pack --keep-going"
    return [
        ("links in one line", lint, 1500, body("[a](b.md) ")),
        ("links on lines", lint, 1500, body("[a](b.md)\n")),
        ("links that exist", files, 300, lambda n: skill("".join(f"[a](r{i}.md)\n" for i in range(n)),
                                                        **{f"r{i}.md": "# R\n" for i in range(n)})),
        ("link brackets that nothing closes", lint, 4000, body("](")),
        ("link angles that nothing closes", lint, 4000, body("](<")),
        ("link angles closed at the end", lint, 3000, lambda n: skill("](<" * n + ">)")),
        ("link parentheses that open", lint, 4000, body("](a(")),
        ("reference definitions", lint, 2000, body("[a]: b.md\n")),
        ("runs of backticks, ever longer", lint, 13000, lambda n: skill(" ".join("`" * i for i in range(math.isqrt(2 * n))) + "\n")),
        ("a long run of backticks, then lines with one", lint, 3000, lambda n: skill("`" * n + "\n" + "a`b\n" * n)),
        ("CR alone", lint, 20000, body("\r")),
        ("CR CR LF", lint, 8000, body("\r\r\n")),
        ("empty lines", lint, 20000, body("\n")),
        ("one long line", lint, 40000, body("a")),
        ("backslashes", lint, 20000, body("\\")),
        ("code fences", lint, 8000, body("```\n")),
        ("a quote that never ends", lint, 3000, keys("k{}: 'x")),
        ("unknown fields", lint, 300, keys("k{}: v")),
        ("fields given twice", lint, 300, keys("k: v")),
        ("metadata that needs quotes", lint, 300, metadata("k{}: 1")),
        ("metadata in a block", lint, 200, metadata("k{}: |\n    text")),
        ("metadata as anchors", lint, 300, metadata("k{}: &a x")),
        ("tabs in the indentation", lint, 2000, metadata("\tk{}: x")),
        ("hyphens in the frontmatter", lint, 300, metadata("k{}: a---b")),
        ("colons in an unclosed frontmatter", lint, 1500, lambda n: {f"{NAME}/SKILL.md": "---\n" + "name: a: b\n" * n}),
        ("a list of names", lint, 600, lambda n: skill(more=extra("subskills", words("x{}", n)))),
        ("keys about files", files, 300, lambda n: skill(more="metadata:\n" + "".join(
            f"  dev.skillrom/alias/r{i}.md: a{i}\n" for i in range(n)), **{f"r{i}.md": "# R\n" for i in range(n)})),
        ("arguments and placeholders", lint, 150, lambda n: skill(words("{{{{a{}}}}}", n), arguments(n))),
        ("braces that nothing closes", lint, 8000, lambda n: skill("{{" * n, arguments(1))),
        ("files in one folder", files, 300, lambda n: skill(**{f"f{i}.txt": "x" for i in range(n)})),
        ("folders side by side", files, 300, lambda n: skill(**{f"f{i}/a.txt": "x" for i in range(n)})),
        ("folders in folders", lint, 3600, lambda n: {f"{NAME}/{p}": t for p, t in {
            **deep(n, lambda i: {"a.txt": "x"}), "SKILL.md": manifest()}.items()}),
        ("folders in folders that are no skill", lint, 20000, lambda n: {**skill(), **deep(n, lambda i: {"a.txt": "x"})}),
        ("symbolic links in a skill", lint, 400, lambda n: skill(**{f"l{i}": LINK + "SKILL.md" for i in range(n)})),
        ("symbolic links beside skills", lint, 400, lambda n: {**skill(), **{f"l{i}": LINK + NAME for i in range(n)}}),
        ("misspelled manifests", lint, 300, lambda n: {f"s{i}/skill.md": manifest(f"s{i}") for i in range(n)}),
        ("folders to rename", lint, 150, lambda n: {f"S_{i}/SKILL.md": manifest(f"s-{i}") for i in range(n)}),
        ("skills", pack, 100, skills),
        ("skills with one name", lint, 100, lambda n: {f"p{i}/{NAME}/SKILL.md": manifest() for i in range(n)}),
        ("skills with scripts", lint, 100, lambda n: skills(n, files=lambda i: {"scripts/a.py": "x"})),
        ("skills that have errors", skip, 100, lambda n: {**skills(n), **{f"b{i}/SKILL.md": manifest("B_") for i in range(n)}}),
        ("skills in a skill", lint, 100, lambda n: {**skill(), **{f"{NAME}/s{i}/SKILL.md": manifest(f"s{i}") for i in range(n)}}),
        ("skills in skills in skills", lint, 10000, lambda n: {path.replace("d/", "s/"): text for path, text in deep(
            n, lambda i: {"SKILL.md": manifest("s")}).items() if "/" in path}),
        ("skills that name all the others", lint, 60, lambda n: skills(n, lambda i: extra("subskills", "s0 s1"))),
        ("a chain of skills whose end is missing", skip, 60, lambda n: skills(n, lambda i: extra("subskills", f"s{i + 1}"))),
        ("skills in a long circle", lint, 100, lambda n: skills(n, lambda i: extra("subskills", f"s{(i + 1) % n}"))),
        ("skills that name resources", lint, 100, lambda n: skills(n, lambda i: extra("resources", f"skill://f{i // 100}/s{i}/SKILL.md"))),
        ("tools", lint, 60, lambda n: device(skills(1), tools(n))),
        ("tools without a description", lint, 60, lambda n: device(skills(n), {
            f"tools/t{i}.json": json.dumps({"name": f"t{i}", "inputSchema": {"type": "object"}}) for i in range(n)})),
        ("tools and skills that need them", lint, 60, lambda n: device(tools(n), skills(n, lambda i: extra("tools", f"t{i}")))),
        ("properties of a tool", lint, 400, lambda n: device(skills(1), tool("t", {f"p{i}": {"type": "integer"} for i in range(n)}))),
        ("one property again and again", lint, 400, lambda n: device(skills(1), {"tools/t.json":
            '{"name":"t","description":"d","inputSchema":{"type":"object","properties":{' + ",".join(['"a":{}'] * n) + "}}}"})),
        ("required properties that are missing", lint, 600, lambda n: device(skills(1), {"tools/t.json": json.dumps(
            {"name": "t", "description": "d", "inputSchema": {"type": "object", "required": [f"p{i}" for i in range(n)]}})})),
        ("values of an enum", lint, 400, lambda n: device(skills(1), tool("t", {"p": {"type": "string", "enum": [f"v{i}" for i in range(n)]}}))),
        ("prompts", lint, 60, lambda n: device(skills(n), {f"prompts/p{i}.md": "text\n" for i in range(n)})),
        ("arguments of a prompt", lint, 150, lambda n: device(skills(1), prompt(n, words("{{{{a{}}}}}", n)))),
        ("placeholders of a prompt that stand for nothing", lint, 1500, lambda n: device(skills(1), prompt(1, "{{b}} " * n))),
        ("templates of a device", lint, 100, lambda n: {**skills(n), "device.json": json.dumps(
            {"name": "d", "version": "1", "templates": {f"f{i}": "x" for i in range(n)}})}),
        ("resources of a device", lint, 300, lambda n: {**skills(1), "device.json": json.dumps(
            {"name": "d", "version": "1", "resources": [f"x://{i}" for i in range(n)]})}),
        ("calls in a transcript", lint, 300, lambda n: device(tools(1), skills(1, text=lambda i: "```transcript\n" + "> t0\n< x\n" * n + "```\n"))),
        ("words of a call in a transcript", lint, 60, lambda n: device(tools(1), skills(1, text=lambda i: "```transcript\n> t0 " + "mode=a " * n + "\n```\n"))),
    ]
