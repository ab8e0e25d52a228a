#!/usr/bin/env python3
"""network - the example of Wi-Fi for ESP-IDF, on this machine's sockets: who is let in, and that sessions survive a reset

usage: network LIBRARY STUB WORK        WORK/wifi/build/lamp.elf is the example as it comes; this builds it for a port that is free

Exit status 1 if a response is wrong.
"""
import http.client
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import time

INITIALIZE = {"jsonrpc": "2.0", "id": 1, "method": "initialize",
              "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "me", "version": "1"}}}
CALL = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "set_lamp", "arguments": {"on": True}}}


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def build(library, stub, work, port):
    """The example for that port: its settings are compiled in."""
    place = work / "network"
    shutil.copytree(library, place / "skillrom")
    project = place / "skillrom/examples/esp-idf/wifi_http"
    with open(project / "sdkconfig.defaults", "a") as file:
        file.write(f"CONFIG_SKILLROM_HTTP_PORT={port}\n")
    env = {**os.environ, "IDF_PATH": str(stub / "esp-idf")}
    subprocess.run(["cmake", "-S", project, "-B", place / "build"], check=True, env=env)
    subprocess.run(["cmake", "--build", place / "build"], check=True)
    return place / "build/lamp.elf"


class Device:
    def __init__(self, program, port, nvs):
        self.port = port
        self.process = subprocess.Popen([program], env={**os.environ, "NVS": str(nvs)}, stdin=subprocess.DEVNULL)
        while self.process.poll() is None:
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                return
            except ConnectionRefusedError:
                time.sleep(0.05)
        sys.exit(f"the example ended with {self.process.returncode}")

    def post(self, message, **headers):
        """Status, session and result of a request."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.request("POST", "/mcp", json.dumps(message), {"Content-Type": "application/json",
                           "Accept": "application/json, text/event-stream", **{k.replace("_", "-"): v for k, v in headers.items()}})
        response = connection.getresponse()
        body = response.read()
        return response.status, response.headers.get("Mcp-Session-Id"), json.loads(body) if response.status == 200 else body

    def stop(self):
        self.process.kill()
        self.process.wait()


def must(true_here, why):
    if not true_here:
        sys.exit(f"not as expected: {why}")


def main(words):
    library, stub, work = map(pathlib.Path, words)
    port, nvs = free_port(), work / "nvs"
    nvs.mkdir()
    program = build(library, stub, work, port)

    device = Device(program, port, nvs)
    must(device.post(INITIALIZE)[0] == 401, "without tokens everybody is refused")
    device.stop()
    key = (nvs / "session_key").read_bytes()
    must(len(key) == 16, "a key was made")

    made = subprocess.run(["skillrom", "token", "alice", "--flash-record", nvs / "tokens"], check=True, capture_output=True, text=True)
    bearer = f"Bearer {made.stdout.split()[-1]}"
    device = Device(program, port, nvs)
    must(device.post(INITIALIZE)[0] == 401, "a stranger is refused")
    status, session, _ = device.post(INITIALIZE, Authorization=bearer)
    must(status == 200 and session, "alice has a session")
    must("The lamp is on." in json.dumps(device.post(CALL, Authorization=bearer, Mcp_Session_Id=session)), "and calls the tool")
    must(device.post(INITIALIZE, Authorization=bearer, Host="lamp.local")[0] == 200, "by the name of its menu")
    must(device.post(INITIALIZE, Authorization=bearer, Host="evil.example")[0] == 403, "by no other name")
    device.stop()

    device = Device(program, port, nvs)
    must((nvs / "session_key").read_bytes() == key, "the key is kept")
    must("The lamp is on." in json.dumps(device.post(CALL, Authorization=bearer, Mcp_Session_Id=session)), "the session survives a reset")
    device.stop()

    (nvs / "tokens").write_bytes((nvs / "tokens").read_bytes()[:-1])
    device = Device(program, port, nvs)
    must(device.post(INITIALIZE, Authorization=bearer)[0] == 401, "a damaged record lets nobody in")
    device.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
