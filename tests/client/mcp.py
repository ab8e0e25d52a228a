"""mcp.py - messages of both eras, as bytes on a line and in HTTP. A message of the modern era carries its version in
_meta; one of the legacy era counts on a handshake."""

import json

from client.check import check

LEGACY, MODERN = "2025-11-25", "2026-07-28"
META = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientCapabilities": {"extensions": {"io.modelcontextprotocol/skills": {}}},
}
NAMED_BY = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}  # what a header repeats


def modern(method, **params):
    """Without an id."""
    return {"method": method, "params": {**params, "_meta": {**META, **params.get("_meta", {})}}}


def legacy(method, **params):
    """Without an id; and where there are no parameters, without params."""
    return {"method": method, "params": params} if params else {"method": method}


def numbered(id, message):
    return {"jsonrpc": "2.0", "id": id, **message}


def request(id, method="server/discover", **params):
    return numbered(id, modern(method, **params))


def handshake(version=LEGACY):
    info = {"name": "test", "version": "1"}
    return legacy("initialize", protocolVersion=version, capabilities={}, clientInfo=info)


INITIALIZE = handshake()
PING = numbered(1, legacy("ping"))


def cancelled(id):
    return {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}}


def line_bytes(message):
    return json.dumps(message).encode() + b"\n"


def headers_of(message, session=None):
    """What a client says in HTTP beside the message."""
    headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    params = message.get("params", {})
    if MODERN in params.get("_meta", {}).values():
        headers |= {"MCP-Protocol-Version": MODERN, "Mcp-Method": message["method"]}
        if message["method"] in NAMED_BY:
            headers["Mcp-Name"] = params[NAMED_BY[message["method"]]]
    elif session:
        headers |= {"MCP-Protocol-Version": LEGACY, "Mcp-Session-Id": session}
    return headers


def http_bytes(message, host="localhost", path="/mcp", session=None, extra=""):
    """`extra` is more lines of the head, each with its end."""
    body = json.dumps(message)
    headers = {"Host": host, **headers_of(message, session), "Content-Length": len(body)}
    head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return f"POST {path} HTTP/1.1\r\n{head}{extra}\r\n{body}".encode()


def get_bytes(session):
    """Asks for the stream of a session."""
    return (f"GET /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n"
            f"Mcp-Session-Id: {session}\r\n\r\n").encode()


def events(stream):
    """The messages of a stream of events, as they come: from what has been read, or line by line. CR, LF and both end
    a line."""
    for piece in [stream] if isinstance(stream, bytes) else iter(stream.readline, b""):
        for field in piece.replace(b"\r", b"\n").split(b"\n"):
            if field.startswith(b"data: ") and len(field) > 6:
                yield json.loads(field[6:])


def check_response(message, id):
    check(message.get("id") == id, f"id {message.get('id')!r} instead of {id!r}")
    check("result" in message, f"no result: {json.dumps(message)[:300]}")
