"""folders.py - the device folders whose skills are read as archives: the contract's golden skill, the example
device, and one with every name and size that an archive format is known to trip over.

Each function makes its folder below `parent` and returns it."""

import json
import pathlib
import random
import shutil

from client.programs import EXAMPLE, ROOT, write


def skill(folder, path, files=(), **metadata):
    name = path.rsplit("/", 1)[-1]
    lines = ["---", f"name: {name}", "description: A skill to be packed and unpacked. Use it in tests.", "metadata:"]
    lines += ["  author: nobody"] + [f"  dev.skillrom/{key}: {value}" for key, value in metadata.items()]
    write(folder / path / "SKILL.md", "\n".join(lines + ["---", "", f"# {name}", "", "Nothing to do. " * 40, ""]))
    for file, content in dict(files).items():
        write(folder / path / file, content)


def golden(parent):
    folder = parent / "golden"
    source = ROOT / "tests/programs/pack/golden"
    place = folder / "skills/plant/pumps/purge-line"
    for file, name in (
        ("SKILL.md", "SKILL.md"),
        ("references/limits.md", "limits.md"),
        ("scripts/purge_cycle.lua", "purge_cycle.lua"),
    ):
        write(place / file, (source / name).read_bytes())
    for tool in ("pump_status", "purge-line.purge_cycle"):  # the skill names them
        schema = {"type": "object", "properties": {}}
        text = json.dumps({"name": tool, "description": "For tests.", "inputSchema": schema})
        write(folder / f"tools/{tool}.json", text)
    write(folder / "device.json", '{"name":"golden","version":"1"}')
    return folder


def example(parent):
    return pathlib.Path(shutil.copytree(EXAMPLE, parent / "example"))


def long_path(before, behind):
    """A path that a tar header parts into so many bytes and so many bytes."""
    segments = "/".join("d" * min(60, before - at) for at in range(0, before, 61))
    return f"{segments}/{'f' * (behind - 4)}.txt"


ODD_NAMES = {
    "references/with space.md": "# A space\n",
    "references/ünïcödé-日本語.md": "# Not ASCII\n" * 50,
    "assets/smile-😀.bin": bytes(range(256)),
    'assets/"quoted".txt': "quotes\n",
    "assets/'single'.txt": "quotes\n",
    "assets/50%25 off?#&;*.txt": "reserved\n" * 30,
    "assets/-dash": "looks like an option\n",
    "assets/.hidden": "not hidden here\n",
    "assets/empty.txt": "",
    "assets/one-byte": "1",
    "scripts/run.sh": "#!/bin/sh\necho ok\n" * 20,
    "scripts/deeper/down.py": "print(1)\n",
    "scripts.md": "not below scripts\n",
    "x/scripts/not-at-the-top.sh": "mode 0644\n",
    "n" * 96 + ".txt": "100 bytes\n",
    "é" * 48 + ".txt": "100 bytes, 52 characters\n",
    long_path(4, 96): "101 bytes\n",
    long_path(1, 100): "102 bytes\n",
    long_path(154, 100): "255 bytes, the longest name\n" * 9,
    long_path(155, 99): "255 bytes, the longest prefix\n" * 9,
    long_path(60, 90): "a/b\n",
}


def sizes():
    noise = random.Random(1)
    words = ["valve", "pump", "line", "flow", "rate", "stop", "purge", "drain", '"quoted"', "\\", "\n", "é"]
    text = " ".join(noise.choice(words) for _ in range(60000))
    files = {f"assets/{n}.bin": noise.randbytes(n) for n in (1, 511, 512, 513, 1024, 65535, 65536, 131070, 300000)}
    files |= {f"assets/{n}.txt": text.encode()[:n] for n in (255, 256, 257, 511, 512, 513, 4096, 4097, 65536, 300000)}
    return files | {"assets/zeros.bin": bytes(100000), "assets/same.txt": b"abcabcab" * 40000}


def awkward(parent):
    folder = parent / "awkward"
    skill(folder / "skills", "alone")
    skill(folder / "skills", "odd-names", ODD_NAMES)
    skill(folder / "skills", "group/all-sizes", sizes())
    skill(folder / "skills", "group/offered", {"references/a.md": "a\n" * 200}, distribution="files archive")
    skill(folder / "skills", "nest/outer", {"references/own.md": "own\n"})
    skill(folder / "skills", "nest/outer/inner", {"scripts/inner.sh": "inner\n"})
    skill(folder / "skills", "not-listed", {"assets/a.txt": "a\n" * 200}, listed='"false"')
    skill(folder / "skills", "made-later", dynamic='"true"')
    write(folder / "device.json", '{"name":"awkward","version":"1"}')
    return folder


def manifest(folder, skill_dir):
    """{path in the archive: content} of a skill on disk; an outer skill holds what is nested in it (SK-A-06)."""
    root = folder / "skills" / skill_dir
    return {str(file.relative_to(root)): file.read_bytes() for file in root.rglob("*") if file.is_file()}


def skills(folder):
    return sorted(str(file.parent.relative_to(folder / "skills")) for file in (folder / "skills").rglob("SKILL.md"))
