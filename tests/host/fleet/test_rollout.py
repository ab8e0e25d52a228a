"""`skillrom update mqtt://...`: a release for the devices of a broker, in stages; devices and brokers that are lost meanwhile, or lie."""

import json
import signal
import subprocess
import sys

from client import programs
from client.check import Suite, check, until
from client.child import Child, Server, die_with_parent
from client.mqtt import ScriptedDevice
from fleet import Broker

sys.path.append(str(programs.ROOT / "tests/wire/update"))
from releases import Releases, Updater

suite = Suite()

LARGE = "A line of a large file.\n" * 36000  # with all else in the image, less than a slot of 1 MB
PATIENT = "--wait", "5m"  # the machine may be busy


class Site:
    """Pumps on a broker, each behind a bridge of its own, and a person who sends releases to them."""

    def __init__(self, folder, count=0):
        self.r, self.broker, self.record = Releases(folder), Broker(folder), folder / "record.jsonl"
        self.pumps = {f"pump-{i + 1}": self.add(f"pump-{i + 1}") for i in range(count)}

    def add(self, id, options=None, port=0):
        pump = Server(programs.PUMP, self.r.image(), *(self.r.options(self.r.slots()) if options is None else options), "--tcp",
                      f"127.0.0.1:{port}")
        self.publish(id, pump.ports[0])
        return pump

    def publish(self, id, port):
        bridge = Child(programs.SKILLROM, "bridge", f"tcp://127.0.0.1:{port}", "--mqtt", self.broker.url, "--id", id, "--no-cache")
        bridge.wait_for("published as")
        return bridge

    def words(self, release, *options):
        return [programs.SKILLROM, "update", self.broker.url, str(release), "--audit-log", str(self.record), *options]

    def update(self, release, *options, devices="*", code=0):
        done = subprocess.run(self.words(release, "--devices", devices, *options), capture_output=True, text=True,
                              preexec_fn=die_with_parent)
        check(done.returncode == code, f"{options}: {done.returncode}: {done.stdout}{done.stderr}")
        return done.stderr

    def numbers(self):
        """The release that each pump has in force."""
        return [Updater(pump.ports[0]).do("status")["number"] for pump in self.pumps.values()]

    def recorded(self):
        lines = [json.loads(line) for line in self.record.read_text().splitlines()]
        return [(line["device"], line["release"], line["how"]) for line in lines if "release" in line]


@suite
def a_share_is_updated_and_then_the_rest(folder):
    site = Site(folder, 4)
    release = site.r.release(5)
    said = site.update(release, "--dry-run")
    check("of 4 devices 0 have it, 4 can take it" in said and "nothing was changed" in said and "pump-3: has release 0" in said, said)
    check(site.numbers() == [0] * 4 and site.recorded() == [], site.recorded())
    for share, has in (("1", 1), ("1", 1), ("50", 2), ("75", 3), ("100", 4), ("100", 4)):
        said = site.update(release, "--share", share, "--confirm", *PATIENT)
        check(f"release 5 is in force on {has} of 4 devices" in said and ("--share" in said) == (has < 4), said)
        check(site.numbers() == [5] * has + [0] * (4 - has), f"{share}: {site.numbers()}")
    check(sorted(site.recorded()) == [(f"pump-{i}", "5", "in force") for i in range(1, 5)], site.recorded())
    said = site.update(site.r.release(6), devices="pump-2,pump-[3]", code=1)
    check("pump-[3]: no device of this name" in said and site.numbers() == [5] * 4, said)
    said = site.update(site.r.release(6), *PATIENT, devices="pump-2,p*4")
    check("release 6 is on trial on 2 of 2 devices" in said and site.numbers() == [5] * 4, said)
    site.update(site.r.release(6), "--confirm", *PATIENT, devices="pump-2,p*4")
    check(site.numbers() == [5, 6, 5, 6], site.numbers())


@suite
def the_first_failures_stop_it(folder):
    site = Site(folder)
    for i, keys in enumerate(("foreign.pub", "first.pub", "foreign.pub", "first.pub")):
        options = [word.replace("first.pub", keys) for word in site.r.options(site.r.slots())]
        site.pumps[f"pump-{i + 1}"] = site.add(f"pump-{i + 1}", options)
    release = site.r.release(5)
    said = site.update(release, "--parallel", "1", "--confirm", *PATIENT, code=1)
    check("pump-1: failed: Update refused: the signature is wrong" in said and "stopped after failures" in said, said)
    check(site.numbers() == [0] * 4 and site.recorded() == [("pump-1", "5", "failed")], site.recorded())
    said = site.update(release, "--parallel", "1", "--stop-after", "2", "--confirm", *PATIENT, code=1)
    check(site.numbers() == [0, 5, 0, 0] and "in force on 1 of 4" in said, said)
    said = site.update(release, "--stop-after", "9", "--confirm", *PATIENT, code=1)
    check(site.numbers() == [0, 5, 0, 5] and "in force on 2 of 4" in said, said)


@suite
def devices_that_cannot_take_it_are_left_out(folder):
    site = Site(folder, 1)
    site.add("other-1", ["valve" if word == "pump" else word for word in site.r.options(site.r.slots())])
    site.add("without-1", [])
    newer = site.add("newer-1")
    subprocess.run([programs.SKILLROM, "update", f"tcp://127.0.0.1:{newer.ports[0]}", str(site.r.release(9)), "--confirm"], check=True,
                   capture_output=True)
    trial = site.add("trial-1")
    Updater(trial.ports[0]).upload(site.r.release(7).read_bytes())
    Updater(trial.ports[0]).do("commit")
    ScriptedDevice(site.broker, "gauge-1")
    ScriptedDevice(site.broker, "mute-1", greets=False)
    said = site.update(site.r.release(5), "--confirm", *PATIENT)
    check("of 7 devices 0 have it, 1 can take it, 3 are left out, 3 are of other products; 1 to update" in said, said)
    for part in ("newer-1: left out: the release is older", "trial-1: left out: another release is on trial", "mute-1: left out: ",
                 "release 5 is in force on 1 of 1 devices"):
        check(part in said, f"{part}: {said}")
    check(site.numbers() == [5] and site.recorded() == [("pump-1", "5", "in force")], site.recorded())
    check("no device can take this release" in site.update(site.r.release(5), devices="other-*", code=1))


class Liar(ScriptedDevice):
    """Has the methods of updates, and answers with something else. `said` is the result, or an error, for each method."""

    def __init__(self, broker, id, said):
        self.said, self.asked = said, []
        super().__init__(broker, id)

    def respond(self, topic, message):
        self.asked.append(message["method"])
        said = self.said.get(message["method"].rpartition("/")[2])
        if said is not None:
            self.reply(topic, message["id"], **said)
        else:
            super().respond(topic, message)


@suite
def a_device_that_lies_fails_alone(folder):
    site = Site(folder, 1)
    release = site.r.release(5)
    good = Updater(site.pumps["pump-1"].ports[0]).do("status")
    bad = {"error": {"code": -1, "message": "\x1b[2J" + "x" * 2000}}
    status, begin = {"status": {"result": good}}, {"begin": {"result": {"offset": 0}}, "blocks": {"result": {"crc": "", "next": 0}}}
    wrong = [
        {"status": {"result": {**good, "unit": 3}}}, {"status": {"result": {**good, "unit": -1}}}, {"status": {"result": {**good, "part": 0}}},
        {"status": {"result": []}}, {"status": {"result": {**good, "room": "1"}}}, {"status": {"result": {**good, "product": "x"}}},
        {"status": bad}, {**status, "blocks": bad}, {**status, **begin, "blocks": {"result": {"crc": "zz" * 4000, "next": 2000000000}}},
        {**status, **begin, "begin": {"result": {"offset": 2000000000}}}, {**status, **begin, "begin": {"result": {}}, "write": bad},
        {**status, **begin, "write": {"result": {}}, "commit": bad},
        {**status, **begin, "write": {"result": {}}, "commit": {"result": {}}, "read": {"result": {"contents": [{"text": 7}]}}},
        {**status, **begin, "write": {"result": {}}, "commit": {"result": {}}, "read": {"result": {}}},
    ]
    for i, said in enumerate(wrong):
        Liar(site.broker, f"liar-{i:02}", said)
    said = site.update(release, "--confirm", "--stop-after", "100", "--parallel", "16", *PATIENT, code=1)
    check("\x1b" not in said and max(map(len, said.splitlines())) < 600, said)
    check(site.numbers() == [5] and "release 5 is in force on 1 of" in said, said)
    check(not [line for line in site.recorded() if line[2] != ("in force" if line[0] == "pump-1" else "failed")], site.recorded())


def begun(site, release, *options):
    """A roll-out of an image that takes a while; it is under way."""
    update = Child(*site.words(release, "--devices", "*", "--full", "--confirm", *options, *PATIENT))
    pump = Updater(next(iter(site.pumps.values())).ports[0])
    until(lambda: 0 < pump.do("status").get("offset", 0), "it is under way")
    return update


def large_release(site, number):
    return site.r.sign(site.r.image(f"Large {number}.", lambda f: programs.write(f / "skills/daily-check/assets/large.txt", LARGE)), number)


@suite
def a_device_that_is_reset_meanwhile_goes_on(folder):
    site = Site(folder)
    options = site.r.options(site.r.slots())
    site.pumps["pump-1"] = site.add("pump-1", options)
    port = site.pumps["pump-1"].ports[0]
    update = begun(site, large_release(site, 5))
    site.pumps["pump-1"].kill()
    site.pumps["pump-1"] = Server(programs.PUMP, site.r.image(), *options, "--tcp", f"127.0.0.1:{port}")
    check(update.exit_code() == 0, update.said)
    check(site.numbers() == [5] and site.recorded() == [("pump-1", "5", "in force")], site.recorded())


@suite
def a_broker_that_is_restarted_meanwhile_goes_on(folder):
    site = Site(folder, 1)
    update = begun(site, large_release(site, 5))
    site.broker.kill()
    site.broker.start()
    check(update.exit_code() == 0, update.said)
    check(site.numbers() == [5] and site.recorded() == [("pump-1", "5", "in force")], site.recorded())


@suite
def it_can_be_interrupted_and_goes_on(folder):
    site = Site(folder, 2)
    release = large_release(site, 5)
    update = begun(site, release, "--parallel", "1")
    update.signal(signal.SIGINT)
    check(update.exit_code() == 1 and any("stopped: run this again" in line for line in update.said), update.said)
    check(site.recorded() == [("pump-1", "5", "stopped")] and site.numbers() == [0, 0], site.recorded())
    site.update(release, "--confirm", *PATIENT)
    check(site.numbers() == [5, 5])


@suite
def nothing_is_sent_that_cannot_be_recorded(folder):
    site = Site(folder, 1)
    release = site.r.release(5)
    check("cannot write the audit log" in site.update(release, "--audit-log", "/dev/full", code=1))
    check(site.numbers() == [0])


@suite
def what_is_written_wrong_is_said(folder):
    site = Site(folder)
    release = site.r.release(5)
    check("no device at" in site.update(release, "--wait", "100ms", code=1))
    for options, why in (((), "give --devices"), (("--devices", "*", "--revert"), "for one device"), (("--devices", "*", "--share", "0"), "--share"),
                         (("--devices", "*", "--parallel", "17"), "--parallel")):
        done = subprocess.run(site.words(release, *options), capture_output=True, text=True, preexec_fn=die_with_parent)
        check(done.returncode == 2 and why in done.stderr, done.stderr)
    done = subprocess.run([programs.SKILLROM, "update", "tcp://127.0.0.1:1", str(release), "--devices", "*"], capture_output=True, text=True)
    check(done.returncode == 2 and "mqtt://" in done.stderr, done.stderr)
    site.broker.kill()
    check("no connection to the broker" in site.update(release, "--wait", "100ms", code=1))
