"""What the explorer makes of bad input, of little memory and of other browsers: edges.py PAGE PROGRAM.

Wrong specs and long texts get a sentence, a file of 1 GiB is taken stripe by stripe and stops at once, the commands for a
file rebuild it in a terminal, a code that takes too much memory leaves the page at work, and a browser without SIMD,
WebAssembly or JavaScript says so or does without.
"""

import base64
import gzip
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from chromium import STOP, browser, by_id, check, end, opened, picture, quiet, says, set_spec, text_of, wait, within

PAGE, PROGRAM = sys.argv[1:3]
SPECS = (
    ("rs:k=100000,m=3", "exceeds 128"),
    ("rs:k=99999999999999999999,m=3", "exceeds 128"),
    ("cauchy:k=3,m=2,w=2", "exceeds"),
    ("nonsense", "nonsense"),
    ("", "spec"),
    ("rs:k=abc,m=2", "abc"),
    ("rs:k=4;m=2", "4;m=2"),
)
# A code with an odd name of a file, and chunks that are lost one after the other.
TRIALS = (
    ("cauchy-good:k=10,m=4,w=8", "-rf", (0, 3)),
    ("rs:k=100,m=4", "it's a file.txt", (7, 100)),
    ("leopard:k=8,m=4,w=8", "na\u00efve $HOME.bin", (11, 1)),
    ("lrc:k=8,m=4,l=3", "=shards", (15,)),
    ("parity:k=1", "one chunk", (1,)),
    ("zigzag:k=4,r=2", "shards", (0, 5)),
    ("rs:k=4,m=2", f"{83 * '日'}.txt", (0,)),
)
CHOOSE = """
  const [name, bytes] = arguments;
  const files = new DataTransfer();
  files.items.add(new File([new Uint8Array(bytes)], name));
  document.getElementById('file').files = files.files;
  document.getElementById('file').dispatchEvent(new Event('change'));
"""
STOPPED = 100  # milliseconds
LONG_TEXT = 10_000_000
LARGE_CODES = ("clay:k=12,m=4,d=15", "cauchy:k=128,m=50,w=8")  # one is refused by the compiler, one ends it
PAGES_OF_LITTLE = 256  # of 64 KiB, which the module begins with
SIMD = "new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11])"
# Answers how long the page takes to answer, in milliseconds.
ALIVE = "const [done] = arguments; const began = performance.now(); setTimeout(() => done(performance.now() - began), 0);"


def try_texts(driver):
    opened(driver, PAGE, "view=own")
    check(driver.execute_script(f"return WebAssembly.validate({SIMD})"), "a browser with SIMD takes a module with SIMD")
    says(driver, "own-result", "proved", "the matrix")
    # Someone pastes 10 MB: they do not get into the page.
    by_id(driver, "pasted").click()
    driver.execute_cdp_cmd("Input.insertText", {"text": "1" * LONG_TEXT})
    says(driver, "own-result", "10,000,000 letters, and this page reads at most 1,048,576", "10 MB of text")
    length = driver.execute_script("return document.getElementById('pasted').value.length")
    check(length < 1000, f"a text area of {length} letters is left")
    driver.execute_cdp_cmd("Input.insertText", {"text": "111111\n"})
    wait(driver, "a short text is taken", lambda: driver.execute_script(
        "return document.getElementById('pasted').value.includes('111111')"))
    # A script, or a browser without that event, puts them in.
    driver.execute_script(f"document.getElementById('pasted').value = '1'.repeat({LONG_TEXT}); document.getElementById('check').click()")
    says(driver, "own-result", "10,000,000 bytes, and this page reads at most", "10 MB of text in the area")
    within("milliseconds until the page answers after 10 MB", 1000, lambda: driver.execute_async_script(ALIVE))
    for spec, words in SPECS:
        set_spec(driver, spec)
        says(driver, "refused", words, f"the spec '{spec}'")
    set_spec(driver, "rs:k=4,m=2")
    wait(driver, "a good spec after wrong ones", lambda: text_of(driver, "refused") == "")
    # A refused spec says nothing about views of other codes.
    opened(driver, PAGE, "view=compare&compare=parity:k=4")
    says(driver, "table", "parity:k=4", "a comparison")
    for view, place in (("compare", "table"), ("own", "own-result")):
        by_id(driver, f"tab-{view}").click()
        set_spec(driver, "cauchy-good:k=20,m=2,w=4")
        says(driver, "refused", "k = 20 is not below 2w = 16", "a refused spec")
        opacity = driver.execute_script("return getComputedStyle(document.getElementById('view')).opacity")
        check(opacity == "1" and not by_id(driver, "stale").is_displayed(), f"{view} is not of the last code")
        check(text_of(driver, place), f"{view} stays")
    by_id(driver, "tab-equations").click()
    check(by_id(driver, "stale").is_displayed(), "equations are of the last code")
    opened(driver, PAGE, "code=file:x&view=compare&compare=parity:k=4")
    says(driver, "refused", "this page has no family 'file'; it has cauchy, ", "a file")
    says(driver, "table", "parity:k=4", "a comparison without another code")
    # Lists of Python and matrices of Octave are matrices. A result goes with its text.
    opened(driver, PAGE, "view=own")
    for text in ("1,0,1\n0,1,1", "[[1, 0, 1], [0, 1, 1]]", "[[1 0 1]\n [0 1 1]]", "[1 0 1; 0 1 1]", "101;011"):
        driver.execute_script("document.getElementById('pasted').value = arguments[0]; document.getElementById('check').click()", text)
        says(driver, "own-result", "Rows are the outputs after them: 3 to 4.", f"the text {text!r}")
        by_id(driver, "pasted").send_keys(" ")
        says(driver, "own-result", "The text has changed: choose Compute.", "another text")
    # Comments are none of a matrix, and lines keep their numbers.
    for text, words in (("# a comment\n101\n011", "Rows are the outputs after them: 3 to 4."), ("101 # c\n011\n", "Rows are the outputs after them: 3 to 4."),
                        ("2 3\n101\n011", "Rows are the outputs after them: 3 to 4."), ("# a comment\n101\n# another\n021", "line 4: character 2 is '2', not 0 or 1"),
                        ("101;01", "line 1: the row has 2 columns, not 3"), ("1;0;1\n0;1;1", "line 1: ';' ends a row, and this row has 1 column")):
        driver.execute_script("document.getElementById('pasted').value = arguments[0]; document.getElementById('check').click()", text)
        says(driver, "own-result", words, f"the text {text!r}")
    check("numbers of rows and columns may come first" in text_of(driver, "view"), "the page says what the first line of a matrix may be")
    # The page has no options of the program.
    opened(driver, PAGE, "code=blaum-roth:k=4,w=5&view=own")
    says(driver, "refused", "blaum-roth", "a code that does not hold its promise")
    check("option" not in text_of(driver, "refused"), f"the page recommends an option: {text_of(driver, 'refused')}")
    opened(driver, PAGE, "code=%F0%9F&view=weather&cores=99999999999&lost=a.b.3&compare=|||")
    quiet(driver, "bad input")


def try_numbers(driver):
    """What is wrong with a number stands beside its box, and the code stays."""
    opened(driver, PAGE, "code=lrc:k=8,m=4,l=3&view=matrix")
    box = driver.find_element(By.CSS_SELECTOR, "input[type=number][data-key=l]")
    spec = lambda: driver.execute_script("return document.getElementById('spec').value")
    for text, words in (("2.5", "2.5 is not a whole number"), ("1e1", "1e1 is not a whole number"), ("-1", "-1 is not a whole number"), ("1e", "This is not a whole number")):
        box.send_keys(Keys.CONTROL + "a" + Keys.NULL + text)
        says(driver, "wrong-l", words, f"the number {text}")
        check(box.get_attribute("aria-invalid") == "true" and "wrong-l" in box.get_attribute("aria-describedby"), f"the box of {text} is marked")
        check(spec().startswith("lrc:k=8,m=4"), f"{text} leaves the code, not {spec()}")
    box.send_keys(Keys.CONTROL + "a" + Keys.NULL + Keys.DELETE)
    says(driver, "wrong-l", "l is needed: write a whole number.", "no number")
    says(driver, "refused", "lrc needs l=…", "no number")
    box.send_keys("6")
    wait(driver, "a number", lambda: text_of(driver, "wrong-l") == text_of(driver, "refused") == "" and spec() == "lrc:k=8,m=4,l=6")
    # A wrong number in the place of one that is needed is named, not the place.
    box.send_keys(Keys.CONTROL + "a" + Keys.NULL + Keys.DELETE)
    says(driver, "refused", "lrc needs l=…", "no number")
    box.send_keys("-3")
    says(driver, "refused", "l: -3 is not a whole number", "a negative number")
    says(driver, "wrong-l", "-3 is not a whole number", "a negative number")
    box.send_keys(Keys.CONTROL + "a" + Keys.NULL + Keys.DELETE)
    says(driver, "refused", "lrc needs l=…", "no number again")
    box.send_keys("6")
    wait(driver, "a number", lambda: text_of(driver, "wrong-l") == text_of(driver, "refused") == "" and spec() == "lrc:k=8,m=4,l=6")
    # Its slider steps over what makes no code: 12 chunks in 4, 2 or 1 groups.
    taken = []
    for at in range(3):
        driver.execute_script("const it = document.getElementById('at-l'); it.value = arguments[0]; it.dispatchEvent(new Event('input', {bubbles: true}))", at)
        wait(driver, f"step {at} of l", lambda: driver.execute_script("return document.getElementById('view').dataset.shown") == spec())
        taken.append(spec().split("l=")[1])
    most = by_id(driver, "at-l").get_attribute("max")
    check(taken == ["3", "6", "12"] and most == "2", f"the slider of l has the steps {taken}, up to {most}")
    says(driver, "refused", "", "every step makes a code")
    driver.find_element(By.CSS_SELECTOR, "input[type=number][data-key=k]").send_keys(Keys.CONTROL + "a" + Keys.NULL + "0")
    says(driver, "refused", "k = 0 is not one of 1 to 128", "a number below its bound")
    # A number that the library chooses has a box, in which one can be written.
    opened(driver, PAGE, "code=clay:k=4,m=2&view=matrix")
    driver.find_element(By.CSS_SELECTOR, "input[type=number][data-key=d]").send_keys("5")
    wait(driver, "a number of the library", lambda: spec() == "clay:k=4,m=2,d=5")
    # A view of another number than that in the box is dim.
    opened(driver, PAGE, "code=rs:k=4,m=2&view=matrix")
    box = driver.find_element(By.CSS_SELECTOR, "input[type=number][data-key=k]")
    box.send_keys(Keys.CONTROL + "a" + Keys.NULL + "1.5")
    says(driver, "stale", "Below is still rs:k=1,m=2.", "a wrong number")
    check(by_id(driver, "stale").is_displayed(), "the view is of another number than 1.5")
    box.send_keys(Keys.CONTROL + "a" + Keys.NULL + "007")
    wait(driver, "a view of the number in the box", lambda: not by_id(driver, "stale").is_displayed() and spec() == "rs:k=7,m=2")
    # What a number takes out of the spec is told, until it is there again.
    points = "cauchy:k=5,m=2,w=3,x=1+2,y=4+5+6+7+0"
    set_spec(driver, points)
    wait(driver, "points", lambda: driver.find_elements(By.CSS_SELECTOR, "input[data-key=w]"))
    check(text_of(driver, "left-out") == "", "nothing is left out yet")
    driver.find_element(By.CSS_SELECTOR, "input[type=number][data-key=w]").send_keys(Keys.CONTROL + "a" + Keys.NULL + "4")
    says(driver, "left-out", "x and y were left out: they belong to the numbers as they were.", "another w")
    set_spec(driver, points)
    wait(driver, "points again", lambda: text_of(driver, "left-out") == "")
    quiet(driver, "numbers")


def own_texts():
    """Texts that someone may paste, by what they are."""
    print_ = lambda *arguments: subprocess.run([PROGRAM, "equations", *arguments], capture_output=True, text=True, check=True).stdout
    code = "cauchy-good:k=4,m=2,w=4"
    iterative = print_("cauchy-good:k=10,m=4,w=8", "--style", "iterative", "--effort", "fast", "--store", "off")
    matrices = {
        "a matrix": "101\n011\n", "a byte order mark": "\ufeff101\n011\n", "empty lines around": "\n \n101\n011\n\n\n", "an empty line within": "101\n\n011\n", "trailing spaces": "101  \n011\t \n",
        "tabs": "1\t0\t1\n0\t1\t1\n", "CRLF": "2 3\r\n101\r\n011\r\n", "comments": "# of XOR(0,1)\n101 # a\n# b\n011", "Python": "[[1, 0, 1], [0, 1, 1]]",
        "numpy": "[[1 0 1]\n [0 1 1]]", "JSON": "[\n  [1, 0, 1],\n  [0, 1, 1]\n]\n", "Octave": "[1 0 1; 0 1 1]", "rows with ;": "101;\n011;\n", "columns with ;": "1;0;1\n0;1;1", "sizes with a comma": "2,3\n101\n011",
        "hexadecimal rows": "0x5\n0x3\n", "hexadecimal digits": "a5\n3c\n", "ragged rows": "101\n01\n", "numbers": "102\n", "a long comment": f"#{'1' * 12000}\n101\n011",
    }
    equations = {
        "equations": "A = XOR(0,8)\n9 = XOR(A,1)\n", "equations after a byte order mark": "\ufeff9 = XOR(0,8)\n", "by hand": "A = 0 ⊕ 8\r\n\r\n9 = A + 1  \r\n# the end", "with ^": "\tA = 0 ^ 8\n9 = A ^ 1", "without spaces": "A=0^8\n9=A^1",
        "a long comment first": f"{'# none' * 2000}\nA = 0 ^ 8\n9 = A ^ 1", "T469": "T469 = 0 ⊕ 1\nB = 2 ^ T469\n9 = B ^ 3", "a sum of symbols": "9 = SUM(0x2*0,1)", "wrong ones": "A = XOR(0,",
        "many temporaries": iterative, "JSON of a code": print_(code, "--format", "json"), "JSON of an update": print_(code, "--update", "1", "--format", "json"),
        "an update": print_(code, "--update", "1"), "symbols": print_("rs:k=4,m=2", "--over", "symbols"), "JSON of symbols": print_("clay:k=4,m=2,d=5", "--over", "symbols", "--format", "json"),
        "two sets": print_(code) + print_(code), "a repair": print_(code, "--erase", "0,3", "--style", "iterative", "--store", "off"), "a plan": print_(code, "--cores", "3", "--format", "json"), "other JSON": "{}",
    }
    return matrices | equations


def try_own(driver, folder):
    """The program takes what the page takes, with the same command, and has the same names and as many XORs."""
    opened(driver, PAGE, "code=cauchy-good:k=4,m=2,w=4&view=own")
    says(driver, "own-result", "proved", "the matrix")
    # A file can be dropped into the box, and is not opened in place of the page if it is dropped elsewhere.
    drop = """const data = new DataTransfer(); data.items.add(new File([arguments[1]], 'matrix.txt'));
      const event = new DragEvent('drop', {dataTransfer: data, bubbles: true, cancelable: true});
      document.querySelector(arguments[0]).dispatchEvent(event); return event.defaultPrevented;"""
    check(driver.execute_script(drop, "h1", "1") and driver.execute_script(drop, "#pasted", "1101\n"), "a file that is dropped does not replace the page")
    says(driver, "own-result", "The text has changed", "a file that is dropped")
    by_id(driver, "check").click()
    says(driver, "own-result", "Columns are the inputs: 0 to 3.", "a file that is dropped")
    taken = 0
    for what, text in own_texts().items():
        for name in ("matrix.txt", "equations.txt"):
            (pathlib.Path(folder) / name).write_bytes(text.encode())
        driver.execute_script("const it = document.getElementById('pasted'); it.value = arguments[0]; it.dispatchEvent(new Event('input')); document.getElementById('check').click()", text)
        done = "return document.querySelector('#own-result h2, #own-result .error')?.textContent ?? ''"
        wait(driver, f"{what}: a result", lambda: driver.execute_script(done))
        command = driver.execute_script("return document.querySelector('#own-takeaway code span')?.textContent ?? ''")
        own = ["equations", "--equations", "equations.txt"] if "=" in text or "{" in text else ["optimize", "matrix.txt", "--store", "off"]
        ran = subprocess.run([PROGRAM, *(command.split()[1:] or own)], cwd=folder, capture_output=True, text=True, check=False)
        is_of_page = what != "two sets"  # the page proves and draws one
        check((ran.returncode == 0 and is_of_page) == bool(command), f"{what}: the page has the command '{command}' and says '{driver.execute_script(done)}', the program ends with {ran.returncode}: {ran.stderr}")
        if not command or ran.returncode:
            continue
        taken += 1
        while driver.find_elements(By.CSS_SELECTOR, "#own-result .more"):
            driver.find_element(By.CSS_SELECTOR, "#own-result .more").click()
        names = driver.execute_script("return [...document.querySelectorAll('#own-result li')].map(one => [...one.querySelectorAll('.e')].map(word => word.textContent))")
        printed = [re.findall(r"(?:d|old|new|T)?\d+\b|[A-Z]\b", re.sub(r"XOR|SUM|0x[0-9a-f]+\*", "", line)) for line in re.findall(r"^eq\. *\d+: (.*)$", re.sub(r"\n +", "", ran.stdout), re.MULTILINE)]  # of long lines, too
        check(names == printed, f"{what}: the page has {names[:3]}, the program {printed[:3]}")
        xors = re.search(r"cost: (\d+ XORs?)", ran.stdout)[1]
        check(driver.execute_script(done).replace(",", "").startswith(xors), f"{what}: the program has {xors}, the page {driver.execute_script(done)}")
    check(taken > 20, f"only {taken} texts are taken")
    quiet(driver, "pasted texts")


def try_kept(driver):
    """A pasted text stays while another view is shown, with what it is proved against."""
    opened(driver, PAGE, "code=cauchy-good:k=4,m=2,w=4&view=own")
    put = "const it = document.getElementById('pasted'); it.value = arguments[0]; it.dispatchEvent(new Event('input'))"
    for text, is_matrix in (("101\n011", True), ("16 = 0 ^ 4 ^ 8 ^ 12", False)):
        driver.execute_script(put, text)
        if not is_matrix:
            by_id(driver, "of-code").click()
        by_id(driver, "tab-matrix").click()
        wait(driver, "the matrix", lambda: driver.find_elements(By.ID, "bits"))
        by_id(driver, "tab-own").click()
        says(driver, "own-result", "✓ proved" if is_matrix else "output 17 has no equation", f"the text {text!r} after another view")
        kept = driver.execute_script("return document.getElementById('pasted').value")
        check(kept == text, f"the text {text!r} is {kept!r} after another view")
        check(by_id(driver, "of-code").is_selected() != is_matrix and by_id(driver, "of-code").is_enabled() != is_matrix, f"the choice of a proof of {text!r} stays")
    quiet(driver, "a text that stays")


def try_taps(driver):
    """A tap of a finger moves the cursor of the matrix."""
    opened(driver, PAGE, "code=cauchy-good:k=4,m=2,w=4&view=matrix")
    box = driver.execute_script("const it = document.getElementById('bits'); it.scrollIntoView({block: 'center'}); const {x, y, width, height} = it.getBoundingClientRect(); return [x, y, width, height]")
    driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})
    for x, y, words in ((0.8, 0.8, "Element 12 (row 0 of chunk 3) is"), (0.5, 0.3, "Element 8 (row 0 of chunk 2) is")):
        at = {"x": box[0] + x * box[2] + 1, "y": box[1] + y * box[3]}
        driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [at]})
        driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        says(driver, "cell", words, f"a tap at {x}, {y}")
    driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})
    quiet(driver, "taps")


def try_most_losses(driver):
    """The most losses that a code survives are told in one way: beside the code, and where too many chunks are lost."""
    opened(driver, PAGE, "code=lrc:k=8,m=4,l=3&view=losses&lost=0.1.2.3.4.5.6")
    for view, place in (("losses", "losses-body"), ("file", "file-result")):
        by_id(driver, f"tab-{view}").click()
        if view == "file":
            driver.execute_script(CHOOSE, "seven.bin", [7] * 100)
        says(driver, place, "cannot be rebuilt: this code survives any 6 losses, and 7 chunks are lost.", "seven losses")
    for code, word, words in (("lrc:k=8,m=4,l=3", "survives any", "6 losses"), ("cauchy-good:k=4,m=2,w=4", "survives any", "2 losses"), ("lrc:k=100,m=20,l=6", "promise", "at least 20")):
        set_spec(driver, code)
        says(driver, "survives", words, code)
        driver.execute_script("document.querySelector('#survives .term').focus()")
        meaning = text_of(driver, "meaning")
        check(meaning.startswith(f"{word}: the ") and ("may survive more" in meaning) == (word == "promise"), f"{code}: the meaning is '{meaning}'")
        driver.execute_script("document.activeElement.blur()")
    # The bound beside the code is the one that is taken.
    set_spec(driver, "cauchy-good:k=15,m=2,w=4")
    says(driver, "bounds", "k + m ≤ 2w, or k < 2w if m = 2", "the bounds of cauchy-good")
    wait(driver, "k = 15 is taken", lambda: text_of(driver, "refused") == "" and text_of(driver, "survives") == "2 losses")
    set_spec(driver, "cauchy-good:k=16,m=2,w=4")
    says(driver, "refused", "k = 16 is not below 2w = 16", "a refused spec")
    quiet(driver, "the most losses")


def try_large_code(driver):
    """A code with too many XORs for equations has a picture, and what a repair reads; views that need equations say so."""
    code = "clay:k=10,m=4,d=13"
    for view, words in (("equations", "takes 773904 direct XORs"), ("cores", "This view needs equations"), ("file", "This view needs equations"),
                        ("matrix", "There is no bitmatrix here"), ("losses", "3.25 bytes read per byte rebuilt"), ("compare", "3.25")):
        opened(driver, PAGE, f"code={code}&view={view}&lost=0&compare={code}|rs:k=4,m=2")
        says(driver, "view", words, f"{code} in {view}")
        says(driver, "lead", "any 4 of the 14 may be lost", f"{code} in {view}")
        check(text_of(driver, "refused") == "", f"{code} is refused: {text_of(driver, 'refused')}")
    says(driver, "table", "–: too many XORs", code)
    by_id(driver, "tab-matrix").click()
    wait(driver, f"the picture of {code}", lambda: driver.execute_script("return document.querySelector('#bits-place img')?.naturalHeight > 1000"))
    set_spec(driver, "rs:k=4,m=2")
    wait(driver, "a bitmatrix again", lambda: driver.find_elements(By.ID, "bits"))
    quiet(driver, code)


def try_files(driver, folder):
    opened(driver, PAGE, "code=clay:k=4,m=2,d=5&view=file&lost=0.5")
    sizes = {"empty.bin": 0, "small.bin": 100_001, "stripes.bin": 3_000_003}
    for name, size in sizes.items():
        path = pathlib.Path(folder) / name
        path.write_bytes(os.urandom(size))
        by_id(driver, "file").send_keys(str(path))
        says(driver, "file-result", f"Every byte is back: {name}" if size else f"✓ {name} is empty", f"a file of {size} bytes")
    says(driver, "file-result", "in 3 stripes", "a file of three stripes")
    picture(driver, "file")
    driver.find_element(By.CSS_SELECTOR, "[data-location='1']").click()
    says(driver, "file-result", "Chunks 0, 1 and 5 cannot be rebuilt: this code survives any 2 losses, and 3 chunks are lost.", "three losses")
    driver.find_element(By.CSS_SELECTOR, "[data-location='1']").click()
    says(driver, "file-takeaway", "xorloom decode", "two losses")
    check('rm "$shards"/*-0.shard "$shards"/*-5.shard' in text_of(driver, "file-takeaway"), "the commands lose the same chunks")
    # A file of 1 GiB is taken to its end; while it is, the page answers, and Stop ends it.
    set_spec(driver, "cauchy-good:k=4,m=2,w=4")
    large = pathlib.Path(folder) / "large.bin"
    with large.open("wb") as file:
        file.truncate(1 << 30)
    by_id(driver, "file").send_keys(str(large))
    wait(driver, "a part of the file", lambda: driver.execute_script("return document.getElementById('trial-part').value > 0"))
    within("milliseconds until the page answers beside a file of 1 GiB", STOPPED, lambda: driver.execute_async_script(ALIVE))
    says(driver, "file-result", "Every byte is back: large.bin, 1.0 GiB", "a file of 1 GiB")
    # A change begins the trial anew, with what is lost now.
    driver.find_element(By.CSS_SELECTOR, "[data-location='3']").click()
    wait(driver, "a part of the file", lambda: driver.execute_script("return document.getElementById('trial-part').value > 0"))
    within("milliseconds until a trial has stopped", STOPPED, lambda: driver.execute_async_script(STOP, "trial-stop", "file-result"))
    check(not by_id(driver, "trial-part").is_displayed(), "a stopped trial shows no progress")
    # Someone truncates or deletes a file that was chosen.
    large.unlink()
    driver.find_element(By.CSS_SELECTOR, "[data-location='3']").click()
    says(driver, "file-result", "large.bin cannot be read to its end", "a file that is gone")
    check(driver.execute_script("return document.getElementById('refused').textContent") == "", "the code is as good as before")
    quiet_but_files(driver)


def try_commands(driver, folder):
    """The commands lose what the page loses, and rebuild it, one trial after the other in one folder."""
    os.symlink(pathlib.Path(PROGRAM).resolve(), pathlib.Path(folder) / "xorloom")
    environment = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"}
    for number, (code, name, lost) in enumerate(TRIALS):
        here = pathlib.Path(folder) / str(number)
        here.mkdir()
        content = [(7 * i + number) % 251 for i in range(5000 + number)]
        (here / name).write_bytes(bytes(content))
        opened(driver, PAGE, f"code={code}&view=file&lost=")
        for i, chunk in enumerate(lost):
            where = f"{code}, chunk {chunk} of {name}"
            driver.find_element(By.CSS_SELECTOR, f"#file-chips [data-location='{chunk}']").click()
            driver.execute_script(CHOOSE, name, content)
            says(driver, "file-result", "Every byte is back", where)
            command = driver.execute_script("return [...document.querySelectorAll('#view .command span')].map(one => one.textContent).join('\\n')")
            ran = subprocess.run(["bash", "-e", "-c", command], cwd=here, env=environment, capture_output=True, text=True, check=False)
            rebuilt = next(here.glob("rebuilt*"), here / "none")
            check(ran.returncode == 0, f"{where}: '{command}' ends with {ran.returncode}: {ran.stderr}")
            check(rebuilt.exists() and rebuilt.read_bytes() == bytes(content), f"{where}: the file is not rebuilt by '{command}'")
            gone = {int(one) for one in re.findall(r"\d+", re.search(r"missing: (.*)|$", ran.stdout + ran.stderr)[0])}
            check(gone == set(lost[: i + 1]), f"{where}: '{command}' loses {gone}")
            rebuilt.unlink(missing_ok=True)
    quiet(driver, "commands for files")


def try_sizes(driver):
    """The last stripe is as short as it can be. The focus stays in the view when a trial is over."""
    opened(driver, PAGE, "code=rs:k=4,m=2&view=file&lost=0")
    check(text_of(driver, "file-name").startswith("Drop a file here"), "no file is chosen yet")
    driver.execute_script("const [name, size] = arguments; window.choose = (name, size) => {"
                          "const files = new DataTransfer(); files.items.add(new File([new Uint8Array(size).fill(9)], name));"
                          "const box = document.getElementById('file'); box.files = files.files; box.dispatchEvent(new Event('change')); }", "", 0)
    for size, words in (((1 << 20) + 1, "6 chunks of 256.0 KiB, in 2 stripes. Lost: chunk 0, 256.0 KiB. To rebuild it, 1.0 MiB were read."),
                        (1 << 20, "in 1 stripe. "), ((1 << 20) - 1, "in 1 stripe. ")):
        driver.execute_script("choose('sized.bin', arguments[0])", size)
        says(driver, "file-result", words, f"a file of {size} bytes")
    check(text_of(driver, "file-name").startswith("The file is sized.bin."), "the box names the file")
    by_id(driver, "tab-own").click()
    by_id(driver, "tab-file").click()
    says(driver, "file-name", "The file is sized.bin.", "the box after another view")
    driver.execute_script("choose('long.bin', 100_000_000)")
    wait(driver, "a trial", lambda: by_id(driver, "trial-stop").is_displayed())
    driver.execute_script("document.getElementById('trial-stop').focus()")
    by_id(driver, "trial-stop").send_keys("\n")
    says(driver, "file-result", "Stopped.", "a stopped trial")
    check(driver.execute_script("return document.activeElement.id") == "file", "the focus is on the choice of a file once a trial has stopped")
    quiet(driver, "sizes of files")


def quiet_but_files(driver):
    """Chromium itself says that a blob cannot be read any more, as a failed request of the page."""
    for entry in driver.get_log("browser"):
        check("blob:" in entry["message"] or "ERR_FILE_NOT_FOUND" in entry["message"], f"the console says {entry['message']}")
    driver.get_log("performance")


def with_little_memory(page, folder):
    """The page with a module whose memory may have PAGES_OF_LITTLE pages."""
    text = pathlib.Path(page).read_text(encoding="utf-8")
    begin, end_ = re.search(r'id="module">([^<]*)<', text).span(1)
    module = bytearray(gzip.decompress(base64.b64decode(text[begin:end_])))

    def number(at):
        value = shift = 0
        while True:
            value |= (module[at] & 127) << shift
            shift += 7
            at += 1
            if module[at - 1] < 128:
                return value, at

    at = 8
    while module[at] != 5:  # the section of memories
        size, body = number(at + 1)
        at = body + size
    _, at = number(at + 1)
    count, at = number(at)
    flags = module[at]
    check(count == 1 and flags == 1, f"the module has {count} memories of kind {flags}, not one that is bounded and not shared")
    _, bound = number(at + 1)
    _, after = number(bound)
    for i in range(bound, after):  # as many bytes as before
        module[i] = PAGES_OF_LITTLE >> 7 * (i - bound) & 127 | (128 if i + 1 < after else 0)
    little = pathlib.Path(folder) / "little.html"
    encoded = base64.b64encode(gzip.compress(bytes(module))).decode()
    little.write_text(text[:begin] + encoded + text[end_:], encoding="utf-8")
    return little


def try_little_memory(driver, folder):
    opened(driver, with_little_memory(PAGE, folder), "code=cauchy-good:k=4,m=2,w=4&view=equations")
    says(driver, "iterative-count", "proved", "a small code")
    for large in LARGE_CODES:
        set_spec(driver, large)
        says(driver, "refused", "more memory than the page has: choose a smaller code", large)
        set_spec(driver, "cauchy-good:k=6,m=2,w=4")
        wait(driver, "the page goes on", lambda: text_of(driver, "refused") == "")
        says(driver, "iterative-count", "40 XORs", "a small code after a large one")
    driver.execute_script("document.querySelector('[data-view=losses]').click()")
    says(driver, "losses-body", "bytes read per byte rebuilt", "another view after a large code")
    quiet(driver, "little memory")


def try_without_simd():
    with browser("--js-flags=--no-enable-sse4-1 --no-enable-sse4-2 --no-enable-avx --no-enable-avx2") as driver:
        opened(driver, PAGE, "code=cauchy-good:k=10,m=4,w=8&view=equations")
        has_simd = driver.execute_script(f"return WebAssembly.validate({SIMD})")
        shares = driver.execute_script("return typeof SharedArrayBuffer !== 'undefined' || crossOriginIsolated")
        check(not has_simd, "Chromium has SIMD in spite of its flags")
        check(not shares, "the page is tried without threads that share memory")
        says(driver, "iterative-count", "proved", "a browser without SIMD")
        quiet(driver, "without SIMD")


def try_without_wasm():
    with browser() as driver:
        driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": "delete globalThis.WebAssembly;"})
        driver.get(f"{pathlib.Path(PAGE).resolve().as_uri()}#view=equations")
        says(driver, "view", "This browser has no WebAssembly", "a browser without WebAssembly")
        quiet(driver, "without WebAssembly")


def try_without_script():
    with browser() as driver:
        driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
        driver.get(pathlib.Path(PAGE).resolve().as_uri())
        text = driver.find_element(By.TAG_NAME, "noscript").text
        check("needs JavaScript and WebAssembly" in text, f"a browser without JavaScript says '{text}'")
        quiet(driver, "without JavaScript")


def main():
    with tempfile.TemporaryDirectory() as folder:
        with browser() as driver:
            try_texts(driver)
            try_numbers(driver)
            try_own(driver, folder)
            try_kept(driver)
            try_taps(driver)
            try_most_losses(driver)
            try_large_code(driver)
            try_sizes(driver)
            try_commands(driver, folder)
            try_files(driver, folder)
            try_little_memory(driver, folder)
        try_without_simd()
        try_without_wasm()
        try_without_script()
    end("bad input, little memory and other browsers")


main()
