"""Clients and devices that send too much, read nothing, are slow or vanish: defined, and others are not affected."""

import json
import os
import queue
import signal
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "serial"))

from client import programs
from client.broker import Broker
from client.check import PATIENCE, Suite, check, until
from client.child import Child, Stdio
from line import Line
from peer import Device, Peer, Publisher

suite = Suite()
NAME = "tidewater-dp4"


def published(p, *lines):
    broker, device = Broker(p.folder, *lines), Device(p)
    Publisher(p, device, broker).wait()
    return broker


@suite
def a_broker_that_takes_one_message_at_a_time_gets_one_at_a_time(p):
    """max_inflight_messages is the receive maximum of Mosquitto."""
    broker = published(p, "max_inflight_messages 1")
    peers = [Peer(broker, "pump-17", NAME) for _ in range(2)]
    asked = [(peer, peer.start("request", method="resources/read", params={"uri": p.files[0]})) for _ in range(25) for peer in peers]
    for peer, number in asked:
        check(peer.wait(number)["result"]["contents"], "a response is lost")


@suite
def a_client_that_floods_waits_and_others_get_answers(p):
    broker = published(p, "max_queued_messages 0")
    flooder, other = Peer(broker, "pump-17", NAME), Peer(broker, "pump-17", NAME)
    asked = [flooder.start("request", method="tools/call", params={"name": "line_status", "arguments": {"line": 1}}) for _ in range(1500)]
    for line in 1, 2, 3, 4:
        check(other.call("line_status", line=line).startswith(f"line {line}"), line)
    responses = [flooder.wait(number) for number in asked]
    check(all("result" in a for a in responses), [a for a in responses if "error" in a][:3])
    huge = flooder.exchange("tools/call", name="line_status", arguments={"line": "x" * 300000})
    check("too many requests of one client" in huge["error"]["message"], huge)
    check(flooder.call("line_status", line=2).startswith("line 2"), "it is served again")


@suite
def a_client_that_never_reads_holds_up_nobody(p):
    broker = published(p)
    deaf, other = Peer(broker, "pump-17", NAME), Peer(broker, "pump-17", NAME)
    for _ in range(60):
        deaf.start("request", method="skills/list", params={})
    deaf.exchange("ping")  # all have been sent
    for _ in range(60):
        deaf.start("request", method="skills/list", params={})
    deaf.process.send_signal(signal.SIGSTOP)
    for _ in range(40):
        check(other.call("line_status", line=3).startswith("line 3"), "another client")
    deaf.process.send_signal(signal.SIGCONT)
    check("result" in deaf.exchange("ping"), "it is served when it reads again")


@suite
def a_device_on_a_serial_line_is_published_and_its_cable_pulled(p):
    broker, line = Broker(p.folder), Line(p.folder, "published")
    device = Child(p.pump, p.image, "--serial", line.device)
    Publisher(p, line.host, broker).wait()
    peer = Peer(broker, "pump-17", NAME)
    peer.do("discover")
    peer.wait_online("pump-17")
    check(peer.call("line_status", line=1).startswith("line 1"), "it answers")
    device.kill()
    peer.wait_offline("pump-17")
    Child(p.pump, p.image, "--serial", line.device)
    peer.wait_online("pump-17")
    check(Peer(broker, "pump-17", NAME).call("line_status", line=4).startswith("line 4"), "it answers again")


class Swarm(Stdio):
    """Many devices in one program (tests/host/fleet/swarm.c)."""

    def __init__(self, broker, count, *options):
        super().__init__(programs.BUILD / "swarm", broker.url, str(count), *options)
        check(self.text().startswith(f"ready {count}"), self.said)

    def text(self):
        try:
            return (self.lines.get(timeout=PATIENCE) or b"").decode().strip()
        except queue.Empty:
            return ""

    def command(self, command):
        self.process.stdin.write(command.encode() + b"\n")
        return self.text()


@suite
def a_swarm_is_listed_and_called_and_misbehaves_when_told(p):
    broker = Broker(p.folder)
    swarm = Swarm(broker, 100)
    seeker = Peer(broker)
    seeker.do("discover", filter="plant/#")
    until(lambda: len({e["server"] for e in seeker.events if e["event"] == "presence"}) == 100, "all are listed")
    builds = {}
    for event in seeker.events:
        if event["event"] == "presence":
            builds.setdefault(event["online"]["params"]["meta"]["skillrom"]["build"], set()).add(event["name"])
    check(sorted(map(sorted, builds.values())) == [["plant/meter"], ["plant/pump"], ["plant/valve"]], builds)
    pump, valve, meter = (Peer(broker, f"dev-{n:05}", f"plant/{kind}") for n, kind in ((13, "pump"), (16, "valve"), (19, "meter")))
    check(pump.call("pump_status") == "dev-00013: 481 hours since the last purge, service not due", pump.call("pump_status"))
    check(valve.call("set_valve", percent=40) == "dev-00016: 40 % open", "valve")
    check(meter.call("read_meter").startswith("dev-00019: "), "meter")
    check(swarm.command("vanish 20 5") == "done", "vanish")
    for n in range(20, 25):
        seeker.wait_offline(f"dev-{n:05}")
    check(swarm.command("return 20 5") == "done", "return")
    for n in range(20, 25):
        seeker.wait_online(f"dev-{n:05}")
    build = seeker.presence("dev-00013")["meta"]["skillrom"]["build"]
    check(swarm.command("update 13 1") == "done", "update")
    seeker.wait_online("dev-00013", lambda params: params["meta"]["skillrom"]["build"] != build)
    slow = Peer(broker, "dev-00030", "plant/pump")
    check(swarm.command("slow 30 1 3000") == swarm.command("flood 16 1") == "done", "slow and flood")
    late = slow.start("request", method="tools/call", params={"name": "pump_status", "arguments": {}})
    until(lambda: len(valve.messages("notifications/message")) > 200, "the flood has come")
    check(meter.call("read_meter"), "another device")
    check("result" in valve.exchange("tools/call", name="valve_state", arguments={}), "the one that floods")
    check(swarm.command("calm 16 1") == "done", "calm")
    check("dev-00030" in slow.wait(late)["result"]["content"][0]["text"], "the slow one answers late")
    check(swarm.command("count").startswith("up 100 of 100, clients 3, calls "), swarm.command("count"))
