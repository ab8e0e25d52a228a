#!/usr/bin/env python3
"""Tests of port/posix: drives the real skillromd over real pipes and sockets.

    tests/port/run.py build/skillromd build/skillrom

Packs an image of its own with the second program. Prints `ok NAME` or `not ok NAME: why` for each test
and ends with `N passed, N failed`."""

import os
import sys

sys.dont_write_bytecode = True  # leave no files beside the sources

import test_call
import test_image
import test_limits
import test_net
import test_stdio
from harness import pack_image, pack_tools, scratch_folder


def main():
    if len(sys.argv) != 3:
        print("usage: run.py SKILLROMD SKILLROM", file=sys.stderr)
        return 2
    for program in sys.argv[1:]:
        if not os.access(program, os.X_OK):
            print(f"run.py: {program} is not there; run `make` first", file=sys.stderr)
            return 2
    passed = failed = 0
    with scratch_folder() as folder:
        image = pack_image(sys.argv[2], folder)
        pack_tools(sys.argv[2], folder, "one", ["hello"])
        pack_tools(sys.argv[2], folder, "two", ["hello", "stop_all"])
        pack_tools(sys.argv[2], folder, "six", ["a", "b", "c", "d", "e", "f"])
        for module in (test_call, test_stdio, test_image, test_net, test_limits):
            p, f = module.suite.run(sys.argv[1], image)
            passed, failed = passed + p, failed + f
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
