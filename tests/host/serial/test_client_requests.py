"""What a device says before its response, through the bridge: questions, progress, log messages, tasks. The device is the
fixture of tests/wire/conformance, as firmware in QEMU."""

from bridge import Board
from client.bridge import Bridge
from client.check import Suite, check, until
from client.mcp import legacy, modern
from line import Line

suite = Suite()

CAN = {"elicitation": {"form": {}, "url": {}}, "sampling": {}, "roots": {}}
HELLO = legacy("initialize", protocolVersion="2025-11-25", capabilities=CAN, clientInfo={"name": "t", "version": "1"})


def fixture(line):
    return Board(line, elf="conformance.elf", image="build/conformance.rom")


def call(name, **more):
    return legacy("tools/call", name=name, arguments={}, **more)


def text_of(response):
    return response["result"]["content"][0]["text"]


@suite
def questions_of_the_device_reach_the_client_and_replies_the_device(p):
    for mode in ((), ("--plain",)):
        line = Line(p.folder, "ask" + "".join(mode))
        with fixture(line), Bridge(p, line.host, "--no-cache", *mode) as b:
            b.exchange(HELLO)
            b.send(call("test_input_required_result_elicitation"))
            client_request = b.client_request()
            check(client_request["method"] == "elicitation/create", f"{client_request}")
            check(client_request["params"]["message"] == "What is your name?", f"{client_request}")
            # While the client thinks, others are served.
            check(b.exchange(legacy("tools/list"))["result"]["tools"], "a list meanwhile")
            b.reply(client_request, result={"action": "accept", "content": {"name": "Zoë \"Z\""}})
            check(text_of(b.receive()[1]) == 'Hello, Zoë "Z"!', "the reply as it was given")
            b.send(call("test_input_required_result_sampling"))
            b.reply(b.client_request(), result={"role": "assistant", "model": "m", "content": {"type": "text", "text": "Paris"}})
            check(text_of(b.receive()[1]) == "Paris", "sampling")
            b.send(call("test_input_required_result_list_roots"))
            b.reply(b.client_request(), result={"roots": [{"uri": "file:///x", "name": "x"}]})
            check(text_of(b.receive()[1]) == "Roots: file:///x (x)", "roots")
            b.send(call("test_input_required_result_elicitation"))
            b.reply(b.client_request(), error={"code": -1, "message": "no"})
            check(b.receive()[1]["result"]["isError"], "an error is not a result")


@suite
def three_questions_at_once_are_told_apart(p):
    line = Line(p.folder, "three")
    with fixture(line), Bridge(p, line.host, "--no-cache") as b:
        b.exchange(HELLO)
        b.send(call("test_input_required_result_multiple_inputs"))
        replies = {
            "elicitation/create": {"action": "accept", "content": {"name": "Ada"}},
            "sampling/createMessage": {"role": "assistant", "model": "m", "content": {"type": "text", "text": "Hi"}},
            "roots/list": {"roots": []},
        }
        client_requests = [b.client_request() for _ in replies]
        check({q["method"] for q in client_requests} == set(replies), f"{client_requests}")
        for client_request in reversed(client_requests):
            b.reply(client_request, result=replies[client_request["method"]])
        check(text_of(b.receive()[1]) == "All three answered, Ada", "each where it belongs")


@suite
def question_of_a_device_that_is_reset_ends_with_an_error(p):
    line = Line(p.folder, "gone")
    with fixture(line) as board, Bridge(p, line.host, "--no-cache") as b:
        b.exchange(HELLO)
        b.send(call("test_input_required_result_elicitation"))
        client_request = b.client_request()
        board.emulator.reset()
        check("may have executed" in b.receive()[1]["error"]["message"], "the call is over")
        b.reply(client_request, result={"action": "accept", "content": {"name": "late"}})
        b.send(call("test_input_required_result_elicitation"))
        b.reply(b.client_request(), result={"action": "accept", "content": {"name": "now"}})
        check(text_of(b.receive()[1]) == "Hello, now!", "a late reply is nobody's")


@suite
def questions_of_2026_07_28_are_results_and_their_state_comes_back(p):
    line = Line(p.folder, "state")

    def exchange(b, **more):
        request = modern("tools/call", name="test_input_required_result_multi_round", arguments={}, **more)
        request["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"] = CAN
        return b.exchange(request)["result"]

    with fixture(line), Bridge(p, line.host, "--no-cache") as b:
        first = exchange(b)
        check(first["resultType"] == "input_required" and "step1" in first["inputRequests"], f"{first}")
        replies = {"step1": {"action": "accept", "content": {"name": "Ada"}}}
        second = exchange(b, requestState=first["requestState"], inputResponses=replies)
        replies = {"step2": {"action": "accept", "content": {"color": "red"}}}
        last = exchange(b, requestState=second["requestState"], inputResponses=replies)
        check(last["content"][0]["text"] == "Ada likes red", f"{last}")


@suite
def progress_has_its_own_client_s_token(p):
    """Two clients of two bridges on one port use the same token at the same time."""
    line = Line(p.folder, "progress")
    request = modern("tools/call", name="test_tool_with_progress", arguments={})
    request["params"]["_meta"]["progressToken"] = 1
    with fixture(line), Bridge(p, line.host, "--no-cache") as a:
        a.wait_for("device found")
        with Bridge(p, line.host, "--no-cache") as b:
            for bridge in (a, b):
                bridge.send(request)
            for bridge in (a, b):
                check("successfully" in text_of(bridge.receive()[1]), "the result")
                received = [n["params"] for n in bridge.notifications_received if n["method"] == "notifications/progress"]
                check([n["progress"] for n in received] == [0, 50, 100], f"{bridge.notifications_received}")
                check(all(n["progressToken"] == 1 for n in received), f"{received}")


@suite
def log_messages_come_to_who_wants_them(p):
    line = Line(p.folder, "logs-of-tools")
    wanted = modern("tools/call", name="test_tool_with_logging", arguments={})
    wanted["params"]["_meta"]["io.modelcontextprotocol/logLevel"] = "info"
    with fixture(line), Bridge(p, line.host, "--no-cache") as b:
        b.exchange(modern("tools/call", name="test_tool_with_logging", arguments={}))
        check(not b.notifications_received, f"nobody asked: {b.notifications_received}")
        b.exchange(wanted)
        check(len(b.notifications_received) == 3 and b.notifications_received[0]["params"]["level"] == "info", f"{b.notifications_received}")
        b.notifications_received.clear()
        b.exchange(HELLO)
        b.exchange(legacy("logging/setLevel", level="info"))
        with Bridge(p, line.host, "--no-cache") as other:  # its handshake would undo the level
            other.exchange(HELLO)
            other.exchange(legacy("tools/list"))
        b.exchange(call("test_tool_with_logging"))
        check(len(b.notifications_received) == 3, f"{b.notifications_received}")


@suite
def tasks_live_in_the_device(p):
    line = Line(p.folder, "tasks")
    with fixture(line), Bridge(p, line.host, "--no-cache") as b:
        b.exchange(HELLO)
        task = b.exchange(call("test_tool_with_task", task={"ttl": 60000}))["result"]["task"]
        found = b.exchange(legacy("tasks/get", taskId=task["taskId"]))["result"]
        check(found["taskId"] == task["taskId"], "it is there")
        b.send(legacy("tasks/result", taskId=task["taskId"]))
        client_request = b.client_request()
        related = client_request["params"]["_meta"]["io.modelcontextprotocol/related-task"]
        check(related["taskId"] == task["taskId"], f"{client_request}")
        b.reply(client_request, result={"action": "accept", "content": {"confirm": True, "name": "Ada"}})
        check(b.receive()[1]["result"]["content"], "its result")


@suite
def changed_content_is_told_to_who_watches_it(p):
    """In both eras; the second client's handshake would undo the first one's subscription in the device."""
    uri = "test://watched-resource"
    line = Line(p.folder, "watch")
    change = modern("tools/call", name="test_trigger_resource_change", arguments={})

    def updates(b):
        return [n["params"]["uri"] for n in b.notifications_received if n["method"] == "notifications/resources/updated"]

    with fixture(line), Bridge(p, line.host, "--no-cache") as a:
        a.exchange(HELLO)
        check("result" in a.exchange(legacy("resources/subscribe", uri=uri)), "subscribed")
        check("error" in a.exchange(legacy("resources/subscribe", uri="test://nothing")), "what is not there cannot be")
        with Bridge(p, line.host, "--no-cache") as b:
            b.exchange(HELLO)
            b.exchange(legacy("tools/list"))
            b.send(modern("subscriptions/listen", notifications={"resourceSubscriptions": [uri]}))
            until(lambda: any("acknowledged" in n["method"] for n in b.notifications_received), "the subscription stands")
            b.waiting.clear()  # it is answered when it ends
            b.exchange(modern("tools/list"))  # and has reached the first bridge
            b.exchange(change)
            until(lambda: updates(b) and updates(a), "both hear of it")
            check(set(updates(a) + updates(b)) == {uri}, f"{a.notifications_received} {b.notifications_received}")


@suite
def tasks_and_questions_of_two_devices_are_told_apart(p):
    one, two = Line(p.folder, "first"), Line(p.folder, "second-of-two")
    with fixture(one), fixture(two), Bridge(p, f"a={one.host}", f"b={two.host}", "--no-cache") as b:
        b.wait_for("first.host: device found")
        b.wait_for("second-of-two.host: device found")
        b.exchange(HELLO)
        for name in ("a", "b"):
            task = b.exchange(call(f"{name}_test_tool_with_task", task={"ttl": 60000}))["result"]["task"]["taskId"]
            check(task.startswith(name + "_"), task)
            b.send(legacy("tasks/result", taskId=task))
            client_request = b.client_request()
            related = client_request["params"]["_meta"]["io.modelcontextprotocol/related-task"]
            check(related["taskId"] == task, f"{client_request}")
            b.reply(client_request, result={"action": "accept", "content": {"confirm": True, "name": "Ada"}})
            check(b.receive()[1]["result"]["content"], "its result")


@suite
def call_that_is_cancelled_frees_the_line(p):
    """More calls than may be on the line at a time wait for a reply that never comes; each is cancelled."""
    for mode in ((), ("--plain",)):
        line = Line(p.folder, "cancel" + "".join(mode))
        with fixture(line), Bridge(p, line.host, "--no-cache", *mode) as b:
            b.exchange(HELLO)
            for _ in range(6):
                id = b.send(call("test_input_required_result_elicitation"))
                b.client_request()
                b.notify(legacy("notifications/cancelled", requestId=id))
                b.waiting.pop(id)
            check(b.exchange(legacy("tools/list"))["result"]["tools"], "the next is served")


@suite
def changes_the_device_tells_of_reach_listeners(p):
    line = Line(p.folder, "changes")
    with fixture(line), Bridge(p, line.host, "--no-cache") as b:
        b.exchange(modern("tools/list"))
        b.send(modern("subscriptions/listen", notifications={"toolsListChanged": True}))
        until(lambda: any("acknowledged" in n["method"] for n in b.notifications_received), "the subscription stands")
        b.waiting.clear()  # it is answered when it ends
        b.exchange(modern("tools/call", name="test_trigger_tool_change", arguments={}))
        until(lambda: any(n["method"] == "notifications/tools/list_changed" for n in b.notifications_received), "the change is notified")


@suite
def change_is_told_once_and_of_the_kind_it_is(p):
    line = Line(p.folder, "received-once")
    with fixture(line), Bridge(p, line.host, "--no-cache") as b:
        b.exchange(HELLO)
        b.exchange(legacy("tools/list"))
        b.exchange(legacy("resources/subscribe", uri="test://watched-resource"))
        b.exchange(call("test_trigger_resource_change"))
        until(lambda: "notifications/resources/updated" in b.notifications, "it is received")
        b.exchange(call("test_trigger_tool_change"))
        until(lambda: "notifications/tools/list_changed" in b.notifications, "it is received")
        b.exchange(call("test_simple_text"))
        received = [name.removeprefix("notifications/") for name in b.notifications]
        check(sorted(received) == ["resources/updated", "tools/list_changed"], f"{received}")
