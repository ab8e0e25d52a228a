"""unpackers.py - independent programs and libraries that unpack an archive, and what comes out of them.

Each unpacker is given the archive's path and an empty folder. What it leaves there is compared as
{path: (mode, content)}; what it says about the members beyond that is checked by `facts_of_*`."""

import os
import pathlib
import stat
import subprocess
import tarfile
import zipfile

ENVIRONMENT = {**os.environ, "LC_ALL": "C.UTF-8"}  # names are UTF-8


def command(*words, **options):
    done = subprocess.run(words, env=ENVIRONMENT, capture_output=True, text=True, **options)
    if done.returncode != 0 or done.stderr:
        raise AssertionError(f"{' '.join(map(str, words))}: exit status {done.returncode}: {done.stderr.strip()}")
    return done.stdout


def unzip(archive, folder):
    command("unzip", "-tqq", archive)
    command("unzip", "-qq", archive, "-d", folder)


def gnu_tar(archive, folder):
    command("gzip", "-t", archive)
    command("tar", "-xpzf", archive, "-C", folder)


def bsdtar(archive, folder):
    command("bsdtar", "-xpf", archive, "-C", folder)


def python_zipfile(archive, folder):
    with zipfile.ZipFile(archive) as z:
        assert z.testzip() is None
        z.extractall(folder)
        for member in z.infolist():  # the library leaves modes to its user
            os.chmod(os.path.join(folder, member.filename), member.external_attr >> 16 & 0o7777)


def python_tarfile(archive, folder):
    with tarfile.open(archive, "r:gz") as t:
        t.extractall(folder)


UNPACKERS = {
    ".zip": [unzip, python_zipfile, bsdtar],
    ".tar.gz": [gnu_tar, python_tarfile, bsdtar],
}


def unpacked(folder):
    """{path: (mode, content)} of every file; anything that is neither file nor directory is an error."""
    found = {}
    for path in pathlib.Path(folder).rglob("*"):
        kind = path.lstat().st_mode
        assert stat.S_ISREG(kind) or stat.S_ISDIR(kind), f"{path} is neither file nor directory"
        if stat.S_ISREG(kind):
            found[str(path.relative_to(folder))] = (stat.S_IMODE(kind), path.read_bytes())
    return found


def facts_of_zip(archive):
    """The names in order, after a look at what the archive says of each member."""
    with zipfile.ZipFile(archive) as z:
        for m in z.infolist():
            assert m.date_time == (1980, 1, 1, 0, 0, 0), m
            assert m.create_system == 3 and stat.S_ISREG(m.external_attr >> 16), m
            assert m.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) and not m.extra and not m.comment, m
        return z.namelist()


def facts_of_tar(archive):
    with tarfile.open(archive, "r:gz") as t:
        members = t.getmembers()
        for m in members:
            assert (m.uid, m.gid, m.mtime, m.uname, m.gname) == (0, 0, 0, "", ""), m
            assert m.type == tarfile.REGTYPE and not m.pax_headers, m
        return [m.name for m in members]


FACTS = {".zip": facts_of_zip, ".tar.gz": facts_of_tar}
