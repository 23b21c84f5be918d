"""The published schemas, held against what the program prints: schemas.py PROGRAM SCHEMAS.

Each call's JSON has to be valid, and a document that is wrong has to be refused.
"""

import copy
import json
import pathlib
import subprocess
import sys
import tempfile

try:
    from jsonschema import Draft202012Validator
except ImportError:
    print("SKIPPED: the Python module jsonschema is not installed")
    sys.exit(0)

PROGRAM = sys.argv[1]
SCHEMAS = pathlib.Path(sys.argv[2])
EXAMPLES = SCHEMAS.parent.parent / "examples"
WORKED = "cauchy:k=5,m=2,w=3,x=1+2,y=4+5+6+7+0"


def validator(name):
    schema = json.loads((SCHEMAS / name).read_text())
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def printed(*arguments, status=0):
    done = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == status, (arguments, done.returncode, done.stderr)
    return done.stdout


def check_valid(schema, document, what):
    errors = [f"{error.json_path}: {error.message}" for error in schema.iter_errors(document)]
    assert not errors, (what, errors[:5])


def check_refused(schema, document, what):
    assert not schema.is_valid(document), f"the schema takes a wrong document: {what}"


def changed(document, change):
    copied = copy.deepcopy(document)
    change(copied)
    return copied


def check_reports(schema, folder):
    equations = folder / "equations.json"
    printed("equations", "rs:k=3,m=2", "--over", "symbols", "--format", "json", "-o", str(equations))
    atlas = folder / "atlas"
    printed("atlas", "cauchy-good:k=3,m=2,w=3", "--effort", "fast", "-o", str(atlas))
    calls = (
        (WORKED,),
        (WORKED, "--cores", "1,2,6", "--equations", str(EXAMPLES / "paper_iterative.txt")),
        (WORKED, "cauchy-good:k=4,m=2,w=4", "rdp:k=4", "--cores", "1,3"),
        ("cauchy-good:k=4,m=2,w=4", "--erase", "0,1", "--cores", "2"),
        ("rs:k=4,m=2",),
        ("rs:k=4,m=2", "--erase", "5"),
        ("clay:k=4,m=2", "--over", "symbols"),
        ("clay:k=4,m=2", "--over", "symbols", "--erase", "0"),
        ("lrc:k=4,m=2,l=3", "--over", "symbols"),
        ("--equations", str(equations)),
        ("cauchy-good:k=3,m=2,w=3", "--atlas", str(atlas), "--erase", "0"),
        (WORKED, "--effort", "max", "--tries", "1000", "--seed", "7"),
        (WORKED, "--effort", "max", "--seconds", "1"),
    )
    for call in calls:
        effort = () if "--effort" in call else ("--effort", "fast")
        report = json.loads(printed("report", *call, *effort, "--format", "json"))
        check_valid(schema, report, call)
    call = ("report", WORKED, "--cores", "1,2", "--effort", "fast", "--format", "json")
    return json.loads(printed(*call))


def measured(report):
    """What --measure and --rates add."""
    error = {"residual": 0.1, "held_out": 0.2}
    errors = {
        "prediction_error": error,
        "prediction_errors": [{"isa": "avx2", "arrangement": "packet", **error}],
    }
    report.update(errors)
    report["machines"] = [{"name": "a", "cpu": "b", "caches": report["caches"], **errors}]
    for one in report["sets"]:
        for plan in one["on_cores"]:
            plan.update(measured_data_gb_per_s=10.5, measured_speedup=1.5)
        for run in one["runs"]:
            for speeds in ("predicted_data_gb_per_s", "measured_data_gb_per_s"):
                run[speeds] = {"l1": 31, "l2": 30.0, "l3": 20, "memory": 10.25}
            run["elsewhere"] = [{"machine": "a", "predicted_data_gb_per_s": run["predicted_data_gb_per_s"]}]


def check_wrong_reports(schema, report):
    check_valid(schema, changed(report, measured), "measured speeds")
    wrong = {
        "another format": lambda r: r.update(format="xorloom-equations"),
        "another version": lambda r: r.update(version=2),
        "no sets": lambda r: r.update(sets=[]),
        "a missing member": lambda r: r.pop("machine"),
        "an unknown member": lambda r: r.update(sites=[]),
        "an unknown member of a set": lambda r: r["sets"][0].update(xor=1),
        "an unknown member of a plan": lambda r: r["sets"][0]["on_cores"][0].update(steps=1),
        "an unknown member of a code": lambda r: r["sets"][0]["code"].update(n=7),
        "no XORs": lambda r: r["sets"][0].pop("xors"),
        "negative XORs": lambda r: r["sets"][0].update(xors=-1),
        "half an XOR": lambda r: r["sets"][0].update(xors=1.5),
        "a count as text": lambda r: r["sets"][0].update(temporaries="3"),
        "another style": lambda r: r["sets"][0].update(style="fast"),
        "multiplications over bits": lambda r: r["sets"][0].update(multiplications=1),
        "a location twice": lambda r: r.update(erased=[1, 1]),
        "another effort": lambda r: r["search"].update(effort="quick"),
    }
    for what, change in wrong.items():
        check_refused(schema, changed(report, change), what)
    check_refused(schema, [], "a list")


def check_diffs(schema, report, folder):
    def written(name, document):
        (folder / name).write_text(json.dumps(document))
        return str(folder / name)

    def other(document):
        measured(document)
        document["sets"][0]["xors"] += 1
        document["sets"][1]["on_cores"][1]["makespan"] -= 1
        document["sets"][1]["runs"][:1] = []
        document["sets"].append(copy.deepcopy(document["sets"][0]))
        document["sets"][-1]["source"] = "a file"

    def slower(document):
        other(document)
        document["sets"][0]["on_cores"][0]["measured_data_gb_per_s"] = 0
        document["sets"].pop()

    plain = written("plain", report)
    more = written("more", changed(report, other))
    slow = written("slow", changed(report, slower))
    files = (plain, more, slow)
    # From more XORs and fewer steps back, the steps are worse.
    worse = {(plain, more), (plain, slow), (more, plain), (slow, plain), (more, slow)}
    diffs = []
    for old in files:
        for new in files:
            status = 1 if (old, new) in worse else 0
            text = printed("report", "--diff", old, new, "--format", "json", status=status)
            diffs.append(json.loads(text))
            check_valid(schema, diffs[-1], (old, new))
    wrong = {
        "another format": lambda d: d.update(format="xorloom-report"),
        "no sets": lambda d: d.update(sets=[]),
        "an unknown member": lambda d: d.update(same=0),
        "another verdict": lambda d: d["sets"][0]["figures"][0].update(verdict="bad"),
        "an unknown member of a figure": lambda d: d["sets"][0]["figures"][0].update(unit="s"),
        "a missing member of a figure": lambda d: d["sets"][0]["figures"][0].pop("percent"),
    }
    for what, change in wrong.items():
        check_refused(schema, changed(diffs[1], change), what)


def check_repair_plans(topology_schema, plan_schema):
    topology = EXAMPLES / "racks.json"
    racks = json.loads(topology.read_text())
    check_valid(topology_schema, racks, "racks.json")
    wrong = {
        "no racks": lambda t: t.update(racks=[]),
        "an unknown member": lambda t: t.update(latency=1),
        "a bandwidth of 0": lambda t: t.update(link=0),
        "a bandwidth without unit": lambda t: t.update(link="fast"),
        "a rack without nodes": lambda t: t["racks"][0].pop("nodes"),
    }
    for what, change in wrong.items():
        check_refused(topology_schema, changed(racks, change), what)
    for spec in ("rs:k=10,m=4", "clay:k=4,m=2", "lrc:k=12,m=2,l=7"):
        call = ("repair-plan", spec, "--topology", str(topology), "--erase", "1,3", "--format", "json")
        plan = json.loads(printed(*call))
        check_valid(plan_schema, plan, call)
        check_refused(plan_schema, changed(plan, lambda p: p.pop("routes")), "no routes")


def check_equations(schema, folder):
    matrix = folder / "matrix"
    matrix.write_text("1100\n0110\n1111\n")
    square = folder / "square"
    square.write_text("110\n011\n111\n")
    library = folder / "library"
    plain = ("equations", WORKED)
    calls = (
        plain,
        (*plain, "--cores", "6"),
        (*plain, "--style", "iterative", "--effort", "fast"),
        (*plain, "--style", "iterative", "--cores", "6", "--front", "--effort", "fast"),
        (*plain, "--style", "iterative", "--effort", "max", "--tries", "1000", "--seed", "7"),
        (*plain, "--style", "iterative", "--effort", "fast", "--library", str(library)),
        (*plain, "--style", "iterative", "--effort", "fast", "--model", "lut4"),
        (*plain, "--equations", str(EXAMPLES / "paper_iterative.txt")),
        (*plain, "--erase", "0-1", "--want", "0"),
        (*plain, "--erase", "0", "--reads", "min", "--read-cost", "1=2"),
        (*plain, "--update", "2"),
        ("equations", "rs:4,2", "--over", "symbols"),
        ("equations", "rs:4,2", "--over", "symbols", "--erase", "0"),
        ("equations", "leopard:4,2", "--over", "symbols"),
        ("optimize", str(matrix), "--effort", "fast"),
        ("optimize", str(matrix), "--effort", "fast", "--gates", "xor2=1,xor3=1.6"),
        ("optimize", str(matrix), "--effort", "fast", "--model", "lut4"),
        (*plain, "--erase", "0,1", "--groups", "0-2/3-6"),
        ("equations", "rs:4,2", "--over", "symbols", "--erase", "0", "--groups", "0-2/3-4/5"),
        ("equations", "lrc:k=4,m=2,l=3", "--over", "symbols", "--erase", "0", "--groups", "0-3/4-7"),
    )
    documents = {}
    for call in calls:
        documents[call] = json.loads(printed(*call, "--format", "json"))
        check_valid(schema, documents[call], call)
    for sites in (documents[call] for call in calls if "--groups" in call):
        assert sites["format"] == "xorloom-sites"
        for what, change in {
            "no home": lambda s: s.pop("home"),
            "an unknown member": lambda s: s.update(racks=[]),
            "a site without equations": lambda s: s["sites"][0].pop("equations"),
            "a site of no locations": lambda s: s["sites"][0].update(locations=[]),
            "a join that computes nothing": lambda s: s["join"].update(outputs=[]),
            "an unknown member of what is sent": lambda s: s["sent"].update(bytes=1),
        }.items():
            check_refused(schema, changed(sites, change), what)
    in_place = json.loads(printed("optimize", str(square), "--in-place", "--format", "json"))
    check_valid(schema, in_place, "optimize --in-place")
    for what, change in {
        "no outputs": lambda c: c.pop("outputs"),
        "a line of one wire": lambda c: c["lines"].append([0]),
        "an unknown member": lambda c: c.update(inputs=[]),
        "no proof": lambda c: c.update(proof=None),
    }.items():
        check_refused(schema, changed(in_place, change), what)
    searched = documents[calls[4]]
    assert searched["search"] == {"effort": "max", "seed": 7, "steps": 1000}, searched["search"]
    assert searched["program"] == printed("--version").splitlines()[0]
    assert "search" not in documents[plain]
    wrong = {
        "another format": lambda e: e.update(format="xorloom-report"),
        "another version": lambda e: e.update(version=3),
        "no program": lambda e: e.pop("program"),
        "an unknown member": lambda e: e.update(sites=[]),
        "a search without seed": lambda e: e["search"].pop("seed"),
        "another effort": lambda e: e["search"].update(effort="quick"),
        "a sum over bits": lambda e: e["equations"][0].update(sum=[]),
        "an element below 0": lambda e: e["equations"][0]["xor"].append(-1),
        "a member of another version": lambda e: e.update(field={"w": 8, "poly": "0x11d"}),
    }
    for what, change in wrong.items():
        check_refused(schema, changed(searched, change), what)


def check_info(schema, folder):
    (folder / "file").write_bytes(bytes(range(256)) * 400)
    shards, bare, protection, atlas, words = (
        str(folder / name) for name in ("d", "e", "p.xorloom", "a", "w")
    )
    disk = str(folder / "disk")
    printed("encode", str(folder / "file"), "-o", shards, "-o", disk, "-k", "3", "-m", "2")
    printed("encode", str(folder / "file"), "-o", bare, "--no-name")
    printed("protect", str(folder / "file"), "-o", protection)
    printed("atlas", "cauchy-good:k=3,m=2,w=3", "-o", atlas)
    printed("atlas", "shec:k=4,m=3,c=2", "-o", words)
    next((folder / "d").iterdir()).unlink()
    document = {}
    for call in ((shards, bare, disk), (protection,), (atlas,), (words, shards, atlas, protection)):
        document = json.loads(printed("info", *call, "--format", "json"))
        check_valid(schema, document, call)
    for what, change in {
        "version 1": lambda i: i.update(version=1),
        "no atlases": lambda i: i.pop("atlases"),
        "a set without shards": lambda i: i["sets"][0].pop("shards"),
        "an unknown state": lambda i: i["sets"][0]["locations"][0].update(state="gone"),
        "a file of no bytes": lambda i: i["protections"][0]["files"][0].pop("bytes"),
        "an unknown member": lambda i: i["atlases"][0].update(format="xorloom-atlas"),
        "costs below 0": lambda i: i["atlases"][0]["costs"][0]["losses"][0].update(damaged=-1),
    }.items():
        check_refused(schema, changed(document, change), what)


def main():
    report_schema = validator("report.schema.json")
    diff_schema = validator("report-diff.schema.json")
    check_repair_plans(validator("topology.schema.json"), validator("repair-plan.schema.json"))
    with tempfile.TemporaryDirectory() as folder:
        check_equations(validator("equations.schema.json"), pathlib.Path(folder))
        check_info(validator("info.schema.json"), pathlib.Path(folder))
        report = check_reports(report_schema, pathlib.Path(folder))
        check_wrong_reports(report_schema, report)
        check_diffs(diff_schema, report, pathlib.Path(folder))


main()
