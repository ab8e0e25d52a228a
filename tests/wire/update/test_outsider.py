"""test_outsider.py - others during an update: a second updater, a link that breaks at every message, a smaller release."""

import signal
import socket
import threading

from client import programs
from client.check import Suite, check, until
from client.child import Child
from releases import HEAD, Updater, skillrom

suite = Suite()

TCP = "--tcp", "127.0.0.1:0"


def refused(response, why):
    check("error" in response and why in response["error"]["message"], response)


@suite
def two_updaters_with_two_releases(r):
    """The one who begins last has the slot; the other is refused, and can begin again. What is confirmed is whole."""
    device = r.device(r.slots(), *TCP)
    (one, two), (five, six) = (Updater(device.ports[0]) for _ in range(2)), (r.release(n).read_bytes() for n in (5, 6))
    one.begin(five)
    parts = [*one.parts(five)]
    one.do("write", **parts[0])
    check(two.begin(six)["result"]["offset"] == 0)
    refused(one.step("write", **parts[1]), "no such upload")
    refused(one.step("commit"), "not where the upload is")
    for part in two.parts(six):
        two.do("write", **part)
    two.do("commit")
    refused(one.begin(five), "another release is on trial")
    refused(one.step("confirm", number=5), "no such upload or trial")
    check(one.do("confirm", number=6)["number"] == 6)
    check(two.do("confirm", number=6)["number"] == 6)
    refused(one.begin(five), "older")
    check("release 6." in one.text() and "release 6." in two.text())


@suite
def the_program_leaves_the_slot_to_another_updater(r):
    """Otherwise each of two would begin again what the other has begun."""
    def add_large(folder):
        programs.write(folder / "skills/daily-check/assets/large.txt", "A line of a large file.\n" * 30000)
    device, release = r.device(r.slots(), *TCP), r.sign(r.image("A large one.", add_large), 5)
    other = Updater(device.ports[0])
    update = Child(programs.SKILLROM, "update", f"tcp://127.0.0.1:{device.ports[0]}", release, "--full")
    until(lambda: other.do("status").get("offset", 0) > 0, "it writes")
    update.signal(signal.SIGSTOP)
    check(other.begin(r.release(6).read_bytes())["result"]["offset"] == 0)
    update.signal(signal.SIGCONT)
    check(update.exit_code() == 1 and update.has_said("another client sends another release; run this again"), update.said)
    check(other.do("status")["coming"] == 6)


@suite
def two_updaters_with_the_same_release(r):
    """Their writes may overlap: what is written already is skipped."""
    device = r.device(r.slots(), *TCP)
    (one, two), release = (Updater(device.ports[0]) for _ in range(2)), r.release(5).read_bytes()
    one.begin(release)
    two.begin(release)
    for part in one.parts(release):
        one.do("write", **part)
        two.do("write", **part)
    for u in (one, two):
        u.do("commit")
    for u in (two, one):
        check(u.do("confirm", number=5)["state"] == "idle")
    check("release 5." in two.text())


@suite
def another_image_with_the_same_number(r):
    """A mistake of who signs: it must not look as if this image were in force."""
    device = r.device(r.slots(), *TCP)
    url, other = f"tcp://127.0.0.1:{device.ports[0]}", r.sign(r.image("Another fifth."), 5)
    skillrom("update", url, r.release(5))
    for options in ([], ["--confirm"]):
        check("another release is on trial" in skillrom("update", url, other, *options, code=1))
    skillrom("update", url, r.release(5), "--confirm")
    for options in ([], ["--confirm"], ["--dry-run"]):
        check("is in force already" in skillrom("update", url, r.release(5), *options))
        check("sign this one with a larger number" in skillrom("update", url, other, *options, code=1))
    check("release 5." in skillrom("read", url, "skill://daily-check/SKILL.md"))


class Proxy(threading.Thread):
    """Lines to a device and back; before the one that asks for `method`, `meanwhile` happens."""

    def __init__(self, port, method, meanwhile):
        super().__init__(daemon=True)
        self.listener, self.port, self.method, self.meanwhile = socket.create_server(("127.0.0.1", 0)), port, method, meanwhile
        self.start()

    def run(self):
        client, device = self.listener.accept()[0], socket.create_connection(("127.0.0.1", self.port))
        threading.Thread(target=self.copy, args=(device, client), daemon=True).start()
        for line in client.makefile("rb"):
            if self.method in line:
                self.meanwhile()
            device.sendall(line)

    @staticmethod
    def copy(source, sink):
        while data := source.recv(4096):
            sink.sendall(data)


@suite
def a_release_of_another_client_is_not_taken_for_ours(r):
    """The other one begins and commits its own before our commit."""
    device, six = r.device(r.slots(), *TCP), r.release(6).read_bytes()
    other = Updater(device.ports[0])

    def take_over():
        other.upload(six)
        other.do("commit")
    proxy = Proxy(device.ports[0], b'"skillrom/update/commit"', take_over)
    said = skillrom("update", f"tcp://127.0.0.1:{proxy.listener.getsockname()[1]}", r.release(5), "--confirm", code=1)
    check("a release of another client is on trial" in said, said)
    check(other.do("status")["coming"] == 6)


@suite
def one_that_is_stopped_says_how_to_go_on(r):
    def add_large(folder):
        programs.write(folder / "skills/daily-check/assets/large.txt", "A line of a large file.\n" * 30000)
    device, release = r.device(r.slots(), *TCP), r.sign(r.image("A large one.", add_large), 5)
    url, watcher = f"tcp://127.0.0.1:{device.ports[0]}", Updater(device.ports[0])
    update = Child(programs.SKILLROM, "update", url, release, "--full")
    until(lambda: watcher.do("status").get("offset", 0) > 0, "it writes")
    update.signal(signal.SIGINT)
    check(update.exit_code() == 128 + signal.SIGINT and update.has_said("run this again to go on"), update.said)
    check("going on after" in skillrom("update", url, release, "--full"))


@suite
def a_link_that_breaks_at_every_message(r):
    """Each request is sent on a connection of its own that is closed before its response is read, then repeated on another one."""
    device, release = r.device(r.slots(), *TCP), r.release(5).read_bytes()

    def cut_and_repeat(do):
        lost = Updater(device.ports[0])
        do(lost.send)
        lost.client.close()
        u = Updater(device.ports[0])
        do(lambda method, params=None: check("result" in u.exchange(method, params), method))
        u.client.close()

    first = Updater(device.ports[0])
    steps = [("begin", {"release": first.release_text(release)}), *(("write", part) for part in first.parts(release)), ("commit", {}),
             ("confirm", {"number": 5})]
    for name, params in steps:
        cut_and_repeat(lambda send: send(f"skillrom/update/{name}", params))
    check("release 5." in first.text())
    print(f"{len(steps)} messages, each lost once", flush=True)


@suite
def a_release_that_shrinks(r):
    def add(folder):
        programs.write(folder / "skills/daily-check/references/large.md", "A long line of a file that goes away.\n" * 2000)
    large = r.sign(r.image("A large one.", add), 5)
    device, small = r.device(r.slots(), *TCP), r.release(6)
    url = f"tcp://127.0.0.1:{device.ports[0]}"
    skillrom("update", url, large, "--confirm")
    skillrom("update", url, r.release(7), "--confirm", "--full")
    check(small.stat().st_size < large.stat().st_size - 50000)
    check("older" in skillrom("update", url, small, code=1))
    skillrom("update", url, r.release(8), "--confirm")
    check("release 8." in skillrom("read", url, "skill://daily-check/SKILL.md"))
    check("large.md" not in skillrom("call", url))


@suite
def one_that_ends_in_the_middle_leaves_the_image_alone(r):
    device, release = r.device(r.slots(), *TCP), r.release(5).read_bytes()
    u = Updater(device.ports[0])
    u.begin(release)
    u.do("write", **next(u.parts(release)))
    u.client.close()
    other = Updater(device.ports[0])
    refused(other.step("commit"), "not where the upload is")
    check("release 5." not in other.text())
    check(other.do("status")["size"] == len(release) - HEAD)
