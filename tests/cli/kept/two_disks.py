#!/usr/bin/env python3
"""Random lives of protected files on two disks, one of which is not always there.

    two_disks.py PROGRAM

Files are edited, exchanged, renamed, copied and deleted, and moved to the other disk, out of what is
protected, to excluded names, and behind links that they leave. Some are damaged, which leaves their
times. Now and then an update runs. Whatever damaged files `repair` could restore before the update,
it can restore after that, and the update protects nothing that is damaged.

XORLOOM_TWO_DISKS is the number of lives, and XORLOOM_FIRST_LIFE the seed of the first one. The
second disk is a mount if the program may mount, else a directory that is moved away.
"""

import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAM = os.path.abspath(sys.argv[1])
NEW_NAMESPACE = ["unshare", "-rm"]
LEAST_LEFT = 2100  # bytes that have a whole block
DIRECTORIES = ("p", "p/a", "p/b", "p/a/deep", "q", "q/x")
STEPS = {"add": 10, "edit": 8, "damage": 20, "rename": 10, "exclude": 6, "move_out": 6, "leave_link": 6,
         "copy": 4, "remove": 6, "move_directory": 8, "rename_over": 4, "exchange": 10, "unmount": 4, "mount": 8}


class File:
    """`whole`: what somebody wrote, if damage changed it."""

    def __init__(self, data, time, whole=None):
        self.data, self.time, self.whole = data, time, whole

    def has_fine_time(self):
        return self.time % 10**9 != 0


class Life:
    def __init__(self, seed, folder, may_mount):
        self.any = random.Random(seed)
        self.folder, self.base = folder.resolve(), folder.resolve() / "base"
        self.log, self.files, self.names = [], {}, 0
        self.seconds, self.last_time = 1_500_000_000, None
        self.takes_bursts = self.any.random() < 0.5
        self.is_mount = self.any.random() < 0.6 and may_mount
        for name in (*DIRECTORIES, "out"):
            (self.base / name).mkdir(parents=True, exist_ok=True)
        self.is_there = True
        if self.is_mount:
            subprocess.run(["mount", "-t", "tmpfs", "tmpfs", self.base / "q"], check=True)
            (self.base / "q/x").mkdir()
            self.stored = folder / "stored"
        for _ in range(self.any.randint(4, 11)):
            self.add()
        self.excludes = self.any.random() < 0.5
        self.parts = ["x"] if self.any.random() < 0.6 else ["x1", "x2"]
        exclude = ["--exclude", "*.tmp"] if self.excludes else []
        assert self.run("protect", "-q", "p", "q", "--redundancy", "90%", *exclude, *self.outputs()).returncode == 0
        self.protected = {file.data for name, file in self.files.items() if self.is_included(name)}

    # The program, and what it says.

    def run(self, *arguments, base=None):
        done = subprocess.run([PROGRAM, *arguments], cwd=base or self.base, capture_output=True, text=True,
                              errors="replace", timeout=120)
        self.log.append(f"$ xorloom {' '.join(map(str, arguments))}\n{done.stderr}status {done.returncode}")
        return done

    def outputs(self):
        return [word for part in self.parts for word in ("-o", part)]

    # Files, and the disk that is not always there.

    def is_included(self, name):
        return name[0] in "pq" and not (self.excludes and name.endswith(".tmp"))

    def here(self):
        return [name for name in sorted(self.files) if name[0] != "q" or self.is_there]

    def some(self, is_damaged=False):
        names = self.here()
        damaged = [name for name in names if self.files[name].whole]
        return self.any.choice(damaged if is_damaged and damaged else names)

    def is_in_place(self, name):
        """Whether no link is in the path of a name."""
        return os.path.realpath(self.base / name) == str(self.base / name)

    def some_directory(self):
        there = [name for name in DIRECTORIES if (self.base / name).is_dir() and self.is_in_place(name)]
        return self.any.choice([name for name in there if name[0] != "q" or self.is_there])

    def new_name(self, end=""):
        self.names += 1
        return f"{self.some_directory()}/f{self.names}{end}"

    def new_time(self):
        """A time that no file had. Clocks jump, and some file systems keep seconds alone."""
        self.seconds += self.any.randint(1, 90)
        self.last_time = self.seconds * 10**9 + (self.any.randrange(1, 10**9) if self.any.random() < 0.8 else 0)
        return self.last_time

    def put(self, name, file):
        path = self.base / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(file.data)
        os.utime(path, ns=(file.time, file.time))
        self.files[name] = file

    def move(self, old, new):
        file, path = self.files[old], self.base / new
        is_little = file.whole and len(file.data) < LEAST_LEFT
        if path.is_dir() or not os.path.lexists(self.base / old) or (is_little and not self.is_included(new)):
            return False
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(self.base / old, path)
        self.files[new] = self.files.pop(old)
        self.log.append(f"mv {old} {new}")
        return True

    def link(self, target, name):
        path = self.base / name
        path.symlink_to(os.path.relpath(self.base / target, path.parent))
        self.log.append(f"ln -s {target} {name}")

    # Steps.

    def add(self):
        is_of_burst = self.takes_bursts and self.last_time and self.any.random() < 0.5
        time = self.last_time if is_of_burst else self.new_time()
        name = self.new_name()
        self.put(name, File(self.any.randbytes(self.any.randint(3000, 40000)), time))
        self.log.append(f"add {name} {time}")

    def edit(self):
        name = self.some()
        self.put(name, File(self.any.randbytes(self.any.randint(3000, 40000)), self.new_time()))
        self.log.append(f"edit {name}")

    def damage(self):
        name = self.some()
        file = self.files[name]
        data = bytearray(file.data)
        if file.whole:
            return
        kind = self.any.choice(("flip", "flip", "zeros", "cut", "little", "nothing"))
        if kind in ("cut", "little") and not file.has_fine_time():
            return
        if kind in ("little", "nothing") and not self.is_included(name):
            return
        if kind == "flip":
            data[self.any.randrange(len(data))] ^= 1 << self.any.randrange(8)
        elif kind == "zeros":
            begin = self.any.randrange(len(data) // 2)
            data[begin : begin + 200] = bytes(200)
        else:
            del data[{"cut": len(data) * 3 // 4, "little": 300, "nothing": 0}[kind] :]
        self.put(name, File(bytes(data), file.time, file.data))
        self.log.append(f"damage {kind} {name}")

    def rename(self):
        self.move(self.some(True), self.new_name())

    def exclude(self):
        self.move(self.some(True), self.new_name(".tmp"))

    def move_out(self):
        name = self.some(True)
        self.move(name, "out/" + os.path.basename(name))

    def leave_link(self):
        name = self.some(True)
        out = "out/" + os.path.basename(name)
        if name[0] != "o" and out not in self.files and self.move(name, out):
            self.link(out, name)

    def copy(self):
        name, copy = self.some(True), self.new_name()
        if os.path.lexists(self.base / name):
            self.put(copy, File(**vars(self.files[name])))
            self.log.append(f"cp -p {name} {copy}")

    def remove(self):
        name = self.some()
        (self.base / name).unlink()
        del self.files[name]
        self.log.append(f"rm {name}")

    def move_directory(self):
        old = self.some_directory()
        new = self.any.choice((f"{old}2", f"out/{os.path.basename(old)}{self.names}", f"p/b/{os.path.basename(old)}{self.names}"))
        inside = [name for name in self.files if name.startswith(old + "/")]
        has_little = any(self.files[name].whole and len(self.files[name].data) < LEAST_LEFT for name in inside)
        if old in "pq" or new.startswith(old + "/") or has_little:
            return
        if os.path.lexists(self.base / new) or not (self.base / new).parent.is_dir():
            return
        shutil.move(self.base / old, self.base / new)
        for name in inside:
            self.files[new + name[len(old) :]] = self.files.pop(name)
        self.log.append(f"mv {old}/ {new}/")
        if new[0] == "o" and self.any.random() < 0.3:
            self.link(new, old)

    def rename_over(self):
        self.move(self.some(), self.some())

    def exchange(self):
        names = [name for name in self.here() if self.is_included(name) and self.is_in_place(name)]
        names = self.any.sample(names, min(len(names), self.any.randint(2, 4)))
        files = [self.files[name] for name in names]
        for number, name in enumerate(names):
            shutil.move(self.base / name, self.folder / str(number))
        for number, name in enumerate(names):
            shutil.move(self.folder / str((number - 1) % len(names)), self.base / name)
            self.files[name] = files[number - 1]
        self.log.append("exchange " + " ".join(names))

    def unmount(self):
        if not self.is_there:
            return
        if self.is_mount:
            shutil.copytree(self.base / "q", self.stored, symlinks=True)
            subprocess.run(["umount", self.base / "q"], check=True)
        else:
            (self.base / "q").rename(self.folder / "stored")
            (self.base / "q").mkdir()
        self.is_there = False
        self.log.append("umount q")

    def mount(self):
        if self.is_there:
            return
        if self.is_mount:
            subprocess.run(["mount", "-t", "tmpfs", "tmpfs", self.base / "q"], check=True)
            shutil.copytree(self.stored, self.base / "q", symlinks=True, dirs_exist_ok=True)
            shutil.rmtree(self.stored)
        else:
            (self.base / "q").rmdir()
            (self.folder / "stored").rename(self.base / "q")
        self.is_there = True
        self.log.append("mount q")

    # What must hold.

    def damaged_here(self):
        """What damaged files were, by their names, unless a copy of it is there."""
        there = {self.files[name].data for name in self.here()}
        return {name: self.files[name].whole for name in self.here()
                if self.files[name].whole in self.protected and self.files[name].whole not in there}

    def restorable(self, wanted):
        """The contents among `wanted` that repair brings back, in a copy of all."""
        if not wanted:
            return set()
        copy = self.folder / "copy"
        subprocess.run(["cp", "-a", self.base, copy], check=True)
        if "dereference" in self.run("repair", "-q", "--base", ".", *self.parts, base=copy).stderr:
            self.run("repair", "-q", "--dereference", "--base", ".", *self.parts, base=copy)
        found = {path.read_bytes() for path in copy.rglob("*") if path.is_file()}
        shutil.rmtree(copy)
        return found & set(wanted.values())

    def update(self):
        wanted = self.damaged_here()
        before, was_protected = self.restorable(wanted), set(self.protected)
        updated = self.run("protect", "--update", *self.outputs())
        assert updated.returncode in (0, 1, 4), "the status of an update"
        if updated.returncode != 4 and "; nothing was changed" not in updated.stderr:
            files = self.files.items()
            self.protected = {file.data for name, file in files
                              if self.is_included(name) and not file.whole and name in self.here()}
            self.protected |= {file.whole for _, file in files if file.whole in was_protected}
            for file in self.files.values():  # what was never protected whole is whole from now on
                if file.whole not in was_protected:
                    file.whole = None
        lost = before - self.restorable(wanted)
        assert not lost, "lost by an update: " + ", ".join(name for name in wanted if wanted[name] in lost)
        if updated.returncode == 1:
            self.check_verify(wanted)

    def check_verify(self, wanted):
        verified = json.loads(self.run("verify", "--format", "json", *self.parts).stdout)
        for file in verified["files"]:
            assert file["state"] != "whole" or file["name"] not in wanted, "protected, and damaged: " + file["name"]

    def live(self):
        for _ in range(5):
            for _ in range(self.any.randint(1, 4)):
                step = self.any.choices(list(STEPS), STEPS.values())[0]
                getattr(self, step if self.here() else "add")()
            self.update()


def live_all(may_mount):
    first = int(os.environ.get("XORLOOM_FIRST_LIFE", "1"))
    for seed in range(first, first + int(os.environ.get("XORLOOM_TWO_DISKS", "40"))):
        with tempfile.TemporaryDirectory() as folder:
            life = None
            try:
                life = Life(seed, Path(folder), may_mount)
                life.live()
            except AssertionError as error:
                print("\n".join(life.log if life else []), f"\nlife {seed}: {error}")
                return 1
            finally:
                if life and life.is_mount and life.is_there:
                    subprocess.run(["umount", life.base / "q"], check=True)
    return 0


def main():
    if os.environ.get("XORLOOM_IN_NAMESPACE"):
        return live_all(True)
    os.environ["XDG_CACHE_HOME"] = os.devnull
    os.environ["XORLOOM_IN_NAMESPACE"] = "1"
    probe = 'mount -t tmpfs tmpfs "$0"'
    with tempfile.TemporaryDirectory() as folder:
        may_mount = shutil.which("unshare") and subprocess.run(
            [*NEW_NAMESPACE, "sh", "-c", probe, folder], capture_output=True).returncode == 0
    if may_mount:
        return subprocess.run([*NEW_NAMESPACE, sys.executable, "-B", *sys.argv]).returncode
    return live_all(False)


if __name__ == "__main__":
    sys.exit(main())
