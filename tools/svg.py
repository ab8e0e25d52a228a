"""svg.py - pictures as SVG: bars with labels, boxes and arrows. Their colours follow the reader's, light or dark."""
from html import escape

STYLE = """text{font:14px system-ui,sans-serif;fill:#1c2733}.soft{fill:#55616e;font-size:12px}.head{font-weight:600}
.box{fill:#f3f5f7;stroke:#55616e}.strong{fill:#dcebf5;stroke:#00639b}.bar{fill:#00639b}.line{fill:none;stroke:#55616e;stroke-width:1.5}.tip{fill:#55616e}
@media(prefers-color-scheme:dark){text{fill:#e3e8ec}.soft{fill:#a3b0bc}.box{fill:#1b2229;stroke:#a3b0bc}.strong{fill:#10344b;stroke:#7cc4ff}
.bar{fill:#7cc4ff}.line{stroke:#a3b0bc}.tip{fill:#a3b0bc}}"""
TIP = ('<marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse">'
       '<path class="tip" d="M0 0 8 4 0 8z"/></marker>')


def picture(width, height, title, parts):
    """A whole file; `title` is what a screen reader says."""
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">'
            f"<title>{escape(title)}</title><style>{STYLE}</style><defs>{TIP}</defs>\n" + "\n".join(parts) + "\n</svg>\n")


def words(x, y, text, look="", anchor="start"):
    return f'<text x="{x}" y="{y}" class="{look}" text-anchor="{anchor}">{escape(text)}</text>'


def box(x, y, width, height, lines, look="box"):
    """A box with lines of text in its middle; those after the first are soft."""
    first = y + height / 2 + 5 - 8.5 * (len(lines) - 1)
    return "\n".join([f'<rect class="{look}" x="{x}" y="{y}" width="{width}" height="{height}" rx="6"/>'] +
                     [words(x + width / 2, first + 17 * i, line, "soft" if i else "head", "middle") for i, line in enumerate(lines)])


def arrow(*points, text="", at=None):
    """Through these points; `text` is beside the middle of the first stretch, or at `at`."""
    path = " ".join(f"{x},{y}" for x, y in points)
    x, y = at or ((points[0][0] + points[1][0]) / 2 + 6, (points[0][1] + points[1][1]) / 2 - 4)
    return f'<polyline class="line" points="{path}" marker-end="url(#tip)"/>' + (words(x, y, text, "soft") if text else "")


def bars(title, groups, width=720, label=175, level=None):
    """Groups are (heading, [(name, value, text after the bar)]); all bars have one scale. With `level`, (value, text), a line is drawn at
    this value, below its text and the title, and the texts after the bars are to the right of it."""
    longest = max([level[0] if level else 0] + [value for _, rows in groups for _, value, _ in rows])
    scale = (width - label - 130) / longest
    parts, y, right = [], 10, label + scale * longest
    if level:
        parts += [words(10, y + 14, title, "head"), words(label + scale * level[0], y + 40, level[1], "soft", "middle")]
        y += 36
    top = y + 10
    for heading, rows in groups:
        parts.append(words(10, y + 18, heading, "head"))
        y += 30
        for name, value, said in rows:
            length = round(scale * value, 1)
            parts += [words(label - 10, y + 14, name, "", "end"), words((right if level else label + length) + 8, y + 14, said, "soft"),
                      f'<rect class="bar" x="{label}" y="{y + 2}" width="{length}" height="16" rx="2"/>']
            y += 22
        y += 12
    if level:
        parts.append(f'<path class="line" d="M{label} {top}V{y - 8}M{round(label + scale * level[0], 1)} {top}V{y - 8}" stroke-dasharray="4 4"/>')
    return picture(width, y, title, parts)
