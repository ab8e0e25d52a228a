"""unpack.py - a skill out of a .zip or .tar.gz, with the suspicion that an unpacker of foreign archives needs.

[SK-B-07]"""

import io
import tarfile
import unicodedata
import zipfile

from client.check import check

SUFFIXES = (".tar.gz", ".zip")


def without_suffix(url):
    for suffix in SUFFIXES:
        if url.endswith(suffix):
            return url.removesuffix(suffix)
    return check(False, "no archive:", url)


def from_zip(data):
    found = []
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        check(archive.testzip() is None, "damaged:", archive.testzip())
        for item in archive.infolist():
            kind = item.external_attr >> 28
            check(kind == (0o04 if item.is_dir() else 0o10), "neither file nor directory:", item.filename)
            found.append((item.filename, item.external_attr >> 16 & 0o777, None if item.is_dir() else archive.read(item)))
    return found


def from_tar(data):
    found = []
    with tarfile.open(fileobj=io.BytesIO(data), mode="r:gz") as archive:
        for item in archive:
            check(item.isreg() or item.isdir(), "neither file nor directory:", item.name)
            check(item.uid == item.gid == 0, "belongs to a user:", item.name)
            found.append((item.name, item.mode, None if item.isdir() else archive.extractfile(item).read()))
    return found


def check_path(path):
    check(path and "\\" not in path and ":" not in path and "\0" not in path, "no path for every system:", path)
    check(not {"", ".", ".."} & set(path.rstrip("/").split("/")), "leads elsewhere:", path)


def files(data, mime_type):
    """Path to content of every file. SKILL.md is at the root, and no two names would meet on any disk."""
    entries = {"application/zip": from_zip, "application/gzip": from_tar}[mime_type](data)
    for path, mode, _ in entries:
        check_path(path)
        check(path.endswith("/") or mode == (0o755 if path.startswith("scripts/") else 0o644), path, "has mode", oct(mode))
    folded = [unicodedata.normalize("NFC", path.rstrip("/")).casefold() for path, _, _ in entries]
    check(len(set(folded)) == len(folded), "one name twice:", folded)
    found = {path: content for path, _, content in entries if content is not None}
    check("SKILL.md" in found, "no SKILL.md at the root:", list(found))
    return found
