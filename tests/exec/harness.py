"""What the tests of scripts share: a server that runs them, and ways to look at its answers."""

import json
import os
import select
import subprocess
import time

PATIENCE = 90
NOBODY = 65534
SECRET = "the-word-that-must-not-leak"
META = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}


class Failed(Exception):
    pass


def check(condition, why):
    if not condition:
        raise Failed(why)


def until(happened, what):
    end = time.monotonic() + PATIENCE
    while not happened():
        check(time.monotonic() < end, f"waited in vain until {what}")
        time.sleep(0.01)


class Server:
    """skillromd on stdin and stdout, or where the options say."""

    def __init__(self, program, image, *options, as_nobody=False, lines=True, before=None, pass_fds=()):
        """`before` is called in the new process, as whoever the server will be."""

        def prepare():
            if as_nobody:
                os.setgroups([])
                os.setgid(NOBODY)
                os.setuid(NOBODY)
            if before is not None:
                before()

        environment = dict(os.environ, SKILLROM_TEST_SECRET=SECRET, ASAN_OPTIONS="detect_leaks=0:abort_on_error=1")
        self.process = subprocess.Popen([program, image, *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, env=environment, preexec_fn=prepare, pass_fds=pass_fds)
        self.answers, self.buffer, self.count = {}, b"", 0
        self.first = self.process.stderr.readline().decode()
        if lines:
            check("serving" in self.first, self.first)

    def send(self, message):
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def ask(self, method, **params):
        """Sends a request; its id, for answer()."""
        self.count += 1
        self.send({"jsonrpc": "2.0", "id": self.count, "method": method, "params": {**params, "_meta": META}})
        return self.count

    def execute(self, script, skill="tricks", **arguments):
        return self.ask("skills/execute", name=skill, script=script, arguments=arguments)

    def answer(self, wanted):
        end = time.monotonic() + PATIENCE
        while wanted not in self.answers:
            ready, _, _ = select.select([self.process.stdout], [], [], max(0, end - time.monotonic()))
            check(ready, "no answer")
            part = os.read(self.process.stdout.fileno(), 1 << 20)
            check(part, "the server has gone: " + self.process.stderr.read().decode() if not part else "")
            self.buffer += part
            *lines, self.buffer = self.buffer.split(b"\n")
            for line in lines:
                message = json.loads(line)
                self.answers[message["id"]] = message
        return self.answers.pop(wanted)

    def run(self, script, **arguments):
        return self.answer(self.execute(script, **arguments))

    def text(self, script, **arguments):
        answer = self.run(script, **arguments)
        check("result" in answer and not answer["result"]["isError"], answer)
        return answer["result"]["content"][0]["text"]

    def end(self):
        self.process.stdin.close()
        check(self.process.wait(PATIENCE) == 0, self.process.stderr.read().decode())
        self.process.stdout.close()
        self.process.stderr.close()


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
