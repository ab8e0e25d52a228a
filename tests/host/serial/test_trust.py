"""What one side of the bridge can do to the other, and how often what was asked is done."""

import fcntl
import http.client
import json
import os
import shutil
import signal
import tempfile

from bridge import Device
from client.bridge import Bridge, check_right, http_bridge
from client.check import PATIENCE, Suite, check, until
from client.mcp import INITIALIZE, events, headers_of, legacy, modern
from client.wire import HttpClient
from fake import Fake, compact
from line import Line

suite = Suite()

INTRODUCTION = {
    "protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "fake", "version": "1"}}
CAN = {**INITIALIZE["params"], "capabilities": {"elicitation": {}}}
ELICITATION = {"jsonrpc": "2.0", "id": 900, "method": "elicitation/create", "params": {"message": "?", "requestedSchema": {}}}
REFUSED = {"jsonrpc": "2.0", "error": {"code": -32700, "message": "Parse error"}}


def result(id, text):
    return {"jsonrpc": "2.0", "id": id, "result": {"content": [{"type": "text", "text": text}]}}


class Asking:
    """A tool that asks, and answers when it has the reply; `noise` times the reply arrives damaged instead."""

    def __init__(self, noise=0):
        self.noise, self.waiting = noise, None
        self.responses = {"initialize": INTRODUCTION, "tools/call": self.call, "reply": self.reply}

    def call(self, message):
        self.waiting = message["id"]
        return [ELICITATION]

    def reply(self, message):
        if self.noise:
            self.noise -= 1
            return [REFUSED]
        return [result(self.waiting, json.dumps(message["result"], sort_keys=True))]


# ---- Once, or not known (defect 24) ----


@suite
def tool_that_has_asked_is_not_sent_again_when_its_reply_was_damaged(p):
    """Defect 24."""
    line = Line(p.folder, "twice-asked")
    with Fake(line, Asking(noise=1).responses) as device, Bridge(p, line.host, "--no-cache", "--plain") as b:
        b.exchange(legacy("initialize", **CAN))
        b.send(legacy("tools/call", name="ask", arguments={}))
        b.reply(b.client_request(), result={"action": "accept", "content": {}})
        error = b.receive()[1].get("error", {})
        check("may have executed" in error.get("message", "") and not error["data"]["retry"], f"{error}")
        check(len(device.calls("tools/call")) == 1, f"{device.got}")


@suite
def tool_that_was_refused_is_sent_again_only_if_it_was_the_only_line(p):
    """Defect 24: the error has no id, and may be about another line."""
    line = Line(p.folder, "twice-only")
    said = []

    def call(message):
        said.append(message["id"])
        return [REFUSED] if len(said) == 1 else [result(message["id"], "done")]

    with Fake(line, {"tools/call": call, "tools/list": {"tools": []}}) as device:
        with Bridge(p, line.host, "--no-cache", "--plain") as b:
            response = b.exchange(modern("tools/call", name="x", arguments={}))
            check("result" in response and len(device.calls("tools/call")) == 2,
                  f"it was refused, so not run: {response}")
            # A line of the bridge's own has followed the call: the refusal may be about that.
            blank = []
            device.responses["tools/call"] = lambda message: blank.append(device.blank) or []
            id = b.send(modern("tools/call", name="x", arguments={}))
            until(lambda: blank and device.blank > blank[0], "it is under way, and the bridge ends the line once more")
            device.send(REFUSED)
            _, response = b.receive()
            check("may have executed" in response["error"]["message"], f"{id}: {response}")
            check(len(device.calls("tools/call")) == 3, f"{device.got}")


@suite
def question_that_waits_for_a_person_outlives_noise_about_another_line(p):
    """Defect 24: of two requests under way, noise hits the one that was sent last."""
    line, tool = Line(p.folder, "twice-other"), Asking()
    noise = [REFUSED]
    lists = lambda message: [noise.pop()] if noise else [{"jsonrpc": "2.0", "id": message["id"], "result": {"tools": []}}]
    with Fake(line, {**tool.responses, "tools/list": lists}) as device:
        with Bridge(p, line.host, "--no-cache", "--plain") as b:
            b.exchange(legacy("initialize", **CAN))
            id = b.send(legacy("tools/call", name="ask", arguments={}))
            client_request = b.client_request()
            check(b.exchange(legacy("tools/list"))["result"] == {"tools": []}, "the list is asked again")
            b.reply(client_request, result={"action": "accept", "content": {}})
            check("accept" in str(b.receive()[1].get("result")) and id, "and the tool goes on")
            check(len(device.calls("tools/call")) == 1, f"{device.got}")


# ---- Lines that are not ours to write (defect 25) ----

INJECTED = {"jsonrpc": "2.0", "id": "INJECTED", "method": "tools/call", "params": {"name": "erase"}}


def post(b, client, body):
    link = http.client.HTTPConnection("127.0.0.1", b.ports[0], timeout=PATIENCE)
    link.request("POST", "/mcp", body, headers_of({}, client.session))
    status = link.getresponse().status
    link.close()
    return status


def begin(b):
    client = HttpClient(b.ports[0])
    client.begin(capabilities=CAN["capabilities"])
    return client


@suite
def reply_on_several_lines_reaches_the_device_as_one(p):
    """Defect 25: a client that prints its JSON prettily is served, one that hides a message in it is not."""
    for spelled in (lambda reply: json.dumps(reply, indent=2), lambda reply: json.dumps(reply).replace(": ", ":\r\n")):
        for mode in ((), ("--plain",)):
            line = Line(p.folder, "lines")
            with Fake(line, Asking().responses) as device, http_bridge(p, line.host, "--no-cache", *mode) as b:
                client = begin(b)
                stream = events(client.open(legacy("tools/call", name="ask", arguments={})))
                client_request = next(stream)
                content = {"action": "accept", "content": {"x": INJECTED}}
                body = spelled({"jsonrpc": "2.0", "id": client_request["id"], "result": content})
                check(post(b, client, body) == 202, "taken")
                response = next(stream)
                check(json.loads(response["result"]["content"][0]["text"]) == content, f"{response}")
                check(len(device.calls("tools/call")) == 2 and not device.refused, f"{device.got}")
                check(all(line.startswith(b'{"jsonrpc":"2.0","') for line in device.got), f"{device.got}")
                check(not any(b"INJECTED" in line and not b"accept" in line for line in device.got), f"{device.got}")


@suite
def uri_to_be_watched_is_no_place_for_a_message(p):
    """Defect 25: a URI with escapes is decoded before it is watched."""
    line = Line(p.folder, "watched-lines")
    seen = []
    line.damage = lambda data: seen.append(data) or data
    uri = 'x://a"]}}}\n' + compact(INJECTED).decode() + "\n"
    with Device(p, line), Bridge(p, line.host, "--no-cache") as b:
        b.exchange(modern("prompts/list"))
        b.send(modern("subscriptions/listen", notifications={"toolsListChanged": True, "resourceSubscriptions": [uri]}))
        until(lambda: "notifications/subscriptions/acknowledged" in b.notifications, "it is acknowledged")
        check("resourceSubscriptions" not in b.notifications_received[0]["params"]["notifications"], f"{b.notifications_received}")
        check_right(p, modern("prompts/list"), b.exchange(modern("prompts/list")))
        check(b"subscriptions/listen" in b"".join(seen) and b"INJECTED" not in b"".join(seen), "nothing of it crosses")


@suite
def device_cannot_end_an_event_in_the_middle_of_a_message(p):
    """Defect 25: in a stream of HTTP a CR ends a line as well."""
    line, tool = Line(p.folder, "events"), Asking()
    spell = lambda message: json.dumps(message).replace(": ", ":\r\r").encode()
    with Fake(line, tool.responses, spell), http_bridge(p, line.host, "--no-cache", "--plain") as b:
        client = begin(b)
        stream = events(client.open(legacy("tools/call", name="ask", arguments={})))
        client_request = next(stream)
        check(client_request["params"]["message"] == "?", f"{client_request}")
        check(post(b, client, json.dumps({"jsonrpc": "2.0", "id": client_request["id"], "result": {}})) == 202, "taken")
        check(next(stream)["result"]["content"][0]["text"] == "{}", "the response")


# ---- What is wrong, and for how long (defect 15) ----


class Nobody:
    """The programs, run by a user who may not open everything as root may."""

    def __init__(self, p, folder):
        os.chmod(folder, 0o755)
        self.skillrom = os.path.join(folder, "skillrom")
        program = shutil.copy(p.skillrom, self.skillrom + ".real")
        become = "setpriv --reuid 65534 --clear-groups " if os.geteuid() == 0 else ""
        with open(self.skillrom, "w") as file:
            file.write(f'#!/bin/sh\nexec {become}{program} "$@"\n')
        os.chmod(self.skillrom, 0o755)


@suite
def error_says_that_the_port_may_not_be_opened(p):
    """Defect 15."""
    line = Line(p.folder, "denied")
    with tempfile.TemporaryDirectory() as folder:
        port = os.path.realpath(line.host)
        os.chmod(port, 0)
        with Bridge(Nobody(p, folder), port, "--no-cache", "--wait", "300ms") as b:
            message = b.exchange(modern("prompts/list"))["error"]["message"]
            check("denied" in message and "dialout" in message, message)
            check(b.has_said("Permission denied") and b.has_said("dialout"), f"{b.said}")


@suite
def error_says_that_another_program_has_the_port(p):
    """Defect 15."""
    line = Line(p.folder, "busy-port")
    fd = os.open(line.host, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    with Bridge(p, line.host, "--no-cache", "--wait", "300ms") as b:
        message = b.exchange(modern("prompts/list"))["error"]["message"]
        check("in use by another program" in message and "plugged" not in message, message)
    os.close(fd)


@suite
def error_says_that_nothing_answers_on_the_port(p):
    """Defect 15."""
    line = Line(p.folder, "mute-port")
    with Bridge(p, line.host, "--no-cache", "--wait", "300ms") as b:
        message = b.exchange(modern("prompts/list"))["error"]["message"]
        check("none responds" in message and "--baud" in message, message)


@suite
def device_that_died_with_its_port_open_is_waited_for_no_longer_than_said(p):
    """Defect 15. --response-timeout is what a device that works may take, and stays out of it."""
    for mode in ((), ("--plain",)):
        for era, first in ((modern, None), (legacy, "initialize")):
            line = Line(p.folder, "died")
            device = Device(p, line)
            with Bridge(p, line.host, "--no-cache", "--wait", "600ms", "--response-timeout", "600000ms", *mode) as b:
                if first:
                    b.exchange(legacy(first, **CAN))
                check("result" in b.exchange(era("prompts/list")), "it lives")
                device.process.send_signal(signal.SIGSTOP)
                response = b.exchange(era("prompts/list"))
                check("none responds" in response["error"]["message"], f"{mode} {response}")
                device.kill()


@suite
def tool_that_takes_its_time_is_waited_for(p):
    """Defect 15: a device that has the call and says nothing works; one that does not take it is not there."""
    line = Line(p.folder, "slow-tool")
    calls = []
    with Fake(line, {"tools/call": lambda message: calls.append((message["id"], device.blank)) or []}) as device:
        with Bridge(p, line.host, "--no-cache", "--wait", "300ms", "--plain") as b:
            b.send(modern("tools/call", name="slow", arguments={}))
            until(lambda: calls and device.blank > calls[0][1], "a second has passed: the bridge ends the line once more")
            device.send(result(calls[0][0], "late"))
            check("late" in str(b.receive()[1].get("result")), "the response")


# ---- Spellings (defect 30) ----


@suite
def plain_device_may_spell_its_json_in_any_way(p):
    """Defect 30: from the first word on."""
    spellings = (
        lambda message: json.dumps(dict(reversed(message.items()))).encode(),
        lambda message: json.dumps(message).replace(": ", " :\t").replace("{", "{ ").encode() + b" \r",
        lambda message: compact(message).replace(b"/", b"\\/").replace(b"result", b"r\\u0065sult").replace(b'"id"', b'"\\u0069d"'),
    )
    for i, spell in enumerate(spellings):
        one, two = Line(p.folder, f"spelled-{i}-one"), Line(p.folder, f"spelled-{i}-two")
        tools = {"tools": [{"name": "open", "inputSchema": {"type": "object"}}]}
        contents = {"contents": [{"uri": "x://y", "text": "z"}]}
        responses = {"tools/list": tools, "resources/read": contents}
        with Fake(one, responses, spell), Fake(two, responses, spell):
            with Bridge(p, f"a={one.host}", f"b={two.host}", "--no-cache") as b:
                b.wait_for("one.host: device found, plain lines")
                b.wait_for("two.host: device found, plain lines")
                result = b.exchange(modern("tools/list"))["result"]
                check(result["tools"][0]["name"] == "a_open" and result["nextCursor"] == "1:", f"{i}: {result}")
                result = b.exchange(modern("resources/read", uri="x://b/y"))["result"]
                check(result["contents"][0]["uri"] == "x://b/y", f"{i}: {result}")


@suite
def lists_of_several_devices_may_be_empty_or_nonsense(p):
    """Defect 30: a cursor is added to what is an object, and the result is JSON."""
    for given in ({}, 5, [], {"tools": [], "nextCursor": 7}, {"uri": ":"}, "x"):
        one, two = Line(p.folder, "empty-one"), Line(p.folder, "empty-two")
        with Fake(one, {"tools/list": given}), Fake(two, {"tools/list": {"tools": []}}):
            with Bridge(p, f"a={one.host}", f"b={two.host}", "--no-cache") as b:
                b.wait_for("one.host: device found")
                b.wait_for("two.host: device found")
                response = b.exchange(modern("tools/list"))["result"]
                if isinstance(given, dict):
                    check(response["nextCursor"] == "1:", f"{given}: {response}")
                else:
                    check(response == given, f"{given}: {response}")
