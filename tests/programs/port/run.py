#!/usr/bin/env python3
"""Tests of port/posix: drives the real skillromd over real pipes and sockets.

    tests/programs/port/run.py [SKILLROMD [SKILLROM [MODULE...]]]      MODULE: call, access, stdio, image, net, limits, log; all of them

SMALL=1 in the environment: with a small image, for servers in an emulator, and without the tests that need a large one.
Prints `ok NAME` or `not ok NAME: why` for each test and ends with `N passed, N failed`."""

import os
import sys

sys.dont_write_bytecode = True  # leave no files beside the sources
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
os.environ.update(zip(("SKILLROMD", "SKILLROM"), sys.argv[1:]))

import test_access
import test_call
import test_image
import test_limits
import test_log
import test_net
import test_stdio
from client import programs
from client.check import Tally
from large import SMALL, big_text, pack_image, pack_tools

WITHOUT_THE_LARGE_FILE = (test_call, test_access, test_log)
WITH_IT = (test_stdio, test_image, test_net, test_limits)


def main():
    programs.need()
    tally = Tally()
    with programs.scratch_folder() as folder:
        os.environ["XDG_STATE_HOME"] = os.path.join(folder, "state")  # keep out of the state of the user who runs this
        small, large = pack_image(folder, "Nothing."), pack_image(folder, big_text())
        pack_tools(folder, "one", ["hello"])
        pack_tools(folder, "two", ["hello", "stop_all"])
        pack_tools(folder, "six", ["a", "b", "c", "d", "e", "f"])
        for module in (*WITHOUT_THE_LARGE_FILE, *WITH_IT):
            if sys.argv[3:] and module.__name__.removeprefix("test_") not in sys.argv[3:]:
                continue
            if SMALL:
                module.suite.tests = [test for test in module.suite.tests if not hasattr(test, "fills_buffers")]
            tally.run(module.suite, programs.SKILLROMD, large if module in WITH_IT else small)
    return tally.finish()


if __name__ == "__main__":
    sys.exit(main())
