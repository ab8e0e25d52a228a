"""Several devices as one server."""

import json
import os
import shutil
import subprocess

from harness import INITIALIZE, Bridge, Device, Suite, check, legacy, modern
from line import Line

suite = Suite()


def all_pages(b, method, member, era):
    items, cursor = [], None
    while True:
        answer = b.ask(era(method, **({"cursor": cursor} if cursor is not None else {})))
        check("result" in answer, f"{answer}")
        items += answer["result"][member]
        cursor = answer["result"].get("nextCursor")
        if cursor is None:
            return items


@suite
def two_devices_have_names_that_do_not_collide(p):
    one, two = Line(p.folder, "one"), Line(p.folder, "two")
    for era in (legacy, modern):
        with Device(p, one), Device(p, two), Bridge(p, f"left={one.host}", f"right={two.host}", "--no-cache") as b:
            b.wait_for("two.host: device found")
            b.wait_for("one.host: device found")
            first = b.ask(INITIALIZE if era is legacy else modern("server/discover"))["result"]
            check("left: Laboratory" in first["instructions"] and "right: Laboratory" in first["instructions"], f"{first}")
            tools = [tool["name"] for tool in all_pages(b, "tools/list", "tools", era)]
            check("left_line_status" in tools and "right_line_status" in tools, f"{tools}")
            check(len(set(tools)) == len(tools) and all(t.startswith(("left_", "right_")) for t in tools), f"{tools}")
            prompts = [prompt["name"] for prompt in all_pages(b, "prompts/list", "prompts", era)]
            check(len(set(prompts)) == len(prompts) and "right_shift-report" in prompts, f"{prompts}")
            skills = all_pages(b, "skills/list", "skills", era)
            uris = [file["uri"] for skill in skills for file in skill["resources"]]
            check(len(set(uris)) == len(uris) == 2 * len(p.files), f"{uris}")
            for uri in uris[::5]:
                contents = b.ask(era("resources/read", uri=uri))["result"]["contents"]
                bare = uri.replace("://left/", "://").replace("://right/", "://")
                right = p.right(modern("resources/read", uri=bare))["result"]["contents"]
                check(contents == [{**right[0], "uri": uri}], f"{uri}: {str(contents)[:200]}")
            b.ask(era("tools/call", name="right_run_dose", arguments={"line": 1, "volume_ul": 1000}))
            for name, dosed in (("left", "0.000"), ("right", "1.000")):
                text = b.ask(era("tools/call", name=f"{name}_line_status", arguments={"line": 1}))
                check(f"dosed {dosed} ml" in text["result"]["content"][0]["text"], f"{name}: {text}")
            for wrong in (era("tools/call", name="line_status", arguments={}), era("resources/read", uri=p.files[0])):
                answer = b.ask(wrong)
                check(answer["error"]["code"] == -32602 and "left, right" in answer["error"]["message"], f"{answer}")
        one.plug(one.device)
        two.plug(two.device)
    one.close()
    two.close()


@suite
def one_of_two_devices_may_be_missing(p):
    one, two = Line(p.folder, "here"), Line(p.folder, "gone")
    with Device(p, one), Bridge(p, f"b={two.host}", f"a={one.host}", "--no-cache", "--wait-ms", "500") as b:
        b.wait_for("here.host: device found")
        check("a: Laboratory" in b.ask(INITIALIZE)["result"]["instructions"], "it is not waited for")
        tools = [tool["name"] for tool in all_pages(b, "tools/list", "tools", legacy)]
        check("a_line_status" in tools, f"{tools}")
        check("result" in b.ask(legacy("tools/call", name="a_line_status", arguments={})), "the one works")
        answer = b.ask(legacy("tools/call", name="b_line_status", arguments={}))
        check("not there" in answer["error"]["message"], f"{answer}")
    one.close()
    two.close()
