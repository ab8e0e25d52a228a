"""What an outsider tries: odd names, huge messages, wrong passwords, patterns that almost match, pages of a list that changes."""

import json
import subprocess

from client.check import Suite, check, until
from client.mqtt import Mqtt, ScriptedDevice
from fleet import Agent, Broker, Fleet, Swarm
from test_rights import token

suite = Suite()
ONLINE = {"jsonrpc": "2.0", "method": "notifications/server/online", "params": {"server_name": "gauge", "description": "", "meta": {}}}


@suite
def devices_with_odd_names_are_devices_like_others(folder):
    broker = Broker(folder)
    names = ["*", "?", "a b", 'quo"te', "back\\slash", "100%", "..", "{}", "Größe-7", "日本", "x" * 128, "$SYS", "null", "-", "'; --"]
    devices = {name: ScriptedDevice(broker, name) for name in names}
    fleet = Fleet(broker, folder)
    fleet.until_present(len(names))
    check(sorted(fleet.agent.devices()[0]) == sorted(names), fleet.agent.devices()[0])
    for name in names:
        check(fleet.agent.call(name, "look", who=name) == ("fine", False), name)
        check([c["arguments"] for c in devices[name].calls] == [{"who": name}], name)
    check(sorted(line["device"] for line in fleet.recorded(how="done")) == sorted(names), "the record is not JSON")
    results = fleet.agent.call_all(["*"], "look")
    check(sorted(results) == sorted(names), sorted(results))
    paged, cursor = [], {}
    while cursor is not None:
        page_names, page = fleet.agent.devices(limit=2, **cursor)
        paged += page_names
        cursor = {"cursor": page["nextCursor"]} if "nextCursor" in page else None
    check(sorted(paged) == sorted(names) and len(paged) == len(set(paged)), paged)


@suite
def announcements_that_are_none_list_nothing(folder):
    broker = Broker(folder)
    fleet = Fleet(broker, folder)
    wild = Mqtt(broker, "wild")
    online = json.dumps(ONLINE)
    for topic in ("$mcp-server/presence/" + "y" * 129 + "/gauge", "$mcp-server/presence/presence/gauge",
                  "$mcp-server/presence/x/" + "n" * 257, "$mcp-server/presence/x//gauge", "$mcp-server/presence//gauge",
                  "$mcp-server/presence/x/gauge/", "$mcp-server/presence/capability/gauge"):
        wild.publish(topic, online, retain=True)
    wild.publish("$mcp-server/presence/deep/gauge", "[" * 100000, retain=True)
    wild.publish("$mcp-server/presence/text/gauge", b"\xff\xfe", retain=True)
    wild.publish("$mcp-server/presence/build/gauge", online.replace('"meta": {}', '"meta": {"skillrom": {"build": "sha256:zz"}}'), retain=True)
    huge = {**ONLINE, "params": {**ONLINE["params"], "description": "d" * 2000000}}
    wild.publish("$mcp-server/presence/huge/gauge", json.dumps(huge), retain=True)
    until(lambda: sorted(fleet.agent.devices()[0]) == ["build", "huge"], "those that can be read are listed")
    good = ScriptedDevice(broker, "gauge-1")
    until(lambda: "gauge-1" in fleet.agent.devices()[0], "it goes on")
    check(fleet.agent.call("gauge-1", "look") == ("fine", False) and good.calls)


@suite
def a_device_that_tells_too_much_is_cut_and_harms_nobody(folder):
    broker = Broker(folder)
    many = [{"name": f"tool-{i}", "description": "t" * 200, "inputSchema": {"type": "object"}} for i in range(1000)]
    ScriptedDevice(broker, "many", kind="many", tools=many)
    ScriptedDevice(broker, "wide", kind="wide", tools=[{"name": "wide", "description": "w" * 1500000, "inputSchema": {}}])
    ScriptedDevice(broker, "odd", kind="odd", tools=[1, None, [], {}, {"name": 7}, {"name": "x", "inputSchema": []}, "text"])
    ScriptedDevice(broker, "loud", responses={"look": "x" * 5000000})
    fleet = Fleet(broker, folder)
    fleet.until_present(4)
    fleet.wait_for("too many tools, resources or skills")
    until(lambda: fleet.agent.tool("find_tools", query="tool-7")["structuredContent"]["tools"], "what fits is found")
    check(len(fleet.agent.tool("find_tools", query="*", limit=50)["structuredContent"]["tools"]) == 50)
    check(fleet.agent.call("many", "tool-999") == ("fine", False), "a tool that was left out can be called")
    said, failed = fleet.agent.call("loud", "look")
    check(failed and "more than FLEET_RESULT" in said, said[:200])
    check(fleet.agent.call("odd", "x") == ("fine", False))
    big = fleet.agent.exchange("tools/call", name="call_tool", arguments={"device": "many", "tool": "tool-1", "arguments": {"x": "y" * 70000}})
    check("error" in big or big["result"]["isError"], json.dumps(big)[:200])
    check(fleet.agent.call("many", "tool-1") == ("fine", False))


@suite
def a_wrong_password_is_named_and_the_right_one_needs_no_restart(folder):
    file = folder / "passwords"
    file.write_text("")
    subprocess.run(["mosquitto_passwd", "-b", str(file), "fleet", "another"], check=True)
    broker = Broker(folder, f"password_file {file}", anonymous=False)
    plain, broker.url = broker.url, broker.url.replace("mqtt://", "mqtt://fleet:secret@")
    fleet = Fleet(broker, folder)
    fleet.wait_for("uthori")
    check(fleet.document("/healthz")[0] == 503, fleet.document("/healthz"))
    check(not any("secret" in line for line in fleet.said), fleet.said)
    subprocess.run(["mosquitto_passwd", "-b", str(file), "fleet", "secret"], check=True)
    broker.kill()
    broker.start()
    ScriptedDevice(broker, "gauge-1", user="fleet", password="secret")
    fleet.until_present(1)
    check(plain and fleet.agent.call("gauge-1", "look") == ("fine", False))


@suite
def patterns_that_almost_match_do_not(folder):
    file, broker = folder / "tokens", Broker(folder)
    narrow = token(file, "narrow", "--devices", "north-?,Süd-?")
    other = [{"name": "weigh", "description": "Weighs.", "inputSchema": {"type": "object"}}]
    names = ["north-1", "north-", "north-12", "xnorth-1", "North-1", "north_1", "north-1 ", "Süd-1", "Sud-1"]
    devices = {name: ScriptedDevice(broker, name) for name in names}
    hidden = ScriptedDevice(broker, "scale-1", kind="scale", tools=other)
    fleet = Fleet(broker, folder, "--token-file", str(file))
    fleet.until_present(len(names) + 1)
    agent = Agent(fleet.ports[0], narrow)
    until(lambda: agent.tool("find_tools", query="*")["structuredContent"]["searched"] == 2, "tools are known")
    check(agent.devices()[0] == ["Süd-1", "north-1"], agent.devices())
    check(set(agent.call_all(["*", "north-12", "scale-1"], "look")) == {"north-1", "Süd-1", "north-12", "scale-1"})
    check(not agent.tool("find_tools", query="weigh")["structuredContent"]["tools"], "a tool of a device that it may not see")
    for name in set(names) - {"north-1", "Süd-1"}:
        check(agent.call(name, "look")[1] and agent.tool("call_tool", device=name, resource="pump://status")["isError"], name)
        check(not devices[name].calls, f"{name} was called")
    check(not hidden.calls and agent.devices(name="scale*")[1]["total"] == 0)


@suite
def pages_of_a_list_that_changes_show_who_stays_once(folder):
    broker = Broker(folder)
    Swarm(broker, 60, "--prefix", "stays")
    guests = Swarm(broker, 60, "--prefix", "guest")
    fleet = Fleet(broker, folder)
    fleet.until_present(120)
    seen, cursor, gone = [], {}, 0
    while cursor is not None:
        names, page = fleet.agent.devices(presence="present", limit=9, **cursor)
        seen += names
        if gone < 60:  # each only once: one that is lost again and again counts as two
            guests.command(f"vanish {gone} 6")
            gone += 6
            fleet.until_present(120 - gone)
        cursor = {"cursor": page["nextCursor"]} if "nextCursor" in page else None
    check([name for name in seen if name.startswith("stays")] == [f"stays-{i:05}" for i in range(60)], seen)
    check(len(seen) == len(set(seen)), seen)
    guests.command("return 0 60")
    fleet.until_present(120)
    check(fleet.agent.devices(cursor="nobody")[0][:1] == ["stays-00000"], "a cursor need not be a device")
    check(fleet.agent.devices(cursor="\x7f")[1]["devices"] == [])


@suite
def a_broker_that_is_restarted_has_all_devices_listed_again(folder):
    broker = Broker(folder)
    Swarm(broker, 200)
    fleets = [Fleet(broker, folder), Fleet(broker, folder)]
    for fleet in fleets:
        fleet.until_present(200)
    broker.kill()
    for fleet in fleets:
        until(lambda: fleet.figure("broker_up") == 0, "it is noticed")
        check("broker cannot be reached" in fleet.agent.call("dev-00000", "pump_status")[0])
    broker.start()
    for fleet in fleets:
        fleet.until_present(200)
        check(fleet.agent.call("dev-00000", "pump_status")[0].startswith("dev-00000:"))
