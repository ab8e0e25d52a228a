#!/usr/bin/env python3
"""The bundle for Claude Desktop on every system: its own tool accepts it, and what is unpacked of it finds a device on a serial line.

    tests/host/wasm/bundle.py BUNDLE

Prints `ok NAME` or `not ok NAME: why` for each test and ends with `N passed, N failed`."""

import json
import os
import pathlib
import subprocess
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path += [os.path.join(HERE, "../.."), os.path.join(HERE, "../serial")]

from client import programs
from client.check import PATIENCE, Suite, Tally, check
from client.child import Child, Stdio
from client.mcp import legacy
from line import Line

suite = Suite()
TOOL = programs.ROOT / "build/mcpb/tool/node_modules/.bin/mcpb"
HELLO = legacy("initialize", protocolVersion="2025-11-25", capabilities={}, clientInfo={"name": "t", "version": "1"})


class Bundle:
    def __init__(self, folder, file):
        self.folder, self.scratch = pathlib.Path(folder) / "installed", folder
        done = subprocess.run([TOOL, "unpack", file, self.folder], capture_output=True, text=True, timeout=PATIENCE)
        check(done.returncode == 0, f"{done}")
        self.manifest = json.loads((self.folder / "manifest.json").read_text())

    def start(self, port, *options):
        config = self.manifest["server"]["mcp_config"]
        words = [text.replace("${__dirname}", str(self.folder)).replace("${user_config.port}", port) for text in config["args"]]
        return Stdio(config["command"], *words, *options)


@suite
def it_is_for_three_systems_and_its_program_is_there(bundle):
    check(bundle.manifest["compatibility"]["platforms"] == ["darwin", "win32", "linux"], f"{bundle.manifest}")
    check((bundle.folder / bundle.manifest["server"]["entry_point"]).exists(), "its entry point")
    built = {path.name for path in (bundle.folder / "server/node_modules/@serialport/bindings-cpp/prebuilds").iterdir()}
    check({"darwin-x64+arm64", "win32-x64", "linux-x64"} <= built, f"{built}")
    check("Copyright" in (bundle.folder / "LICENSE").read_text(), "whose it is")


@suite
def it_answers_for_a_device_on_a_serial_line(bundle):
    line = Line(bundle.scratch)
    device = Child(programs.PUMP, programs.EXAMPLE_IMAGE, "--serial", line.device)
    with bundle.start(line.host) as bridge:
        first = bridge.exchange(HELLO)
        check(first["result"]["serverInfo"]["name"] == "tidewater-dp4", f"{first}")
        response = bridge.exchange(legacy("tools/call", name="line_status", arguments={"line": 1}))
        check("line 1 ready" in response["result"]["content"][0]["text"], f"{response}")
        check(any("reliable mode" in said for said in bridge.said), f"{bridge.said}")
    device.kill()
    line.close()


@suite
def a_port_that_is_missing_is_named_and_waited_for(bundle):
    with bundle.start(bundle.scratch + "/nowhere", "--wait", "100ms") as bridge:
        first = bridge.exchange(HELLO)
        check("error" in first, f"{first}")
        bridge.wait_for("waiting for it")


def main():
    os.chdir(programs.ROOT)
    programs.need()
    tally = Tally()
    with programs.scratch_folder() as folder:
        tally.run(suite, Bundle(folder, sys.argv[1]))
    return tally.finish()


if __name__ == "__main__":
    sys.exit(main())
