"""skillromd on stdin and stdout."""

import fcntl
import json
import os
import signal
import subprocess

from client.check import PATIENCE, Suite, check
from client.child import Child
from client.mcp import check_response, line_bytes, request
from large import check_big, read_big

suite = Suite()


def start(program, image, **ends):
    child = Child(program, image, **{"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "bufsize": 0, **ends})
    child.wait_for("serving")
    return child


def finish(child):
    code = child.exit_code()
    check(code == 0 and len(child.said) == 1, f"exit code {code}, said {child.said}")


def read_line(fd):
    line = b""
    while not line.endswith(b"\n"):
        part = os.read(fd, 65536)
        check(part, f"ended after {line[:200]!r}")
        line += part
    return json.loads(line)


def whole_run(program, image, data):
    """Everything in, everything out."""
    done = subprocess.run([program, image, "--stdio"], input=data, capture_output=True, timeout=PATIENCE)
    check(done.returncode == 0, f"exit code {done.returncode}: {done.stderr}")
    check(done.stderr == b"skillromd: serving 3 skills, 0 tools on stdin and stdout\n", f"{done.stderr}")
    check(done.stdout == b"" or done.stdout.endswith(b"\n"), f"cut off: {done.stdout[-100:]!r}")
    return [json.loads(line) for line in done.stdout.split(b"\n")[:-1]]


@suite
def stdio_end_of_empty_input_ends_the_program(program, image):
    check(whole_run(program, image, b"") == [], "something on stdout")


@suite
def stdio_all_answers_leave_before_the_end(program, image):
    responses = whole_run(program, image, b"".join(line_bytes(request(i)) for i in range(1000)))
    check(len(responses) == 1000, f"{len(responses)} answers")
    for i, response in enumerate(responses):
        check_response(response, i)


@suite
def stdio_last_line_may_lack_its_newline(program, image):
    responses = whole_run(program, image, line_bytes(request(1)) + line_bytes(request(2))[:-1])
    check(len(responses) == 2, f"{len(responses)} answers")
    check_response(responses[1], 2)


@suite
def stdio_cut_off_request_does_not_keep_the_program(program, image):
    responses = whole_run(program, image, line_bytes(request(1)) + line_bytes(request(2))[:40])
    check_response(responses[0], 1)
    check(all("result" not in a for a in responses[1:]), f"answered half a request: {responses}")


@suite
def stdio_request_may_come_byte_by_byte(program, image):
    child = start(program, image)
    for i in range(3):
        for byte in line_bytes(request(i)):
            child.process.stdin.write(bytes([byte]))
        check_response(read_line(child.process.stdout.fileno()), i)
    child.process.stdin.close()
    finish(child)


@suite
def stdio_large_answer_passes_a_small_pipe(program, image):
    child = start(program, image)
    fcntl.fcntl(child.process.stdout.fileno(), 1031, 4096)  # F_SETPIPE_SZ
    child.process.stdin.write(line_bytes(read_big(1)) + line_bytes(request(2)))
    child.process.stdin.close()
    out = child.process.stdout.read().split(b"\n")
    check(len(out) == 3, f"{len(out) - 1} lines")
    check_big(json.loads(out[0]), 1)
    check_response(json.loads(out[1]), 2)
    finish(child)


@suite
def stdio_ends_may_be_non_blocking(program, image):
    in_read, in_write = os.pipe()
    out_read, out_write = os.pipe()
    os.set_blocking(in_read, False)
    os.set_blocking(out_write, False)
    child = start(program, image, stdin=in_read, stdout=out_write)
    os.close(in_read)
    os.close(out_write)
    os.write(in_write, line_bytes(read_big(1)))
    check_big(read_line(out_read), 1)
    os.write(in_write, line_bytes(request(2)))
    check_response(read_line(out_read), 2)
    os.close(in_write)
    finish(child)
    os.close(out_read)


@suite
def stdio_input_may_be_a_file(program, image):
    with open(os.path.join(os.path.dirname(image), "requests"), "wb+") as file:
        file.write(line_bytes(request(1)) + line_bytes(request(2)))
        file.seek(0)
        child = start(program, image, stdin=file)
    check(len(child.process.stdout.read().splitlines()) == 2, "not two answers")
    finish(child)


@suite
def stdio_reader_gone_in_mid_answer_ends_it_quietly(program, image):
    child = start(program, image)
    child.process.stdin.write(line_bytes(read_big(1)))
    os.read(child.process.stdout.fileno(), 1000)
    child.process.stdout.close()
    finish(child)


@suite
def stdio_reader_gone_while_idle_ends_it_quietly(program, image):
    child = start(program, image)
    child.process.stdout.close()
    finish(child)


@suite
def stdio_signals_end_it_well(program, image):
    for number in (signal.SIGTERM, signal.SIGINT):
        child = start(program, image)
        child.signal(number)
        finish(child)
