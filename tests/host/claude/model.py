"""model.py - what Claude Code takes for its model: a server that wants a tool of the device called, several times in one session.

Between two calls it lets something happen. Nothing is decided here, and nothing leaves this machine."""

import http.server
import itertools
import json
import sys
import time

from client.check import PATIENCE, check

TOOL = "mcp__pump__line_status"


class Model:
    """`calls` is a list of tools and their arguments, or of functions that make these from the last result. `results` has what the tool
    answered, by the id of the call; `between` is called before each call but the first. `request` is the last one."""

    def __init__(self, calls, between=lambda: None):
        self.calls, self.between, self.results, self.request = calls, between, {}, ""
        model = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                events = model.respond(request)
                body = b"".join(b"event: %s\ndata: %s\n\n" % (e["type"].encode(), json.dumps(e).encode()) for e in events)
                self.send_response(200)
                self.send_header("Content-Type", "text/event-stream")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
        self.server.handle_error = self.raise_failure
        self.server.timeout = 0.1
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def raise_failure(self, *_):
        """Of what was done in between; Claude Code itself may hang up."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            raise  # noqa: PLE0704: the exception that is being handled

    def serve(self, process):
        """Until it has ended. In this thread: what `between` starts would end with another one (client/child.py)."""
        end = time.monotonic() + PATIENCE
        with self.server:
            while process.poll() is None:
                self.server.handle_request()
                check(time.monotonic() < end, f"Claude Code does not end: {self.results}")

    def respond(self, request):
        """The next call, until there were enough; anything else that is asked gets a word."""
        tools = {tool["name"] for tool in request.get("tools", [])}
        if not any(name.startswith("mcp__") for name in tools):
            return message({"type": "text", "text": "yes"}, "end_turn")
        self.request = json.dumps(request)
        new = {part["tool_use_id"]: part for part in results_in(request) if part["tool_use_id"] not in self.results}
        self.results.update(new)
        if len(self.results) == len(self.calls):
            return message({"type": "text", "text": "done"}, "end_turn")
        if new:
            self.between()
        call = self.calls[len(self.results)]
        name, arguments = call(text_of(list(self.results.values())[-1])) if callable(call) else call
        check(name in tools, f"{name} is not among {tools}")
        return message({"type": "tool_use", "id": f"toolu_{len(self.results)}", "name": name, "input": {}}, "tool_use", arguments)


def results_in(request):
    """All results so far: the newest is not always in the last message, because Claude Code adds reminders of its own after some."""
    for said in request["messages"]:
        if isinstance(said["content"], list):
            yield from (part for part in said["content"] if part["type"] == "tool_result")


def text_of(result):
    """What a tool has answered, as the model reads it."""
    content = result["content"]
    return content if isinstance(content, str) else "".join(part.get("text", "") for part in content)


numbers = itertools.count(1)  # of messages: those with the same id count as one


def message(block, reason, arguments=None):
    """A streamed response of one block."""
    text = block.pop("text", None)
    delta = {"type": "input_json_delta", "partial_json": arguments} if text is None else {"type": "text_delta", "text": text}
    start = {**block, "text": ""} if text is not None else block
    usage = {"input_tokens": 1, "output_tokens": 1}
    return [
        {"type": "message_start", "message": {"id": f"msg_{next(numbers)}", "type": "message", "role": "assistant", "model": "none", "content": [],
                                              "stop_reason": None, "stop_sequence": None, "usage": usage}},
        {"type": "content_block_start", "index": 0, "content_block": start},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": None}, "usage": {"output_tokens": 1}},
        {"type": "message_stop"},
    ]
