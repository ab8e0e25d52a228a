#!/usr/bin/env python3
"""Tests of port/posix: drives the real skillromd over real pipes and sockets.

    tests/port/run.py [SKILLROMD [SKILLROM]]

Prints `ok NAME` or `not ok NAME: why` for each test and ends with `N passed, N failed`."""

import os
import sys

sys.dont_write_bytecode = True  # leave no files beside the sources
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
os.environ.update(zip(("SKILLROMD", "SKILLROM"), sys.argv[1:]))

import test_call
import test_image
import test_limits
import test_net
import test_stdio
from client import programs
from client.check import Tally
from large import pack_image, pack_tools


def main():
    programs.need()
    tally = Tally()
    with programs.scratch_folder() as folder:
        image = pack_image(folder)
        pack_tools(folder, "one", ["hello"])
        pack_tools(folder, "two", ["hello", "stop_all"])
        pack_tools(folder, "six", ["a", "b", "c", "d", "e", "f"])
        for module in (test_call, test_stdio, test_image, test_net, test_limits):
            tally.run(module.suite, programs.SKILLROMD, image)
    return tally.finish()


if __name__ == "__main__":
    sys.exit(main())
