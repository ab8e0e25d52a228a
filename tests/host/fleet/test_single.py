"""One device on one broker, from the agent's bytes to the device and back."""

import hashlib
import json

from client import programs
from client.check import Suite, check, until
from client.child import Child, Server, Stdio
from client.mcp import INITIALIZE, LEGACY, legacy
from client.mqtt import ScriptedDevice
from client.wire import HttpClient
from fleet import Broker, Fleet

suite = Suite()


def published(broker, id):
    """The example device, behind the bridge."""
    pump = Server(programs.PUMP, programs.EXAMPLE_IMAGE, "--http", "127.0.0.1:0")
    bridge = Child(programs.SKILLROM, "bridge", f"http://127.0.0.1:{pump.ports[0]}", "--mqtt", broker.url, "--id", id,
                   "--no-cache")
    bridge.wait_for("published as")
    return pump, bridge


@suite
def a_published_device_is_listed_found_and_called(folder):
    broker = Broker(folder)
    published(broker, "pump-17")
    fleet = Fleet(broker, folder)
    fleet.until_present(1)
    device = fleet.agent.device("pump-17")
    check(device["kind"] == "tidewater-dp4" and device["presence"] == "present" and len(device["build"]) == 8, device)
    until(lambda: fleet.agent.tool("find_tools", query="*")["structuredContent"]["searched"] > 0, "its tools are known")
    found = fleet.agent.tool("find_tools", query="dispense a volume", limit=1)["structuredContent"]["tools"]
    check(found[0]["tool"]["name"] == "run_dose" and "volume_ul" in found[0]["tool"]["inputSchema"]["properties"], found)
    check(found[0]["builds"] == [{"kind": "tidewater-dp4", "build": device["build"], "present": 1, "device": "pump-17"}], found)
    check(fleet.agent.call("pump-17", "run_dose", line=2, volume_ul=1000) ==
          ("dispensed 1.000 ml; line 2 ready, bottle 37.500 ml, tube 63 % used, dosed 1.000 ml", False))
    said, failed = fleet.agent.call("pump-17", "run_dose", line=9, volume_ul=1000)
    check(failed and "line must be" in said, said)


@suite
def only_three_tools_are_shown_in_both_eras(folder):
    broker = Broker(folder)
    ScriptedDevice(broker, "gauge-1")
    fleet = Fleet(broker, folder)
    fleet.until_present(1)
    names = [tool["name"] for tool in fleet.agent.result("tools/list")["tools"]]
    check(names == ["call_tool", "find_tools", "list_devices"], names)
    older = HttpClient(fleet.ports[0])
    older.begin(LEGACY)
    check([tool["name"] for tool in older.exchange(legacy("tools/list"))["result"]["tools"]] == names)
    result = older.exchange(legacy("tools/call", name="call_tool", arguments={"device": "gauge-1", "tool": "look"}))["result"]
    check(result == {"content": [{"type": "text", "text": "fine"}]}, result)


def result_of(fleet, message):
    """On stdio; notifications may come first."""
    id, got = fleet.send(message), fleet.line()
    while got.get("id") != id:
        check("method" in got and "id" not in got, got)
        got = fleet.line()
    return got["result"]


@suite
def on_stdio_it_is_the_same_server(folder):
    broker = Broker(folder)
    ScriptedDevice(broker, "gauge-1")
    fleet = Stdio(programs.SKILLROM, "fleet", broker.url, "--cache", str(folder / "cache"))
    result_of(fleet, INITIALIZE)
    listed = legacy("tools/call", name="list_devices", arguments={})
    until(lambda: result_of(fleet, listed)["structuredContent"]["present"], "the device is there")
    result = result_of(fleet, legacy("tools/call", name="call_tool", arguments={"device": "gauge-1", "tool": "look"}))
    check(result["content"][0]["text"] == "fine", result)
    check(fleet.finish() == 0)


@suite
def skills_are_listed_with_their_build_and_files_are_asked_for_once(folder):
    broker = Broker(folder)
    published(broker, "pump-1")
    published(broker, "pump-2")
    fleet = Fleet(broker, folder)
    fleet.until_present(2)
    base = f"skill://tidewater-dp4-{fleet.agent.device('pump-1')['build']}/"
    until(lambda: len(fleet.agent.result("skills/list")["skills"]) > 1, "skills are known")
    skills = fleet.agent.result("skills/list")["skills"]
    uris = [skill["uri"] for skill in skills]
    check(uris[0] == "skill://fleet/SKILL.md" and len(uris) == len(set(uris)) == 5, uris)
    check(all(uri.startswith(base) for uri in uris[1:]), uris)
    check({one["uri"] for one in fleet.agent.result("resources/list")["resources"]} == set(uris))
    file = next(f for skill in skills[1:] for f in skill["resources"] if f["uri"] == f"{base}daily-check/SKILL.md")
    before = fleet.figure("sent_bytes_total")
    text = fleet.agent.result("resources/read", uri=file["uri"])["contents"][0]
    cold = fleet.figure("sent_bytes_total")
    check(text["uri"] == file["uri"] and text["mimeType"] == "text/markdown", text)
    check("sha256:" + hashlib.sha256(text["text"].encode()).hexdigest() == file["digest"], "another content")
    check(cold > before, "nothing was asked")
    moved = fleet.figure("received_bytes_total")
    check(fleet.agent.result("resources/read", uri=file["uri"])["contents"][0] == text)
    check((fleet.figure("sent_bytes_total"), fleet.figure("received_bytes_total")) == (cold, moved), "asked again")
    check(fleet.figure("files_cached_total") == 1 and fleet.figure("files_fetched_total") == 1)
    got = fleet.agent.result("skills/get", uri=file["uri"])["skill"]
    check(got == next(skill for skill in skills if skill["uri"] == file["uri"]), got)
    names = [one["uri"] for one in fleet.agent.result("resources/directory/read", uri=f"{base}daily-check")["resources"]]
    check(f"{base}daily-check/SKILL.md" in names, names)
    for uri in (f"{base}daily-check/nothing.md", "skill://tidewater-dp4-00000000/daily-check/SKILL.md", "skill://nobody"):
        check("error" in fleet.agent.exchange("resources/read", uri=uri), uri)
    own = fleet.agent.result("resources/read", uri="skill://fleet/SKILL.md")["contents"][0]["text"]
    check("# Work with a fleet" in own, own[:100])


@suite
def a_device_of_somebody_else_is_learned_by_its_lists(folder):
    broker = Broker(folder)
    for i in range(3):
        ScriptedDevice(broker, f"gauge-{i}")
    other = [{"name": "weigh", "description": "Weighs.", "inputSchema": {"type": "object"}}]
    ScriptedDevice(broker, "gauge-9", tools=other)
    fleet = Fleet(broker, folder)
    fleet.until_present(4)
    until(lambda: all("build" in d for d in fleet.agent.tool("list_devices")["structuredContent"]["devices"]), "builds are known")
    builds = {d["name"]: d["build"] for d in fleet.agent.tool("list_devices")["structuredContent"]["devices"]}
    check(builds["gauge-0"] == builds["gauge-1"] == builds["gauge-2"] != builds["gauge-9"], builds)
    until(lambda: fleet.agent.tool("find_tools", query="*")["structuredContent"]["searched"] == 3, "tools of both are known")
    found = fleet.agent.tool("find_tools", query="weigh it")["structuredContent"]["tools"]
    check([one["tool"]["name"] for one in found] == ["weigh"] and found[0]["builds"][0]["device"] == "gauge-9", found)


@suite
def wrong_arguments_get_answers_that_help(folder):
    broker = Broker(folder)
    device = ScriptedDevice(broker, "gauge-1")
    fleet = Fleet(broker, folder)
    fleet.until_present(1)
    until(lambda: "build" in fleet.agent.device("gauge-1"), "its tools are known")
    until(lambda: fleet.agent.tool("find_tools", query="*")["structuredContent"]["searched"] == 2, "its tools are known")

    def refused(words, **arguments):
        result = fleet.agent.tool("call_tool", **arguments)
        check(result.get("isError") and words in result["content"][0]["text"], json.dumps(result))

    refused("either device or devices", tool="look")
    refused("either device or devices", tool="look", device="gauge-1", devices=["gauge-1"])
    refused("no device of this name", tool="look", device="gauge-2")
    refused("no tool of this name", tool="turn", device="gauge-1")
    refused("must be an object", tool="look", device="gauge-1", arguments=[1])
    refused("at_once must be", tool="look", device="gauge-1", at_once=0)
    check("error" in fleet.agent.exchange("skills/list", cursor="x") and "error" in fleet.agent.exchange("skills/list", cursor="99"))
    responses = fleet.agent.call_all(["gauge-1", "gauge-2", "gauge-*"], "look")
    outcomes = {name: one["outcome"] for name, one in responses.items()}
    check(outcomes == {"gauge-1": "done", "gauge-2": "refused"}, responses)
    check(len(device.calls) == 1, device.calls)
