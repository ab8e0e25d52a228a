"""Two hundred replacements while clients read as fast as they can: no response mixes two images, no
connection is dropped, nobody is forgotten."""

import signal
import sys
import threading

from client.check import PATIENCE, Suite, check
from client.child import Server
from client.mcp import INITIALIZE, PING, http_bytes, line_bytes, numbered, request
from client.programs import SKILLROMD
from client.wire import Client
from revisions import REFERENCE, SKILL, Swapping, listen, revision_of

suite = Suite()
SWAPS = 200
NUMBERS = [1, 2, 3, 4, 5, 6, 7]
READERS = 2  # over each wire


class Reader(threading.Thread):
    """Asks for the list, the skill and a file of it, over and over, on one connection."""

    def __init__(self, exchange):
        super().__init__(daemon=True)
        self.exchange = exchange
        self.stop = False
        self.responses = 0
        self.seen = set()
        self.error = None

    def run(self):
        requests = [
            ("skills/list", {}),
            ("resources/read", {"uri": SKILL}),
            ("resources/read", {"uri": REFERENCE}),
            ("skills/get", {"uri": SKILL}),
        ]
        try:
            while not self.stop:
                method, params = requests[self.responses % len(requests)]
                self.seen.add(revision_of(self.exchange(request(self.responses, method, **params))))
                self.responses += 1
        except Exception as error:
            self.error = error


class Listener(threading.Thread):
    """Counts what it hears until the end has been seen."""

    def __init__(self, next_message):
        super().__init__(daemon=True)
        self.next_message = next_message
        self.lists = 0
        self.changed = threading.Event()
        self.error = None

    def run(self):
        try:
            while True:
                message = self.next_message()
                if message.get("method") == "notifications/skills/list_changed":
                    self.lists += 1
                    self.changed.set()
        except Exception as error:
            self.error = error


@suite
def two_hundred_swaps_under_load(revisions):
    path = revisions.served(1)
    sys.setswitchinterval(0.0002)  # or each swap would wait for every reader's turn
    with Server(SKILLROMD, path, "--http", "127.0.0.1:0", "--tcp", "127.0.0.1:0", "--reload") as server:
        swapping = Swapping(revisions, server, path)
        for number in NUMBERS:
            revisions.image(number)
        readers = [Reader(Client(server.ports[0]).exchange_http) for _ in range(READERS)]
        readers += [Reader(Client(server.ports[1]).exchange_line) for _ in range(READERS)]
        stream = Client(server.ports[0]).open_stream(http_bytes(listen(1, skillsListChanged=True)))
        stream.event()
        older = Client(server.ports[1])
        older.exchange_line(numbered(0, INITIALIZE))
        listeners = [Listener(stream.event), Listener(older.line)]
        for one in (*readers, *listeners):
            one.start()

        for swap in range(SWAPS):
            for listener in listeners:
                listener.changed.clear()
            swapping.swap(NUMBERS[(swap + 1) % len(NUMBERS)])
            for listener in listeners:
                check(listener.changed.wait(PATIENCE), f"not told of swap {swap}: {listener.error!r}")
        for reader in readers:
            reader.stop = True
            reader.join(PATIENCE)
            check(reader.error is None, f"after {reader.responses} answers: {reader.error!r}")
            check(len(reader.seen) > 1, f"{reader.responses} answers, all of {reader.seen}")
        last = NUMBERS[SWAPS % len(NUMBERS)]
        check(revision_of(readers[0].exchange(request(0, "skills/list"))) == last, "not the last one")
        for listener in listeners:
            check(listener.lists == SWAPS, f"told {listener.lists} times of {SWAPS} swaps")


@suite
def a_hundred_changes_missed_are_one(revisions):
    path = revisions.served(1)
    with Server(SKILLROMD, path, "--tcp", "127.0.0.1:0", "--reload") as server:
        client = Client(server.ports[0])
        swapping = Swapping(revisions, server, path)
        client.exchange_line(numbered(0, INITIALIZE))
        server.signal(signal.SIGSTOP)  # it sees none of these before the last
        for swap in range(100):
            swapping.put(revisions.image(NUMBERS[swap % 5]))
        swapping.put(revisions.image(7))
        server.signal(signal.SIGCONT)
        server.wait_for("replaced; now")
        heard = []
        client.send(line_bytes(PING))
        while "id" not in (message := client.line()):
            heard.append(message["method"])
        while "notifications/skills/list_changed" not in heard:
            heard.append(client.line()["method"])
        check(len(heard) == len(set(heard)), f"told twice: {heard}")  # [SUB-14]
        client.send(line_bytes(request(2, "resources/read", uri=SKILL)))
        while "id" not in (message := client.line()):
            pass
        check(revision_of(message) == 7, "not the last one")
        client.close()
