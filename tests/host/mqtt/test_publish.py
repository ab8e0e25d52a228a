"""A device on a broker, as a client sees it that was written from the specification alone."""

import json
import signal
import shutil

from client import programs
from client.broker import Broker
from client.check import Suite, check, until
from peer import OFFLINE, Device, Peer, Publisher

suite = Suite()
NAME = "tidewater-dp4"


def published(p, *lines, options=()):
    """A broker, and the example device on it."""
    broker = Broker(p.folder, *lines)
    device = Device(p)
    publisher = Publisher(p, device, broker, "pump-17", *options)
    publisher.wait()
    return broker, device, publisher


@suite
def a_client_of_the_specification_finds_initializes_and_calls(p):
    broker, _, _ = published(p)
    seeker = Peer(broker)
    seeker.do("discover", filter="#")
    params = seeker.wait_online("pump-17")
    event = seeker.presences("pump-17")[0]
    check(event["retained"] and event["name"] == NAME and params["server_name"] == NAME, event)
    check(event["properties"]["userProperties"] == {"MCP-COMPONENT-TYPE": "mcp-server", "MCP-MQTT-CLIENT-ID": "pump-17"}, event)
    check(params["description"].startswith("Laboratory dosing pump"), params)
    meta = params["meta"]["skillrom"]
    check(meta["build"].startswith("sha256:") and meta["rivals"] == [] and meta["version"] == "2.3.0", meta)
    peer = Peer(broker, "pump-17", NAME)
    result = peer.initialized["result"]
    check(result["serverInfo"]["name"] == NAME and result["protocolVersion"] == "2025-06-18", result)
    tools = peer.exchange("tools/list")["result"]["tools"]
    check("run_dose" in [tool["name"] for tool in tools], tools)
    check(peer.call("line_status", line=2).startswith("line 2 ready"), "line_status")
    files = peer.exchange("resources/read", uri=p.files[0])["result"]["contents"]
    check(files == p.right({"method": "resources/read", "params": {"uri": p.files[0], "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {}}}})["result"]["contents"], "another text")
    responses = [e for e in peer.messages() if e["topic"] == f"$mcp-rpc/{peer.client_id}/pump-17/{NAME}"]
    check(len(responses) == 4 and all(e["properties"]["userProperties"]["MCP-COMPONENT-TYPE"] == "mcp-server" for e in responses),
          responses)


@suite
def changed_lists_are_told_once_to_all_and_presence_has_another_build(p):
    image = f"{p.folder}/changing.rom"
    shutil.copy(p.image, image)
    broker = Broker(p.folder)
    device = Device(p, image, 0, "--reload")
    Publisher(p, device, broker, "pump-17").wait()
    one, two = Peer(broker, "pump-17", NAME), Peer(broker, "pump-17", NAME)
    one.do("discover")
    build = one.wait_online("pump-17")["meta"]["skillrom"]["build"]
    shutil.copy(p.other_image("changed"), image)
    device.signal(signal.SIGHUP)
    one.wait_online("pump-17", lambda params: params["meta"]["skillrom"]["build"] != build)
    changes = f"$mcp-server/capability/pump-17/{NAME}"
    for peer in one, two:
        until(lambda: peer.messages("notifications/resources/list_changed"), "resources have changed")
    one.exchange("ping"), two.exchange("ping")  # whatever was sent before has come
    for peer in one, two:
        received = peer.messages("notifications/resources/list_changed")
        check(len(received) == 1 and received[0]["topic"] == changes, received)


def fixture(p):
    """The device of the conformance suite, which has everything that MCP has, with two clients."""
    broker = Broker(p.folder)
    device = Device(p, str(programs.ROOT / "build/conformance.rom"), program=programs.CONFORMANCE_DEVICE)
    Publisher(p, device, broker, "fixture", "--mqtt-name", "everything").wait()
    return [Peer(broker, "fixture", "everything", capabilities={"elicitation": {}}) for _ in range(2)]


@suite
def a_watched_resource_that_changes_is_told_on_the_topic_of_changes(p):
    one, two = fixture(p)
    for peer in one, two:
        check("result" in peer.exchange("resources/subscribe", uri="test://watched-resource"), "subscribed")
    one.exchange("tools/call", name="test_trigger_resource_change", arguments={})
    for peer in one, two:
        until(lambda: peer.messages("notifications/resources/updated"), "it is published")
        received = peer.messages("notifications/resources/updated")[0]
        check(received["topic"] == "$mcp-server/capability/fixture/everything", received)
        check(received["message"]["params"]["uri"] == "test://watched-resource", received)


@suite
def questions_and_progress_reach_the_client_that_called(p):
    one, two = fixture(p)
    asked = one.start("request", method="tools/call", params={
        "name": "test_elicitation", "arguments": {"message": "Really?"}, "_meta": {"progressToken": "mine"}})
    until(lambda: one.messages("elicitation/create"), "the question comes")
    client_request = one.messages("elicitation/create")[0]
    one.do("publish", topic=client_request["topic"], text=json.dumps({
        "jsonrpc": "2.0", "id": client_request["message"]["id"], "result": {"action": "accept", "content": {"username": "ada", "email": "a@b.c"}}}))
    check("result" in one.wait(asked), one.wait(asked))
    two.exchange("ping")
    check(not two.messages("elicitation/create"), "a question to another")


@suite
def several_clients_at_once_get_their_own_answers(p):
    broker, _, _ = published(p)
    peers = [Peer(broker, "pump-17", NAME) for _ in range(3)]
    asked = [(peer, line, peer.start("request", method="tools/call", params={"name": "line_status", "arguments": {"line": line}}))
             for line in (1, 2, 3, 4) * 5 for peer in peers]
    for peer, line, number in asked:
        text = peer.wait(number)["result"]["content"][0]["text"]
        check(text.startswith(f"line {line} "), line, text)


@suite
def a_message_that_the_broker_does_not_take_is_an_error_that_says_so(p):
    broker, _, _ = published(p, "max_packet_size 3000")
    peer = Peer(broker, "pump-17", NAME)
    response = peer.exchange("skills/list")
    check("this broker takes at most" in response["error"]["message"] and response["error"]["code"] == -32603, response)
    check(peer.call("line_status", line=1).startswith("line 1"), "it goes on")


@suite
def a_client_that_leaves_or_breaks_makes_room(p):
    broker, _, publisher = published(p, options=("--verbose",))
    stays, leaves, breaks = (Peer(broker, "pump-17", NAME) for _ in range(3))
    leaves.do("close")
    publisher.wait_for(f"{leaves.client_id} disconnected")
    breaks.do("break")
    publisher.wait_for(f"{breaks.client_id} disconnected")
    stays.do("publish", topic=f"$mcp-rpc/{stays.client_id}/pump-17/{NAME}",
             text=json.dumps({"jsonrpc": "2.0", "method": "notifications/disconnected"}))
    publisher.wait_for(f"{stays.client_id} disconnected")
    check(Peer(broker, "pump-17", NAME).call("line_status", line=1), "another client")


@suite
def more_clients_than_places_get_an_error_until_one_leaves(p):
    broker, _, _ = published(p)
    watcher = Peer(broker)
    watcher.do("subscribe", topic="$mcp-rpc/#")
    responses = lambda name: [e["message"] for e in watcher.messages() if f"/{name}/" in e["topic"]]
    initialize = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}})
    for i in range(33):
        watcher.do("publish", topic=f"$mcp-server/pump-17/{NAME}", text=initialize, sender=f"c{i}")
    until(lambda: all(responses(f"c{i}") for i in range(33)), "all are answered")
    check(all("result" in responses(f"c{i}")[0] for i in range(32)), "32 are served")
    check("serves 32 clients" in responses("c32")[0]["error"]["message"], responses("c32"))
    watcher.do("publish", topic="$mcp-client/presence/c5", text=json.dumps({"jsonrpc": "2.0", "method": "notifications/disconnected"}))
    watcher.do("publish", topic=f"$mcp-server/pump-17/{NAME}", text=initialize, sender="c40")
    until(lambda: responses("c40"), "c40 is answered")
    check("result" in responses("c40")[0], responses("c40"))


@suite
def a_request_that_comes_twice_is_run_once(p):
    broker, _, _ = published(p)
    peer = Peer(broker, "pump-17", NAME)
    rpc = f"$mcp-rpc/{peer.client_id}/pump-17/{NAME}"
    dose = json.dumps({"jsonrpc": "2.0", "id": "again", "method": "tools/call",
                       "params": {"name": "run_dose", "arguments": {"line": 1, "volume_ul": 1000}}})
    peer.do("publish", topic=rpc, text=dose)
    peer.do("publish", topic=rpc, text=dose)
    until(lambda: [e for e in peer.messages() if e["message"].get("id") == "again"], "the dose is answered")
    status = peer.call("line_status", line=1)
    check("dosed 1.000 ml" in status, status)
    check(len([e for e in peer.messages() if e["message"].get("id") == "again"]) == 1, peer.messages())


@suite
def what_is_wrong_on_a_topic_gets_an_error_or_nothing_and_the_device_goes_on(p):
    broker, _, _ = published(p)
    peer = Peer(broker, "pump-17", NAME)
    for name in "stranger", "nobody":
        peer.do("subscribe", topic=f"$mcp-rpc/{name}/#")
    control, rpc = f"$mcp-server/pump-17/{NAME}", f"$mcp-rpc/{peer.client_id}/pump-17/{NAME}"
    initialize = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}})
    for sender in "", "a/b", "a+b", "#", "x" * 200, "presence":
        peer.do("publish", topic=control, text=initialize, sender=sender)
    peer.do("publish", topic=control, text=initialize, sender="stranger", retain=True)
    peer.do("publish", topic=control, text="", sender="stranger", retain=True)  # takes it away again
    said = lambda: [e["message"]["error"]["message"] for e in peer.messages() if "error" in e["message"]]
    for sender in "nobody", "stranger":  # only the second has greeted, so an error could be taken for another response
        peer.do("publish", topic=control, text="{", sender=sender)
        peer.do("publish", topic=control, text='{"jsonrpc":"2.0","id":7,"method":"tools/list"}', sender=sender)
    peer.do("publish", topic=rpc, text="not JSON")
    peer.do("publish", topic=rpc, text="")
    until(lambda: "not JSON" in said() and any("only takes initialize" in text for text in said()), "what is wrong is logged")
    again = Peer(broker, "pump-17", NAME)  # an empty message on its topic disconnected it cleanly
    pretty = json.dumps({"jsonrpc": "2.0", "id": "pretty", "method": "ping"}, indent=2)
    again.do("publish", topic=f"$mcp-rpc/{again.client_id}/pump-17/{NAME}", text=pretty)
    again.exchange("ping")
    check(said().count("not JSON") == 1 and sum("only takes initialize" in text for text in said()) == 1, said())
    check([e for e in again.messages() if e["message"].get("id") == "pretty" and "result" in e["message"]], again.messages())


def forgeries(id):
    """What anybody may send in the name of a client of fixture(): kind of message -> text."""
    params = {"protocolVersion": "2025-06-18", "capabilities": {"elicitation": {}},
              "clientInfo": {"name": "independent", "version": "1.0.0"}}
    request = {"jsonrpc": "2.0", "id": id}
    greeting = {**request, "method": "initialize", "params": params}
    return {"not JSON": "{", "nothing": "", "a batch": json.dumps([greeting]),
            "a request": json.dumps({**request, "method": "tools/list"}),
            "a response": json.dumps({**request, "result": {}}),
            "an end": json.dumps({"jsonrpc": "2.0", "method": "notifications/disconnected"}),
            "the client's greeting": json.dumps(greeting, separators=(",", ":")),
            "a greeting that offers less": json.dumps({**greeting, "params": {**params, "capabilities": {}}}),
            "a greeting of another version": json.dumps({**greeting, "params": {**params, "protocolVersion": "2024-11-05"}}),
            "a greeting without parameters": json.dumps({**request, "method": "initialize"})}


@suite
def nobody_answers_or_changes_the_session_of_another_by_its_name(p):
    """Defect 63: kind of forgery x state of the client's session."""
    alice, eve = fixture(p)
    control, rpc = "$mcp-server/fixture/everything", f"$mcp-rpc/{alice.client_id}/fixture/everything"
    tried = 0
    alice.exchange("ping")  # her greeting is complete

    def forge(text):
        eve.do("publish", topic=control, text=text, sender=alice.client_id)
        eve.exchange("ping")  # it has come to the publisher

    for state in "pending", "idle":
        for kind in forgeries(""):
            id, tried = f"call-{tried}", tried + 1
            text = forgeries(id)[kind]
            if state == "idle":
                forge(text)
            alice.do("publish", topic=rpc, text=json.dumps({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {
                "name": "test_elicitation", "arguments": {"message": id}}}))
            elicitations = lambda: [e for e in alice.messages("elicitation/create") if id in json.dumps(e["message"])]
            until(elicitations, f"{state}, {kind}: the question comes")
            if state == "pending":
                forge(text)
            alice.do("publish", topic=rpc, text=json.dumps({"jsonrpc": "2.0", "id": elicitations()[0]["message"]["id"], "result": {
                "action": "accept", "content": {"username": "ada", "email": "a@b.c"}}}))
            responses = lambda: [e["message"] for e in alice.messages() if e["message"].get("id") == id and "method" not in e["message"]]
            until(lambda: any("content" in one.get("result", {}) for one in responses()),
                  f"{state}, {kind}: {responses()}")
            check(state == "idle" or len(responses()) == 1, f"{state}, {kind}: {responses()}")
    check(tried == 20, tried)


@suite
def a_device_that_is_pulled_is_away_and_its_return_is_told(p):
    broker, device, _ = published(p)
    seeker = Peer(broker)
    seeker.do("discover")
    seeker.wait_online("pump-17")
    device.kill()
    seeker.wait_offline("pump-17")
    Device(p, None, device.ports[0])
    seeker.wait_online("pump-17")
    check(Peer(broker, "pump-17", NAME).call("line_status", line=3).startswith("line 3"), "it answers again")


@suite
def the_publisher_takes_its_presence_along(p):
    broker, _, publisher = published(p, options=("--mqtt-name", "lab/pumps/left"))
    seeker = Peer(broker)
    seeker.do("discover", filter="lab/#")
    seeker.wait_online("pump-17")
    publisher.signal(signal.SIGTERM)
    check(publisher.exit_code() == 0, publisher.said)
    seeker.wait_offline("pump-17")
    late = Peer(broker)
    late.do("discover")
    check(late.presence("pump-17") in (None, OFFLINE), "a presence was left")


@suite
def a_publisher_that_is_killed_is_declared_away_by_the_broker(p):
    broker, _, publisher = published(p)
    seeker = Peer(broker)
    seeker.do("discover")
    seeker.wait_online("pump-17")
    publisher.kill()
    seeker.wait_offline("pump-17")


@suite
def two_publishers_with_one_id_are_told_by_both(p):
    broker, device, first = published(p)
    seeker = Peer(broker)
    seeker.do("discover")
    Publisher(p, device, broker, "pump-17").wait()
    first.wait_for("another publisher has the id pump-17")
    seeker.wait_online("pump-17", lambda params: params["meta"]["skillrom"]["rivals"])
