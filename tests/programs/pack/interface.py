#!/usr/bin/env python3
"""interface.py - computes interface ids as romfs/FORMAT.md, section 8, says, from a device's folder alone, and compares them with those
in an image and in a header of tools

usage: interface.py FOLDER IMAGE HEADER
"""
import hashlib
import json
import pathlib
import re
import struct
import sys

REMARKS = {"title", "description", "examples", "$comment", "deprecated", "readOnly", "writeOnly"}


class Spelled(str):
    """A number as the author wrote it."""


def text(value):
    if isinstance(value, Spelled):
        return value
    if isinstance(value, dict):
        return "{" + ",".join(f"{text(k)}:{text(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(text, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def plain(value):
    return {k: plain(value[k]) for k in sorted(value, key=str.encode)} if isinstance(value, dict) else value


def schema(value):
    if not isinstance(value, dict):
        return value
    made = {}
    for key in sorted(value, key=str.encode):
        inner = value[key]
        if key == "properties" and isinstance(inner, dict):
            made[key] = {name: schema(inner[name]) for name in sorted(inner, key=str.encode)}
        elif key not in REMARKS:
            made[key] = schema(inner) if key == "items" else plain(inner)
    return made


def read(path):
    return json.loads(path.read_text(), parse_int=Spelled, parse_float=Spelled)


def tool_text(tool):
    made = {"name": tool["name"], "inputSchema": schema(tool["inputSchema"])}
    if "outputSchema" in tool:
        made["outputSchema"] = schema(tool["outputSchema"])
    made["readOnlyHint"] = tool.get("annotations", {}).get("readOnlyHint", False)
    if "x-skillrom" in tool:
        made["x-skillrom"] = plain(tool["x-skillrom"])
    return text(made)


def resource_text(resource):
    key = "uri" if "uri" in resource else "uriTemplate"
    return text({key: resource[key], "mimeType": resource["mimeType"],
                 "subscribe": resource.get("x-skillrom", {}).get("subscribe", False)})


def main(folder, image, header):
    folder, image, header = pathlib.Path(folder), pathlib.Path(image).read_bytes(), pathlib.Path(header).read_text()
    tools = sorted(map(read, folder.glob("tools/*.json")), key=lambda tool: tool["name"].encode())
    resources = sorted(map(read, folder.glob("resources/*.json")), key=lambda r: ("uri" not in r, r["name"].encode()))
    texts = [tool_text(tool) for tool in tools]
    wrong = 0
    at, count = struct.unpack_from("<II", image, 116)
    for i, (tool, interface) in enumerate(zip(tools, texts)):
        expected = struct.unpack("<I", hashlib.sha256(interface.encode()).digest()[:4])[0] or 1
        packed = struct.unpack_from("<I", image, at + 24 * i + 20)[0]
        generated = int(re.search(rf'{{"{re.escape(tool["name"])}", .*0x([0-9A-F]{{8}})u\b', header)[1], 16)
        if not expected == packed == generated:
            print(f"{tool['name']}: {expected:08X}, in the image {packed:08X}, in the header {generated:08X}: {interface}")
            wrong += 1
    everything = "".join(f"{one}\n" for one in texts + [resource_text(r) for r in resources])
    expected = hashlib.sha256(everything.encode()).hexdigest()[:16]
    if count != len(tools) or image[68:76].hex() != expected or f'#define SKR_INTERFACE "{expected}"' not in header:
        print(f"the whole: {expected}, in the image {image[68:76].hex()}")
        wrong += 1
    print(f"{len(tools)} tools and {len(resources)} resources")
    return wrong > 0 or not tools


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
