"""`skillrom find`, over real multicast between two network namespaces, and with avahi in both directions."""

import json
import os
import subprocess

from client.check import PATIENCE, Suite, check
from client.child import die_with_parent
from client.programs import EXAMPLE_IMAGE, PUMP, ROOT, SKILLROM

suite = Suite()


@suite
def announced_devices_are_found_and_avahi_agrees(p):
    folder = f"{p.folder}/network"
    os.mkdir(folder)
    as_root = [] if os.geteuid() == 0 else ["sudo", "-n"]
    done = subprocess.run([*as_root, "unshare", "-mnpf", "--kill-child", "--mount-proc", ROOT / "tests/reach/in_network", SKILLROM, PUMP, EXAMPLE_IMAGE, folder],
                          capture_output=True, text=True, errors="replace", timeout=PATIENCE, preexec_fn=die_with_parent)
    lines = dict(line.split(": ", 1) for line in done.stdout.splitlines() if ": " in line)
    check(done.returncode == 0, f"{done.stdout} {done.stderr}")
    check("no device announces itself" in lines["nobody"], f"{lines}")
    check(lines["ours"].split()[:2] == ["pump", "3"] and ".local:7700/mcp  10.7.0.2" in lines["ours"], f"{lines}")
    told = json.loads(lines["as JSON"])
    check(f"{told['name']:<20}  {told['url']}  {told['address']}" == lines["ours"] and len(told) == 3, f"{lines}")
    check(lines["to a full disk"] == "skillrom find: cannot write to stdout: No space left on device", f"{lines}")
    check(";10.7.0.2;7700;" in lines["by avahi"] and "path=/mcp" in lines["by avahi"], f"{lines}")
    check("valve 9" in lines["avahi's"] and "https://near.local:8443/here  10.7.0.1" in lines["avahi's"], f"{lines}")
    told = json.loads(lines["over IPv6 alone"])
    check(told["name"] == "valve 9" and told["address"] == "[fe80::7%far]", f"{lines}")
    for way in "as shown", "as URLs write it":
        check("line 1 ready" in lines[way], f"{lines}")


@suite
def announcing_what_nobody_reaches_is_refused(p):
    for words, complaint in ((["--http", "127.0.0.1:0", "--announce", "x"], "nobody could come"),
                             (["--http", "127.0.0.1:0", "--announce", "a.b"], "without dots"),
                             (["--http", "[::]:0", "--allow-anyone", "--announce", "x"], "at an IPv4 address")):
        done = subprocess.run([PUMP, EXAMPLE_IMAGE, *words], capture_output=True, text=True, timeout=PATIENCE)
        check(done.returncode in (1, 2) and complaint in done.stderr, f"{words}: {done}")
