#!/usr/bin/env python3
"""seeds.py - what the fuzzer of the wires starts from: the requests of the transcripts in tests/wire, as scripts (script.h)

usage: seeds.py FOLDER            writes a file for each few requests
       seeds.py FOLDER bridge     for the bridge instead: requests, and what devices answer
"""
import pathlib
import re
import sys

WIRE = pathlib.Path(__file__).resolve().parents[1] / "wire"
HELLO = ('{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":'
         '{"form":{},"url":{}},"sampling":{},"roots":{}},"clientInfo":{"name":"t","version":"1"}}}')
AT_ONCE = 6  # requests of a file
HTTP, ANYONE = 16, 8  # options of wire.c
SESSION, MODERN, TOKEN = 2, 1, 16  # enum post_how
ALL, LATER = b"\xfed\x00", b"\xfet\xf0"  # take what there is; time passes


def lines_of(path):
    """Lines, with those that go on in the next put together."""
    whole = []
    for line in path.read_text(errors="replace").split("\n"):
        if line.startswith("    ") and whole:
            whole[-1] += line.strip()
        else:
            whole.append(line)
    return whole


def definitions(lines):
    return {m[1]: m[2] for m in (re.match(r"@let[!?]? (?:SKR_\w+ )?([A-Z][A-Z0-9_]*) ?(.*)", line) for line in lines) if m}


def expand(text, known):
    for _ in range(6):
        text = re.sub(r"\$([A-Z][A-Z0-9_]*)", lambda m: known.get(m[1], m[0]), text)
    return text


def scenes(lines):
    """The requests of each scene, as written."""
    found = [[]]
    for line in lines:
        if line.startswith("=="):
            found.append([])
        elif line.startswith(">"):
            found[-1].append(line)
    return [scene for scene in found if scene]


def line_scripts(requests):
    for start in range(0, len(requests), AT_ONCE):
        some = [HELLO, *requests[start:start + AT_ONCE]]
        yield bytes([0, 0]) + b"".join(text.encode() + b"\n" for text in some)
        yield bytes([1, 17]) + b"".join(text.encode() + b"\n" + ALL + LATER for text in some)
        posts = (b"\xfeP" + bytes([TOKEN | (MODERN if '2026-07-28"' in text else SESSION)]) + text.encode() + ALL + LATER + ALL for text in some)
        yield bytes([HTTP, 0]) + b"".join(posts)


def http_script(scene, known):
    """Messages as they are written: a head of lines, then perhaps a body."""
    messages, head = [], b""
    for line in scene:
        mark, _, text = line.partition(" ")
        text = expand(text, {**known, "LENGTH": "@LENGTH"}).replace("\\r\\n", "\r\n").replace("\\n", "\n").encode()
        if mark == ">":
            head += text + b"\r\n"
        else:
            messages.append(head.replace(b"@LENGTH", b"%d" % len(text)) + text)
            head = b""
    messages.append(head.replace(b"@LENGTH", b"0"))
    return bytes([HTTP | ANYONE, 0]) + b"".join(message + ALL for message in messages if message)


# ---- The bridge: what clients ask, and what a device answers ----

DISCOVER = ('{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{"listChanged":true},"resources":{"subscribe":true},"prompts":{}},'
            '"serverInfo":{"name":"d","version":"1"},"instructions":"x"}')
META = '"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}'
TOOLS = ('{"tools":[{"name":"t","inputSchema":{"type":"object","properties":{"a":{"type":"string","x-mcp-header":"A"}}},'
         '"annotations":{"readOnlyHint":true}}],"ttlMs":1000,"cacheScope":"public"}')
EXCHANGES = [  # method, its parameters, results and what comes before them
    ("server/discover", "", DISCOVER), ("tools/list", "", TOOLS), ("tools/call", '"name":"t","arguments":{"a":"b"}', '{"content":[]}'),
    ("resources/read", '"uri":"skill://a/SKILL.md"', '{"contents":[{"uri":"skill://a/SKILL.md","text":"x"}]}'),
    ("skills/list", "", '{"skills":[{"name":"a","digest":"sha256:' + "ab" * 32 + '"}],"nextCursor":"5.6"}'),
    ("prompts/get", '"name":"p"', '{"messages":[]}'), ("completion/complete", '"ref":{"type":"ref/prompt","name":"p"}', '{"completion":{"values":[]}}'),
    ("subscriptions/listen", '"subscriptions":["tools"]', '{}'), ("resources/subscribe", '"uri":"a:b"', '{}'), ("ping", "", "{}"),
    ("logging/setLevel", '"level":"debug"', "{}"), ("tasks/get", '"taskId":"x"', '{"status":"working"}')]
BEFORE = ['{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}',
          '{"jsonrpc":"2.0","id":7,"method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object","properties":{}}}}',
          '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}',
          '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}', "a line of log"]


def bridge_scripts():
    """First byte: bridge.c's options. Speakers: 0 a client with lines, 1 and 2 with HTTP, 3 and 4 devices."""
    client, web, device, as_json, as_events = b"\xfec\0", b"\xfec\1", b"\xfec\3", b"\xfea\1", b"\xfea\2"
    for kind in range(4):
        for more in (0, 4, 8, 16):
            for modern in (True, False):
                script = bytes([kind | more])
                if not modern:
                    script += client + HELLO.encode() + b"\n" + as_json + device + b'{"jsonrpc":"2.0","id":\xfeQ,"result":{"protocolVersion":"2025-11-25","capabilities":{}}}\n'
                for number, (method, params, result) in enumerate(EXCHANGES):
                    members = ",".join(filter(None, [params, META if modern else ""]))
                    request = f'{{"jsonrpc":"2.0","id":{number + 1},"method":"{method}","params":{{{members}}}}}'.encode()
                    answer = b'{"jsonrpc":"2.0","id":\xfeQ,"result":' + result.encode() + b"}\n"
                    script += client + request + b"\n" if number % 2 == 0 or not modern else web + b"\xfeP\x01" + request
                    script += device + (as_events if number % 3 == 1 else as_json) + BEFORE[number % len(BEFORE)].encode() + b"\n" + as_json + answer
                    if number == 0:
                        script += client + request.replace(b"2026-07-28", b"3026-07-28") + b"\n"
                    if number % 4 == 3:
                        yield script + b"\xfeu\0" + device + answer
                        script = script[:1]


def main(folder):
    folder.mkdir(parents=True, exist_ok=True)
    common = definitions(lines_of(WIRE / "prelude.let"))
    count = 0
    for path in sorted(WIRE.glob("*.txt")):
        lines = lines_of(path)
        known = {**common, **definitions(lines)}
        http = any(line.startswith("@http") for line in lines)
        for scene in scenes(lines):
            requests = [expand(line.partition(" ")[2], known) for line in scene]
            for script in [http_script(scene, known)] if http else line_scripts(requests):
                (folder / f"{count:05}").write_bytes(script[:20000])
                count += 1


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[2] == "bridge":
        for number, script in enumerate(bridge_scripts()):
            (pathlib.Path(sys.argv[1]) / f"{number:03}").write_bytes(script)
    elif len(sys.argv) == 2:
        main(pathlib.Path(sys.argv[1]))
    else:
        sys.exit(__doc__.strip())
