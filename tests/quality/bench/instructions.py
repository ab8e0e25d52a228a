"""Instructions per request, by method and wire. Used by both tests/quality/bench/run and tests/quality/bench/check."""

import bench

WIRES = ("line", "http")

# What a request may cost, in instructions: over a line, over HTTP. A twentieth more than it does, so that another C library
# or a newer compiler passes, and a walk over the request too many does not.
CEILINGS = {
    "ping": (4260, 6020),
    "server/discover": (13330, 14340),
    "skills/list, 20 skills": (12680, 13730),  # of it 1,100 to see that every listed tool has a handler
    "skills/get": (13320, 14320),
    "resources/read, 5 KB": (13110, 14690),
    "tools/call": (16970, 18570),
}

# What it should cost over HTTP; tests/quality/bench/README.md says where the difference goes. A ceiling may only come down to it.
BARS = {"ping": 9000, "resources/read, 5 KB": 14000}


def cases(image_has_skills=20):
    """Name and message of every request that is measured; the image is make_image(20, manual=True)."""
    return [
        ("ping", bench.PING),
        ("server/discover", bench.modern("server/discover")),
        (f"skills/list, {image_has_skills} skills", bench.modern("skills/list")),
        ("skills/get", bench.modern("skills/get", uri="skill://manual-of-the-pump/SKILL.md")),
        ("resources/read, 5 KB", bench.modern("resources/read", uri=bench.MANUAL_URI)),
        ("tools/call", bench.modern("tools/call", name="line_status", arguments={"line": 2})),
    ]


def measure():
    """Rows of name, request bytes and instructions: over line, then over HTTP."""
    image = bench.make_image(20, manual=True)
    rows = []
    for name, message in cases():
        counts = [bench.count_requests(image, wire, [message]) for wire in WIRES]
        rows.append((name, len(bench.line_bytes(message)), *counts))
    return rows


def judge(rows):
    """(what must hold, whether it does, the cost) of every ceiling."""
    return [
        (f"{name} over {wire} costs at most {ceiling:,}", cost <= ceiling, f"{cost:,.0f}")
        for name, _, *costs in rows
        for wire, cost, ceiling in zip(WIRES, costs, CEILINGS[name])
    ]
