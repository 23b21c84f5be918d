#!/usr/bin/env python3
"""Runs pyeclib on the drop-ins for libisal and libJerasure, and on the libraries that they stand in for:

    pyeclib_fragments.py DROP_IN_FOLDER

Fragments must be the same, byte for byte, and either side must decode and reconstruct those of the other. pyeclib
loads its libraries when a process begins, so each side is a process of its own."""

import hashlib
import itertools
import os
import pickle
import random
import subprocess
import sys

KINDS = ["isa_l_rs_vand", "isa_l_rs_cauchy", "jerasure_rs_vand", "jerasure_rs_cauchy"]
SHAPES = [(4, 2), (10, 4), (6, 3)]
SIZES = [1, 1000, 65536, 300001]
LOSSES = 12


def drivers():
    from pyeclib.ec_iface import ECDriver, ECDriverError

    for kind in KINDS:
        for k, m in SHAPES:
            try:
                yield kind, k, m, ECDriver(k=k, m=m, ec_type=kind)
            except ECDriverError:
                print(f"{kind} is not available", file=sys.stderr)
                break


def contents():
    rng = random.Random(3)
    return [rng.randbytes(size) for size in SIZES]


def encode():
    """Writes every fragment to standard output."""
    made = {}
    for kind, k, m, driver in drivers():
        for content in contents():
            made[kind, k, m, len(content)] = driver.encode(content)
    sys.stdout.buffer.write(pickle.dumps(made))


def decode():
    """Decodes the fragments of standard input, and prints which library computed."""
    made = pickle.loads(sys.stdin.buffer.read())
    number = 0
    for kind, k, m, driver in drivers():
        for content in contents():
            fragments = made[kind, k, m, len(content)]
            rng = random.Random(k)
            sets = list(itertools.combinations(range(k + m), m))
            for lost in rng.sample(sets, min(LOSSES, len(sets))):
                left = [f for i, f in enumerate(fragments) if i not in lost]
                if driver.decode(left) != content:
                    sys.exit(f"{kind} {k} + {m}, {len(content)} bytes: {lost} lost, other bytes came out")
                if driver.reconstruct(left, list(lost)) != [fragments[i] for i in lost]:
                    sys.exit(f"{kind} {k} + {m}, {len(content)} bytes: {lost} are reconstructed as others")
                number += 1
    with open("/proc/self/maps", encoding="utf-8") as maps:
        used = {line.split()[-1] for line in maps if "libisal" in line or "libJerasure" in line}
    print(number, *sorted(used))


def main():
    if sys.argv[1:] == ["encode"]:
        encode()
        return
    if sys.argv[1:] == ["decode"]:
        decode()
        return
    folder = os.path.realpath(sys.argv[1])
    try:
        import pyeclib.ec_iface  # noqa: F401
    except ImportError:
        print("SKIPPED: python3-pyeclib is not installed")
        return
    environments = {"stock": dict(os.environ), "ours": dict(os.environ, LD_LIBRARY_PATH=folder)}

    def run(side, what, fragments=None):
        result = subprocess.run(
            [sys.executable, __file__, what], env=environments[side], input=fragments, capture_output=True
        )
        if result.returncode != 0:
            sys.exit(f"{what} on {side}: {result.stdout.decode()}{result.stderr.decode()}")
        return result.stdout

    made = {side: run(side, "encode") for side in environments}
    digests = {side: hashlib.sha256(made[side]).hexdigest() for side in environments}
    if digests["stock"] != digests["ours"]:
        stock, ours = (pickle.loads(made[side]) for side in ("stock", "ours"))
        sys.exit(f"fragments differ: {[key for key in stock if stock[key] != ours.get(key)]}")
    for side in environments:
        other = "ours" if side == "stock" else "stock"
        number, *used = run(side, "decode", made[other]).decode().split()
        if side == "ours" and (len(used) != 2 or not all(path.startswith(folder) for path in used)):
            sys.exit(f"the drop-ins in {folder} are not what is used: {used}")
        print(f"{side}: decoded and reconstructed {number} times from the fragments of {other}")


main()
