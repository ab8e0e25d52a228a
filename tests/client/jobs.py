"""jobs.py - programs that test and count by themselves, two at a time, and the sum of their counts."""

import concurrent.futures
import re
import subprocess
import time

from client.child import die_with_parent
from client.programs import ROOT

COUNT = re.compile(r"^(\d+) passed, (\d+) failed$", re.M)


def run(name, words, logs):
    """(passed, failed); prints the count, what failed, and what does not apply. The output is kept in `logs` as it comes, so
    that of a job that never ends there is something to read."""
    start, log = time.monotonic(), logs / f"{name.replace(' ', '-')}.log"
    with log.open("wb") as file:
        done = subprocess.run(words, cwd=ROOT, stdout=file, stderr=subprocess.STDOUT, preexec_fn=die_with_parent)
    output = log.read_text(errors="replace")
    counts = COUNT.findall(output)
    passed, failed = map(int, counts[-1]) if counts else (0, 1)
    failed = failed or int(done.returncode != 0)
    lines = [f"{'FAIL' if failed else 'ok  '} {name:38}{passed:6} passed, {failed} failed{time.monotonic() - start:6.0f} s"]
    lines += [f"    {line[:300]}" for line in output.splitlines()
              if (failed and not line.startswith("ok ")) or " need " in line or "do not apply" in line]
    print("\n".join(lines), flush=True)
    return passed, failed


def run_all(jobs, logs, last):
    """Jobs are pairs of a name and the words of a command; the last one is run when all others are done. Prints the sum;
    the exit status."""
    logs.mkdir(parents=True, exist_ok=True)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        counts = [*pool.map(lambda job: run(*job, logs), jobs)]
    passed, failed = map(sum, zip(*counts, run(*last, logs)))
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0
