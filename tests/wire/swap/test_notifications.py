"""Who hears of another image, and what happens to answers, cursors and connections when it comes."""

import json
import os
import signal

from client.check import Suite, check, until
from client.child import Server, Stdio
from client.mcp import INITIALIZE, cancelled, get_bytes, http_bytes, legacy, line_bytes, numbered, request
from client.programs import SKILLROMD
from client.wire import Client
from revisions import BIG, ID_KEY, REFERENCE, SAME, SKILL, Swapping, get_stream, listen, revision_of

suite = Suite()
LISTS = ["notifications/skills/list_changed", "notifications/resources/list_changed"]
OLDER = [*LISTS, "notifications/prompts/list_changed"]  # each skill is a prompt, too, and is described anew
UPDATED = "notifications/resources/updated"
SOCKETS = ("--http", "127.0.0.1:0", "--tcp", "127.0.0.1:0", "--reload")


class Pipe(Stdio):
    """skillromd on stdin and stdout, with the methods of Client that lines need."""

    exchange_line = Stdio.exchange


def start(revisions, number=1, big=False, *more):
    path = revisions.served(number, big)
    server = Server(SKILLROMD, path, *SOCKETS, *more)
    return server, Swapping(revisions, server, path)


def check_notifications(messages, methods, id=None):
    """Exactly these notifications, of this subscription, in any order."""
    got = sorted(m["method"] + m.get("params", {}).get("uri", "") for m in messages)
    check(got == sorted(methods), f"{got} instead of {sorted(methods)}")
    for message in messages:
        tag = message.get("params", {}).get("_meta", {}).get(ID_KEY)
        check(tag == id and type(tag) is type(id), f"tagged {tag!r} instead of {id!r}")


def check_capabilities(result):
    for name in ("resources", "prompts", "skills"):
        promised = result["capabilities"][name].get("listChanged")
        check(promised is True, f"{name} does not promise listChanged")
    check(result["capabilities"]["resources"].get("subscribe") is True, "resources do not promise subscribe")


def hear_on_line(client, swapping):
    """Both eras on one line: the older one hears untagged, the newer what it asked for."""
    check_capabilities(client.exchange_line(numbered(0, INITIALIZE))["result"])
    check_capabilities(client.exchange_line(request(1))["result"])
    for uri in (REFERENCE, SAME):
        client.exchange_line(numbered(2, legacy("resources/subscribe", uri=uri)))
    client.send(line_bytes(listen(3, skillsListChanged=True, toolsListChanged=True)))
    filter = client.line()["params"]["notifications"]
    check(filter.get("skillsListChanged") is True, f"acknowledged {filter}")
    client.send(line_bytes(listen("four", resourceSubscriptions=[SKILL, SAME, "skill://none"])))
    filter = client.line()["params"]["notifications"]
    check(filter == {"resourceSubscriptions": [SKILL, SAME]}, f"acknowledged {filter}")  # [SUB-13]

    swapping.swap(2)
    messages = [client.line() for _ in range(6)]
    older = [m for m in messages if "_meta" not in m.get("params", {})]
    check_notifications(older, [*OLDER, UPDATED + REFERENCE])  # [SK-X-23]
    newer = [m for m in messages if m not in older]
    check_notifications([m for m in newer if m["params"]["_meta"][ID_KEY] == 3], LISTS[:1], 3)  # [SK-X-24] [SK-D-07]
    check_notifications([m for m in newer if m["params"]["_meta"][ID_KEY] == "four"], [UPDATED + SKILL], "four")
    check(revision_of(client.exchange_line(request(5, "resources/read", uri=SKILL))) == 2, "not the new one")

    for id in (3, "four"):
        client.send(line_bytes(cancelled(id)))
    client.exchange_line(numbered(6, legacy("ping")))
    swapping.swap(3)
    check_notifications([client.line() for _ in range(4)], [*OLDER, UPDATED + REFERENCE])
    client.exchange_line(numbered(7, legacy("ping")))  # nothing else has come


@suite
def both_eras_hear_once_over_stdin_and_stdout(revisions):
    path = revisions.served(1)
    with Pipe(SKILLROMD, path, "--reload") as pipe:
        hear_on_line(pipe, Swapping(revisions, pipe, path))
        check(pipe.finish() == 0, "exit code")


@suite
def both_eras_hear_once_over_raw_tcp(revisions):
    server, swapping = start(revisions)
    with server, Client(server.ports[1]) as client:
        hear_on_line(client, swapping)


@suite
def a_modern_client_hears_on_its_http_stream_and_only_there(revisions):
    server, swapping = start(revisions)
    with server, Client(server.ports[0]) as bystander, Client(server.ports[0]) as stream:
        check_capabilities(bystander.exchange_http(request(1))["result"])
        stream.open_stream(http_bytes(listen(7, skillsListChanged=True, resourceSubscriptions=[REFERENCE])))
        check(stream.event()["method"].endswith("acknowledged"), "not acknowledged first")
        for number in (2, 3):
            swapping.swap(number)
            check_notifications([stream.event(), stream.event()], [LISTS[0], UPDATED + REFERENCE], 7)
            check(revision_of(bystander.exchange_http(request(2, "skills/list"))) == number, "not the new one")
        check(stream.buffer == b"" and not stream.is_readable(), "told more than once")


@suite
def an_older_session_hears_on_its_get_stream_and_only_there(revisions):
    server, swapping = start(revisions)
    with server, Client(server.ports[0]) as client:
        session = client.new_session()
        client.exchange_http(numbered(1, legacy("resources/subscribe", uri=REFERENCE)), session)
        with get_stream(server.ports[0], session) as stream:
            swapping.swap(2)
            check_notifications([stream.event() for _ in range(4)], [*OLDER, UPDATED + REFERENCE])
            client.exchange_http(numbered(2, legacy("ping")), session)  # and nothing on this connection
            client.exchange_http(numbered(3, legacy("resources/unsubscribe", uri=REFERENCE)), session)
            swapping.swap(3)
            check_notifications([stream.event() for _ in range(3)], OLDER)
            with get_stream(server.ports[0], session) as second:
                stream.check_ends()
                swapping.swap(4)
                check_notifications([second.event() for _ in range(3)], OLDER)


@suite
def a_large_answer_under_way_is_finished_from_its_own_image(revisions):
    server, swapping = start(revisions, 1, True)
    with server, Client(server.ports[0], receive_buffer=4096) as slow, Client(server.ports[0]) as quick:
        slow.send(http_bytes(request(1, "resources/read", uri=BIG)))
        slow.more(1000)  # it has begun, and cannot go on
        swapping.swap(2, True)
        check(revision_of(quick.exchange_http(request(2, "resources/read", uri=BIG))) == 2, "not the new one")
        status, _, body = slow.http()
        check(status == 200 and revision_of(json.loads(body)) == 1, "not the old one")  # [SK-A-08]
        check(revision_of(slow.exchange_http(request(3, "resources/read", uri=BIG))) == 2, "not the new one")


@suite
def a_second_replacement_waits_for_answers_from_the_first_image(revisions):
    server, swapping = start(revisions, 1, True)
    with server, Client(server.ports[1], receive_buffer=4096) as slow, Client(server.ports[0]) as quick:
        slow.send(line_bytes(request(1, "resources/read", uri=BIG)))
        slow.more(1000)
        swapping.swap(2, True)
        swapping.put(revisions.image(3, True))
        for id in range(20):
            check(revision_of(quick.exchange_http(request(id, "skills/list"))) == 2, "the image was pulled away")
        check(revision_of(slow.line()) == 1, "not the old one")
        server.wait_for("replaced; now", 2)
        check(revision_of(quick.exchange_http(request(21, "skills/list"))) == 3, "not the new one")


@suite
def cursors_of_the_image_before_are_refused(revisions):
    server, swapping = start(revisions, 1, False, "--page", "1")
    with server, Client(server.ports[0]) as client:
        for method in ("skills/list", "resources/list"):
            cursor = client.exchange_http(request(1, method))["result"]["nextCursor"]
            check("result" in client.exchange_http(request(2, method, cursor=cursor)), "not even before")
            swapping.swap(2)
            for bad in (cursor, cursor[:-1] + ("0" if cursor[-1] != "0" else "1"), cursor + "0"):
                response = client.exchange_http(request(3, method, cursor=bad))
                check(response.get("error", {}).get("code") == -32602, f"{bad} was taken")
            swapping.swap(1)


@suite
def a_file_that_cannot_be_served_is_refused_with_its_reason(revisions):
    good = revisions.image(1)
    with open(good, "rb") as file:
        image = file.read()
    server, swapping = start(revisions)
    with server, Client(server.ports[0]) as client, Client(server.ports[1]) as line:
        line.exchange_line(numbered(0, INITIALIZE))
        altered = image[:300] + bytes([image[300] ^ 1]) + image[301:]
        broken = {"cut": image[:-9], "altered": altered, "text": b"not an image", "empty": b""}
        for count, (name, content) in enumerate(broken.items()):
            path = f"{revisions.folder}/broken-{name}"
            with open(path, "wb") as file:
                file.write(content)
            swapping.put(path)
            server.wait_for("still serving the previous image", count + 1)
            check(revision_of(client.exchange_http(request(1, "skills/list"))) == 1, "no longer the old one")
        os.remove(swapping.path)
        server.signal(signal.SIGHUP)
        server.wait_for("still serving the previous image", len(broken) + 1)
        line.exchange_line(numbered(1, legacy("ping")))  # nobody was told of anything
        swapping.swap(2)
        check(revision_of(client.exchange_http(request(2, "skills/list"))) == 2, "not the new one")


@suite
def the_end_of_the_server_is_told_on_every_stream(revisions):
    server, swapping = start(revisions)
    with server:
        client, line, stream = Client(server.ports[0]), Client(server.ports[1]), Client(server.ports[0])
        older = get_stream(server.ports[0], client.new_session())
        stream.open_stream(http_bytes(listen("x", skillsListChanged=True)))
        stream.event()
        line.send(line_bytes(listen(5, skillsListChanged=True)))
        line.line()
        server.signal(signal.SIGTERM)
        for id, message in (("x", stream.event()), (5, line.line())):  # [SUB-09]
            result = {"resultType": "complete", "_meta": {ID_KEY: id}}
            check(message == {"jsonrpc": "2.0", "id": id, "result": result}, f"{message}")
        stream.check_ends()
        check(line.line()["params"]["requestId"] == 5, "not cancelled")  # [SUB-10]
        line.check_ends()
        older.check_closed()
        for one in (client, line, stream, older):
            one.close()
        check(server.exit_code() == 0, "exit code")


@suite
def streams_and_lines_together_leave_room_for_others(revisions):
    for slots in (8, 2):
        server, _ = start(revisions, 1, False, "--slots", str(slots))
        with server:
            ports = server.ports
            lines = [Client(ports[1]) for _ in range(slots // 2)]
            for line in lines:
                line.send(line_bytes(request(1)))
                check("result" in line.line(), "a line")
            wanted = http_bytes(listen(1, skillsListChanged=True))
            streams = [Client(ports[0]).open_stream(wanted) for _ in range(slots - slots // 2 - max(1, slots // 4))]
            with Client(ports[0]) as one_more:
                one_more.send(wanted)
                check(one_more.http()[0] == 503, "one more stream")
                one_more.discover(2)
            with Client(ports[1]) as line:
                check("in use" in str(line.line()), "one more line")
            for client in (*lines, *streams):
                client.close()


@suite
def streams_leave_room_for_others_and_are_let_go_with_their_clients(revisions):
    server, swapping = start(revisions, 1, False, "--slots", "8")
    with server:
        wanted = http_bytes(listen(1, skillsListChanged=True))
        at_rest = server.descriptors()
        for _ in range(3):
            streams = [Client(server.ports[0]).open_stream(wanted) for _ in range(6)]
            with Client(server.ports[0]) as one_more:
                one_more.send(wanted)
                status, headers, body = one_more.http()
                check(status == 503 and "retry-after" in headers, f"status {status}")  # [SUB-06]
                check(json.loads(body)["error"]["code"] == -32603, f"{body!r}")
                one_more.discover(2)  # others are served
            swapping.swap(2)
            for stream in streams:
                stream.event()
                check_notifications([stream.event()], LISTS[:1], 1)
            swapping.swap(1)
            for stream in streams:
                stream.close()
            until(lambda: server.descriptors() == at_rest, "their sockets are closed")


@suite
def without_reload_nothing_is_promised(revisions):
    with Server(SKILLROMD, revisions.image(1), "--http", "127.0.0.1:0") as server:
        client = Client(server.ports[0])
        text = json.dumps(client.exchange_http(request(1)))
        check('"listChanged": true' not in text, "listChanged is promised")  # [SK-X-22]
        session = client.new_session()
        client.send(get_bytes(session))
        check(client.http()[0] == 405, "a stream of nothing")  # [CAP-03]
        client.close()
