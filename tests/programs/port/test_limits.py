"""skillromd at its limits, and at its end: more clients than slots, out of descriptors, signals."""

import json
import resource
import signal
import time

from client.check import Suite, check, until
from client.child import Server
from client.mcp import http_bytes, line_bytes, request
from client.wire import Client
from large import check_big, read_big

suite = Suite()
HTTP = ("--http", "127.0.0.1:0")
TCP = ("--tcp", "127.0.0.1:0")


PATIENT = ("--grace", "600000ms")  # slow clients are left in peace
HASTY = ("--grace", "20ms")


def few_descriptors():
    resource.setrlimit(resource.RLIMIT_NOFILE, (16, 16))


def half_request(port, source=None):
    """A client that holds its slot: it has begun to ask."""
    client = Client(port, source=source)
    client.send(http_bytes(request("half"))[:-1])
    return client


def check_503(client):
    status, headers, body = client.http()
    check(status == 503, f"status {status}")
    check(headers.get("retry-after") == "1" and headers.get("connection") == "close", f"{headers}")
    check(len(body) > 0, "no body")
    client.check_ends()


# ---- More clients than slots ----


@suite
def newcomer_gets_503_while_all_slots_are_busy(program, image):
    with Server(program, image, *HTTP, "--slots", "2", *PATIENT) as server:
        before = server.descriptors()
        busy = [half_request(server.ports[0]) for _ in range(2)]
        until(lambda: server.descriptors() == before + 2, "both are there")
        for _ in range(100):
            with Client(server.ports[0]) as late:
                late.send(http_bytes(request(1)))
                check_503(late)
        for client in busy:  # the busy ones did not notice
            client.send(http_bytes(request("half"))[-1:])
            client.check_http("half")
            client.close()
        with Client(server.ports[0]) as late:
            late.discover("served now")


@suite
def newcomer_takes_the_slot_of_the_longest_idle(program, image):
    with Server(program, image, *HTTP, "--slots", "2") as server:
        with Client(server.ports[0]) as first, Client(server.ports[0]) as second:
            first.discover(1)
            time.sleep(0.05)  # the server's clock is coarse
            second.discover(2)
            with Client(server.ports[0]) as third:
                third.discover(3)
                first.check_ends()
                second.discover(4)
                third.discover(5)


@suite
def every_one_of_many_clients_is_served_in_few_slots(program, image):
    """Each stays connected after its response; each is answered nevertheless."""
    with Server(program, image, *HTTP, "--slots", "4") as server:
        clients = []
        for i in range(200):
            clients.append(Client(server.ports[0]))
            clients[-1].discover(i)
        for client in clients:
            client.close()


@suite
def silent_connections_do_not_keep_newcomers_out(program, image):
    with Server(program, image, *HTTP, "--slots", "3") as server:
        silent = [Client(server.ports[0]) for _ in range(3)]

        def served():
            with Client(server.ports[0]) as late:
                late.send(http_bytes(request(1)))
                return late.http()[0] == 200

        until(served, "a newcomer is served")
        for client in silent:
            client.close()


@suite
def tcp_newcomer_gets_one_error_line_while_all_slots_are_busy(program, image):
    with Server(program, image, *TCP, "--slots", "1") as server, Client(server.ports[0]) as first:
        check("result" in first.exchange_line(request(1)), "not served")
        for _ in range(10):
            with Client(server.ports[0]) as late:
                late.send(line_bytes(request(2)))
                response = late.line()
                check(response["error"]["code"] == -32603 and "id" not in response, f"{response}")
                check("all connections are in use" in response["error"]["message"], f"{response}")
                late.check_ends()
        check("result" in first.exchange_line(request(3)), "not served")


@suite
def raw_lines_leave_slots_for_http(program, image):
    with Server(program, image, *TCP, *HTTP, "--slots", "4") as server:
        lines = [Client(server.ports[0]) for _ in range(4)]
        for i, line in enumerate(lines):
            line.send(line_bytes(request(i)))
            response = line.line()
            check(("result" in response) == (i < 3), f"line {i}: {str(response)[:200]}")
        with Client(server.ports[1]) as http:
            http.discover("served")
        for line in lines:
            line.close()


@suite
def raw_line_may_take_the_slot_of_an_idle_http_connection(program, image):
    with Server(program, image, *TCP, *HTTP, "--slots", "2") as server:
        with Client(server.ports[1]) as a, Client(server.ports[1]) as b:
            a.discover(1)
            b.discover(2)
            with Client(server.ports[0]) as line:
                check("result" in line.exchange_line(request(3)), "not served")


@suite
def out_of_descriptors_neither_spins_nor_ends_it(program, image):
    with Server(program, image, *HTTP, *PATIENT, before=few_descriptors) as server:
        clients = [half_request(server.ports[0]) for _ in range(30)]
        until(lambda: server.descriptors() == 16, "the descriptors are used up")
        used = server.cpu_ticks()
        time.sleep(1)
        used = server.cpu_ticks() - used
        check(used < 20, f"{used} of 100 ticks used for waiting")
        for client in clients:  # each gets its turn as those before it leave
            client.send(http_bytes(request("half"))[-1:])
            client.check_http("half")
            client.close()


@suite
def out_of_descriptors_an_idle_connection_gives_way(program, image):
    with Server(program, image, *HTTP, before=few_descriptors) as server:
        clients = []
        for i in range(40):
            clients.append(Client(server.ports[0]))
            clients[-1].discover(i)
        for client in clients:
            client.close()


# ---- Peers that hold a slot and do not use it (defect 27) ----


def is_served(port, source=None):
    with Client(port, source=source) as client:
        client.send(http_bytes(request("newcomer")))
        return client.http()[0] == 200


@suite
def half_sent_requests_give_way(program, image):
    with Server(program, image, *HTTP, "--slots", "3", *HASTY) as server:
        halves = [half_request(server.ports[0]) for _ in range(3)]
        until(lambda: is_served(server.ports[0]), "a newcomer is served")
        until(lambda: any(half.is_readable() for half in halves), "one of them is warned")
        warned = next(half for half in halves if half.is_readable())
        check(warned.http()[0] == 408, "not a 408")
        warned.check_ends()
        for half in halves:
            half.close()


@suite
def requests_that_only_drip_give_way(program, image):
    with Server(program, image, *HTTP, "--slots", "2", *HASTY) as server:
        drips = [Client(server.ports[0]) for _ in range(2)]
        for drip in drips:
            drip.send(b"POST /mcp HTTP/1.1\r\nX-Slow: ")

        def dripped_on_and_was_served():
            for drip in drips:
                try:
                    drip.send(b"x")
                except OSError:
                    pass  # this one has given way
            return is_served(server.ports[0])

        until(dripped_on_and_was_served, "a newcomer is served")
        for drip in drips:
            drip.close()


@suite
def peers_that_never_read_give_way(program, image):
    with Server(program, image, *HTTP, "--slots", "3", *HASTY) as server:
        rude = [Client(server.ports[0], receive_buffer=2048) for _ in range(3)]
        for client in rude:
            client.send(http_bytes(read_big(1)))
        until(lambda: is_served(server.ports[0]), "a newcomer is served")
        for client in rude:
            client.close()


@suite
def silent_and_half_sent_lines_give_way_and_served_ones_stay(program, image):
    with Server(program, image, *TCP, *HTTP, "--slots", "4", *HASTY) as server:
        with Client(server.ports[0]) as served, Client(server.ports[0]) as silent, Client(server.ports[0]) as half:
            check("result" in served.exchange_line(request(1)), "not served")
            half.send(b'{"jsonrpc":')

            def line_is_served():
                with Client(server.ports[0]) as late:
                    late.send(line_bytes(request(2)))
                    return "result" in late.line()

            until(line_is_served, "a fourth line is served")
            silent.check_ends()
            check("result" in served.exchange_line(request(3)), "not served")


@suite
def one_address_leaves_slots_for_others(program, image):
    with Server(program, image, *HTTP, "--slots", "4", "--peer-slots", "2", *PATIENT) as server:
        before = server.descriptors()
        greedy = [half_request(server.ports[0], "127.0.0.2") for _ in range(2)]
        until(lambda: server.descriptors() == before + 2, "both are there")
        with Client(server.ports[0], source="127.0.0.2") as third:
            third.send(http_bytes(request(3)))
            check_503(third)
        for _ in range(3):
            check(is_served(server.ports[0], "127.0.0.3"), "another address is not served")
        for client in greedy:
            client.send(http_bytes(request("half"))[-1:])
            client.check_http("half")
        with Client(server.ports[0], source="127.0.0.2") as third:  # takes the place of its own idle one
            third.discover(4)
        for client in greedy:
            client.close()


@suite
def out_of_descriptors_a_half_sent_request_gives_way(program, image):
    with Server(program, image, *HTTP, *HASTY, before=few_descriptors) as server:
        halves = [half_request(server.ports[0]) for _ in range(30)]
        check(is_served(server.ports[0]), "not served")
        for half in halves:
            half.close()


# ---- Signals ----


def refuses(server):
    try:
        Client(server.ports[0]).close()
    except ConnectionRefusedError:
        return True
    except ConnectionResetError:  # it waited to be accepted just when the listener was closed
        return False
    return False


@suite
def signal_lets_idle_and_half_asked_connections_go_at_once(program, image):
    for number in (signal.SIGTERM, signal.SIGINT):
        with Server(program, image, *HTTP, *TCP) as server:
            with Client(server.ports[0]) as idle, Client(server.ports[1]) as line:
                half = half_request(server.ports[0])
                idle.discover(1)
                check("result" in line.exchange_line(request(2)), "not served")
                server.signal(number)
                idle.check_ends()
                line.check_ends()
                half.check_closed()
                check(server.exit_code() == 0, f"exit code {server.exit_code()}")
                half.close()


@suite
def signal_during_an_answer_lets_it_leave(program, image):
    with Server(program, image, *HTTP, *TCP, "--drain", "600000ms") as server:
        http_port, tcp_port = server.ports
        with Client(http_port, receive_buffer=4096) as http, Client(tcp_port, receive_buffer=4096) as line:
            http.send(http_bytes(read_big(1)))
            line.send(line_bytes(read_big(2)))
            http.more(1000)
            line.more(1000)
            server.signal()
            check_big(json.loads(http.http()[2]), 1)
            http.check_ends()
            check_big(line.line(), 2)
            line.check_ends()
        check(server.exit_code() == 0, f"exit code {server.exit_code()}")


@suite
def signal_closes_the_listeners_first(program, image):
    with Server(program, image, *HTTP, "--drain", "600000ms") as server, Client(server.ports[0], receive_buffer=4096) as client:
        client.send(http_bytes(read_big(1)))
        client.more(1000)
        server.signal()
        until(lambda: refuses(server), "nobody is let in")
        check_big(json.loads(client.http()[2]), 1)


@suite
def signal_waits_for_a_stuck_reader_only_so_long(program, image):
    with Server(program, image, *HTTP, "--drain", "200ms") as server, Client(server.ports[0], receive_buffer=2048) as client:
        client.send(http_bytes(read_big(1)))
        client.more(1000)
        server.signal()
        check(server.exit_code() == 0, f"exit code {server.exit_code()}")


@suite
def second_signal_ends_it_at_once(program, image):
    with Server(program, image, *HTTP) as server, Client(server.ports[0], receive_buffer=2048) as client:
        client.send(http_bytes(read_big(1)))
        client.more(1000)
        server.signal()
        until(lambda: refuses(server), "the first signal has been seen")
        server.signal()
        check(server.exit_code() == 0, f"exit code {server.exit_code()}")
