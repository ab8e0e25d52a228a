#!/usr/bin/env python3
"""storms.py - clients that misbehave, on a board in QEMU: others are served all the while, and nothing leaks

usage: tests/net/storms.py BUILD        in the top folder, after `make net-programs`

After each storm every slot and every pool element of lwIP must be free again; the board tells over its serial line.
Nothing is measured by the clock: "served meanwhile" means before the board has ended the offender.
The last line is "N passed, N failed".
"""
import http.client
import json
import select
import socket
import struct
import sys
import time

from board import HTTP_PORT, LINE_PORT, PATIENCE_S, Board

META = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}
PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
READ = {"jsonrpc": "2.0", "id": 2, "method": "resources/read",
        "params": {"uri": "skill://daily-check/SKILL.md", "_meta": META}}


def headers_of(message):
    headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    if "params" in message:
        headers |= {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": message["method"]}
        if "uri" in message["params"]:
            headers["Mcp-Name"] = message["params"]["uri"]
    return headers


def post(message):
    body = json.dumps(message)
    headers = {"Host": "localhost", **headers_of(message), "Content-Length": len(body)}
    head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return f"POST /mcp HTTP/1.1\r\n{head}\r\n{body}".encode()


def receive_all(client):
    """All bytes until the board closes; None after a reset."""
    data = b""
    try:
        while piece := client.recv(65536):
            data += piece
    except ConnectionResetError:
        return None
    return data


def ask(board, message=PING, **headers):
    """A well-behaved client: connects, asks once, closes. The result, or the HTTP status."""
    link = http.client.HTTPConnection("127.0.0.1", board.ports[HTTP_PORT], timeout=PATIENCE_S)
    link.request("POST", "/mcp", json.dumps(message), {**headers_of(message), **headers})
    answer = link.getresponse()
    body = answer.read()
    link.close()
    return json.loads(body).get("result") if answer.status == 200 else answer.status


def serve_others(board, times=10):
    for _ in range(times):
        assert ask(board) == {}, "others are not served"
    assert len(ask(board, READ)["contents"][0]["text"]) > 1000, "others are not served"


def is_open(client):
    """Has the board said nothing yet?"""
    return not select.select([client], [], [], 0)[0]


# ---- Storms ----

def idle_client(board):
    """connects and says nothing"""
    client = board.connect()
    serve_others(board)
    assert is_open(client)
    before = board.counts()["timed-out"]
    assert receive_all(client) == b""
    assert board.counts()["timed-out"] == before + 1


def byte_a_second(board):
    """sends its request a byte a second"""
    client = board.connect()
    client.settimeout(1)
    data = b""
    for byte in post(PING):
        serve_others(board, 1)
        client.sendall(bytes([byte]))
        try:
            data = client.recv(65536)
            break
        except TimeoutError:
            pass
    assert data.startswith(b"HTTP/1.1 408 "), data
    assert receive_all(client) == b""


def never_reads(board):
    """asks for much and never reads"""
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    client.connect(("127.0.0.1", board.ports[HTTP_PORT]))
    client.setblocking(False)
    before = board.counts()["timed-out"]
    requests, sent, served = post(READ) * 100, 0, 0
    try:
        while board.counts()["timed-out"] == before:
            if select.select([], [client], [], 0)[1]:
                sent += client.send(requests[sent % len(requests):])
            serve_others(board, 1)
            served += 1
            time.sleep(0.05)  # other tests want the processor, too
    except (ConnectionResetError, BrokenPipeError):
        pass  # the board has had enough
    assert served > 2, "others were not served meanwhile"
    assert board.counts()["timed-out"] == before + 1
    client.close()


def quick_reconnects(board):
    """100 times: connects, asks, closes; and each time one comes that does not ask"""
    for _ in range(100):
        board.connect().close()
        assert ask(board) == {}
    serve_others(board)


def reset_in_mid_answer(board):
    """resets the connection when a part of the answer has come, 20 times"""
    for _ in range(20):
        client = board.connect()
        client.sendall(post(READ) * 4)
        client.recv(100)
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        client.close()
    serve_others(board)


def served_lines(board, count):
    """Clients that stay: a line that had an answer gives way to nobody."""
    lines = [board.connect(LINE_PORT) for _ in range(count)]
    for client in lines:
        client.sendall(b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
        assert client.recv(65536) == b'{"jsonrpc":"2.0","id":1,"result":{}}\n'
    return lines


def more_clients_than_slots(board):
    """one address has all the slots it may have (QEMU's network is one), and six more clients come"""
    lines = served_lines(board, 3)
    for _ in range(6):
        assert ask(board) == 503, "not told to come back"
    lines.pop().close()
    idle = board.connect()
    idle.sendall(post(PING))
    assert idle.recv(65536).startswith(b"HTTP/1.1 200 ")
    before = board.counts()["displaced"]
    serve_others(board)  # by taking the place of the idle one
    assert board.counts()["displaced"] > before
    for client in (*lines, idle):
        client.close()


def lines_leave_room(board):
    """raw lines may not take the last slot"""
    lines = served_lines(board, 3)
    assert receive_all(board.connect(LINE_PORT)) == b""
    for client in lines:
        client.close()


def is_served_before(board, limit, count):
    """Asks until it is served; false when the board has lost patience with somebody meanwhile."""
    while ask(board) != {}:
        if board.counts()[limit] != count:
            return False
    return True


def half_requests_everywhere(board):
    """every slot has half a request: it gives way long before its time is over (defect 27)"""
    before = board.counts()
    halves = [board.connect() for _ in range(4)]
    for client in halves:
        client.sendall(post(READ)[:60])
    assert is_served_before(board, "timed-out", before["timed-out"]), "nobody gave way"
    assert board.counts()["displaced"] > before["displaced"]
    for client in halves:
        client.close()


def nobody_reads(board):
    """every slot has a client that asks for much and never reads: it gives way long before its time is over (defect 27)"""
    before = board.counts()
    rude = []
    for _ in range(4):
        client = socket.socket()
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.connect(("127.0.0.1", board.ports[HTTP_PORT]))
        client.setblocking(False)
        rude.append(client)
    for client in rude:
        client.send(post(READ) * 100)
    while board.counts()["slots"] < 3:
        pass
    while board.counts()["displaced"] == before["displaced"]:
        assert board.counts()["timed-out"] == before["timed-out"], "nobody gave way"
    assert is_served_before(board, "timed-out", before["timed-out"]), "others are not served"
    for client in rude:
        client.close()


def browser_on_the_line(board):
    """a web page posts to the port for lines: nothing of it is executed (defect 22)"""
    body = b'\n{"jsonrpc":"2.0","id":1,"method":"ping"}\n'
    for split in (0, 1, 30, None):
        client = board.connect(LINE_PORT)
        data = b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: text/plain\r\n\r\n" + body
        client.sendall(data[:split])
        if split is not None:
            client.sendall(data[split:])
        answer = receive_all(client)
        assert answer is None or (b'"code":-32600' in answer and b'"id"' not in answer), answer
        client.close()
    serve_others(board)


def half_closed(board):
    """says that it will send no more, and still gets all answers"""
    client = board.connect()
    client.sendall(post(READ) * 3)
    client.shutdown(socket.SHUT_WR)
    data = receive_all(client)
    assert data.count(b"HTTP/1.1 200 OK") == 3 and data.endswith(b"}}"), data[-100:]
    client = board.connect(LINE_PORT)
    client.sendall(b'{"jsonrpc":"2.0","id":1,"method":"ping"}')  # a last line without its end
    client.shutdown(socket.SHUT_WR)
    assert receive_all(client) == b'{"jsonrpc":"2.0","id":1,"result":{}}\n'


def all_at_once(board):
    """everything above that does not wait, from clients side by side"""
    silent = board.connect()
    half = board.connect()
    half.sendall(post(READ)[:60])
    for _ in range(20):
        reset = board.connect()
        reset.sendall(post(READ))
        reset.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        reset.close()
        assert ask(board) in ({}, 503)
    silent.close()
    half.close()


def reset_in_a_session(board):
    """is reset in the middle of a session, three times, and its client notices nothing"""
    hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    message = json.dumps({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello})
    headers = {"Content-Type": "application/json"}

    def ask_in_session(text):
        link = http.client.HTTPConnection("127.0.0.1", board.ports[80], timeout=60)
        link.request("POST", "/mcp", text, headers)
        answer = link.getresponse()
        answer.read()
        link.close()
        return answer

    headers["Mcp-Session-Id"] = ask_in_session(message).getheader("Mcp-Session-Id")
    for _ in range(3):
        board.restart()
        status = ask_in_session('{"jsonrpc":"2.0","id":1,"method":"tools/list"}').status
        assert status == 200, status


def nothing(board):
    """nobody comes: the processor sleeps, and wakes when its clock ticks, once a millisecond"""
    before = board.counts()
    while (now := board.counts())["ms"] - before["ms"] < 100:
        time.sleep(0.1)
    assert now["sleeps"] - before["sleeps"] < 3 * (now["ms"] - before["ms"]), (before, now)


STORMS = [quick_reconnects, half_closed, reset_in_mid_answer, more_clients_than_slots, lines_leave_room,
          browser_on_the_line, half_requests_everywhere, nobody_reads, all_at_once, never_reads, byte_a_second,
          idle_client, reset_in_a_session, nothing]


def main(arguments):
    if len(arguments) != 1:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    build = arguments[0]
    passed = failed = 0
    board = Board(build, f"build/{build}/program.elf", "build/example.rom")
    for storm in STORMS:
        problem = None
        try:
            storm(board)
            leaks = board.wait_until_free()
            problem = f"not free again: {leaks}" if leaks else None
        except (AssertionError, OSError, RuntimeError, http.client.HTTPException) as error:
            problem = f"{type(error).__name__}: {error}"
        passed, failed = passed + (problem is None), failed + (problem is not None)
        print(f"{'ok  ' if problem is None else 'FAIL'} {build}: {storm.__doc__}"
              f"{'' if problem is None else ': ' + problem}", flush=True)
    print(f"     {build}: {json.dumps(board.counts())}")
    stack = board.stop()
    with open(f"build/{build}/stack.txt", "a") as file:
        file.write(f"{stack} storms\n")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
