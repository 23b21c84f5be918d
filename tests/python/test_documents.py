"""Runs each Python example of docs/, those of a page in their order, in a folder of its own, and README.md's."""

import pathlib
import re

ROOT = pathlib.Path(__file__).parents[2]
PAGE = ROOT / "docs" / "python.md"


def examples(page):
    return re.findall(r"^```python\n(.*?)^```$", page.read_text(), re.M | re.S)


def test_examples_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    blocks = examples(PAGE)
    assert len(blocks) >= 5
    names = {}
    for block in blocks:
        exec(compile(block, str(PAGE), "exec"), names)
    assert (tmp_path / "xors.svg").read_text().startswith("<svg")


def test_the_example_of_the_readme_prints_the_data(capsys):
    (block,) = examples(ROOT / "README.md")
    exec(compile(block, "README.md", "exec"), {})
    assert capsys.readouterr().out.startswith("b'what must not be lost' ")


def test_other_pages_have_examples_that_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pages = [page for page in sorted((ROOT / "docs").rglob("*.md")) if page != PAGE and examples(page)]
    assert ROOT / "docs" / "fingerprints.md" in pages
    for page in pages:
        names = {}
        for block in examples(page):
            exec(compile(block, str(page), "exec"), names)
