"""The layout of the explorer stays: shifts.py PAGE.

Nothing moves while a view loads, for each family, on a desk, on a lower one and on a phone; on a slow machine, whatever the
width and the length of the first words; while a search runs, from the click to its end; and while words are pointed at.
"""

import json
import sys
import time

from chromium import ASK, LEAST_SHIFT, Keys, browser, by_id, check, check_shifts, end, opened, quiet, says, screen, text_of, wait

PAGE = sys.argv[1]
SCREENS = ((1280, 800), (1280, 740), (360, 740))
VIEWS = ("equations", "cores", "losses")
SEARCHED = ("shec:k=8,m=4,c=3", "rs:k=4,m=2", "clay:k=4,m=2,d=5", "cauchy-good:k=10,m=4,w=8")
SLOW = 6  # times slower than this machine


def try_families(driver):
    opened(driver, PAGE, "view=own")
    families = json.loads(driver.execute_async_script(ASK, [{"ask": "families"}], None)["texts"][0])
    codes = ["parity:k=1", *(family["example"].replace("+", "%2B") for family in families if family["name"] != "file")]
    check(len(codes) > 15, f"there are only {len(codes)} families")
    for width, height in SCREENS:
        screen(driver, width, height, "light")
        for number, code in enumerate(codes):
            for view in VIEWS if width < 1280 or height < 800 else VIEWS[: 1 + number % 3]:
                check_shifts(driver, PAGE, f"code={code}&view={view}&lost=0&cores=4", f"{code}, {view}, {width} x {height}")
    quiet(driver, "families")


def try_searches(driver):
    for width, height in SCREENS:
        screen(driver, width, height, "light")
        for code in SEARCHED:
            where = f"a search for {code}, {width} x {height}"
            opened(driver, PAGE, f"code={code}&view=equations")
            says(driver, "iterative-count", "proved", where)
            driver.execute_script("document.getElementById('tries').value = 1; document.querySelector('.search').scrollIntoView({block: 'center'})")
            time.sleep(0.3)
            driver.execute_script("window.shifts = 0; window.shifted = []")
            by_id(driver, "search").click()
            wait(driver, where, lambda: text_of(driver, "search") == "Search" and "XOR" in text_of(driver, "search-said"))
            time.sleep(0.3)
            shifts, shifted = driver.execute_script("return [window.shifts, window.shifted.join('; ')]")
            check(shifts < LEAST_SHIFT, f"{where}: the layout shifts by {shifts:.4f}: {shifted}")
            check(by_id(driver, "fall").find_elements("css selector", ".line"), f"{where}: there is a chart")
    quiet(driver, "searches")


# Holds back what is asked of workers, as codes do that take long.
LATE = """
  const post = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function (...all) { setTimeout(() => post.apply(this, all), 900); };
"""


def try_late(driver):
    """Nothing moves when what was asked for comes late: a plan for fewer cores, and one for more; a code to compare."""
    for width, height in (*SCREENS, (900, 800), (320, 740)):
        screen(driver, width, height, "light")
        where = f"a late plan, {width} x {height}"
        opened(driver, PAGE, "code=lrc:k=4,m=2,l=3&view=cores&cores=15")
        driver.execute_script(LATE)
        for key, cores in ((Keys.HOME, "1 core"), (Keys.END, "16 cores")):
            driver.execute_script("window.shifts = 0; window.shifted = []")
            by_id(driver, "cores").send_keys(key)
            says(driver, "plan-counts", f"Planning on {cores} …", where)
            says(driver, "plan-counts", f" on {cores}: ", where)
            time.sleep(0.3)
            shifts, shifted = driver.execute_script("return [window.shifts, window.shifted.join('; ')]")
            check(shifts < LEAST_SHIFT, f"{where} on {cores}: the layout shifts by {shifts:.4f}: {shifted}")
        where = f"a late comparison, {width} x {height}"
        opened(driver, PAGE, "view=compare&compare=parity:k=4|rs:k=4,m=2")
        says(driver, "compare-takeaway", "--erase 0", where)
        driver.execute_script(LATE)
        driver.execute_script("window.shifts = 0; window.shifted = []")
        by_id(driver, "added").send_keys("evenodd:k=4,p=5" + Keys.ENTER)
        wait(driver, where, lambda: "evenodd" in text_of(driver, "compare-takeaway"))
        time.sleep(0.3)
        shifts, shifted = driver.execute_script("return [window.shifts, window.shifted.join('; ')]")
        check(shifts < LEAST_SHIFT, f"{where}: the layout shifts by {shifts:.4f}: {shifted}")
    quiet(driver, "what comes late")


POINT_AT_ALL = """
  const [every, done] = arguments;
  const words = [...document.querySelectorAll("#view [data-e]")];
  let at = 0;
  (function next() {
    if (at >= words.length) return requestAnimationFrame(() => requestAnimationFrame(() => done(words.length)));
    words[at].dispatchEvent(new PointerEvent("pointerover", {bubbles: true}));
    at += Math.max(1, Math.floor(words.length / every));
    requestAnimationFrame(next);
  })();
"""


def try_pointing(driver):
    """Nothing moves while words are pointed at, however long the sentences are that say what they are."""
    for width, height in SCREENS:
        screen(driver, width, height, "light")
        for where in ("code=cauchy-good:k=10,m=4,w=8&view=equations", "code=cauchy-good:k=10,m=4,w=8&view=losses&lost=0.3",
                      "code=cauchy:k=5,m=2,w=3&view=cores&cores=6"):
            opened(driver, PAGE, where)
            wait(driver, where, lambda: driver.execute_script("return document.querySelectorAll('#view [data-e]').length > 5"))
            driver.execute_script("document.querySelector('#view .takeaway').scrollIntoView({block: 'end'})")
            time.sleep(0.3)
            driver.execute_script("window.shifts = 0; window.shifted = []")
            words = driver.execute_async_script(POINT_AT_ALL, 40)
            shifts, shifted = driver.execute_script("return [window.shifts, window.shifted.join('; ')]")
            check(words > 5 and shifts < LEAST_SHIFT, f"{where}, {width} x {height}, {words} words: shifts by {shifts:.4f}: {shifted}")
    quiet(driver, "pointing")


def try_slowly(driver):
    driver.execute_cdp_cmd("Emulation.setCPUThrottlingRate", {"rate": SLOW})
    for code, view in (("cauchy-good:k=6,m=2,w=4", "losses"), ("lrc:k=100,m=20,l=6", "matrix")):
        for width in (1280, 900, 400, 360, 320):
            screen(driver, width, 800, "dark")
            check_shifts(driver, PAGE, f"code={code}&lost=1.6&view={view}", f"{code}, {width} pixels, slowly", 1)
            wait(driver, f"{code}: what it survives", lambda: "…" not in text_of(driver, "survives"))
    driver.execute_cdp_cmd("Emulation.setCPUThrottlingRate", {"rate": 1})
    quiet(driver, "a slow machine")


def main():
    with browser() as driver:
        try_searches(driver)
        try_late(driver)
        try_pointing(driver)
        try_families(driver)
        try_slowly(driver)
    end(f"layouts on {len(SCREENS)} screens")


main()
