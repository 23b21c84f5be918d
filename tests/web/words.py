"""What the explorer says: words.py PAGE PROGRAM.

Sentences are true for small codes and for families with other parameters, words are explained where they are met, and
what is compared is told in the table, in the charts, in their files, in CSV and in a terminal alike.
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time

from chromium import Keys, browser, by_id, check, end, opened, quiet, says, screen, set_spec, text_of, wait

PAGE, PROGRAM = sys.argv[1:3]
# By code: words that its summary explains.
EXPLAINED = {"rs:k=4,m=2": ("Reed-Solomon", "systematic", "Vandermonde matrix"), "rs-poly:k=4,m=2": ("primitive element",), "leopard:k=4,m=2": ("symbol", "Cantor basis"),
             "liberation:k=4,w=5": ("RAID-6", "minimal density", "packet"), "lrc:k=4,m=2,l=3": ("word", "chunk"), "cauchy:k=4,m=2,w=3": ("chunk", "packet")}
CATCH = "window.file = null; URL.createObjectURL = blob => (blob.text().then(text => window.file = text), '#')"


def meaning_of(driver, selector):
    """What the page says of a word that has the focus."""
    driver.execute_script("document.querySelector(arguments[0]).focus()", selector)
    return text_of(driver, "meaning")


def try_words(driver):
    """Sentences that are true for small codes and for families with other parameters, and no formulas in explanations."""
    opened(driver, PAGE, "code=parity:k=4&view=equations")
    says(driver, "example", "0–3 are the data, 4 is computed. ", "one element")
    check(text_of(driver, "bounds") == "Bounds: numbers up to 128 on this page", f"the bounds of parity are those of this page: {text_of(driver, 'bounds')}")
    opened(driver, PAGE, "code=hover:k=5,r=3,v=2,h=1&view=equations")
    says(driver, "summary", "k locations with ", "a sentence that begins with a parameter")
    says(driver, "sliders", "k chunks with data", "the chunks of hover")
    opened(driver, PAGE, "code=lrc:k=4,m=2,l=3&view=own")
    says(driver, "sliders", "m global redundant chunks", "the chunks of lrc")
    footer = driver.find_element("tag name", "footer").text
    check("The equations of a code were proved" in footer, f"what is proved: {footer}")
    check("It proves them if they name a code" in text_of(driver, "view"), "the page says when it proves equations")
    driver.execute_script("document.getElementById('pasted').value = '1'; document.getElementById('check').click()")
    says(driver, "own-result", "Columns are the inputs: 0. Rows are the outputs after them: 1.", "a matrix of one element")
    says(driver, "own-note", "Point at a number or a letter", "what one can do with equations of one's own")
    check("with the matrix above" in meaning_of(driver, "#own-result .term"), f"what is proved of a matrix: {text_of(driver, 'meaning')}")
    meanings = json.loads(text_of(driver, "glossary"))
    check(all(not re.search("[αω]|super-block|core schedule", meaning) for meaning in meanings.values()), f"words are explained by plain ones: {meanings}")
    for code, terms in EXPLAINED.items():
        set_spec(driver, code)
        wait(driver, code, lambda: driver.execute_script("return document.getElementById('summary').dataset.family") == code.split(":")[0])
        found = driver.execute_script("return [...document.querySelectorAll('#summary .term')].map(one => one.dataset.term)")
        check(set(terms) <= set(found) and len(set(found)) == len(found), f"the summary of {code} explains {found}")
    says(driver, "summary", "1/(xi XOR yj); default: xi = i, yj = m + j. That is the factor of data chunk j in redundant chunk i, both counted from 0.", "the formula of cauchy")
    says(driver, "summary", "with + between them: x=1+2.", "points of cauchy")
    set_spec(driver, "lrc:k=4,m=2,l=3")
    wait(driver, "lrc", lambda: driver.find_elements("css selector", "#sliders [data-term=global]"))
    check("a local one from its group" in meaning_of(driver, "#sliders [data-term=global]"), "global chunks are explained")
    # What is said of this place says more than the sentence before.
    for code, words in (("parity:k=4", "Here: a chunk is one row."), ("rs:k=4,m=2", "Here: a chunk has 8 of them.")):
        opened(driver, PAGE, f"code={code}&view=equations")
        check(words in meaning_of(driver, "#facts [data-term=row]"), f"a row of {code}: {text_of(driver, 'meaning')}")
        check("Here:" not in meaning_of(driver, "[data-term=element]"), f"an element of {code}: {text_of(driver, 'meaning')}")
    opened(driver, PAGE, "view=cores&cores=40")
    says(driver, "plan-counts", "on 16 cores", "too many cores")
    says(driver, "plan-says", "In a step each core computes at most one XOR", "a step")
    says(driver, "plan-says", "A box with a thin frame is of a later step.", "boxes of later steps")
    opened(driver, PAGE, "code=cauchy-good:k=10,m=4,w=8&view=cores&cores=3")
    says(driver, "plan-counts", "the cores wait less than 1 % of the time", "a plan of hardly any wait")
    behind = driver.execute_script("return Boolean(document.getElementById('ways').compareDocumentPosition(document.querySelector('#plan .xor')) & Node.DOCUMENT_POSITION_FOLLOWING)")
    check(behind, "lines of a plan lead behind its boxes")
    opened(driver, PAGE, "code=parity:k=4&view=matrix")
    heads = driver.execute_script("return [...document.querySelectorAll('.across span')].map(one => one.textContent).join()")
    check(heads == "0,1,2,3", f"chunks of a small matrix have the numbers {heads}")
    # Bounds have the numbers that sliders have. The tabs are a row at each width of a desk.
    opened(driver, PAGE, "code=cauchy:k=4,m=2,w=4&view=matrix")
    says(driver, "bounds", "w = 2 to 16 or 32", "the bounds of cauchy")
    check(by_id(driver, "at-w").get_attribute("min") == "2", "the slider of w begins with 2")
    for width in (861, 930, 1010, 1040, 1100):
        screen(driver, width, 800, "light")
        tops = driver.execute_script("return [...new Set([...document.querySelectorAll('#tabs button')].map(one => Math.round(one.getBoundingClientRect().bottom / 4)))]")
        check(len(tops) == 1, f"at {width} pixels the tabs are in {len(tops)} rows")
    screen(driver, 1280, 800, "light")
    quiet(driver, "words")


# Keeps when, in milliseconds, the view first says that it looks for something and when it has found that; and whether a
# search could begin meanwhile.
SEEN = """
  const [looking, end] = arguments;
  const begin = performance.now();
  window.seen = {};
  const note = (name, words) => {
    if (seen[name] || !document.getElementById('view').textContent.includes(words)) return;
    seen[name] = performance.now() - begin;
    seen.isOff = document.getElementById('search')?.disabled;
  };
  new MutationObserver(() => {
    note('looking', looking);
    if (!seen.end && document.getElementById('view').textContent.includes(end)) seen.end = performance.now() - begin;
  }).observe(document.body, {childList: true, subtree: true, characterData: true});
"""


def try_losses(driver):
    """The legend has what the picture has, and a long search says that it goes on."""
    legend = lambda: driver.execute_script("return [...document.querySelectorAll('#losses-body .legend li')].map(one => one.textContent).join()")
    for lost, words in (("0.1", "lost,read,left alone"), ("0.1.2", "lost,not lost"), ("", "not lost")):
        opened(driver, PAGE, f"view=losses&lost={lost}")
        wait(driver, f"the legend of {lost}: {words}", lambda: legend() == words)
    opened(driver, PAGE, "view=losses&lost=1&code=clay:k=8,m=4,d=11")
    outlines = driver.find_elements("css selector", "#losses-body .outline")
    check(len(outlines) == 1, f"a lost chunk of small cells has one outline, not {len(outlines)}")
    for view, code, looking, found in (("losses", "lrc:k=30,m=6,l=6", "Looking for the fewest reads …", "bytes read per byte rebuilt"),
                                       ("equations", "cauchy:k=30,m=8,w=16", "Looking for common sums …", " % fewer")):
        opened(driver, PAGE, f"view=matrix&code={code}&lost=0.1.2.3")
        driver.execute_script(SEEN, looking, found)
        by_id(driver, f"tab-{view}").click()
        wait(driver, "the end of a long search", lambda: driver.execute_script("return seen.end"))
        seen = driver.execute_script("return seen")
        is_said = "looking" in seen or seen["end"] < 600  # milliseconds: no long search here
        check(is_said, f"a search of {seen['end']:.0f} ms says '{looking}'")
        check(seen.get("isOff") or view == "losses", "no search begins before there are equations")
    check(by_id(driver, "search").is_enabled(), "a search can begin once there are equations")
    opened(driver, PAGE, "view=losses&lost=3&code=evenodd:k=7,p=7")
    says(driver, "losses-body", "This is the least found; at least 24 rows are needed.", "a bound of the reads")
    quiet(driver, "losses")


def try_compare(driver):
    """The table fits or becomes cards, its words are explained, and charts say in a file which codes they are of."""
    for width, is_cards in ((1280, False), (1000, True), (800, False), (640, True), (360, True)):
        screen(driver, width, 800, "light")
        opened(driver, PAGE, "view=compare")
        says(driver, "compare-takeaway", "--erase 0", "a comparison")
        wide, room = driver.execute_script("const it = document.getElementById('table'); return [it.scrollWidth, it.clientWidth]")
        check(wide <= room, f"the table of {wide} pixels has room for {room} at {width} pixels")
        shown = driver.execute_script("return getComputedStyle(document.querySelector('#table thead')).display")
        check((shown == "none") == is_cards, f"at {width} pixels the heads of the table are {shown}")
    screen(driver, 1280, 800, "light")
    opened(driver, PAGE, "view=compare&compare=parity:k=4|lrc:k=8,m=4,l=3|clay:k=10,m=4,d=13")
    for word, words in (("survives any", "the most lost chunks"), ("direct", "from the inputs alone"), ("iterative", "shared sums"), ("redundant bit", "a bit of a redundant chunk")):
        check(words in meaning_of(driver, f"thead [data-term='{word}']"), f"{word}: {text_of(driver, 'meaning')}")
    says(driver, "compare-takeaway", "--erase 0", "a comparison")
    by_id(driver, "added").send_keys("lrc:k=8,m=4,l=3")
    by_id(driver, "add").click()
    says(driver, "compare-refused", "lrc:k=8,m=4,l=3 is compared already: it is number 2.", "a code that is in the table")
    # Only codes get rows. A wrong spec stays in the box.
    by_id(driver, "added").send_keys(Keys.CONTROL + "a" + Keys.NULL + "nonsense")
    by_id(driver, "add").click()
    says(driver, "compare-refused", "nonsense: this page has no family 'nonsense'", "a spec that makes no code")
    number_of_rows = lambda: len(driver.find_elements("css selector", "#table tbody tr"))
    check(number_of_rows() == 3 and "nonsense" not in driver.current_url, "a spec that makes no code has no row")
    check(by_id(driver, "added").get_attribute("value") == "nonsense", "a wrong spec stays in the box")
    by_id(driver, "added").clear()
    by_id(driver, "add").click()
    says(driver, "compare-refused", "Write the spec of a code first", "an empty box")
    tops = driver.execute_script("return [...document.querySelectorAll('#charts figure')].map(one => one.getBoundingClientRect().y)")
    check(tops[2] == tops[3] > tops[0] == tops[1], f"direct and iterative equations are side by side: {tops}")
    charts = lambda: driver.execute_script("return [...document.querySelectorAll('#charts img')].map(image => decodeURIComponent(image.src))")
    direct, iterative = charts()[2:]
    check(">–</text>" in direct and ">–</text>" in iterative, "a code without equations has no bar of 0")
    check(">25</text>" in direct and ">25</text>" in iterative, "direct and iterative equations have one scale")
    by_id(driver, "added").send_keys("parity:4")
    by_id(driver, "add").click()
    says(driver, "compare-refused", "parity:4 is compared already: it is number 1.", "a code in other words")
    driver.execute_script(f"{CATCH}; document.querySelector('[data-file=CSV]').click()")
    wait(driver, "a CSV file", lambda: driver.execute_script("return window.file"))
    line = driver.execute_script("return window.file").splitlines()[3]
    check(line == '"clay:k=10,m=4,d=13",4,1.40,3.25,proved,,,', f"a code without equations has the line {line}")
    driver.execute_script(f"{CATCH}; document.querySelector('[data-chart]').click()")
    wait(driver, "a chart as a file", lambda: driver.execute_script("return window.file"))
    check(">2: lrc:k=8,m=4,l=3<" in driver.execute_script("return window.file") and "lrc" not in charts()[0], "the file of a chart says which codes it is of")
    ink = lambda: driver.execute_script("return [...document.querySelectorAll('tbody tr')].find(row => row.textContent.includes('lrc:k=8')).querySelector('b').className")
    before = ink()
    driver.find_element("css selector", "[data-remove='0']").click()
    wait(driver, "two codes", lambda: len(driver.find_elements("css selector", "#table tbody tr")) == 2)
    wait(driver, "two bars", lambda: len(charts()) == 4 and "parity" not in charts()[0] and ">3</text>" not in charts()[0].split("bytes per byte")[-1])
    check(ink() == before and f"xl-done xl-{before[3:]}" in charts()[0], f"a code keeps its color {before}, and has {ink()}")
    opened(driver, PAGE, "view=compare&compare=nonsense|parity:k=4|rs:k=300,m=2")
    says(driver, "compare-refused", "nonsense: this page has no family 'nonsense'", "an address with wrong specs")
    says(driver, "compare-refused", "rs:k=300,m=2: k = 300 exceeds 128", "an address with wrong specs")
    check(number_of_rows() == 1 and "nonsense" not in driver.current_url, "wrong specs of an address have no rows")
    # Rows that are done stand there while others are compared.
    opened(driver, PAGE, "view=matrix")
    driver.execute_script("""const post = Worker.prototype.postMessage;
      Worker.prototype.postMessage = function (...all) { setTimeout(() => post.apply(this, all), JSON.stringify(all[0]).includes("parity:k=6") ? 3000 : 0); };
      location.hash = "view=compare&compare=parity:k=5|parity:k=6";""")
    says(driver, "compare-said", "Comparing … 1 of 2 codes done.", "a comparison under way")
    check(number_of_rows() == 1 and "parity:k=5" in text_of(driver, "table"), "the code that is done has a row")
    says(driver, "compare-takeaway", "--erase 0", "a comparison that took long")
    check(number_of_rows() == 2, "both codes have rows")
    quiet(driver, "a comparison")


def try_own(driver):
    """The equations that the view gives as examples are taken."""
    opened(driver, PAGE, "view=own")
    says(driver, "own-result", "proved", "the matrix")
    examples = driver.execute_script("return [...document.querySelectorAll('#view code')].map(one => one.textContent).filter(text => text.includes(' = '))")
    check(len(examples) == 2, f"examples of equations: {examples}")
    for example in examples:
        driver.execute_script("document.getElementById('pasted').value = arguments[0]; document.getElementById('check').click()", example)
        says(driver, "own-result", "1 XOR", example)
        says(driver, "own-result", "to prove them against the chosen code.", example)
    for text, words in (("16 = 0 xor 8", "1 XOR"), ("p = a ⊕ b", "line 1: 'p' is not an element: write numbers for inputs and outputs"), ("16 = 0 8", "expected '⊕ or xor' before '8'"),
                        ("\0\ufffd\1P", "this is not text: byte 0 is zero")):
        driver.execute_script("document.getElementById('pasted').value = arguments[0]; document.getElementById('check').click()", text)
        says(driver, "own-result", words, text)
    # A long computation ends once another text, view or code is chosen.
    driver.execute_script("window.ended = 0; const end = Worker.prototype.terminate; Worker.prototype.terminate = function () { ++window.ended; end.call(this); }")
    compute = """const bits = () => Array.from({length: 90}, () => Array.from({length: 90}, () => (Math.random() < 0.5 ? 1 : 0)).join('')).join('\\n');
      document.getElementById('pasted').value = bits(); document.getElementById('check').click();"""
    for number, how in enumerate(("document.getElementById('pasted').value = '11'; document.getElementById('check').click()",
                                  "const it = document.getElementById('at-k'); it.value = 7; it.dispatchEvent(new Event('input', {bubbles: true}))",
                                  "document.getElementById('tab-losses').click()")):
        driver.execute_script(compute)
        time.sleep(0.5)
        check(text_of(driver, "own-result") == "Computing …", f"a long computation says {text_of(driver, 'own-result')[:80]}")
        driver.execute_script(how)
        wait(driver, f"{how} ends a computation", lambda: driver.execute_script("return window.ended") == number + 1)
        says(driver, *(("own-result", "1 XOR"), ("own-result", "Stopped, as another code was chosen"), ("losses-body", "bytes read per byte rebuilt"))[number], how)


def try_survival(driver):
    """What a code survives, not only what it promises; the reason is there for the keyboard."""
    compared = "lrc:k=8,m=4,l=3|lrc:k=4,m=2,l=3|lrc:k=100,m=20,l=6|cauchy-good:k=8,m=4,w=4"
    opened(driver, PAGE, f"code=lrc:k=8,m=4,l=3&view=compare&compare={compared}")
    cells = lambda: driver.execute_script("return [...document.querySelectorAll('[data-survives]')].map(one => one.textContent)")
    wait(driver, "what four codes survive", lambda: len(cells()) == 4 and "…" not in cells())
    check(cells() == ["6 losses", "2 losses", "at least 20", "4 losses"], f"the codes survive {cells()}")
    says(driver, "lead", "any 6 of the 16 may be lost.", "the first words")
    says(driver, "summary", "Survives any m losses and often more", "the family")
    driver.execute_script("document.querySelector('#survives .term').focus()")
    check("Here by construction: " in text_of(driver, "meaning"), f"the reason is told: {text_of(driver, 'meaning')}")
    opened(driver, PAGE, "code=lrc:k=100,m=20,l=6&view=matrix")
    says(driver, "lead", "any 20 of the 140 may be lost, perhaps more.", "the first words")
    opened(driver, PAGE, "view=compare&compare=cauchy-good:k=8,m=4,w=4")
    wait(driver, "the charts", lambda: len(driver.find_elements("css selector", "#charts img")) == 4)
    chart = driver.execute_script("return decodeURIComponent(document.querySelectorAll('#charts img')[1].src)")
    check(">≤ 5.75<" in chart, "a bar says that its value is not proved to be the least")
    quiet(driver, "what codes survive")


# The direct equations of a code take long.
SLOW = """
  const [code] = arguments;
  const send = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function (message) {
    const {ask, style} = message.question ?? {};
    const isSlow = ask === 'equations' && !style && message.question.code === code;
    setTimeout(() => send.call(this, message), isSlow ? 30000 : 0);
  };
"""
# Moves the slider of k.
MOVE = "const it = document.getElementById('at-k'); it.value = arguments[0]; it.dispatchEvent(new Event('input', {bubbles: true}))"


def try_again(driver):
    """A code that is chosen again before another one has equations, and a search that can find nothing."""
    opened(driver, PAGE, "code=lrc:k=8,m=4,l=3&view=equations")
    says(driver, "iterative-count", "proved", "the first code")
    driver.execute_script(SLOW, "parity:k=9")
    set_spec(driver, "parity:k=9")
    says(driver, "direct", "Writing an equation for each output …", "a code that takes long")
    set_spec(driver, "lrc:k=8,m=4,l=3")
    says(driver, "iterative-count", "proved", "the first code again")
    check(by_id(driver, "search").is_enabled() and text_of(driver, "equations-takeaway"), "the first code again has a search and a command")
    set_spec(driver, "parity:k=2")
    says(driver, "search-said", "No equations have fewer XORs: there is nothing to search for.", "a code of one XOR")
    check(not by_id(driver, "search").is_enabled(), "nothing can be searched for")
    # Equations that a plan has found.
    opened(driver, PAGE, "code=evenodd:k=5,p=5&view=cores&style=iterative&cores=2")
    says(driver, "plan-counts", "34 XORs", "a plan")
    by_id(driver, "tab-equations").click()
    says(driver, "search-said", "The view Cores found these equations for 2 cores. The quick search found 35 XORs.", "equations of a plan")
    opened(driver, PAGE, "code=lrc:k=24,m=6,l=5&view=losses&lost=0")
    says(driver, "losses-body", "This is the least found; it is not proved to be the least possible.", "reads without a bound")
    quiet(driver, "a code again")


def try_form(driver):
    """Sliders change the last code that had a family, and each family can be chosen after a wrong one."""
    opened(driver, PAGE, "code=rs:k=6,m=2&view=matrix")
    spec = lambda: driver.execute_script("return document.getElementById('spec').value")
    for wrong, words, k in (("rss:k=6,m=2", "did you mean 'rs'?", 7), ("", "spec", 8), ("nonsense", "nonsense", 9)):
        set_spec(driver, wrong)
        says(driver, "refused", words, f"the spec '{wrong}'")
        check(driver.execute_script("return document.getElementById('family').value") == "", f"no family is chosen for '{wrong}'")
        driver.execute_script(MOVE, k)
        wait(driver, f"k = {k} after '{wrong}', not {spec()}", lambda: spec() == f"rs:k={k},m=2" and text_of(driver, "refused") == "")
    check(driver.execute_script("return document.getElementById('family').value") == "rs", "the family is shown again")
    quiet(driver, "wrong families")


def dropped(driver, path):
    """Drops a file of this machine into the box of Your own."""
    x, y = driver.execute_script("const it = document.getElementById('pasted').getBoundingClientRect(); return [it.x + 40, it.y + 20]")
    for kind in ("dragEnter", "dragOver", "drop"):
        driver.execute_cdp_cmd("Input.dispatchDragEvent", {"type": kind, "x": x, "y": y, "data": {"items": [], "files": [str(path)], "dragOperationsMask": 1}})


def try_given(driver, folder):
    """Equations of a repair are told as such, and a text that is refused or replaced leaves nothing half."""
    text = lambda: driver.execute_script("return document.getElementById('pasted').value")
    compute = "document.getElementById('pasted').value = arguments[0]; document.getElementById('check').click()"
    opened(driver, PAGE, "code=rs:k=4,m=2&view=own")
    says(driver, "own-result", "proved", "the matrix")
    for arguments, roles in (("rs:k=4,m=2 --erase 0,1", {32: "row 0 of chunk 4, read", 47: "row 7 of chunk 5, read", 0: "row 0 of chunk 0, rebuilt"}),
                             ("evenodd:k=4,p=5 --erase 0 --reads min", {4: "row 0 of chunk 1, read", 0: "row 0 of chunk 0, rebuilt"}),
                             ("rs:k=4,m=2 --over symbols --erase 0", {4: "row 0 of chunk 4, read", 0: "row 0 of chunk 0, rebuilt"}),
                             ("rs:k=4,m=2 --over symbols", {3: "row 0 of chunk 3, data", 4: "row 0 of chunk 4, computed"}),
                             ("x-code:p=5", {0: "row 0 of chunk 0, data", 3: "row 3 of chunk 0, computed"})):
        for given in ("text", "json"):
            printed = subprocess.run([PROGRAM, "equations", *arguments.split(), "--format", given], capture_output=True, text=True, check=True).stdout
            driver.execute_script(compute, printed)
            says(driver, "own-result", f"against {arguments.split(':')[0]}:", arguments)
            for element, words in roles.items():
                driver.execute_script("document.querySelector(`#own-result [data-e='${arguments[0]}']`).dispatchEvent(new PointerEvent('pointerover', {bubbles: true}))", element)
                check(text_of(driver, "own-note").startswith(f"{element} is {words}"), f"{arguments}, {given}: '{text_of(driver, 'own-note')}', not {words}")
    # Files: a folder and UTF-16 are refused, a mark is none of the text.
    (folder / "folder").mkdir()
    (folder / "marked.txt").write_bytes(b"\xef\xbb\xbf101\n011\n")
    (folder / "wide.txt").write_bytes("101\n011\n".encode("utf-16"))
    empty = lambda: not text_of(driver, "own-note") and not text_of(driver, "own-takeaway")
    for name, words in (("folder", "folder cannot be read."), ("wide.txt", "wide.txt is no text in UTF-8: save it in UTF-8 first.")):
        driver.execute_script(compute, "11")
        says(driver, "own-takeaway", "xorloom optimize", "a result")
        dropped(driver, folder / name)
        says(driver, "own-result", words, name)
        check(empty() and text() == "11", f"{name} leaves {text()!r} and nothing of the old result")
    dropped(driver, folder / "marked.txt")
    says(driver, "own-result", "The text has changed", "a file with a byte order mark")
    check(text() == "101\n011\n", f"the text is {text()!r}")
    ran = subprocess.run([PROGRAM, "optimize", folder / "marked.txt", "--store", "off"], capture_output=True, text=True, check=False)
    check("2 XORs" in ran.stdout, f"the program says of a file with a byte order mark: {ran.stdout} {ran.stderr}")
    # What is replaced can be brought back; what is refused leaves the box.
    by_id(driver, "paste-equations").click()
    wait(driver, "the equations of the code", lambda: text().startswith("code: "))
    by_id(driver, "bring-back").click()
    wait(driver, "the text before", lambda: text() == "101\n011\n")
    by_id(driver, "check").click()
    says(driver, "own-takeaway", "xorloom optimize", "a result")
    set_spec(driver, "rs:k=999,m=2")
    by_id(driver, "paste-equations").click()
    says(driver, "own-result", "k = 999 exceeds 128", "equations of a code that is refused")
    check(empty() and text() == "101\n011\n", "nothing of the old result is left")
    set_spec(driver, "rs:k=4,m=2")
    quiet(driver, "given equations")


def try_links(driver):
    """Without a clipboard the page says what to do; Back leads back to the comparison, which has a code once."""
    for clipboard in ("undefined", "{writeText: () => Promise.reject(new Error('Document is not focused'))}"):
        opened(driver, PAGE, "view=equations")
        says(driver, "equations-takeaway", "xorloom", "a command")
        driver.execute_script(f"Object.defineProperty(navigator, 'clipboard', {{value: {clipboard}}}); document.querySelector('[data-copy]').click(); document.getElementById('copy-link').click()")
        says(driver, "equations-takeaway", "The browser does not allow it: select the command and copy it.", clipboard)
        says(driver, "copy-link", "The browser does not allow it", clipboard)
    opened(driver, PAGE, "view=compare&compare=rs:4,2|parity:k=4|rs:m=2,k=4")
    says(driver, "compare-refused", "rs:m=2,k=4 is compared already: it is number 1.", "a code twice")
    wait(driver, "two codes", lambda: len(driver.find_elements("css selector", "#table tbody tr")) == 2)
    says(driver, "compare-takeaway", "--erase 0", "a comparison")
    driver.find_element("css selector", "[data-code='parity:k=4']").click()
    says(driver, "iterative-count", "proved", "a code of the comparison")
    for _ in range(2):
        driver.back()
        wait(driver, "the comparison again", lambda: len(driver.find_elements("css selector", "#table tbody tr")) == 2)
        driver.forward()
        says(driver, "iterative-count", "proved", "a code of the comparison again")
    quiet(driver, "links")


# The place of a sentence on the screen: [top, bottom, height of the screen], and whether nothing covers it.
PLACE = """
  const it = document.getElementById(arguments[0]).getBoundingClientRect();
  return [it.top, it.bottom, innerHeight, document.elementFromPoint(it.left + 4, it.top + 8)?.id === arguments[0]];
"""
POINT = """
  const it = document.querySelector(arguments[0]);
  it.scrollIntoView({block: 'center'});
  it.dispatchEvent(new PointerEvent('pointerover', {bubbles: true}));
"""
# By state: what is pointed at, and the sentence about it.
TOLD = (("view=equations&code=rs:k=4,m=2", "#direct [data-e]", "element-note"), ("view=cores&code=cauchy-good:k=6,m=3,w=4&cores=16", "#plan .xor", "plan-note"),
        ("view=losses&code=evenodd:k=4,p=5&lost=0.5", "#losses-body [data-e]", "decode-note"), ("view=matrix&code=rs:k=4,m=2", ".bits", "cell"),
        ("view=own", "#own-result [data-e]", "own-note"))


def try_told(driver):
    """What is told of a thing that is pointed at is on the screen with it, and no name makes the page wider than a phone."""
    for width, height in ((1280, 800), (360, 740)):
        screen(driver, width, height, "light")
        for fragment, selector, note in TOLD:
            opened(driver, PAGE, fragment)
            wait(driver, f"{fragment}: {selector}", lambda: driver.find_elements("css selector", selector))
            driver.execute_script(POINT, selector)
            time.sleep(0.2)
            top, bottom, room, is_free = driver.execute_script(PLACE, note)
            check(0 <= top < bottom <= room and is_free, f"{fragment}, {width} x {height}: the sentence is from {top:.0f} to {bottom:.0f} of {room}, free: {is_free}")
    opened(driver, PAGE, "view=own")
    by_id(driver, "paste-equations").click()
    wait(driver, "equations", lambda: driver.execute_script("return document.getElementById('pasted').value").startswith("code: "))
    driver.execute_script("document.getElementById('check').click()")
    says(driver, "own-result", "packet_bytes=64", "a long name")
    wide = driver.execute_script("return document.documentElement.scrollWidth")
    check(wide <= 360, f"a long name makes the page {wide} pixels wide")
    opened(driver, PAGE, "view=losses&code=raid6:k=4&lost=9.77")
    says(driver, "losses-body", "The code has no chunks 9 and 77.", "a link to chunks that are not there")
    # Where colors are forced, those with a meaning stay.
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "forced-colors", "value": "active"}]})
    opened(driver, PAGE, "view=losses&code=evenodd:k=4,p=5&lost=0.5")
    says(driver, "losses-body", "bytes read per byte rebuilt", "a repair")
    colors = driver.execute_script("""const color = (selector, pseudo) => getComputedStyle(document.querySelector(selector), pseudo).backgroundColor;
      return [color('.meter i'), color('.meter .all'), color('.legend .read', '::before'), color('.chip[aria-pressed=true]')]
        .map((one, i) => [one, color(i < 3 ? '.meter' : '.chip[aria-pressed=false]')])""")
    check(all(one != other for one, other in colors), f"forced colors leave colors apart: {colors}")
    tabs = driver.execute_script("return [...document.querySelectorAll('#tabs button')].map(one => getComputedStyle(one).backgroundColor)")
    check(tabs.count(tabs[3]) == 1, f"forced colors show which tab is chosen: {tabs}")
    screen(driver, 1280, 800, "light")
    quiet(driver, "what is told")


def main():
    with browser() as driver, tempfile.TemporaryDirectory() as folder:
        screen(driver, 1280, 800, "light")
        try_told(driver)
        try_again(driver)
        try_form(driver)
        try_given(driver, pathlib.Path(folder))
        try_links(driver)
        try_words(driver)
        try_survival(driver)
        try_losses(driver)
        try_compare(driver)
        try_own(driver)
    end("words")


main()
