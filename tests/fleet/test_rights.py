"""Tokens, patterns of devices, and the record."""

import hashlib
import subprocess

from client import programs
from client.check import Suite, check, until
from client.child import die_with_parent
from client.mqtt import ScriptedDevice
from fleet import Agent, Broker, Fleet

suite = Suite()


def token(file, name, *options):
    done = subprocess.run([programs.SKILLROM, "token", name, "-o", str(file), *options], capture_output=True, text=True,
                          preexec_fn=die_with_parent)
    check(done.returncode == 0, done.stderr)
    return done.stdout.strip()


@suite
def a_token_sees_its_devices_and_does_what_it_may(folder):
    file, broker = folder / "tokens", Broker(folder)
    tokens = {"boss": token(file, "boss"), "look": token(file, "look", "--read"),
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
    check(failed and "may only look" in said, said)
    check({one["outcome"] for one in agents["look"].call_all(["*"], "act").values()} == {"refused"})
    response, _ = Agent(fleet.ports[0]).link.post({"method": "tools/list", "jsonrpc": "2.0", "id": 1})
    check(response.status == 401, response.status)
    check(not devices["south-1"].calls or {call["name"] for call in devices["south-1"].calls} == {"look"})
    check(fleet.figure("calls_denied_total") == 5)


@suite
def every_call_is_on_the_record(folder):
    file, broker = folder / "tokens", Broker(folder)
    agent_token = token(file, "alice")
    ScriptedDevice(broker, "gauge-1", answers={"act": lambda arguments: f"turned {arguments['by']}"})
    fleet = Fleet(broker, folder, "--token-file", str(file))
    fleet.until_present(1)
    alice = Agent(fleet.ports[0], agent_token)
    check(alice.call("gauge-1", "act", by=3) == ("turned 3", False))
    check(alice.call("gauge-2", "act", by=3)[1])
    lines = fleet.recorded(who="alice", tool="act")
    digest = hashlib.sha256(b'{"by": 3}').hexdigest()
    check([line["result"] for line in lines] == ["done", "refused"], lines)
    check(lines[0]["device"] == "gauge-1" and lines[0]["arguments_sha256"] == digest and lines[0]["ms"] >= 0, lines)
    check(lines[0]["time"].endswith("Z"), lines)


@suite
def a_record_on_a_full_disk_is_told_once_and_counted(folder):
    broker = Broker(folder)
    ScriptedDevice(broker, "gauge-1", answers={"act": lambda arguments: f"turned {arguments['by']}"})
    fleet = Fleet(broker, folder, "--record", "/dev/full")
    fleet.until_present(1)
    for by in 1, 2:
        check(fleet.agent.call("gauge-1", "act", by=by) == (f"turned {by}", False))
    fleet.wait_for("the record cannot be written: No space left on device")
    check(fleet.figure("unrecorded_total") == 2 and sum("the record" in line for line in fleet.said) == 1, fleet.said)


@suite
def a_file_with_patterns_is_refused_by_a_single_device(folder):
    file = folder / "tokens"
    token(file, "north", "--devices", "north-*")
    done = subprocess.run([programs.PUMP, programs.EXAMPLE_IMAGE, "--http", "127.0.0.1:0", "--token-file", str(file)],
                          capture_output=True, text=True, preexec_fn=die_with_parent)
    check(done.returncode == 1 and "skillrom fleet" in done.stderr, done)
    done = subprocess.run([programs.SKILLROM, "token", "x", "--devices", "a b", "-o", str(file)], capture_output=True, text=True,
                          preexec_fn=die_with_parent)
    check(done.returncode == 2 and "without blanks" in done.stderr, done)


@suite
def metrics_and_health_are_documents(folder):
    broker = Broker(folder)
    fleet = Fleet(broker, folder)
    until(lambda: fleet.document("/healthz") == (200, "ok: 0 of 0 devices present, 0 builds\n"), "it is healthy")
    status, text = fleet.document("/metrics")
    check(status == 200 and "# TYPE skillrom_fleet_calls_total counter\n" in text, text)
    check(fleet.document("/other")[0] == 404)
    broker.kill()
    until(lambda: fleet.document("/healthz")[0] == 503, "it is not")
    check(fleet.figure("broker_up") == 0)
