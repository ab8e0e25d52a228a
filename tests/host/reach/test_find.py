"""`skillrom find`, over real multicast between two network namespaces, and with avahi in both directions."""

import contextlib
import json
import os
import socket
import struct
import subprocess
import threading

from client.check import PATIENCE, Suite, check
from client.child import Server, die_with_parent
from client.programs import EXAMPLE_IMAGE, PUMP, ROOT, SKILLROM

suite = Suite()


@suite
def announced_devices_are_found_and_avahi_agrees(p):
    folder = f"{p.folder}/network"
    os.mkdir(folder)
    as_root = [] if os.geteuid() == 0 else ["sudo", "-n"]
    done = subprocess.run([*as_root, "unshare", "-mnpf", "--kill-child", "--mount-proc", ROOT / "tests/host/reach/in_network", SKILLROM, PUMP, EXAMPLE_IMAGE, folder],
                          capture_output=True, text=True, errors="replace", timeout=PATIENCE, preexec_fn=die_with_parent)
    lines = dict(line.split(": ", 1) for line in done.stdout.splitlines() if ": " in line)
    check(done.returncode == 0, f"{done.stdout} {done.stderr}")
    check("no device announces itself" in lines["nobody"], f"{lines}")
    check(lines["ours"].split()[:2] == ["pump", "3"] and ".local:7700/mcp  10.7.0.2" in lines["ours"], f"{lines}")
    found = json.loads(lines["as JSON"])
    check(f"{found['name']:<20}  {found['url']}  {found['address']}" == lines["ours"] and len(found) == 3, f"{lines}")
    check(lines["to a full disk"] == "skillrom find: cannot write to stdout: No space left on device", f"{lines}")
    check(";10.7.0.2;7700;" in lines["by avahi"] and "path=/mcp" in lines["by avahi"], f"{lines}")
    check("valve 9" in lines["avahi's"] and "https://near.local:8443/here  10.7.0.1" in lines["avahi's"], f"{lines}")
    found = json.loads(lines["over IPv6 alone"])
    check(found["name"] == "valve 9" and found["address"] == "[fe80::7%far]", f"{lines}")
    for how in "as shown", "as URLs write it":
        check("line 1 ready" in lines[how], f"{lines}")


# ---- A peer that announces anything, on the loopback interface of this machine ----

SERVICE = "_mcp._tcp.local"


def name(text):
    return b"".join(bytes([len(label)]) + label for label in text.encode().split(b".")) + b"\0"


def announcement(label, host, path):
    def record(owner, kind, data):
        return name(owner) + struct.pack("!HHIH", kind, 1, 120, len(data)) + data
    mine, text = f"{label}.{SERVICE}", f"path={path}".encode()
    records = [record(SERVICE, 12, name(mine)), record(mine, 33, struct.pack("!HHH", 0, 0, 7700) + name(host)), record(mine, 16, bytes([len(text)]) + text)]
    return struct.pack("!6H", 0, 0x8400, 0, len(records), 0, 0) + b"".join(records)


@contextlib.contextmanager
def announcing(*messages):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as end:
        end.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        end.bind(("224.0.0.251", 5353))
        end.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, socket.inet_aton("224.0.0.251") + socket.inet_aton("127.0.0.1"))

        def serve():
            with contextlib.suppress(OSError):
                while True:
                    asker = end.recvfrom(9000)[1]
                    for message in messages:
                        end.sendto(message, asker)
        threading.Thread(target=serve, daemon=True).start()
        yield


@suite
def whatever_is_announced_moves_no_cursor_and_leads_nowhere_else(p):
    """U+009B begins a command of a terminal; a path that does not begin with a slash, or a host that has one, makes a URL of another host."""
    with announcing(announcement("odd\u009b2J\x1b[2J", "odd.local", "/mcp"), announcement("path", "path.local", "@elsewhere.example/"),
                    announcement("host", "elsewhere.example/x", "/mcp"), announcement("query", "q.local", "/mcp?x=1")):
        found = subprocess.run([SKILLROM, "find", "--wait", "500ms"], capture_output=True, text=True, timeout=PATIENCE).stdout
        as_json = subprocess.run([SKILLROM, "find", "--wait", "500ms", "--json"], capture_output=True, text=True, timeout=PATIENCE).stdout
    check("http://odd.local:7700/mcp" in found and "http://q.local:7700/mcp?x=1" in found and "elsewhere" not in found, found)
    check(all(c == "\n" or c.isprintable() for c in found) and "odd?2J?[2J" in found, repr(found))
    check({"http://odd.local:7700/mcp", "http://q.local:7700/mcp?x=1"} <= {json.loads(line)["url"] for line in as_json.splitlines()}, as_json)


@suite
def a_question_about_the_instance_itself_is_answered(p):
    """Also if its name has a blank, which the resolver spells with an escape; one about another instance is not."""
    server = Server(PUMP, EXAMPLE_IMAGE, "--http", "0.0.0.0:0", "--allow-anyone", "--announce", "pump 3 of tests")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as end:
        end.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton("127.0.0.1"))
        end.settimeout(PATIENCE)
        for number, label in enumerate(("pump 3 of tests too", "pump 4 of tests", "Pump 3 Of Tests"), 1):
            end.sendto(struct.pack("!6H", number, 0, 1, 0, 0, 0) + name(f"{label}.{SERVICE}") + struct.pack("!HH", 33, 1), ("224.0.0.251", 5353))
        response = end.recv(9000)
    check(response[:2] == b"\0\3" and b"\x0fpump 3 of tests" in response and struct.pack("!H", server.ports[0]) in response, response)


@suite
def announcing_what_nobody_reaches_is_refused(p):
    for words, complaint in ((["--http", "127.0.0.1:0", "--announce", "x"], "no listening address is reachable"),
                             (["--http", "127.0.0.1:0", "--announce", "a.b"], "without dots"),
                             (["--http", "[::]:0", "--allow-anyone", "--announce", "x"], "at an IPv4 address")):
        done = subprocess.run([PUMP, EXAMPLE_IMAGE, *words], capture_output=True, text=True, timeout=PATIENCE)
        check(done.returncode in (1, 2) and complaint in done.stderr, f"{words}: {done}")
