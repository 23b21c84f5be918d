"""A walk through every view of the explorer for many codes: walk.py PAGE PROGRAM.

The codes are the example of each family, the smallest codes and wide ones. No view says NaN, undefined, Infinity or -1.
Every button for a file that a view shows gives a file, also after a search, and every command runs in a terminal and has
as many XORs, or is said to be that of a whole search.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from chromium import ASK, browser, by_id, check, end, media, opened, quiet, says, screen, text_of, wait

PAGE, PROGRAM = sys.argv[1:3]
SMALL = ("parity:k=1", "hamming:k=1,m=2", "cauchy-good:k=1,m=1,w=2", "rs:k=1,m=1", "rs:k=1,m=3", "lrc:k=2,m=2,l=2",
         "clay:k=2,m=2,d=3", "x-code:p=3", "rdp:k=1,p=3", "evenodd:k=1,p=3", "raid6:k=1", "hover:k=2,r=1,v=1,h=0")
WIDE = ("rs:k=128,m=8", "rs:k=4,m=128", "cauchy-good:k=10,m=4,w=8", "zigzag:k=7,r=2", "lrc:k=100,m=20,l=6", "x-code:p=31",
        "parity:k=128", "cauchy-good:k=128,m=3,w=8", "hover:k=64,r=4,v=2,h=1")
OTHERS = ("leopard:k=10,m=4,w=16", "cauchy:k=5,m=2,w=3,x=1%2B2,y=4%2B5%2B6%2B7%2B0", "shec:k=4,m=3,c=2", "evenodd:k=5,p=5",
          "rs:k=6,m=3,arrangement=packet")
SEARCHED = ("lrc:k=8,m=4,l=3", "clay:k=4,m=2,d=5", "cauchy-good:k=10,m=4,w=8")  # a search finds fewer XORs
VIEWS = ("equations", "matrix", "cores", "losses", "compare", "own", "file")
UNSAID = re.compile(r"NaN|undefined|Infinity|\[object|\bnull\b|(?<![\w^.-])-1\b")
MOST_FILE = 120_000_000  # bytes

# Keeps what the page would download.
KEEP = """
  window.files = [];
  let blob = null;
  const make = URL.createObjectURL.bind(URL);
  URL.createObjectURL = one => make(blob = one);
  HTMLAnchorElement.prototype.click = function () {
    const kept = blob;
    kept.text().then(text => window.files.push({name: this.download, bytes: text.length, begin: text.slice(0, 200), isJson: kept.type.includes('json') ? (JSON.parse(text), true) : false}));
  };
"""
# Presses each button for a file. Gives for each its label, and what came: a file, or the sentence that says why none did.
PRESS = """
  const [done] = arguments;
  (async () => {
    const found = [];
    for (const button of document.querySelectorAll('#view [data-file], #view [data-chart]')) {
      const before = window.files.length;
      const said = button.closest('.takeaway')?.querySelector('.said');
      if (said) said.textContent = '';
      button.click();
      for (let i = 0; i < 6000 && window.files.length === before && (said?.textContent || '…').endsWith('…'); ++i) await new Promise(go => setTimeout(go, 10));
      found.push({label: button.textContent, file: window.files[before] ?? null, said: said?.textContent ?? ''});
    }
    done(found);
  })();
"""
CHOOSE = """
  const files = new DataTransfer();
  files.items.add(new File([new Uint8Array(1000).fill(7)], 'seven.bin'));
  document.getElementById('file').files = files.files;
  document.getElementById('file').dispatchEvent(new Event('change'));
"""
SAID = "return ['view', 'facts', 'lead', 'summary', 'sliders'].map(id => document.getElementById(id).innerText).join('\\n')"
SHOW = "delete document.getElementById('view').dataset.shown; document.getElementById(`tab-${arguments[0]}`).click()"
COMMAND = "return [...document.querySelectorAll('#view .command code span')].map(one => one.textContent).join('\\n')"
# By view: the element that is complete when it has some words.
DONE = {"equations": ("iterative-count", "proved"), "compare": ("compare-takeaway", "--erase 0"), "file": ("file-result", "Every byte is back"),
        "own": ("own-takeaway", "xorloom")}


# By view: an element, its figures, and the same of the program.
FIGURES = {
    "cores": [("plan-counts", r"([0-9,]+) steps? on \d+ cores?", r"plan on \d+ cores?: (\d+) steps?"), ("plan-counts", r"([0-9,]+) values? moves?", r"steps?, (\d+) moves?")],
    "losses": [("losses-body", r"([0-9.]+) bytes read per byte rebuilt", r"([0-9.]+) bytes read per byte rebuilt")],
    "compare": [("table", r"\d+\.\d\d(?:≤\u00a0)?(\d+\.\d\d)", r"([0-9.]+) bytes read per byte rebuilt"),
                ("table", r"\.\d\d(\d+\.\d\d)(?:≤\u00a0)?(\d+\.\d\d)×", r"XORs per redundant bit ([0-9.]+)(?: [0-9.]+)* ([0-9.]+)")],
}


def number_before(words, text):
    found = re.search(rf"([0-9,]+) {words}", text)
    return int(found[1].replace(",", "")) if found else None


def try_command(driver, where, view, folder):
    """The command of a view ends well, and has as many XORs as the page."""
    command = driver.execute_script(COMMAND)
    check(command.startswith(("xorloom ", "shards=")), f"{where}: the command is '{command}'")
    if view == "own":
        return  # of a file that someone has
    (pathlib.Path(folder) / "seven.bin").write_bytes(bytes([7]) * 1000)
    ran = subprocess.run(["bash", "-e", "-o", "pipefail", "-c", command], cwd=folder, capture_output=True, text=True, check=False,
                         env={**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"})
    check(ran.returncode == 0, f"{where}: '{command}' ends with {ran.returncode}: {ran.stderr[:200]}")
    if view == "file":
        check((pathlib.Path(folder) / "rebuilt-seven.bin").read_bytes() == bytes([7]) * 1000, f"{where}: the file is rebuilt")
        check("missing: shard 0" in ran.stdout + ran.stderr, f"{where}: shard 0 is missing in '{command}', which says {ran.stderr[:200]}")
    place = {"equations": "iterative-count", "cores": "plan-counts", "losses": "decode"}.get(view)
    if place and " XOR" in text_of(driver, place):
        shown, printed = number_before("XOR", text_of(driver, place)), number_before("XOR", ran.stdout)
        check(shown == printed, f"{where}: {shown} XORs, and {printed} from '{command}'")
    for place, words, of_program in FIGURES.get(view, []):
        shown, printed = re.search(words, text_of(driver, place)), re.search(of_program, re.sub(r"\s+", " ", ran.stdout))
        if shown or (printed and printed[1] != "0"):
            found = [one and [group.replace(",", "") for group in one.groups()] for one in (shown, printed)]
            check(found[0] == found[1], f"{where}: {found[0]}, and {found[1]} from '{command}'")


def try_view(driver, code, view, folder):
    where = f"{code}, {view}"
    driver.execute_script(SHOW, view)
    if not wait(driver, f"{where} shows", lambda: driver.execute_script("return document.getElementById('view').dataset.shown")):
        return
    if view == "own":
        by_id(driver, "paste-equations").click()
        says(driver, "own-result", "The text has changed", where)
        by_id(driver, "check").click()
    if view == "file":
        driver.execute_script(CHOOSE)
    if view in DONE:
        says(driver, *DONE[view], where)
    try_shown(driver, where, view, folder)
    if view == "equations" and code in SEARCHED:
        before = number_before("XOR", text_of(driver, "iterative-count"))
        driver.execute_script("document.getElementById('tries').value = 0; document.getElementById('search').click()")
        wait(driver, f"{where}: a search", lambda: text_of(driver, "search") == "Search" and "fewer than before" in text_of(driver, "search-said"))
        check(number_before("XOR", text_of(driver, "iterative-count")) < before, f"{where}: a search finds fewer than {before} XORs")
        try_shown(driver, f"{where} after a search", view, folder)


def try_shown(driver, where, view, folder):
    said = driver.execute_script(SAID)
    for wrong in set(UNSAID.findall(said)):
        at = said.index(wrong)
        check(False, f"{where} says {wrong}: …{said[max(0, at - 40):at + 40]}…")
    for one in driver.execute_async_script(PRESS):
        file = one["file"]
        check(file and 0 < file["bytes"] < MOST_FILE, f"{where}: {one['label']} gives no file, but says '{one['said']}'")
        if not file:
            continue
        check(not UNSAID.search(file["name"]), f"{where}: a file is called {file['name']}")
        if file["name"].endswith(".svg"):
            check("<svg" in file["begin"], f"{where}: {file['name']} is no picture")
        check(file["isJson"] or not file["name"].endswith(".json"), f"{where}: {file['name']} is no JSON")
    try_command(driver, where, view, folder)


def try_stopped(driver):
    """Where a search was stopped, its command is not said to give the same."""
    opened(driver, PAGE, "code=cauchy-good:k=8,m=3,w=8&view=equations&cores=3")
    says(driver, "iterative-count", "proved", "the count")
    check("the fewest possible" not in text_of(driver, "iterative-count"), "239 XORs may not be the fewest possible")
    heads = lambda: driver.execute_script("return document.querySelector('#view .takeaway h2').textContent")
    check(heads() == "The same in a terminal", f"before a search: {heads()}")
    before = text_of(driver, "iterative-count")
    driver.execute_script("const it = document.getElementById('tries'); it.value = 6; it.dispatchEvent(new Event('input')); document.getElementById('search').click()")
    wait(driver, "better equations", lambda: text_of(driver, "iterative-count") != before)
    by_id(driver, "search").click()
    says(driver, "search-said", "Stopped", "a stopped search")
    whole = "In a terminal: the whole search, which may find fewer XORs"
    check(heads() == whole, f"after Stop: {heads()}")
    by_id(driver, "tab-cores").click()
    says(driver, "plan-counts", "the equations that the search found", "the plan")
    says(driver, "cores-takeaway", whole, "the plan of a stopped search")
    by_id(driver, "tab-equations").click()
    says(driver, "equations-takeaway", whole, "the equations of a stopped search, after another view")
    says(driver, "search-said", "found until the search was stopped.", "the equations of a stopped search, after another view")
    # Other equations with as many XORs, and fewer steps: the view says what those of the view Equations take.
    opened(driver, PAGE, "code=hamming:k=4,m=3&view=cores&cores=3")
    says(driver, "plan-counts", "The equations in the view Equations have ", "a plan of other equations")
    by_id(driver, "tab-equations").click()
    says(driver, "iterative-count", "the fewest possible", "a code whose fewest XORs are known")
    by_id(driver, "tab-cores").click()
    says(driver, "plan-counts", "The equations in the view Equations have ", "a plan of other equations")
    media(driver, "light", "print")
    check(not by_id(driver, "plan-note").is_displayed(), "paper does not ask to point at a number")
    media(driver, "light")
    check("take 3 steps here." in text_of(driver, "plan-counts") and text_of(driver, "plan-counts").startswith("2 steps"), f"both steps are told: {text_of(driver, 'plan-counts')}")
    quiet(driver, "a stopped search")


def main():
    with tempfile.TemporaryDirectory() as folder, browser() as driver:
        os.symlink(pathlib.Path(PROGRAM).resolve(), pathlib.Path(folder) / "xorloom")
        screen(driver, 1280, 800, "light")
        opened(driver, PAGE, "view=own")
        families = json.loads(driver.execute_async_script(ASK, [{"ask": "families"}], None)["texts"][0])
        examples = [family["example"] for family in families if family["name"] != "file"]
        check(len(examples) > 15, f"there are only {len(examples)} families")
        chosen = sys.argv[3:] or [*(example.replace("+", "%2B") for example in examples), *SMALL, *WIDE, *OTHERS]
        for code in dict.fromkeys(chosen):
            opened(driver, PAGE, f"code={code}&view=matrix&lost=0&cores=4&compare={code}")
            driver.execute_script(KEEP)
            for view in VIEWS:
                try_view(driver, code, view, folder)
            quiet(driver, code)
            print(f"{code}: {len(VIEWS)} views", flush=True)
        try_stopped(driver)
    end("a walk through every view")


main()
