"""Devices that are away, silent, slow, loud, double or false; and what an agent hears of a call that met them."""

import json
import threading

from client.check import PATIENCE, Suite, check, until
from client.mqtt import Mqtt, ScriptedDevice
from fleet import Agent, Broker, Fleet

suite = Suite()


def started(folder, broker, count, *options):
    fleet = Fleet(broker, folder, *options)
    fleet.until_present(count)
    return fleet


def in_background(function, *arguments, **named):
    """Its result, in a list, when it has come."""
    out = []
    thread = threading.Thread(target=lambda: out.append(function(*arguments, **named)), daemon=True)
    thread.start()
    return out


def come(out):
    until(lambda: out, "a response comes")
    return out[0]


@suite
def a_device_that_is_away_fails_at_once_or_is_waited_for(folder):
    broker = Broker(folder)
    device = ScriptedDevice(broker, "gauge-1")
    fleet = started(folder, broker, 1)
    device.mqtt.close()
    until(lambda: fleet.agent.device("gauge-1")["presence"] == "away", "its will has come")
    said, failed = fleet.agent.call("gauge-1", "look")
    check(failed and "away" in said and "nothing was run" in said, said)
    waits = in_background(Agent(fleet.ports[0]).call, "gauge-1", "look", wait_ms=100000)
    until(lambda: fleet.figure("requests") == 1, "the call waits")
    again = ScriptedDevice(broker, "gauge-1")
    check(come(waits) == ("fine", False), waits)
    check(len(again.calls) == 1 and not device.calls)
    again.leave()
    until(lambda: fleet.agent.device("gauge-1")["presence"] == "away", "it has disconnected cleanly")
    said, failed = fleet.agent.call("gauge-1", "look", wait_ms=1)
    check(failed and "away" in said, said)


@suite
def a_device_that_goes_during_a_call_leaves_its_fate_unknown(folder):
    broker = Broker(folder)
    device = ScriptedDevice(broker, "gauge-1", responses={"act": lambda arguments: None})
    fleet = started(folder, broker, 1)
    waits = in_background(Agent(fleet.ports[0]).call, "gauge-1", "act")
    until(lambda: device.calls, "the call has come to the device")
    device.mqtt.close()
    said, failed = come(waits)
    check(failed and "unknown" in said and "whether it was done is not known" in said, said)
    again = ScriptedDevice(broker, "gauge-1")
    fleet.until_present(1)
    check(fleet.agent.call("gauge-1", "look") == ("fine", False))
    check([call["name"] for call in again.calls] == ["look"], "the call was repeated")
    check([line["how"] for line in fleet.recorded(tool="act")] == ["unknown"])


@suite
def a_broker_that_goes_during_a_call_leaves_its_fate_unknown(folder):
    broker = Broker(folder)
    device = ScriptedDevice(broker, "gauge-1", responses={"act": lambda arguments: None})
    fleet = started(folder, broker, 1)
    waits = in_background(Agent(fleet.ports[0]).call, "gauge-1", "act")
    until(lambda: device.calls, "the call has come to the device")
    broker.kill()
    said, failed = come(waits)
    check(failed and "unknown" in said, said)
    said, failed = fleet.agent.call("gauge-1", "look")
    check(failed and "broker cannot be reached" in said, said)
    waits = in_background(Agent(fleet.ports[0]).call, "gauge-1", "look", wait_ms=200000)
    broker.start()
    again = ScriptedDevice(broker, "gauge-1")
    check(come(waits) == ("fine", False), waits)
    check([call["name"] for call in again.calls] == ["look"] and len(device.calls) == 1)


@suite
def no_answer_in_time_is_unknown_and_is_cancelled(folder):
    broker = Broker(folder)
    device = ScriptedDevice(broker, "gauge-1", responses={"act": lambda arguments: None})
    fleet = started(folder, broker, 1, "--response-timeout", "300ms")
    said, failed = fleet.agent.call("gauge-1", "act")
    check(failed and "no response within the time" in said, said)
    check(len(device.calls) == 1 and fleet.figure('calls_total{outcome="late"}') == 1)
    check(fleet.agent.call("gauge-1", "look") == ("fine", False), "the device is of no use any more")


@suite
def a_presence_left_by_a_dead_device_is_found_silent(folder):
    broker = Broker(folder)
    dead = ScriptedDevice(broker, "dead-1", greets=False)
    alive = ScriptedDevice(broker, "gauge-1")
    fleet = started(folder, broker, 2)
    waits = in_background(Agent(fleet.ports[0]).call, "dead-1", "act")
    check(fleet.agent.call("gauge-1", "look") == ("fine", False))
    said, failed = come(waits)
    check(failed and "silent" in said and "nothing was run" in said, said)
    check(fleet.agent.device("dead-1")["presence"] == "silent" and not dead.calls)
    check(fleet.agent.devices(presence="silent")[0] == ["dead-1"])
    check(fleet.agent.call("dead-1", "act")[0] == said, "the second call does not fail immediately")
    dead.greets = True
    until(lambda: fleet.agent.device("dead-1")["presence"] == "present", "it is asked again")
    check(fleet.agent.call("dead-1", "act") == ("fine", False) and len(alive.calls) == 1)


@suite
def two_kinds_with_one_id_are_both_refused_and_named(folder):
    broker = Broker(folder)
    one = ScriptedDevice(broker, "gauge-1", kind="gauge")
    fleet = started(folder, broker, 1)
    other = ScriptedDevice(broker, "gauge-1", kind="scale", mqtt_id="another")
    until(lambda: fleet.agent.device("gauge-1")["presence"] == "refused", "both are refused")
    check(fleet.agent.device("gauge-1")["kinds"] == ["gauge", "scale"], fleet.agent.device("gauge-1"))
    said, failed = fleet.agent.call("gauge-1", "look")
    check(failed and "two devices have this name" in said, said)
    fleet.wait_for("gauge-1: two devices have this id, as gauge and as scale")
    check(not one.calls and not other.calls)
    one.leave()
    until(lambda: fleet.agent.device("gauge-1")["presence"] == "present", "one is left")
    check(fleet.agent.call("gauge-1", "look") == ("fine", False) and len(other.calls) == 1)


@suite
def twins_on_one_topic_are_found_by_their_two_answers(folder):
    broker = Broker(folder)
    twins = [ScriptedDevice(broker, "gauge-1", mqtt_id="twin-1")]
    fleet = started(folder, broker, 1)
    check(fleet.agent.call("gauge-1", "look") == ("fine", False))
    twins.append(ScriptedDevice(broker, "gauge-1", mqtt_id="twin-2"))
    until(lambda: fleet.agent.device("gauge-1")["presence"] == "refused", "both have answered one greeting")
    said, failed = fleet.agent.call("gauge-1", "act")
    check(failed and "refused" in said, said)
    check([len(twin.calls) for twin in twins] == [1, 0], [twin.calls for twin in twins])


@suite
def what_a_publisher_knows_of_rivals_is_believed(folder):
    broker = Broker(folder)
    meta = {"skillrom": {"build": "sha256:" + "ab" * 32, "instance": "1" * 16, "rivals": ["2" * 16]}}
    device = ScriptedDevice(broker, "gauge-1", meta=meta)
    fleet = Fleet(broker, folder)
    until(lambda: fleet.agent.devices(presence="refused")[0] == ["gauge-1"], "it is refused")
    meta["skillrom"]["rivals"] = []
    device.announce()
    fleet.until_present(1)
    check(fleet.agent.call("gauge-1", "look") == ("fine", False))


@suite
def one_announced_again_without_having_gone_is_asked_and_goes_on(folder):
    broker = Broker(folder)
    device = ScriptedDevice(broker, "gauge-1")
    fleet = started(folder, broker, 1)
    check(fleet.agent.call("gauge-1", "look") == ("fine", False))
    device.announce()
    until(lambda: len(device.greeted) == 2, "it is asked")
    check(fleet.agent.call("gauge-1", "look") == ("fine", False))
    check(fleet.agent.device("gauge-1")["presence"] == "present" and len(device.calls) == 2)


@suite
def a_device_that_returns_with_another_build_is_told_as_a_change(folder):
    broker = Broker(folder)
    meta = [{"skillrom": {"build": f"sha256:{digit * 64}", "instance": digit * 16, "rivals": []}} for digit in "ab"]
    device = ScriptedDevice(broker, "gauge-1", meta=meta[0])
    fleet = started(folder, broker, 1)
    check(fleet.agent.device("gauge-1")["build"] == "aaaaaaaa")
    device.mqtt.close()
    until(lambda: fleet.agent.device("gauge-1")["presence"] == "away", "it is away")
    ScriptedDevice(broker, "gauge-1", meta=meta[1])
    until(lambda: fleet.agent.device("gauge-1")["build"] == "bbbbbbbb", "it is back")
    check(fleet.agent.device("gauge-1")["earlier_build"] == "aaaaaaaa")
    check(fleet.recorded(device="gauge-1", build="b" * 64, earlier_build="a" * 64), "it is not on the record")
    check(fleet.figure("build_changes_total") == 1)


@suite
def clients_that_listen_hear_of_a_new_build(folder):
    broker = Broker(folder)
    ScriptedDevice(broker, "gauge-1")
    fleet = started(folder, broker, 1)
    until(lambda: fleet.agent.tool("find_tools", query="*")["structuredContent"]["searched"] == 2, "it is learned")
    listener = Agent(fleet.ports[0])
    from client.mcp import modern
    stream = listener.link.open(modern("subscriptions/listen", notifications={"resourcesListChanged": True}))
    first = stream.readline()
    while b"acknowledged" not in first:
        first = stream.readline()
    ScriptedDevice(broker, "scale-1", kind="scale")
    line = b""
    while b"list_changed" not in line:
        line = stream.readline()
        check(line, "the stream has ended")
    check(json.loads(line.partition(b"data: ")[2])["method"] == "notifications/resources/list_changed", line)


@suite
def a_slow_device_holds_up_no_other(folder):
    broker = Broker(folder)
    free = threading.Event()
    slow = ScriptedDevice(broker, "slow-1", responses={"act": lambda arguments: free.wait(PATIENCE) and "at last"})
    ScriptedDevice(broker, "gauge-1")
    fleet = started(folder, broker, 2)
    waits = in_background(Agent(fleet.ports[0]).call_all, ["slow-1", "gauge-1"], "act")
    until(lambda: slow.calls, "the slow one is at it")
    for _ in range(20):
        check(fleet.agent.call("gauge-1", "look") == ("fine", False))
    check(not waits, "the slow one did not wait")
    free.set()
    results = come(waits)
    check(results["slow-1"]["result"]["content"][0]["text"] == "at last" and results["gauge-1"]["outcome"] == "done", results)


@suite
def a_device_that_floods_is_counted_and_holds_up_no_other(folder):
    broker = Broker(folder)
    loud = ScriptedDevice(broker, "loud-1")
    ScriptedDevice(broker, "gauge-1")
    fleet = started(folder, broker, 2)
    check(fleet.agent.call("loud-1", "look") == ("fine", False))
    ended = threading.Event()

    def flood():
        log_message = json.dumps({"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": "x" * 500}})
        while not ended.is_set():
            loud.mqtt.publish(f"$mcp-rpc/{loud.greeted[0]}/loud-1/gauge", log_message)
            loud.mqtt.publish(f"$mcp-rpc/{loud.greeted[0]}/loud-1/gauge", b"\xff not even text")

    thread = threading.Thread(target=flood, daemon=True)
    thread.start()
    until(lambda: fleet.agent.device("loud-1")["presence"] == "silent", "it is not heard any longer")
    fleet.wait_for("loud-1: sends more than")
    for _ in range(20):
        said = fleet.agent.call("gauge-1", "look")
        check(said == ("fine", False), said)
    ended.set()
    thread.join()
    loud.announce()
    until(lambda: fleet.agent.device("loud-1")["presence"] == "present", "it is heard again")
    check(fleet.agent.call("loud-1", "look") == ("fine", False))


@suite
def a_client_of_the_broker_that_never_reads_disturbs_nobody(folder):
    broker = Broker(folder)
    ScriptedDevice(broker, "gauge-1")
    deaf = Mqtt(broker, "deaf", deaf=True)
    deaf.subscribe("$mcp-rpc/#", "$mcp-server/#", wait=False)
    fleet = started(folder, broker, 1)
    for _ in range(50):
        check(fleet.agent.call("gauge-1", "look", filler="x" * 20000) == ("fine", False))


@suite
def an_agent_that_never_reads_disturbs_nobody(folder):
    from client.mcp import http_bytes, request
    from client.wire import Client
    broker = Broker(folder)
    ScriptedDevice(broker, "gauge-1", responses={"look": "x" * 100000})
    fleet = started(folder, broker, 1)
    deaf = Client(fleet.ports[0])
    call = request(1, "tools/call", name="call_tool", arguments={"device": "gauge-1", "tool": "look"})
    deaf.send(http_bytes(call) * 100)
    for _ in range(20):
        check(not fleet.agent.call("gauge-1", "look")[1])


@suite
def messages_that_are_none_of_ours_are_counted_and_left(folder):
    broker = Broker(folder)
    device = ScriptedDevice(broker, "gauge-1")
    fleet = started(folder, broker, 1)
    check(fleet.agent.call("gauge-1", "look") == ("fine", False))
    wild = Mqtt(broker, "wild")
    me = device.greeted[0]
    before = fleet.figure("unexpected_total")
    for topic, payload in (("$mcp-server/presence/x/y", "not JSON"), ("$mcp-server/presence/x/y", '{"method":"other"}'),
                           ("$mcp-server/presence/x", "{}"), ("$mcp-server/presence/+bad/y", "{}"),
                           (f"$mcp-rpc/{me}/gauge-1/gauge", "{}"),
                           (f"$mcp-rpc/{me}/gauge-1/gauge", '{"id":99999999999999999999,"result":{}}'),
                           (f"$mcp-rpc/{me}/gauge-1/gauge", '{"id":"1","result":{}}'),
                           (f"$mcp-rpc/{me}/gauge-1/gauge", '{"id":4294967295,"error":{}}'),
                           (f"$mcp-rpc/{me}/gauge-1/gauge", "[[[[[")):
        if "+" not in topic:  # a broker ends the connection of a client that publishes to a wildcard
            wild.publish(topic, payload)
    until(lambda: fleet.figure("unexpected_total") >= before + 8, "they are counted")
    check(fleet.agent.call("gauge-1", "look") == ("fine", False) and fleet.agent.devices()[0] == ["gauge-1"])


class Spoiler(ScriptedDevice):
    """A device whose lists have invalid entries, and whose results are empty."""

    def respond(self, topic, message):
        good = {"uri": "skill://good/SKILL.md", "name": "good", "description": 5, "resources": [{"size": "large"}]}
        results = {"tools/list": {"tools": [7, None, {}, {"name": 5}, *self.tools]},
                   "skills/list": {"skills": ["x", {}, {"name": "nowhere"}, {"uri": 5, "name": "x"}, {"uri": "skill://nameless/SKILL.md"}, good]},
                   "tools/call": {"_meta": {}}, "resources/directory/read": {}, "resources/read": {"ttlMs": 5, "_meta": {}}}
        if message["method"] in results:
            self.reply(topic, message["id"], result=results[message["method"]])
        else:
            super().respond(topic, message)


@suite
def a_device_with_bad_lists_and_empty_results_spoils_nothing(folder):
    broker = Broker(folder)
    Spoiler(broker, "bad-1", kind="bad")
    fleet = started(folder, broker, 1)
    until(lambda: len(fleet.agent.tool("find_tools", query="*")["structuredContent"]["tools"]) == 2, "its tools are found, without the invalid ones")
    until(lambda: len(fleet.agent.result("skills/list")["skills"]) == 2, "its skill is listed")
    listed = [one for one in fleet.agent.result("resources/list")["resources"] if one["name"] == "good"]
    check(len(listed) == 1 and set(listed[0]) == {"uri", "name", "mimeType"}, listed)
    said, failed = fleet.agent.call("bad-1", "look")
    check(failed and said == "bad-1: done: the result of the device is empty", said)
    folder_of = listed[0]["uri"].removesuffix("/SKILL.md")
    for method, uri in (("resources/directory/read", folder_of), ("resources/read", f"{folder_of}/other.md")):
        response = fleet.agent.exchange(method, uri=uri)
        check(response.get("error", {}).get("message", "").endswith("the result of the device is empty"), response)
    said, failed = fleet.agent.call("x" + "\u00e4" * 100, "look")
    check(failed and said.startswith("x" + "\u00e4" * 100 + ": refused"), said)


@suite
def a_presence_forged_without_rights_does_not_pass_the_broker(folder):
    (folder / "passwords").write_text("")
    import subprocess
    for user in ("fleet", "pump-1", "mallory"):
        subprocess.run(["mosquitto_passwd", "-b", str(folder / "passwords"), user, user], check=True)
    (folder / "acl").write_text("user fleet\ntopic read $mcp-server/#\ntopic write $mcp-server/+/#\ntopic readwrite $mcp-rpc/#\n"
                                "topic write $mcp-client/#\ntopic read $SYS/#\n"
                                "pattern readwrite $mcp-server/presence/%u/#\npattern write $mcp-server/capability/%u/#\n"
                                "pattern read $mcp-server/%u/#\npattern readwrite $mcp-rpc/+/%u/#\npattern read $mcp-client/#\n")
    broker = Broker(folder, f"password_file {folder / 'passwords'}", f"acl_file {folder / 'acl'}", anonymous=False)
    broker.url = broker.url.replace("mqtt://", "mqtt://fleet:fleet@")
    ScriptedDevice(broker, "pump-1", user="pump-1", password="pump-1")
    fleet = started(folder, broker, 1)
    forger = ScriptedDevice(broker, "pump-1", kind="scale", mqtt_id="mallory", user="mallory", password="mallory", announce=False)
    check(forger.announce(confirm=True) == 0x87, "the broker takes it")  # not authorized
    wiper = Mqtt(broker, "mallory-2", user="mallory", password="mallory")
    check(wiper.publish("$mcp-server/presence/pump-1/gauge", "", retain=True, confirm=True) == 0x87, "the broker takes it")
    check(fleet.agent.device("pump-1")["presence"] == "present" and fleet.agent.call("pump-1", "look") == ("fine", False))
