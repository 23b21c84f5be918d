#!/usr/bin/env python3
"""Encodes with Ceph's own plugins and decodes with Xorloom's, and the reverse, by ceph-erasure-code-tool:

    ceph_tool.py OUR_PLUGINS

OUR_PLUGINS is a folder with Xorloom's plugin under every name. Ceph's own are where Ceph looks for them. Chunks
must be the same, byte for byte, and so must chunk sizes and what is refused. With XORLOOM_TEST_WHOLE=1 it tries
more losses. The tool of Ceph 20.2.4 writes no redundancy; there, sizes and what is refused are compared alone."""

import itertools
import os
import random
import shutil
import subprocess
import sys
import tempfile

STRIPES = 3
WHOLE = os.environ.get("XORLOOM_TEST_WHOLE") == "1"
TOOL = "ceph-erasure-code-tool"

# Profiles, and a unit of a stripe that their chunks fit.
PROFILES = [
    ("plugin=isa,technique=reed_sol_van,k=2,m=1", 96),
    ("plugin=isa,technique=reed_sol_van,k=7,m=3", 4096),
    ("plugin=isa,technique=reed_sol_van,k=21,m=4", 64),
    ("plugin=isa,technique=cauchy,k=3,m=1", 32),
    ("plugin=isa,technique=cauchy,k=4,m=2", 4096),
    ("plugin=isa,technique=cauchy,k=10,m=4", 4128),
    ("plugin=isa,technique=cauchy,k=9,m=6", 160),
    ("plugin=jerasure,technique=reed_sol_van,k=2,m=1", 32),
    ("plugin=jerasure,technique=reed_sol_van,k=10,m=4", 4096),
    ("plugin=jerasure,technique=reed_sol_van,k=5,m=3,w=16", 192),
    ("plugin=jerasure,technique=reed_sol_van,k=4,m=2,w=32", 128),
    ("plugin=jerasure,technique=reed_sol_van,k=4,m=2,jerasure-per-chunk-alignment=true", 1280),
    ("plugin=jerasure,technique=reed_sol_r6_op,k=5,m=2", 4096),
    ("plugin=jerasure,technique=reed_sol_r6_op,k=3,m=2,w=16", 64),
    ("plugin=jerasure,technique=reed_sol_r6_op,k=5,m=2,jerasure-per-chunk-alignment=true", 4096),
    ("plugin=jerasure,technique=cauchy_orig,k=4,m=2,packetsize=32", 1024),
    ("plugin=jerasure,technique=cauchy_orig,k=3,m=3,w=7,packetsize=24", 672),
    ("plugin=jerasure,technique=cauchy_good,k=10,m=4,packetsize=128", 4096),
    ("plugin=jerasure,technique=cauchy_good,k=5,m=3,w=4,packetsize=64", 1024),
    ("plugin=jerasure,technique=cauchy_good,k=4,m=2,packetsize=32,jerasure-per-chunk-alignment=true", 256),
    ("plugin=jerasure,technique=liberation,k=5,m=2,w=7,packetsize=32", 896),
    ("plugin=jerasure,technique=blaum_roth,k=5,m=2,w=6,packetsize=32", 768),
    ("plugin=jerasure,technique=blaum_roth,k=4,m=2,w=7,packetsize=32", 896),
    ("plugin=jerasure,technique=liber8tion,k=6,m=2,packetsize=32", 1024),
    ("plugin=shec,k=4,m=3,c=2", 4096),
    ("plugin=shec,k=8,m=4,c=3", 96),
    ("plugin=lrc,k=4,m=2,l=3", 4096),
    ("plugin=lrc,k=8,m=4,l=3", 64),
    ("plugin=clay,k=4,m=2,d=5", 4096),
    ("plugin=clay,k=5,m=3,d=7", 864),
    ("plugin=clay,k=8,m=3,d=9", 2048),
]

# Profiles that either plugin refuses.
REFUSED = [
    "plugin=isa,technique=reed_sol_van,k=22,m=4",
    "plugin=isa,technique=reed_sol_van,k=4,m=5",
    "plugin=isa,technique=liberation,k=4,m=2",
    "plugin=jerasure,technique=reed_sol_van,k=4,m=2,w=9",
    "plugin=jerasure,technique=cauchy_good,k=300,m=10,packetsize=32",
    "plugin=jerasure,technique=liberation,k=9,m=2,w=7,packetsize=32",
    "plugin=jerasure,technique=liber8tion,k=9,m=2,packetsize=32",
    "plugin=shec,k=4,m=5,c=2",
    "plugin=lrc,k=4,m=2,l=4",
    "plugin=clay,k=4,m=2,d=6",
]


def tool(ours, *arguments, check=True):
    environment = dict(os.environ, CEPH_ARGS="--no-log-to-stderr")
    if ours:
        environment["CEPH_ARGS"] += f" --erasure-code-dir={ours}"
    result = subprocess.run([TOOL, *map(str, arguments)], env=environment, capture_output=True, text=True)
    if check and result.returncode != 0:
        sys.exit(f"{arguments} with {ours or 'Ceph'}: {result.returncode}\n{result.stdout}{result.stderr}")
    return result


def counts(ours, profile):
    lines = tool(ours, "validate-profile", profile).stdout.split("\n")
    return {key: int(value) for key, value in (line.split(": ") for line in lines if ": " in line)}


def read(path):
    with open(path, "rb") as file:
        return file.read()


def losses(n, most, rng):
    """Some sets of lost chunks, of every size."""
    for size in range(1, most + 1):
        sets = list(itertools.combinations(range(n), size))
        yield from rng.sample(sets, min(6 if WHOLE else 1, len(sets)))


def writes_redundancy():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "content")
        with open(path, "wb") as file:
            file.write(bytes(8192))
        tool(None, "encode", "plugin=isa,technique=reed_sol_van,k=2,m=1", 4096, "0,1,2", path)
        return os.path.exists(f"{path}.2")


def check_sizes(ours, profile, unit):
    """Compares the sizes of chunks and their counts, which it returns."""
    for size in (1, unit - 1, 1000, 65536, 1048577):
        sizes = [tool(who, "calc-chunk-size", profile, size, check=False) for who in (None, ours)]
        # Ceph's plugin may end on an assertion where ours has an answer.
        if sizes[0].returncode == 0 and sizes[0].stdout != sizes[1].stdout:
            sys.exit(f"{profile}: chunks of {size} bytes have {sizes[0].stdout} and {sizes[1].stdout}")
    shape = counts(None, profile)
    if shape != counts(ours, profile):
        sys.exit(f"{profile}: {shape} and {counts(ours, profile)}")
    return shape["chunk_count"], shape["data_chunk_count"]


def check_bytes(ours, profile, unit, n, k, folder, rng):
    shards = ",".join(map(str, range(n)))
    for length in (STRIPES * k * unit, STRIPES * k * unit - 1, unit + 1, 1):
        content = rng.randbytes(length)
        paths = {}
        for who in (None, ours):
            paths[who] = os.path.join(folder, "ours" if who else "ceph")
            with open(paths[who], "wb") as file:
                file.write(content)
            tool(who, "encode", profile, unit, shards, paths[who])
            os.remove(paths[who])
        for shard in range(n):
            if read(f"{paths[None]}.{shard}") != read(f"{paths[ours]}.{shard}"):
                sys.exit(f"{profile}: chunk {shard} of {length} bytes differs")
        if length != STRIPES * k * unit and not WHOLE:
            continue
        most = n - k
        for plugin, key in (("shec", "c="), ("lrc", "m=")):
            if f"plugin={plugin}," in profile:
                most = int(profile.split(key)[1].split(",")[0])
        if "blaum_roth" in profile and "w=7" in profile:
            most = 1  # w + 1 is no prime, so some losses of two cannot be rebuilt
        for lost in losses(n, most, rng):
            present = ",".join(str(i) for i in range(n) if i not in lost)
            for who, chunks in ((ours, paths[None]), (None, paths[ours])):
                tool(who, "decode", profile, unit, present, chunks)
                if read(chunks)[:length] != content:
                    sys.exit(f"{profile}: {lost} lost: decoded by {who or 'Ceph'}, other bytes came out")
                os.remove(chunks)


def main():
    ours = os.path.abspath(sys.argv[1])
    if shutil.which(TOOL) is None:
        print(f"SKIPPED: {TOOL} is not installed")
        return
    rng = random.Random(1)
    has_all = writes_redundancy()
    for profile, unit in PROFILES:
        n, k = check_sizes(ours, profile, unit)
        if has_all:
            with tempfile.TemporaryDirectory() as folder:
                check_bytes(ours, profile, unit, n, k, folder, rng)
        same = "chunks are the same, and decode either way" if has_all else "chunks have the same sizes"
        print(f"{profile}: {same}", flush=True)
    for profile in REFUSED:
        result = tool(ours, "validate-profile", profile, check=False)
        sentence = [line for line in result.stderr.splitlines() if line.startswith("invalid profile")]
        if result.returncode == 0 or not sentence:
            sys.exit(f"{profile} is not refused")
        print(f"{profile}: {sentence[0]}")


main()
