"""Devices at https://: pinned certificates, authorities, and handshakes that fail. Programs, and boards in QEMU."""

import hashlib
import os
import pathlib
import socket
import ssl
import sys
import threading

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "wire", "tls"))

from certs import Folder, openssl
from client.bridge import Bridge, check_right
from client.check import Suite, afterwards, check
from client.child import Server
from client.mcp import INITIALIZE, legacy, modern
from client.programs import PUMP
from device import Between
from targets import FILE_TEXT, FILE_URI, EmulatedBoard, pack_image

suite = Suite()


class Secured:
    """The example device at https://."""

    def __init__(self, p, name, cert="device"):
        folder = f"{p.folder}/{name}"
        os.mkdir(folder)
        self.certs = Folder(folder)
        self.image, self.cert, self.address = p.image, cert, "127.0.0.1:0"
        if cert == "expired":
            self.certs.certificate("expired", "ca", dates=("20200101000000Z", "20210101000000Z"))
        self.start()
        self.address = f"127.0.0.1:{self.port}"

    @property
    def port(self):
        return self.server.ports[0]

    @property
    def url(self):
        return f"https://{self.address}"

    @property
    def pin(self):
        return "sha256:" + hashlib.sha256(openssl("x509", "-in", self.path(), "-outform", "DER")).hexdigest()

    def path(self, name=None):
        return self.certs.path(name or f"{self.cert}.pem")

    def start(self):
        self.server = Server(PUMP, self.image, "--https", self.address, "--cert", self.path(), "--key",
                             self.path(f"{self.cert}.key"))


def is_refused(p, url, *options, words):
    """The person at stderr and the client get the right words."""
    with Bridge(p, url, "--no-cache", "--wait", "300ms", *options) as b:
        b.wait_for("trying again")
        message = b.exchange(modern("tools/list"))["error"]["message"]
        check(words in message, f"{words}: {message}")
        check(b.has_said(words) and not b.has_said("device found"), f"{b.said}")


def is_served(p, url, *options):
    with Bridge(p, url, "--no-cache", *options) as b:
        check("result" in b.exchange(modern("tools/list")), f"{b.said}")


@suite
def pinned_device_is_served_and_survives_being_killed(p):
    device = Secured(p, "pinned")
    with Bridge(p, device.url, "--no-cache", "--pin", device.pin) as b:
        for request, response in b.exchange_all(p.reads(60)):
            check_right(p, request, response)
        b.exchange(INITIALIZE)
        for _ in range(3):
            device.server.kill()
            device.start()
            response = b.exchange(legacy("tools/call", name="line_status", arguments={"line": 1}))
            check("line 1" in response["result"]["content"][0]["text"], f"{response}")
    colons = openssl("x509", "-in", device.path(), "-noout", "-fingerprint", "-sha256").decode().strip().split("=")[1]
    is_served(p, device.url, "--pin", f"sha256:{colons}")


@suite
def stranger_is_shown_by_its_fingerprint_and_not_served(p):
    device = Secured(p, "stranger")
    is_refused(p, device.url, words=f"--pin {device.pin}")
    is_refused(p, device.url, "--pin", "sha256:" + "0" * 64, words=f"another than the pinned one: {device.pin}")
    expired = Secured(p, "expired", "expired")
    is_served(p, expired.url, "--pin", expired.pin)
    is_refused(p, f"https://localhost:{expired.port}", "--ca-file", expired.path("ca.pem"), words="expired")


@suite
def authority_s_signature_name_and_date_are_checked(p):
    device, other = Secured(p, "authority"), Secured(p, "other")
    named = f"https://localhost:{device.port}"
    is_served(p, named, "--ca-file", device.path("ca.pem"))
    windows = pathlib.Path(device.path("windows.pem"))
    windows.write_bytes(pathlib.Path(device.path("ca.pem")).read_bytes().replace(b"\n", b"\r\n"))
    is_served(p, named, "--ca-file", str(windows))
    is_refused(p, named, "--ca-file", other.path("ca.pem"), words="no authority of --ca-file")
    is_refused(p, device.url, "--ca-file", device.path("ca.pem"), words="another name")
    is_refused(p, named, "--ca-file", "/etc/ssl/certs/ca-certificates.crt", words="no authority of --ca-file")


@suite
def handshake_cut_anywhere_is_tried_again(p):
    device = Secured(p, "cut")
    between = Between(device.port, [1, 5, 80, 300, 600, 700, 760, 800, 850])
    with Bridge(p, f"https://{between.address}", "--no-cache", "--pin", device.pin) as b:
        check("result" in b.exchange(modern("tools/list")), f"{b.said}")
        check(not between.limits, "all were cut")


@suite
def what_is_no_tls_server_or_another_one_is_said(p):
    plain = Server(PUMP, p.image, "--http", "127.0.0.1:0")
    is_refused(p, f"https://127.0.0.1:{plain.ports[0]}", "--pin", "sha256:" + "1" * 64, words="TLS")
    device = Secured(p, "no-tls")
    is_refused(p, f"http://127.0.0.1:{device.port}", words="HTTP status 400")
    newer = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    newer.minimum_version = ssl.TLSVersion.TLSv1_3
    newer.load_cert_chain(device.path(), device.path("device.key"))
    listener = socket.create_server(("127.0.0.1", 0))
    afterwards(listener.close)

    def serve():
        while True:
            try:
                peer, _ = listener.accept()
                newer.wrap_socket(peer, server_side=True)
            except ssl.SSLError:
                pass
            except OSError:
                return

    threading.Thread(target=serve, daemon=True).start()
    is_refused(p, f"https://127.0.0.1:{listener.getsockname()[1]}", "--pin", device.pin, words="TLS 1.2")


def fingerprint(certs):
    return "sha256:" + hashlib.sha256(openssl("x509", "-in", certs.path("device.pem"), "-outform", "DER")).hexdigest()


def on_a_board(p, build, *options):
    folder = f"{p.folder}/{build}"
    os.mkdir(folder)
    certs = Folder(folder)
    board = EmulatedBoard(build, certs, pack_image(folder))
    afterwards(board.board.stop)
    pin = fingerprint(certs)
    with Bridge(p, f"https://127.0.0.1:{board.port}", "--no-cache", "--pin", pin, *options) as b:
        b.exchange(INITIALIZE)
        for _ in range(3):
            response = b.exchange(modern("resources/read", uri=FILE_URI))
            check(response["result"]["contents"][0]["text"] == FILE_TEXT, f"{str(response)[:300]}")
            check("result" in b.exchange(legacy("tools/list")), "older")
            board.board.emulator.reset()
        check("result" in b.exchange(legacy("tools/list")), "after a reset")
    with Bridge(p, f"https://127.0.0.1:{board.port}", "--no-cache", "--wait", "60000ms") as b:
        check(pin in b.wait_for("--pin sha256:"), f"{b.said}")
    with Bridge(p, f"https://127.0.0.1:{board.port}", "--no-cache", "--wait", "60000ms", "--pin", "sha256:" + "0" * 64) as b:
        check(pin in b.wait_for("another than the pinned one"), f"{b.said}")
        check(not b.has_said("device found"), "it goes on with another one")


@suite
def board_with_three_connections_is_served_and_survives_resets(p):
    on_a_board(p, "mps2-an385-net-tls")


@suite
def board_with_one_connection_is_served_and_survives_resets(p):
    on_a_board(p, "lm3s6965evb-net-tls")


@suite
def what_is_asked_while_a_board_with_tls_starts_is_repeated_if_that_is_safe(p):
    """A list is asked for again, and nobody notices. Whether a tool was run is not known, so that it is not run twice; the next call
    is well."""
    folder = f"{p.folder}/starting"
    os.mkdir(folder)
    certs = Folder(folder)
    board = EmulatedBoard("mps2-an385-net-tls", certs, p.image)
    afterwards(board.board.stop)
    status = modern("tools/call", name="line_status", arguments={"line": 1})
    with Bridge(p, f"https://127.0.0.1:{board.port}", "--no-cache", "--pin", fingerprint(certs)) as b:
        for request in modern("prompts/list"), status:
            check("result" in b.exchange(status), "it is well")  # and there is a connection that the next request uses
            board.board.emulator.command_result("stop", rb"\(qemu\) $")
            board.board.emulator.reset()
            b.send(request)
            board.board.emulator.command_result("cont", rb"\(qemu\) $")
            response = b.receive()[1]
            error = response.get("error", {"message": ""})["message"]
            check("result" in response or (request is status and "may have executed" in error), f"{response}")
        check("result" in b.exchange(status), "it is well again")
