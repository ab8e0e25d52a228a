"""`skillrom serve DIR --watch`, end to end: a file is edited, and clients that are connected see it."""

import os
import shutil

from client.check import Suite, check, until
from client.child import Child, Server
from client.mcp import INITIALIZE, PING, http_bytes, line_bytes, numbered, request
from client.programs import EXAMPLE, PUMP, SKILLROM, pack, write
from client.wire import Client
from revisions import SKILL, listen, revision_of

suite = Suite()


@suite
def an_edit_reaches_clients_without_dropping_one(revisions):
    device = f"{revisions.folder}/watched"
    revisions.fill(device, 1)
    with Server(SKILLROM, "serve", device, "--watch", "--http", "127.0.0.1:0", "--tcp", "127.0.0.1:0") as serve:
        http, older, stream = Client(serve.ports[0]), Client(serve.ports[1]), Client(serve.ports[0])
        stream.open_stream(http_bytes(listen(1, skillsListChanged=True)))
        stream.event()
        older.exchange_line(numbered(0, INITIALIZE))
        check(revision_of(http.exchange_http(request(1, "resources/read", uri=SKILL))) == 1, "not the first")

        revisions.fill(device, 2)
        check(stream.event()["method"] == "notifications/skills/list_changed", "not told")
        until(lambda: revision_in(http) == 2, "the edit is served")
        heard = set()
        while "notifications/resources/list_changed" not in heard:
            heard.add(older.line()["method"])
        check("notifications/skills/list_changed" in heard, f"{heard}")

        write(f"{device}/skills/stamped/SKILL.md", "no frontmatter\n")
        serve.wait_for("still serving the last good image")
        check(revision_in(http) == 2, "the last good one is gone")
        older.send(line_bytes(PING))
        while "id" not in older.line():
            pass

        revisions.fill(device, 3)
        until(lambda: revision_in(http) == 3, "the corrected one is served")

        os.rename(device, device + "-away")
        serve.wait_for("still serving the last good image", 2)
        check(revision_in(http) == 3, "the last good one is gone")
        os.rename(device + "-away", device)
        revisions.fill(device, 4)
        until(lambda: revision_in(http) == 4, "the folder is watched again when it is back")
        for client in (http, older, stream):
            client.close()
        serve.signal()
        check(serve.exit_code() == 0, "exit code")


def revision_in(client):
    return revision_of(client.exchange_http(request(9, "resources/read", uri=SKILL)))


def edit(device, name, before, after):
    path = f"{device}/tools/{name}.json"
    with open(path, encoding="utf-8") as file:
        text = file.read()
    check(before in text, f"{before} is not in {path}")
    write(path, text.replace(before, after))


@suite
def defect_78_a_program_refuses_tools_that_it_was_not_built_for(revisions):
    device = f"{revisions.folder}/edited"
    shutil.copytree(EXAMPLE, device)
    with Server(SKILLROM, "serve", device, "--program", PUMP, "--watch", "--http", "127.0.0.1:0") as serve:
        client = Client(serve.ports[0])
        tools = lambda: client.exchange_http(request(1, "tools/list"))["result"]["tools"]
        listed = lambda: {tool["name"]: tool for tool in tools()}
        edit(device, "line_status", '"description": "State', '"description": "Edited: state')
        until(lambda: listed()["line_status"]["description"].startswith("Edited"), "words may change")

        edit(device, "run_dose", "50000", "60000")
        serve.wait_for("describes 1 tool in another way than this program was built for: run_dose; build the program again; "
                       "still serving the previous image")
        check("60000" not in str(listed()["run_dose"]), "the list promises what the program refuses")
        edit(device, "stop_all", '"maxLength": 80', '"maxLength": 90')
        serve.wait_for("describes 2 tools in another way than this program was built for: run_dose, stop_all; build")

        edit(device, "run_dose", "60000", "50000")
        edit(device, "stop_all", '"maxLength": 90', '"maxLength": 80')
        edit(device, "line_status", '"description": "Edited', '"description": "Fixed up')
        until(lambda: listed()["line_status"]["description"].startswith("Fixed up"), "the corrected one is served")
        client.close()
    edit(device, "run_dose", "50000", "60000")
    with Child(PUMP, pack(device, f"{device}.rom")) as pump:
        check(pump.exit_code() == 1, "it serves what it was not built for")
        check(pump.has_said("describes 1 tool in another way than this program was built for: run_dose"), f"{pump.said}")
