"""Instructions per request, by method and wire. Used by both tests/bench/run and tests/bench/check."""

import bench

WIRES = ("line", "http")


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
