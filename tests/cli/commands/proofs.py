"""The formula of scripts/check-bound and the proofs of scripts/prove-bound: proofs.py PROVER formula|proof.

The formula has to have a solution exactly if a search through all circuits finds one. It needs any CaDiCaL, and the
proofs one that writes hints.
"""

import importlib.machinery
import importlib.util
import itertools
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

PROVER, PART = sys.argv[1:]
CHECKER = str(pathlib.Path(PROVER).parent / "check-bound")
SATISFIABLE = 10  # exit status of a solver


def checker():
    loader = importlib.machinery.SourceFileLoader("check_bound", CHECKER)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("check_bound", loader))
    loader.exec_module(module)
    return module


def has_circuit(values, missing, gates, seen):
    """Whether `gates` XORs, or fewer, turn values into the missing ones too."""
    if not missing:
        return True
    sums = {a ^ b for a, b in itertools.combinations(values, 2)} - values
    for value in missing & sums:  # has to be computed some time
        return has_circuit(values | {value}, missing - {value}, gates - 1, seen)
    if len(missing) >= gates or (values, gates) in seen:
        return False
    seen.add((values, gates))
    return any(has_circuit(values | {value}, missing, gates - 1, seen) for value in sums)


def has_solution(clauses):
    if not all(clauses):
        return False
    variables = max(abs(literal) for clause in clauses for literal in clause)
    lines = [f"p cnf {variables} {len(clauses)}"] + [" ".join(map(str, [*clause, 0])) for clause in clauses]
    text = "\n".join(lines) + "\n"
    call = ["cadical", "-q", "-n"]
    return subprocess.run(call, input=text, text=True, capture_output=True, check=False).returncode == SATISFIABLE


def try_formulas(check):
    numbers = random.Random(7)
    found = set()
    for _ in range(40):
        inputs = numbers.choice((3, 4, 5))
        rows = [format(numbers.randrange(1 << inputs), f"0{inputs}b") for _ in range(numbers.randint(1, 5))]
        outputs = check.outputs_of(rows)
        for others in range(3):
            if not outputs or inputs + len(outputs) + others >= 1 << inputs:
                continue
            start = frozenset(1 << i for i in range(inputs))
            expected = has_circuit(start, frozenset(outputs), len(outputs) + others, set())
            assert has_solution(check.formula(inputs, outputs, others)) == expected, (rows, others)
            found.add((others, expected))
    assert found >= {(0, False), (0, True), (1, False), (1, True), (2, True)}, found


def prove(folder, rows, xors):
    matrix, certificate = folder / "matrix.txt", folder / "certificate.json"
    matrix.write_text("\n".join(rows) + "\n")
    done = subprocess.run([PROVER, matrix, str(xors), certificate], capture_output=True, text=True, check=False)
    if done.returncode == 0:
        call = [CHECKER, matrix, certificate]
        checked = subprocess.run(call, capture_output=True, text=True, check=False)
        assert f"at least {xors} XORs (sat)" in checked.stdout, checked.stderr
    else:
        assert not certificate.exists() and done.stderr.count("\n") == 1, done.stderr
    return done.returncode, done.stdout + done.stderr


def try_proofs(folder):
    ring = ["0111", "1011", "1101", "1110"]
    status, text = prove(folder, ring, 7)
    assert status == 1 and "some circuit has fewer XORs" in text, text
    status, text = prove(folder, ring, 4)
    assert status == 1 and "need no proof" in text, text
    status, text = prove(folder, ["1101", "10"], 4)
    assert status == 1 and "no matrix" in text, text
    wide = [f"{1 << i:04b}{row}" for i, row in enumerate(ring)]
    for rows, xors in ((ring, 6), (wide, 10), (["111100", "111010", "111001"], 5)):
        status, text = prove(folder, rows, xors)
        assert status == 0, text
        (folder / "certificate.json").unlink()


def main():
    if shutil.which("cadical") is None:
        print("SKIPPED: cadical is not installed")
    elif PART == "formula":
        try_formulas(checker())
    elif "--lrat" not in subprocess.run(["cadical", "--help"], capture_output=True, text=True, check=False).stdout:
        print("SKIPPED: this cadical writes no proofs with hints")
    else:
        with tempfile.TemporaryDirectory() as name:
            try_proofs(pathlib.Path(name))


main()
