#!/usr/bin/env python3
"""seeds.py - what the fuzzer of the wires starts from: the requests of the transcripts in tests/wire, as scripts (script.h)

usage: seeds.py FOLDER            writes a file for each few requests
       seeds.py FOLDER TARGET     for another target instead: bridge, fleet, publisher, find
"""
import pathlib
import re
import struct
import sys

WIRE = pathlib.Path(__file__).resolve().parents[2] / "wire"
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


def expand(text, values):
    for _ in range(6):
        text = re.sub(r"\$([A-Z][A-Z0-9_]*)", lambda m: values.get(m[1], m[0]), text)
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


def http_script(scene, values):
    """Messages as they are written: a head of lines, then perhaps a body."""
    messages, head = [], b""
    for line in scene:
        direction, _, text = line.partition(" ")
        text = expand(text, {**values, "LENGTH": "@LENGTH"}).replace("\\r\\n", "\r\n").replace("\\n", "\n").encode()
        if direction == ">":
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
                    response = b'{"jsonrpc":"2.0","id":\xfeQ,"result":' + (result if number % 2 else result.replace('":', '": ').replace("a", "\\u0061\\n")).encode() + b"}\n"
                    script += client + request + b"\n" if number % 2 == 0 or not modern else web + b"\xfeP\x01" + request
                    script += device + (as_events if number % 3 == 1 else as_json) + BEFORE[number % len(BEFORE)].encode() + b"\n" + as_json + response
                    if number == 0:
                        script += client + request.replace(b"2026-07-28", b"3026-07-28") + b"\n"
                    if number % 4 == 3:
                        yield script + b"\xfeu\0" + device + response
                        script = script[:1]


# ---- Devices on a broker ----

TOOL = '{"name":"read_level","title":"Level","description":"Reads the level","inputSchema":{"type":"object","properties":{"unit":{"description":"of it"}}},"annotations":{"readOnlyHint":true}}'
SKILL = ('{"name":"clean","uri":"skill://clean/SKILL.md","frontmatter":{"name":"clean","description":"Cleans"},"resources":[{"uri":"skill://clean/SKILL.md","size":1,"digest":"sha256:'
         '2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"}]}')  # of "x"
READ = '"method":"resources/read","params":{"uri":"skill://pump-00000000/clean/SKILL.md"%s}'


def speaker(who, where=0):
    return b"\xfec" + bytes([who + 5 * where])


def fleet_scripts():
    """First byte: which devices answer greetings by themselves. Speakers: 0 and 1 clients, 2 to 4 devices, 5 more for each where (fleet.c)."""
    client, responses = speaker(0), speaker(2)
    later = b"\xfet\x14"
    calls = ['"method":"tools/call","params":{"name":"list_devices","arguments":{}}', '"method":"tools/call","params":{"name":"find_tools","arguments":{"query":"*"}}',
            '"method":"tools/call","params":{"name":"call_tool","arguments":{"device":"pump-1","tool":"read_level","arguments":{"unit":"l"}}}',
            '"method":"tools/call","params":{"name":"call_tool","arguments":{"devices":["pump-*","none"],"tool":"read_level","wait_ms":100}}',
            '"method":"skills/list"', '"method":"resources/list"', READ % "",
            '"method":"skills/get","params":{"uri":"skill://pump-00000000/clean/SKILL.md"}',
            '"method":"resources/directory/read","params":{"uri":"skill://pump-00000000/clean"}']
    results = ['{"content":[{"type":"text","text":"1"}],"_meta":{}}', '{"_meta":{}}', "{}", '{"contents":[{"uri":"a","text":"x"}]}', '"s"', '{"code":-1,"message":"no"}']
    for polite in (255, 0):
        introduced = bytes([polite]) + speaker(2) + b"\xfeo\1" + later
        if not polite:
            introduced += responses + b'{"protocolVersion":"2025-11-25","capabilities":{}}' + later
        introduced += responses + b'{"tools":[' + TOOL.encode() + b'],"nextCursor":"c"}' + later + responses + b'{"tools":[]}' + later + responses + b'{"skills":[' + SKILL.encode() + b"]}" + later
        unnamed = bytes([polite]) + speaker(2) + b"\xfeo\0" + later + (responses + b'{"tools":[' + TOOL.encode() + b"]}" + later + responses + b'{"skills":[]}' + later) * 2
        for number, call in enumerate(calls):
            for modern in (True, False):
                line = call if not modern else call[:-1] + "," + META + "}" if "params" in call else call + ',"params":{' + META + "}"
                request = client + (b"" if modern else HELLO.encode() + b"\n") + b'{"jsonrpc":"2.0","id":1,' + line.encode() + b"}\n"
                for result in results:
                    yield introduced + request + responses + result.encode() + later
                yield introduced + speaker(3) + b"\xfeo\1" + later + request + speaker(2, 1) + b'{"code":-32000,"message":"no"}' + speaker(3) + results[0].encode() + b"\xfeg\0"
                yield (unnamed if number % 2 else introduced) + request + b"\xfeb\1" + later + b"\xfeb\0" + speaker(2) + b"\xfeo\x89" + later
        yield introduced + b"\xfeo\x05" + later + b"\xfeo\x09" + later + b"\xfeo\x11" + b"\xfet\xff" + speaker(2, 4) + b"{}" + speaker(2, 2) + b"{" + speaker(2, 5) + b"$SYS/broker/connection/x/state\n0"


def publisher_scripts():
    """First byte: publisher.c's options. Speakers: 0 to 3 places of the device, 4 to 8 clients, 9 more for each where."""
    def at(who, where=0):
        return b"\xfec" + bytes([who + 9 * where])
    own = b""
    for number, result in enumerate(('{"serverInfo":{"name":"pump","title":"P \\u00fc","version":"1"},"instructions":"How to \\"use\\" it"}', '{"skills":[],"nextCursor":"a"}',
                                     '{"skills":[]}', '{"tools":[]}', '{"prompts":[]}'), 1):
        own += b'{"jsonrpc":"2.0","id":"own-%d","result":%s}' % (number, result.encode()) + b"\xfet\1"
    hello = HELLO.encode()
    ping = b'{"jsonrpc":"2.0","id":5,"method":"ping"}'
    presence = b'{"params":{"meta":{"skillrom":{"instance":"0123456789abcdef"}}}}'
    for how in range(4):
        start = bytes([how]) + own
        client = start + at(4) + hello + b"\xfet\1" + at(1) + b'{"jsonrpc":"2.0","id":0,"result":{}}'
        yield client + at(4, 1) + ping + b"\xfet\1" + ping + at(1) + b'{"jsonrpc":"2.0","id":5,"result":{}}' + at(4, 2) + b'{"method":"notifications/disconnected"}'
        yield client + at(5) + hello + at(6) + hello + at(7) + hello + b"\xfet\xff" * 60 + at(7) + hello
        yield client + at(1) + b'{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\xfet\1' + b'{"jsonrpc":"2.0","id":9,"method":"sampling/createMessage"}\xfe/\1' + b"\xfeb\3" + ping
        yield client + at(4, 4) + presence + b"\xfe0\0" + at(4, 5) + b"$mcp-rpc/client-0/pump-1/pump\n" + ping + b"\xfeb\1\xfeb\0\xfed\0\xfed\1" + at(0) + own.replace(b"own-", b"own-1")
        yield client + b"\xfef\1" + at(4, 1) + b'{"id":[},"method":"ping"}\xfet\1' + ping + b"\xfen\0\xfex\0\xfex\1"


# ---- Messages of mDNS ----


def name(text):
    return b"".join(bytes([len(label)]) + label for label in text.encode("latin-1").split(b".")) + b"\0"


def record(owner, kind, data):
    return name(owner) + struct.pack("!HHIH", kind, 1, 120, len(data)) + data


def announcement(label, host, port, text, address):
    mine = label + "._mcp._tcp.local"
    records = [record("_mcp._tcp.local", 12, name(mine)), record(mine, 33, struct.pack("!HHH", 0, 0, port) + name(host)),
               record(mine, 16, b"".join(bytes([len(word)]) + word for word in text)), record(host, 1, bytes(address))]
    message = struct.pack("!6H", 0, 0x8400, 0, len(records), 0, 0) + b"".join(records)
    return struct.pack("!H", len(message)) + message


def find_scripts():
    yield announcement("pump 3", "pump.local", 7700, [b"path=/mcp"], (10, 0, 0, 1))
    yield announcement("v\xc3\xa4lve\x1b[2J", "a.local", 443, [b"tls=1", b"path=/x?y", b"z"], (10, 0, 0, 2)) + announcement("b", "b.local", 1, [], (1, 2, 3, 4))
    yield announcement("m\xc2\x9b2J", "evil.example/x", 80, [b"path=@other.example/"], (1, 2, 3, 4))


SCRIPTS = {"bridge": bridge_scripts, "fleet": fleet_scripts, "publisher": publisher_scripts, "find": find_scripts}


def main(folder):
    folder.mkdir(parents=True, exist_ok=True)
    common = definitions(lines_of(WIRE / "prelude.let"))
    count = 0
    for path in sorted(WIRE.glob("*.txt")):
        lines = lines_of(path)
        values = {**common, **definitions(lines)}
        http = any(line.startswith("@http") for line in lines)
        for scene in scenes(lines):
            requests = [expand(line.partition(" ")[2], values) for line in scene]
            for script in [http_script(scene, values)] if http else line_scripts(requests):
                (folder / f"{count:05}").write_bytes(script[:20000])
                count += 1


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[2] in SCRIPTS:
        for number, script in enumerate(SCRIPTS[sys.argv[2]]()):
            (pathlib.Path(sys.argv[1]) / f"{number:03}").write_bytes(script)
    elif len(sys.argv) == 2:
        main(pathlib.Path(sys.argv[1]))
    else:
        sys.exit(__doc__.strip())
