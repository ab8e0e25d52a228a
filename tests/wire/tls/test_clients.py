"""Clients people use, doing what they do."""
import concurrent.futures
import json
import subprocess

from client.check import PATIENCE, Suite, check
from client.mcp import headers_of, http_bytes, request
from targets import FILE_TEXT, HERE, Peer, read_file

suite = Suite()


def curl(target, message, *more, authority="ca", host="localhost"):
    """Exit status, and what it printed."""
    words = ["curl", "-sS", "--max-time", str(PATIENCE), "--cacert", target.certs.path(f"{authority}.pem"), *more]
    for name, value in headers_of(message).items():
        words += ["-H", f"{name}: {value}"]
    words += ["-d", json.dumps(message), f"https://{host}:{target.port}/mcp"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=PATIENCE)
    return done.returncode, done.stdout, done.stderr


def check_served(target):
    """Another client gets a response."""
    with Peer(target) as peer:
        status, body = peer.handshake().exchange(request(99))
        check(status == 200 and body["id"] == 99, f"a newcomer got {status} {body}")


@suite
def curl_gets_a_response(target):
    status, out, err = curl(target, request(1))
    check(status == 0 and json.loads(out)["id"] == 1, f"{status} {out} {err}")


@suite
def curl_gets_64_kb(target):
    status, out, err = curl(target, read_file(2))
    check(status == 0, err)
    check(json.loads(out)["result"]["contents"][0]["text"] == FILE_TEXT, "the file came out different")


@suite
def node_gets_answers_and_64_kb_on_one_connection(target):
    done = subprocess.run(["node", str(HERE / "client.mjs"), str(target.port), json.dumps([request(1), read_file(2), request(3)])],
                          capture_output=True, text=True, env={"NODE_EXTRA_CA_CERTS": target.certs.path("ca.pem"), "PATH": "/usr/bin:/bin"}, timeout=PATIENCE)
    check(done.returncode == 0, done.stderr)
    responses = json.loads(done.stdout)
    check(responses["connections"] == 1, "it took more than one connection")
    check([a["id"] for a in responses["bodies"]] == [1, 2, 3], "wrong ids")
    check(responses["bodies"][1]["result"]["contents"][0]["text"] == FILE_TEXT, "the file came out different")


@suite
def node_does_not_connect_without_the_authority(target):
    done = subprocess.run(["node", str(HERE / "client.mjs"), str(target.port), json.dumps([request(1)])],
                          capture_output=True, text=True, env={"PATH": "/usr/bin:/bin"}, timeout=PATIENCE)
    check(done.returncode == 1 and "UNABLE_TO_VERIFY_LEAF_SIGNATURE" in done.stderr, done.stderr)
    check_served(target)


@suite
def openssl_speaks_tls_1_2_with_the_suite_it_should(target):
    done = subprocess.run(["openssl", "s_client", "-connect", f"127.0.0.1:{target.port}", "-CAfile", target.certs.path("ca.pem"),
                           "-verify_return_error", "-servername", "localhost"], input="", capture_output=True, text=True, timeout=PATIENCE)
    for words in ("Protocol  : TLSv1.2", "Cipher    : ECDHE-ECDSA-CHACHA20-POLY1305", "Verify return code: 0 (ok)",
                  "Secure Renegotiation IS supported", "Server Temp Key: ECDH, prime256v1"):
        check(words in done.stdout, f"no {words!r} in {done.stdout}")


@suite
def wrong_authority_ends_in_the_client(target):
    target.certs.authority("stranger")
    status, _, err = curl(target, request(1), authority="stranger")
    check(status == 60, f"{status} {err}")
    check_served(target)


@suite
def a_name_that_is_not_in_the_certificate_ends_in_the_client(target):
    status, _, err = curl(target, request(1), "--resolve", f"other.local:{target.port}:127.0.0.1", host="other.local")
    check(status == 60, f"{status} {err}")


@suite
def three_connections_at_once_get_64_kb_each(target):
    def fetch(i):
        with Peer(target) as peer:
            return peer.handshake().exchange(read_file(i))

    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        for i, (status, body) in enumerate(pool.map(fetch, range(3))):
            check(status == 200 and body["id"] == i, f"{i}: {status}")
            check(body["result"]["contents"][0]["text"] == FILE_TEXT, f"{i}: the file came out different")


@suite
def requests_in_one_record_and_a_request_in_many(target):
    with Peer(target) as peer:
        peer.handshake()
        peer.socket.sendall(peer.record(http_bytes(request(1)) + http_bytes(request(2))))
        check([peer.response()[1]["id"] for _ in range(2)] == [1, 2], "not both were answered")
        for byte in http_bytes(request(3)):
            peer.socket.sendall(peer.record(bytes([byte])))
        check(peer.response()[1]["id"] == 3, "a byte a record")


@suite
def a_handshake_and_a_request_byte_by_byte(target):
    with Peer(target) as peer:
        def drip(data):
            for byte in data:
                peer.socket.sendall(bytes([byte]))

        status, body = peer.handshake(drip).exchange(request(5), send=drip)
        check(status == 200 and body["id"] == 5, f"{status} {body}")


@suite
def the_server_ends_with_close_notify(target):
    with Peer(target) as peer:
        status, _ = peer.handshake().exchange(request(6), "Connection: close\r\n")
        check(status == 200, "no answer")
        check(peer.plain() == b"", "it hung up without close_notify")


@suite
def the_clients_close_notify_is_answered(target):
    with Peer(target) as peer:
        peer.handshake().exchange(request(7))
        peer.step(peer.tls.unwrap)
        peer.socket.sendall(peer.flight())
        while not peer.step(peer.tls.unwrap):
            check(peer.hear(), "the server hung up without close_notify")
    check_served(target)
