"""What a device says before its result, and what can be read of it: progress, questions, resources of the firmware."""

import json

from client import programs
from client.check import Suite, check, until
from client.child import Child, Server, Stdio
from client.mcp import META, events, legacy, modern
from client.mqtt import Mqtt, ScriptedDevice
from fleet import Broker, Fleet
from test_single import published

suite = Suite()
CAN = {"elicitation": {"form": {}}, "sampling": {}, "roots": {}}
NAME = {"action": "accept", "content": {"name": "Ada"}}


def fixture(broker, id="fixture"):
    """The device that has everything, behind the bridge."""
    device = Server(programs.CONFORMANCE_DEVICE, str(programs.ROOT / "build/conformance.rom"), "--http", "127.0.0.1:0")
    bridge = Child(programs.SKILLROM, "bridge", f"http://127.0.0.1:{device.ports[0]}", "--mqtt", broker.url, "--id", id, "--no-cache")
    bridge.wait_for("published as")


def until_listed(fleet, tool):
    until(lambda: fleet.agent.tool("find_tools", query=tool)["structuredContent"]["tools"], "its tools are known")


def call(tool, era=legacy, can=None, device="fixture", **params):
    """A call of this tool by an agent that can be asked so."""
    meta = {"_meta": {**META, "io.modelcontextprotocol/clientCapabilities": can or {}}} if era is modern else {}
    return era("tools/call", name="call_tool", arguments={"device": device, "tool": tool}, **{**meta, **params})


class StdioAgent(Stdio):
    """An agent of the initialize era on stdio, that can be asked."""

    def __init__(self, broker, folder, can=CAN):
        super().__init__(programs.SKILLROM, "fleet", broker.url, "--cache", str(folder / "cache"))
        self.exchange(legacy("initialize", protocolVersion="2025-11-25", capabilities=can, clientInfo={"name": "a", "version": "1"}))
        found = legacy("tools/call", name="find_tools", arguments={"query": "*"})
        until(lambda: self.exchange(found)["result"]["structuredContent"]["tools"], "tools are known")

    def next(self):
        """The next message that is not a change of a list."""
        while "list_changed" in (message := self.line()).get("method", ""):
            pass
        return message

    def exchange(self, message):
        id, got = self.send(message), self.next()
        check(got.get("id") == id, got)
        return got

    def reply(self, client_request, **outcome):
        self.send({"jsonrpc": "2.0", "id": client_request["id"], **outcome})

    def text(self):
        result = self.next()["result"]
        return result["content"][0]["text"], result.get("isError", False)


@suite
def progress_of_a_single_call_comes_from_the_device(folder):
    broker = Broker(folder)
    fixture(broker)
    fleet = Fleet(broker, folder)
    fleet.until_present(1)
    until_listed(fleet, "progress")
    stream = fleet.agent.link.open(call("test_tool_with_progress", era=modern, _meta={**META, "progressToken": "mine"}))
    *progress, last = events(stream.read())
    check([(m["params"]["progress"], m["params"]["total"], m["params"]["progressToken"]) for m in progress] ==
          [(0, 100, "mine"), (50, 100, "mine"), (100, 100, "mine")], progress)
    check(last["result"]["content"][0]["text"] == "Tool with progress executed successfully", last)
    quiet = [*events(fleet.agent.link.open(call("test_tool_with_progress", era=modern)).read())]
    check(len(quiet) <= 1, "progress that nobody has asked for")


@suite
def questions_reach_an_agent_of_the_initialize_era_and_its_replies_the_device(folder):
    broker = Broker(folder)
    fixture(broker)
    agent = StdioAgent(broker, folder)
    for tool, method, result, said in (
            ("elicitation", "elicitation/create", NAME, "Hello, Ada!"),
            ("sampling", "sampling/createMessage", {"role": "assistant", "content": {"type": "text", "text": "Paris"}, "model": "m"}, "Paris"),
            ("list_roots", "roots/list", {"roots": [{"uri": "file:///w", "name": "w"}]}, "Roots: file:///w (w)")):
        agent.send(call("test_input_required_result_" + tool))
        client_request = agent.next()
        check(client_request["method"] == method, client_request)
        agent.reply(client_request, result=result)
        check(agent.text() == (said, False), said)
    agent.send(call("test_input_required_result_elicitation"))
    agent.reply(agent.next(), result={"action": "decline"})
    check(agent.text() == ("nobody greeted: the name was not given", True))
    agent.send(call("test_input_required_result_elicitation"))
    agent.reply(agent.next(), error={"code": -1, "message": "no"})
    said, failed = agent.text()
    check(failed and "response to the device is an error" in said, said)
    agent.send(call("test_input_required_result_multiple_inputs"))
    client_requests = [agent.next() for _ in range(3)]
    replies = {"elicitation/create": NAME, "roots/list": {"roots": []},
               "sampling/createMessage": {"role": "assistant", "content": {"type": "text", "text": "Hi"}, "model": "m"}}
    for client_request in reversed(client_requests):
        agent.reply(client_request, result=replies[client_request["method"]])
    said, failed = agent.text()
    check(not failed and "Ada" in said, said)
    agent.send(call("test_input_required_result_multi_round"))
    for value in ({"name": "Ada"}, {"color": "red"}):
        client_request = agent.next()
        check(client_request["method"] == "elicitation/create", client_request)
        agent.reply(client_request, result={"action": "accept", "content": {**value}})
    said, failed = agent.text()
    check(not failed and "Ada" in said and "red" in said, said)


@suite
def an_agent_that_cancels_a_question_leaves_nothing_behind(folder):
    broker = Broker(folder)
    fixture(broker)
    agent = StdioAgent(broker, folder)
    id = agent.send(call("test_input_required_result_elicitation"))
    agent.next()
    agent.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}})
    check("Hello" not in json.dumps(agent.exchange(call("test_simple_text"))))
    agent.send(call("test_input_required_result_elicitation"))
    agent.reply(agent.next(), result=NAME)
    check(agent.text() == ("Hello, Ada!", False))
    check(agent.finish() == 0)


@suite
def an_agent_of_2026_gets_the_question_as_a_result_and_brings_the_reply(folder):
    broker = Broker(folder)
    fixture(broker)
    fleet = Fleet(broker, folder)
    fleet.until_present(1)
    until_listed(fleet, "elicitation")
    exchange = lambda **more: fleet.agent.link.exchange(call("test_input_required_result_request_state", era=modern, can=CAN, **more))
    first = exchange()["result"]
    check(first["resultType"] == "input_required" and first["requestState"], first)
    key, client_request = next(iter(first["inputRequests"].items()))
    check(client_request["method"] == "elicitation/create", client_request)
    reply = {key: {"action": "accept", "content": {name: True for name in client_request["params"]["requestedSchema"]["properties"]}}}
    done = exchange(inputResponses=reply, requestState=first["requestState"])["result"]
    check(done["resultType"] == "complete" and not done.get("isError"), done)
    forged = exchange(inputResponses=reply, requestState="AAAA" + first["requestState"][4:])
    check("requestState" in json.dumps(forged) and forged["result"]["isError"], forged)
    check([line["how"] for line in fleet.recorded()] == ["asked", "done", "failed"], fleet.recorded())


@suite
def who_cannot_be_asked_is_told_so(folder):
    broker = Broker(folder)
    fixture(broker)
    fleet = Fleet(broker, folder)
    fleet.until_present(1)
    until_listed(fleet, "elicitation")
    said, failed = fleet.agent.call("fixture", "test_input_required_result_elicitation")
    check(failed and "elicitation" in said, said)
    many = fleet.agent.call_all(["fixture"], "test_input_required_result_elicitation")["fixture"]
    check(many["outcome"] == "failed" and "elicitation" in json.dumps(many), many)


class Undescribed(ScriptedDevice):
    """A device of these versions whose list of skills never comes, so its build stays unknown."""

    versions = ["2026-07-28"]

    def respond(self, topic, message):
        if message["method"] == "server/discover":
            self.reply(topic, message["id"], result={"supportedVersions": self.versions})
        elif message["method"] != "skills/list":
            super().respond(topic, message)


@suite
def a_device_gets_the_capabilities_before_its_lists_are_read(folder):
    broker = Broker(folder)
    fleet = Fleet(broker, folder)
    for number, (versions, offered) in enumerate(((["2026-07-28"], CAN), (["2025-06-18"], None))):
        device = Undescribed(broker, f"gauge-{number}")
        device.versions = versions
        fleet.until_present(number + 1)
        missing = fleet.agent.link.exchange(call("no_such_tool", era=modern, can=CAN, device=device.id))["result"]
        check(missing["isError"] and not device.calls, missing)
        done = fleet.agent.link.exchange(call("act", era=modern, can=CAN, device=device.id))["result"]
        meta = device.calls[-1].get("_meta", {})
        check(not done.get("isError") and meta.get("io.modelcontextprotocol/clientCapabilities") == offered, (done, meta))


@suite
def a_device_that_asks_without_having_been_offered_it_is_answered(folder):
    broker = Broker(folder)
    device = ScriptedDevice(broker, "gauge-1", responses={"act": lambda arguments: None})
    fleet = Fleet(broker, folder)
    fleet.until_present(1)
    check(fleet.agent.call("gauge-1", "look") == ("fine", False))
    spy, topic = Mqtt(broker, "spy"), f"$mcp-rpc/{device.greeted[0]}/gauge-1/gauge"
    spy.subscribe(topic)
    for id, method in (("one", "elicitation/create"), ("two", "ping")):
        device.mqtt.publish(topic, json.dumps({"jsonrpc": "2.0", "id": id, "method": method, "params": {}}))
    replies = {}
    while len(replies) < 2:
        message = json.loads(spy.inbox.get(timeout=30)[1])
        if "method" not in message and message["id"] in ("one", "two"):  # else a response of the device
            replies[message["id"]] = message
    check(replies["one"]["error"]["code"] == -32601 and replies["two"]["result"] == {}, replies)
    input_required = {"resultType": "input_required", "inputRequests": {"a": {"method": "roots/list"}}}
    device.responses["act"] = lambda arguments: device.mqtt.publish(topic, json.dumps(
        {"jsonrpc": "2.0", "id": device.last_id, "result": input_required})) or None
    said, failed = fleet.agent.call("gauge-1", "act")
    check(failed and "requires input" in said, said)
    check(fleet.agent.call("gauge-1", "look") == ("fine", False))


@suite
def resources_of_the_firmware_are_found_and_read(folder):
    broker = Broker(folder)
    published(broker, "pump-1")
    published(broker, "pump 2/3".replace("/", "-"))
    ScriptedDevice(broker, "gauge-1")
    fleet = Fleet(broker, folder)
    fleet.until_present(3)
    until(lambda: fleet.agent.tool("find_tools", query="*", limit=50)["structuredContent"]["searched"] == 11, "all is known")
    found = fleet.agent.tool("find_tools", query="state of all lines, bottle content and tube wear", limit=1)["structuredContent"]["tools"]
    check(found[0]["resource"]["uri"] == "pump://status" and found[0]["builds"][0]["present"] == 2, found)
    result = fleet.agent.tool("call_tool", device="pump-1", resource="pump://status")
    one = result["content"][0]
    check(one["type"] == "resource" and one["resource"]["uri"] == "pump://status", one)
    check(len(json.loads(one["resource"]["text"])) == 4, one)
    both = fleet.agent.tool("call_tool", devices=["pump*"], resource="pump://line/2/status")["structuredContent"]["results"]
    check(sorted(r["device"] for r in both) == ["pump 2-3", "pump-1"], both)
    check(all(r["outcome"] == "done" and json.loads(r["result"]["contents"][0]["text"])["line"] == 2 for r in both), both)
    result = fleet.agent.tool("call_tool", device="gauge-1", resource="pump://status")
    check(result["isError"] and "no such method" in result["content"][0]["text"], result)
    for wrong in ({"device": "pump-1"}, {"device": "pump-1", "tool": "x", "resource": "y"},
                  {"device": "pump-1", "resource": "pump://status", "arguments": {}}):
        check(fleet.agent.tool("call_tool", **wrong)["isError"], wrong)
    check([line["how"] for line in fleet.recorded(resource="pump://status", device="pump-1")] == ["done"], fleet.recorded())
