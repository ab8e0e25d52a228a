"""A server that runs scripts, and ways to look at its responses."""

import os

from client.check import check, until
from client.child import Stdio
from client.mcp import modern

NOBODY = 65534
SECRET = "the-word-that-must-not-leak"


class Server(Stdio):
    """skillromd on stdin and stdout, or where the options say. `responses` has those that nobody has fetched yet."""

    def __init__(self, *command, as_nobody=False, before=None, **more):
        """`before` is called in the new process, as the user that the server will be."""

        def prepare():
            if as_nobody:
                os.setgroups([])
                os.setgid(NOBODY)
                os.setuid(NOBODY)
            if before is not None:
                before()

        super().__init__(*command, before=prepare, env=dict(os.environ, SKILLROM_TEST_SECRET=SECRET), **more)
        self.responses = {}
        self.wait_for("serving")

    def send_request(self, method, **params):
        """Sends a request; its id, for response()."""
        return self.send(modern(method, **params))

    def execute(self, script, skill="tricks", **arguments):
        return self.send_request("skills/execute", name=skill, script=script, arguments=arguments)

    def response(self, wanted):
        while wanted not in self.responses:
            message = self.line()
            self.responses[message["id"]] = message
        return self.responses.pop(wanted)

    def run(self, script, **arguments):
        return self.response(self.execute(script, **arguments))

    def text(self, script, **arguments):
        response = self.run(script, **arguments)
        check("result" in response and not response["result"]["isError"], response)
        return response["result"]["content"][0]["text"]

    def end(self):
        """All that it has said on stderr, after it has ended in order."""
        check(self.finish() == 0, self.said)
        return "\n".join(self.said)


def running(script):
    """Processes of this machine that run the script, wherever they are."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                words = file.read().split(b"\0")  # bwrap, which names it too, has more
                if words[1:2] == [b"/skill/scripts/" + script.encode()]:
                    found.append(pid)
        except OSError:
            pass
    return found


def gone(script):
    until(lambda: not running(script), f"{script} has gone")


def failure(response, *parts):
    """The text of a result that failed; it must hold the parts."""
    check("result" in response and response["result"]["isError"], response)
    text = response["result"]["content"][0]["text"]
    for part in parts:
        check(part in text, f"no '{part}' in: {text}")
    return text


def not_ended(response, reason, *parts):
    check(response.get("error", {}).get("code") == -32003, response)
    check(response["error"]["data"]["reason"] == reason, response)
    for part in parts:
        check(part in response["error"]["message"], response)
