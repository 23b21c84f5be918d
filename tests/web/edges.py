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
        says(driver, "refused", "exceeds 2w = 16", "a refused spec")
        opacity = driver.execute_script("return getComputedStyle(document.getElementById('view')).opacity")
        check(opacity == "1" and not by_id(driver, "stale").is_displayed(), f"{view} is not of the last code")
        check(text_of(driver, place), f"{view} stays")
    by_id(driver, "tab-equations").click()
    check(by_id(driver, "stale").is_displayed(), "equations are of the last code")
    opened(driver, PAGE, "code=file:x&view=compare&compare=parity:k=4")
    says(driver, "refused", "this page has no family 'file'; it has cauchy, ", "a file")
    says(driver, "table", "parity:k=4", "a comparison without another code")
    # Lists of Python are matrices. A result goes with its text.
    opened(driver, PAGE, "view=own")
    for text in ("1,0,1\n0,1,1", "[[1, 0, 1], [0, 1, 1]]", "[[1 0 1]\n [0 1 1]]"):
        driver.execute_script("document.getElementById('pasted').value = arguments[0]; document.getElementById('check').click()", text)
        says(driver, "own-result", "Rows are the outputs after them: 3 to 4.", f"the text {text!r}")
        by_id(driver, "pasted").send_keys(" ")
        says(driver, "own-result", "The text has changed: choose Compute.", "another text")
    # Comments are none of a matrix, and lines keep their numbers.
    for text, words in (("# a comment\n101\n011", "Rows are the outputs after them: 3 to 4."), ("101 # c\n011\n", "Rows are the outputs after them: 3 to 4."),
                        ("2 3\n101\n011", "Rows are the outputs after them: 3 to 4."), ("# a comment\n101\n# another\n021", "line 4: character 2 is '2', not 0 or 1")):
        driver.execute_script("document.getElementById('pasted').value = arguments[0]; document.getElementById('check').click()", text)
        says(driver, "own-result", words, f"the text {text!r}")
    check("numbers of rows and columns may come first" in text_of(driver, "view"), "the page says what the first line of a matrix may be")
    # The page has no options of the program.
    opened(driver, PAGE, "code=blaum-roth:k=4,w=5&view=own")
    says(driver, "refused", "blaum-roth", "a code that does not hold its promise")
    check("option" not in text_of(driver, "refused"), f"the page recommends an option: {text_of(driver, 'refused')}")
    opened(driver, PAGE, "code=%F0%9F&view=weather&cores=99999999999&lost=a.b.3&compare=|||")
    quiet(driver, "bad input")


def try_files(driver, folder):
    opened(driver, PAGE, "code=clay:k=4,m=2,d=5&view=file&lost=0.5")
    sizes = {"empty.bin": 0, "small.bin": 100_001, "stripes.bin": 3_000_003}
    for name, size in sizes.items():
        path = pathlib.Path(folder) / name
        path.write_bytes(os.urandom(size))
        by_id(driver, "file").send_keys(str(path))
        says(driver, "file-result", f"Every byte is back: {name}", f"a file of {size} bytes")
    says(driver, "file-result", "in 3 stripes", "a file of three stripes")
    picture(driver, "file")
    driver.find_element(By.CSS_SELECTOR, "[data-location='1']").click()
    says(driver, "file-result", "Chunks 0, 1 and 5 cannot be rebuilt: this code promises to survive any 2 losses, and 3 chunks are lost.", "three losses")
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
            rebuilt = here / f"rebuilt-{name}"
            check(ran.returncode == 0, f"{where}: '{command}' ends with {ran.returncode}: {ran.stderr}")
            check(rebuilt.exists() and rebuilt.read_bytes() == bytes(content), f"{where}: the file is not rebuilt by '{command}'")
            gone = {int(one) for one in re.findall(r"\d+", re.search(r"missing: (.*)|$", ran.stdout + ran.stderr)[0])}
            check(gone == set(lost[: i + 1]), f"{where}: '{command}' loses {gone}")
            rebuilt.unlink(missing_ok=True)
    quiet(driver, "commands for files")


def try_sizes(driver):
    """The last stripe is as short as it can be. The focus stays in the view when a trial is over."""
    opened(driver, PAGE, "code=rs:k=4,m=2&view=file&lost=0")
    driver.execute_script("const [name, size] = arguments; window.choose = (name, size) => {"
                          "const files = new DataTransfer(); files.items.add(new File([new Uint8Array(size).fill(9)], name));"
                          "const box = document.getElementById('file'); box.files = files.files; box.dispatchEvent(new Event('change')); }", "", 0)
    for size, words in (((1 << 20) + 1, "6 chunks of 256.0 KiB, in 2 stripes. Lost: chunk 0, 256.0 KiB. To rebuild it, 1.0 MiB were read."),
                        (1 << 20, "in 1 stripe. "), ((1 << 20) - 1, "in 1 stripe. ")):
        driver.execute_script("choose('sized.bin', arguments[0])", size)
        says(driver, "file-result", words, f"a file of {size} bytes")
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
            try_sizes(driver)
            try_commands(driver, folder)
            try_files(driver, folder)
            try_little_memory(driver, folder)
        try_without_simd()
        try_without_wasm()
        try_without_script()
    end("bad input, little memory and other browsers")


main()
