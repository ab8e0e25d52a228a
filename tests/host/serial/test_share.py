"""Several bridges on one port, several clients on one bridge."""

import fcntl
import os
import struct
import subprocess
import termios
import threading

from bridge import Device
from client.bridge import Bridge, http_bridge
from client.check import PATIENCE, Suite, check, until
from client.child import Child
from client.mcp import INITIALIZE, legacy, modern
from client.wire import HttpClient
from line import Line

suite = Suite()
TIOCGEXCL = 0x80045440  # of Linux; Python has no name for it


@suite
def started_twice_the_second_shares_and_then_goes_on_alone(p):
    line = Line(p.folder, "twice")
    with Device(p, line), Bridge(p, line.host, "--no-cache") as first:
        first.exchange(INITIALIZE)
        with Bridge(p, line.host, "--no-cache") as second:
            second.exchange(INITIALIZE)
            second.wait_for("sharing its connection")
            for request, response in second.exchange_all(p.reads(20)):
                check(p.is_right(request, response), f"{request} {str(response)[:200]}")
            check(first.exchange(legacy("tools/list"))["result"], "the first is served, too")
            check(first.finish() == 0, "the first ends")
            second.wait_for("device found")
            for request, response in second.exchange_all(p.reads(20)):
                check(p.is_right(request, response), f"{request} {str(response)[:200]}")
            check(second.exchange(legacy("tools/list"))["result"], "its handshake is repeated")


@suite
def a_port_that_is_left_is_for_whoever_comes_next(p):
    """A pseudo-terminal outlives its users: what a bridge has excluded would stay excluded, for all but root."""
    line = Line(p.folder, "left")
    excluded = lambda: struct.unpack("i", fcntl.ioctl(line.ends[line.host][1], TIOCGEXCL, bytes(4)))[0]
    with Device(p, line), Bridge(p, line.host, "--no-cache") as only:
        only.exchange(INITIALIZE)
        check(excluded() == 1, "other programs could open the port")
        check(only.finish() == 0)
        check(excluded() == 0, "the next program cannot open the port")


@suite
def killed_owner_is_replaced_under_load(p):
    line = Line(p.folder, "killed")
    with Device(p, line), Bridge(p, line.host, "--no-cache") as first:
        first.exchange(modern("prompts/list"))
        with Bridge(p, line.host, "--no-cache", "--wait", "60000ms") as second:
            second.exchange(modern("prompts/list"))
            requests = [r for r in p.reads(60) if r["method"] != "tools/call"]
            for i, (request, response) in enumerate(second.exchange_all(requests)):
                if i == 5:
                    first.kill()
                check(p.is_right(request, response), f"{request} {str(response)[:200]}")


def speed_of(path):
    fd = os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    speed = termios.tcgetattr(fd)[4]
    os.close(fd)
    return speed


@suite
def second_bridge_leaves_the_speed_of_the_first_alone(p):
    line = Line(p.folder, "speed")
    with Device(p, line), Bridge(p, line.host, "--no-cache", "--baud", "9600") as first:
        first.wait_for("device found")
        with Bridge(p, line.host, "--no-cache") as second:
            second.wait_for("sharing its connection")
            check(speed_of(line.host) == termios.B9600, "it is the first one's to set")


@suite
def program_that_has_the_port_keeps_its_speed_and_its_bytes(p):
    line = Line(p.folder, "taken")
    fd = os.open(line.host, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    settings = termios.tcgetattr(fd)
    settings[4] = settings[5] = termios.B9600
    termios.tcsetattr(fd, termios.TCSANOW, settings)
    os.write(line.ends[line.host][0], b"for the program")
    with Bridge(p, line.host, "--no-cache") as b, Child(p.pump, p.image, "--serial", line.host) as device:
        b.wait_for("in use by another program; waiting")
        device.wait_for("in use by another program")
    check(speed_of(line.host) == termios.B9600, "its speed")
    check(os.read(fd, 100) == b"for the program", "its bytes")
    os.close(fd)


@suite
def http_clients_of_all_eras_share_one_device(p):
    line = Line(p.folder, "http")
    wrong = []
    with Device(p, line), http_bridge(p, line.host, "--no-cache") as b:

        def work(which):
            try:
                client = HttpClient(b.ports[0])
                if which % 3 == 2:
                    for request in p.reads(15):
                        response, body = client.post(request)
                        if response.status != 200 or not p.is_right(request, body):
                            wrong.append((request, response.status, body))
                    return
                client.begin(("2025-06-18", "2024-11-05")[which % 3])
                for i in range(15):
                    n = (which + i) % 4 + 1
                    response = client.exchange(legacy("tools/call", name="line_status", arguments={"line": n}))
                    if f"line {n} " not in response["result"]["content"][0]["text"]:
                        wrong.append(response)
            except Exception as error:
                wrong.append(repr(error))

        threads = [threading.Thread(target=work, args=(i,)) for i in range(9)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    check(not wrong, f"{len(wrong)}: {str(wrong[:2])[:600]}")


@suite
def client_whose_initialize_was_refused_is_told_and_disturbs_nobody(p):
    line = Line(p.folder, "refused")
    with Device(p, line), http_bridge(p, line.host, "--no-cache") as b:
        b.wait_for("device found")
        bad, good = HttpClient(b.ports[0]), HttpClient(b.ports[0])
        _, response = bad.post(legacy("initialize"))
        check(response["error"]["code"] == -32602, f"{response}")
        for _ in range(2):
            before = line.to_device
            _, response = bad.post(legacy("tools/list"))
            check("initialize again" in response["error"]["message"], f"{response}")
            check(line.to_device - before < 1000, f"{line.to_device - before} bytes for that")
        good.begin("2025-11-25")
        check(good.exchange(legacy("tools/list"))["result"]["tools"], "others are served")
        bad.begin("2025-06-18")
        check(bad.exchange(legacy("tools/list"))["result"]["tools"], "and it may try again")


@suite
def initialize_that_is_too_long_to_be_repeated_is_refused(p):
    line = Line(p.folder, "long")
    long = {**INITIALIZE["params"], "clientInfo": {"name": "x" * 5000, "version": "1"}}
    with Device(p, line), Bridge(p, line.host, "--no-cache") as b:
        error = b.exchange(legacy("initialize", **long))["error"]
        check(error["code"] == -32600 and "BRIDGE_HANDSHAKE_MAX" in error["message"], f"{error}")
        check(b.exchange(INITIALIZE)["result"], "a shorter one is not")
        check(b.exchange(legacy("tools/list"))["result"]["tools"], "and what follows is served")


@suite
def bridge_that_shares_a_port_has_nothing_of_the_image_before(p):
    line, cache = Line(p.folder, "share-stale"), os.path.join(p.folder, "share-stale-cache")
    read = modern("resources/read", uri="skill://daily-check/SKILL.md")
    with Bridge(p, line.host, "--cache", cache) as first:
        with Device(p, line):
            first.exchange(modern("server/discover"))
            second = Bridge(p, line.host, "--cache", cache)
            second.wait_for("sharing its connection")
            second.exchange(modern("skills/list"))
            for _ in range(2):
                check("One line more" not in str(second.exchange(read)["result"]), "the first image")
        line.plug(line.device)
        with second, Device(p, line, p.other_image("share-stale")):
            first.wait_for("image or firmware has changed")
            for b in (first, second):
                check("One line more" in str(b.exchange(read)["result"]), f"{b.said[-2:]}")


@suite
def http_statuses_are_those_of_the_protocol(p):
    line = Line(p.folder, "statuses")
    with Device(p, line), http_bridge(p, line.host, "--no-cache") as b:
        client = HttpClient(b.ports[0])
        request = modern("no/such/method")
        response, body = client.post(request)
        check(response.status == 404 and body["error"]["code"] == -32601, f"{response.status} {body}")
        request = modern("tools/call", name="line_status", arguments={})
        response, body = client.post(request, {"Mcp-Name": "other"})
        check(response.status == 400 and body["error"]["code"] == -32020, f"{response.status} {body}")
        response, body = client.post(legacy("tools/list"))
        check(response.status == 400, "without a session")
        client.begin("2025-11-25")
        response, body = client.post(legacy("no/such"))
        check(response.status == 200 and body["error"]["code"] == -32601, f"{response.status} {body}")
        response, body = client.post(legacy("tools/list"), {"Origin": "http://evil.example"})
        check(response.status == 403, "a web page")
        b.signal()
        check(b.exit_code() == 0, "ends well")


@suite
def listener_is_told_when_the_image_is_another_one(p):
    line = Line(p.folder, "listen")
    with Bridge(p, line.host, "--no-cache") as b:
        with Device(p, line):
            b.exchange(modern("prompts/list"))
            b.send(modern("subscriptions/listen", notifications={"toolsListChanged": True}))
            until(lambda: "notifications/subscriptions/acknowledged" in b.notifications, "it is acknowledged")
        with Device(p, line, program=None, image=p.other_image("listen")):
            until(lambda: "notifications/tools/list_changed" in b.notifications, "it is told")


@suite
def calls_that_are_wrong_are_told_what_is_wrong(p):
    for words, said in (
        (["--baud", "12345"], "unsupported baud rate"),
        (["--baud"], "needs a value"),
        (["--frobnicate"], "unknown option"),
        (["/dev/null", "--http", "nowhere"], "not an address"),
        (["x=/dev/a", "x=/dev/b"], "two devices have this name"),
        (["/dev/a", "/dev/b", "/dev/c", "/dev/d", "/dev/e"], "at most"),
    ):
        done = subprocess.run([p.skillrom, "bridge", *words], capture_output=True, text=True, timeout=PATIENCE)
        check(done.returncode == 2 and said in done.stderr, f"{words}: {done}")
    done = subprocess.run([p.skillrom, "bridge", "/dev/null"], capture_output=True, text=True, timeout=PATIENCE)
    check(done.returncode == 1 and "not a serial port" in done.stderr, f"{done}")
    done = subprocess.run([p.skillrom, "bridge", "--help"], capture_output=True, text=True, timeout=PATIENCE)
    check(done.returncode == 0 and "--no-cache" in done.stdout, f"{done}")
