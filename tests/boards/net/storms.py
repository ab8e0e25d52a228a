#!/usr/bin/env python3
"""storms.py - clients that misbehave, on a board in QEMU: others are served all the while, and nothing leaks

usage: tests/boards/net/storms.py BUILD        in the top folder, after `make net-programs`

After each storm every slot and every pool element of lwIP must be free again; the board tells over its serial line.
Nothing is measured by the clock: "served meanwhile" means before the board has ended the offender.
The last line is "N passed, N failed".
"""
import json
import select
import socket
import sys
import time

sys.dont_write_bytecode = True  # leave no files beside the sources

from board import HTTP_PORT, LINE_PORT, Board
from client.check import Tally, check
from client.emulator import record_stack
from client.mcp import PING, http_bytes, legacy, line_bytes, request
from client.wire import HttpClient

READ = request(2, "resources/read", uri="skill://daily-check/SKILL.md")
PONG = b'{"jsonrpc":"2.0","id":1,"result":{}}\n'


def exchange(board, message=PING, **headers):
    """A well-behaved client: connects, asks once, closes. The result, or the HTTP status."""
    client = HttpClient(board.ports[HTTP_PORT])
    response, body = client.post(message, headers)
    client.close()
    return body.get("result") if response.status == 200 else response.status


def serve_others(board, times=10):
    for _ in range(times):
        assert exchange(board) == {}, "others are not served"
    assert len(exchange(board, READ)["contents"][0]["text"]) > 1000, "others are not served"


# ---- Storms ----

def idle_client(board):
    """connects and says nothing"""
    client = board.connect()
    serve_others(board)
    assert not client.is_readable()
    before = board.counts()["timed-out"]
    assert client.rest() == b""
    assert board.counts()["timed-out"] == before + 1


def byte_a_second(board):
    """sends its request a byte a second"""
    client = board.connect()
    client.socket.settimeout(1)
    data = b""
    for byte in http_bytes(PING):
        serve_others(board, 1)
        client.send(bytes([byte]))
        try:
            data = client.socket.recv(65536)
            break
        except TimeoutError:
            pass
    assert data.startswith(b"HTTP/1.1 408 "), data
    assert client.rest() == b""


def never_reads(board):
    """asks for much and never reads"""
    client = board.connect(receive_buffer=4096)
    client.socket.setblocking(False)
    before = board.counts()["timed-out"]
    requests, sent, served = http_bytes(READ) * 100, 0, 0
    try:
        while board.counts()["timed-out"] == before:
            if select.select([], [client.socket], [], 0)[1]:
                sent += client.socket.send(requests[sent % len(requests):])
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
        assert exchange(board) == {}
    serve_others(board)


def reset_in_mid_response(board):
    """resets the connection when a part of the response has come, 20 times"""
    for _ in range(20):
        client = board.connect()
        client.send(http_bytes(READ) * 4)
        client.socket.recv(100)
        client.vanish()
    serve_others(board)


def served_lines(board, count):
    """Clients that stay: a line that had a response gives way to nobody."""
    lines = [board.connect(LINE_PORT) for _ in range(count)]
    for client in lines:
        client.send(line_bytes(PING))
        assert client.socket.recv(65536) == PONG
    return lines


def more_clients_than_slots(board):
    """one address has all the slots it may have (QEMU's network is one), and six more clients come"""
    lines = served_lines(board, 3)
    for _ in range(6):
        assert exchange(board) == 503, "not command_result to come back"
    lines.pop().close()
    idle = board.connect()
    idle.send(http_bytes(PING))
    assert idle.socket.recv(65536).startswith(b"HTTP/1.1 200 ")
    before = board.counts()["displaced"]
    serve_others(board)  # by taking the place of the idle one
    assert board.counts()["displaced"] > before
    for client in (*lines, idle):
        client.close()


def lines_leave_room(board):
    """raw lines may not take the last slot"""
    lines = served_lines(board, 3)
    assert board.connect(LINE_PORT).rest() == b""
    for client in lines:
        client.close()


def is_served_before(board, limit, count):
    """Asks until it is served; false when the board has lost patience with a client meanwhile."""
    while exchange(board) != {}:
        if board.counts()[limit] != count:
            return False
    return True


def half_requests_everywhere(board):
    """every slot has half a request: it gives way long before its time is over (defect 27)"""
    before = board.counts()
    halves = [board.connect() for _ in range(4)]
    for client in halves:
        client.send(http_bytes(READ)[:60])
    assert is_served_before(board, "timed-out", before["timed-out"]), "nobody gave way"
    assert board.counts()["displaced"] > before["displaced"]
    for client in halves:
        client.close()


def nobody_reads(board):
    """every slot has a client that asks for much and never reads: it gives way long before its time is over (defect 27)"""
    before = board.counts()
    rude = []
    for _ in range(4):
        rude.append(board.connect(receive_buffer=4096))
        rude[-1].socket.setblocking(False)
    for client in rude:
        client.socket.send(http_bytes(READ) * 4000)  # their responses are more than the host's sockets can hold
    while board.counts()["slots"] < 3:
        pass
    while board.counts()["displaced"] == before["displaced"]:
        assert board.counts()["timed-out"] == before["timed-out"], "nobody gave way"
    assert is_served_before(board, "timed-out", before["timed-out"]), "others are not served"
    for client in rude:
        client.close()


def browser_on_the_line(board):
    """a web page posts to the port for lines: nothing of it is executed (defect 22)"""
    body = b"\n" + line_bytes(PING)
    for split in (0, 1, 30, None):
        client = board.connect(LINE_PORT)
        data = b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: text/plain\r\n\r\n" + body
        client.send(data[:split])
        if split is not None:
            client.send(data[split:])
        response = client.rest()
        assert response is None or (b'"code":-32600' in response and b'"id"' not in response), response
        client.close()
    serve_others(board)


def half_closed(board):
    """says that it will send no more, and still gets all responses"""
    client = board.connect()
    client.send(http_bytes(READ) * 3)
    client.socket.shutdown(socket.SHUT_WR)
    data = client.rest()
    assert data.count(b"HTTP/1.1 200 OK") == 3 and data.endswith(b"}}"), data[-100:]
    client = board.connect(LINE_PORT)
    client.send(line_bytes(PING)[:-1])  # a last line without its end
    client.socket.shutdown(socket.SHUT_WR)
    assert client.rest() == PONG


def all_at_once(board):
    """everything above that does not wait, from clients side by side"""
    silent = board.connect()
    half = board.connect()
    half.send(http_bytes(READ)[:60])
    for _ in range(20):
        reset = board.connect()
        reset.send(http_bytes(READ))
        reset.vanish()
        assert exchange(board) in ({}, 503)
    silent.close()
    half.close()


def reset_in_a_session(board):
    """is reset in the middle of a session, three times, and its client notices nothing"""
    client = HttpClient(board.ports[HTTP_PORT])
    client.begin()
    client.close()
    for _ in range(3):
        board.restart()
        assert "result" in client.exchange(legacy("tools/list"))
        client.close()


def nothing(board):
    """nobody comes: the processor sleeps, and wakes when its clock ticks, once a millisecond"""
    before = board.counts()
    while (now := board.counts())["ms"] - before["ms"] < 100:
        time.sleep(0.1)
    assert now["sleeps"] - before["sleeps"] < 3 * (now["ms"] - before["ms"]), (before, now)


STORMS = [quick_reconnects, half_closed, reset_in_mid_response, more_clients_than_slots, lines_leave_room,
          browser_on_the_line, half_requests_everywhere, nobody_reads, all_at_once, never_reads, byte_a_second,
          idle_client, reset_in_a_session, nothing]


def main(arguments):
    if len(arguments) != 1:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    build, tally = arguments[0], Tally()
    board = Board(build, f"build/{build}/program.elf", "build/example.rom")

    def run(storm):
        storm(board)
        leaks = board.wait_until_free()
        check(not leaks, f"not free again: {leaks}")

    for storm in STORMS:
        tally.test(f"{build}: {storm.__doc__}", run, storm)
    print(f"     {build}: {json.dumps(board.counts())}")
    record_stack(build, "storms", board.stop())
    return tally.finish()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
