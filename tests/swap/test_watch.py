"""`skillrom serve DIR --watch`, end to end: a file is edited, and clients that are connected see it."""

import os
import re
import signal
import subprocess

from harness import PATIENCE, Client, Suite, check, http_bytes, line_bytes, request, until, write
from revisions import SKILL, Stream, Swapping, ask_http, ask_line, handshake, legacy, listen, revision_of

suite = Suite()


class Serve:
    """skillrom serve beside the skillromd under test."""

    def __init__(self, program, revisions, device):
        skillrom = program.removesuffix("d")
        self.child = subprocess.Popen(
            [skillrom, "serve", device, "--watch", "--http", "127.0.0.1:0", "--tcp", "127.0.0.1:0"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        )
        self.heard = Swapping(revisions, self.child, None)
        self.ports = [self.port("http"), self.port("tcp")]

    def port(self, scheme):
        return int(re.search(r":(\d+)(/\S*)?$", self.heard.wait_for(f"serving .* at {scheme}://")).group(1))

    def __enter__(self):
        return self

    def __exit__(self, *why):
        self.child.send_signal(signal.SIGTERM)
        code = self.child.wait(PATIENCE)
        check(why[0] or code == 0, f"exit code {code}")


@suite
def an_edit_reaches_clients_without_dropping_one(program, revisions):
    device = f"{revisions.folder}/watched"
    revisions.fill(device, 1)
    with Serve(program, revisions, device) as serve:
        http, older, stream = Client(serve.ports[0]), Client(serve.ports[1]), Stream(serve.ports[0])
        stream.open(http_bytes(listen(1, skillsListChanged=True)))
        stream.event()
        ask_line(older, handshake())
        check(revision_of(ask_http(http, request(1, "resources/read", uri=SKILL))) == 1, "not the first")

        revisions.fill(device, 2)
        check(stream.event()["method"] == "notifications/skills/list_changed", "not told")
        until(lambda: revision_in(http) == 2, "the edit is served")
        heard = set()
        while "notifications/resources/list_changed" not in heard:
            heard.add(older.line()["method"])
        check("notifications/skills/list_changed" in heard, f"{heard}")

        write(f"{device}/skills/stamped/SKILL.md", "no frontmatter\n")
        serve.heard.wait_for("still serving the last good image")
        check(revision_in(http) == 2, "the last good one is gone")
        older.send(line_bytes(legacy(2, "ping")))
        while "id" not in older.line():
            pass

        revisions.fill(device, 3)
        until(lambda: revision_in(http) == 3, "the mended one is served")

        os.rename(device, device + "-away")
        serve.heard.wait_for("still serving the last good image")
        check(revision_in(http) == 3, "the last good one is gone")
        os.rename(device + "-away", device)
        revisions.fill(device, 4)
        until(lambda: revision_in(http) == 4, "the folder is watched again when it is back")
        for client in (http, older, stream):
            client.socket.close()


def revision_in(client):
    return revision_of(ask_http(client, request(9, "resources/read", uri=SKILL)))
