#!/usr/bin/env python3
"""Checks that the source distribution holds all that builds the Python module: sdist.py SOURCE BUILD TARGET.

What the build read is what ninja says: the sources and generated inputs of the target, the headers that the compiler
met, and the files of CMake. Tests and documentation are left out of a source distribution.
"""

import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile

NOT_PART = ("build/", "tests/", "bench/CMakeLists.txt", "web/CMakeLists.txt")


def read_by_build(source, build, target):
    """The files below `source` that were read to configure `build` and to build `target` there."""

    def ninja(*words):
        command = ["ninja", "-C", str(build), "-t", *words]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()

    inputs = ninja("inputs", target)
    files = set(inputs) | set(ninja("inputs", "build.ninja"))
    objects = {name for name in inputs if name.endswith(".o")}
    is_wanted = False
    for line in ninja("deps"):
        if line and not line.startswith(" "):
            is_wanted = line.split(":")[0] in objects
        elif is_wanted:
            files.add(line.strip())
    below = set()
    for name in files:
        path = (build / name).resolve()
        if path.is_file() and path.is_relative_to(source):
            below.add(path.relative_to(source).as_posix())
    return {name for name in below if not name.startswith(NOT_PART)}


def in_distribution(source):
    """The files in the source distribution of `source`, made from a copy."""
    with tempfile.TemporaryDirectory() as scratch:
        copy = pathlib.Path(scratch, "copy")
        left_out = {"build", ".git", "tests"}
        shutil.copytree(source, copy, ignore=lambda folder, _: left_out if folder == str(source) else ())
        made = pathlib.Path(scratch, "made")
        command = [sys.executable, "setup.py", "-q", "sdist", "--formats=tar", "-d", str(made)]
        done = subprocess.run(command, cwd=copy, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"sdist failed:\n{done.stderr}")
        (archive,) = made.iterdir()
        with tarfile.open(archive) as files:
            return {name.partition("/")[2] for name in files.getnames()}


def main():
    source, build = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
    try:
        import setuptools  # noqa: F401
    except ImportError:
        print("SKIPPED: python3-setuptools is not installed")
        return
    needed = read_by_build(source, build, sys.argv[3])
    # A build that read next to nothing is one that ninja does not know.
    for name in ("CMakeLists.txt", "codes/spec.cpp", "codes/spec.hpp", "include/xorloom/xorloom.h"):
        assert name in needed, f"ninja does not say that the build read {name}"
    held = in_distribution(source)
    missing = sorted(needed - held)
    for name in missing:
        print(f"the source distribution lacks {name}; MANIFEST.in lists what it holds")
    if missing:
        sys.exit(1)
    print(f"the source distribution holds {len(held)} files, {len(needed)} of which the build reads")


main()
