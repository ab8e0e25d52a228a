"""check.py - whether something holds, waiting until it does, and a runner that counts.

Waits end when what they wait for has happened; PATIENCE only bounds a failure. No test measures time."""

import os
import sys
import threading
import time
import traceback

PATIENCE = 300  # seconds; machines that run tests are busy, and clocks of emulated boards fall behind

# What is to be called when a test is over, by thread. A threading.local would not do: in a child that one thread forks, Python destroys
# those of all other threads, and with them temporary files that their tests still need.
cleanups = {}


class Failed(Exception):
    """What a test saw is not what should be."""


class Ended(Failed):
    """The program under test has ended or fallen silent."""


def check(condition, *why):
    """The parts of `why` become one text."""
    if not condition:
        raise Failed(" ".join(map(str, why)))


def until(happened, what):
    """Asks again until it has happened."""
    end = time.monotonic() + PATIENCE
    while not happened():
        check(time.monotonic() < end, f"waited in vain until {what}")
        time.sleep(0.005)


def of_this_thread():
    return cleanups.setdefault(threading.get_ident(), [])


def afterwards(function):
    """Calls the function when the test that runs in this thread is over, however it ends."""
    of_this_thread().append(function)


def clean_up(since):
    functions = of_this_thread()
    while len(functions) > since:
        functions.pop()()


class Suite:
    """Collects the functions marked with it, in order."""

    def __init__(self):
        self.tests = []

    def __call__(self, function):
        self.tests.append(function)
        return function


class Tally:
    """Runs tests, prints `ok NAME` or `not ok NAME: why` for each, and counts them."""

    def __init__(self, quiet=False):
        """Quiet: only what fails is printed."""
        self.passed = self.failed = 0
        self.quiet, self.lock = quiet, threading.Lock()

    def test(self, name, function, *arguments):
        """True when it did not complain. What it started and did not end is ended."""
        why, since = None, len(of_this_thread())
        try:
            function(*arguments)
        except Exception as error:
            why = f"{error!r} at {place_of(error)}"[:4000]
            if not isinstance(error, (Failed, AssertionError)):
                traceback.print_exc(file=sys.stderr)
        finally:
            clean_up(since)
        self.count(name, why)
        return why is None

    def judge(self, name, good, why=""):
        """Something that was found out already."""
        self.count(name, None if good else why)

    def count(self, name, why):
        """`why` is what is wrong; None: nothing."""
        with self.lock:
            self.passed, self.failed = self.passed + (why is None), self.failed + (why is not None)
            if why is not None:
                print(f"not ok {name}: {why}", flush=True)
            elif not self.quiet:
                print(f"ok {name}", flush=True)

    def run(self, suite, *arguments):
        for test in suite.tests:
            self.test(test.__name__, test, *arguments)

    def finish(self):
        """Prints the last line; the exit status."""
        print(f"{self.passed} passed, {self.failed} failed")
        return 1 if self.failed else 0


def place_of(error):
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.name != "check"]
    return f"{os.path.basename(frames[-1].filename)}:{frames[-1].lineno}"
