"""What the tests of the serial wire share beside client/bridge.py: the example device on a line (pump --serial), and
lines that are noisy or pulled."""

import subprocess

from client.bridge import check_right
from client.check import check
from client.child import Child
from client.emulator import Emulator, record_stack


class Device(Child):
    def __init__(self, programs, line, image=None, program=None, options=()):
        super().__init__(program or programs.pump, image or programs.image, "--serial", line.device, *options)
        self.wait_for("serving")


class Board:
    """The example device as a firmware in QEMU, on the line's end. How much stack it used is noted as tests/boards/qemu/boot
    does, for `make size`."""

    def __init__(self, line, build="mps2-an385-full", elf="program.elf", image="build/example.rom"):
        self.build, self.elf = build, elf
        self.emulator = Emulator(build, f"build/{build}/{elf}", subprocess.DEVNULL, image, tty=line.device)

    def kill(self):
        record_stack(self.build, self.elf, self.emulator.stop())
        self.emulator.monitor.close()

    def __enter__(self):
        return self

    def __exit__(self, *why):
        self.kill()


def right_or_clear_error(p, line, bridge, requests):
    """On a noisy line without the reliable mode; a third of them once more when the noise is over."""
    right = 0
    for request in requests:
        response = bridge.exchange(request)
        if "error" in response:
            check(response["error"]["message"], f"{response}")
        else:
            check_right(p, request, response)
            right += 1
    check(right > 0, "short ones come through")
    line.noise = 0
    for request in requests[:len(requests) // 3]:
        check_right(p, request, bridge.exchange(request))


def judge(p, request, response, right, errors):
    """Right, or a clear error, which a read gets only when it was tried many times."""
    if "error" in response:
        check(response["error"]["code"] == -32603 and "device" in response["error"]["message"], f"{response}")
        return right, errors + 1
    check_right(p, request, response)
    return right + 1, errors


def pull_and_reset(p, line, b, dice, most, reset):
    """A hundred times, each at a random moment under load, fewer than `most` requests at a time: the cable is pulled, or the
    device reset. More responses are right than are errors, and then all is well."""
    right = errors = 0
    for _ in range(100):
        requests = p.reads(dice.randrange(1, most))
        dice.shuffle(requests)
        for request in requests:
            b.send(request)
        # The moment: after so many of the responses. The bridge holds 64 requests at a time.
        least = max(0, len(b.waiting) - 40)
        for _ in range(dice.randrange(least, least + len(requests) + 1)):
            if b.waiting:
                right, errors = judge(p, *b.receive(), right, errors)
        kind = dice.randrange(3)
        if kind == 1:
            line.pull(line.host)
        if kind < 2:
            line.plug(line.host)
        else:
            reset()
    while b.waiting:
        right, errors = judge(p, *b.receive(), right, errors)
    check_right(p, p.reads(1)[0], b.exchange(p.reads(1)[0]))
    check(right > errors, f"{right} right, {errors} errors")
