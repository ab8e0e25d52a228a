#!/usr/bin/env python3
"""complete.py -- zsh at its prompt completes commands, options and folders

usage: complete.py PREFIX
"""

import os
import pty
import re
import select
import sys
import tempfile

PATIENCE = 60
PROMPT = b"READY>"


def read_until(fd, pattern):
    got = b""
    while not re.search(pattern, got):
        if not select.select([fd], [], [], PATIENCE)[0]:
            sys.exit(f"no {pattern!r} in {got!r}")
        got += os.read(fd, 4096)
    return got


def main(prefix):
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(f"{folder}/pumps")
        pid, fd = pty.fork()
        if pid == 0:
            os.chdir(folder)
            os.environ.update(TERM="dumb", PATH=f"{prefix}/bin:{os.environ['PATH']}", ZDOTDIR=folder)
            os.execvp("zsh", ["zsh", "-f", "-i"])
        setup = f"fpath=({prefix}/share/zsh/site-functions $fpath); autoload -U compinit && compinit -u -d {folder}/dump; PS1='REA''DY>'\n"
        os.write(fd, setup.encode())
        read_until(fd, PROMPT)
        for typed, completed in (("skillrom pac", "skillrom pack "), ("skillrom lint --stri", "skillrom lint --strict "),
                                 ("skillrom bridge --cache pu", "skillrom bridge --cache pumps/"),
                                 ("skillromd --allow-an", "skillromd --allow-anyone "),
                                 ("skillrom pack x --outp", "skillrom pack x --output=")):
            os.write(fd, typed.encode() + b"\t\x05 #")  # complete, go to the end of the line, and mark it
            got = read_until(fd, rb"#$").replace(b"\x08", b"").replace(b"\x07", b"")
            if completed.rstrip() not in got.decode(errors="replace"):
                sys.exit(f"{typed!r} is completed as {got!r}, not {completed!r}")
            os.write(fd, b"\x15\n")
            read_until(fd, PROMPT)
        os.write(fd, b"\x15exit\n")
        os.waitpid(pid, 0)


main(sys.argv[1])
