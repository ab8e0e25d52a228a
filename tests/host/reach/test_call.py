"""The client in the box: `skillrom call` and `skillrom read`."""

import hashlib
import json
import pathlib
import os
import pty
import socket
import signal
import subprocess
import threading

from client.bridge import http_bridge
from client.check import PATIENCE, Suite, afterwards, check
from client.child import die_with_parent
from client.mcp import LEGACY, modern
from client.programs import DISPENSER, EXAMPLE, ROOT, SKILLROM, pack, scratch_folder
from client.wire import HttpClient
from device import FIXTURE, Networked
from test_refused import new_token
from test_secure import Secured

suite = Suite()


def run(*words, **more):
    done = subprocess.run([SKILLROM, *words], stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE,
                          preexec_fn=die_with_parent, **more)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


@suite
def device_is_listed_and_its_tools_run(p):
    device = Networked()
    for url in device.urls:
        code, said, _ = run("call", url)
        check(code == 0 and "tidewater-dp4" in said and "run_dose line='integer 1..4' volume_ul=" in said, f"{code} {said}")
        check("skill://daily-check/SKILL.md" in said and "pump://status" in said, f"{said}")
        check("Resource templates:" in said and "pump://line/{n}/status" in said, f"{said}")
        code, said, wrong = run("call", url, "line_status", "line=1")
        check(code == 0 and said.startswith("line 1 ready") and wrong == "", f"{code} {said} {wrong}")
        code, said, _ = run("call", url, "line_status", "line=1", "--json")
        check(code == 0 and "line 1" in json.loads(said)["content"][0]["text"], f"{said}")
        code, said, _ = run("read", url, "skill://daily-check/SKILL.md")
        check(code == 0 and said == (EXAMPLE / "skills/daily-check/SKILL.md").read_text(), "the file as it is")
        code, said, _ = run("read", url, "pump://status", "--json")
        check(code == 0 and json.loads(said)["contents"][0]["uri"] == "pump://status", f"{said}")


@suite
def a_plan_is_asked_only_of_tools_that_can_plan(p):
    with scratch_folder() as folder:
        guarded = Networked(program=DISPENSER, image=pack(ROOT / "examples/dispenser", f"{folder}/dispenser.rom"))
    without = Networked()
    for url in guarded.urls:
        code, said, _ = run("call", url, "dispense", "line=1", "volume_ul=20000", "--plan")
        check(code == 0 and "would dispense 20000 ul" in said, f"{code} {said}")
        code, said, wrong = run("call", url, "rinse", "tip=left", "--plan")
        check(code == 1 and "cannot be planned" in wrong and said == "", f"{code} {said} {wrong}")
        _, said, _ = run("call", url, "status")
        check("moved 0 times" in said, f"{said}")
        code, said, wrong = run("call", url, "--log")
        check(code == 0 and all("chain" in json.loads(line) or "after" in json.loads(line) for line in said.splitlines()), f"{code} {said} {wrong}")
        check('"tool":"status"' in said, said)
    # firmware that knows no plans would run the tool
    for url in without.urls:
        code, said, wrong = run("call", url, "prime_line", "line=3", "--plan")
        check(code == 1 and "nothing was done" in wrong and said == "", f"{code} {said} {wrong}")
        _, said, _ = run("call", url, "line_status", "line=3")
        check("unprimed" in said, f"{said}")


@suite
def a_record_is_printed_and_its_chain_checked(p):
    with scratch_folder() as folder:
        device = Networked(program=DISPENSER, image=pack(ROOT / "examples/dispenser", f"{folder}/dispenser.rom"))
        for url in device.urls:
            run("call", url, "status")
            run("call", url, "rinse", "tip=left")
        code, _, said = run("call", device.http, "dispense", "line=1", "volume_ul=100")
        check(code == 1 and "not a terminal" in said, said)
        code, copy, said = run("call", device.http, "--log")
        lines = copy.splitlines(keepends=True)
        entries = [json.loads(line) for line in lines if line.startswith('{"number"')]
        check(code == 0 and f"{len(entries)} entries, and the chain holds" in said, said)
        check([entry["number"] for entry in entries] == list(range(len(entries))), copy)
        check(entries[-1]["tool"] == "dispense" and entries[-1]["how"] == "not-confirmed", copy)
        file = pathlib.Path(folder) / "copy"

        def checked(*text):
            file.write_text("".join(text))
            code, said, wrong = run("call", str(file), "--log")
            check(said == "", said)
            return code, wrong

        check(checked(copy) == (0, f"skillrom call: {file}: {len(entries)} entries, and the chain holds from number 0 to {len(entries) - 1}\n"))
        for n in range(1, len(lines) - 1):
            for wrong in (lines[:n] + lines[n + 1:], lines[:n] + [lines[n].replace('"time":', '"time":1')] + lines[n + 1:],
                          lines[:n - 1] + [lines[n], lines[n - 1]] + lines[n + 1:]):
                code, said = checked(*wrong)
                check(code == 1 and "the record was altered, or its copy is incomplete" in said, f"{n}: {said}")
        for wrong, why in (("", ": no entries"), ("no record\n", "it is not a record"), ("{}\n", "it is not a line of a record")):
            code, said = checked(wrong)
            check(why in said and code == (wrong != ""), f"{wrong}: {said}")
    code, _, said = run("call", Networked().http, "--log")
    check(code == 1 and "record://0" in said and "only firmware with SKR_GUARD" in said, said)


NO_CHAIN = "0" * 16


def entry(before, number):
    """A line of a record, and its chain."""
    line = f'{{"number":{number},"time":0,"tool":"status","who":"{NO_CHAIN}","arguments":"{NO_CHAIN}","how":"done","ms":0'
    chain = hashlib.sha256((before + line).encode()).hexdigest()[:16]
    return f'{line},"chain":"{chain}"}}\n', chain


def counted(count, chain):
    return f'{{"count":{count},"chain":"{chain}"}}\n'


def record_of(count, end=lambda first, chains: None):
    """A device whose record has so many entries, two in a response. `end` makes the last line of the one that begins with `first`."""
    lines, chains = [], [NO_CHAIN]
    for number in range(count):
        line, chain = entry(chains[-1], number)
        lines.append(line)
        chains.append(chain)

    def respond(params):
        first = int(params["uri"].removeprefix("record://"))
        last = end(first, chains)
        text = f'{{"after":"{chains[first]}"}}\n' + "".join(lines[first:first + 2]) + (counted(count, chains[-1]) if last is None else last)
        return {"contents": [{"uri": params["uri"], "text": text}]}
    return respond


@suite
def a_record_without_its_end_is_not_whole(p):
    """defect 87: what a device, or a program between, leaves out at the end of a response."""
    code, said, wrong = run("call", liar(resources_read=record_of(5)), "--log")
    check(code == 0 and "5 entries, and the chain holds" in wrong and said.count("status") == 5, f"{code} {said} {wrong}")
    empty = {"contents": [{"uri": "record://0", "text": f'{{"after":"{NO_CHAIN}"}}\n' + counted(0, NO_CHAIN)}]}
    check("record: no entries" in run("call", liar(resources_read=empty), "--log")[2])
    hidden = {"contents": [{"uri": "record://0", "text": f'{{"after":"{"a" * 16}"}}\n' + counted(5, "a" * 16)}]}
    for what, record, why in (
        ("no last line", record_of(5, lambda first, chains: ""), "its last line is missing"),
        ("none in the last response", record_of(5, lambda first, chains: "" if first == 4 else None), "its last line is missing"),
        ("an entry after it", record_of(2, lambda first, chains: counted(2, chains[2]) + entry(chains[2], 2)[0]), "its last line is missing"),
        ("all entries hidden", hidden, "its entries are missing"),
        ("the count shrinks", record_of(4, lambda first, chains: counted(9, NO_CHAIN) if first == 0 else None), "does not fit the entries"),
        ("no text", {"contents": [{"uri": "record://0", "text": ""}]}, "its last line is missing"),
    ):
        code, said, wrong = run("call", liar(resources_read=record), "--log")
        check(code == 1 and why in wrong, f"{what}: {code} {said} {wrong}")
    for value in None, 7, [], {"text": "x"}:
        code, said, wrong = run("call", liar(resources_read={"contents": [{"uri": "record://0", "text": value}]}), "--log")
        check(code == 1 and "has sent no record" in wrong, f"{value}: {code} {said} {wrong}")


@suite
def a_record_that_grows_all_the_time_ends(p):
    """defect 85: each response has an entry, and counts more."""
    for count, shown, code in ((lambda number: number + 3, 3, 0), (lambda number: 4294967295, 1, 1)):
        last = [NO_CHAIN]

        def respond(params, count=count, last=last):
            number = int(params["uri"].removeprefix("record://"))
            before, (line, last[0]) = last[0], entry(last[0], number)
            return {"contents": [{"uri": params["uri"], "text": f'{{"after":"{before}"}}\n' + line + counted(count(number), NO_CHAIN)}]}

        got, said, wrong = run("call", liar(resources_read=respond), "--log")
        check(got == code and said.count('"number"') == shown and ("more entries than any record" in wrong) == code, f"{got} {said} {wrong}")


@suite
def a_device_appends_its_record_to_a_file(p):
    with scratch_folder() as folder:
        image, file = pack(ROOT / "examples/dispenser", f"{folder}/dispenser.rom"), pathlib.Path(folder) / "calls.jsonl"
        writer, reader, tokens = new_token(folder, "writer"), new_token(folder, "reader", "--read-only"), f"{folder}/tokens"
        device = Networked("--token-file", tokens, "--allow-anyone", "--audit-log", str(file), program=DISPENSER, image=image)
        for token in (writer, reader):
            for words in (("status",), ("rinse", "tip=left", "--yes"), ("rinse", "tip=right")):
                run("call", device.http, *words, "--device-token", token)
        device.kill()
        device.start(image)  # without what it remembered; the file goes on
        run("call", device.http, "stop", "--device-token", writer)
        entries = [json.loads(line) for line in file.read_text().splitlines()]
        how = ["done", "done", "not-confirmed", "done", "denied", "denied", "done"]
        check([entry["how"] for entry in entries] == how, entries)
        check([entry["number"] for entry in entries] == list(range(len(how))), entries)
        check(len({entry["who"] for entry in entries}) == 2 and entries[0]["who"] == entries[-1]["who"], entries)
        check([entry["tool"] for entry in entries[:2]] == ["status", "rinse"] and all(entry["time"].endswith("Z") for entry in entries), entries)
        code, said, wrong = run("call", str(file), "--log")
        check(code == 0 and "7 entries, and the chain holds" in wrong, wrong)
        file.write_text(file.read_text().replace("denied", "done", 1))
        code, said, wrong = run("call", str(file), "--log")
        check(code == 1 and "line 5: it does not fit its chain" in wrong, wrong)


@suite
def wrong_arguments_are_explained_and_never_sent(p):
    url = Networked().http
    for words, code, complaint in (
        (["line_status", "line=9"], 2, "line is out of range; give line=integer 1..4"),
        (["line_status", "line=x"], 2, "line=x: give integer 1..4"),
        (["line_status", "lin=1"], 2, "did you mean line?"),
        (["line_status", "1"], 2, "give NAME=VALUE"),
        (["line_statu"], 2, "did you mean line_status?"),
        (["no_such_thing_at_all"], 2, "has no such tool"),
        (["run_dose", "line=1"], 2, "volume_ul is missing"),
        (["prime_line", "line=1", "new_tube=maybe"], 2, "new_tube=maybe: give boolean"),
    ):
        got, said, wrong = run("call", url, *words)
        check(got == code and complaint in wrong and said == "", f"{words}: {got} {said} {wrong}")
    for words, code, complaint in (
        (["call"], 2, "URL|TTY"),
        (["call", "ftp://x"], 2, "give tcp://HOST:PORT"),
        (["call", "http://127.0.0.1:1", "--wait", "100ms"], 1, "nothing listens"),
        (["call", "/dev/null"], 1, "not a serial port"),
        (["read", url], 2, "URI"),
        (["read", url, "skill://nothing"], 1, "No resource"),
    ):
        got, said, wrong = run(*words)
        check(got == code and complaint in wrong and said == "", f"{words}: {got} {said} {wrong}")


def liar(**results):
    """The URL of a server with lines that gives these results, by method with _ for /, and {} for any other. None: it
    does not have the method. A function gets the params."""
    listener = socket.create_server(("127.0.0.1", 0))
    afterwards(listener.close)
    results["initialize"] = {"protocolVersion": LEGACY, "capabilities": {"tools": {}, "resources": {}}, "serverInfo": {"name": "liar", "version": "0"}}

    def serve():
        while True:
            try:
                peer, _ = listener.accept()
            except OSError:
                return
            peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            for line in peer.makefile("rb"):
                message = json.loads(line)
                if "id" in message:
                    result = results.get(message["method"].replace("/", "_"), {})
                    result = result(message["params"]) if callable(result) else result
                    outcome = {"result": result} if result is not None else {"error": {"code": -32601, "message": "no such method"}}
                    peer.sendall(json.dumps({"jsonrpc": "2.0", "id": message["id"], **outcome}, ensure_ascii=False).encode() + b"\n")

    threading.Thread(target=serve, daemon=True).start()
    return f"tcp://127.0.0.1:{listener.getsockname()[1]}"


@suite
def a_device_that_lies_is_told_on(p):
    """And never crashes the client, as one that could not be reached did."""
    file = "skill://x"
    code, said, wrong = run("read", "http://127.0.0.1:1", file, "--wait", "100ms")
    check(code == 1 and "nothing listens" in wrong, f"{code} {said} {wrong}")
    code, said, wrong = run("read", liar(resources_read={"contents": [{"uri": file, "blob": "@@@@"}]}), file)
    check(code == 1 and "invalid base64" in wrong, f"{code} {said} {wrong}")
    for result in {}, {"contents": []}, {"contents": 7}:
        code, said, wrong = run("read", liar(resources_read=result), file)
        check(code == 1 and "no content" in wrong and said == "", f"{code} {said} {wrong}")
    code, said, wrong = run("call", liar(tools_list={"tools": [{"name": "again"}], "nextCursor": "same"}))
    check(code == 1 and "does not end" in wrong and said.count("again") == 2, f"{code} {said} {wrong}")
    with http_bridge(p, liar(tools_list={"tools": [], "nextCursor": "same"}), "--no-cache") as b:
        _, response = HttpClient(b.ports[0]).post(modern("tools/call", name="again", arguments={}))
        check("does not end" in response["error"]["message"],
              f"the bridge, which wants to know about headers: {response}")
    schema = {"properties": {"a": {"type": "integer"}, "b": {"enum": []}}}
    code, said, wrong = run("call", liar(tools_list={"tools": [{"name": "odd", "inputSchema": schema}]}))
    check(code == 0 and "odd [a=integer] [b=]" in said, f"{code} {said} {wrong}")


@suite
def structured_content_that_breaks_its_schema_is_told(p):
    """defect 77: it passed without a word. It is printed all the same."""
    schema = {"type": "object", "properties": {"level": {"type": "integer", "maximum": 9}, "state": {"enum": ["on", "off"]}},
              "required": ["level"], "additionalProperties": False}
    for content, wrong in (({"level": 1, "state": "on"}, None), ({"level": 10}, "level is out of range"), ({"level": "1"}, "level has the wrong type"),
                           ({"level": 1, "state": "?"}, "state is not one of the allowed values"), ({"state": "on"}, "level is missing"),
                           ({"level": 1, "more": 1}, "more is unknown"), (None, "it is missing")):
        result = {"content": [{"type": "text", "text": "said"}]} | ({"structuredContent": content} if content else {})
        url = liar(tools_list={"tools": [{"name": "t", "inputSchema": {"type": "object"}, "outputSchema": schema}]}, tools_call=result)
        code, said, errors = run("call", url, "t")
        check(said == "said\n" and code == (1 if wrong else 0) and (wrong or "") in errors and bool(errors) == bool(wrong), f"{content}: {code} {said} {errors}")
    failed = {"content": [{"type": "text", "text": "no"}], "isError": True}
    url = liar(tools_list={"tools": [{"name": "t", "inputSchema": {"type": "object"}, "outputSchema": schema}]}, tools_call=failed)
    check(run("call", url, "t") == (1, "no\n", ""), "a failure needs none")


@suite
def list_that_a_server_need_not_have_may_be_missing(p):
    """defect 80: resource templates were not listed at all."""
    code, said, wrong = run("call", liar(resources_templates_list=None))
    check(code == 0 and "Resource templates" not in said and wrong == "", f"{code} {said} {wrong}")
    code, said, wrong = run("call", liar(resources_list=None))
    check(code == 1 and "resources/list refused: no such method" in wrong, f"{code} {said} {wrong}")


@suite
def bridge_without_its_device_says_why(p):
    """defect 80: the bridge waits for its device longer than the client waited for the bridge."""
    gone = f"{p.folder}/no-such-port"
    with http_bridge(p, gone, "--no-cache", "--wait", "6000ms") as inner:
        url = f"http://127.0.0.1:{inner.ports[0]}"
        with http_bridge(p, url, "--no-cache") as outer:
            for place in url, f"http://127.0.0.1:{outer.ports[0]}":
                code, said, wrong = run("call", place)
                check(code == 1 and "check that it is plugged in" in wrong and "MCP server" not in wrong, f"{place}: {code} {said} {wrong}")


# Files that do not have exactly one content: the members beside uri.
AMBIGUOUS = ({"text": "a", "blob": "YQ=="}, {"blob": "YQ==", "text": "a"}, {"mimeType": "text/plain"}, {"text": "a", "blob": None})


@suite
def a_file_has_one_content_or_is_not_shown_and_not_proven(p):
    """Defect 58, for `skillrom read` and for a bridge that knows the digest."""
    uri, sha = "skill://a/SKILL.md", "sha256:" + hashlib.sha256(b"a").hexdigest()
    skills = {"skills": [{"name": "a", "uri": uri, "resources": [{"uri": uri, "digest": sha}]}]}
    for members in AMBIGUOUS:
        url = liar(skills_list=skills, resources_read={"contents": [{"uri": uri, **members}]})
        code, said, wrong = run("read", url, uri)
        check(code == 1 and "exactly one of text and blob" in wrong and said == "", f"{members}: {code} {said} {wrong}")
        with http_bridge(p, url, "--no-cache") as b:
            client = HttpClient(b.ports[0])
            client.post(modern("skills/list"))
            client.post(modern("resources/read", uri=uri))
            b.wait_for("a file does not match the digest")
    for members in {"text": "a"}, {"blob": "YQ=="}:
        url = liar(resources_read={"contents": [{"uri": uri, **members}]})
        check(run("read", url, uri) == (0, "a", ""), members)


def at_terminal(*words):
    """All that it writes to one."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.execv(SKILLROM, [SKILLROM, *words])
    said = b""
    try:
        while True:
            said += os.read(terminal, 4096)
    except OSError:
        pass  # it has ended
    os.waitpid(pid, 0)
    return said.decode()


@suite
def what_a_device_says_is_shown_and_writes_over_no_terminal(p):
    """U+009B begins a command of a terminal, and JSON may have it as it is. A blank and an escape made the client move a text over itself."""
    text = "one\ntw\u00f6 \u009b2J \x7f three\n"
    url = liar(tools_list={"tools": [{"name": "odd"}, {"name": "od\u009bd"}]}, tools_call={"content": [{"type": "text", "text": text}]})
    code, said, wrong = run("call", url, "odd", "any=1")
    check(code == 2 and "no such argument; the tool has none" in wrong, f"{code} {said} {wrong}")
    code, said, wrong = run("call", url, "odd")
    check((code, said, wrong) == (0, text, ""), f"a tool without a schema: {code} {said!r} {wrong}")
    shown = at_terminal("call", url, "odd")
    check(shown.replace("\r", "") == text.replace("\u009b", "?").replace("\x7f", "?"), f"controls are shown: {shown!r}")
    code, said, wrong = run("call", url, "od:d")
    check(code == 2 and "did you mean" in wrong and wrong[:-1].isprintable(), f"{code} {said} {wrong!r}")
    url = liar(tools_list={"tools": [{"name": "odd"}]}, tools_call={"content": [], "structuredContent": {"a": "\u009b2J"}})
    check(at_terminal("call", url, "odd") == '{"a":"?2J"}\r\n', "nor are they in JSON")


@suite
def output_that_is_lost_is_an_error_and_a_closed_pipe_ends_it(p):
    url = Networked().http
    with open("/dev/full", "w") as full:
        done = subprocess.run([SKILLROM, "call", url], stdin=subprocess.DEVNULL, stdout=full, stderr=subprocess.PIPE)
        check(done.returncode == 1 and b"No space left" in done.stderr, f"{done}")
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run([SKILLROM, "read", url, "skill://daily-check/SKILL.md"], stdin=subprocess.DEVNULL, stdout=writer,
                          stderr=subprocess.PIPE)
    os.close(writer)
    check(done.returncode == -signal.SIGPIPE and done.stderr == b"", f"{done}")


@suite
def questions_are_asked_at_the_terminal(p):
    device = Networked(program=FIXTURE[0], image=FIXTURE[1])
    for url in device.urls:
        pid, terminal = pty.fork()
        if pid == 0:
            os.execv(SKILLROM, [SKILLROM, "call", url, "test_input_required_result_elicitation"])
        said = b""
        while b"): " not in said:
            said += os.read(terminal, 4096)
        check(b"What is your name?" in said, f"{said}")
        os.write(terminal, "Zoë\n".encode())
        try:
            while True:
                said += os.read(terminal, 4096)
        except OSError:
            pass  # it has ended
        check(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0 and "Hello, Zoë!" in said.decode(), f"{said}")
        code, said, wrong = run("call", url, "test_input_required_result_elicitation")
        check("stdin is not a terminal" in wrong, f"{code} {said} {wrong}")
        code, said, wrong = run("call", url, "test_error_handling")
        check(code == 1 and said, f"a tool that fails: {code} {said} {wrong}")


@suite
def device_killed_before_a_tool_has_begun_is_waited_for(p):
    device = Networked()
    for kind in range(2):
        run("call", device.urls[kind], "line_status", "line=1")
        device.stop()
        child = subprocess.Popen([SKILLROM, "call", device.urls[kind], "line_status", "line=1", "--wait", "60000ms"],
                                 stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                 preexec_fn=die_with_parent)
        device.kill()
        device.start()
        said, wrong = child.communicate(timeout=PATIENCE)
        check(child.returncode == 0 and b"line 1" in said, f"it had not begun, so it is run: {said} {wrong}")


@suite
def token_and_pin_are_those_of_the_bridge(p):
    folder = f"{p.folder}/call-token"
    os.mkdir(folder)
    token = new_token(folder, "carol")
    device = Networked("--token-file", f"{folder}/tokens")
    never = ("--wait", f"{10 * PATIENCE}s")  # who is refused does not wait
    code, said, wrong = run("call", device.http, *never)
    check(code == 1 and "requires a token" in wrong and wrong.count("\n") == 1, f"{code} {said} {wrong}")
    check("trying again" not in wrong, wrong)
    code, said, wrong = run("call", device.http + "/elsewhere", *never)
    check(code == 1 and "check the path" in wrong and wrong.count("\n") == 1, f"{code} {said} {wrong}")
    code, said, wrong = run("call", device.http, "line_status", "line=1", "--device-token", token)
    check(code == 0 and "line 1" in said, f"{code} {said} {wrong}")
    secured = Secured(p, "call-pin")
    code, said, wrong = run("call", secured.url, *never)
    check(code == 1 and f"--pin {secured.pin}" in wrong, f"{code} {said} {wrong}")
    code, said, wrong = run("call", secured.url, "line_status", "line=1", "--pin", secured.pin)
    check(code == 0 and "line 1" in said, f"{code} {said} {wrong}")
