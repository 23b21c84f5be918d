"""What a browser makes of the explorer: browser.py PAGE PROGRAM PAIRS.

At the width of a desk and of a phone, in the light and in the dark, on paper and without motion, every view shows what
it should: no message in the console, no request, no page that scrolls sideways, contrast as WCAG 2.1 AA asks for, no
shift of the layout. The address holds the state, times are within their bounds, searches are as good as the program's,
and the documents in the file PAIRS are those of the program. `xorloom serve` offers the page. XORLOOM_SCREENSHOTS names
a folder for pictures.
"""

import base64
import csv
import json
import re
import subprocess
import sys
import time

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from chromium import ASK, CONTRAST, STOP, browser, by_id, check, check_shifts, end, media, opened, picture, quiet, says, screen, text_of, wait, within

PAGE, PROGRAM, PAIRS = sys.argv[1:4]
VIEWS = ("equations", "matrix", "cores", "losses", "compare", "own", "file")
SCREENS = ((1280, 800, "light"), (360, 740, "dark"), (1280, 800, "dark"), (360, 740, "light"))
STATE = "code=cauchy-good:k=6,m=2,w=4&cores=3&lost=1.6"
WORKED = "cauchy:k=5,m=2,w=3,x=1%2B2,y=4%2B5%2B6%2B7%2B0"

FIRST_VIEW = 1500  # milliseconds
CHANGED = 100
STOPPED = 100  # milliseconds
SLOWEST = 1 / 0.4  # times that of the program

# Changes the code, and says after how many milliseconds its equations are there.
CHANGE = """
  const [code, done] = arguments;
  const box = document.getElementById('spec');
  box.value = code;
  const began = performance.now();
  box.dispatchEvent(new Event('change'));
  const look = () => document.getElementById('view').dataset.shown === code
    ? done(performance.now() - began) : setTimeout(look, 1);
  look();
"""
# What does not belong on paper.
UNPRINTABLE = """
  const wrong = [];
  const isShown = element => element.getClientRects().length && getComputedStyle(element).visibility !== 'hidden';
  for (const one of document.querySelectorAll('input, select, progress, button:not(.term, .chip), [role=tablist], .takeaway > p')) {
    if (isShown(one)) wrong.push(`${one.tagName} '${one.id || one.textContent.trim()}' is on paper`);
  }
  for (const one of document.querySelectorAll('.equations, .wide, .command code, textarea')) {
    if (!isShown(one)) continue;
    if (one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1) {
      wrong.push(`${one.tagName} '${one.id || one.className}' is cut off on paper: ${one.scrollWidth} x ${one.scrollHeight} in ${one.clientWidth} x ${one.clientHeight}`);
    }
  }
  if (getComputedStyle(document.body).backgroundColor !== 'rgb(255, 255, 255)') wrong.push('paper is not white');
  if (getComputedStyle(document.documentElement).colorScheme !== 'light') wrong.push('paper is dark');
  return wrong;
"""


def number_of(driver, name):
    """The first number of an element's text."""
    return int(re.match(r"[0-9,]+", text_of(driver, name))[0].replace(",", ""))


def try_view(driver, view, width, height, scheme):
    where = f"{view}, {width} x {height}, {scheme}"
    check_shifts(driver, PAGE, f"{STATE}&view={view}", where)
    wide = driver.execute_script("return document.documentElement.scrollWidth")
    check(wide <= width, f"{where}: the page is {wide} pixels wide")
    for sentence in driver.execute_script(CONTRAST):
        check(False, f"{where}: {sentence}")
    picture(driver, f"{view}-{width}-{scheme}")
    quiet(driver, where)


def try_paper(driver, view):
    """Paper is light, whole and without controls, also where the screen is dark."""
    where = f"{view} on paper"
    screen(driver, 760, 1000, "dark")
    code = {"equations": "cauchy-good:k=20,m=6,w=8", "losses": "rs:k=10,m=4"}.get(view, "cauchy-good:k=10,m=4,w=8")
    opened(driver, PAGE, f"code={code}&cores=16&lost=1.6&view={view}")
    if view == "equations":
        says(driver, "iterative", "more equations", "a long list")
    time.sleep(0.4)
    media(driver, "dark", "print")
    paper = driver.execute_cdp_cmd("Page.printToPDF", {})["data"]
    check(base64.b64decode(paper).startswith(b"%PDF"), f"{where}: there is no page")
    for sentence in driver.execute_script(UNPRINTABLE) + driver.execute_script(CONTRAST):
        check(False, f"{where}: {sentence}")
    picture(driver, f"{view}-paper")
    if view == "equations":
        count = driver.execute_script("return document.querySelectorAll('#iterative li').length")
        check(count > 300, f"{where}: there are only {count} equations")
    quiet(driver, where)


def try_motion(driver):
    """A plan plays with moving values, and without motion for those who want none."""
    moving = {}
    for is_still in (False, True):
        media(driver, "light", "", is_still)
        opened(driver, PAGE, f"{STATE}&view=cores")
        by_id(driver, "play").click()
        seen = 0
        end_ = time.monotonic() + 4
        while time.monotonic() < end_:
            seen += driver.execute_script(
                "return document.getAnimations().length + document.querySelectorAll('#moves circle').length"
            )
        says(driver, "step-text", "step", "the plan")
        check(not text_of(driver, "step-text").startswith("step 0;"), "a plan plays without motion, too")
        moving[is_still] = seen
    check(moving[False] > 0, "values move while a plan plays")
    check(moving[True] == 0, f"{moving[True]} things move in spite of prefers-reduced-motion")
    print(f"things that moved while a plan played: {moving[False]}; with reduced motion: {moving[True]}")
    media(driver, "light")
    quiet(driver, "motion")


def try_times(driver):
    def first_view():
        opened(driver, PAGE, "code=cauchy-good:k=10,m=4,w=8&view=equations")
        return driver.execute_script("return performance.getEntriesByName('equations')[0].startTime")

    within("milliseconds to the first view of 10+4", FIRST_VIEW, first_view)
    says(driver, "iterative-count", "proved", "the count")
    packets = iter(range(128, 1 << 20, 64))  # another code each time, as answers are kept
    within("milliseconds to the equations after a change of 10+4", CHANGED,
           lambda: driver.execute_async_script(CHANGE, f"cauchy-good:k=10,m=4,w=8,packet_bytes={next(packets)}"))
    quiet(driver, "the first view")


def try_search(driver):
    """A search falls, and stops at once with what it has."""
    opened(driver, PAGE, "code=cauchy-good:k=10,m=4,w=8&view=equations")
    driver.execute_script("const it = document.getElementById('tries'); it.value = 6; it.dispatchEvent(new Event('input'))")
    says(driver, "iterative-count", "proved", "the count")
    before = text_of(driver, "iterative-count")
    by_id(driver, "search").click()
    says(driver, "search-said", "% of the changes", "the search")
    wait(driver, "better equations", lambda: text_of(driver, "iterative-count") != before)
    picture(driver, "search")

    def stop():
        if text_of(driver, "search") == "Search":
            by_id(driver, "search").click()
            says(driver, "search-said", "% of the changes", "the search")
        return driver.execute_async_script(STOP, "search", "search-said")

    within("milliseconds until a search has stopped", STOPPED, stop)
    check(text_of(driver, "search") == "Search", "a stopped search can begin again")
    check("proved" in text_of(driver, "iterative-count"), "the equations of a stopped search are proved")
    quiet(driver, "a search")


def try_search_as_the_program(driver):
    """A search with the same moves ends with the same document, in at most SLOWEST times the time."""
    code, tries = "cauchy-good:k=10,m=4,w=8", 300000
    search = {"ask": "equations", "code": code, "style": "iterative", "effort": "max", "tries": tries}
    arguments = ["--style", "iterative", "--effort", "max", "--tries", str(tries), "--store", "off", "--format", "json"]

    def times():
        began = time.monotonic()
        printed = subprocess.run([PROGRAM, "equations", code, *arguments], capture_output=True, check=True).stdout.decode()
        in_program = time.monotonic() - began
        found = driver.execute_async_script(ASK, [{"ask": "families"}, search], None)
        check(found["texts"][1] == printed, "a search in the page ends with another document than the program's")
        return found["milliseconds"] / 1000 / in_program

    within(f"a search of 10+4 with {tries} moves in the page, times the program's seconds", SLOWEST, times)


def try_documents(driver):
    """The example of each family gives the program's documents, byte for byte."""
    opened(driver, PAGE, "view=own")
    with open(PAIRS, encoding="utf-8") as file:
        pairs = json.load(file)
    for code in sorted({pair["question"]["code"] for pair in pairs}):
        own = [pair for pair in pairs if pair["question"]["code"] == code]
        questions, expected = [pair["question"] for pair in own], [pair["printed"] for pair in own]
        for question in driver.execute_async_script(ASK, questions, expected)["texts"]:
            check(False, f"the page's answer to {question} is not what the program prints")
    print(f"{len(pairs)} documents compared with the program's", flush=True)
    check(len(pairs) > 150, f"only {len(pairs)} documents were compared")
    quiet(driver, "documents")


def try_state(driver):
    """The address holds what was chosen."""
    opened(driver, PAGE, "view=losses")
    driver.execute_script(
        "const box = document.querySelector('input[type=number][data-key=k]'); box.value = 5;"
        "box.dispatchEvent(new Event('input', {bubbles: true}))"
    )
    wait(driver, "k = 5", lambda: "k=5" in driver.current_url)
    driver.find_element(By.CSS_SELECTOR, "[data-location='3']").click()
    wait(driver, "0 and 3 are lost", lambda: "lost=0.3" in driver.current_url)
    url = driver.current_url
    driver.get("about:blank")
    driver.get(url)
    says(driver, "decode", "to rebuild what is lost", "the reloaded page")
    pressed = driver.find_elements(By.CSS_SELECTOR, ".chip[aria-pressed=true]")
    check(len(pressed) == 2, f"{len(pressed)} chips are pressed after a reload")
    driver.find_element(By.CSS_SELECTOR, "[data-location='2']").click()
    wait(driver, "three losses are refused", lambda: driver.find_elements(By.CSS_SELECTOR, "#losses-body .error"))
    says(driver, "losses-body", "Chunks 0, 2 and 3 cannot be rebuilt: this code survives any 2 losses, and 3 chunks are lost", "three losses")
    # Words are explained where they stand, and the keyboard goes from tab to tab.
    driver.find_element(By.CSS_SELECTOR, "[data-term=erasure]").click()
    check("location is known" in text_of(driver, "meaning"), "the glossary explains an erasure")
    driver.execute_script("document.querySelector('#facts [data-term=row]').focus()")
    check("Here: a chunk has 4 of them" in text_of(driver, "meaning"), "the focus explains a row")
    driver.find_element(By.ID, "tab-losses").send_keys(Keys.ARROW_RIGHT)
    wait(driver, "the next tab", lambda: "view=compare" in driver.current_url)
    for key, view in ((Keys.END, "file"), (Keys.ARROW_RIGHT, "equations"), (Keys.ARROW_LEFT, "file"), (Keys.HOME, "equations")):
        driver.switch_to.active_element.send_keys(key)
        wait(driver, f"the tab {view}", lambda: f"view={view}" in driver.current_url)
    by_id(driver, "tab-compare").click()
    rows = lambda: driver.find_elements(By.CSS_SELECTOR, "#table tbody tr")
    wait(driver, "three codes", lambda: len(rows()) == 3)
    # A view that was shown before does everything once.
    by_id(driver, "tab-equations").click()
    by_id(driver, "tab-compare").click()
    wait(driver, "three codes again", lambda: len(rows()) == 3)
    driver.find_element(By.CSS_SELECTOR, "[data-remove='0']").click()
    wait(driver, "two codes", lambda: len(rows()) == 2)
    quiet(driver, "the state")


def try_found(driver):
    """What a search found stays, in all views, and nothing worse takes its place."""
    opened(driver, PAGE, "code=cauchy-good:k=10,m=4,w=8&view=equations&cores=4")
    says(driver, "iterative-count", "proved", "the count")
    quick = number_of(driver, "iterative-count")
    for tries in (1, 0):  # of 3 million, and of 1 million, which find no fewer
        driver.execute_script("const it = document.getElementById('tries'); it.value = arguments[0]; it.dispatchEvent(new Event('input'))", tries)
        by_id(driver, "search").click()
        wait(driver, "the end of a search", lambda: text_of(driver, "search") == "Search" and " XORs" in text_of(driver, "search-said"))
        if tries:
            best = number_of(driver, "iterative-count")
    check(best < quick, f"a search of 10+4 finds {best} XORs, not fewer than {quick}")
    check(number_of(driver, "iterative-count") == best, "a shorter search leaves the better equations")
    says(driver, "search-said", f"Nothing better found: still {best} XORs, at least ", "a shorter search")
    by_id(driver, "tab-cores").click()
    says(driver, "plan-counts", f"{best} XORs (the equations that the search found)", "the plan")
    command = driver.execute_script("return document.querySelector('#cores-takeaway code').textContent")
    check("--tries 3000000" in command and "--equations equations.json --cores 4" in command, f"the command is {command}")
    by_id(driver, "tab-equations").click()
    says(driver, "iterative-count", f"{best} XORs", "the equations after another view")
    quiet(driver, "what was found")


def try_facts(driver):
    """The page says what is so: what numbers are, what is proved, and the program's figures."""
    opened(driver, PAGE, "code=x-code:p=5&view=equations")
    check("p rows" in text_of(driver, "sliders"), "x-code has p rows")
    says(driver, "lead", "Here 5 chunks hold data and redundancy; any 2 of the 5 may be lost.", "the first words")
    # A slider steps over values that the family has.
    driver.execute_script("const it = document.getElementById('at-p'); it.value = 2; it.dispatchEvent(new Event('input', {bubbles: true}))")
    wait(driver, "the third prime", lambda: driver.execute_script("return document.getElementById('view').dataset.shown") == "x-code:p=7")
    driver.execute_script("location.hash = 'code=nonsense:k=3'")
    says(driver, "stale", "Below is still x-code:p=7.", "a wrong spec")
    pale = driver.execute_script("return ['lead-code', 'lead-picture', 'view'].map(id => getComputedStyle(document.getElementById(id)).opacity)")
    check(len(set(pale)) == 1 and float(pale[0]) < 1, f"what is of the last code is dimmed alike: {pale}")
    # A figure of a half hundredth is rounded as the program rounds it, in the table and in the chart.
    opened(driver, PAGE, "view=compare&compare=parity:k=8|cauchy-good:k=8,m=4,w=4")
    printed = subprocess.run([PROGRAM, "codes", "parity:k=8"], capture_output=True, check=True).stdout.decode()
    storage = re.search(r"stores +([0-9.]+) bytes", printed)[1]
    cells = driver.execute_script("return [...document.querySelectorAll('#table tbody tr')].map(row => [...row.querySelectorAll('td[data-title]')].map(cell => cell.textContent))")
    charts = driver.execute_script("return [...document.querySelectorAll('#charts img')].map(image => decodeURIComponent(image.src))")
    check(cells[0][1] == storage == "1.12", f"parity:k=8 stores {cells[0][1]}, in the program {storage}")
    check(">1.12<" in charts[0], "the chart has the figure of the table")
    check(cells[0][2] == "8.00" and cells[1][2] == "≤\u00a05.75", f"the reads are {cells[0][2]}, and {cells[1][2]} if not proved")
    says(driver, "table", "4 losses", "what codes survive")
    for code, words in (("cauchy-good:k=4,m=2,w=4", "chunk 0 is multiplied by the field element e = 1; this is bit 0 of e·2⁰"),
                        ("leopard:k=3,m=2", "this is bit 0 of e times vector 0 of the field's basis")):
        opened(driver, PAGE, f"view=matrix&code={code}")
        says(driver, "cell", words, f"the matrix of {code}")
    opened(driver, PAGE, "view=losses&lost=")
    says(driver, "losses-body", "Nothing is lost. Click a chunk to lose it.", "no loss")
    check(len(driver.find_elements(By.CSS_SELECTOR, "#losses-body .kept rect")) == 24, "the chunks stay where nothing is lost")
    opened(driver, PAGE, "code=cauchy-good:k=4,m=2,w=4&view=losses&lost=0,1")
    wait(driver, "commas may stand between lost chunks", lambda: len(driver.find_elements(By.CSS_SELECTOR, "#losses-body .lost rect")) == 8)
    # Constants are no element, and rows of a matrix may have spaces.
    opened(driver, PAGE, "view=own")
    for text, words in (("0000\n1111\n1000", "4 = nothing (always zero)"), ("1 0 1\n0 1 1", "✓ proved against the matrix"),
                        ("1 0 1\n0 2 1", "line 2: character 3 is '2', not 0 or 1"), ("110\n1x1", "line 2: character 2 is 'x', not 0 or 1"), ("10112", "'10112' is neither a row of 0s and 1s"),
                        ("4 = 0 ⊕ 1", "These equations are well formed")):
        driver.execute_script("document.getElementById('pasted').value = arguments[0]; document.getElementById('check').click()", text)
        says(driver, "own-result", words, f"the text {text!r}")
    quiet(driver, "facts")


def try_plan(driver):
    opened(driver, PAGE, f"code={WORKED}&view=cores&cores=6&style=direct")
    check("6 cores" in text_of(driver, "plan-counts"), "the plan is on 6 cores")
    before = text_of(driver, "step-text")
    by_id(driver, "play").click()
    wait(driver, "the plan plays", lambda: text_of(driver, "step-text") != before)
    by_id(driver, "play").click()
    steps = len(driver.find_elements(By.CSS_SELECTOR, "#plan .head"))
    for _ in range(steps):
        by_id(driver, "forth").click()
    check(text_of(driver, "step-text") == f"step {steps - 1}; the last is {steps - 1}", "the plan ends with its last step")
    names = driver.execute_script("return [...document.querySelectorAll('#plan .partial text')].map(one => one.textContent)")
    check(names and all(re.fullmatch(r"\d+'\d+", name) for name in names), f"partial sums are named as in pictures of the program: {names[:3]}")
    check(re.search(r"Faint boxes make partial sums: \d+'1 is a partial sum of \d+", text_of(driver, "plan-says")), "the page says what a partial sum is called")
    all_names = driver.execute_script("return [...document.querySelectorAll('#plan .xor text')].map(one => one.textContent)")
    check(len(set(all_names)) == len(all_names), "no two XORs of a plan have one name")
    sums = driver.execute_script("return [...document.querySelectorAll('.sums li')].map(one => one.textContent)")
    check(len(sums) == steps, f"paper has the XORs of {len(sums)} steps, not of {steps}")
    sums = [re.sub(r" \(core \d+\)", "", line) for line in sums]
    for number, line in enumerate(sums):
        for target, operands in re.findall(r"([^ ,]+) = ([^,]+)", line):
            check(target not in operands.split(" ⊕ "), f"step {number} adds {target} to itself: {line}")
    picture(driver, "plan")
    # Names are those of the program's picture, and fit into their boxes.
    code = "cauchy-good:k=10,m=4,w=8"
    opened(driver, PAGE, f"code={code}&view=cores&cores=8&style=direct")
    printed = subprocess.run([PROGRAM, "equations", code, "--cores", "8", "--format", "svg"], capture_output=True, check=True).stdout.decode()
    expected = sorted(re.findall(r"<title>(\S+) = XOR\(([^,<]+),([^,<]+)\)</title>", printed[printed.index("Plan on 8 cores"):]))
    shown = driver.execute_script("return [...document.querySelectorAll('.sums li')].map(one => one.textContent)")
    moved = sum(line.count(" (core ") for line in shown)
    check(moved >= int(re.search(r"([0-9,]+) values? moves?", text_of(driver, "plan-counts"))[1]) > 0, f"paper says of {moved} operands which core they come from: {text_of(driver, 'plan-counts')}")
    found = sorted(one for line in shown for one in re.findall(r"(\S+) = (\S+) ⊕ ([^\s,]+)", re.sub(r" \(core \d+\)", "", line)))
    check(len(expected) > 800 and found == expected, f"a plan has the sums {found[:3]}, the program {expected[:3]}")
    wide = driver.execute_script("return [...document.querySelectorAll('#plan .xor')].filter(one => one.querySelector('text').getBBox().width > one.querySelector('rect').getBBox().width).map(one => one.textContent.trim())")
    check(not wide, f"names of a plan are wider than their boxes: {wide[:5]}")
    quiet(driver, "the plan")


def try_keyboard(driver):
    """Links and buttons leave the address and the focus where they belong, and arrow keys read equations."""
    focused = lambda: driver.execute_script("const it = document.activeElement; return it.ariaLabel || it.id || it.nodeName")
    press = lambda key: driver.switch_to.active_element.send_keys(key)
    opened(driver, PAGE, "code=rs:k=6,m=3,w=8&view=losses&lost=0.1")
    url = driver.current_url
    driver.execute_script("document.querySelector('.skip').focus()")
    press(Keys.ENTER)
    check(driver.current_url == url and focused() == "view", f"the skip link leads to {focused()} and {driver.current_url}")
    opened(driver, PAGE, "view=compare&compare=parity:k=4|parity:k=5|parity:k=6")
    for left, after in ((2, "Remove parity:k=6"), (1, "Remove parity:k=4"), (0, "added")):
        wait(driver, "codes", lambda: len(driver.find_elements(By.CSS_SELECTOR, "[data-remove]")) == left + 1)
        driver.execute_script("document.querySelectorAll('[data-remove]')[arguments[0]].focus()", min(1, left))
        press(Keys.ENTER)
        wait(driver, f"the focus is on {after} once a code is removed, not on {focused()}", lambda: focused() == after)
    says(driver, "compare-said", "No codes yet: add one.", "no code")
    opened(driver, PAGE, "view=compare&compare=hover:k=5,r=3,v=2,h=1|parity:k=4")
    says(driver, "compare-takeaway", "--erase 0", "a comparison")
    driver.execute_script("URL.createObjectURL = blob => (blob.text().then(text => window.csv = text), '#'); document.querySelector('[data-file=CSV]').click()")
    wait(driver, "a CSV file", lambda: driver.execute_script("return window.csv"))
    lines = list(csv.reader(driver.execute_script("return window.csv").splitlines()))
    check([len(line) for line in lines] == [8, 8, 8] and lines[1][0] == "hover:k=5,r=3,v=2,h=1", f"the CSV file is {lines}")
    check(lines[0][4] == "Repair of chunk 0: is it the least?" and [line[4] for line in lines[1:]] == ["not proved", "proved"], f"the CSV file says what is proved: {lines}")
    driver.execute_script("document.querySelector('[data-code]').focus()")
    press(Keys.ENTER)
    wait(driver, f"the focus is on the view, not on {focused()}", lambda: focused() == "view")
    opened(driver, PAGE, "code=clay:k=4,m=2,d=5&view=equations")
    says(driver, "iterative-count", "proved", "the count")
    driver.execute_script("document.querySelector('#iterative .more').focus()")
    press(Keys.ENTER)
    check(focused() == "Equations", f"the focus is on {focused()} once all equations are there")
    notes = []
    for key in (Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_LEFT, Keys.ARROW_DOWN, Keys.ARROW_UP):
        press(key)
        notes.append(text_of(driver, "element-note"))
    check(notes[0] == notes[2] == notes[4] and len(set(notes)) == 3, f"arrow keys lead from element to element: {notes}")
    check(notes[0].startswith("A = 144 ⊕ 192, made once; used by "), f"the first element is {notes[0]}")
    # Below a core that waits there are others.
    opened(driver, PAGE, "code=evenodd:k=4,p=5&view=cores&cores=3&style=iterative")
    found = driver.execute_script("""const it = document.getElementById('step');
      for (let i = 0; i <= it.max; ++i) {
        it.value = i, it.dispatchEvent(new Event('input'));
        const waits = [...document.querySelectorAll('#step-xors li')].map(one => one.textContent.includes('waits'));
        if (!waits[0] && waits[1] && !waits[2]) return document.getElementById('step-xors').focus(), document.querySelector('#step-xors li:nth-child(3) .e').textContent;
      }""")
    for key in (Keys.ARROW_RIGHT, Keys.ARROW_DOWN):
        press(key)
    check(found and text_of(driver, "plan-note").startswith(f"{found} "), f"the arrow leads to {found} of core 2, not to '{text_of(driver, 'plan-note')}'")
    quiet(driver, "the keyboard")


def try_wide(driver):
    """Wide codes: each chunk can be lost, and what an operand of a plan is can be read by keyboard."""
    opened(driver, PAGE, "code=rs:k=128,m=8&view=losses&lost=100")
    pressed = lambda: driver.execute_script("return [...document.querySelectorAll('#chips [aria-pressed=true]')].map(one => one.dataset.location).join()")
    wait(driver, f"chunk 100 is lost, not {pressed()}", lambda: pressed() == "100")
    driver.find_element(By.CSS_SELECTOR, "[data-location='135']").click()
    wait(driver, f"chunks 100 and 135 are lost, not {pressed()}", lambda: pressed() == "100,135")
    says(driver, "losses-takeaway", "--erase 100,135", "two losses")
    opened(driver, PAGE, "code=rs:k=128,m=8&view=cores&cores=4&style=direct")
    says(driver, "plan-place", "the JSON has all of it", "a plan without a picture")
    says(driver, "cores-takeaway", " operands are more than the 8,192 of a picture. The JSON has all of them.", "a plan without a picture")
    opened(driver, PAGE, "code=rs:k=4,m=128&view=cores&cores=4&style=direct")
    says(driver, "plan-place", "is too long to draw here", "a long plan")
    opened(driver, PAGE, "code=parity:k=1&view=cores&cores=4")
    says(driver, "plan-counts", "Nothing to compute: each redundant chunk is a copy.", "a plan of no steps")
    check(not by_id(driver, "play").is_enabled(), "a plan of no steps does not play")
    opened(driver, PAGE, f"code={WORKED}&view=cores&cores=6&style=direct")
    driver.execute_script("document.getElementById('step-xors').focus()")
    for _ in range(2):
        driver.switch_to.active_element.send_keys(Keys.ARROW_RIGHT)
    check(re.fullmatch(r"\d+ is row \d of chunk \d, data; used by .*", text_of(driver, "plan-note")), f"an operand of a plan is told: {text_of(driver, 'plan-note')}")
    driver.execute_script("document.querySelector('#plan .partial').dispatchEvent(new PointerEvent('pointerover', {bubbles: true}))")
    check(re.fullmatch(r"\d+'\d+ = .*, a partial sum of \d+\.", text_of(driver, "plan-note")), f"a partial sum is told: {text_of(driver, 'plan-note')}")
    quiet(driver, "wide codes")


def try_one_number(driver):
    """Views agree on the fewest XORs that are known, and C of a code on words is told from its equations."""
    for code in ("shec:k=4,m=3,c=2", WORKED, "evenodd:k=5,p=5", "lrc:k=8,m=4,l=3"):
        opened(driver, PAGE, f"code={code}&view=cores&style=iterative&cores=1&compare={code}")
        for cores in (1, 2, 4, 16):
            driver.execute_script("const it = document.getElementById('cores'); it.value = arguments[0]; it.dispatchEvent(new Event('input'))", cores)
            wait(driver, f"{cores} cores", lambda: re.search(rf"on {cores} cores?:", text_of(driver, "plan-counts")))
            planned, other = [re.search(one, text_of(driver, "plan-counts")) for one in (r"([0-9]+) XORs", r"view Equations have ([0-9]+) XORs")]
            by_id(driver, "tab-equations").click()
            says(driver, "iterative-count", "proved", "the count")
            fewest = number_of(driver, "iterative-count")
            check(fewest <= int(planned[1]), f"{code}: {planned[1]} XORs on {cores} cores, and {fewest} in the view Equations")
            check(int((other or planned)[1]) == fewest, f"{code}: the plan on {cores} cores says '{text_of(driver, 'plan-counts')}', the view Equations {fewest}")
            by_id(driver, "tab-cores").click()
            wait(driver, "the plan again", lambda: re.search(rf"on {cores} cores?:", text_of(driver, "plan-counts")))
    opened(driver, PAGE, "code=rs:k=4,m=2&view=equations")
    says(driver, "equations-takeaway", "C: sums of products in GF(28), on words; not these equations, which are over bits.", "source of a code on words")
    opened(driver, PAGE, "code=leopard:k=10,m=4,w=16&view=equations")
    says(driver, "equations-takeaway", "No C: symbols of this code lie in planes.", "a code without source")
    quiet(driver, "the fewest XORs")


def try_served(driver):
    """`xorloom serve` offers the page, which asks the service nothing more."""
    with subprocess.Popen([PROGRAM, "serve", "--port", "0", "--page", PAGE], stderr=subprocess.PIPE, text=True) as service:
        try:
            address = re.search(r"http://\S+", service.stderr.readline())[0] + "/"
            driver.get("about:blank")
            driver.get(f"{address}#code=cauchy-good:k=10,m=4,w=8&view=equations")
            says(driver, "iterative-count", "proved", "the served page")
            quiet(driver, "the served page", address)
        finally:
            service.terminate()


def main():
    with browser() as driver:
        screen(driver, 1280, 800, "light")
        try_times(driver)
        try_search(driver)
        try_search_as_the_program(driver)
        try_documents(driver)
        try_state(driver)
        try_found(driver)
        try_facts(driver)
        try_plan(driver)
        try_keyboard(driver)
        try_wide(driver)
        try_one_number(driver)
        try_served(driver)
        try_motion(driver)
        for width, height, scheme in SCREENS:
            screen(driver, width, height, scheme)
            for view in VIEWS:
                try_view(driver, view, width, height, scheme)
        for view in VIEWS:
            try_paper(driver, view)
    end(f"{len(VIEWS)} views on {len(SCREENS)} screens and on paper")


main()
