"""What crosses the line once."""

import json
import os
import threading

from bridge import Device
from client.bridge import Bridge, check_right
from client.check import Suite, check
from client.mcp import INITIALIZE, legacy, modern, numbered
from fake import Framed
from frames import WELCOME, Decoder
from line import Line

suite = Suite()


def session(p, line, *arguments, era=legacy):
    """Connect, list skills, read three skills, call a tool. How many bytes were on the line, and the responses."""
    with Bridge(p, line.host, *arguments) as b:
        before = line.count()
        responses = [b.exchange(INITIALIZE)] if era is legacy else [b.exchange(modern("server/discover"))]
        skills = b.exchange(era("skills/list"))["result"]["skills"]
        responses += [b.exchange(era("resources/read", uri=skill["uri"])) for skill in skills[:3]]
        responses.append(b.exchange(era("tools/call", name="line_status", arguments={"line": 2})))
        used = line.count() - before
        b.finish()
        return used, responses


def measure(p, line, cache, era):
    cold, first = session(p, line, "--cache", cache, era=era)
    warm, second = session(p, line, "--cache", cache, era=era)
    check(first == second, "the same answers")
    return cold, warm


@suite
def second_session_needs_a_sixth_of_the_bytes(p):
    """Requests cross, and marks of responses: mostly what 2026-07-28 has in each of its requests."""
    line = Line(p.folder, "bytes")
    with Device(p, line):
        for name, era in (("legacy", legacy), ("modern", modern)):
            cold, warm = measure(p, line, os.path.join(p.folder, "cache-" + name), era)
            check(warm * 6 <= cold, f"{name}: {cold} bytes cold, {warm} warm")
            print(f"   {name}: {cold} bytes on the line cold, {warm} warm, {cold / warm:.1f} times fewer")


@suite
def without_cache_everything_crosses_again_and_nothing_is_written(p):
    line = Line(p.folder, "none")
    with Device(p, line):
        cold, first = session(p, line, "--no-cache")
        again, second = session(p, line, "--no-cache")
        check(again > cold // 2 and first == second, f"{cold}, {again}")


@suite
def damaged_cache_is_not_used(p):
    line = Line(p.folder, "damaged")
    cache = os.path.join(p.folder, "cache-damaged")
    with Device(p, line):
        _, first = session(p, line, "--cache", cache)
        names = os.listdir(cache)
        check(len(names) >= 5, f"{names}")
        for i, name in enumerate(names):
            with open(os.path.join(cache, name), "r+b") as file:
                data = bytearray(file.read())
                data[(i * 31) % len(data)] ^= 1
                file.seek(0)
                file.write(data)
        # And one that is right in itself, but under another's name.
        os.replace(os.path.join(cache, names[0]), os.path.join(cache, names[1]))
        used, second = session(p, line, "--cache", cache)
        check(first == second, "what is damaged is asked again")
        check(used > 10000, f"{used} bytes")


@suite
def cache_stays_within_its_bound(p):
    line = Line(p.folder, "bound")
    cache = os.path.join(p.folder, "cache-bound")
    os.makedirs(cache)
    for i in range(40):
        with open(os.path.join(cache, f"{i:064x}"), "wb") as file:
            file.write(b"x" * 50000)
        os.utime(os.path.join(cache, f"{i:064x}"), (i, i))
    with Device(p, line):
        session(p, line, "--cache", cache, "--cache-mb", "1")
    sizes = [os.path.getsize(os.path.join(cache, name)) for name in os.listdir(cache)]
    check(sum(sizes) <= 1 << 20, f"{sum(sizes)} bytes")
    check(not os.path.exists(os.path.join(cache, f"{0:064x}")), "the oldest go first")


@suite
def folder_that_others_can_write_to_is_not_used(p):
    """Defect 30. Nothing but the cache's own files is ever removed from one that is."""
    line = Line(p.folder, "folder")
    good = os.path.join(p.folder, "folder-good")
    os.mkdir(good, 0o700)
    link, shared = os.path.join(p.folder, "folder-link"), os.path.join(p.folder, "folder-shared")
    os.symlink(good, link)
    os.mkdir(shared)
    os.chmod(shared, 0o777)
    foreign = os.path.join(p.folder, "folder-foreign")
    os.mkdir(foreign, 0o755)
    bad = [(link, "only a link"), (link + "/", "only a link"), (shared, "others may write")]
    if os.geteuid() == 0:
        os.chown(foreign, 65534, 65534)
        bad.append((foreign, "another user"))
    with Device(p, line):
        for folder, why in bad:
            with Bridge(p, line.host, "--cache", folder) as b:
                b.exchange(modern("tools/list"))
                check(b.has_said(why) and b.has_said("without a cache"), f"{folder}: {b.said}")
            check(os.listdir(folder) == [], f"{folder}: nothing is written")
        with open(os.path.join(good, "thesis.txt"), "wb") as file:
            file.write(b"x" * (2 << 20))
        os.utime(os.path.join(good, "thesis.txt"), (1, 1))
        session(p, line, "--cache", good, "--cache-mb", "1")
        check("thesis.txt" in os.listdir(good) and len(os.listdir(good)) > 1, f"{os.listdir(good)}")


@suite
def files_are_known_by_their_content_not_by_the_image(p):
    """Another image with the same file: its content does not cross the line again."""
    line = Line(p.folder, "content")
    image = p.other_image("other-content")
    cache = os.path.join(p.folder, "cache-content")
    uri = "skill://pump/clear-fault/SKILL.md"

    def read(with_image):
        with Device(p, line, with_image), Bridge(p, line.host, "--cache", cache) as b:
            b.exchange(INITIALIZE)
            b.exchange(legacy("skills/list"))
            b.exchange(legacy("resources/read", uri="skill://daily-check/references/acceptance.md"))
            before = line.count()
            b.exchange(legacy("resources/read", uri=uri))
            used = line.count() - before
            b.finish()
        line.plug(line.device)
        return used

    check(read(None) > 2000, "cold")
    check(read(image) < 700, "warm under another image: the request and a mark")


# ---- Marks ----


def siphash(key, data):
    """SipHash-2-4, written from its paper's description."""
    mask = (1 << 64) - 1
    k0, k1 = (int.from_bytes(key[i : i + 8], "little") for i in (0, 8))
    v = [k0 ^ 0x736F6D6570736575, k1 ^ 0x646F72616E646F6D, k0 ^ 0x6C7967656E657261, k1 ^ 0x7465646279746573]

    def mix(a, b, by):
        v[a] = (v[a] + v[b]) & mask
        v[b] = (v[b] << by | v[b] >> 64 - by) & mask ^ v[a]

    def rounds(n):
        for _ in range(n):
            mix(0, 1, 13)
            v[0] = (v[0] << 32 | v[0] >> 32) & mask
            mix(2, 3, 16)
            mix(0, 3, 21)
            mix(2, 1, 17)
            v[2] = (v[2] << 32 | v[2] >> 32) & mask

    data += bytes(-(len(data) + 1) % 8) + bytes([len(data) & 255])
    for at in range(0, len(data), 8):
        word = int.from_bytes(data[at : at + 8], "little")
        v[3] ^= word
        rounds(2)
        v[0] ^= word
    v[2] ^= 255
    rounds(4)
    return v[0] ^ v[1] ^ v[2] ^ v[3]


def exchange(p, request, id=7):
    return p.response_bytes(numbered(id, request))


@suite
def mark_is_the_hash_of_the_whole_answer_under_the_key(p):
    """As README.md has it. What is not a key asks for nothing, and an error has no validator."""
    key = bytes(range(1, 17))
    check(siphash(bytes(range(16)), bytes(range(15))) == 0xA129CA6149BE45E5, "the example of the paper")
    requests = [modern("tools/list"), modern("skills/list"), modern("resources/read", uri=p.files[0]), dict(INITIALIZE)]
    for request in requests:
        marked = json.loads(json.dumps(request))
        meta = marked["params"].setdefault("_meta", {})
        meta["skillrom/mark"] = key.hex()
        want = {"jsonrpc": "2.0", "id": 7, "result": {"skillrom/mark": f"{siphash(key, exchange(p, request)):016x}"}}
        check(json.loads(exchange(p, marked)) == want, f"{request['method']}: {exchange(p, marked)} instead of {want}")
        for wrong in (key.hex()[1:], key.hex().upper().replace("0", "G"), 5, None, ""):
            meta["skillrom/mark"] = wrong
            check(exchange(p, marked) == exchange(p, request), f"{request['method']} {wrong}")
    bad = modern("resources/read", uri="skill://none")
    bad["params"]["_meta"]["skillrom/mark"] = key.hex()
    check("error" in json.loads(exchange(p, bad)), "an error is an error")


# ---- What a hostile device can leave behind (defect 26) ----


def identity_of(p):
    """What the example device tells of itself."""
    line, welcomes = Line(p.folder, f"identity-{threading.get_ident()}"), []  # two tests may ask simultaneously
    decoder = Decoder()
    line.damage = lambda data: welcomes.extend(f[3] for f in decoder.feed(data) if f[0] & 3 == WELCOME) or data
    while not welcomes:  # a device that answers late, on a busy machine, is spoken to in the plain mode
        with Device(p, line), Bridge(p, line.host, "--no-cache") as b:
            b.exchange(modern("prompts/list"))
    return welcomes[-1][4:20]


def honest(p, line, cache):
    """What the example device is said to answer."""
    requests = [modern("skills/list"), modern("tools/list"), modern("server/discover")]
    requests += [modern("resources/read", uri=uri) for uri in p.files[:2]]
    with Device(p, line), Bridge(p, line.host, "--cache", cache, "--no-changes") as b:
        for request in requests + requests:
            check_right(p, request, b.exchange(request))


@suite
def device_that_tells_the_identity_of_another_leaves_nothing_behind(p):
    """Defect 26: lists that it made up, and files that have the right content in a wrong envelope."""
    line, cache = Line(p.folder, "poison"), os.path.join(p.folder, "cache-poison")
    skills = p.right(modern("skills/list"))["result"]

    def read(message):
        good = p.right(modern("resources/read", uri=message["params"]["uri"]))["result"]
        evil = {**good, "contents": [{**good["contents"][0], "mimeType": "text/evil"}]}
        return [{"jsonrpc": "2.0", "id": message["id"], "result": evil}]

    lies = {
        "skills/list": skills,
        "resources/read": read,
        "tools/list": {"tools": [{"name": "evil", "inputSchema": {"type": "object"}}], "resultType": "complete"},
        "server/discover": {"capabilities": {"tools": {}}, "instructions": "evil"},
    }
    with Framed(line, identity_of(p), lies), Bridge(p, line.host, "--cache", cache) as b:
        for uri in p.files[:2]:
            b.exchange(modern("skills/list"))
            check("text/evil" in str(b.exchange(modern("resources/read", uri=uri))), "its own device is its own")
        for request in (modern("tools/list"), modern("server/discover")):
            check("evil" in str(b.exchange(request)), "likewise")
    check(len(os.listdir(cache)) >= 5, f"all of it is kept: {os.listdir(cache)}")
    line.plug(line.device)
    honest(p, line, cache)


@suite
def device_that_takes_the_place_of_another_has_nothing_of_it(p):
    """Defect 26, the other way round, on one connection of the bridge: nothing is answered for a device that did not
    send or confirm it itself, and a validator of its own making is none."""
    line, cache = Line(p.folder, "place"), os.path.join(p.folder, "cache-place")
    marked = []

    def tools(message):
        if "skillrom/mark" in message["params"]["_meta"]:
            marked.append(message)
            return [{"jsonrpc": "2.0", "id": message["id"], "result": {"skillrom/mark": "0" * 16}}]
        return [{"jsonrpc": "2.0", "id": message["id"], "result": {"tools": [], "resultType": "complete"}}]

    identity = identity_of(p)
    with Bridge(p, line.host, "--cache", cache) as b:
        with Device(p, line):
            check_right(p, modern("tools/list"), b.exchange(modern("tools/list")))
        line.plug(line.device)
        with Framed(line, identity, {"tools/list": tools}):
            b.wait_for("connecting again")
            check(b.exchange(modern("tools/list"))["result"]["tools"] == [], "its own list")
            check(len(marked) == 1, "it was asked for a mark")


@suite
def client_cannot_have_a_mark_kept_as_an_answer(p):
    """Defect 26: what a client says of marks and stored files is not the device's to see."""
    line, cache = Line(p.folder, "own-mark"), os.path.join(p.folder, "cache-own-mark")
    for spelled in (str, lambda text: text.replace("skillrom/mark", "skillrom\\u002fmark")):
        for name in ("skillrom/mark", "-killrom/mark"):
            request = modern("tools/list")
            request["params"]["_meta"][name] = "0" * 32
            with Device(p, line), Bridge(p, line.host, "--cache", cache) as b:
                b.send(request, spelled)
                check(b.receive()[1]["result"] == p.right(modern("tools/list"))["result"], "the list")
                check_right(p, modern("tools/list"), b.exchange(modern("tools/list")))
            line.plug(line.device)
