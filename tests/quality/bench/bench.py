"""What tests/quality/bench/run and tests/quality/bench/check share: images to measure with, requests as clients send them, and
instruction counts. Everything is made under build/bench/. Standard library only."""

import json
import os
import re
import subprocess

import make_skills

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
WORK = os.path.join(ROOT, "build", "bench")
SKILLROM = os.path.join(ROOT, "build", "skillrom")
PUMP = os.path.join(ROOT, "build", "pump")
PUMP_128 = os.path.join(WORK, "many", "pump")  # the same with slots for 128 connections
DRIVE = os.path.join(WORK, "drive")
LOAD = os.path.join(WORK, "load")
CONSTANT = os.path.join(WORK, "constant")

VERSION = "2026-07-28"
MANUAL_URI = "skill://" + make_skills.MANUAL_FILE


class Failed(Exception):
    pass


def need_programs():
    missing = [p for p in (SKILLROM, PUMP, PUMP_128, DRIVE, LOAD, CONSTANT) if not os.access(p, os.X_OK)]
    if missing:
        raise Failed(f"{os.path.relpath(missing[0], ROOT)} is not built; run make all bench-programs")


def make_image(skills, manual=False):
    """An image with so many skills; its path."""
    folder = os.path.join(WORK, f"device-{skills}")
    image = os.path.join(WORK, f"{skills}-skills.rom")
    make_skills.write_device(folder, os.path.join(ROOT, "examples", "pump"), skills, manual)
    done = subprocess.run([SKILLROM, "pack", folder, "-o", image], capture_output=True, text=True)
    if done.returncode != 0:
        raise Failed(f"skillrom pack failed: {done.stderr}")
    return image


def keep(name, data):
    path = os.path.join(WORK, name)
    with open(path, "wb") as file:
        file.write(data)
    return path


# ---- Requests ----


def modern(method, **params):
    """A message of the 2026-07-28 era, as an SDK writes it."""
    params["_meta"] = {
        "io.modelcontextprotocol/protocolVersion": VERSION,
        "io.modelcontextprotocol/clientInfo": {"name": "example-client", "version": "1.0.0"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    return {"method": method, "params": params, "jsonrpc": "2.0", "id": 1}


PING = {"method": "ping", "jsonrpc": "2.0", "id": 1}

INITIALIZE = {
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "example-client", "version": "1.0.0"},
    },
    "jsonrpc": "2.0",
    "id": 0,
}


def line_bytes(message):
    return json.dumps(message, separators=(",", ":")).encode() + b"\n"


def http_bytes(message, session=None):
    """With the headers that a client on Node sends."""
    body = json.dumps(message, separators=(",", ":"))
    params = message.get("params", {})
    head = [
        "POST /mcp HTTP/1.1",
        "Host: 127.0.0.1:7700",
        "Connection: keep-alive",
        "Accept: application/json, text/event-stream",
        "Content-Type: application/json",
        "Accept-Language: *",
        "Sec-Fetch-Mode: cors",
        "User-Agent: node",
        "Accept-Encoding: gzip, deflate",
    ]
    if "_meta" in params:
        head += [f"Mcp-Protocol-Version: {VERSION}", f"Mcp-Method: {message['method']}"]
        if message["method"] in ("resources/read", "tools/call"):
            head.append(f"Mcp-Name: {params.get('uri') or params['name']}")
    elif session:
        head += ["Mcp-Protocol-Version: 2025-11-25", f"Mcp-Session-Id: {session}"]
    head.append(f"Content-Length: {len(body)}")
    return ("\r\n".join(head) + "\r\n\r\n" + body).encode()


def session_of(response):
    return re.search(rb"Mcp-Session-Id: (\S+)", response).group(1).decode()


# ---- Instructions ----


def drive(*arguments, tool=()):
    """Runs build/bench/drive; gives back what it printed and said."""
    done = subprocess.run([*tool, DRIVE, *arguments], capture_output=True)
    if done.returncode != 0:
        raise Failed(f"drive {' '.join(arguments)}: {done.stderr.decode(errors='replace')}")
    return done.stdout, done.stderr.decode()


def count(image, what, *rest, rounds=20):
    """Instructions of one round."""
    tool = ("valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", "--toggle-collect=measured*")
    _, said = drive(image, what, str(rounds), *rest, tool=tool)
    return int(re.search(r"Collected : (\d+)", said).group(1)) / rounds


def count_requests(image, wire, messages):
    """Instructions of one request, the mean over these messages. Each must be answered with a result."""
    setup, session = "-", None
    if wire == "http" and messages[0] is PING:
        setup = keep("initialize.request", http_bytes(INITIALIZE))
        response, _ = drive(image, wire, "0", "-", setup)
        session = session_of(response)
    files = []
    for number, message in enumerate(messages):
        data = http_bytes(message, session) if wire == "http" else line_bytes(message)
        files.append(keep(f"{number}.request", data))
    responses, _ = drive(image, wire, "0", setup, *files)
    if responses.count(b'"result":') != len(files) + (setup != "-"):
        raise Failed(f"{messages[0]['method']} over {wire} is not answered with a result: {responses[:500]}")
    return count(image, wire, setup, *files) / len(files)


# ---- Pages ----


def walk(image, method, member):
    """The messages that walk through all pages of a list, and how many items they bring."""
    messages, items, cursor = [], 0, None
    child = subprocess.Popen([PUMP, image], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    with child:
        while cursor is not None or not messages:
            message = modern(method, cursor=cursor) if cursor else modern(method)
            child.stdin.write(line_bytes(message))
            child.stdin.flush()
            result = json.loads(child.stdout.readline())["result"]
            messages.append(message)
            items += len(result[member])
            cursor = result.get("nextCursor")
        child.stdin.close()
    return messages, items
