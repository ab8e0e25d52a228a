"""The bridge with a device at a URL, which comes and goes."""

import json
import os
import shutil
import signal

from client.bridge import Bridge, check_both_eras, check_right, http_bridge
from client.check import Suite, check, until
from client.mcp import INITIALIZE, http_bytes, legacy, modern, request
from client.programs import ROOT
from client.wire import Client, HttpClient
from device import FIXTURE, Between, Networked, Puppet

suite = Suite()

CAN = {"elicitation": {"form": {}, "url": {}}, "sampling": {}, "roots": {}}
HELLO = legacy("initialize", protocolVersion="2025-11-25", capabilities=CAN, clientInfo={"name": "t", "version": "1"})
DOSE = modern("tools/call", name="run_dose", arguments={"line": 1, "volume_ul": 100})


def text_of(response):
    check("result" in response, f"{response}")
    return response["result"]["content"][0]["text"]


def dosed(b):
    """How much the device says line 1 has dosed."""
    status = text_of(b.exchange(modern("tools/call", name="line_status", arguments={"line": 1})))
    return status.split("dosed ")[1].split()[0]


@suite
def both_eras_get_the_device_s_own_answers(p):
    device = Networked()
    for url in device.urls:
        with Bridge(p, url, "--no-cache") as b:
            check_both_eras(p, b, 60)
            check(b.finish() == 0, "ends well when its client leaves")


@suite
def its_log_tells_what_the_device_answered(p):
    with Bridge(p, Networked().tcp, "--no-cache", "--log") as b:
        b.exchange(modern("tools/call", name="line_status", arguments={"line": 1}))
        b.wait_for_line(r": stdin tools/call line_status ok [1-9]\d* bytes \d+ ms$")
        b.exchange(INITIALIZE)
        for count, era in enumerate((modern, legacy), 1):
            response = b.exchange(era("tools/call", name="run_dose", arguments={"line": 4, "volume_ul": 100}))
            check(response["result"]["isError"], f"line 4 has a fault: {response}")
            b.wait_for_line(r": stdin tools/call run_dose error result [1-9]\d* bytes \d+ ms$", count)
        b.exchange(modern("resources/read", uri="skill://nothing/here"))
        b.wait_for_line(r": stdin resources/read skill://nothing/here error -32602 [1-9]\d* bytes \d+ ms$")


@suite
def killed_and_started_again_the_next_call_has_no_error(p):
    """Of either era, a tool as well as a read, before and after the bridge has noticed."""
    for kind in range(2):
        state = f"{p.folder}/state-{kind}"
        device = Networked("--state", state)
        with Bridge(p, device.urls[kind], "--no-cache") as b:
            b.exchange(INITIALIZE)
            check_right(p, p.reads(1)[0], b.exchange(p.reads(1)[0]))
            for i in range(3):
                device.kill()
                if i == 1:  # with another key it does not know the session any more
                    shutil.rmtree(state)
                device.start()
                for era in (legacy, modern):
                    check(text_of(b.exchange(era("tools/call", name="line_status", arguments={"line": 1}))), "a tool")
                check("tools" in b.exchange(legacy("tools/list"))["result"], "a list")
            device.kill()
            b.send(legacy("tools/list"))  # nobody is there
            b.wait_for("trying again")
            device.start()
            check("tools" in b.receive()[1]["result"], "it waits for the device")
            check("notifications/tools/list_changed" in b.notifications, f"it may have changed: {b.notifications}")


@suite
def tool_under_way_when_the_device_is_killed_gets_an_error_not_a_second_run(p):
    for kind in range(2):
        device = Networked()
        with Bridge(p, device.urls[kind], "--no-cache") as b:
            check_right(p, modern("prompts/list"), b.exchange(modern("prompts/list")))
            check(dosed(b) == "0.000", "nothing yet")
            device.stop()
            b.send(DOSE)
            b.send(modern("prompts/list"))
            until(lambda: unread(device) > 1, "both are in the device's sockets")
            device.kill()
            device.start()
            responses = dict((request["method"], response) for request, response in (b.receive(), b.receive()))
            check_right(p, modern("prompts/list"), responses["prompts/list"])
            error = responses["tools/call"]["error"]
            check("may have executed" in error["message"] and not error["data"]["retry"], f"{error}")
            check(dosed(b) == "0.000", "it was not run a second time")


def unread(device):
    """How many of the device's sockets have bytes that it has not read; lines are one socket, and count by bytes."""
    ports = {int(address.rsplit(":", 1)[1]) for address in device.addresses}
    count = 0
    with open("/proc/net/tcp") as table:
        for row in list(table)[1:]:
            fields = row.split()
            waiting = int(fields[4].split(":")[1], 16)
            if int(fields[1].split(":")[1], 16) in ports and fields[3] == "01" and waiting > 0:
                count += 1 + (waiting > 300)
    return count


@suite
def questions_and_progress_reach_the_client_and_replies_the_device(p):
    device = Networked(program=FIXTURE[0], image=FIXTURE[1])
    for url in device.urls:
        with Bridge(p, url, "--no-cache") as b:
            b.exchange(HELLO)
            b.send(legacy("tools/call", name="test_input_required_result_elicitation", arguments={}))
            client_request = b.client_request()
            check(client_request["params"]["message"] == "What is your name?", f"{client_request}")
            check(b.exchange(legacy("tools/list"))["result"]["tools"], "a list meanwhile")
            b.reply(client_request, result={"action": "accept", "content": {"name": "Zoë \"Z\""}})
            check(text_of(b.receive()[1]) == 'Hello, Zoë "Z"!', "the reply as it was given")
            b.send(legacy("tools/call", name="test_tool_with_progress", arguments={}, _meta={"progressToken": "mine"}))
            b.receive()
            progress = [m["params"] for m in b.notifications_received if m["method"] == "notifications/progress"]
            check([t["progressToken"] for t in progress] == ["mine"] * len(progress) and len(progress) >= 2, f"{progress}")
            headed = modern("tools/call", name="test_x_mcp_header", arguments={"region": "eü", "limits": {"count": 7}})
            check("result" in b.exchange(headed), "arguments are repeated in headers")


@suite
def stream_that_breaks_off_is_an_error_for_its_tool_and_the_next_call_is_well(p):
    """The device is there all the time. A stream is not resumed: 2026-07-28 has no such thing, and in the older era it is optional."""
    device = Networked(program=FIXTURE[0], image=FIXTURE[1])
    for changes in (), ("--no-changes",):
        between = Between(device.server.ports[1])
        with Bridge(p, f"http://{between.address}", "--no-cache", *changes) as b:
            b.exchange(HELLO)
            b.send(legacy("tools/call", name="test_input_required_result_elicitation", arguments={}))
            b.client_request()  # it has come in the stream of the call
            between.cut()
            error = b.receive()[1]["error"]
            check("may have executed" in error["message"] and not error["data"]["retry"], f"{error}")
            check("result" in b.exchange(legacy("tools/call", name="test_simple_text", arguments={})), "the next call")


@suite
def changed_image_is_told_and_a_cancelled_tool_ends(p):
    for kind in range(2):
        image = f"{p.folder}/swapped-{kind}.rom"
        shutil.copy(FIXTURE[1], image)
        device = Networked("--reload", program=FIXTURE[0], image=image)
        with Bridge(p, device.urls[kind], "--no-cache") as b:
            b.exchange(HELLO)
            before = b.exchange(legacy("skills/list"))["result"]
            id = b.send(legacy("tools/call", name="test_input_required_result_elicitation", arguments={}))
            b.client_request()
            b.notify({"method": "notifications/cancelled", "params": {"requestId": id}})
            b.waiting.clear()
            shutil.copy(p.other_image(f"swapped-{kind}", ROOT / "tests/wire/conformance/device"), f"{image}.new")
            os.replace(f"{image}.new", image)
            device.server.signal(signal.SIGHUP)
            until(lambda: "notifications/resources/list_changed" in b.notifications, "it tells of another image")
            check(b.exchange(legacy("skills/list"))["result"] != before, "and shows it")


@suite
def several_devices_and_several_clients(p):
    one, two = Networked(), Networked()
    with http_bridge(p, f"a={one.http}", f"b={two.tcp}", "--no-cache") as b:
        b.wait_for(f"{one.http}: device found")
        b.wait_for(f"{two.tcp}: device found")
        clients = [HttpClient(b.ports[0]) for _ in range(4)]
        for client in clients:
            client.begin()
        for i, client in enumerate(clients * 5):
            name = "ab"[i % 2]
            response = client.exchange(legacy("tools/call", name=f"{name}_line_status", arguments={"line": 1}))
            check("line 1" in text_of(response), f"{response}")


@suite
def device_that_falls_silent_ends_requests_and_is_found_again(p):
    """It takes connections and says nothing."""
    for kind in range(2):
        device = Networked()
        with Bridge(p, device.urls[kind], "--no-cache", "--wait", "700ms") as b:
            b.exchange(modern("prompts/list"))
            device.stop()
            b.send(modern("prompts/list"))
            check("no longer responds" in b.receive()[1]["error"]["message"], "a clear end")
            device.go_on()
            b.wait_for("device found", 2)
            check_right(p, modern("prompts/list"), b.exchange(modern("prompts/list")))


@suite
def files_are_stored_and_confirmed_by_marks(p):
    device = Networked()
    for kind, url in enumerate(device.urls):
        cache = f"{p.folder}/cache-{kind}"
        for _ in range(2):  # the second time from the cache
            with Bridge(p, url, "--cache", cache) as b:
                for request in [modern("skills/list"), *(modern("resources/read", uri=uri) for uri in p.files)]:
                    check_right(p, request, b.exchange(request))


@suite
def name_that_fills_the_head_of_a_request_does_not_take_its_end(p):
    """Mcp-Name repeats a URI. Whatever its length, the device knows where the head ends, and answers."""
    with Bridge(p, Networked().http, "--no-cache", "--no-changes", "--wait", "3000ms") as b:
        for n in range(16100, 16200):
            response = b.exchange(modern("resources/read", uri="skill://" + "x" * n))
            check("no longer responds" not in response["error"]["message"], f"{n}: {response['error']}")


@suite
def more_requests_than_can_wait_are_refused_one_by_one(p):
    with Bridge(p, "tcp://127.0.0.1:1", "--no-cache", "--wait", "3000ms") as b:
        for _ in range(70):
            b.send(modern("tools/list"))
        said = [b.receive()[1]["error"]["message"] for _ in range(70)]
        check(sum(text.startswith("Too many requests are waiting") for text in said) == 6, said)
        check(sum(text.startswith("The device cannot be reached") for text in said) == 64, said)


@suite
def tools_without_a_name_are_passed_on_and_forgotten(p):
    """Defect 54: two of them with headers, which the bridge would have to remember by their names."""
    device = Puppet()
    nameless = {"inputSchema": {"type": "object", "properties": {"a": {"type": "string", "x-mcp-header": "A"}}}}
    with http_bridge(p, device.url, "--no-cache", "--no-changes") as b, Client(b.ports[0]) as client:
        for _ in range(2):
            client.send(http_bytes(request(1, "tools/list")))
            device.respond(device.next("tools/list"), {"tools": [nameless, nameless]})
            status, _, body = client.http()
            check(status == 200 and body.count(b"x-mcp-header") == 2, f"{status} {body}")


@suite
def member_that_is_given_twice_is_not_passed_on(p):
    """Defect 55: a device that takes the first of them would do what nobody has looked at."""
    call = modern("tools/call", name="line_status", arguments={"line": 1})
    with Bridge(p, Networked().tcp, "--no-cache") as b:
        for name, value in ("method", "tools/list"), ("params", {}), ("name", "run_dose"), ("arguments", {}), ("_meta", {}):
            twice = f'"{name}": {json.dumps(value)}, "{name}": '
            for spelling in twice, twice.replace(name[0], f"\\u{ord(name[0]):04x}", 1):
                b.send(call, lambda text: text.replace(f'"{name}": ', spelling, 1))
                _, response = b.receive()
                error = {"code": -32600, "message": f"duplicate member: {name}"}
                check(response["error"] == error, f"{name}: {response}")
        check_right(p, call, b.exchange(call))
