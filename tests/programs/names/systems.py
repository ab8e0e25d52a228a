"""systems.py - every build system that packs a folder of skills. Each is given the same folder, and a skillrom that counts its
calls; build() is one build, as a user would start it."""

import os
import subprocess

from client.programs import ROOT, SKILLROM, write


def run(words, folder, **more):
    """The exit status, and both streams as one text."""
    quiet = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    done = subprocess.run(words, cwd=folder, env={**quiet, **more}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.returncode, done.stdout.decode(errors="replace")


class System:
    """One project below `place`, which packs each folder in `cases` separately."""

    def __init__(self, place, cases):
        self.place, self.cases = place, cases
        self.tool = place / "tool/build/skillrom"
        self.calls = place / "calls"
        write(self.tool, f'#!/bin/sh\necho >>"{self.calls}"\nexec "{SKILLROM}" "$@"\n')
        self.tool.chmod(0o755)
        self.setup()

    def packed(self):
        """How often skillrom was called since this was asked last."""
        count = len(self.calls.read_bytes()) if self.calls.exists() else 0
        self.calls.unlink(missing_ok=True)
        return count

    def setup(self):
        """What the author of a project writes once."""

    def path(self):
        return f"{self.tool.parent}:{os.environ['PATH']}"


class Depfile(System):
    """A Makefile that includes the depfile."""

    def setup(self):
        for case in self.cases:
            write(self.place / case.key / "Makefile",
                  f'device.rom:\n\t@"{self.tool}" pack "{case.folder}" -o $@ --depfile device.d\n-include device.d\n')

    def build(self, case):
        return run(["make"], self.place / case.key)


class Inside(System):
    """The same in the folder itself, whose skills lie beside the Makefile and may be called as its targets are."""

    def setup(self):
        for case in self.cases:
            write(case.folder / "Makefile", f'all: build/device.rom\nbuild/device.rom:\n\t@mkdir -p build; "{self.tool}" pack . -o $@ '
                  "--depfile build/device.d\nclean install test:\n\ttouch PWNED\n-include build/device.d\n")

    def build(self, case):
        return run(["make"], case.folder)


class Generated(System):
    """What `skillrom new --device` writes."""

    def setup(self):
        for case in self.cases:
            run([SKILLROM, "new", "--device", "lamp", str(self.place / case.key)], self.place)
            case.folder.rename(self.place / case.key / "lamp/skills/odd")
            case.folder = self.place / case.key / "lamp/skills/odd"

    def build(self, case):
        return run(["make", f"SKILLROM={self.tool.parent.parent}", "build/lamp.rom"], self.place / case.key / "lamp")


class Ninja(System):
    """A build.ninja with the depfile."""

    def setup(self):
        for case in self.cases:
            write(self.place / case.key / "build.ninja",
                  f'rule pack\n  command = "{self.tool}" pack "{case.folder}" -o $out --depfile $out.d\n  depfile = $out.d\nbuild device.rom: pack\n')

    def build(self, case):
        return run(["ninja"], self.place / case.key)


class Cmake(System):
    """skillrom_add_device, one target for each folder; only what it packs is built."""

    generator, words = "Unix Makefiles", ["make", "-s"]

    def setup(self):
        lines = ["cmake_minimum_required(VERSION 3.16)", "project(names C)", f'add_subdirectory("{ROOT}" skillrom)']
        for case in self.cases:
            lines += [f"add_library({case.key} STATIC empty.c)", f'skillrom_add_device({case.key} "{case.folder}")']
        write(self.place / "CMakeLists.txt", "\n".join(lines) + "\n")
        write(self.place / "empty.c", "int empty;\n")
        status, text = run(["cmake", "-G", self.generator, "-B", "build", f"-DSKILLROM_TOOL={self.tool}"], self.place)
        assert status == 0, text

    def build(self, case):
        return run([*self.words, self.goal(case)], self.place / "build")

    def goal(self, case):
        return f"{case.key}_device"


class CmakeNinja(Cmake):
    generator, words = "Ninja", ["ninja"]

    def goal(self, case):
        return f"{case.key}.device/skills.rom"


class Meson(System):
    """A custom_target with skillrom_pack, for each folder."""

    def setup(self):
        lines = ["project('names', 'c')", "skillrom = subproject('skillrom')"]
        for case in self.cases:
            outputs = [f"{case.key}.c", f"{case.key}.h", f"{case.key}-tools.h"]
            lines.append(f"custom_target('{case.key}', output: {outputs}, depfile: '{case.key}.d', "
                         f"command: [skillrom.get_variable('skillrom_pack'), '{case.folder}'])")
        write(self.place / "meson.build", "\n".join(lines) + "\n")
        (self.place / "subprojects").mkdir()
        (self.place / "subprojects/skillrom").symlink_to(ROOT / "build/library/skillrom")
        status, text = run(["meson", "setup", "build"], self.place, PATH=self.path())
        assert status == 0, text

    def build(self, case):
        return run(["ninja", f"{case.key}.c"], self.place / "build")


SYSTEMS = [Depfile, Inside, Generated, Ninja, Cmake, CmakeNinja, Meson]
