"""test_refused.py - releases that are forged, cut, replayed, swapped, older or do not fit: each is refused with its reason, and nothing
that matters has been written."""

import base64
import pathlib

from client import programs
from client.check import Suite, check
from client.child import Child, Server
from releases import HEAD, Updater, skillrom

suite = Suite()

CASES_LEAST = 50
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551  # of P-256


def flipped(release, at, bit=0):
    return release[:at] + bytes([release[at] ^ 1 << bit]) + release[at + 1:]


def with_signature(release, r, s):
    return release[:64] + r.to_bytes(32, "big") + s.to_bytes(32, "big") + release[HEAD:]


def cases(r, good):
    """(name, release, what the device says)"""
    not_signed, not_release = "the signature is wrong", "not a release"
    r_of, s_of = (int.from_bytes(good[at:at + 32], "big") for at in (64, 96))
    for size in (0, 1, 4, 64, 127, 129):
        yield f"{size} bytes of a release", good[:size], not_release
    yield "an image without a release", good[HEAD:], not_release
    for at in (0, 3, 14, 15):
        yield f"byte {at} of magic and layout is another", flipped(good, at), not_release
    yield "number 0", good[:4] + bytes(4) + good[8:], not_release
    yield "size 0", good[:8] + bytes(4) + good[12:], not_release
    yield "a lowest key above its own", good[:13] + b"\1" + good[14:], not_release
    for at in (16, 19, 23):
        yield f"byte {at} of the product is another", flipped(good, at), "for another product"
    for at in (24, 28, 31):
        yield f"byte {at} of the interface is another", flipped(good, at), "tools or resources differ"
    yield "a larger number", good[:4] + (77).to_bytes(4, "little") + good[8:], not_signed
    yield "the largest number", good[:4] + (10**9).to_bytes(4, "little") + good[8:], not_signed
    for number in (10**9 + 1, 2**31 - 1, 2**31, 2**32 - 1):
        yield f"number {number}", good[:4] + number.to_bytes(4, "little") + good[8:], not_release
    yield "one byte more", good[:8] + (int.from_bytes(good[8:12], "little") + 1).to_bytes(4, "little") + good[12:], not_signed
    yield "one byte less", good[:8] + (int.from_bytes(good[8:12], "little") - 1).to_bytes(4, "little") + good[12:], not_signed
    yield "more than the slot has room for", good[:8] + b"\xff\xff\xff\x7f" + good[12:], "does not fit the slot"
    yield "a byte more than the slot", good[:8] + ((1 << 20) + 1).to_bytes(4, "little") + good[12:], "does not fit the slot"
    yield "another key of the device", good[:12] + b"\1" + good[13:], not_signed
    for key in (2, 3, 255):
        yield f"key {key}, which the device does not have", good[:12] + bytes([key]) + good[13:], "a key that this device does not have"
    for at in (32, 40, 63):
        yield f"byte {at} of the digest is another", flipped(good, at), not_signed
    for at in (64, 80, 95, 96, 110, 127):
        yield f"byte {at} of the signature is another", flipped(good, at, at % 8), not_signed
    for name, values in {"zeros": (0, 0), "ones": (2**256 - 1, 2**256 - 1), "r is 0": (0, s_of), "s is 0": (r_of, 0), "r and s swapped": (s_of, r_of),
                         "r is the order": (ORDER, s_of), "s is the order": (r_of, ORDER), "r beyond the order": (r_of + ORDER if r_of + ORDER < 2**256 else ORDER + 1, s_of)}.items():
        yield f"the signature: {name}", with_signature(good, *values), not_signed
    signed = [("a foreign key signs", {"key": "foreign"}, not_signed), ("the second key signs as the first", {"key": "second"}, not_signed),
              ("another product", {"product": "valve"}, "for another product"), ("a product that begins alike", {"product": "pump2"}, "for another product"),
              ("a key that nobody has", {"index": 9, "key": "foreign"}, "a key that this device does not have")]
    for name, more, why in signed:
        yield name, r.release(5, **more).read_bytes(), why
    yield "the signature of another release", good[:64] + r.release(6).read_bytes()[64:HEAD] + good[HEAD:], not_signed


@suite
def each_is_refused_before_anything_is_written(r):
    slots, count = r.slots(), 0
    device = r.device(slots, "--tcp", "127.0.0.1:0")
    u = Updater(device.ports[0])
    text, before = u.text(), slots.read_bytes()
    good = r.release(5).read_bytes()
    for name, release, why in cases(r, good):
        response = u.step("begin", release=base64.b64encode(release[:HEAD] if len(release) > HEAD + 1 else release).decode())
        said = response.get("error", {}).get("message", "")
        check(said.startswith("Update refused: ") and why in said, f"{name}: {response}")
        check(slots.read_bytes() == before, f"{name}: something was written")
        count += 1
    check(count >= CASES_LEAST, f"only {count} cases")
    check(u.text() == text and u.do("status")["number"] == 0)
    u.upload(good)  # and the right one is accepted after all that
    check(u.do("commit")["state"] == "trial" and u.do("confirm", number=5)["number"] == 5)
    print(f"{count} releases were refused", flush=True)


@suite
def older_and_equal_ones_are_refused_once_a_release_is_in_force(r):
    slots = r.slots()
    u = Updater(r.device(slots, "--tcp", "127.0.0.1:0").ports[0])
    u.upload(r.release(6).read_bytes())
    u.do("commit")
    u.do("confirm", number=6)
    before = slots.read_bytes()
    for number, why in ((1, "older than the one in force"), (5, "older than the one in force"), (6, "already; sign another one with a larger number")):
        response = u.begin(r.release(number).read_bytes())
        check(why in response["error"]["message"], response)
    check(slots.read_bytes() == before)


@suite
def a_revoked_key_signs_nothing_any_more(r):
    u = Updater(r.device(r.slots(), "--tcp", "127.0.0.1:0").ports[0])
    u.upload(r.release(2, key="second", index=1, min_key=1).read_bytes())
    u.do("commit")
    check(u.do("confirm", number=2)["minKey"] == 1)
    check("no longer trusts" in u.begin(r.release(3).read_bytes())["error"]["message"])
    check("no longer trusts" in u.begin(r.release(3, key="second", index=1).read_bytes())["error"]["message"], "its release would trust key 0 again")
    u.upload(r.release(3, key="second", index=1, min_key=1).read_bytes())
    u.do("commit")
    u.do("confirm", number=3)


@suite
def keys_are_replaced_twice(r):
    """Three keys, each of which replaces the one before; a release cannot bring one back."""
    options = [*r.options(r.slots()), "--update-key", str(r.folder / "foreign.pub")]
    u = Updater(Server(programs.PUMP, r.image(), *options, "--tcp", "127.0.0.1:0").ports[0])
    keys = "first", "second", "foreign"
    for index, key in enumerate(keys):
        u.upload(r.release(index + 1, key=key, index=index, min_key=index).read_bytes())
        u.do("commit")
        check(u.do("confirm", number=index + 1)["minKey"] == index)
        for lower in range(index):
            for min_key in range(lower + 1):
                said = u.begin(r.release(9, key=keys[lower], index=lower, min_key=min_key).read_bytes())["error"]["message"]
                check("no longer trusts" in said, f"{key}, {keys[lower]}: {said}")


@suite
def a_thief_who_has_used_up_the_numbers_is_locked_out(r):
    """The release that withdraws the stolen key may have any number but the one in force; what was before is not accepted again."""
    device = r.device(r.slots(), "--tcp", "127.0.0.1:0")
    u, url, stolen = Updater(device.ports[0]), f"tcp://127.0.0.1:{device.ports[0]}", [r.release(7), r.release(10**9)]
    for release in stolen:
        skillrom("update", url, release, "--confirm")
    check("older" in u.begin(r.release(8, key="second", index=1).read_bytes())["error"]["message"], "it withdraws no key")
    check("in force already" in u.begin(r.release(10**9, key="second", index=1, min_key=1).read_bytes())["error"]["message"])
    response = u.begin(r.release(8, key="first", index=1, min_key=1).read_bytes())
    check("the signature is wrong" in response.get("error", {}).get("message", ""), response)
    skillrom("update", url, r.release(8, key="second", index=1, min_key=1), "--confirm")
    status = u.do("status")
    check((status["number"], status["minKey"]) == (8, 1), status)
    for release in stolen:
        response = u.begin(release.read_bytes())["error"]["message"]
        check("no longer trusts" in response or "older" in response, response)
    check("older" in u.begin(r.release(7, key="second", index=1, min_key=1).read_bytes())["error"]["message"])
    check("release 8." in u.text())


@suite
def the_largest_number_is_the_last(r):
    u = Updater(r.device(r.slots(), "--tcp", "127.0.0.1:0").ports[0])
    u.upload(r.release(10**9).read_bytes())
    check(u.do("commit")["coming"] == 10**9 and u.do("confirm", number=10**9)["number"] == 10**9)
    check("older" in u.begin(r.release(10**9 - 1).read_bytes())["error"]["message"])


@suite
def another_image_than_the_signed_one_is_never_served(r):
    slots = r.slots()
    u = Updater(r.device(slots, "--tcp", "127.0.0.1:0").ports[0])
    text, good, other = u.text(), r.release(5).read_bytes(), r.release(6).read_bytes()
    longer = good + bytes(4096)
    for name, sent in (("another image", good[:HEAD] + other[HEAD:][:len(good) - HEAD].ljust(len(good) - HEAD, b"\0")),
                       ("a byte of its first sector", flipped(good, HEAD + 100)), ("its last byte", flipped(good, len(good) - 1))):
        for part in u.parts(sent, u.begin(good)["result"]["offset"]):
            u.do("write", **part)
        response = u.step("commit")
        check("digest of the written image" in response.get("error", {}).get("message", ""), f"{name}: {response}")
        check(u.text() == text and u.do("status")["number"] == 0, name)
    check(u.begin(good)["result"]["offset"] == 0)
    check("not where the upload is" in u.step("commit")["error"]["message"])
    check("not where the upload is" in u.step("write", **[*u.parts(longer, len(good) - HEAD)][0])["error"]["message"])


@suite
def steps_in_another_order_are_refused(r):
    u = Updater(r.device(r.slots(), "--tcp", "127.0.0.1:0").ports[0])
    good, text = r.release(5).read_bytes(), u.text()
    first, second, *_ = u.parts(good)
    for name, params, why in (("write", first, "begin it first"), ("commit", {}, "begin it first"), ("confirm", {"number": 5}, "begin it first"),
                              ("confirm", {}, None), ("revert", {}, None)):
        response = u.step(name, **params)
        check("error" not in response if why is None else why in response["error"]["message"], f"{name}: {response}")
    u.begin(good)
    for params in (second, {**first, "offset": 3}, {**first, "data": base64.b64encode(b"12345").decode()}, {**first, "offset": 2**30}):
        check("not where the upload is" in u.step("write", **params)["error"]["message"])
    for params in ({**first, "number": 6}, {**first, "number": 0}):
        check("begin it first" in u.step("write", **params)["error"]["message"])
    for params in ({"offset": -1}, {"offset": 1.5}, {"offset": "0"}, {"size": 1e30}, {"from": None}):
        check("a number or base64 in params is invalid" in u.step("write", **params)["error"]["message"], params)
    for data in ("%", "QUJ", 7, None, "QUJD\n"):
        check("a number or base64 in params is invalid" in u.step("write", **{**first, "data": data})["error"]["message"], data)
    copy = {"number": 5, "offset": 0, "from": 2**30, "size": 8}
    check("not where the upload is" in u.step("write", **copy)["error"]["message"])
    check("64 bytes at least" in u.step("blocks", size=63)["error"]["message"])
    check(u.text() == text)


@suite
def one_at_a_time(r):
    slots = r.slots()
    device = r.device(slots, "--tcp", "127.0.0.1:0")
    one, two = Updater(device.ports[0]), Updater(device.ports[0])
    five, six = r.release(5).read_bytes(), r.release(6).read_bytes()
    first, second, *_ = one.parts(five)
    one.begin(five)
    one.do("write", **first)
    check(two.begin(six)["result"]["offset"] == 0)
    check("begin it first" in one.step("write", **second)["error"]["message"])
    two.upload(six)
    two.do("commit")
    check("another release is on trial" in one.begin(five)["error"]["message"])
    check(two.begin(six)["result"]["offset"] == len(six) - HEAD)
    check("release 6." in one.text())
    check(one.do("revert")["number"] == 0 and "release 6." not in two.text())


@suite
def a_disk_that_is_full_leaves_the_image_alone(r):
    """Slot 1 lies beyond the limit of the file's size."""
    slots, release = r.slots(), r.release(5).read_bytes()
    r.device(slots, "--tcp", "127.0.0.1:0").kill()
    device = Server("sh", "-c", 'trap "" XFSZ; ulimit -f 1024; exec "$@"', "sh", programs.PUMP, r.image(), *r.options(slots), "--tcp", "127.0.0.1:0")
    u = Updater(device.ports[0])
    text, part = u.text(), next(u.parts(release))
    check(u.begin(release)["result"]["offset"] == 0)
    check("the flash failed" in u.step("write", **part)["error"]["message"])
    device.wait_for(f"{slots}: File too large")
    check(u.text() == text)
    device.kill()
    u = Updater(r.device(slots, "--tcp", "127.0.0.1:0").ports[0])
    u.upload(release)
    check(u.do("commit")["state"] == "trial" and u.do("confirm", number=5)["number"] == 5)


@suite
def a_file_that_is_not_ours_is_refused(r):
    slots = r.slots()
    slots.write_bytes(b"x" * 5000)
    child = Child(programs.PUMP, r.image(), *r.options(slots))
    check(child.exit_code() == 1 and child.has_said("not a file that --update has made"), child.said)
    held = r.slots()
    with r.device(held, "--tcp", "127.0.0.1:0"):
        other = Child(programs.PUMP, r.image(), *r.options(held))
        check(other.exit_code() == 1 and other.has_said("in use by another program"), other.said)
    wrong = Child(programs.PUMP, r.image(), "--update", str(slots))
    check(wrong.exit_code() == 2 and wrong.has_said("belong together"), wrong.said)
    unnamed = Child(programs.PUMP, r.image(), *r.options(slots), "--product", "")
    check(unnamed.exit_code() == 2 and unnamed.has_said("--product has no name"), unnamed.said)


@suite
def a_file_that_replaces_the_image_is_named(r):
    slots = r.slots()
    r.device(slots, "--tcp", "127.0.0.1:0").kill()
    other = r.image("Made after the file.")
    device = Server(programs.PUMP, other, *r.options(slots), "--tcp", "127.0.0.1:0")
    check(device.has_said(f"{slots}: release 0 is in force, instead of {other}; remove the file to begin with this image"), device.said)
    check("Made after the file." not in Updater(device.ports[0]).text())
    device.kill()
    file, image = slots.read_bytes(), pathlib.Path(r.image()).read_bytes()
    at = file.index(image)
    for name, damaged in (("its header", file[:at] + bytes(64) + file[at + 64:]), ("its last byte", flipped(file, at + len(image) - 1))):
        slots.write_bytes(damaged)
        child = Child(programs.PUMP, r.image(), *r.options(slots))
        check(child.exit_code() == 1 and child.has_said(f"{slots}: the image of release 0, which is in force, is damaged"), f"{name}: {child.said}")
