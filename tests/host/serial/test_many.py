"""Several devices as one server."""

import json

from bridge import Device
from client.bridge import Bridge
from client.check import Suite, check, until
from client.mcp import INITIALIZE, legacy, modern
from client.programs import CONFORMANCE_DEVICE
from line import Line

suite = Suite()


def all_pages(b, method, member, era):
    items, cursor = [], None
    while True:
        response = b.exchange(era(method, **({"cursor": cursor} if cursor is not None else {})))
        check("result" in response, f"{response}")
        items += response["result"][member]
        cursor = response["result"].get("nextCursor")
        if cursor is None:
            return items


@suite
def two_devices_have_names_that_do_not_collide(p):
    one, two = Line(p.folder, "one"), Line(p.folder, "two")
    for era in (legacy, modern):
        with Device(p, one), Device(p, two), Bridge(p, f"left={one.host}", f"right={two.host}", "--no-cache") as b:
            b.wait_for("two.host: device found")
            b.wait_for("one.host: device found")
            first = b.exchange(INITIALIZE if era is legacy else modern("server/discover"))["result"]
            check("left: Laboratory" in first["instructions"] and "right: Laboratory" in first["instructions"], f"{first}")
            listed = all_pages(b, "tools/list", "tools", era)
            check("ui://" not in json.dumps(listed), "a panel whose tools nobody has by their names")
            tools = [tool["name"] for tool in listed]
            check("left_show_panel" in tools and "left_line_status" in tools and "right_line_status" in tools, f"{tools}")
            check(len(set(tools)) == len(tools) and all(t.startswith(("left_", "right_")) for t in tools), f"{tools}")
            prompts = [prompt["name"] for prompt in all_pages(b, "prompts/list", "prompts", era)]
            check(len(set(prompts)) == len(prompts) and "right_shift-report" in prompts, f"{prompts}")
            skills = all_pages(b, "skills/list", "skills", era)
            uris = [file["uri"] for skill in skills for file in skill["resources"]]
            check(len(set(uris)) == len(uris) == 2 * len(p.files), f"{uris}")
            for uri in uris[::5]:
                contents = b.exchange(era("resources/read", uri=uri))["result"]["contents"]
                bare = uri.replace("://left/", "://").replace("://right/", "://")
                right = p.right(modern("resources/read", uri=bare))["result"]["contents"]
                check(contents == [{**right[0], "uri": uri}], f"{uri}: {str(contents)[:200]}")
            b.exchange(era("tools/call", name="right_run_dose", arguments={"line": 1, "volume_ul": 1000}))
            for name, dosed in (("left", "0.000"), ("right", "1.000")):
                text = b.exchange(era("tools/call", name=f"{name}_line_status", arguments={"line": 1}))
                check(f"dosed {dosed} ml" in text["result"]["content"][0]["text"], f"{name}: {text}")
            for wrong in (era("tools/call", name="line_status", arguments={}), era("resources/read", uri=p.files[0])):
                response = b.exchange(wrong)
                error = response["error"]
                check(error["code"] == -32602 and "left, right" in error["message"], f"{response}")
        one.plug(one.device)
        two.plug(two.device)


@suite
def one_of_two_devices_may_be_missing(p):
    one, two = Line(p.folder, "here"), Line(p.folder, "gone")
    with Device(p, one), Bridge(p, f"b={two.host}", f"a={one.host}", "--no-cache", "--wait", "500ms") as b:
        b.wait_for("here.host: device found")
        check("a: Laboratory" in b.exchange(INITIALIZE)["result"]["instructions"], "it is not waited for")
        tools = [tool["name"] for tool in all_pages(b, "tools/list", "tools", legacy)]
        check("a_line_status" in tools, f"{tools}")
        check("result" in b.exchange(legacy("tools/call", name="a_line_status", arguments={})), "the one works")
        response = b.exchange(legacy("tools/call", name="b_line_status", arguments={}))
        check("missing" in response["error"]["message"], f"{response}")


class Silence:
    """Nothing crosses the line."""

    def __init__(self, line):
        self.line = line

    def __enter__(self):
        self.line.damage = lambda data: b""

    def __exit__(self, *why):
        del self.line.damage


def who_speaks(b):
    """How often each device stands in the introduction."""
    response = b.exchange(modern("server/discover"))
    check("result" in response, f"{response}")
    return [response["result"]["instructions"].count(f"\n\n{name}: Laboratory") for name in ("left", "right")]


@suite
def first_device_gives_its_capabilities_and_its_name(p):
    one, two = Line(p.folder, "first"), Line(p.folder, "other")
    with Device(p, one), Device(p, two, "build/conformance.rom", CONFORMANCE_DEVICE):
        with Bridge(p, f"a={one.host}", f"b={two.host}", "--no-cache") as b:
            b.wait_for("first.host: device found")
            b.wait_for("other.host: device found")
            for request in (INITIALIZE, modern("server/discover")):
                result, right = b.exchange(request)["result"], p.right(request)["result"]
                check(result.get("serverInfo") == right.get("serverInfo"), f"{result}")
                check(result.get("_meta") == right.get("_meta"), f"{result}")
                check(set(result["capabilities"]) == set(right["capabilities"]), f"{result}")
                check("\n\na: " in result["instructions"] and "\n\nb: " in result["instructions"], f"{result}")


@suite
def silent_device_is_left_out_of_the_introduction(p):
    one, two = Line(p.folder, "loud"), Line(p.folder, "silent")
    options = ("--no-cache", "--wait", "500ms", "--response-timeout", "700ms")
    with Device(p, one), Device(p, two), Bridge(p, f"left={one.host}", f"right={two.host}", *options) as b:
        b.wait_for("loud.host: device found")
        b.wait_for("silent.host: device found")
        check(who_speaks(b) == [1, 1], "both")
        with Silence(two):
            check(who_speaks(b) == [1, 0], "the other one is silent")
        until(lambda: who_speaks(b) == [1, 1], "both speak again")
        with Silence(one):
            check(who_speaks(b) == [0, 1], "the first one is silent")
        with Silence(one), Silence(two):
            response = b.exchange(modern("server/discover"))
            check(response["error"]["code"] == -32603, f"nobody speaks: {response}")


@suite
def introduction_that_was_cancelled_is_not_heard_of_again(p):
    one, two = Line(p.folder, "quick"), Line(p.folder, "slow")
    with Device(p, one), Device(p, two), Bridge(p, f"left={one.host}", f"right={two.host}", "--no-cache") as b:
        b.wait_for("quick.host: device found")
        b.wait_for("slow.host: device found")
        with Silence(two):
            before = two.to_device
            id = b.send(modern("server/discover"))
            until(lambda: two.to_device > before + 30, "the first has answered, the second is asked")
            b.notify(legacy("notifications/cancelled", requestId=id))
            check(b.exchange(legacy("ping")) is not None, "the bridge has heard that")
            b.waiting.pop(id)
        for _ in range(3):  # the first may still find the place of the cancelled one taken
            check(who_speaks(b) == [1, 1], "each once")
