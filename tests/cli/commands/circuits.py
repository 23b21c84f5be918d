"""Circuits of xorloom optimize, held against scripts/check-circuit: circuits.py PROGRAM CHECKER LAYERS.

A circuit that is damaged, or of another matrix, has to be refused.
"""

import copy
import json
import pathlib
import subprocess
import sys
import tempfile

PROGRAM, CHECKER, LAYERS = sys.argv[1:]
OPTIONS = ([], ["--in-place"], ["--depth", "3"], ["--gates", "xor2=1,xor3=1.6"], ["--gates", "xor4=1", "--levels", "3"])


def check(matrix, circuit):
    return subprocess.run([CHECKER, str(matrix), str(circuit)], capture_output=True, text=True, check=False)


def expected(found):
    """What the checker has to count, as the program says."""
    if "lines" in found:
        return f"{found['cost']['xors']} XORs in place, in {found['cost']['depth']} levels"
    cost = f"{found['cost']['xors']} XORs in {found['cost']['critical_path']} levels"
    if "gates" not in found:
        return cost
    by_inputs = found["gates"]["by_inputs"]
    kinds = ", ".join(f"{count} of {inputs}" for inputs, count in by_inputs.items() if count)
    return f"{cost}; as gates of inputs: {kinds}; {sum(by_inputs.values())} in all, in {found['gates']['depth']} levels"


def damaged(found):
    changes = [("version", 2), ("format", "xorloom-bound"), ("outputs", found["outputs"][::-1]), ("outputs", [])]
    if "lines" in found:
        changes += [("lines", found["lines"][1:]), ("lines", [[0, 0], *found["lines"]]), ("wires", 5)]
    else:
        changes += [("equations", found["equations"][1:]), ("equations", found["equations"][::-1])]
        changes += [("equations", found["equations"] + found["equations"][:1]), ("inputs", found["inputs"][1:])]
    for key, value in changes:
        yield {**copy.deepcopy(found), key: value}


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        subprocess.run([LAYERS, str(folder)], check=True)
        matrix, circuit = folder / "SMALL_AES.txt", folder / "circuit.json"
        for options in OPTIONS:
            store = [] if "--in-place" in options else ["--store", "off"]
            call = [PROGRAM, "optimize", str(matrix), "--effort", "fast", "--format", "json", "-o", str(circuit)]
            subprocess.run([*call, *store, *options], check=True)
            done = check(matrix, circuit)
            found = json.loads(circuit.read_text())
            assert done.returncode == 0, (options, done.stderr)
            assert expected(found) in done.stdout, (options, done.stdout, expected(found))
            assert check(folder / "AES.txt", circuit).returncode != 0, options
            assert check(folder / "SMALL_AES_inverse.txt", circuit).returncode != 0, options
            for wrong in damaged(found) if options in ([], ["--in-place"]) else ():
                circuit.write_text(json.dumps(wrong))
                refused = check(matrix, circuit)
                assert refused.stderr.startswith("check-circuit: "), (options, refused)
                assert refused.returncode != 0, (options, refused.stdout)
            circuit.write_text(json.dumps(found)[:-40])
            assert check(matrix, circuit).returncode != 0, options
        for text in ("[1]", "false", "[" * 100000):  # no object, and no traceback
            circuit.write_text(text)
            assert check(folder / "AES.txt", circuit).stderr.startswith("check-circuit: "), text[:9]


main()
