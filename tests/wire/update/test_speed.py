"""test_speed.py - an update over 115200 baud, in the time of the line: all of 100 KB, and a changed sentence in them."""

import os

from client import programs
from client.check import Suite, check
from client.child import Child
from releases import HEAD, skillrom
from timed_line import TimedLine, base64_seconds

suite = Suite()

# What the line may take, in times of the image in base64. In the reliable mode the host waits for the acknowledgement of each frame, which has 64
# bytes (SKR_UART_RX_FRAME): that alone is 1.4 times.
PLAIN_TIMES, RELIABLE_TIMES, MOST_SECONDS = 1.15, 1.55, 5


def measure(r, options=()):
    """(what, bytes of the image, (bytes to the device, bytes back, seconds)) of each update."""
    def fill(folder):
        programs.write(folder / "skills/daily-check/references/large.md", "".join(f"Line {n} of a manual that says something.\n" for n in range(1300)))
    images = [r.image(f"{sentence}, in a large image.", fill) for sentence in ("One", "Another sentence", "And a third one")]
    line = TimedLine()
    device = Child(programs.PUMP, images[0], *r.options(r.slots()), "--serial", f"{line.device},115200")
    device.wait_for("serving")
    for what, number, more in (("all of it", 1, ["--full"]), ("a changed sentence", 2, [])):
        release = r.sign(images[number], number)
        before = *line.bytes, line.seconds
        skillrom("update", line.host, release, "--confirm", *more, *options)
        yield what, os.path.getsize(release) - HEAD, [now - then for now, then in zip((*line.bytes, line.seconds), before)]
    device.kill()


def check_speed(r, most, *options):
    (_, size, whole), (_, _, sentence) = measure(r, options)
    times = whole[2] / base64_seconds(size)
    print(f"{size} bytes take {whole[2]:.2f} s, {times:.3f} times what the line needs in base64; a changed sentence takes {sentence[2]:.2f} s", flush=True)
    check(size > 95000 and times > 1 and times < most, f"{times:.3f} times")
    check(sentence[2] < MOST_SECONDS, f"{sentence[2]:.2f} s")


@suite
def plain_lines(r):
    check_speed(r, PLAIN_TIMES, "--plain")


@suite
def the_reliable_mode(r):
    check_speed(r, RELIABLE_TIMES)
