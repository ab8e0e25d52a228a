"""The bridge and firmware in QEMU: the real device side, its rings and its 256 bytes of receive buffer."""

import os
import random

from bridge import Board, pull_and_reset, right_or_clear_error
from client.bridge import Bridge, check_right
from client.check import Suite, check
from client.mcp import INITIALIZE, legacy, modern
from line import Line

suite = Suite()


@suite
def board_responds_in_both_modes(p):
    for mode, words in (((), "reliable mode"), (("--plain",), "plain lines")):
        line = Line(p.folder, "board-" + words.split()[0])
        with Board(line), Bridge(p, line.host, "--no-cache", *mode) as b:
            for request, response in b.exchange_all(p.reads(30)):
                check_right(p, request, response)
            check(b.exchange(INITIALIZE)["result"]["serverInfo"]["name"] == "tidewater-dp4", "a handshake")
            check(b.exchange(legacy("tools/list"))["result"]["tools"], "and a request after it")
            check(b.has_said(words), f"{b.said}")


@suite
def smallest_board_responds_in_both_modes(p):
    """8 KB of RAM; its profile knows less than the PC's, but the files are the same."""
    requests = [modern("resources/read", uri=uri) for uri in p.files]
    for mode in ((), ("--plain",)):
        line = Line(p.folder, "smallest" + "".join(mode))
        with Board(line, "stm32vldiscovery"), Bridge(p, line.host, "--no-cache", *mode) as b:
            for request, response in b.exchange_all(requests):
                right = p.right(request)["result"]["contents"]
                check(response.get("result", {}).get("contents") == right, f"{request} got {str(response)[:300]}")


@suite
def noisy_line_to_a_board_a_thousand_requests(p):
    """Short ones, for an emulated UART is slow; the PC's device gets long ones, test_bridge.py."""
    line = Line(p.folder, "board-noise", noise=1000, seed=3)
    short = [r for r in p.reads(40) if len(str(p.right(r))) < 1500]
    n = 0
    with Board(line), Bridge(p, line.host, "--no-cache") as b:
        for request, response in b.exchange_all(short[i % len(short)] for i in range(1000)):
            check_right(p, request, response)
            n += 1
        check(b.has_said("reliable mode"), f"{b.said}")
    check(n == 1000, f"{n}")


@suite
def noisy_line_to_a_board_in_plain_mode_right_or_a_clear_error(p):
    line = Line(p.folder, "board-plain-noise", noise=1000, seed=8)
    reads = [r for r in p.reads(60) if r["method"] != "tools/call"]
    with Board(line), Bridge(p, line.host, "--plain", "--no-cache", "--response-timeout", "20000ms") as b:
        right_or_clear_error(p, line, b, reads[:30])


@suite
def cable_is_pulled_and_the_board_reset_a_hundred_times_under_load(p):
    line = Line(p.folder, "board-pulled")
    with Board(line) as board, Bridge(p, line.host, "--no-cache", "--wait", "60000ms") as b:
        pull_and_reset(p, line, b, random.Random(12), 8, board.emulator.reset)


@suite
def compressed_files_stay_compressed_on_the_line(p):
    used = {}
    for image in ("build/example.rom", "build/example-deflated.rom"):
        line = Line(p.folder, "stored-" + os.path.basename(image))
        with Board(line, image=image), Bridge(p, line.host, "--no-cache") as b:
            for era in (modern, legacy):
                b.exchange(INITIALIZE)
                before = line.count()
                for uri in p.files:
                    response = b.exchange(era("resources/read", uri=uri))["result"]
                    right = p.right(modern("resources/read", uri=uri))["result"]
                    check(response["contents"] == right["contents"], f"{uri}: {str(response)[:300]}")
                used[image, era] = line.count() - before
    for era in (modern, legacy):
        plain, stored = (used[f"build/example{kind}.rom", era] for kind in ("", "-deflated"))
        check(stored * 5 < plain * 4, f"{plain} bytes plain, {stored} stored")
