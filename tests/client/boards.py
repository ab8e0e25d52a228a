"""boards.py - the builds of the boards, as boards/*/board.mk describes them: boards/build.mk says what the keys mean."""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
LINE = re.compile(r"^([A-Z_]+)\.([\w-]+)[ \t]*:=[ \t]*(.*?)[ \t]*$", re.M)
INHERITED = ("CPU", "ARCH", "EMULATOR", "FLASH")  # by a second build of the same folder


def read(root=ROOT):
    """{build: {key: value}}, sorted by name."""
    found = {path.parent.name: {} for path in (root / "boards").glob("*/board.mk")}
    for path in (root / "boards").glob("*/board.mk"):
        for key, build, value in LINE.findall(path.read_text()):
            found.setdefault(build, {})[key] = value
    for keys in found.values():
        first = found.get(keys.get("FOLDER"), {})
        keys.update({key: first[key] for key in INHERITED if key in first and key not in keys})
    return dict(sorted(found.items()))


BUILDS = read()


def tested(how):
    """The builds whose TESTS have that word."""
    return [build for build, keys in BUILDS.items() if how in keys.get("TESTS", "").split()]
