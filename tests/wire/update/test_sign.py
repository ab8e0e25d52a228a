"""test_sign.py - keys and releases: openssl reads the keys and agrees about signatures."""

import base64
import json
import pathlib
import subprocess

from client import programs
from client.check import Suite, check
from releases import HEAD, skillrom

suite = Suite()


def openssl(*words):
    done = subprocess.run(["openssl", *map(str, words)], capture_output=True)
    check(done.returncode == 0, done.stderr.decode())
    return done.stdout


def as_der(signature):
    """r and s as openssl has them."""
    def integer(n):
        n = n.lstrip(b"\0")
        n = b"\0" + n if n[0] & 0x80 else n
        return b"\2" + bytes([len(n)]) + n
    both = integer(signature[:32]) + integer(signature[32:])
    return b"\x30" + bytes([len(both)]) + both


def openssl_verifies(r, release, public):
    (r.folder / "signed").write_bytes(release[:64])
    (r.folder / "signature").write_bytes(as_der(release[64:HEAD]))
    openssl("dgst", "-sha256", "-verify", public, "-signature", r.folder / "signature", r.folder / "signed")


@suite
def openssl_reads_a_key_that_we_made(r):
    key = r.folder / "first.pem"
    check(key.stat().st_mode & 0o77 == 0, "others can read the key")
    check(openssl("pkey", "-in", key, "-pubout").decode() == (r.folder / "first.pub").read_text())
    skillrom("keys", "new", key, code=1)  # is not overwritten


@suite
def a_key_of_openssl_signs(r):
    for name, words in (("sec1", ["ecparam", "-genkey", "-name", "prime256v1", "-noout"]),
                        ("pkcs8", ["genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"])):
        key, public = r.folder / f"{name}.pem", r.folder / f"{name}.pub"
        openssl(*words, "-out", key)
        public.write_bytes(openssl("pkey", "-in", key, "-pubout"))
        check(skillrom("keys", "public", key) == public.read_text())
        release = r.release(1, key=name)
        skillrom("verify", release, "--key", public)
        openssl_verifies(r, release.read_bytes(), public)


@suite
def other_curves_and_files_are_not_keys(r):
    other = r.folder / "p384.pem"
    openssl("ecparam", "-genkey", "-name", "secp384r1", "-noout", "-out", other)
    for path in (other, pathlib.Path(r.image())):
        check("not a key of P-256" in skillrom("keys", "public", path, code=1))
    check("a public key cannot sign" in skillrom("sign", r.image(), "--key", r.folder / "first.pub", "--product", "pump", "--number", 1, "-o",
                                                 r.folder / "none.rom", code=1))
    check(not (r.folder / "none.rom").exists())
    for words in (["ec", "-aes128"], ["pkcs8", "-topk8"]):
        openssl(*words, "-in", r.folder / "first.pem", "-passout", "pass:secret", "-out", other)
        check("the key is encrypted; `openssl pkey" in skillrom("keys", "public", other, code=1), words)


ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551  # of P-256


def private_key(x):
    """PEM of a private key with these bytes, as SEC 1 has it."""
    body = b"\2\1\1\4" + bytes([len(x)]) + x + bytes.fromhex("a00a06082a8648ce3d030107")
    der = base64.b64encode(b"\x30" + bytes([len(body)]) + body).decode()
    return f"-----BEGIN EC PRIVATE KEY-----\n{der}\n-----END EC PRIVATE KEY-----\n"


@suite
def a_private_key_is_below_the_order_of_the_curve_and_not_zero(r):
    """Others give signatures that no device accepts, and `sign` reported them as signatures."""
    key, image, release = r.folder / "edge.pem", r.image(), r.folder / "edge.rom"
    for number, size in ((0, 32), (0, 1), (0, 0), (ORDER, 32), (ORDER + 1, 32), (2**256 - 1, 32)):
        key.write_text(private_key(number.to_bytes(size, "big")))
        for words in ("keys", "public", key), ("keys", "c", key), ("sign", image, "--key", key, "--product", "pump", "--number", 1, "-o", release):
            check("not a key of P-256" in skillrom(*words, code=1), f"{number:x}: {words[0]}")
    check(not release.exists())
    for number, size in ((1, 32), (1, 1), (ORDER - 1, 32)):
        key.write_text(private_key(number.to_bytes(size, "big")))
        skillrom("sign", image, "--key", key, "--product", "pump", "--number", 1, "-o", release)
        check("signed with this key" in skillrom("verify", release, "--key", key), f"{number:x}")


@suite
def keys_may_have_other_newlines(r):
    """As an editor on Windows writes them, or without the last one."""
    for name in ("first.pem", "first.pub"):
        text, other = (r.folder / name).read_bytes(), r.folder / f"newlines-{name}"
        for content in (text.replace(b"\n", b"\r\n"), text.rstrip(b"\n")):
            other.write_bytes(content)
            check(skillrom("keys", "public", other) == (r.folder / "first.pub").read_text(), content)


@suite
def a_release_is_the_same_each_time(r):
    one, two = r.release(7).read_bytes(), r.release(7).read_bytes()
    check(one == two)
    openssl_verifies(r, one, r.folder / "first.pub")
    check(one[HEAD:] == pathlib.Path(r.image("Sentence of release 7.")).read_bytes())


@suite
def pack_makes_the_same_release_in_one_step(r):
    release, packed = r.release(8), r.folder / "packed.rom"
    folder = pathlib.Path(r.image("Sentence of release 8.")).with_suffix("")
    skillrom("pack", folder, "--release", packed, "--key", r.folder / "first.pem", "--product", "pump", "--number", 8)
    check(packed.read_bytes() == release.read_bytes())
    check("needs --key, --product and --number" in skillrom("pack", folder, "--release", packed, code=2))


@suite
def verify_and_info_show_it(r):
    release = r.release(9, index=1, key="second", min_key=1)
    check("signed with this key" in skillrom("verify", release, "--key", r.folder / "second.pub"))
    check("the signature is not of this key" in skillrom("verify", release, "--key", r.folder / "first.pub", code=1))
    check("not a release" in skillrom("verify", r.image(), "--key", r.folder / "first.pub", code=1))
    reported = json.loads(skillrom("info", release, "--json"))["release"]
    check({name: reported[name] for name in ("number", "key", "minKey")} == {"number": 9, "key": 1, "minKey": 1} and len(reported["product"]) == 16, reported)
    said = skillrom("info", release)
    check("release" in said and "key 1, lowest key 1" in said, said)
    check(files_of(release) == files_of(r.image("Sentence of release 9.")))


def files_of(path):
    return skillrom("ls", path)


@suite
def verify_finds_a_release_of_another_image(r):
    one, two, mixed = r.release(10).read_bytes(), r.release(11).read_bytes(), r.folder / "mixed.rom"
    mixed.write_bytes(one[:HEAD] + two[HEAD:])
    check("of another image" in skillrom("verify", mixed, code=1))


@suite
def verify_finds_bytes_after_a_release(r):
    """`update` refuses such a file, so it must not be reported as valid. After an image alone there may be the rest of a flash."""
    release, image, longer = r.release(12), r.image("Sentence of release 12."), r.folder / "longer.rom"
    for more in (b"\n", b"\xff" * 4096, release.read_bytes()):
        longer.write_bytes(release.read_bytes() + more)
        for options in ([], ["--key", r.folder / "first.pub"], ["--json"]):
            check("bytes follow its image" in skillrom("verify", longer, *options, code=1), options)
        check("the file is damaged" in skillrom("update", "tcp://127.0.0.1:1", longer, code=1))
        longer.write_bytes(pathlib.Path(image).read_bytes() + more)
        check("valid" in skillrom("verify", longer))


@suite
def options_that_contradict_each_other_are_refused(r):
    words = ["sign", r.image(), "--key", r.folder / "first.pem", "--product", "pump", "--number", 1, "-o", r.folder / "none.rom"]
    check("would revoke its own key" in skillrom(*words, "--min-key", 1, code=2))
    check("--product has no name" in skillrom(*words, "--product", "", code=2))
    check("needs --key" in skillrom("sign", r.image(), "-o", r.folder / "none.rom", code=2))


@suite
def keys_are_rows_of_an_array(r):
    text = skillrom("keys", "c", r.folder / "first.pub", r.folder / "second.pem")
    check(text.count("{") == 2 and text.count("0x") == 128, text)


@suite
def a_key_is_given_only_once(r):
    """defect 92: one that was there twice could not be withdrawn, since its second row was still trusted."""
    first, private = r.folder / "first.pub", r.folder / "first.pem"
    for keys in (first, first), (first, private), (first, r.folder / "second.pub", private):
        check(f"{keys[-1]}: the same key as {first}; give" in skillrom("keys", "c", *keys, code=1), keys)
    for keys in (first, first), (first, r.folder / "second.pub", first):
        words = [word for key in keys for word in ("--update-key", key)]
        done = subprocess.run([programs.PUMP, r.image(), "--update", r.slots(), *words, "--product", "pump"], stdin=subprocess.DEVNULL,
                              capture_output=True, text=True)
        check(done.returncode == 1 and f"{keys[-1]}: the same key as {first}; give" in done.stderr, done)
