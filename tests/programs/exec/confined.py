"""What a script in its sandbox must not reach (defect 28): keys, memory that no limit counts, system calls that
ordinary programs have no use for, and the other ways out that an attacker would try. Each is tried by a real script."""

import ctypes
import json
import os
import shutil
import signal
import subprocess

from client.check import PATIENCE, check, until
from client.mcp import cancelled, line_bytes, request
from client.programs import PLAIN_SKILLROMD, SKILLROM
from scripts import SECRET, Server, failure, gone, not_ended, running

# Calls that a script may not make: their numbers on x86_64 and aarch64.
REFUSED = {
    "add_key": (248, 217), "request_key": (249, 218), "keyctl": (250, 219), "memfd_create": (319, 279),
    "memfd_secret": (447, 447), "shmget": (29, 194), "msgget": (68, 186), "semget": (64, 190), "mq_open": (240, 180),
    "io_setup": (206, 0), "vmsplice": (278, 75), "inotify_init1": (294, 26), "fanotify_init": (300, 262),
    "setsockopt": (54, 208), "setxattr": (188, 5), "io_uring_setup": (425, 425), "userfaultfd": (323, 282),
    "perf_event_open": (298, 241), "bpf": (321, 280), "ptrace": (101, 117), "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271), "pidfd_getfd": (438, 438), "kcmp": (312, 272), "mount": (165, 40),
    "umount2": (166, 39), "unshare": (272, 97), "setns": (308, 268), "pivot_root": (155, 41), "chroot": (161, 51),
    "open_tree": (428, 428), "fsopen": (430, 430), "open_by_handle_at": (304, 265), "seccomp": (317, 277),
    "clone3": (435, 435), "init_module": (175, 105), "finit_module": (313, 273), "syslog": (103, 116),
    "personality": (135, 92), "clock_settime": (227, 112), "sync": (162, 81), "none yet": (1023, 1023),
}

FIND = "import ctypes, errno, os, socket, sys\nlibc = ctypes.CDLL(None, use_errno=True)\n"

SCRIPTS = {
    "calls.py": FIND + "column = ['x86_64', 'aarch64'].index(os.uname().machine)\n"
                f"for name, numbers in {REFUSED!r}.items():\n"
                "    ctypes.set_errno(0)\n"
                "    libc.syscall(numbers[column], 0, 0, 0, 0, 0, 0)\n"
                "    if ctypes.get_errno() != errno.ENOSYS:\n"
                "        print(name, errno.errorcode.get(ctypes.get_errno(), 'is done'))\n",
    "sockets.py": FIND + "for family in (1, 2, 10, 16, 17, 29, 38, 40, 44):\n"
                  "    try:\n        socket.socket(family, socket.SOCK_DGRAM)\n        print(family, 'made')\n"
                  "    except OSError as error:\n"
                  "        if error.errno != 97:\n            print(family, error)\n",
    "clone.py": FIND + "for kind in (0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000):\n"
                "    pid = libc.syscall(56 if os.uname().machine == 'x86_64' else 220, kind | 17, 0, 0, 0, 0)\n"
                "    if pid == 0:\n        os._exit(0)\n"
                "    if pid > 0 or ctypes.get_errno() != errno.EPERM:\n"
                "        print(hex(kind), pid, ctypes.get_errno())\n",
    "keys.py": FIND + "number = 250 if os.uname().machine == 'x86_64' else 219\n"
               "key = libc.syscall(number, 10, -3, b'user', b'skillrom-test', 0)\n"
               "text = ctypes.create_string_buffer(100)\n"
               "print(key, libc.syscall(number, 11, key, text, 100), text.value)\n"
               "for name in ('keys', 'key-users', 'cmdline'):\n"
               "    try:\n        print(open('/proc/' + name).read())\n    except OSError:\n        pass\n",
    "memfd.py": "import os\nkept = []\nfor i in range(40):\n    kept.append(os.memfd_create('x'))\n"
                "    os.write(kept[-1], bytes(16 << 20))\nprint(len(kept) * 16, 'MB')\n",
    "stdin.py": "import os\nfor act in (lambda: os.write(0, b'x'), lambda: os.ftruncate(0, 1 << 20),\n"
                "            lambda: os.write(os.open('/proc/self/fd/0', os.O_RDWR), b'x' * 100000)):\n"
                "    try:\n        act()\n        print('stdin keeps things')\n    except OSError:\n        pass\n",
    "core.py": "import resource as r\nr.setrlimit(r.RLIMIT_CORE, (0, 0))\nprint(r.getrlimit(r.RLIMIT_CORE))\n",
    "status.sh": "cat /proc/1/status /proc/self/status | grep -E '^(Seccomp|NoNewPrivs|Cap...):' | tr -s '\\t ' ' ' |"
                 " sort | uniq -c | tr -s ' '; nice",
    "init.py": "import os\nfor name in ('mem', 'environ', 'maps'):\n"
               "    try:\n        print(name, len(open('/proc/1/' + name, 'r+b' if name == 'mem' else 'rb').read(1)))\n"
               "    except OSError as error:\n        print(name, 'no')\n",
    "terminal.py": "import fcntl, os, termios\ntry:\n    os.open('/dev/tty', os.O_RDWR)\n    print('a terminal')\n"
                   "except OSError:\n    pass\nfor call in (termios.TIOCSTI, 0x541C):\n    try:\n"
                   "        fcntl.ioctl(os.open('/dev/ptmx', os.O_RDWR | os.O_NOCTTY), call, b'x')\n"
                   "        print('typed')\n    except OSError as error:\n        print(error.errno)\n",
    "i386.py": "import ctypes, mmap\nm = mmap.mmap(-1, 4096, prot=7)\n"
               "m.write(b'\\xb8\\x14\\0\\0\\0\\xcd\\x80\\xc3')  # getpid, as a program of 32 bits calls it\n"
               "at = ctypes.addressof(ctypes.c_char.from_buffer(m))\nprint(ctypes.CFUNCTYPE(ctypes.c_int)(at)())\n",
    "x32.py": FIND + "print(libc.syscall(0x40000000 + 39))\n",
    "flood2.py": "import fcntl, os\nopen('/tmp/x', 'wb').write(bytes(1 << 20))\nfcntl.fcntl(2, 1031, 1 << 20)\n"
                 "file = os.open('/tmp/x', os.O_RDONLY)\nfor i in range(3):\n    os.fork()\n"
                 "while True:  # faster than anybody reads: nothing is copied\n    os.splice(file, 2, 1 << 20, 0)\n",
    "leave.sh": "setsid sh /skill/scripts/patient.sh >/dev/null 2>&1 </dev/null &\necho left",
    "devices.sh": "ls /dev /sys 2>/dev/null | tr '\\n' ' '; for d in mem kmem kvm sda vda userfaultfd fuse mqueue; do "
                  "[ -e /dev/$d ] && echo it has $d; done; true",
    "kernel.sh": "for f in kernel/core_pattern kernel/hostname vm/drop_caches; do echo x >/proc/sys/$f && echo wrote; done "
                 "2>/dev/null; echo x >/proc/sysrq-trigger && echo wrote; echo done",
    "together.py": "import mmap, os, time\nos.fork()\nos.fork()\n"
                   "kept = mmap.mmap(-1, 180 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x8000)\n"
                   "time.sleep(3)\nprint('all of it')\n",
    # What ordinary programs do must go on working: threads, children, pairs of sockets, an event loop.
    "useful.py": "import asyncio, os, socket, subprocess, sys, tempfile, threading\n"
                 "seen = []\nthread = threading.Thread(target=lambda: seen.append('thread'))\nthread.start()\n"
                 "thread.join()\n"
                 "seen.append(subprocess.run(['sh', '-c', 'ls /usr | sort | head -n 1 >/dev/null; echo child'],\n"
                 "                           capture_output=True, text=True).stdout.strip())\n"
                 "a, b = socket.socketpair()\na.send(b'pair')\nseen.append(b.recv(9).decode())\n"
                 "async def loop():\n    await asyncio.sleep(0)\n    return 'loop'\nseen.append(asyncio.run(loop()))\n"
                 "with tempfile.TemporaryFile() as file:\n    file.write(b'x')\n    seen.append('file')\n"
                 "os.kill(os.getpid(), 0)\nseen.append(str(sum(os.urandom(4)) >= 0))\nprint(*seen)\n",
}


def nothing_left(s, *scripts):
    """These print only what they should not have got."""
    for script in scripts:
        text = s.text(script)
        check(text == "", f"{script}: {text}")


def calls_without_use_are_refused(s):
    nothing_left(s, "calls", "clone")


def a_socket_is_had_as_a_pair_only(s):
    nothing_left(s, "sockets")


def keys_of_the_servers_session_are_not_there(s):
    def hold_a_key():
        libc = ctypes.CDLL(None, use_errno=True)
        keyctl, add_key = (250, 248) if os.uname().machine == "x86_64" else (219, 217)
        if libc.syscall(keyctl, 1, None) < 0 or libc.syscall(add_key, b"user", b"skillrom-test", SECRET.encode(),
                                                             len(SECRET), -3) < 0:
            os._exit(77)

    s = s.again(before=hold_a_key)
    text = s.text("keys")
    check(text == "-1 -1 b''\n", text)
    s.end()


def memory_is_had_where_it_is_counted_only(s):
    response = s.run("memfd")
    failure(response, "system calls of ordinary programs", "Function not implemented")
    nothing_left(s, "stdin")


def a_crash_leaves_nothing_on_this_machine(s):
    check(s.text("core") == "(1, 1)\n", "the limit on core dumps, which 0 would lift for programs that collect them")


def the_filter_is_around_every_process_in_there(s):
    text = s.text("status")
    for line in ("2 Seccomp: 2", "2 NoNewPrivs: 1", "2 CapEff: 0000000000000000", "2 CapBnd: 0000000000000000"):
        check(f" {line}\n" in text, f"no '{line}' in {text}")
    check(text.endswith("\n10\n"), f"how nice it is: {text}")


def the_first_process_in_there_holds_nothing(s):
    check("environ 1" not in s.text("init"), "an environment")


def there_is_no_terminal_to_type_into(s):
    check(s.text("terminal") == "1\n1\n", s.text("terminal"))


def calls_of_another_processor_end_it(s):
    for script in ("i386", "x32"):
        not_ended(s.run(script), "fault", "another architecture")


def bytes_read_by(process):
    with open(f"/proc/{process.pid}/io", encoding="ascii") as file:
        return int(file.readline().split()[1])


def others_get_their_turn_while_it_floods_its_stderr(s):
    s = s.again()
    flood = s.execute("flood2")
    until(lambda: len(running("flood2.py")) == 8, "it floods")
    for _ in range(1000):
        before = bytes_read_by(s.process)
        s.response(s.send_request("server/discover"))
        count = bytes_read_by(s.process) - before
        # A turn takes 1 MB; it goes on reading until this process also has its turn of the processor.
        check(count < 64 << 20, f"it read {count} bytes before it answered another")
        check(flood not in s.responses, "the flood is over")
    s.send(cancelled(flood))
    gone("flood2.py")
    s.end()


def what_it_leaves_running_ends_with_it(s):
    check(s.text("leave") == "left\n", "leave")
    gone("patient.sh")


def descriptors_that_the_server_was_given_stay_there(s):
    path = os.path.join(s.folder, "given")
    with open(path, "w+", encoding="ascii") as file:
        file.write(SECRET)
        file.flush()
        s = s.again(pass_fds=[file.fileno()])
        check(s.text("descriptors").split() == ["0", "1", "2", "3"], "a descriptor of the server's parent")
        s.end()
    os.unlink(path)


def ignore_children():
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)


def how_it_ended_is_known_whatever_the_server_inherited(s):
    s = s.again(before=ignore_children)
    failure(s.run("fail"), "exit status 3", "the valve is locked")
    s.end()


def a_server_that_skillrom_starts_is_no_worse(s):
    with open("/dev/null", "rb") as given:
        s = Server(SKILLROM, "serve", os.path.join(s.folder, "device"), "--stdio", "--exec-scripts",
                   before=ignore_children, pass_fds=[given.fileno()])
        check(s.text("descriptors").split() == ["0", "1", "2", "3"], "a descriptor of skillrom's parent")
        check(SECRET not in s.text("env"), "the environment")
        failure(s.run("fail"), "exit status 3", "the valve is locked")
        s.end()


def devices_and_the_kernels_switches_are_out_of_reach(s):
    text = s.text("devices")
    check("it has" not in text and "kernel" not in text, text)
    check(s.text("kernel") == "done\n", "a switch of the kernel")


def ordinary_programs_work(s):
    check(s.text("useful") == "thread child pair loop file True\n", s.text("useful"))


# The first process of a kernel with control groups as systemd sets them up: one group for the server, memory limits
# in groups beside it. Which this machine may have given to something else, so the kernel is one of our own.
INIT = """#!/bin/sh
mount -t proc proc /proc && mount -t sysfs sysfs /sys && mount -t cgroup2 none /sys/fs/cgroup
echo +memory >/sys/fs/cgroup/cgroup.subtree_control
mkdir /sys/fs/cgroup/skillromd-script-1  # as a server that was killed leaves it
mkdir /sys/fs/cgroup/server && echo $$ >/sys/fs/cgroup/server/cgroup.procs
%s %s --exec-scripts --exec-timeout 60000ms <%s
echo groups left: $(find /sys/fs/cgroup -name 'skillromd-*' | wc -l)
exec python3 -c 'import ctypes; ctypes.CDLL(None).reboot(0x4321fedc)'
"""


def a_control_group_limits_all_processes_together(s):
    kernel = shutil.which("linux.uml")
    check(kernel is not None, "needs linux.uml, of Debian's package user-mode-linux")
    init, requests = os.path.join(s.folder, "init"), os.path.join(s.folder, "requests")
    with open(requests, "wb") as file:
        for script in ("together", "hello", "words"):
            file.write(line_bytes(request(script, "skills/execute", name="tricks", script=script)))
    with open(init, "w", encoding="ascii") as file:  # a sanitized server wants more addresses than that kernel has
        file.write(INIT % (PLAIN_SKILLROMD, s.image, requests))
    os.chmod(init, 0o755)
    done = subprocess.run([kernel, "mem=1024M", "rootfstype=hostfs", "ro", "quiet", f"init={init}", f"uml_dir={s.folder}",
                           "con=null", "con0=null,fd:1"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=PATIENCE, env={"PATH": os.environ["PATH"]})
    said = done.stdout.decode(errors="replace").replace("\r", "")
    check("no control group" not in said and "groups left: 0\n" in said, said[-4000:])
    responses = {a["id"]: a for a in (json.loads(line) for line in said.splitlines() if line.startswith('{"jsonrpc"'))}
    not_ended(responses["together"], "fault", "all its processes together may have 512 MB of memory")
    check(responses["hello"]["result"]["content"][0]["text"] == "hello\n{}", responses["hello"])
    check(responses["words"]["result"]["content"][0]["text"] == "{}", responses["words"])


TESTS = [
    calls_without_use_are_refused,
    a_socket_is_had_as_a_pair_only,
    keys_of_the_servers_session_are_not_there,
    memory_is_had_where_it_is_counted_only,
    a_crash_leaves_nothing_on_this_machine,
    the_filter_is_around_every_process_in_there,
    the_first_process_in_there_holds_nothing,
    there_is_no_terminal_to_type_into,
    others_get_their_turn_while_it_floods_its_stderr,
    what_it_leaves_running_ends_with_it,
    descriptors_that_the_server_was_given_stay_there,
    how_it_ended_is_known_whatever_the_server_inherited,
    devices_and_the_kernels_switches_are_out_of_reach,
    ordinary_programs_work,
]
if os.uname().machine == "x86_64":
    TESTS.append(calls_of_another_processor_end_it)
ONCE = [a_server_that_skillrom_starts_is_no_worse, a_control_group_limits_all_processes_together]  # whatever the server is
