"""A server that runs scripts, and ways to look at its responses."""

import os

from client.check import check, until
from client.child import Stdio
from client.mcp import modern

NOBODY = 65534
SECRET = "the-word-that-must-not-leak"


class Server(Stdio):
    """skillromd on stdin and stdout, or where the options say. `answers` has those that nobody asked for yet."""

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
        self.answers = {}
        self.wait_for("serving")

    def ask(self, method, **params):
        """Sends a request; its id, for answer()."""
        return self.send(modern(method, **params))

    def execute(self, script, skill="tricks", **arguments):
        return self.ask("skills/execute", name=skill, script=script, arguments=arguments)

    def answer(self, wanted):
        while wanted not in self.answers:
            message = self.line()
            self.answers[message["id"]] = message
        return self.answers.pop(wanted)

    def run(self, script, **arguments):
        return self.answer(self.execute(script, **arguments))

    def text(self, script, **arguments):
        answer = self.run(script, **arguments)
        check("result" in answer and not answer["result"]["isError"], answer)
        return answer["result"]["content"][0]["text"]

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


def failure(answer, *parts):
    """The text of a result that failed; it must hold the parts."""
    check("result" in answer and answer["result"]["isError"], answer)
    text = answer["result"]["content"][0]["text"]
    for part in parts:
        check(part in text, f"no '{part}' in: {text}")
    return text


def not_ended(answer, reason, *parts):
    check(answer.get("error", {}).get("code") == -32003, answer)
    check(answer["error"]["data"]["reason"] == reason, answer)
    for part in parts:
        check(part in answer["error"]["message"], answer)
