"""Certificates of bounds, held against scripts/check-bound: bounds.py PROGRAM CHECKER LAYERS.

A certificate that is damaged or about another matrix has to be refused. Those of examples/bounds have to be what the
program writes.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

PROGRAM, CHECKER, LAYERS = sys.argv[1:]
EXAMPLES = pathlib.Path(CHECKER).resolve().parent.parent / "examples" / "bounds"


def check(matrix, certificate):
    return subprocess.run([CHECKER, str(matrix), str(certificate)], capture_output=True, text=True, check=False)


def certified(folder, matrix):
    certificate = folder / "certificate.json"
    call = [PROGRAM, "optimize", str(matrix), "--bound", "--certificate", str(certificate)]
    text = subprocess.run(call, capture_output=True, text=True, check=True).stdout
    done = check(matrix, certificate)
    assert done.returncode == 0, (matrix, done.stderr)
    bound = json.loads(certificate.read_text())["bound"]
    assert f"bound:   {bound} XORs" in text, text
    assert f"at least {bound} XORs" in done.stdout, done.stdout
    return bound, certificate


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        subprocess.run([LAYERS, str(folder)], check=True)
        records = json.loads((folder / "records.json").read_text())
        for record in records:
            if record["name"] in ("KHAZAD", "WHIRLPOOL"):
                continue  # 128 elements: seconds each
            bound, certificate = certified(folder, folder / f"{record['name']}.txt")
            assert bound <= record["best_known"], (record, bound)
            example = EXAMPLES / f"{record['name']}.json"
            if example.exists():
                kept, written = (json.loads(path.read_text()) for path in (example, certificate))
                assert {**kept, "program": ""} == {**written, "program": ""}, example
        for example in EXAMPLES.iterdir():
            done = check(folder / f"{example.stem}.txt", example)
            assert done.returncode == 0, (example, done.stderr)
        small = folder / "small.txt"
        small.write_text("110\n011\n111\n")
        bound, _ = certified(folder, small)
        assert bound == 3, bound
        bound, certificate = certified(folder, folder / "AES.txt")
        assert bound == 54, bound
        claim = json.loads(certificate.read_text())
        for text in ("[1]", "false", "[" * 100000):  # no object, and no traceback
            small.write_text(text)
            assert check(folder / "AES.txt", small).stderr.startswith("check-bound: "), text[:9]
        other = folder / "TWOFISH.txt"
        assert "another matrix" in check(other, certificate).stderr
        for change in ({"bound": 55}, {"alike": 2}, {"others": 21}, {"distance": 5}, {"transposed": "x"},
                       {"argument": "rows"}, {"argument": "faith"}, {"version": 2}, {"matrix": claim["matrix"][1:]}):
            certificate.write_text(json.dumps({**claim, **change}))
            refused = check(folder / "AES.txt", certificate)
            assert refused.returncode != 0, (change, refused.stdout)
        certificate.write_text(json.dumps(claim)[:-40])
        assert check(folder / "AES.txt", certificate).returncode != 0


main()
