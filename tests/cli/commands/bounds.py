"""Certificates of bounds, held against scripts/check-bound: bounds.py PROGRAM CHECKER LAYERS.

A certificate that is damaged or about another matrix has to be refused, and so has a damaged proof. Certificates of
examples/bounds without a proof have to be what the program writes.
"""

import gzip
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


def refuses(matrix, certificate, what):
    done = check(matrix, certificate)
    assert done.returncode == 1 and done.stdout == "", (what, done.stdout)
    assert done.stderr.startswith("check-bound: ") and done.stderr.count("\n") == 1, (what, done.stderr)
    return done.stderr


def damage_proof(folder):
    """Damages a certificate with a proof in many ways, and its proof."""
    example = EXAMPLES / "SMALL_AES_HALF.json"
    claim = json.loads(example.read_text())
    lines = gzip.decompress(example.with_suffix(".lrat.gz").read_bytes()).decode().splitlines()
    matrix, certificate, proof = folder / "half.txt", folder / "half.json", folder / "half.lrat.gz"

    def write(rows=claim["matrix"], change=None, text=lines):
        matrix.write_text("\n".join(rows) + "\n")
        certificate.write_text(json.dumps({**claim, "matrix": rows, **(change or {})}))
        proof.write_bytes(text if isinstance(text, bytes) else gzip.compress("\n".join(text).encode()))

    write()
    assert check(matrix, certificate).returncode == 0
    end = {"bound": claim["bound"] + 1}
    for change in (end, {"others": claim["others"] + 1}, {**end, "others": claim["others"] + 1}, {"others": 10**9},
                   {"others": -1}, {"others": "2"}, {"others": True}, {"transposed": False}, {"bound": None},
                   {"bound": float(claim["bound"])}):
        write(change=change)
        refuses(matrix, certificate, change)
    rows = claim["matrix"]
    for other in (rows[:-1], [*rows[:-1], rows[0][1:] + rows[0][0]], [row[::-1] for row in rows[:2]] + rows[2:]):
        write(other)
        refuses(matrix, certificate, other)
    first, *middle, last = lines
    number, *words = middle[0].split()
    hints = words[words.index("0") + 1 : -1]
    for text in ([first, last], lines[:-1], lines[1:], [first, *lines], [f"{number} {hints[0]} 0 0", *lines],
                 [f"{number} 0 {' '.join(hints)} 0"], [f"{number} 0 0"], [f"{number} 0 -1 0"], [f"{number} 0 1 0"],
                 ["0 0"], ["garbage"], [""], [first, "\0" * 50, *middle, last], ["9" * 9999], [*middle, last]):
        write(text=text)
        refuses(matrix, certificate, text[:2])
    write()
    whole = proof.read_bytes()
    for text in (b"", b"garbage", whole[:-200], whole[:-4], whole[:500] + b"\0" + whole[501:]):
        write(text=text)
        refuses(matrix, certificate, text[:20])
    proof.unlink()
    assert "half.lrat.gz" in refuses(matrix, certificate, "no proof")


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
        for example in EXAMPLES.glob("*.json"):
            beside = example.with_suffix(".txt")
            done = check(beside if beside.exists() else folder / beside.name, example)
            assert done.returncode == 0, (example, done.stderr)
        damage_proof(folder)
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
        assert "is no matrix of 0s and 1s" in refuses(certificate, folder / "AES.txt", "the wrong order")
        other = folder / "TWOFISH.txt"
        assert "another matrix" in check(other, certificate).stderr
        for change in ({"bound": 55}, {"alike": 2}, {"others": 21}, {"distance": 5}, {"transposed": "x"},
                       {"argument": "rows"}, {"argument": "faith"}, {"version": 2}, {"matrix": claim["matrix"][1:]}):
            certificate.write_text(json.dumps({**claim, **change}))
            refused = check(folder / "AES.txt", certificate)
            assert refused.returncode != 0, (change, refused.stdout)
        certificate.write_text(json.dumps(claim)[:-40])
        assert certificate.name in refuses(folder / "AES.txt", certificate, "cut")


main()
