"""mcp.py - what every client model has, whatever its dialect: plain MCP, and a strict eye for shapes.

A model is a generator. It yields a request as (method, params) and is sent the response, so that its caller may let
others speak in between. The helpers here are called with `yield from`."""

import base64
import hashlib
import re

from client.check import check


class Learned:
    """What a model has found out, for comparing with the folder that the image was packed from."""

    def __init__(self):
        self.names = []  # of skills, in the order in which they were listed
        self.files = {}  # URI to content
        self.instructions = {}  # name to text
        self.arguments = {}  # name to the arguments that the instructions were asked for with


# ---- Shapes ----


def fits(value, kind, where):
    """kind: a type, [kind] for an array, a compiled pattern for a string, or a function that looks for itself."""
    if isinstance(kind, list):
        check(isinstance(value, list), where, "is not an array:", value)
        for item in value:
            fits(item, kind[0], where)
    elif isinstance(kind, re.Pattern):
        check(isinstance(value, str) and kind.fullmatch(value), where, "is ill-formed:", value)
    elif isinstance(kind, (type, tuple)):
        check(isinstance(value, kind) and (kind is bool or not isinstance(value, bool)), where, "has another type:", value)
    else:
        kind(value)


def shape(value, required, optional=None):
    """An object with these members, each of its kind. Members that the dialect does not know are ignored."""
    check(isinstance(value, dict), "no object:", value)
    for name, kind in required.items():
        check(name in value, name, "is missing in", value)
        fits(value[name], kind, name)
    for name, kind in (optional or {}).items():
        if name in value:
            fits(value[name], kind, name)


NUMBER = (int, float)
DIGEST = re.compile("sha256:[0-9a-f]{64}")
SKILL_NAME = re.compile("(?=.{1,64}$)[a-z0-9]+(-[a-z0-9]+)*")
ANNOTATIONS = {"audience": [re.compile("user|assistant")], "priority": NUMBER,
               "lastModified": re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")}


def annotations(value):
    shape(value, {}, ANNOTATIONS)
    check(0 <= value.get("priority", 0) <= 1, "a priority from 0 to 1:", value)


# ---- Requests ----


def result(method, **params):
    response = yield method, params
    check("result" in response, method, params, "was refused:", response)
    return response["result"]


def refused(code, method, **params):
    """The error, which must have this code."""
    response = yield method, params
    error = response.get("error", {})
    check(error.get("code") == code, method, params, "was not refused with", code, "but got", response)
    fits(error["message"], str, "message")
    return error


def pages(method, member, **params):
    """All items of a list."""
    items, more = [], {}
    while True:
        page = yield from result(method, **params, **more)
        check(page[member] or not items, method, "gave an empty page")
        items += page[member]
        if "nextCursor" not in page:
            return items
        fits(page["nextCursor"], str, "nextCursor")
        more = {"cursor": page["nextCursor"]}


def content(value, uri):
    """The bytes of one element of contents."""
    shape(value, {"uri": str, "mimeType": str}, {"text": str, "blob": str})
    check(value["uri"] == uri, "asked for", uri, "and got", value["uri"])
    check(("text" in value) != ("blob" in value), "not one of text and blob:", value)
    return value["text"].encode() if "text" in value else base64.b64decode(value["blob"], validate=True)


def read(uri):
    """The content of a resource, and its media type."""
    contents = (yield from result("resources/read", uri=uri))["contents"]
    check(len(contents) == 1, "not one content:", contents)
    return content(contents[0], uri), contents[0]["mimeType"]


def digest(data):
    return "sha256:" + hashlib.sha256(data).hexdigest()


def read_verified(uri, promised):
    data, mime_type = yield from read(uri)
    check(digest(data) == promised, uri, "has another digest than", promised)
    return data, mime_type


# ---- SKILL.md, as the Agent Skills format has it ----


def frontmatter(data):
    """The fields at the head of a SKILL.md: text, or one level of text. Every scalar is taken as a string."""
    fields, inner = {}, None
    lines = data.decode().split("\n")
    check(lines[0] == "---" and "---" in lines[1:], "no frontmatter:", data)
    for line in lines[1:lines.index("---", 1)]:
        key, _, value = (part.strip() for part in line.partition(":"))
        if line.startswith(" "):
            inner[key] = unquoted(value)
        elif value:
            fields[key] = unquoted(value)
        else:
            fields[key] = inner = {}
    return fields


def unquoted(value):
    if value[0] == "'":
        return value[1:-1].replace("''", "'")
    return re.sub(r"\\(.)", r"\1", value[1:-1]) if value[0] == '"' else value


def links(data):
    """The files that a SKILL.md points to."""
    return [path for path in re.findall(r"\]\(([^)\s]+)\)", data.decode()) if "://" not in path]
