"""What the tests of the serial wire and the bridge share: the example device on a line (pump --serial), the
bridge as a child with a client on its stdio, and requests whose right answer is known."""

import http.client
import json
import os
import queue
import re
import shutil
import subprocess
import sys
import threading
import time
import traceback

sys.path.insert(0, "tests/qemu")

from emulator import Emulator

PATIENCE = 60  # bounds a failure; no test passes or fails by the time it takes
VERSION = "2026-07-28"


class Failed(Exception):
    pass


def check(condition, why):
    if not condition:
        raise Failed(why)


def until(happened, what, patience=PATIENCE):
    end = time.monotonic() + patience
    while not happened():
        check(time.monotonic() < end, f"waited in vain until {what}")
        time.sleep(0.005)


def modern(method, **params):
    params["_meta"] = {
        "io.modelcontextprotocol/protocolVersion": VERSION,
        "io.modelcontextprotocol/clientCapabilities": {"extensions": {"io.modelcontextprotocol/skills": {}}},
    }
    return {"method": method, "params": params}


def legacy(method, **params):
    return {"method": method, "params": params}


INITIALIZE = legacy(
    "initialize", protocolVersion="2025-11-25", capabilities={}, clientInfo={"name": "test", "version": "1"}
)


class Programs:
    """The programs under test and the truth about the example device, asked of its program itself."""

    def __init__(self, skillrom, pump, image, folder):
        self.skillrom, self.pump, self.image, self.folder = skillrom, pump, image, folder
        self.truth = {}
        skills = self.right(modern("skills/list"))["result"]["skills"]
        self.files = [file["uri"] for skill in skills for file in skill["resources"]]

    def right(self, request):
        """The answer without any line in between; the id is 0."""
        key = json.dumps(request, sort_keys=True)
        if key not in self.truth:
            line = json.dumps({"jsonrpc": "2.0", "id": 0, **request}) + "\n"
            done = subprocess.run(
                [self.pump, self.image], input=line.encode(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
            )
            self.truth[key] = json.loads(done.stdout)
        return self.truth[key]

    def other_image(self, name, device="examples/device"):
        """An image of the device with one line more in one of its files."""
        folder, image = os.path.join(self.folder, name), os.path.join(self.folder, name + ".rom")
        shutil.copytree(device, folder)
        skill = sorted(os.listdir(os.path.join(folder, "skills")))[0]
        with open(os.path.join(folder, "skills", skill, "SKILL.md"), "a") as file:
            file.write("\nOne line more.\n")
        subprocess.run([self.skillrom, "pack", folder, "-o", image], check=True, stdout=subprocess.DEVNULL)
        return image

    def reads(self, n):
        """n requests that differ: files, lists, and a tool that only looks."""
        all = [modern("resources/read", uri=uri) for uri in self.files]
        all += [modern("tools/call", name="line_status", arguments={"line": i}) for i in range(1, 5)]
        all += [modern("resources/templates/list"), modern("prompts/list")]
        return [all[i * 7 % len(all)] for i in range(n)]

    def is_right(self, request, answer):
        return answer.get("result") == self.right(request).get("result") and "result" in answer


class Child:
    """A program that ends with the test."""

    def __init__(self, *command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL):
        self.said = []
        self.process = subprocess.Popen(command, stdin=stdin, stdout=stdout, stderr=subprocess.PIPE)
        self.reader = threading.Thread(target=self.listen, daemon=True)
        self.reader.start()

    def listen(self):
        for line in self.process.stderr:
            self.said.append(line.decode(errors="replace").rstrip())

    def has_said(self, words):
        return any(words in line for line in list(self.said))

    def wait_for(self, words):
        until(lambda: self.has_said(words) or self.process.poll() is not None, f"it says {words!r}: {self.said}")
        if self.process.poll() is not None:
            self.reader.join()  # its last words may still be on their way
        check(self.has_said(words), f"ended without saying {words!r}: {self.said}")

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()

    def __enter__(self):
        return self

    def __exit__(self, *why):
        self.kill()


class Device(Child):
    def __init__(self, programs, line, image=None, program=None, options=()):
        super().__init__(program or programs.pump, image or programs.image, "--serial", line.device, *options)
        self.wait_for("serving")


class Board:
    """The example device as a firmware in QEMU, on the line's end. How much stack it used is noted as tests/qemu/boot
    does, for `make size`."""

    def __init__(self, line, build="mps2-an385-full", elf="program.elf", image="build/example.rom"):
        self.build, self.elf = build, elf
        self.emulator = Emulator(build, f"build/{build}/{elf}", subprocess.DEVNULL, image, tty=line.device)

    def kill(self):
        with open(f"build/{self.build}/stack.txt", "a") as file:
            file.write(f"{self.emulator.stop()} {self.elf}\n")
        self.emulator.monitor.close()

    def __enter__(self):
        return self

    def __exit__(self, *why):
        self.kill()


class Bridge(Child):
    """The bridge with a client on its stdio."""

    def __init__(self, programs, *arguments):
        super().__init__(
            programs.skillrom, "bridge", *arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self.answers = queue.Queue()
        self.notifications = []  # their methods,
        self.told = []  # and all of them
        self.questions = queue.Queue()
        self.waiting = {}
        self.last = 0
        self.stdout_reader = threading.Thread(target=self.read_answers, daemon=True)
        self.stdout_reader.start()

    def read_answers(self):
        for line in self.process.stdout:
            message = json.loads(line)
            if "method" in message and "id" in message:
                self.questions.put(message)
            elif "method" in message:
                self.notifications.append(message["method"])
                self.told.append(message)
            else:
                self.answers.put(message)

    def send(self, request, spelled=str):
        """Returns the id. `spelled` may write the same JSON otherwise."""
        self.last += 1
        self.waiting[self.last] = request
        line = spelled(json.dumps({"jsonrpc": "2.0", "id": self.last, **request})) + "\n"
        self.process.stdin.write(line.encode())
        self.process.stdin.flush()
        return self.last

    def tell(self, notification):
        self.process.stdin.write((json.dumps({"jsonrpc": "2.0", **notification}) + "\n").encode())
        self.process.stdin.flush()

    def question(self):
        """The next request of the server."""
        try:
            return self.questions.get(timeout=PATIENCE)
        except queue.Empty:
            raise Failed(f"no question came; said {self.said[-5:]}")

    def reply(self, question, **outcome):
        line = json.dumps({"jsonrpc": "2.0", "id": question["id"], **outcome}) + "\n"
        self.process.stdin.write(line.encode())
        self.process.stdin.flush()

    def receive(self):
        """The next answer, with the request it belongs to."""
        try:
            answer = self.answers.get(timeout=PATIENCE)
        except queue.Empty:
            raise Failed(f"{len(self.waiting)} requests hang: {list(self.waiting.values())[:2]}; said {self.said[-5:]}")
        request = self.waiting.pop(answer.get("id"), None)
        check(request is not None, f"an answer to nothing: {json.dumps(answer)[:200]}")
        return request, answer

    def ask(self, request):
        self.send(request)
        return self.receive()[1]

    def ask_all(self, requests, window=8):
        """Several under way at once. Yields (request, answer)."""
        requests = list(requests)
        while requests or self.waiting:
            while requests and len(self.waiting) < window:
                self.send(requests.pop(0))
            yield self.receive()

    def finish(self):
        self.process.stdin.close()
        return self.process.wait(PATIENCE)


def check_right(p, request, answer):
    check(p.is_right(request, answer), f"{json.dumps(request)[:200]} got {json.dumps(answer)[:300]}")


def right_or_clear_error(p, line, bridge, requests):
    """On a noisy line without the reliable mode; a third of them once more when the noise is over."""
    right = 0
    for request in requests:
        answer = bridge.ask(request)
        if "error" in answer:
            check(answer["error"]["message"], f"{answer}")
        else:
            check_right(p, request, answer)
            right += 1
    check(right > 0, "short ones come through")
    line.noise = 0
    for request in requests[:len(requests) // 3]:
        check_right(p, request, bridge.ask(request))


def judge(p, request, answer, right, errors):
    """Right, or a clear error, which a read gets only when it was tried many times."""
    if "error" in answer:
        check(answer["error"]["code"] == -32603 and "device" in answer["error"]["message"], f"{answer}")
        return right, errors + 1
    check(p.is_right(request, answer), f"{json.dumps(request)[:200]} got {json.dumps(answer)[:300]}")
    return right + 1, errors


class HttpBridge(Child):
    def __init__(self, p, *arguments):
        super().__init__(p.skillrom, "bridge", *arguments, "--http", "127.0.0.1:0")
        self.wait_for("serving")
        self.port = int(re.search(r":(\d+)/mcp", " ".join(self.said)).group(1))


class HttpClient:
    def __init__(self, bridge):
        self.link = http.client.HTTPConnection("127.0.0.1", bridge.port, timeout=PATIENCE)
        self.headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
        self.last = 0

    def open(self, request, headers=None):
        """The answer, not read yet."""
        self.last += 1
        body = json.dumps({"jsonrpc": "2.0", "id": self.last, **request})
        self.link.request("POST", "/mcp", body, {**self.headers, **(headers or {})})
        return self.link.getresponse()

    def post(self, request, headers=None):
        response = self.open(request, headers)
        text = response.read()
        return response, json.loads(text) if text else None

    def begin(self, version):
        first = {**INITIALIZE, "params": {**INITIALIZE["params"], "protocolVersion": version}}
        response, answer = self.post(first)
        check(answer["result"]["protocolVersion"] == version, f"{answer}")
        self.headers["Mcp-Session-Id"] = response.headers["Mcp-Session-Id"]
        self.headers["MCP-Protocol-Version"] = version

    def ask(self, request):
        _, answer = self.post(request)
        check(answer["id"] == self.last, f"id {answer['id']} instead of {self.last}")
        return answer


def modern_headers(request):
    headers = {"MCP-Protocol-Version": VERSION, "Mcp-Method": request["method"]}
    name = request["params"].get("uri") or request["params"].get("name")
    return {**headers, "Mcp-Name": name} if name else headers


class Suite:
    def __init__(self):
        self.tests = []

    def __call__(self, function):
        self.tests.append(function)
        return function


def run_test(test, programs):
    """True when it passed."""
    start = time.monotonic()
    try:
        test(programs)
        print(f"ok {test.__name__} ({time.monotonic() - start:.1f} s)", flush=True)
        return True
    except Exception as error:
        print(f"not ok {test.__name__}: {error!r}"[:1500], flush=True)
        if not isinstance(error, Failed):
            traceback.print_exc(file=sys.stderr)
        return False
