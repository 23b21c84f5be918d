#!/usr/bin/env python3
"""Cuts the power during commands that write shards, in a model, and reads what each cut leaves.

    power_loss.py PROGRAM [COMMAND...]

A command runs under strace. From its log come the writes, cuts, names and syncs in their order.
The model of the disk is the strictest that the calls allow: what is not synced may have reached the
disk or not, each call and each 4096 bytes of it for itself; a file's sync says nothing of its
names, those are their directory's. For each moment between two calls, some of the states that the disk can
then be in are made and read back: all that was called, only what was synced, and a few drawn at
random. Some disks lie, too: of one shard, nothing of what was synced needs to be there.
XORLOOM_POWER_CUTS is how many are drawn at each moment, and then each moment is looked at; without
it, one is drawn, and moments are a sample, one from each part of the calls.

Exits with 77 if the calls cannot be recorded here.
"""

import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SEED = 1
PAGE = 4096
SAMPLED_MOMENTS = 4
# Where syncs take no time. None is the usual place.
MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
TRACED = (
    "openat,close,write,pwrite64,pwritev,ftruncate,rename,renameat2,link,linkat,unlink,fsync,"
    "fdatasync"
)


def unquoted(text):
    """The bytes of a string of strace -xx."""
    return bytes.fromhex(text.replace("\\x", ""))


STRING = r'"((?:\\x[0-9a-f]{2})*)"'


class Recording:
    """The calls of a command on the files in a directory, as a list of tuples.

    ("create", name, file), ("link", name, file), ("rename", old, new), ("exchange", a, b),
    ("unlink", name),
    ("write", file, offset, bytes), ("cut", file, bytes), ("sync", file), ("sync names", directory).
    Names are paths in the directory; files are numbers.
    """

    def __init__(self, root):
        self.root = root
        self.calls = []
        self.numbers = {}  # of the files that names lead to now
        self.next = 0
        for path in sorted(root.rglob("*")):
            if path.is_file():
                self.numbers[self.name(path)] = self.number()
        self.first = dict(self.numbers)
        self.open = {}  # by descriptor: (file number or directory, offset)

    def number(self):
        self.next += 1
        return self.next

    def name(self, path):
        return str(Path(path).relative_to(self.root))

    def is_ours(self, path):
        return path.startswith(str(self.root) + "/") and not path.endswith(".xorloom.lock")

    def add(self, line):
        line = re.sub(r"^\d+\s+", "", line)
        match = re.match(r"(\w+)\((.*)\)\s+= (-?\d+)", line)
        if not match:
            if "unfinished" in line or "resumed" in line:
                raise RuntimeError("calls of several threads are mixed: " + line[:80])
            return
        call, arguments, result = match.group(1), match.group(2), int(match.group(3))
        if result < 0:
            return
        strings = [unquoted(text) for text in re.findall(STRING, arguments)]
        getattr(self, "on_" + call)(arguments, strings, result)

    def on_openat(self, arguments, strings, result):
        path = strings[0].decode()
        self.open.pop(result, None)
        if Path(path).is_dir() and (path == str(self.root) or self.is_ours(path)):
            self.open[result] = ["directory", str(Path(path))]
            return
        if not self.is_ours(path):
            return
        name = self.name(path)
        if name not in self.numbers:
            if "O_CREAT" not in arguments:
                return
            self.numbers[name] = self.number()
            self.calls.append(("create", name, self.numbers[name]))
        if "O_TRUNC" in arguments:
            self.calls.append(("cut", self.numbers[name], 0))
        self.open[result] = [self.numbers[name], 0]

    def on_close(self, arguments, strings, result):
        self.open.pop(int(arguments), None)

    def written(self, descriptor, offset, data):
        if descriptor in self.open and self.open[descriptor][0] != "directory":
            self.calls.append(("write", self.open[descriptor][0], offset, data))

    def on_write(self, arguments, strings, result):
        descriptor = int(arguments.split(",")[0])
        if descriptor not in self.open:
            return
        offset = self.open[descriptor][1]
        self.written(descriptor, offset, strings[0][:result])
        self.open[descriptor][1] = offset + result

    def on_pwrite64(self, arguments, strings, result):
        descriptor = int(arguments.split(",")[0])
        self.written(descriptor, int(arguments.rsplit(",", 1)[1]), strings[0][:result])

    def on_pwritev(self, arguments, strings, result):
        descriptor = int(arguments.split(",")[0])
        self.written(descriptor, int(arguments.rsplit(",", 1)[1]), b"".join(strings)[:result])

    def on_ftruncate(self, arguments, strings, result):
        descriptor, length = (int(part) for part in arguments.split(","))
        if descriptor in self.open:
            self.calls.append(("cut", self.open[descriptor][0], length))

    def on_rename(self, arguments, strings, result):
        old, new = (text.decode() for text in strings)
        if self.is_ours(old):
            self.calls.append(("rename", self.name(old), self.name(new)))
            self.numbers[self.name(new)] = self.numbers.pop(self.name(old))

    def on_renameat2(self, arguments, strings, result):
        if "RENAME_EXCHANGE" not in arguments:
            self.on_rename(arguments, strings, result)
            return
        a, b = (self.name(text.decode()) for text in strings)
        self.calls.append(("exchange", a, b))
        self.numbers[a], self.numbers[b] = self.numbers[b], self.numbers[a]

    def on_link(self, arguments, strings, result):
        old, new = (text.decode() for text in strings)
        if self.is_ours(old) and self.is_ours(new):
            self.numbers[self.name(new)] = self.numbers[self.name(old)]
            self.calls.append(("link", self.name(new), self.numbers[self.name(new)]))

    on_linkat = on_link

    def on_unlink(self, arguments, strings, result):
        path = strings[0].decode()
        if self.is_ours(path):
            self.calls.append(("unlink", self.name(path)))
            self.numbers.pop(self.name(path))

    def on_fsync(self, arguments, strings, result):
        opened = self.open.get(int(arguments))
        if opened is None:
            return
        if opened[0] == "directory":
            directory = opened[1]
            where = "." if directory == str(self.root) else self.name(directory)
            self.calls.append(("sync names", where))
        else:
            self.calls.append(("sync", opened[0]))

    on_fdatasync = on_fsync


def directory_of(name):
    return str(Path(name).parent)


def is_synced(call, later):
    """Whether a call is on the disk for sure after later ones."""
    if call[0] in ("write", "cut"):
        return ("sync", call[1]) in later
    names = [part for part in call[1:3] if isinstance(part, str)]
    return all(("sync names", directory_of(name)) in later for name in names)


class Disk:
    """What files hold and which names lead to them."""

    def __init__(self, names, contents):
        self.names = dict(names)
        self.contents = {file: bytearray(data) for file, data in contents.items()}

    def put(self, file, offset, data):
        content = self.contents.setdefault(file, bytearray())
        if len(content) < offset + len(data):
            content.extend(bytes(offset + len(data) - len(content)))
        content[offset : offset + len(data)] = data

    def apply(self, call, files_of_names, keeps_page):
        kind = call[0]
        if kind in ("create", "link"):
            self.names[call[1]] = call[2]
        elif kind == "rename":
            self.names.pop(call[1], None)
            self.names[call[2]] = files_of_names[call]
        elif kind == "exchange":
            self.names[call[2]], self.names[call[1]] = files_of_names[call]
        elif kind == "unlink":
            self.names.pop(call[1], None)
        elif kind == "cut":
            content = self.contents.setdefault(call[1], bytearray())
            if len(content) > call[2]:
                del content[call[2] :]
            else:
                content.extend(bytes(call[2] - len(content)))
        elif kind == "write":
            _, file, offset, data = call
            at = 0
            while at < len(data):
                end = min(len(data), at + PAGE - (offset + at) % PAGE)
                if keeps_page():
                    self.put(file, offset + at, data[at:end])
                at = end

    def write_to(self, root):
        shutil.rmtree(root, ignore_errors=True)
        root.mkdir()
        for directory in self.directories:
            (root / directory).mkdir(exist_ok=True, parents=True)
        for name, file in self.names.items():
            (root / name).write_bytes(bytes(self.contents.get(file, b"")))


class Cutter:
    """A command, recorded, and the states that cuts of power leave."""

    def __init__(self, program, folder, prepare, arguments):
        self.program = program
        self.root = folder / "disk"
        shutil.rmtree(self.root, ignore_errors=True)
        self.root.mkdir()
        prepare(self.root)
        self.directories = [
            str(path.relative_to(self.root)) for path in self.root.rglob("*") if path.is_dir()
        ]
        self.recording = Recording(self.root)
        self.names = dict(self.recording.first)
        self.contents = {
            file: (self.root / name).read_bytes() for name, file in self.names.items()
        }
        log = folder / "log"
        subprocess.run(
            ["strace", "-f", "-qq", "-xx", "-s", "100000000", "-o", log, "-e", "trace=" + TRACED]
            + [program] + [str(part) for part in arguments(self.root)],
            check=True, capture_output=True,
        )
        for line in log.read_text().splitlines():
            self.recording.add(line)
        self.calls = self.recording.calls
        self.has_syncs = True
        self.files_of_names = self.find_renamed()

    def find_renamed(self):
        """The file that each renaming is of."""
        names = dict(self.names)
        found = {}
        for call in self.calls:
            if call[0] in ("create", "link"):
                names[call[1]] = call[2]
            elif call[0] == "rename":
                found[call] = names.pop(call[1])
                names[call[2]] = found[call]
            elif call[0] == "exchange":
                found[call] = names[call[1]], names[call[2]]
                names[call[2]], names[call[1]] = found[call]
            elif call[0] == "unlink":
                names.pop(call[1], None)
        return found

    def shards(self):
        """The files that are shards, or were to become some."""
        made = {call[1]: call[2] for call in self.calls if call[0] == "create"}
        return sorted({file for name, file in {**self.names, **made}.items() if ".shard" in name})

    def state(self, moment, keeps, keeps_page, liar=None):
        """The disk when the power fails before the call of a number, and one file's syncs are lies."""
        disk = Disk(self.names, self.contents)
        disk.directories = self.directories
        past = self.calls[:moment]
        for number, call in enumerate(past):
            if call[0].startswith("sync"):
                continue
            is_lie = call[0] in ("write", "cut") and call[1] == liar
            synced = self.has_syncs and not is_lie and is_synced(call, past[number + 1 :])
            if synced or keeps():
                disk.apply(call, self.files_of_names, (lambda: True) if synced else keeps_page)
        return disk


def sampled(last):
    """Some moments of a command, one from each part of it, and the last."""
    draw = random.Random(SEED)
    parts = min(SAMPLED_MOMENTS, last)
    borders = [last * part // parts for part in range(parts + 1)]
    return [draw.randrange(*part) for part in zip(borders, borders[1:])] + [last]


def decoded(program, directories, output):
    """What decode writes, or None; decoded.error is what it says."""
    output.unlink(missing_ok=True)
    done = subprocess.run(
        [program, "decode", *directories, "-o", output], capture_output=True, check=False
    )
    decoded.error = done.stderr.decode(errors="replace")
    return output.read_bytes() if done.returncode == 0 else None


class Case:
    """A command on a set, and what may be read after a cut."""

    has_shards = True

    def __init__(self, name, folder, program):
        self.name = name
        self.folder = folder
        self.program = program
        generator = random.Random(SEED)
        self.old = generator.randbytes(50_000)
        part = generator.randbytes(20_000)
        self.changed = self.old[:10_000] + part + self.old[30_000:]
        self.other = generator.randbytes(40_000)
        for file, data in (("old", self.old), ("part", part), ("other", self.other)):
            (folder / file).write_bytes(data)
        self.spread = name.startswith(("encode over directories", "patch", "append", "convert"))

    def places(self, root):
        return [root / str(i) for i in range(7)] if self.spread else [root / "0"]

    def run(self, *arguments):
        subprocess.run([self.program, *map(str, arguments)], check=True, capture_output=True)

    def prepare(self, root):
        places = self.places(root)
        for place in places:
            place.mkdir()
        if self.name.startswith("encode"):
            return
        self.run("encode", self.folder / "old", "-o", places[0], "--threads", "1")
        for number, shard in enumerate(sorted(places[0].iterdir())):
            if number % len(places) != 0:
                shard.rename(places[number % len(places)] / shard.name)
        if self.name == "repair":
            shards = sorted(places[0].iterdir())
            shards[3].unlink()
            content = bytearray(shards[5].read_bytes())
            content[1000] ^= 1
            shards[5].write_bytes(bytes(content))
        if self.name == "repair of stale shards":
            away = [(shard, shard.read_bytes()) for shard in sorted(places[0].iterdir())[:4]]
            for shard, _ in away:
                shard.unlink()
            self.run("patch", *places, "--at", 10_000, self.folder / "part")
            for shard, content in away:
                shard.write_bytes(content)

    def arguments(self, root):
        places = self.places(root)
        part = self.folder / "part"
        return {
            "encode": ["encode", self.folder / "old", "-o", places[0]],
            "encode over directories": [
                "encode",
                self.folder / "old",
                *[word for place in places for word in ("-o", place)],
            ],
            "replace": ["encode", self.folder / "other", "-o", places[0], "--replace"],
            "repair": ["repair", *places],
            "repair of stale shards": ["repair", *places],
            "patch": ["patch", *places, "--at", 10_000, part],
            "append": ["append", *places, part],
            "truncate": ["truncate", *places, "--length", 12_345],
            "convert": ["convert", *places, "--code", "rs:k=9,m=5"],
            "convert to more in place": ["convert", *places, "--code", "cauchy-good:10,6"],
            "convert to fewer in place": ["convert", *places, "--code", "cauchy-good:10,2"],
        }[self.name] + ["--threads", "1"]

    def after(self):
        """What the file is once the command is done."""
        return {
            "encode": self.old,
            "encode over directories": self.old,
            "convert": self.old,
            "convert to more in place": self.old,
            "convert to fewer in place": self.old,
            "replace": self.other,
            "repair": self.old,
            "repair of stale shards": self.changed,
            "patch": self.changed,
            "append": self.old + self.changed[10_000:30_000],
            "truncate": self.old[:12_345],
        }[self.name]

    def before(self):
        if self.name.startswith("encode"):
            return None
        return self.changed if self.name == "repair of stale shards" else self.old

    def flaw(self, root, moment, last, has_liar):
        """What is wrong with what is on the disk; empty if nothing is."""
        output = self.folder / "back"
        places = self.places(root)
        content = decoded(self.program, places, output)
        allowed = [self.after()] if moment == last else [self.before(), self.after()]
        if content not in allowed:
            return f"nothing is recovered: {decoded.error}" if content is None else "another file is recovered"
        if content is None:
            self.run(*self.arguments(root))
            return "" if decoded(self.program, places, output) == self.after() else "no second try"
        if self.name.startswith("convert to"):
            # The data alone would do. Both codes can lose the shards of some directories, too.
            most = (1 if "fewer" in self.name else 2) - has_liar
            left = random.Random(f"{SEED} {moment}").sample(places, len(places) - most)
            if decoded(self.program, left, output) != self.old:
                return "nothing is recovered without some directories"
        if moment % 3 != 0:
            return ""
        self.run("repair", *places)
        self.run("verify", *places)
        if decoded(self.program, places, output) != content:
            return "repair has changed the file"
        return ""

    def check(self, drawn):
        """Says how many disks were read back, and of the first with a flaw what it is."""
        cutter = Cutter(self.program, self.folder, self.prepare, self.arguments)
        last = len(cutter.calls)
        moments = range(last + 1)
        if drawn is None:
            moments = sampled(last)
        looked_at = 0
        for moment in moments:
            ways = [(lambda: True, lambda: True, None), (lambda: False, None, None)]
            for number in range(drawn or 1):
                draw = random.Random(f"{SEED} {moment} {number}")
                ways.append((lambda d=draw: d.random() < 0.5, lambda d=draw: d.random() < 0.7, None))
                if self.has_shards:
                    liar = draw.choice(cutter.shards())
                    ways.append((lambda d=draw: d.random() < 0.5, lambda d=draw: d.random() < 0.7, liar))
            for number, (keeps, keeps_page, liar) in enumerate(ways):
                cutter.state(moment, keeps, keeps_page, liar).write_to(cutter.root)
                flaw = self.flaw(cutter.root, moment, last, liar is not None)
                looked_at += 1
                if flaw:
                    return f"power lost before call {moment} of {last}, way {number}: {flaw}"
        print(f"{self.name}: {last} calls, {looked_at} disks read back, none mixed or lost")
        return ""

    def is_found_out_without_syncs(self):
        """Whether the model finds a flaw where no sync reaches the disk."""
        cutter = Cutter(self.program, self.folder, self.prepare, self.arguments)
        cutter.has_syncs = False
        last = len(cutter.calls)
        for number in range(50):
            draw = random.Random(number)
            cutter.state(last, lambda: draw.random() < 0.5, lambda: True).write_to(cutter.root)
            if decoded(self.program, self.places(cutter.root), self.folder / "back") not in (
                self.before(),
                self.after(),
            ):
                return True
        return False


class ProtectCase(Case):
    """protect, or repair of protected files: what holds after a cut."""

    has_shards = False

    def __init__(self, name, folder, program):
        super().__init__(name, folder, program)
        self.files = {"a": self.old, "below/b": self.other, "c": self.changed[:9000], "empty": b""}

    def part(self, root):
        return root / "p.xorloom"

    def prepare(self, root):
        for name, data in self.files.items():
            (root / "d" / name).parent.mkdir(parents=True, exist_ok=True)
            (root / "d" / name).write_bytes(data)
        if self.name == "protect":
            return
        self.run("protect", root / "d", "-o", self.part(root), "--redundancy", "70%", "-q")
        if self.name == "repair of protected files":
            damaged = bytearray(self.files["a"])
            damaged[30_000] ^= 1
            (root / "d/a").write_bytes(bytes(damaged))
            (root / "d/below/b").write_bytes(b"inserted" + self.files["below/b"])
            (root / "d/c").rename(root / "d/renamed")
        self.had = [path.read_bytes() for path in sorted((root / "d").rglob("*")) if path.is_file()]

    def arguments(self, root):
        part = self.part(root)
        return {
            "protect": ["protect", root / "d", "-o", part],
            "protect again": ["protect", root / "d", "-o", part, "--replace"],
            "repair of protected files": ["repair", part],
        }[self.name] + ["--threads", "1"]

    def flaw(self, root, moment, last, has_liar):
        part = self.part(root)
        if self.name == "repair of protected files":
            there = [path.read_bytes() for path in (root / "d").rglob("*") if path.is_file()]
            if any(data not in there for data in self.had):
                return "what somebody had is gone"
            self.run("repair", part)
        elif part.exists() or self.name == "protect again" or moment == last:
            self.run("verify", part)
        else:
            self.run(*self.arguments(root))
        self.run("verify", part)
        for name, data in self.files.items():
            if (root / "d" / name).read_bytes() != data:
                return name + " is not what it was"
        return ""


CASES = [
    "encode",
    "encode over directories",
    "replace",
    "repair",
    "patch",
    "append",
    "truncate",
    "repair of stale shards",
    "convert",
    "convert to more in place",
    "convert to fewer in place",
    "protect",
    "protect again",
    "repair of protected files",
]


def main():
    program = sys.argv[1]
    if shutil.which("strace") is None:
        print("SKIPPED: strace is not installed")
        return 77
    if subprocess.run(["strace", "-f", "-qq", "-o", "/dev/null", "true"], check=False).returncode:
        print("SKIPPED: strace may not trace here")
        return 77
    cuts = os.environ.get("XORLOOM_POWER_CUTS")
    for name in sys.argv[2:] or CASES:
        with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
            kind = ProtectCase if "protect" in name else Case
            case = kind(name, Path(folder), program)
            flaw = case.check(None if cuts is None else int(cuts))
        if flaw:
            print(f"{name}: {flaw}")
            return 1
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
        if not Case("patch", Path(folder), program).is_found_out_without_syncs():
            print("a patch that syncs nothing is not found out")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
