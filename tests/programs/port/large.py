"""The image that the tests of port/posix serve: three skills, one of them with a file that may be large. And devices with tools."""

import functools
import json
import os

from client.check import check
from client.mcp import check_response, request
from client.programs import EXAMPLE, pack, write

BIG_URI = "skill://big-file/assets/big.txt"
BIG_LINE = 'line %07d "quoted" \\ and a tab\t\n'
SMALL = "SMALL" in os.environ  # a server in an emulator takes seconds to check 12 MB
BIG_LINES = 3000 if SMALL else 300000  # some 12 MB as JSON: more than the system buffers between two sockets


def fills_buffers(test):
    """Marks a test that has to be left out when the file is small: it waits until a server cannot send any more."""
    test.fills_buffers = True
    return test


@functools.cache
def big_text():
    return "".join(BIG_LINE % i for i in range(BIG_LINES))


def pack_image(folder, text):
    """The image, with this text as the large file. A sanitized server takes half a second to check 12 MB, each time it is started."""
    for name in ("big-file", "second-skill", "third-skill"):
        skill = f"---\nname: {name}\ndescription: For tests of a port.\n---\nNothing.\n"
        write(f"{folder}/device/skills/{name}/SKILL.md", skill)
    write(f"{folder}/device/skills/big-file/assets/big.txt", text)
    return pack(f"{folder}/device", f"{folder}/{len(text)}.rom")


def pack_tools(folder, name, tools):
    """A device with tools; those of the example are as its program was built for them."""
    write(f"{folder}/{name}/device.json", '{"name": "tools", "version": "1"}')
    for tool in tools:
        about = {"name": tool, "description": "For tests of a port.", "inputSchema": {"type": "object"}}
        described = EXAMPLE / "tools" / f"{tool}.json"
        write(f"{folder}/{name}/tools/{tool}.json", described.read_text() if described.exists() else json.dumps(about))
    pack(f"{folder}/{name}", f"{folder}/{name}.rom")


def read_big(id):
    return request(id, "resources/read", uri=BIG_URI)


def check_big(message, id):
    check_response(message, id)
    check(message["result"]["contents"][0]["text"] == big_text(), "the large file came out different")
