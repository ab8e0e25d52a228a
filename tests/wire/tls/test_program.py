"""skillromd's own: what is said about files that cannot be used, and what needs more than a board has."""
import http.client
import json
import os
import signal
import subprocess

from certs import openssl
from client.check import PATIENCE, Suite, check
from client.mcp import headers_of, http_bytes, request
from client.programs import SKILLROMD, pack, write
from targets import Peer, Program, context, read_file
from test_clients import check_served, curl
from test_hostile import served_in_the_end

suite = Suite()


def refused(certs, image, cert, key, words, status=1):
    """It does not start, and says why."""
    done = subprocess.run([SKILLROMD, image, "--https", "127.0.0.1:0", "--cert", certs.path(cert), "--key", certs.path(key)],
                          capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=PATIENCE)
    check(done.returncode == status and words in done.stderr, f"{words!r} expected, but {done.returncode}: {done.stderr}")


@suite
def files_that_are_not_there_or_hold_nothing(certs, image):
    refused(certs, image, "none.pem", "device.key", "none.pem: No such file")
    refused(certs, image, "device.pem", "none.key", "none.key: No such file")
    refused(certs, image, "device.key", "device.key", "no certificate in PEM (-----BEGIN CERTIFICATE-----)")
    refused(certs, image, "device.pem", "device.pem", "no private key in PEM")
    (certs.folder / "empty").write_text("")
    refused(certs, image, "empty", "device.key", "no certificate in PEM")
    (certs.folder / "torn.key").write_text((certs.folder / "device.key").read_text().replace("M", "!"))
    refused(certs, image, "device.pem", "torn.key", "not base64")
    text = (certs.folder / "device.key").read_text().splitlines()
    (certs.folder / "short.key").write_text("\n".join([text[0], text[1][:40], text[-1], ""]))
    refused(certs, image, "device.pem", "short.key", "the private key is damaged")
    refused(certs, image, ".", "device.key", "Is a directory")


@suite
def keys_of_other_kinds(certs, image):
    openssl("genrsa", "-out", certs.path("rsa.key"), "2048")
    openssl("rsa", "-in", certs.path("rsa.key"), "-traditional", "-out", certs.path("rsa1.key"))
    refused(certs, image, "device.pem", "rsa.key", "an RSA key; only EC keys on P-256")
    refused(certs, image, "device.pem", "rsa1.key", "an RSA key; only EC keys on P-256")
    openssl("req", "-x509", "-new", "-key", certs.path("rsa.key"), "-subj", "/CN=rsa", "-out", certs.path("rsa.pem"))
    refused(certs, image, "rsa.pem", "device.key", "not for an EC key on P-256")
    for curve in ("secp384r1", "secp256k1"):
        certs.key("other.key", curve)
        refused(certs, image, "device.pem", "other.key", "not EC on P-256")
    openssl("genpkey", "-algorithm", "ed25519", "-out", certs.path("ed.key"))
    refused(certs, image, "device.pem", "ed.key", "not EC on P-256")
    openssl("pkcs8", "-topk8", "-in", certs.path("device.key"), "-passout", "pass:x", "-out", certs.path("locked.key"))
    refused(certs, image, "device.pem", "locked.key", "encrypted; decrypt it with: openssl pkey")


@suite
def a_key_that_does_not_belong(certs, image):
    certs.key("another.key")
    refused(certs, image, "device.pem", "another.key", "does not belong to the first certificate")


@suite
def too_long_a_chain(certs, image):
    (certs.folder / "long.pem").write_text((certs.folder / "device.pem").read_text() * 4)
    refused(certs, image, "long.pem", "device.key", "more than 3 certificates")
    (certs.folder / "huge.pem").write_text((certs.folder / "device.pem").read_text() * 60)
    refused(certs, image, "huge.pem", "device.key", "more than 16384 bytes")


@suite
def options_that_belong_together(certs, image):
    for words in (["--https", "127.0.0.1:0"], ["--cert", certs.path("device.pem")], ["--http", "127.0.0.1:0", "--key", "x"]):
        done = subprocess.run([SKILLROMD, image, *words], capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=PATIENCE)
        check(done.returncode == 2 and "--https, --cert and --key belong together" in done.stderr, done.stderr)


def serves(certs, image, cert, key, words="", authority="ca"):
    server = Program(certs, image, cert=cert, key=key)
    check(server.has_said(words) if words else not server.has_said("warning"), server.said)
    done = curl(server, request(1), authority=authority)
    said = server.stop()
    check(not said, said)
    return done[0]


@suite
def forms_of_a_key_that_are_served(certs, image):
    openssl("pkcs8", "-topk8", "-nocrypt", "-in", certs.path("device.key"), "-out", certs.path("pkcs8.key"))
    openssl("ecparam", "-name", "prime256v1", "-genkey", "-out", certs.path("with-parameters.key"))
    certs.certificate("with-parameters", "ca", key="with-parameters.key")
    for name in ("pkcs8.key", "with-parameters.key"):
        os.chmod(certs.path(name), 0o600)
    check(serves(certs, image, "device", "pkcs8.key") == 0, "PKCS#8")
    check(serves(certs, image, "with-parameters", None) == 0, "with EC PARAMETERS before it")
    both = (certs.folder / "device.pem").read_text() + (certs.folder / "device.key").read_text()
    (certs.folder / "both.pem").write_text(both.rstrip("\n"))
    os.chmod(certs.path("both.pem"), 0o600)
    check(serves(certs, image, "both", "both.pem") == 0, "both in one file, without a last newline")
    (certs.folder / "windows.pem").write_bytes(both.replace("\n", "\r\n").encode())
    os.chmod(certs.path("windows.pem"), 0o600)
    check(serves(certs, image, "windows", "windows.pem") == 0, "newlines as on Windows")


@suite
def a_chain_is_sent(certs, image):
    certs.key("middle.key")
    certs.certificate("middle", "ca", key="middle.key", extensions="basicConstraints=CA:TRUE\n")
    certs.certificate("leaf", "middle")
    text = (certs.folder / "leaf.pem").read_text() + (certs.folder / "middle.pem").read_text()
    (certs.folder / "chained.pem").write_text(text)
    check(serves(certs, image, "chained", "leaf.key") == 0, "curl does not accept the chain")
    check(serves(certs, image, "leaf", None) == 60, "curl accepts it without the chain")


@suite
def warnings(certs, image):
    certs.certificate("expired", "ca", dates=("20200101000000Z", "20210101000000Z"))
    check(serves(certs, image, "expired", None, "the certificate has expired") == 60, "curl accepts an expired certificate")
    certs.certificate("early", "ca", dates=("20990101000000Z", "21000101000000Z"))
    check(serves(certs, image, "early", None, "not valid yet") == 60, "curl accepts an early certificate")
    certs.certificate("open", "ca")
    os.chmod(certs.path("open.key"), 0o644)
    check(serves(certs, image, "open", None, "users other than its owner can read the private key") == 0, "not served")


@suite
def aes_for_those_who_want_it(certs, image):
    server = Program(certs, image)
    made = context(certs)
    made.set_ciphers("ECDHE-ECDSA-AES128-GCM-SHA256")
    with Peer(server, made) as peer:
        status, body = peer.handshake().exchange(read_file(1))
        check(status == 200 and peer.tls.cipher()[0] == "ECDHE-ECDSA-AES128-GCM-SHA256", "no AES")
    check(not server.stop(), "it complained")


@suite
def a_stream_tells_of_a_new_image(certs, image):
    """An SSE stream over TLS: opened, silent, told, ended with close_notify when the server ends."""
    server = Program(certs, image, "--reload")
    with Peer(server) as peer:
        peer.handshake()
        peer.socket.sendall(peer.record(http_bytes(request(1, "subscriptions/listen", notifications={"resourcesListChanged": True}))))
        peer.until(lambda got: b"text/event-stream" in got and b"notifications/subscriptions/acknowledged" in got)
        check_served(server)
        write(certs.folder / "longer/skills/extra/SKILL.md",
              "---\nname: extra\ndescription: Another one. Use it in tests of TLS, and nowhere else.\n---\nx\n")
        old = open(image, "rb").read()
        os.replace(pack(certs.folder / "longer", certs.path("new.rom")), image)
        server.signal(signal.SIGHUP)
        peer.until(lambda got: b"notifications/resources/list_changed" in got)
        server.signal()
        while more := peer.plain():
            peer.got += more
        check(more == b"", "the stream ended without close_notify")
    check(not server.stop(), "it complained")
    with open(image, "wb") as file:
        file.write(old)


@suite
def all_slots_taken_is_told_as_an_alert(certs, image):
    """Two that are being served keep their slots; the third client is told, and a little later served."""
    server = Program(certs, image, "--slots", "2", "--grace", "60000ms")
    streams = [Peer(server).handshake() for _ in range(2)]
    with Peer(server) as late:
        late.step(late.tls.do_handshake)
        check(late.end() == bytes([21, 3, 3, 0, 2, 2, 80]), "no alert")
    for peer in streams:
        peer.socket.close()
    served_in_the_end(server)
    check(not server.stop(), "it complained")


@suite
def http_and_https_side_by_side(certs, image):
    server = Program(certs, image)
    plain = http.client.HTTPConnection("127.0.0.1", server.plain_port)
    with Peer(server) as peer:
        peer.handshake()
        for i in range(5):
            plain.request("POST", "/mcp", json.dumps(request(i)), headers_of(request(i)))
            check(json.loads(plain.getresponse().read())["id"] == i, "over HTTP")
            check(peer.exchange(request(i))[1]["id"] == i, "over HTTPS")
    check(not server.stop(), "it complained")


@suite
def a_log_tells_of_requests_not_of_records(certs, image):
    server = Program(certs, image, "--log")
    with Peer(server) as peer:
        status, body = peer.handshake().exchange(read_file(1))
        check(status == 200, f"{status}")
    said = server.wait_for_line(r": 127\.0\.0\.1:\d+ resources/read \S+ 200 ok [1-9]\d* bytes \d+ ms$")
    check(int(said.split(" bytes ")[0].split()[-1]) > len(body), f"the body alone has {len(body)} bytes: {said}")
    server.stop()
