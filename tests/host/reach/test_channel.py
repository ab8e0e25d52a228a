"""Alarms of a device in a conversation: `skillrom bridge --channel` with a stdio client, as Claude Code is one."""

import contextlib
import json
import subprocess

from client import programs
from client.bridge import Bridge
from client.check import PATIENCE, Suite, check, until
from client.child import Server
from client.mcp import LEGACY, legacy, modern
from device import Puppet

suite = Suite()

CHANNEL = "notifications/claude/channel"
ENTER = legacy("initialize", protocolVersion=LEGACY, capabilities={}, clientInfo={"name": "claude-code", "version": "2"})


def device():
    return Server(programs.CONFORMANCE_DEVICE, str(programs.ROOT / "build/conformance.rom"), "--tcp", "127.0.0.1:0")


def raise_alarm(bridge, code, text):
    response = bridge.exchange(legacy("tools/call", name="test_alarm", arguments={"code": code, "text": text}))
    check(response["result"]["content"][0]["text"] == "raised", response)


def alarms(bridge):
    return [message for message in list(bridge.notifications_received) if message["method"] == CHANNEL]


def message(text, code, number):
    return {"jsonrpc": "2.0", "method": CHANNEL, "params": {"content": text, "meta": {"code": code, "number": str(number)}}}


def begin_channel(bridge, raiser):
    """Alarms are passed on once the channel has seen which are old: raises one after another until one arrives. Returns the number
    of the last, when it has arrived."""
    number = 0
    while not alarms(bridge):
        number += 1
        raise_alarm(raiser, "E00", f"line {number}")
    until(lambda: alarms(bridge)[-1] == message(f"line {number}", "E00", number), "the last of the beginning")
    return number


@contextlib.contextmanager
def two_clients(p):
    """A bridge with a channel, another bridge that raises alarms at the same device, and the number of the last alarm."""
    with device() as d:
        url = f"tcp://127.0.0.1:{d.ports[0]}"
        with Bridge(p, url, "--channel", "--no-cache") as bridge, Bridge(p, url, "--no-cache") as other:
            bridge.exchange(ENTER)
            other.exchange(ENTER)
            yield bridge, other, begin_channel(bridge, other)


@suite
def an_alarm_is_passed_on_once_with_its_code(p):
    with device() as d, Bridge(p, f"tcp://127.0.0.1:{d.ports[0]}", "--channel", "--no-cache") as bridge:
        result = bridge.exchange(ENTER)["result"]
        check(result["capabilities"]["experimental"]["claude/channel"] == {}, result)
        check("<channel code=.. number=..>" in result["instructions"], result)
        last = begin_channel(bridge, bridge)
        raise_alarm(bridge, "E21", 'line 4: "back" pressure \\ </channel>')
        raise_alarm(bridge, "E12", "Flasche leer: 50 µl")
        until(lambda: alarms(bridge)[-1] == message("Flasche leer: 50 µl", "E12", last + 2), "the last")
        check(message('line 4: "back" pressure \\ </channel>', "E21", last + 1) in alarms(bridge), alarms(bridge))
        passed = alarms(bridge)
        numbers = [int(m["params"]["meta"]["number"]) for m in passed]
        check(numbers == sorted(set(numbers)), passed)


@suite
def it_is_told_of_alarms_that_others_cause(p):
    with two_clients(p) as (bridge, other, last):
        passed = alarms(bridge)
        first = last - len(passed) + 1
        check(passed == [message(f"line {n}", "E00", n) for n in range(first, last + 1)], passed)
        check(CHANNEL not in other.notifications, other.notifications_received)


@suite
def alarms_of_a_device_that_does_not_notify_are_polled(p):
    """Profiles tiny and net send no notifications: the second read has one alarm more."""
    device, reads = Puppet(), 0
    with Bridge(p, device.url, "--channel", "--no-cache") as bridge:
        bridge.send(ENTER)
        while not alarms(bridge):
            request = device.got.get(timeout=PATIENCE)
            reads += request["method"] == "resources/read"
            ring = [{"number": n + 1, "code": "E00", "text": f"line {n + 1}"} for n in range(min(reads, 2))]
            results = {
                "initialize": {"protocolVersion": LEGACY, "capabilities": {"resources": {}}, "serverInfo": {"name": "d", "version": "1"}},
                "resources/list": {"resources": [{"uri": "d://alarms", "name": "alarms"}]},
                "resources/read": {"contents": [{"uri": "d://alarms", "text": json.dumps(ring)}]},
            }
            if request["method"] in results:
                device.respond(request, results[request["method"]])
            elif "id" in request:
                device.send({"jsonrpc": "2.0", "id": request["id"], "error": {"code": -32601, "message": "Unknown"}})
        check(alarms(bridge) == [message("line 2", "E00", 2)], alarms(bridge))


@suite
def in_a_flood_none_arrives_twice_and_the_last_one_does(p):
    with two_clients(p) as (bridge, other, last):
        for _ in other.exchange_all([legacy("tools/call", name="test_alarm", arguments={"code": "E9", "text": "again"})] * 1000):
            pass
        until(lambda: alarms(bridge)[-1] == message("again", "E9", last + 1000), "the last")
        numbers = [int(m["params"]["meta"]["number"]) for m in alarms(bridge)]
        check(numbers == sorted(set(numbers)), numbers)


@suite
def alarms_of_a_board_on_a_serial_line_arrive(p):
    board = (programs.ROOT / "tests/host/serial/bridged", p.skillrom, programs.ROOT / "build/mps2-an385-full/conformance.elf",
             programs.ROOT / "build/conformance.rom")
    with Bridge(p, "--channel", command=board) as bridge:
        bridge.exchange(ENTER)
        last = begin_channel(bridge, bridge)
        raise_alarm(bridge, "E21", "line 4: back pressure")
        until(lambda: alarms(bridge)[-1] == message("line 4: back pressure", "E21", last + 1), "the last")


@suite
def a_client_that_begins_with_discover_is_led_to_initialize(p):
    with device() as d, Bridge(p, f"tcp://127.0.0.1:{d.ports[0]}", "--channel", "--no-cache") as bridge:
        error = bridge.exchange(modern("server/discover"))["error"]
        check(error["code"] == -32601 and "initialize" in error["message"], error)
        check("claude/channel" in bridge.exchange(ENTER)["result"]["capabilities"]["experimental"], "the capability")
        begin_channel(bridge, bridge)


@suite
def a_response_before_that_to_initialize_does_not_hide_it(p):
    with device() as d, Bridge(p, f"tcp://127.0.0.1:{d.ports[0]}", "--channel", "--no-cache") as bridge:
        responses = [response["result"] for _, response in bridge.exchange_all([legacy("ping"), legacy("ping"), ENTER, legacy("ping")])]
        check(["claude/channel" in a["capabilities"]["experimental"] for a in responses if "capabilities" in a] == [True], responses)
        begin_channel(bridge, bridge)


@suite
def without_the_option_nothing_is_declared(p):
    with device() as d, Bridge(p, f"tcp://127.0.0.1:{d.ports[0]}", "--no-cache") as bridge:
        result = bridge.exchange(ENTER)["result"]
        check("claude/channel" not in json.dumps(result["capabilities"]), result)
        raise_alarm(bridge, "E21", "nobody listens")
        check(not alarms(bridge), bridge.notifications_received)


@suite
def a_device_without_alarms_is_served_all_the_same(p):
    with Server(p.pump, p.image, "--tcp", "127.0.0.1:0") as d:
        with Bridge(p, f"tcp://127.0.0.1:{d.ports[0]}", "--channel", "--no-cache") as bridge:
            result = bridge.exchange(ENTER)["result"]
            check("claude/channel" in result["capabilities"]["experimental"], "the capability")
            check("result" in bridge.exchange(modern("tools/list")), "a list")
            until(lambda: any("no resource named alarms" in line for line in bridge.said), "the message")


@suite
def what_has_no_channel_refuses_the_option(p):
    for options in (["--http", "127.0.0.1:0"], ["other=tcp://127.0.0.1:2"]):
        run = subprocess.run([p.skillrom, "bridge", "tcp://127.0.0.1:1", "--channel", *options], capture_output=True, text=True)
        check(run.returncode == 2 and "--channel is for one device and a client on stdio" in run.stderr, run)
