"""Joins the explorer into one page: bundle.py MODULE_FOLDER PAGE.

MODULE_FOLDER holds explorer.js and explorer.wasm. The scripts of web/page/ become one script: each is a function that
returns what the script exports, after those it imports. The page may load nothing, which its content security policy
says as well.
"""

import base64
import gzip
import hashlib
import html
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PARTS = ROOT / "web/page"
MOST_BYTES = 2 << 20  # of the page, compressed
IMPORT = re.compile(r'^import (\{ \w+(?:, \w+)* \}) from "\./([a-z_]+)\.js";$', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async )?(?:function|const|class) (\w+))", re.MULTILINE)


def joined(name, seen):
    """A script as a function that returns what it exports, after the scripts that it imports."""
    if name in seen:
        return ""
    seen.add(name)
    text = (PARTS / f"{name}.js").read_text()
    before = "".join(joined(other, seen) for _, other in IMPORT.findall(text))
    names = ", ".join(EXPORT.findall(text))
    body = EXPORT.sub("", IMPORT.sub(r"const \1 = from_\2;", text))
    return f"{before}const from_{name} = (() => {{\n{body}\nreturn {{ {names} }};\n}})();\n"


def glossary():
    """The first sentences of docs/glossary.md by word, without marks of Markdown."""
    words = {}
    for line in (ROOT / "docs/glossary.md").read_text().splitlines():
        row = re.fullmatch(r"\| ([^|]+) \| ([^|]+) \|", line)
        if not row or row[2] == "meaning":
            continue
        meaning = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", row[2])
        for word in row[1].split(", "):
            words[word] = re.sub(r"[`*]", "", meaning).split(". ")[0]
    return words


def embedded(text):
    """A text within a script element."""
    return re.sub(r"</(script)", r"<\\/\1", text, flags=re.IGNORECASE)


def main():
    folder, page = map(pathlib.Path, sys.argv[1:3])
    index = (PARTS / "index.html").read_text()
    scripts = joined("main", set())
    words = glossary()
    used = set(re.findall(r'data-term="([^"$]+)"', index + scripts)) | set(re.findall(r'\bterm\("([^"]+)"', scripts))
    if "export " in scripts or "import " in scripts:
        sys.exit("web/page/ has an import or an export in another form than bundle.py joins")
    missing = sorted(used - words.keys())
    if missing:
        sys.exit(f"docs/glossary.md has no {', '.join(missing)}, which the page explains")
    worker = (folder / "explorer.js").read_text()
    worker += "".join((PARTS / name).read_text() for name in ("answer.js", "trial.js", "worker.js"))
    module = gzip.compress((folder / "explorer.wasm").read_bytes(), 9, mtime=0)
    script = embedded(scripts)
    version = re.search(r'^#define XORLOOM_VERSION "([^"]+)"', (ROOT / "include/xorloom/version.h").read_text(), re.MULTILINE)[1]
    parts = {
        "VERSION": html.escape(version),
        "STYLE": (PARTS / "style.css").read_text(),
        "WORKER": embedded(worker),
        "GLOSSARY": embedded(json.dumps({word: words[word] for word in sorted(used)}, ensure_ascii=False)),
        "MODULE": base64.b64encode(module).decode(),
        "SCRIPT": script,
        # The policy of the page allows this script alone.
        "HASH": f"sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}",
    }
    text = re.sub(r"@([A-Z]+)@", lambda match: parts[match[1]], index)
    size = len(gzip.compress(text.encode(), 9, mtime=0))
    print(f"{page}: {len(text.encode())} bytes, {size} compressed, of at most {MOST_BYTES}")
    if size > MOST_BYTES:
        sys.exit("the page is larger than it may be")
    page.write_text(text)


main()
