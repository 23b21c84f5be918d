#!/usr/bin/env python3
"""Checks that every link of the project's Markdown pages leads to a file and, behind #, to a heading.

Usage: tests/check_links.py [PAGE…]    default: all pages that git knows

Links to other sites are not followed. Prints each broken link, and exits with 1 if there are any.
"""

import pathlib
import re
import subprocess
import sys
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parent.parent
FENCE = re.compile(r"^\s*(```|~~~)")
HEADING = re.compile(r"^(#{1,6})\s+(.*?)\s*#*\s*$")
# [text](target) and ![picture](target), with one pair of brackets in the text.
INLINE = re.compile(r"!?\[(?:[^\[\]]|\[[^\[\]]*\])*\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)")
REFERENCE = re.compile(r"^ {0,3}\[[^\]]+\]:\s+<?([^\s>]+)>?", re.MULTILINE)
HTML = re.compile(r"(?:href|src)=\"([^\"]+)\"")
NAMED = re.compile(r"(?:id|name)=\"([^\"]+)\"")
CODE = re.compile(r"(`+)(?:(?!\1|\n\n).)*?\1", re.DOTALL)


def lines_of(page):
    """The lines of a page, those in fences empty."""
    fence = None
    lines = []
    for line in page.read_text(encoding="utf-8").splitlines():
        mark = FENCE.match(line)
        is_mark = mark is not None and fence in (None, mark.group(1))
        lines.append("" if is_mark or fence else line)
        if is_mark:
            fence = None if fence else mark.group(1)
    return lines


def links_of(page):
    """The line and the target of each link. Texts of links go on over ends of lines."""
    text = CODE.sub(lambda code: re.sub(r"[^\n]", "x", code.group(0)), "\n".join(lines_of(page)))
    for pattern in (INLINE, REFERENCE, HTML):
        for link in pattern.finditer(text):
            yield text.count("\n", 0, link.start(1)) + 1, link.group(1)


def anchor_of(heading):
    """The anchor that GitHub gives a heading."""
    text = re.sub(r"\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\([^)]*\)", r"\1", heading)
    text = re.sub(r"[`*]", "", text).strip().lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def anchors_of(page, known={}):
    if page not in known:
        found, times = set(), {}
        for line in lines_of(page):
            found.update(NAMED.findall(line))
            heading = HEADING.match(line)
            if not heading:
                continue
            anchor = anchor_of(heading.group(2))
            number = times[anchor] = times.get(anchor, -1) + 1
            found.add(anchor if number == 0 else f"{anchor}-{number}")
        known[page] = found
    return known[page]


def fault_of(page, target):
    """Why a link is broken, or None."""
    if re.match(r"[a-z][a-z0-9+.-]*:", target):
        return None
    path, _, anchor = target.partition("#")
    path = urllib.parse.unquote(path)
    to = (page.parent / path).resolve() if path else page
    if not to.exists():
        return "there is no such file"
    if anchor and to.suffix == ".md" and anchor not in anchors_of(to):
        return "the page has no such heading"
    return None


def pages():
    if len(sys.argv) > 1:
        return [pathlib.Path(name).resolve() for name in sys.argv[1:]]
    listed = subprocess.run(["git", "-C", ROOT, "ls-files", "-z", "*.md"], capture_output=True, text=True)
    names = listed.stdout.split("\0") if listed.returncode == 0 else []
    found = [ROOT / name for name in names if name and (ROOT / name).exists()]
    # An unpacked archive has no git.
    return found or [p for p in ROOT.rglob("*.md") if "build" not in p.relative_to(ROOT).parts]


def main():
    broken = links = 0
    for page in pages():
        for number, target in links_of(page):
            links += 1
            fault = fault_of(page, target)
            if fault:
                broken += 1
                name = page.relative_to(ROOT) if page.is_relative_to(ROOT) else page
                print(f"{name}:{number}: {target}: {fault}")
    print(f"links: {links}, {broken} broken")
    return 1 if broken else 0


sys.exit(main())
