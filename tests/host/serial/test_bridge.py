"""The bridge between a client on stdio and the example device."""

import os
import random
import signal

from bridge import Device, pull_and_reset, right_or_clear_error
from client.bridge import Bridge, check_both_eras, check_right
from client.check import Suite, check, until
from client.child import Child
from client.mcp import INITIALIZE, legacy, modern
from line import Line

suite = Suite()


@suite
def both_eras_get_the_device_s_own_answers(p):
    line = Line(p.folder, "eras")
    with Device(p, line), Bridge(p, line.host, "--no-cache") as b:
        check_both_eras(p, b, 40)
        check(b.finish() == 0, "ends well when its client leaves")


@suite
def noisy_line_in_reliable_mode_a_thousand_requests(p):
    line = Line(p.folder, "noise", noise=1000)
    with Device(p, line), Bridge(p, line.host, "--no-cache") as b:
        n = 0
        for request, response in b.exchange_all(p.reads(1000)):
            check_right(p, request, response)
            n += 1
        check(n == 1000, "all")
        check(b.has_said("reliable mode"), f"{b.said}")


@suite
def noisy_line_in_plain_mode_right_or_a_clear_error(p):
    line = Line(p.folder, "plain-noise", noise=1000, seed=2)
    reads = [r for r in p.reads(200) if r["method"] != "tools/call"]
    with Device(p, line), Bridge(p, line.host, "--plain", "--no-cache", "--response-timeout", "20000ms") as b:
        right_or_clear_error(p, line, b, reads[:60])


@suite
def noisy_line_in_plain_mode_with_compressed_files(p):
    """What is damaged does not inflate, or has another digest: it is asked again."""
    line = Line(p.folder, "stored-noise", noise=2000, seed=6)
    right = 0
    with Device(p, line, "build/example-deflated.rom"), Bridge(p, line.host, "--plain", "--no-cache") as b:
        b.exchange(modern("skills/list"))
        for uri in p.files * 2:
            response = b.exchange(modern("resources/read", uri=uri))
            if "error" not in response:
                check_right(p, modern("resources/read", uri=uri), response)
                right += 1
    check(right > len(p.files), f"{right} of {2 * len(p.files)} came through")


@suite
def plain_device_without_frames_is_served(p):
    """A device that answers lines and knows nothing else: pump on stdio, joined to the line."""
    line = Line(p.folder, "bare")
    fd = os.open(line.device, os.O_RDWR | os.O_NOCTTY)
    with Child(p.pump, p.image, stdin=fd, stdout=fd), Bridge(p, line.host, "--no-cache") as b:
        os.close(fd)
        for request, response in b.exchange_all(p.reads(20)):
            check_right(p, request, response)
        check(b.has_said("plain lines"), f"{b.said}")


@suite
def random_megabyte_on_the_line_then_a_request(p):
    line = Line(p.folder, "megabyte")
    with Device(p, line), Bridge(p, line.host, "--no-cache") as b:
        request = modern("prompts/list")
        check_right(p, request, b.exchange(request))
        with line.lock:
            line.inject = random.Random(4).randbytes(1 << 20)
        os.write(line.wake[1], b"x")
        check_right(p, request, b.exchange(request))


@suite
def cable_is_pulled_and_the_device_reset_a_hundred_times_under_load(p):
    line = Line(p.folder, "pulled")
    devices = [Device(p, line)]

    def reset():
        devices.pop().kill()
        line.plug(line.device)
        devices.append(Device(p, line))

    with Bridge(p, line.host, "--no-cache", "--wait", "30000ms") as b:
        pull_and_reset(p, line, b, random.Random(11), 12, reset)


@suite
def tool_under_way_when_the_device_is_reset_gets_an_error_not_a_second_run(p):
    line = Line(p.folder, "tool")
    with Bridge(p, line.host, "--no-cache") as b:
        with Device(p, line) as device:
            check_right(p, modern("prompts/list"), b.exchange(modern("prompts/list")))
            device.process.send_signal(signal.SIGSTOP)  # it will not come to answer
            before = line.to_device
            b.send(modern("tools/call", name="run_dose", arguments={"line": 1, "volume_ul": 100}))
            b.send(modern("prompts/list"))
            until(lambda: line.to_device > before, "it is on its way")
        line.plug(line.device)
        with Device(p, line):
            responses = dict((request["method"], response) for request, response in (b.receive(), b.receive()))
            check_right(p, modern("prompts/list"), responses["prompts/list"])
            error = responses["tools/call"]["error"]
            check("may have executed" in error["message"] and not error["data"]["retry"], f"{error}")
            status = b.exchange(modern("tools/call", name="line_status", arguments={"line": 1}))["result"]["content"]
            check("dosed 0.000 ml" in status[0]["text"], f"{status}")


class SpoiledOnce(Line):
    """Changes `wrong[0]` into `wrong[1]` in the first response to a tools/call; counts the calls on the line."""

    wrong, calls = None, 0

    def damage(self, data):
        called = self.calls > 0
        self.calls += data.count(b"tools/call")
        if self.wrong and called and self.wrong[0] in data:
            data, self.wrong = data.replace(*self.wrong, 1), None
        return data


@suite
def tool_whose_answer_was_damaged_is_not_run_again(p):
    for i, wrong in enumerate(((b'"result"', b'"resulu"'), (b'"id":', b'"ie":'))):
        line = SpoiledOnce(p.folder, f"spoiled-{i}")
        with Device(p, line), Bridge(p, line.host, "--no-cache", "--plain") as b:
            b.wait_for("device found")
            line.wrong = wrong
            b.send(modern("tools/call", name="run_dose", arguments={"line": 1, "volume_ul": 100}))
            error = b.receive()[1].get("error", {})
            check("may have executed" in error.get("message", "") and line.calls == 1, f"{wrong}: {error}, {line.calls} calls")
            check_right(p, modern("prompts/list"), b.exchange(modern("prompts/list")))


@suite
def names_may_be_written_with_escapes(p):
    one, two = Line(p.folder, "escapes-one"), Line(p.folder, "escapes-two")
    with Device(p, one), Bridge(p, f"a={one.host}", f"b={two.host}", "--no-cache") as b:
        b.wait_for("escapes-one.host: device found")
        for spelling in ("tools\\/list", "\\u0074ools/list", "tools\\u002flist"):
            b.send(modern("tools/list"), lambda text: text.replace("tools/list", spelling))
            names = [tool["name"] for tool in b.receive()[1]["result"]["tools"]]
            check(names and all(name.startswith("a_") for name in names), f"{spelling}: {names}")


@suite
def reset_while_idle_is_noticed_and_another_image_is_told(p):
    line = Line(p.folder, "reflash")
    image = p.other_image("reflash")
    uri = "skill://daily-check/SKILL.md"
    with Bridge(p, line.host, "--cache", os.path.join(p.folder, "cache-reflash")) as b:
        with Device(p, line):
            b.exchange(INITIALIZE)
            b.exchange(legacy("skills/list"))
            text = b.exchange(legacy("resources/read", uri=uri))["result"]["contents"][0]["text"]
            check("One line more" not in text, "the first image")
        with Device(p, line):  # the same image again: nothing to tell
            until(lambda: b.has_said("reset") or b.has_said("no longer responds"), "the reset is noticed")
            check(b.exchange(legacy("tools/list"))["result"]["tools"], "the handshake is repeated without the client")
            check(b.notifications == [], f"{b.notifications}")
        with Device(p, line, image):
            until(lambda: "notifications/tools/list_changed" in b.notifications, "the client is told")
            b.exchange(legacy("skills/list"))
            text = b.exchange(legacy("resources/read", uri=uri))["result"]["contents"][0]["text"]
            check("One line more" in text, "the new image, not the cache")


@suite
def requests_to_a_device_that_is_not_there_get_an_error(p):
    with Bridge(p, os.path.join(p.folder, "nowhere"), "--wait", "300ms") as b:
        response = b.exchange(modern("prompts/list"))
        check("missing" in response["error"]["message"], f"{response}")
        check(b.exchange(legacy("ping"))["result"] == {}, "the bridge itself lives")
        check(b.has_said("waiting"), f"{b.said}")


@suite
def device_that_comes_late_answers_what_waited(p):
    line = Line(p.folder, "late")
    with Bridge(p, line.host, "--wait", "60000ms", "--no-cache") as b:
        b.send(modern("prompts/list"))
        with Device(p, line):
            check_right(p, *b.receive())


@suite
def logs_of_the_device_go_to_stderr(p):
    line = Line(p.folder, "logs")
    for mode in ((), ("--plain",)):
        with Device(p, line), Bridge(p, line.host, "--no-cache", *mode) as b:
            b.exchange(modern("prompts/list"))
            with line.lock:
                line.inject = b"\nI (1234) \x1b[32mpump: valve 2 open\x1b[0m\r\n"
            os.write(line.wake[1], b"x")
            b.wait_for("device: I (1234) pump: valve 2 open")
            check_right(p, modern("prompts/list"), b.exchange(modern("prompts/list")))
        line.plug(line.device)
