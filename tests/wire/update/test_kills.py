"""test_kills.py - a program that is killed at random during updates, while a client reads: whatever is answered afterwards is of the old
or the new release, whole, and what was confirmed stays."""

import random
import threading

from client import programs
from client.check import Failed, Suite, check
from releases import Updater

suite = Suite()

KILLS = 100
RELEASES = 12  # that are sent one after the other; then from the start again, with other slots
PART = 2048


class Reader(threading.Thread):
    """Reads all the time; collects which texts it got."""

    def __init__(self, port):
        super().__init__(daemon=True)
        self.updater, self.texts, self.stop = Updater(port), set(), False
        self.start()

    def run(self):
        try:
            while not self.stop:
                self.texts.add(self.updater.text())
        except (Failed, OSError, ValueError):
            pass  # the program was killed


class Life:
    """What was done to one file of slots."""

    def __init__(self, r, texts):
        self.slots, self.texts = r.slots(), texts
        self.confirmed, self.asked = 0, 0  # the last number whose confirm was answered, and the last that was asked for

    def check_served(self, u):
        """The number of what is served."""
        number, text = u.do("status")["number"], u.text()
        check(self.confirmed <= number <= max(self.confirmed, self.asked), f"{number} after {self.confirmed}, {self.asked}")
        check(text == self.texts[number], f"release {number} is not whole")
        return number


def steps(u, life, number, release):
    """The requests of an update, each as (method, params); what follows one depends on its response."""
    offset = u.begin(release)["result"]["offset"]
    for part in u.parts(release, offset, PART):
        yield "write", part
    yield "commit", {}
    life.asked = number
    yield "confirm", {"number": number}
    life.confirmed = number


def update_until(u, life, left, releases):
    """Does so many requests of updates; the last one is sent, and not waited for."""
    while True:
        number = life.check_served(u) + 1
        if number == len(releases):
            return False
        for method, params in steps(u, life, number, releases[number]):
            if left == 0:
                u.send(f"skillrom/update/{method}", params)
                return True
            left -= 1
            u.do(method, **params)


@suite
def killed_at_random_under_load(r):
    rng = random.Random(29)
    releases = [None] + [r.release(number).read_bytes() for number in range(1, RELEASES)]
    with r.device(r.slots(), "--tcp", "127.0.0.1:0", program=programs.PLAIN_PUMP) as device:
        old = Updater(device.ports[0]).text()
    texts = [old] + [f"{old[:-1]}Sentence of release {number}.\n" for number in range(1, RELEASES)]
    life, done, seen = Life(r, texts), 0, set()
    for _ in range(KILLS):
        with r.device(life.slots, "--tcp", "127.0.0.1:0", program=programs.PLAIN_PUMP) as device:
            reader = Reader(device.ports[0])
            going_on = update_until(Updater(device.ports[0]), life, rng.randrange(60), releases)
            if rng.randrange(2):  # immediately, or while the request is handled
                reader.stop = True
        reader.join()
        check(reader.texts <= set(texts), "a text that is of no release")
        seen |= reader.texts
        done += 1
        if not going_on:
            life = Life(r, texts)
    print(f"{done} kills, {len(seen)} of {len(texts)} releases were read meanwhile", flush=True)
