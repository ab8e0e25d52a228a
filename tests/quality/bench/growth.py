"""How the costs grow with the number of skills. Used by both tests/quality/bench/run and tests/quality/bench/check."""

import os
import re
import subprocess

import bench
import make_skills


def sample(skills):
    """Ten skills of equal size that lie all over the table: their names differ in the first letter."""
    return [make_skills.name_of(skills // 200 * 100 + i) for i in range(10)]


def resident_bytes(image):
    """RAM of pump after it has answered: what it has written to, without its copy of the image."""
    child = subprocess.Popen(
        [bench.PUMP, image], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    with child:
        for message in (bench.modern("skills/list"), bench.modern("server/discover")):
            child.stdin.write(bench.line_bytes(message))
            child.stdin.flush()
            child.stdout.readline()
        with open(f"/proc/{child.pid}/status") as status:
            kilobytes = int(re.search(r"RssAnon:\s+(\d+) kB", status.read()).group(1))
        child.stdin.close()
    page = os.sysconf("SC_PAGESIZE")
    return kilobytes * 1024 - -(-os.path.getsize(image) // page) * page


def measure(skills):
    image = bench.make_image(skills)
    pages, items = bench.walk(image, "skills/list", "skills")
    if items != skills:
        raise bench.Failed(f"{items} of {skills} skills are listed")
    uris = [f"skill://{name}/" for name in sample(skills)]
    reads = [bench.modern("resources/read", uri=uri + "references/limits.md") for uri in uris]
    gets = [bench.modern("skills/get", uri=uri + "SKILL.md") for uri in uris]
    return {
        "skills": skills,
        "image": os.path.getsize(image),
        "mount": bench.count(image, "mount", rounds=1),
        "read": bench.count_requests(image, "line", reads),
        "get": bench.count_requests(image, "line", gets),
        "page": bench.count_requests(image, "line", pages[:1]),
        "pages": len(pages),
        "walk": bench.count_requests(image, "line", pages) * len(pages) / skills,
        "ram": resident_bytes(image),
    }
