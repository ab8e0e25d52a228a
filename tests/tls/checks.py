"""checks.py - a line for each test, and their sum."""
import traceback


class Failed(Exception):
    pass


def check(condition, why):
    if not condition:
        raise Failed(why)


class Tests:
    """Runs functions named test_*; each gets what was passed to run."""

    def __init__(self):
        self.passed = self.failed = 0

    def run(self, functions, *arguments):
        for function in functions:
            name = function.__name__.removeprefix("test_")
            try:
                function(*arguments)
                print(f"ok   {name}", flush=True)
                self.passed += 1
            except Exception as error:  # every failure is told, and the next test runs
                what = str(error) if isinstance(error, Failed) else "\n".join(traceback.format_exc().splitlines()[-5:])
                print(f"FAIL {name}: {what}", flush=True)
                self.failed += 1

    def finish(self):
        print(f"{self.passed} passed, {self.failed} failed")
        return 1 if self.failed else 0


def tests_of(module):
    return [thing for name, thing in vars(module).items() if name.startswith("test_")]
