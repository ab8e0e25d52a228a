"""skillromd with sockets: requests in pieces, slow and vanishing peers, pipelining, timeouts."""

import json
import select
import socket
import time

from client.check import PATIENCE, Suite, check, until
from client.child import Server
from client.mcp import check_response, http_bytes, line_bytes, request
from client.wire import Client
from large import check_big, fills_buffers, read_big

suite = Suite()
HTTP = ("--http", "127.0.0.1:0")
TCP = ("--tcp", "127.0.0.1:0")


# ---- Requests in pieces ----


@suite
def http_connection_is_kept_alive(program, image):
    with Server(program, image, *HTTP) as server, Client(server.ports[0]) as client:
        for i in range(100):
            client.discover(i)


@suite
def http_request_may_come_byte_by_byte(program, image):
    with Server(program, image, *HTTP) as server, Client(server.ports[0]) as client:
        client.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for byte in http_bytes(request(1)):
            client.send(bytes([byte]))
        client.check_http(1)
        client.discover(2)


@suite
def tcp_request_may_come_byte_by_byte(program, image):
    with Server(program, image, *TCP) as server, Client(server.ports[0]) as client:
        client.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for i in range(3):
            for byte in line_bytes(request(i)):
                client.send(bytes([byte]))
            check_response(client.line(), i)


@suite
def half_a_request_does_not_hold_up_the_others(program, image):
    with Server(program, image, *HTTP, *TCP) as server:
        http_port, tcp_port = server.ports
        with Client(http_port) as half, Client(tcp_port) as half_line, Client(http_port) as whole:
            half.send(http_bytes(request(1))[:-5])
            half_line.send(line_bytes(request(2))[:-5])
            for i in range(10):
                whole.discover(i)
            half.send(http_bytes(request(1))[-5:])
            half.check_http(1)
            half_line.send(line_bytes(request(2))[-5:])
            check_response(half_line.line(), 2)


@suite
def http_pipelined_requests_are_answered_in_order(program, image):
    with Server(program, image, *HTTP) as server, Client(server.ports[0]) as client:
        client.send(b"".join(http_bytes(request(i)) for i in range(200)))
        for i in range(200):
            client.check_http(i)


@suite
def tcp_pipelined_requests_are_answered_in_order(program, image):
    with Server(program, image, *TCP) as server, Client(server.ports[0]) as client:
        client.send(b"".join(line_bytes(request(i)) for i in range(150)))
        client.send(line_bytes(read_big("big")) + line_bytes(request("last")))
        for i in range(150):
            check_response(client.line(), i)
        check_big(client.line(), "big")
        check_response(client.line(), "last")


@suite
def a_pipelining_client_that_does_not_read_holds_up_nobody(program, image):
    with Server(program, image, *TCP) as server:
        with Client(server.ports[0], receive_buffer=4096) as rude, Client(server.ports[0]) as other:
            rude.socket.setblocking(False)
            try:
                while select.select([], [rude.socket], [], 0.2)[1]:  # until both buffers are full
                    rude.socket.send(line_bytes(request(1)) * 100)
            except BlockingIOError:
                pass
            for i in range(10):
                check("result" in other.exchange_line(request(i)), "not served")


@suite
def requests_that_are_too_large_are_refused_and_the_connection_goes_on(program, image):
    large = request(1)
    large["params"]["padding"] = "x" * 3000000
    with Server(program, image, *HTTP, *TCP) as server:
        with Client(server.ports[0]) as http, Client(server.ports[1]) as line:
            http.send(http_bytes(large))
            check(http.http()[0] == 413, "not a 413")
            http.discover(2)
            line.send(line_bytes(large))
            check("error" in line.line(), "not an error")
            check("result" in line.exchange_line(request(2)), "not served")


@suite
def half_closed_peers_get_their_answers(program, image):
    with Server(program, image, *HTTP, *TCP) as server:
        with Client(server.ports[0]) as client:
            client.send(http_bytes(request(1)) + http_bytes(read_big(2)))
            client.socket.shutdown(socket.SHUT_WR)
            client.check_http(1)
            check_big(json.loads(client.http()[2]), 2)
            client.check_ends()
        with Client(server.ports[1]) as client:
            client.send(line_bytes(read_big(1)) + line_bytes(request(2))[:-1])
            client.socket.shutdown(socket.SHUT_WR)
            check_big(client.line(), 1)
            check_response(client.line(), 2)
            client.check_ends()


@suite
def http_connection_close_is_honoured_after_the_answer(program, image):
    with Server(program, image, *HTTP) as server:
        with Client(server.ports[0]) as client:
            client.send(http_bytes(read_big(1), extra="Connection: close\r\n"))
            check_big(json.loads(client.http()[2]), 1)
            client.check_ends()


@suite
def last_answer_survives_input_behind_it(program, image):
    """The server closes while the client is still sending: no reset may overtake the response."""
    with Server(program, image, *HTTP) as server:
        for _ in range(20):
            with Client(server.ports[0]) as client:
                client.send(http_bytes(request(1), extra="Connection: close\r\n") + b"x" * 500000)
                client.check_http(1)
                client.check_ends()


# ---- What a web page can send (defect 22) ----


@suite
def tcp_executes_nothing_of_what_a_browser_posts(program, image):
    """A page's cross-site POST: its head is lines that are no JSON, its body holds one that is."""
    body = b"\n" + line_bytes(request("hidden"))
    head = (b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: %d\r\nContent-Type: text/plain;charset=UTF-8\r\n"
            b"Origin: http://evil.example\r\nSec-Fetch-Mode: no-cors\r\n\r\n" % len(body))
    with Server(program, image, *TCP) as server:
        for pause in (False, True):
            with Client(server.ports[0]) as browser:
                browser.send(head if pause else head + body)
                response = browser.line()
                check(response["error"]["code"] == -32600 and "id" not in response, f"{response}")
                if pause:
                    browser.send(body)
                browser.check_closed()
        with Client(server.ports[0]) as client:
            client.send(b"\r\n" + line_bytes(request(1)))
            check_response(client.line(), 1)


# ---- By which name (defect 17) ----


@suite
def http_client_may_use_any_address_of_the_machine(program, image):
    with Server(program, image, "--http", "0.0.0.0:0", "--allow-anyone") as server, Client(server.ports[0]) as client:
        for host in ("192.0.2.7", f"192.0.2.7:{server.ports[0]}", "[2001:db8::7]:80"):
            client.send(http_bytes(request(1), host=host))
            client.check_http(1)


@suite
def refused_name_is_told_to_the_client_and_once_for_each_peer_to_the_log(program, image):
    with Server(program, image, *HTTP) as server:
        serving = len(server.said)
        for source, host in (("127.0.0.2", "pump\x1b[2J.example"), ("127.0.0.2", "again.example"),
                             ("127.0.0.3", "lamp.example")):
            with Client(server.ports[0], source=source) as client:
                client.send(http_bytes(request(1), host=host))
                status, _, body = client.http()
                check(status == 403 and b"--host" in body, f"{status} {body}")
        with Client(server.ports[0], source="127.0.0.4") as client:
            client.send(http_bytes(request(1), extra="Origin: http://evil.example\r\n"))
            status, _, body = client.http()
            check(status == 403 and b"--host" in body, f"{status} {body}")
        server.signal()
        server.exit_code()
        log = server.said[serving:]
        wanted = [("127.0.0.2", 'Host is "pump?[2J.example"'), ("127.0.0.3", 'Host is "lamp.example"'),
                  ("127.0.0.4", 'Origin is "http://evil.example"')]
        check(len(log) == len(wanted), f"{log}")
        for line, (peer, value) in zip(log, wanted):
            check(peer in line and value in line and "--host" in line, line)


# ---- Slow and vanishing peers ----


@suite
def slow_reader_gets_a_large_answer_whole(program, image):
    with Server(program, image, *HTTP) as server, Client(server.ports[0], receive_buffer=2048) as client:
        client.send(http_bytes(read_big(1)))
        with Client(server.ports[0]) as other:
            other.discover("meanwhile")
        status, _, body = client.http(size=1000)
        check_big(json.loads(body), 1)


@suite
@fills_buffers
def slow_but_steady_reader_is_not_cut_off(program, image):
    """The timeout is shorter than the full socket takes until it has room for another write."""
    with Server(program, image, *HTTP, "--timeout", "2000ms") as server:
        with Client(server.ports[0], receive_buffer=2048) as client:
            client.send(http_bytes(read_big(1)))
            client.more(1000)
            connected = server.descriptors()
            for _ in range(30):
                client.more(1000)
                time.sleep(0.1)
            check(server.descriptors() == connected, "cut off")
            until(lambda: server.descriptors() < connected, "the reader that stopped is let go")


@suite
def vanished_peers_free_their_slots_at_once(program, image):
    with Server(program, image, *HTTP, *TCP, "--slots", "2") as server:
        before = server.descriptors()
        for i in range(50):
            with Client(server.ports[0], receive_buffer=2048) as client:
                client.send(http_bytes(read_big(i)))
                client.socket.recv(100)
                client.vanish()
            with Client(server.ports[1]) as client:
                client.send(line_bytes(request(i))[: i + 1])
                client.vanish()
        until(lambda: server.descriptors() == before, "all are let go")
        with Client(server.ports[0]) as client:
            client.discover("after")


@suite
def thousand_quick_connects_leave_nothing_behind(program, image):
    with Server(program, image, *HTTP) as server:
        before = server.descriptors()
        for i in range(1000):
            with Client(server.ports[0]) as client:
                if i % 3 == 0:
                    client.discover(i)
                elif i % 3 == 1:
                    client.send(b"POST")
        until(lambda: server.descriptors() == before, "all connections are closed")
        with Client(server.ports[0]) as client:
            client.discover("after")


@suite
def clients_waiting_in_the_backlog_are_all_served(program, image):
    with Server(program, image, *HTTP) as server:
        clients = [Client(server.ports[0]) for _ in range(60)]
        for i, client in enumerate(clients):
            client.send(http_bytes(request(i)))
        for i, client in enumerate(clients):
            client.check_http(i)
            client.close()


# ---- Timeouts ----


@suite
def http_request_that_does_not_finish_gets_408(program, image):
    with Server(program, image, *HTTP, "--timeout", "100ms") as server, Client(server.ports[0]) as client:
        client.send(http_bytes(request(1))[:-5])
        status, headers, _ = client.http()
        check(status == 408, f"status {status}")
        client.check_ends()


@suite
def http_request_that_only_drips_gets_408(program, image):
    with Server(program, image, *HTTP, "--timeout", "300ms") as server, Client(server.ports[0]) as client:
        data = http_bytes(request(1), extra="X-Slow: " + "x" * 5000 + "\r\n")
        end = time.monotonic() + PATIENCE
        for byte in data:
            if client.is_readable():
                break
            check(time.monotonic() < end, "no answer")
            client.send(bytes([byte]))
            time.sleep(0.01)
        check(client.http()[0] == 408, "not a 408")


@suite
def http_idle_and_silent_connections_are_closed(program, image):
    with Server(program, image, *HTTP, "--timeout", "100ms", "--idle", "100ms") as server:
        with Client(server.ports[0]) as idle, Client(server.ports[0]) as silent:
            idle.discover(1)
            idle.check_ends()
            silent.check_ends()


@suite
@fills_buffers
def peer_that_stops_reading_is_let_go(program, image):
    with Server(program, image, *HTTP, *TCP, "--timeout", "100ms") as server:
        before = server.descriptors()
        http_port, tcp_port = server.ports
        with Client(http_port, receive_buffer=2048) as http, Client(tcp_port, receive_buffer=2048) as line:
            http.send(http_bytes(read_big(1)))
            line.send(line_bytes(read_big(1)))
            until(lambda: server.descriptors() == before + 2, "both are there")
            until(lambda: server.descriptors() == before, "both are let go")


@suite
def tcp_line_may_be_silent_for_long(program, image):
    with Server(program, image, *TCP, *HTTP, "--timeout", "50ms", "--idle", "50ms") as server:
        with Client(server.ports[0]) as line, Client(server.ports[0]) as spoke:
            check("result" in spoke.exchange_line(request(1)), "not served")
            for _ in range(3):  # three idle times pass, by the server's own clock
                with Client(server.ports[1]) as clock:
                    clock.check_ends()
            check("result" in line.exchange_line(request(2)), "not served")
            check("result" in spoke.exchange_line(request(3)), "not served")


@suite
def tcp_request_that_does_not_finish_is_dropped(program, image):
    with Server(program, image, *TCP, *HTTP, "--timeout", "50ms") as server, Client(server.ports[0]) as line:
        line.send(line_bytes(request(1))[:-5])
        for _ in range(4):
            with Client(server.ports[1]) as clock:
                clock.check_ends()
        line.send(b"\n" + line_bytes(request(2)))
        response = line.line()
        if "id" not in response:  # what was left of the first one
            response = line.line()
        check_response(response, 2)
