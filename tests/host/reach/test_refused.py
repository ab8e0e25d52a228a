"""What answers at a URL is not what it should be, or wants a token."""

import os
import socket
import subprocess
import threading

from client.bridge import Bridge, http_bridge
from client.check import Suite, afterwards, check
from client.mcp import modern
from client.programs import SKILLROM, write
from client.wire import HttpClient
from device import Networked

suite = Suite()


def canned(reply):
    """A server that answers every connection with these bytes, once it has heard something; None: not at all."""
    listener = socket.create_server(("127.0.0.1", 0))
    afterwards(listener.close)

    def serve():
        kept = []
        while True:
            try:
                peer, _ = listener.accept()
            except OSError:
                return
            kept.append(peer)
            if reply is not None:
                try:
                    peer.recv(65536)
                    peer.sendall(reply)
                    peer.close()
                except OSError:
                    pass

    threading.Thread(target=serve, daemon=True).start()
    return listener.getsockname()[1]


PAGE = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5\r\n\r\n<p>hi"
MOVED = b"HTTP/1.1 301 Moved\r\nLocation: /there\r\nContent-Length: 0\r\n\r\n"


@suite
def what_is_no_mcp_server_is_said_and_what_to_do(p):
    for scheme, reply, words in (
        ("http", PAGE, "not as an MCP server"),
        ("http", MOVED, "redirects"),
        ("http", b"220 mail ready\r\n", "does not use HTTP"),
        ("http", b"", "ended before a response"),
        ("tcp", b"220 mail ready\r\n", "not an MCP server with lines"),
        ("tcp", PAGE, "not an MCP server with lines"),
        ("tcp", b"", "ended before a response"),
        ("http", None, "does not respond"),
        ("tcp", None, "does not respond"),
    ):
        with Bridge(p, f"{scheme}://127.0.0.1:{canned(reply)}", "--wait", "200ms") as b:
            b.wait_for(words)
            b.send(modern("tools/list"))
            message = b.receive()[1]["error"]["message"]
            check(words in message or "not responded yet" in message, f"{words}: {message}")


@suite
def nobody_there_and_no_such_name(p):
    free = socket.create_server(("127.0.0.1", 0))
    port = free.getsockname()[1]
    free.close()
    for url, words in ((f"http://127.0.0.1:{port}", "nothing listens"), (f"tcp://[::1]:{port}", "nothing listens"),
                       ("http://no-such-name.invalid", "")):
        with Bridge(p, url, "--wait", "100ms") as b:
            b.wait_for("trying again")
            check(b.has_said(words), f"{b.said}")
            b.send(modern("tools/list"))
            check("cannot be reached" in b.receive()[1]["error"]["message"], "the client is told, too")


@suite
def wrong_words_on_the_command_line(p):
    for words, complaint in (
        (["ftp://x"], "give tcp://HOST:PORT"),
        (["tcp://x"], "have a port and no path"),
        (["tcp://x:1/mcp"], "have a port and no path"),
        (["http://"], "not a URL"),
        (["http://x:99999"], "not a URL"),
        (["http://me:secret@x"], "--device-token"),
        (["127.0.0.1:7700/mcp"], "give a device on the network as a URL, http://127.0.0.1:7700/mcp"),
        (["pump.local"], "http://pump.local"),
        (["a=http://x", "b=http://y", "--device-token", f"{p.folder}/two.token"], "run a bridge for each"),
    ):
        write(f"{p.folder}/two.token", "abc\n")
        os.chmod(f"{p.folder}/two.token", 0o600)
        done = subprocess.run([SKILLROM, "bridge", *words], capture_output=True, text=True, timeout=60)
        check(done.returncode == 2 and complaint in done.stderr, f"{words}: {done.returncode} {done.stderr}")


@suite
def files_that_cannot_be_used_are_bad_input(p):
    write(f"{p.folder}/open.token", "abc\n")
    os.chmod(f"{p.folder}/open.token", 0o644)
    for words, complaint in (
        (["--device-token", "/nonexistent"], "No such file"),
        (["--device-token", f"{p.folder}/open.token"], "other users can read"),
        (["--ca-file", "/nonexistent"], "No such file"),
        (["--ca-file", f"{p.folder}/open.token"], "no certificate"),
    ):
        for command in "bridge", "call":
            done = subprocess.run([SKILLROM, command, "https://x", *words], capture_output=True, text=True, timeout=60)
            check(done.returncode == 1 and complaint in done.stderr, f"{command} {words}: {done.returncode} {done.stderr}")


def new_token(folder, name, *options):
    """A token as a person makes it; the file of the server, and that of the client."""
    made = subprocess.run([SKILLROM, "token", name, "-o", f"{folder}/tokens", *options], capture_output=True, text=True)
    check(made.returncode == 0, made.stderr)
    write(f"{folder}/{name}.token", made.stdout.split()[-1] + "\n")
    os.chmod(f"{folder}/{name}.token", 0o600)
    return f"{folder}/{name}.token"


@suite
def token_is_shown_to_the_device_and_a_wrong_one_is_explained(p):
    folder = f"{p.folder}/shown"
    os.mkdir(folder)
    token = new_token(folder, "alice")
    reader = new_token(folder, "bob", "--read-only")
    write(f"{folder}/wrong.token", "wrong\n")
    os.chmod(f"{folder}/wrong.token", 0o600)
    device = Networked("--token-file", f"{folder}/tokens")
    dose = modern("tools/call", name="run_dose", arguments={"line": 1, "volume_ul": 100})
    with Bridge(p, device.http, "--device-token", token) as b:
        check("result" in b.exchange(dose), "operate")
    with Bridge(p, device.http, "--device-token", reader) as b:
        check("result" in b.exchange(modern("tools/list")), "read")
        response = b.exchange(dose)
        check("error" in response and "may have executed" not in response["error"]["message"], f"{response}")
    with Bridge(p, device.http, "--wait", "100ms") as b:
        b.wait_for("requires a token")
        check("SKILLROM_TOKEN" in b.exchange(modern("tools/list"))["error"]["message"], "how to give it")
    with Bridge(p, device.http, "--device-token", f"{folder}/wrong.token", "--wait", "100ms") as b:
        b.wait_for("does not accept this token")
        check("error" in b.exchange(modern("tools/list")), "nothing is done")
    with open(token) as file:
        os.environ["SKILLROM_TOKEN"] = file.read().strip()
    try:
        with Bridge(p, device.http) as b:
            check("result" in b.exchange(modern("tools/list")), "from the environment")
    finally:
        del os.environ["SKILLROM_TOKEN"]


@suite
def bridge_asks_its_own_clients_for_tokens(p):
    folder = f"{p.folder}/asked"
    os.mkdir(folder)
    words = {}
    for name, option in (("alice", ()), ("bob", ("--read-only",))):
        with open(new_token(folder, name, *option)) as file:
            words[name] = {"Authorization": f"Bearer {file.read().strip()}"}
    device = Networked()
    dose = modern("tools/call", name="run_dose", arguments={"line": 1, "volume_ul": 100})
    status = modern("tools/call", name="line_status", arguments={"line": 1})
    with http_bridge(p, device.http, "--no-cache", "--token-file", f"{folder}/tokens") as b:
        for message in dose, status, modern("tools/list"):
            response, _ = HttpClient(b.ports[0]).post(message)
            check(response.status == 401 and response.getheader("WWW-Authenticate"), f"without: {response.status}")
        for _ in range(2):  # before and after the bridge has seen the list of tools
            response, body = HttpClient(b.ports[0]).post(dose, words["bob"])
            challenge = response.getheader("WWW-Authenticate")
            check(response.status == 403 and "insufficient_scope" in challenge, f"bob: {response.status} {challenge}")
            check("run_dose" in body["error"]["message"], f"{body}")
            for message in status, modern("tools/list"):
                response, body = HttpClient(b.ports[0]).post(message, words["bob"])
                check(response.status == 200 and "result" in body, f"bob may look: {body}")
        client = HttpClient(b.ports[0])
        response, body = client.post(dose, words["alice"])
        check(response.status == 200 and "result" in body, f"alice: {response.status} {body}")
    done = subprocess.run([SKILLROM, "bridge", device.http, "--http", "0.0.0.0:0"], capture_output=True, text=True, timeout=60)
    check(done.returncode == 2 and "--token-file" in done.stderr, f"open to everybody: {done.stderr}")
