"""Tokens, patterns of devices, and the record."""

import hashlib
import resource
import subprocess
import threading

from client import programs
from client.check import PATIENCE, Suite, check, until
from client.child import die_with_parent
from client.mqtt import ScriptedDevice
from fleet import Agent, Broker, Fleet, token
from test_trouble import come, in_background

suite = Suite()


@suite
def a_token_sees_its_devices_and_does_what_it_may(folder):
    file, broker = folder / "tokens", Broker(folder)
    tokens = {"boss": token(file, "boss"), "look": token(file, "look", "--read-only"),
              "north": token(file, "north", "--devices", "north-*,gauge-?")}
    devices = {name: ScriptedDevice(broker, name) for name in ("north-1", "north-2", "south-1", "gauge-1")}
    fleet = Fleet(broker, folder, "--token-file", str(file))
    fleet.until_present(4)
    agents = {name: Agent(fleet.ports[0], value) for name, value in tokens.items()}
    until(lambda: agents["boss"].tool("find_tools", query="*")["structuredContent"]["searched"] == 2, "tools are known")
    check(agents["boss"].devices()[0] == ["gauge-1", "north-1", "north-2", "south-1"])
    names, page = agents["north"].devices()
    check(names == ["gauge-1", "north-1", "north-2"] and page["total"] == page["present"] == 3, page)
    check(agents["north"].call("north-1", "act") == ("fine", False))
    said, failed = agents["north"].call("south-1", "act")
    check(failed and "no device of this name" in said, said)
    check(set(agents["north"].call_all(["*"], "act")) == {"gauge-1", "north-1", "north-2"})
    check(agents["look"].call("south-1", "look") == ("fine", False))
    said, failed = agents["look"].call("south-1", "act")
    check(failed and "read-only token" in said, said)
    check({one["outcome"] for one in agents["look"].call_all(["*"], "act").values()} == {"refused"})
    response, _ = Agent(fleet.ports[0]).link.post({"method": "tools/list", "jsonrpc": "2.0", "id": 1})
    check(response.status == 401, response.status)
    check(not devices["south-1"].calls or {call["name"] for call in devices["south-1"].calls} == {"look"})
    check(fleet.figure("calls_denied_total") == 5)


@suite
def every_call_is_on_the_record(folder):
    file, broker = folder / "tokens", Broker(folder)
    agent_token = token(file, "alice")
    ScriptedDevice(broker, "gauge-1", responses={"act": lambda arguments: f"turned {arguments['by']}"})
    fleet = Fleet(broker, folder, "--token-file", str(file))
    fleet.until_present(1)
    alice = Agent(fleet.ports[0], agent_token)
    check(alice.call("gauge-1", "act", by=3) == ("turned 3", False))
    check(alice.call("gauge-2", "act", by=3)[1])
    lines = fleet.recorded(who="alice", tool="act")
    digest = hashlib.sha256(b'{"by": 3}').hexdigest()
    check([line["how"] for line in lines] == ["done", "refused"], lines)
    check(lines[0]["device"] == "gauge-1" and lines[0]["arguments"] == digest and lines[0]["ms"] >= 0, lines)
    check(lines[0]["time"].endswith("Z"), lines)


def chain_of(record):
    """What `skillrom call FILE --log` says of the chain, and its exit status."""
    done = subprocess.run([programs.SKILLROM, "call", str(record), "--log"], capture_output=True, text=True, preexec_fn=die_with_parent)
    return done.returncode, done.stderr


@suite
def the_record_of_servers_that_share_a_file_is_one_chain(folder):
    broker = Broker(folder)
    ScriptedDevice(broker, "gauge-1")
    for _ in range(2):  # and goes on when they start again
        servers = [Fleet(broker, folder) for _ in range(2)]
        for server in servers:
            server.until_present(1)
        for server in servers * 3:
            check(server.agent.call("gauge-1", "look") == ("fine", False))
        for server in servers:
            server.signal()
            check(server.exit_code() == 0)
    lines = servers[0].recorded()
    check([line["number"] for line in lines] == list(range(len(lines))) and len(lines) >= 12, lines)
    code, said = chain_of(servers[0].record)
    check(code == 0 and f"{len(lines)} entries, and the chain holds" in said, said)
    whole = servers[0].record.read_text().splitlines(keepends=True)
    copy = folder / "copy.jsonl"
    for n in range(1, len(whole) - 1):
        for wrong in (whole[:n] + whole[n + 1:], whole[:n] + [whole[n].replace("gauge-1", "gauge-2").replace("fleet", "flett")] + whole[n + 1:],
                      whole[:n] + [whole[n + 1], whole[n]] + whole[n + 2:]):
            copy.write_text("".join(wrong))
            code, said = chain_of(copy)
            check(code == 1 and "the record was altered" in said, f"{n}: {said}")


# Names and URIs of calls, with what may be left of them: characters of every length, and those that JSON escapes.
ODD = {"two bytes": "\u00e9", "three bytes": "\u20ac", "four bytes": "\U0001F600", "controls": "\x01", "NUL": "\0", "quotes": '"',
       "backslashes": "\\", "line ends": "\n", "C1": "\x9b", "bidi": "\u202e", "half a pair": "\ud800"}
LONGEST = {"device": 128, "tool": 128, "resource": 1000}


@suite
def nothing_a_caller_writes_evades_or_spoils_the_record(folder):
    """Defect 62: characters x where they are x how many; each call has its line, which is JSON in UTF-8."""
    file, broker = folder / "tokens", Broker(folder)
    reader = token(file, "eve", "--read-only")
    ScriptedDevice(broker, "gauge-1")
    fleet = Fleet(broker, folder, "--token-file", str(file))
    fleet.until_present(1)
    agent, cases = Agent(fleet.ports[0], reader), 0
    for kind, character in ODD.items():
        for place, most in LONGEST.items():
            for length in 1, most // 2, most - 1, most:
                words = {"device": "gauge-1", **({} if place == "resource" else {"tool": "look"}), place: "x" + character * (length - 1)}
                before = len(fleet.recorded())
                for arguments in words, {**words, "device": None, "devices": [words["device"]]}:
                    agent.tool("call_tool", **{key: value for key, value in arguments.items() if value})
                lines = fleet.recorded()[before:]
                shown = words[place].replace("\ud800", "\ufffd")
                check(len(lines) == 2 and all(line[place] == shown and line["who"] == "eve" for line in lines),
                      f"{kind}, {place}, {length}: {str(lines)[:300]}")
                cases += 1
    check(cases == 132, cases)


@suite
def a_record_that_cannot_be_written_stops_calls_until_it_can(folder):
    """Defect 62: also a call that is under way has its line."""
    broker = Broker(folder)
    done = subprocess.run([programs.SKILLROM, "fleet", broker.url, "--audit-log", "/dev/full"], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, preexec_fn=die_with_parent)
    check(done.returncode == 1 and "/dev/full: cannot write the audit log: No space left on device" in done.stderr, done)
    device = ScriptedDevice(broker, "gauge-1")
    fleet = Fleet(broker, folder)
    fleet.until_present(1)
    held = threading.Event()
    device.responses = {"act": lambda arguments: held.wait(PATIENCE) and "late" or "late"}
    waits = in_background(Agent(fleet.ports[0]).call, "gauge-1", "act")
    until(lambda: device.calls, "a call is under way")
    size = fleet.record.stat().st_size
    resource.prlimit(fleet.process.pid, resource.RLIMIT_FSIZE, (size + 8192, resource.RLIM_INFINITY))  # a line, not two
    for _ in range(2):
        for resource_or_tool in {"tool": "look"}, {"resource": "gauge://x"}:
            result = fleet.agent.tool("call_tool", device="gauge-1", **resource_or_tool)
            check(result["isError"] and "cannot be written" in result["content"][0]["text"], result)
        check(fleet.agent.call_all(["gauge-1"], "look")["gauge-1"]["outcome"] == "refused", "with others")
        check(fleet.agent.call("gauge-7", "look")[1], "no such device")  # its line must not take the room of another
    fleet.wait_for("cannot write the audit log: File too large; calls are refused until that is fixed")
    held.set()
    check(come(waits) == ("late", False) and [call["name"] for call in device.calls] == ["act"], device.calls)
    check([line["how"] for line in fleet.recorded()] == ["done"], fleet.recorded())
    check(fleet.figure("unrecorded_total") == 8 and sum("the audit log" in line for line in fleet.said) == 1, fleet.said)
    resource.prlimit(fleet.process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    check(fleet.agent.call("gauge-1", "look") == ("fine", False))
    check([line["how"] for line in fleet.recorded()] == ["done", "done"], fleet.recorded())
    check(chain_of(fleet.record)[0] == 0, chain_of(fleet.record))


@suite
def a_server_that_is_ended_records_the_calls_that_are_under_way(folder):
    broker = Broker(folder)
    device = ScriptedDevice(broker, "gauge-1", responses={"act": None})
    fleet = Fleet(broker, folder)
    fleet.until_present(1)
    caller = Agent(fleet.ports[0])
    caller.begin("call_tool", device="gauge-1", tool="act")
    until(lambda: device.calls, "a call is under way")
    fleet.signal()
    check(fleet.exit_code() == 0)
    check([(line["device"], line["tool"]) for line in fleet.recorded()] == [("gauge-1", "act")], fleet.recorded())


@suite
def a_file_with_patterns_is_refused_by_a_single_device(folder):
    file = folder / "tokens"
    token(file, "north", "--devices", "north-*")
    done = subprocess.run([programs.PUMP, programs.EXAMPLE_IMAGE, "--http", "127.0.0.1:0", "--token-file", str(file)],
                          capture_output=True, text=True, preexec_fn=die_with_parent)
    check(done.returncode == 1 and "skillrom fleet" in done.stderr, done)
    done = subprocess.run([programs.SKILLROM, "token", "x", "--devices", "a b", "-o", str(file)], capture_output=True, text=True,
                          preexec_fn=die_with_parent)
    check(done.returncode == 2 and "without spaces" in done.stderr, done)


@suite
def metrics_and_health_are_documents(folder):
    broker = Broker(folder)
    fleet = Fleet(broker, folder)
    until(lambda: fleet.document("/healthz") == (200, "ok: 0 of 0 devices present, 0 builds\n"), "it is healthy")
    status, text = fleet.document("/metrics")
    check(status == 200 and "# TYPE skillrom_fleet_calls_total counter\n" in text, text)
    check(fleet.document("/other")[0] == 404)
    check(fleet.document("/mcp")[0] == 404, "MCP is served at the address of --metrics")
    check(fleet.document("/metrics", fleet.ports[0])[0] == 404, "metrics are served at the address of --http")
    broker.kill()
    until(lambda: fleet.document("/healthz")[0] == 503, "it is not")
    check(fleet.figure("broker_up") == 0)
