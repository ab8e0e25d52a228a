"""The log of requests: --log, --verbose and --quiet."""

import json
import os
import re
import subprocess

from client.check import Suite, check
from client.child import Child, Server
from client.mcp import INITIALIZE, http_bytes, line_bytes, modern, numbered, request
from client.programs import SKILLROM, scratch_folder
from client.wire import Client

suite = Suite()
HTTP = ("--http", "127.0.0.1:0")
COST = r" [1-9]\d* bytes \d+ ms$"
PEER = r": 127\.0\.0\.1:\d+ "


def post(port, message, extra=""):
    with Client(port) as client:
        client.send(http_bytes(message, extra=extra))
        return client.http()[0]


@suite
def each_request_has_a_line_that_says_how_it_ended(program, image):
    with Server(program, image, *HTTP, "--log") as server:
        port = server.ports[0]
        post(port, request(1, "tools/list"))
        server.wait_for_line(PEER + "tools/list 200 ok" + COST)
        post(port, request(1, "resources/read", uri="skill://no/such"))
        server.wait_for_line(PEER + "resources/read skill://no/such 200 error -32602" + COST)
        post(port, request(1, "no/such"))
        server.wait_for_line(PEER + "no/such 404 error -32601" + COST)
        check(post(port, numbered(1, INITIALIZE), "Origin: http://evil.example\r\n") == 403, "a foreign page was let in")
        server.wait_for_line(PEER + "POST 403 (refused|error -\\d+)" + COST)
        with Client(port) as client:
            client.send(b"GET /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n")
            client.http()
        server.wait_for_line(PEER + r"GET 4\d\d ")
        check(len(server.lines_with(COST)) == 5, f"{server.said}")


@suite
def without_log_there_are_no_lines(program, image):
    with Server(program, image, *HTTP) as server:
        post(server.ports[0], request(1, "tools/list"))
        server.signal()
        server.exit_code()
        check(not server.lines_with("tools/list"), f"{server.said}")


@suite
def the_sent_bytes_are_those_on_the_wire(program, image):
    with Server(program, image, "--tcp", "127.0.0.1:0", "--log") as server:
        with Client(server.ports[0]) as client:
            client.send(line_bytes({"jsonrpc": "2.0", "method": "notifications/initialized"}) + line_bytes(request(1)))
            size = len(client.take_until(b"\n"))
        said = server.wait_for_line(PEER + "server/discover ok" + COST)
        check(f" {size} bytes " in said, f"{size}: {said}")
        check(len(server.lines_with(COST)) == 1, f"a notification has no line: {server.said}")


@suite
def names_of_tokens_tell_clients_apart(program, image):
    with scratch_folder() as folder:
        tokens = os.path.join(folder, "tokens")
        with_token = {
            name: subprocess.run([SKILLROM, "token", name, "-o", tokens], check=True, capture_output=True,
                                 text=True).stdout.strip() for name in ("alice", "bob")
        }
        with Server(program, image, *HTTP, "--token-file", tokens, "--log") as server:
            for name, token in with_token.items():
                post(server.ports[0], request(1), f"Authorization: Bearer {token}\r\n")
                server.wait_for_line(f": {name} server/discover 200 ok" + COST)
            post(server.ports[0], request(1), "Authorization: Bearer wrong\r\n")
            said = server.wait_for_line(PEER + "POST 401 (refused|error)")
            check("wrong" not in said, said)


@suite
def text_of_a_client_cannot_forge_a_line(program, image):
    evil = "x\n: 127.0.0.1:1 tools/list 200 ok 1 bytes 1 ms\x1b[2J"
    with Child(program, image, "--log", "--quiet", stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        raw = json.dumps(numbered(2, modern("\x7f\x9b" * 300)), ensure_ascii=False).encode() + b"\n"
        child.process.stdin.write(line_bytes(numbered(1, modern(evil))) + raw + b"not json\n")
        child.process.stdin.close()
        check(child.exit_code() == 0 and len(child.said) == 3, f"{child.said}")
        for line in child.said:
            check(line.isascii() and line.isprintable() and len(line) < 400, repr(line))
            check(re.search(r": stdin .* error -32\d\d\d" + COST, line), line)
        check(": stdin - error -32700" in child.said[2], child.said[2])


@suite
def verbose_tells_of_connections_and_quiet_only_of_errors(program, image):
    with Server(program, image, *HTTP, "--verbose") as server:
        post(server.ports[0], request(1))
        server.wait_for_line(PEER + "disconnected$")
        check(len(server.lines_with(PEER + "connected$")) == 1 and server.lines_with("server/discover 200 ok"), f"{server.said}")
    with Child(program, image, "--quiet", stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        child.process.stdin.write(line_bytes(request(1)))
        child.process.stdin.close()
        check(child.exit_code() == 0 and child.said == [], f"{child.said}")
