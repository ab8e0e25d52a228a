"""The command line of skillromd: what it says, and its exit codes."""

import os
import shutil
import signal
import socket
import subprocess

from client.check import PATIENCE, Suite, check
from client.child import Server
from client.mcp import http_bytes, request
from client.programs import PUMP, scratch_folder, write
from client.wire import Client

suite = Suite()


def call(program, *arguments):
    command = [program, *arguments]
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE)


def check_refused(program, code, why, *arguments):
    done = call(program, *arguments)
    check(done.returncode == code, f"{arguments}: exit code {done.returncode}, not {code}: {done.stderr}")
    check(done.stdout == "", f"{arguments}: wrote to stdout: {done.stdout}")
    check(done.stderr.startswith("skillromd: ") and why in done.stderr, f"{arguments}: says {done.stderr!r}")
    check(done.stderr.count("\n") == 1, f"{arguments}: more than one line: {done.stderr!r}")


@suite
def help_and_version_go_to_stdout(program, image):
    for option, text in (("--help", "--timeout"), ("--version", "skillromd ")):
        done = call(program, option)
        check(done.returncode == 0 and text in done.stdout and done.stderr == "", f"{option}: {done}")


@suite
def wrong_calls_exit_with_2_and_name_the_fault(program, image):
    check_refused(program, 2, "--help")
    check_refused(program, 2, "--frob", image, "--frob")
    check_refused(program, 2, "unknown option --htpp; did you mean --http? see skillromd --help", image, "--htpp", "x")
    check_refused(program, 2, "--http needs a value", image, "--http")
    check_refused(program, 2, "--slots 65: give a number from 1 to 64", image, "--slots", "65")
    check_refused(program, 2, "IMAGE, the file that `skillrom pack` wrote, is missing", "--stdio")
    check_refused(program, 2, "--stdio takes no value", image, "--stdio=yes")
    check_refused(program, 2, "other.rom", image, "other.rom")
    check_refused(program, 2, "--stdio", image, "--stdio", "--tcp", "127.0.0.1:0")
    for address in ("7700", "example.com:1", "127.0.0.1:", "127.0.0.1:65536", "::1:80", ":80", "1.2.3.4:8x"):
        check_refused(program, 2, address, image, "--http", address)
    for word in ("--page=0", "--page=x", "--slots=0", "--slots=99999", "--idle=-1", "--timeout="):
        check_refused(program, 2, word.replace("=", " "), image, word)
    check_refused(program, 2, "--path mcp", image, "--path", "mcp")
    check_refused(program, 2, "leave one out", image, *["--tcp", "127.0.0.1:0"] * 9)
    check_refused(program, 2, "leave one out", image, *["--host", "pump.local"] * 17)


@suite
def wrong_images_exit_with_1_and_say_why(program, image):
    with scratch_folder() as folder:
        check_refused(program, 1, "No such file", f"{folder}/none.rom")
        check_refused(program, 1, "not a file", folder)
        write(f"{folder}/empty.rom", "")
        check_refused(program, 1, "empty", f"{folder}/empty.rom")
        write(f"{folder}/text.rom", "not an image\n" * 100)
        check_refused(program, 1, "text.rom: ", f"{folder}/text.rom")
        os.mkfifo(f"{folder}/fifo.rom")
        check_refused(program, 1, "not a file", f"{folder}/fifo.rom")
        with open(image, "rb") as whole:
            data = bytearray(whole.read(4096))
        data[100] ^= 1
        with open(f"{folder}/damaged.rom", "wb") as damaged:
            damaged.write(data)
        check_refused(program, 1, "damaged.rom: ", f"{folder}/damaged.rom")
        with open(image, "rb") as whole:
            data = bytearray(whole.read())
        data[-8] ^= 1  # file data: the CRC does not cover it (defect 26)
        with open(f"{folder}/changed.rom", "wb") as changed:
            changed.write(data)
        check_refused(program, 1, "changed.rom: the image's digest does not match", f"{folder}/changed.rom")


@suite
def a_device_of_ones_own_has_all_options(program, image):
    there, here = call(program, "--help").stdout, call(PUMP, "--help").stdout
    check("--exec-scripts" in there and here == there.replace("skillromd", "pump"), f"pump --help says {here!r}")


@suite
def tools_without_a_handler_are_named(program, image):
    said = "{}: {} of the image {} no handler in this program and {} not listed: {}\n"
    one = said.format("skillromd", "1 tool", "has", "is", "hello")
    six = said.format("skillromd", "6 tools", "have", "are", "a, b, c, d and 2 more")
    folder = os.path.dirname(image)
    for name, line in (("one", one), ("six", six)):
        done = call(program, f"{folder}/{name}.rom", "--stdio")
        check(done.stderr.endswith(line) and "0 tools on stdin" in done.stderr, f"{name}: says {done.stderr!r}")
    done = call(PUMP, f"{folder}/two.rom", "--stdio")  # stop_all is one of its own
    line = one.replace("skillromd", "pump")
    check(done.stderr.endswith(line) and "1 tool on stdin" in done.stderr, f"pump says {done.stderr!r}")
    done = call(program, image, "--stdio")
    check("handler" not in done.stderr, f"nothing is missing, but it says {done.stderr!r}")
    shutil.copy(image, f"{folder}/served.rom")
    with Server(program, f"{folder}/served.rom", "--tcp", "127.0.0.1:0", "--reload") as server:
        os.replace(f"{folder}/one.rom", f"{folder}/served.rom")
        server.signal(signal.SIGHUP)
        server.wait_for(": replaced; now serving")
        server.wait_for(one.strip())


@suite
def port_in_use_exits_with_1(program, image):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        check_refused(program, 1, f"127.0.0.1:{port}: ", image, "--http", f"127.0.0.1:{port}")


@suite
def port_0_picks_free_ports_and_says_which(program, image):
    listeners = ("--http", "127.0.0.1:0", "--tcp", "localhost:0", "--http=127.0.0.1:0")
    with Server(program, image, *listeners) as server:
        check(len(set(server.ports)) == 3, f"{server.said}")
        what = "skillromd: serving 3 skills, 0 tools at"
        check(server.said[0] == f"{what} http://127.0.0.1:{server.ports[0]}/mcp", server.said[0])
        check(server.said[1] == f"{what} tcp://127.0.0.1:{server.ports[1]}", server.said[1])
        for port in (server.ports[0], server.ports[2]):
            with Client(port) as client:
                client.discover(1)


@suite
def addresses_beyond_loopback_are_warned_about(program, image):
    listeners = ("--http", "127.0.0.1:0", "--tcp", "0.0.0.0:0", "--http", "127.0.0.1:0", "--allow-anyone")
    with Server(program, image, *listeners) as server:
        warnings = [line for line in server.said if "warning" in line]
        check(len(warnings) == 1 and f"0.0.0.0:{server.ports[1]}" in warnings[0], f"{server.said}")


@suite
def ipv6_is_served_where_there_is_ipv6(program, image):
    try:
        with socket.socket(socket.AF_INET6) as probe:
            probe.bind(("::1", 0))
    except OSError:
        return
    with Server(program, image, "--http", "[::1]:0") as server:
        check(f"http://[::1]:{server.ports[0]}/mcp" in server.said[0], server.said[0])
        with Client(server.ports[0], host="::1") as client:
            client.send(http_bytes(request(1), host=f"[::1]:{server.ports[0]}"))
            client.check_http(1)


@suite
def host_names_are_those_of_the_command_line(program, image):
    with Server(program, image, "--http", "127.0.0.2:0", "--host", "pump.local") as server:
        for host in ("pump.local", "127.0.0.2", "localhost", "127.0.0.1"):
            with Client(server.ports[0], host="127.0.0.2") as client:
                client.send(http_bytes(request(host), host=f"{host}:{server.ports[0]}"))
                client.check_http(host)
        with Client(server.ports[0], host="127.0.0.2") as client:
            client.send(http_bytes(request(1), host="evil.example"))
            check(client.http()[0] == 403, "a foreign Host was served")


@suite
def path_option_moves_the_endpoint(program, image):
    with Server(program, image, "--http", "127.0.0.1:0", "--path", "/pump") as server:
        check(server.said[0].endswith("/pump"), server.said[0])
        with Client(server.ports[0]) as client:
            client.send(http_bytes(request(1), path="/pump"))
            client.check_http(1)
            client.send(http_bytes(request(2)))
            check(client.http()[0] == 404, "the old path is still served")


@suite
def page_option_sets_the_length_of_lists(program, image):
    for pages, more in (("1", True), ("1000", False)):
        with Server(program, image, "--tcp", "127.0.0.1:0", "--page", pages) as server:
            with Client(server.ports[0]) as client:
                response = client.exchange_line(request(1, "resources/list"))
            check(("nextCursor" in response["result"]) == more, f"--page {pages}: {str(response)[:300]}")
