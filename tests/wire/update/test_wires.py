"""test_wires.py - `skillrom update` over each way to a device; rights, interrupted uploads, trials."""

import os
import pathlib
import re
import subprocess
import sys

from client import programs
from client.check import Suite, check, until
from client.child import Child, Server
from client.mcp import line_bytes
from releases import HEAD, Updater, skillrom

sys.path.append(str(programs.ROOT / "tests/host/serial"))
from line import Line
sys.path += [str(programs.ROOT / "tests/wire/tls"), str(programs.ROOT / "tests/wire/rights")]
from authority import Authority
from certs import Folder

suite = Suite()

TCP = "--tcp", "127.0.0.1:0"
LARGE = "A line of a large file.\n" * 400000


def text_of(url):
    return skillrom("read", url, "skill://daily-check/SKILL.md")


def update_over(r, url, number):
    """Tries, confirms and repeats; the text is the release's."""
    release = r.release(number)
    check(f"release {number} of" in skillrom("update", url, release, "--dry-run"))
    check(f"release {number}." not in text_of(url))
    check(f"release {number} is on trial" in skillrom("update", url, release))
    check(f"release {number}." in text_of(url))
    check(f"release {number} is in force" in skillrom("update", url, release, "--confirm"))
    check("is in force already" in skillrom("update", url, release))


@suite
def over_http_and_raw_tcp(r):
    device = r.device(r.slots(), "--http", "127.0.0.1:0", *TCP)
    http, tcp = device.ports
    update_over(r, f"http://127.0.0.1:{http}/mcp", 5)
    update_over(r, f"tcp://127.0.0.1:{tcp}", 6)


@suite
def over_a_serial_line(r):
    line = Line(str(r.folder), "serial")
    device = Child(programs.PUMP, r.image(), *r.options(r.slots()), "--serial", line.device)
    device.wait_for("serving")
    update_over(r, line.host, 5)
    before = line.to_device
    skillrom("update", line.host, r.release(6), "--confirm")
    sent = line.to_device - before
    check(sent < 20000, f"a changed sentence takes {sent} bytes")
    print(f"a changed sentence of {os.path.getsize(r.release(6))} bytes takes {sent} bytes to the device", flush=True)


@suite
def through_a_bridge(r):
    device = r.device(r.slots(), *TCP)
    bridge = Server(programs.SKILLROM, "bridge", f"tcp://127.0.0.1:{device.ports[0]}", "--no-cache", "--http", "127.0.0.1:0")
    update_over(r, f"http://127.0.0.1:{bridge.ports[-1]}/mcp", 5)


@suite
def through_a_bridge_behind_a_bridge(r):
    device = r.device(r.slots(), *TCP)
    inner = Server(programs.SKILLROM, "bridge", f"tcp://127.0.0.1:{device.ports[0]}", "--no-cache", "--http", "127.0.0.1:0")
    outer = Server(programs.SKILLROM, "bridge", f"http://127.0.0.1:{inner.ports[-1]}/mcp", "--no-cache", "--http", "127.0.0.1:0")
    update_over(r, f"http://127.0.0.1:{outer.ports[-1]}/mcp", 5)


@suite
def over_tls_with_a_scope(r):
    certs, authority = Folder(r.folder), Authority(r.folder)
    device = r.device(r.slots(), "--https", "127.0.0.1:0", "--cert", certs.path("device.pem"), "--key", certs.path("device.key"),
                      *authority.options())
    url, release = f"https://localhost:{device.ports[0]}/mcp", r.release(5)
    for scope, code in (("read operate", 1), ("update", 0)):
        token = r.folder / "access.token"
        token.write_text(authority.token("user", scope))
        token.chmod(0o600)
        said = skillrom("update", url, release, "--confirm", "--ca-file", certs.path("ca.pem"), "--device-token", token, code=code)
        check(("may not run" if code else "release 5 is in force") in said, said)


@suite
def an_image_that_is_served_already(r):
    """Signed with a number: nothing of it is sent, and it is a release like any other."""
    device = r.device(r.slots(), *TCP)
    url, release = f"tcp://127.0.0.1:{device.ports[0]}", r.sign(r.image(), 5)
    said = skillrom("update", url, release, "--dry-run")
    sent = int(re.search(r"(\d+) bytes are to be sent", said)[1])
    check(sent < 256, said)  # what is left after whole blocks
    check("release 5 is in force" in skillrom("update", url, release, "--confirm"))
    check("is in force already" in skillrom("update", url, release, "--confirm"))


@suite
def only_with_the_right_to_update(r):
    tokens, files = r.folder / "tokens", {}
    for name, options in (("reader", ["--read-only"]), ("operator", []), ("keeper", ["--read-only", "--update"])):
        made = subprocess.run([programs.SKILLROM, "token", name, "-o", tokens, *options], capture_output=True, text=True)
        check(made.returncode == 0, made.stderr)
        files[name] = r.folder / f"{name}.token"
        files[name].write_text(made.stdout)
        files[name].chmod(0o600)
    device = r.device(r.slots(), "--http", "127.0.0.1:0", "--token-file", str(tokens))
    url, release = f"http://127.0.0.1:{device.ports[0]}/mcp", r.release(5)
    for name in ("reader", "operator"):
        said = skillrom("update", url, release, "--device-token", files[name], code=1)
        check("may not run skillrom/update/status" in said, said)
    skillrom("update", url, release, "--confirm", "--device-token", files["keeper"])
    check("refused" in skillrom("call", url, "run_dose", "line=1", "volume_ul=500", "--device-token", files["keeper"], code=1))


@suite
def methods_are_unknown_without_updates(r):
    device = Server(programs.PUMP, r.image(), *TCP)
    response = Updater(device.ports[0]).step("status")
    check(response["error"]["code"] == -32601, response)
    url = f"tcp://127.0.0.1:{device.ports[0]}"
    check("its firmware needs SKR_UPDATE, or its program --update" in skillrom("update", url, r.release(5), code=1))
    for option in ("--share", "--stop-after", "--parallel"):
        check("for devices on a broker" in skillrom("update", url, r.release(5), option, "10", code=2))


@suite
def an_interrupted_upload_goes_on(r):
    slots, release = r.slots(), r.release(5)
    whole = release.read_bytes()
    with r.device(slots, *TCP) as device:
        u = Updater(device.ports[0])
        u.begin(whole)
        for part in [*u.parts(whole)][:6]:
            u.do("write", **part)
    with r.device(slots, *TCP) as device:
        url = f"tcp://127.0.0.1:{device.ports[0]}"
        said = skillrom("update", url, release, "--confirm", "--full")
        check("going on after" in said, said)
        check("release 5." in text_of(url))


@suite
def a_reset_ends_the_trial(r):
    slots, release = r.slots(), r.release(5)
    with r.device(slots, *TCP) as device:
        skillrom("update", f"tcp://127.0.0.1:{device.ports[0]}", release)
    with r.device(slots, *TCP) as device:
        url = f"tcp://127.0.0.1:{device.ports[0]}"
        check("release 5." not in text_of(url))
        said = skillrom("update", url, release, "--confirm")  # nothing of it is sent again
        check(f"going on after {release.stat().st_size - HEAD} of" in said, said)
    with r.device(slots, *TCP) as device:
        check("release 5." in text_of(f"tcp://127.0.0.1:{device.ports[0]}"))


@suite
def a_confirm_that_is_repeated_after_a_reset_writes_a_record(r):
    """What reads whole after a reset may have been cut."""
    slots, release = r.slots(), r.release(5)
    with r.device(slots, *TCP) as device:
        skillrom("update", f"tcp://127.0.0.1:{device.ports[0]}", release, "--confirm")
    with r.device(slots, *TCP) as device:
        for options, changes in ((), False), (["--dry-run", "--confirm"], False), (["--confirm"], True), (["--confirm"], False):
            before = slots.read_bytes()
            check("is in force already" in skillrom("update", f"tcp://127.0.0.1:{device.ports[0]}", release, *options))
            check((slots.read_bytes() != before) == changes, options)


@suite
def a_trial_can_be_reverted(r):
    device = r.device(r.slots(), *TCP)
    url = f"tcp://127.0.0.1:{device.ports[0]}"
    skillrom("update", url, r.release(5))
    check("release 0 is in force" in skillrom("update", url, r.release(5), "--revert"))
    check("release 5." not in text_of(url))
    skillrom("update", url, r.release(6))
    for option in ("--dry-run", "--confirm", "--full"):
        check("--revert goes without" in skillrom("update", url, r.release(6), "--revert", option, code=2))
    check("release 6." in text_of(url), "the trial goes on")
    check("; 0 bytes are to be sent" in skillrom("update", url, r.release(6), "--dry-run"))
    skillrom("update", url, r.release(6), "--confirm")
    check("release 6." in text_of(url))


@suite
def clients_are_told_that_lists_have_changed(r):
    device = r.device(r.slots(), *TCP)
    u, other = (Updater(device.ports[0]) for _ in range(2))
    other.client.send(line_bytes({"jsonrpc": "2.0", "method": "notifications/initialized"}))
    other.exchange("ping")
    u.upload(r.release(5).read_bytes())
    u.do("commit")
    notified = {other.client.line()["method"] for _ in range(2)}
    check("notifications/resources/list_changed" in notified, notified)


@suite
def a_response_under_way_keeps_its_image(r):
    """A client that does not read holds the old image: the next update waits, and the response is the old image's, whole."""
    def add_large(folder):
        programs.write(folder / "skills/daily-check/assets/large.txt", LARGE)
    device = Server(programs.PUMP, r.image("With a large file.", add_large), *r.options(r.slots()), *TCP)
    u, slow = Updater(device.ports[0]), Updater(device.ports[0], receive_buffer=4096)
    u.upload(r.release(5).read_bytes())
    slow.send("resources/read", {"uri": "skill://daily-check/assets/large.txt"})
    until(slow.client.is_readable, "its response has begun")
    u.do("commit")
    u.do("confirm", number=5)
    response = u.begin(r.release(6).read_bytes())
    check("error" in response and "still uses the previous image" in response["error"]["message"], response)
    check(slow.receive()["result"]["contents"][0]["text"] == LARGE)
    until(lambda: "result" in u.begin(r.release(6).read_bytes()), "the old image is free")


@suite
def the_updater_finds_wrong_files_itself(r):
    device = r.device(r.slots(), *TCP)
    url, good = f"tcp://127.0.0.1:{device.ports[0]}", r.release(5).read_bytes()
    damaged = r.folder / "damaged.rom"
    for content, why in ((good[:-1], "damaged"), (good[HEAD:], "not a release"), (b"", "not a release"), (good[:200] + b"\0" + good[201:], "damaged")):
        damaged.write_bytes(content)
        said = skillrom("update", url, damaged, code=1)
        check(why in said, said)
    for more, why in (({"product": "valve"}, "another product"), ({"index": 7}, "a key that this device does not have")):
        check(why in skillrom("update", url, r.release(5, **more), "--dry-run", code=1))
    check("signature is wrong" in skillrom("update", url, r.release(5, key="foreign"), code=1))
    check("No such file" in skillrom("update", url, r.folder / "missing.rom", code=1))


@suite
def another_interface_is_refused(r):
    def change(folder):
        path = folder / "tools/run_dose.json"
        path.write_text(path.read_text().replace('"volume_ul"', '"volume_nl"'))
    image = r.image("Another argument.", change)
    device = r.device(r.slots(), *TCP)
    release = r.sign(image, 5)
    said = skillrom("update", f"tcp://127.0.0.1:{device.ports[0]}", release, code=1)
    check("tools or resources differ" in said, said)
    u = Updater(device.ports[0])
    check("tools or resources differ" in u.begin(pathlib.Path(release).read_bytes())["error"]["message"])
