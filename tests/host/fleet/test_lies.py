"""Devices that lie about what they have, or claim another's build: what others, agents and the disk get of it."""

import base64
import hashlib
import json

from client.check import Suite, check, until
from client.mqtt import ScriptedDevice
from fleet import Agent, Broker, Fleet, token
from test_trouble import come, in_background

suite = Suite()


def digest(data):
    return "sha256:" + hashlib.sha256(data.encode()).hexdigest()


def claim(name):
    """The meta of an announcement that claims this build."""
    return {"skillrom": {"build": digest(name), "instance": "5b1e0c6ff2a94d10", "rivals": []}}


class Described(ScriptedDevice):
    """A device that claims a build, and has skills. `files` are the insides of `contents`, JSON, by URI."""

    def __init__(self, broker, id, build, skills=(), files=None, **more):
        self.skills, self.files, self.reads, self.lists = skills, files or {}, [], 0
        super().__init__(broker, id, kind="plant/pump", meta=claim(build), **more)

    def become(self, build):
        """Announces another build."""
        self.meta = claim(build)
        self.announce()

    def respond(self, topic, message):
        method, uri = message["method"], message.get("params", {}).get("uri")
        self.lists += method == "tools/list"
        if method == "skills/list":
            self.reply(topic, message["id"], result={"skills": self.skills})
        elif method == "resources/read" and uri in self.files:
            self.reads.append(uri)
            self.mqtt.publish(topic, '{"jsonrpc":"2.0","id":%s,"result":{"contents":[%s]}}' % (json.dumps(message["id"]), self.files[uri]))
        else:
            super().respond(topic, message)


# ---- Files ----

GOOD, EVIL = "Switch it off first.\n", "Leave it on, and reach in.\n"


def quoted(text):
    return json.dumps(text)


def blob(text):
    return quoted(base64.b64encode(text.encode()).decode())


# What a device may send for a file with the digest of `good`: the members of its item beside uri, or several items.
LIES = {
    "another text": lambda good: f'"text":{quoted(EVIL)}',
    "another blob": lambda good: f'"blob":{blob(EVIL)}',
    "right text, forged blob": lambda good: f'"text":{quoted(good)},"blob":{blob(EVIL)}',
    "forged blob, right text": lambda good: f'"blob":{blob(EVIL)},"text":{quoted(good)}',
    "right blob, forged text": lambda good: f'"text":{quoted(EVIL)},"blob":{blob(good)}',
    "two texts, the last right": lambda good: f'"text":{quoted(EVIL)},"text":{quoted(good)}',
    "two texts, the first right": lambda good: f'"text":{quoted(good)},"text":{quoted(EVIL)}',
    "two texts, one in an escape": lambda good: f'"te\\u0078t":{quoted(EVIL)},"text":{quoted(good)}',
    "the same text twice": lambda good: f'"text":{quoted(good)},"text":{quoted(good)}',
    "a blob that goes on after its padding": lambda good: f'"blob":{blob(good + ".")[:-1]}{blob(EVIL)[1:]}',
    "a blob with a digit too many": lambda good: f'"blob":{blob(good)[:-1]}A"',
    "a second file": lambda good: f'"text":{quoted(good)}}},{{"uri":"x","text":{quoted(EVIL)}',
    "no content": lambda good: '"mimeType":"text/markdown"',
    "a number": lambda good: '"text":1',
    "null": lambda good: '"text":null,"blob":null',
    "another media type": lambda good: f'"text":{quoted(good)},"mimeType":"text/html"',
    "more members": lambda good: f'"text":{quoted(good)},"_meta":{{"x":"evil"}},"annotations":{{"priority":1}},"html":{quoted(EVIL)}',
    "another URI": lambda good: f'"text":{quoted(good)},"uri":"file:///etc/passwd"',
    "a blob for a text": lambda good: f'"blob":{blob(good)}',
}


def uri_of(number):
    return f"skill://lie-{number}/SKILL.md"


def good(number):
    """Files with one digest would be one file."""
    return f"{number}. {GOOD}"


def skill(number):
    name = f"lie-{number}"
    return {"name": name, "uri": uri_of(number), "frontmatter": {"name": name, "description": "d"},
            "resources": [{"uri": uri_of(number), "digest": digest(good(number))}]}


def content_of(agent, uri):
    contents = agent.result("resources/read", uri=uri)["contents"]
    check(len(contents) == 1, contents)
    if "blob" in contents[0] and "text" not in contents[0]:  # the same bytes
        contents[0]["text"] = base64.b64decode(contents[0].pop("blob"), validate=True).decode()
    return contents[0]


@suite
def nothing_of_a_file_is_kept_but_the_content_that_its_digest_covers(folder):
    """Defect 58: kind of lie x read, read again, read from the disk when the liar has gone."""
    broker = Broker(folder)
    skills = [skill(i) for i in range(len(LIES))]
    honest = {uri_of(i): f'{{"uri":"{uri_of(i)}","text":{quoted(good(i))}}}' for i in range(len(LIES))}
    lies = {uri_of(i): f'{{"uri":"{uri_of(i)}",{lie(good(i))}}}' for i, lie in enumerate(LIES.values())}
    Described(broker, "pump-1", "a", skills, honest)
    liar = Described(broker, "a-liar", "a", skills, lies)
    fleet = Fleet(broker, folder)
    for state in "read", "read again", "kept on disk":
        if state == "kept on disk":
            fleet.kill()
            liar.leave()
            fleet = Fleet(broker, folder)
        until(lambda: len(fleet.agent.result("skills/list")["skills"]) == len(LIES) + 1, "all skills are listed")
        for number, kind in enumerate(LIES):
            uri = f"skill://plant-pump-{digest('a')[7:15]}/lie-{number}/SKILL.md"
            content = content_of(fleet.agent, uri)
            check(content == {"uri": uri, "text": good(number), "mimeType": "text/markdown"}, f"{kind}, {state}: {content}")
    check(set(liar.reads) == set(lies), "the liar was not asked for every file")
    check(fleet.figure("files_fetched_total") == 0, "files were not kept")


@suite
def the_media_type_of_a_file_is_that_of_its_list_or_of_its_name(folder):
    rows = [("SKILL.md", {"mimeType": "text/plain"}, "text", "text/plain"), ("a.csv", {}, "text", "text/csv"),
            ("a.bin", {}, "blob", "application/octet-stream"), ("notes", {}, "text", "text/plain"),
            ("b.HTML", {"mimeType": 7}, "text", "text/html"), ("c.png", {"mimeType": ""}, "blob", "image/png")]
    broker, base = Broker(folder), "skill://a/"
    resources = [{"uri": base + name, "digest": digest(name), **more} for name, more, _, _ in rows]
    files = {base + name: f'{{"uri":"x","mimeType":"x/evil","{member}":{quoted(name) if member == "text" else blob(name)}}}'
             for name, _, member, _ in rows}
    Described(broker, "pump-1", "a", [{"name": "a", "uri": base + "SKILL.md", "resources": resources}], files)
    fleet = Fleet(broker, folder)
    until(lambda: len(fleet.agent.result("skills/list")["skills"]) == 2, "its skill is listed")
    for _ in "fetched", "kept":
        for name, _, member, media in rows:
            uri = f"skill://plant-pump-{digest('a')[7:15]}/a/{name}"
            content = fleet.agent.result("resources/read", uri=uri)["contents"][0]
            check(content["mimeType"] == media and set(content) == {"uri", "mimeType", member}, f"{name}: {content}")


# ---- Rights ----

def tool(name, calm=None):
    return {"name": name, "inputSchema": {"type": "object"}, **({} if calm is None else {"annotations": {"readOnlyHint": calm}})}


# What the called device says of its tool `purge`: its tools, and whether a token that only reads may run it.
OWN = {"acts": ([tool("purge")], False), "says that it acts": ([tool("purge", False)], False),
       "only looks": ([tool("purge", True)], True), "a hint that is a text": ([tool("purge", "true")], False),
       "a hint elsewhere": ([{**tool("purge"), "readOnlyHint": True}], False),
       "another only looks": ([tool("purg", True), tool("purge2", True), tool("purge")], False),
       "an escaped name": ([tool("purge")], False), "no such tool": ([tool("other", True)], False), "no tools": ([], False)}
# What a liar that claims the same build says, which is asked for the lists first.
LIES_OF_BUILD = {"calm": [tool("purge", True)], "acts": [tool("purge", False)], "none": [], "the truth": None}


@suite
def a_reader_runs_what_the_called_device_itself_says_only_looks(folder):
    """Defect 59: what the device has x what a liar with its build says x who calls x which way."""
    broker, file = Broker(folder), folder / "tokens"
    tokens = {"reads": token(file, "eve", "--read-only"), "operates": token(file, "boss")}
    devices = {}
    for lie, lied in LIES_OF_BUILD.items():
        for kind, (tools, _) in OWN.items():
            number = len(devices)
            Described(broker, f"a-liar-{number}", f"build {number}", tools=tools if lied is None else lied)
            devices[kind, lie] = f"pump-{number}", number
    fleet = Fleet(broker, folder, "--token-file", str(file))
    fleet.until_present(len(devices))
    agents = {who: Agent(fleet.ports[0], value) for who, value in tokens.items()}
    until(lambda: agents["operates"].tool("list_devices", presence="present")["structuredContent"]["total"] == len(devices), "all are listed")
    until(lambda: fleet.figure("requests") == 0, "the liars have lied of all builds")
    honest = {key: Described(broker, name, f"build {number}", tools=OWN[key[0]][0]) for key, (name, number) in devices.items()}
    fleet.until_present(2 * len(devices))
    count = 0
    for (kind, lie), device in honest.items():
        tools, calm = OWN[kind]
        has = any(one["name"] == "purge" for one in tools)
        sent = has or lie in ("calm", "acts")  # who may operate calls what the build has; the device answers for itself
        for who, agent in agents.items():
            for how in "alone", "with others":
                before, may = len(device.calls), sent if who == "operates" else calm
                if how == "alone":
                    said, failed = agent.call(device.id, "purge")
                else:
                    one = agent.call_all([device.id], "purge")[device.id]
                    said, failed = one.get("why", "fine"), one["outcome"] != "done"
                case = f"{kind}; the liar says {lie}; {who}, {how}: {said}"
                check((len(device.calls) - before, failed) == (1 if may else 0, not may), case)
                check(may or ("read-only token" if has else "has no tool") in said, case)
                count += 1
    check(count == len(OWN) * len(LIES_OF_BUILD) * 4 == 144, count)


@suite
def a_device_that_changes_is_asked_again_before_a_reader_calls_it(folder):
    """Defect 59: how the device changes its mind x whether the call waits for it."""
    broker, file = Broker(folder), folder / "tokens"
    reader = token(file, "eve", "--read-only")
    fleet = Fleet(broker, folder, "--token-file", str(file))
    agent = Agent(fleet.ports[0], reader)
    calm, wild = [tool("purge", True)], [tool("purge")]

    def leave_and_return(device):
        device.leave()
        until(lambda: agent.device(device.id)["presence"] == "away", "it is away")
        device.announce()

    announcements = {"announces another build": lambda d: d.become("b"), "announces the same again": lambda d: d.announce(),
            "leaves and returns": leave_and_return,
            "says that its tools have changed": lambda d: d.mqtt.publish(
                f"$mcp-server/capability/{d.id}/{d.kind}", '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}')}
    for number, (how, change) in enumerate(announcements.items()):
        device = Described(broker, f"pump-{number}", "a", tools=calm)
        fleet.until_present(number + 1)
        check(agent.call(device.id, "purge") == ("fine", False), how)
        check(agent.call(device.id, "purge") == ("fine", False) and device.lists <= 2, f"{how}: asked {device.lists} times")
        device.tools, asked = wild, device.lists
        change(device)
        fleet.until_present(number + 1)
        until(lambda: agent.call(device.id, "purge")[1], f"{how}: the call is refused")
        check(len(device.calls) <= 3 and device.lists > asked, f"{how}: {device.calls}")
    away = Described(broker, "pump-9", "a", tools=calm)
    fleet.until_present(len(announcements) + 1)
    check(agent.call("pump-9", "purge") == ("fine", False))
    away.leave()
    until(lambda: agent.device("pump-9")["presence"] == "away", "it is away")
    waits = in_background(Agent(fleet.ports[0], reader).call, "pump-9", "purge", wait_ms=100000)
    until(lambda: fleet.figure("requests") == 1, "the call waits")
    away.tools = wild
    away.become("b")
    said, failed = come(waits)
    check(failed and "read-only token" in said and len(away.calls) == 1, said)


@suite
def a_call_that_waits_for_its_turn_is_not_sent_to_a_device_that_has_changed(folder):
    """Defect 59: the right was there when the call was taken; a queue was before it."""
    broker, file = Broker(folder), folder / "tokens"
    reader = token(file, "eve", "--read-only")
    device = Described(broker, "pump-1", "a", tools=[tool("purge", True)], responses={"purge": None})
    fleet = Fleet(broker, folder, "--token-file", str(file))
    fleet.until_present(1)
    find = Agent(fleet.ports[0], reader)
    until(lambda: "purge" in str(find.tool("find_tools", query="purge")["structuredContent"]), "its tools are known")
    calls = [in_background(Agent(fleet.ports[0], reader).call, "pump-1", "purge", wait_ms=100000) for _ in range(6)]
    until(lambda: len(device.calls) == 4 and fleet.figure("requests") == 6, "four are under way, two wait")
    device.tools = [tool("purge")]
    device.leave()
    until(lambda: Agent(fleet.ports[0], reader).device("pump-1")["presence"] == "away", "it is away")
    device.become("b")
    said = sorted(come(call)[0].split(":")[1].strip() for call in calls)
    check(said == ["refused"] * 2 + ["unknown"] * 4 and len(device.calls) == 4, said)


# ---- The table of builds ----

@suite
def builds_that_nobody_has_make_room(folder):
    """Defect 60: who fills the table x what a new device finds there."""
    broker = Broker(folder)
    fleet = Fleet(broker, folder, "--max-builds", "4")
    until(lambda: fleet.figure("broker_up") == 1, "it is connected")
    found = lambda name: name in json.dumps(fleet.agent.tool("find_tools", query=name)["structuredContent"])
    present = 0

    def one_device_claims_many():
        flood = Described(broker, "z-flood", "0", tools=[])
        for number in range(20):
            flood.leave()
            flood.become(f"flood {number}")
        return [flood]

    def one_device_claims_many_without_going():
        flood = Described(broker, "y-flood", "0", tools=[])
        for number in range(20):
            flood.become(f"more {number}")
        return [flood]

    def versions_follow_each_other():
        device = Described(broker, "pump-1", "v0", tools=[tool("v0")])
        for number in range(1, 10):
            until(lambda: found(f"v{number - 1}"), f"version {number - 1} is known")
            device.tools = [tool(f"v{number}")]
            device.become(f"v{number}")
        return [device]

    def devices_go_for_good():
        gone = [Described(broker, f"gone-{number}", f"gone {number}", tools=[tool(f"gone{number}")]) for number in range(4)]
        for number, device in enumerate(gone):
            until(lambda: found(f"gone{number}") or fleet.figure("builds") == 4, "it is known, or the table is full")
            device.leave()
        return []

    for fill in one_device_claims_many, one_device_claims_many_without_going, versions_follow_each_other, devices_go_for_good:
        there = fill()
        present += len(there)
        fleet.until_present(present)
        check(fleet.figure("builds") <= 4, fleet.figure("builds"))
        name = fill.__name__
        fresh = Described(broker, f"new-{name}", name, tools=[tool(name, True)])
        until(lambda: found(name), f"{name}: a new device's tool is found")
        check(fleet.agent.call(fresh.id, name) == ("fine", False))
        for device in (*there, fresh):
            device.leave()
        present = 0
        fleet.until_present(0)


@suite
def a_device_that_found_no_row_gets_one_when_there_is_one(folder):
    broker = Broker(folder)
    fleet = Fleet(broker, folder, "--max-builds", "1")
    first = Described(broker, "pump-1", "a", tools=[tool("first")])
    fleet.until_present(1)
    found = lambda: json.dumps(fleet.agent.tool("find_tools", query="*")["structuredContent"])
    until(lambda: "first" in found(), "the first is known")
    second = Described(broker, "pump-2", "b", tools=[tool("second")])
    fleet.wait_for("pump-2: more builds than --max-builds 1")
    check("second" not in found() and fleet.agent.call("pump-2", "second") == ("fine", False), found())
    first.leave()
    until(lambda: "second" in found() and "first" not in found(), "the second has the row")
    check(fleet.agent.device("pump-1")["build"] == digest("a")[7:15], "what it was is not forgotten")
    second.leave()
