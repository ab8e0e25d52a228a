"""A thousand devices: real cores of profile tiny, each with its own connection to a real broker."""

from client import programs
from client.check import Suite, check, until
from fleet import Agent, Broker, Fleet, Swarm

suite = Suite()
DEVICES = 1000


@suite
def a_thousand_devices_are_listed_searched_and_called(folder):
    broker = Broker(folder)
    swarm = Swarm(broker, DEVICES)
    fleet = Fleet(broker, folder)
    fleet.until_present(DEVICES)
    everything, cursor = [], {}
    while cursor is not None:
        names, page = fleet.agent.devices(limit=300, **cursor)
        everything += names
        check(page["total"] == page["present"] == DEVICES, page["total"])
        cursor = {"cursor": page["nextCursor"]} if "nextCursor" in page else None
    check(everything == [f"dev-{i:05}" for i in range(DEVICES)], everything[:3])
    until(lambda: fleet.agent.tool("find_tools", query="*")["structuredContent"]["searched"] == 5, "three builds are known")
    kinds = {kind: fleet.agent.devices(kind=kind, limit=1)[1]["total"] for kind in ("plant/pump", "plant/valve", "*meter")}
    check(kinds == {"plant/pump": 600, "plant/valve": 300, "*meter": 100}, kinds)
    found = fleet.agent.tool("find_tools", query="which pumps are due for service")["structuredContent"]["tools"]
    check(found[0]["tool"]["name"] == "pump_status" and found[0]["builds"][0]["present"] == 600, found)
    results = fleet.agent.call_all(["*"], "pump_status", at_once=256)
    check(len(results) == 600 and {one["outcome"] for one in results.values()} == {"done"}, len(results))
    check(all(one["result"]["content"][0]["text"].startswith(name + ":") for name, one in results.items()), "mixed up")
    due = [name for name, one in results.items() if "service due" in one["result"]["content"][0]["text"]]
    check(0 < len(due) < 600, len(due))
    done = fleet.agent.call_all(due, "purge", arguments={"volume_ml": 100})
    check({one["outcome"] for one in done.values()} == {"done"} and set(done) == set(due), done)
    check(swarm.calls() == 600 + len(due), "a call was run twice, or not at all")
    check(len(fleet.recorded(how="done")) == 600 + len(due), "the record is not whole")


@suite
def a_second_server_beside_the_first_needs_two_kilobytes_for_a_device(folder):
    broker = Broker(folder)
    plain = Fleet(broker, folder, program=programs.PLAIN_SKILLROM)
    until(lambda: plain.figure("broker_up") == 1, "it is connected")
    empty = plain.kilobytes()
    swarm = Swarm(broker, DEVICES)
    first = Fleet(broker, folder)
    first.until_present(DEVICES)
    plain.until_present(DEVICES)
    for fleet in (first, plain):
        check(fleet.agent.call("dev-00000", "pump_status")[0].startswith("dev-00000:"), "each has its own client id")
    check(swarm.calls() == 2)
    grown = plain.kilobytes() - empty
    builds = 3 * 256  # texts of three builds, and what the library keeps
    check(grown <= 2 * DEVICES + builds, f"{grown} KB for {DEVICES} devices")


@suite
def devices_that_vanish_and_return_are_followed(folder):
    broker = Broker(folder)
    swarm = Swarm(broker, 100)
    fleet = Fleet(broker, folder)
    fleet.until_present(100)
    until(lambda: fleet.agent.tool("find_tools", query="*")["structuredContent"]["searched"] == 5, "three builds are known")
    swarm.command("vanish 0 40")
    fleet.until_present(60)
    results = fleet.agent.call_all([f"dev-{i:05}" for i in range(100)], "pump_status")
    away = {name for name, one in results.items() if one["outcome"] == "away"}
    check(away == {f"dev-{i:05}" for i in range(40) if i % 10 < 6}, sorted(away))  # others have no such tool
    swarm.command("return 0 40")
    fleet.until_present(100)
    swarm.command("update 0 10")
    until(lambda: fleet.agent.devices(kind="plant/pump")[1]["total"] == 60 and fleet.figure("build_changes_total") >= 6,
          "pumps have another build")
    fleet.until_present(100)
    until(lambda: fleet.figure("builds") == 4, "it is a build of its own")
    check("earlier_build" in fleet.agent.device("dev-00000"), fleet.agent.device("dev-00000"))
    until(lambda: len([s for s in fleet.agent.result("skills/list")["skills"] if "service-pump" in s["uri"]]) == 2,
          "the new build's skill is one more entry")


@suite
def a_broker_that_drops_announcements_is_named(folder):
    broker = Broker(folder, "max_queued_messages 20", "sys_interval 1")
    Swarm(broker, 200)
    fleet = Fleet(broker, folder)
    fleet.wait_for("set its max_queued_messages to 0, or to more than the number of devices")
    check(fleet.figure("broker_dropped_total") > 0)
    check(0 < fleet.agent.devices()[1]["total"] < 200, "none was dropped")


@suite
def progress_is_told_while_many_are_called(folder):
    from client.mcp import events, modern
    broker = Broker(folder)
    swarm = Swarm(broker, 100)
    swarm.command("slow 0 100 200")
    fleet = Fleet(broker, folder)
    fleet.until_present(100)
    until(lambda: fleet.agent.tool("find_tools", query="*")["structuredContent"]["searched"] == 5, "three builds are known")
    call = modern("tools/call", name="call_tool", arguments={"devices": ["*"], "tool": "pump_status", "at_once": 10},
                  _meta={"progressToken": "p"})
    stream = fleet.agent.link.open(call)
    messages = [*events(stream.read())]
    steps = [m["params"]["progress"] for m in messages if m.get("method") == "notifications/progress"]
    check(len(steps) > 2 and steps == sorted(set(steps)), steps)
    check({m["params"]["total"] for m in messages[:-1]} == {60} and len(messages[-1]["result"]["structuredContent"]["results"]) == 60)


@suite
def a_call_that_is_cancelled_begins_nothing_more(folder):
    broker = Broker(folder)
    swarm = Swarm(broker, 100)
    swarm.command("slow 0 100 300")
    fleet = Fleet(broker, folder)
    fleet.until_present(100)
    until(lambda: fleet.agent.tool("find_tools", query="*")["structuredContent"]["searched"] == 5, "three builds are known")
    gone = Agent(fleet.ports[0])
    gone.begin("call_tool", devices=["*"], tool="pump_status", at_once=5)
    until(lambda: fleet.figure("requests") > 0, "it has begun")
    gone.link.close()
    until(lambda: len(fleet.recorded(how="cancelled")) > 0, "it is cancelled")
    until(lambda: fleet.figure("requests") == 0, "nothing is under way")
    check(len(fleet.recorded()) == 60 and swarm.calls() < 60, swarm.calls())
