"""Chromium on the explorer: what the tests of the page share."""

import contextlib
import json
import os
import pathlib
import sys
import time

try:
    from selenium import webdriver
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
except ImportError:
    print("SKIPPED: python3-selenium is not installed")
    sys.exit(0)

PICTURES = os.environ.get("XORLOOM_SCREENSHOTS")
PATIENCE = 120  # seconds
TRIES = 12  # of a measurement: the machine may be busy
LEAST_SHIFT = 0.001
PHONE = 980  # pixels that a phone's screen has until the page says its width

CONTRAST = """
  const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
  const numbers = text => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = text;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const light = ([r, g, b]) => [r, g, b].map(v => v / 255)
    .map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const ratio = (a, b) => {
    const [low, high] = [light(a), light(b)].sort((x, y) => x - y);
    return (high + 0.05) / (low + 0.05);
  };
  const ground = element => {
    for (let at = element; at; at = at.parentElement) {
      const color = numbers(getComputedStyle(at).backgroundColor);
      if (color[3] > 0) return color;
    }
    return numbers(getComputedStyle(document.body).backgroundColor);
  };
  const over = (front, share, back) => front.slice(0, 3).map((v, i) => v * share + back[i] * (1 - share));
  const wrong = new Set();
  const see = (what, text, back) => {
    const found = ratio(text, back);
    if (found < 4.5) wrong.add(`contrast of ${what} is ${found.toFixed(2)}`);
  };
  for (const element of document.querySelectorAll('input:not([type=range], [type=radio], [type=checkbox]), select, textarea')) {
    if (element.disabled || !element.getClientRects().length) continue;
    const name = element.id || element.ariaLabel;
    see(`the text of ${name}`, numbers(getComputedStyle(element).color), ground(element));
    if (!element.placeholder) continue;
    const style = getComputedStyle(element, '::placeholder');
    see(`the placeholder of ${name}`, over(numbers(style.color), Number(style.opacity) * numbers(style.color)[3], ground(element)), ground(element));
  }
  for (const element of document.querySelectorAll('body *')) {
    const says = [...element.childNodes].some(n => n.nodeType === 3 && n.textContent.trim());
    if (!says || element.closest('title, style, script, noscript, .later, :disabled') || !element.getClientRects().length) continue;
    const style = getComputedStyle(element);
    const text = numbers(element instanceof SVGElement ? style.fill : style.color);
    let back = ground(element);
    const box = element.closest('.xor, .cells g')?.querySelector('rect');
    if (box) back = over(numbers(getComputedStyle(box).fill), Number(getComputedStyle(box).fillOpacity), back);
    see(`${element.tagName} '${element.textContent.slice(0, 30)}'`, text, back);
  }
  return [...wrong];
"""
# Adds up the shifts of the layout, and notes what moved.
SHIFTS = """
  window.shifts = 0;
  window.shifted = [];
  new PerformanceObserver(list => {
    for (const entry of list.getEntries()) {
      if (entry.hadRecentInput) continue;
      window.shifts += entry.value;
      for (const {node, previousRect, currentRect} of entry.sources) {
        const name = node?.id || node?.className || node?.parentElement?.id || node?.nodeName;
        window.shifted.push(`${name} from ${previousRect.y} to ${currentRect.y}`);
      }
    }
  }).observe({type: 'layout-shift', buffered: true});
"""
# Notes the widths that the screen has while a page loads.
WIDTHS = "window.widths = [innerWidth]; addEventListener('resize', () => window.widths.push(innerWidth));"
# Asks the compiler of the page questions, in a worker of the test's own. Gives the milliseconds that the last one took,
# and the texts, or with texts to compare with: the questions that are answered otherwise.
ASK = """
  const [questions, expected, done] = arguments;
  const part = id => document.getElementById(id).textContent;
  const worker = new Worker(URL.createObjectURL(new Blob([part('worker')])));
  const bytes = Uint8Array.from(atob(part('module').trim()), c => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  const texts = [];
  let began = 0;
  worker.onmessage = ({data}) => {
    if (data.progress || data.equations) return;
    if (!data.ready) texts.push(data.status === 0 ? data.text : 'refused: ' + (data.text ?? data.crashed));
    if (texts.length < questions.length) {
      began = performance.now();
      return worker.postMessage({id: texts.length, question: questions[texts.length]});
    }
    worker.terminate();
    const wrong = expected && questions.filter((_, i) => expected[i] === null ? !texts[i].startsWith('refused: ') : texts[i] !== expected[i]);
    done({milliseconds: performance.now() - began, texts: expected ? wrong.map(JSON.stringify) : texts});
  };
  new Response(stream).arrayBuffer().then(WebAssembly.compile).then(module => worker.postMessage({module}));
"""
# Clicks Stop, and says after how many milliseconds the page says that it stopped.
STOP = """
  const [button, said, done] = arguments;
  const began = performance.now();
  document.getElementById(button).click();
  const look = () => document.getElementById(said).textContent.startsWith('Stopped')
    ? requestAnimationFrame(() => done(performance.now() - began)) : setTimeout(look, 1);
  look();
"""

findings = []


def check(is_so, sentence):
    if not is_so:
        findings.append(sentence)
        print(f"FOUND: {sentence}", flush=True)


@contextlib.contextmanager
def browser(*arguments):
    """Chromium without a window, with these arguments besides."""
    options = webdriver.ChromeOptions()
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", *arguments):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    try:
        driver = webdriver.Chrome(options=options)
    except Exception as error:  # the driver or the browser is not there, or does not start here
        print(f"SKIPPED: Chromium does not start here ({type(error).__name__})")
        sys.exit(0)
    driver.set_script_timeout(5 * PATIENCE)
    driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": WIDTHS})
    try:
        yield driver
    finally:
        driver.quit()


def media(driver, scheme, kind="", is_still=False):
    """Takes a color scheme, "print" in place of a screen, and reduced motion."""
    features = [("prefers-color-scheme", scheme), ("prefers-reduced-motion", "reduce" if is_still else "no-preference")]
    driver.execute_cdp_cmd(
        "Emulation.setEmulatedMedia", {"media": kind, "features": [{"name": name, "value": value} for name, value in features]}
    )


def screen(driver, width, height, scheme):
    driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600},
    )
    media(driver, scheme)


def by_id(driver, name):
    return driver.find_element(By.ID, name)


def text_of(driver, name):
    return driver.execute_script("return document.getElementById(arguments[0])?.textContent ?? ''", name)


def wait(driver, what, is_so):
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if is_so():
            return True
        time.sleep(0.02)
    check(False, f"{what}: not within {PATIENCE} s; the view says '{text_of(driver, 'view')[:200]}'")
    return False


def opened(driver, page, fragment):
    """Opens the page in a state, and waits until its view is there."""
    driver.get("about:blank")
    driver.get(f"{pathlib.Path(page).resolve().as_uri()}#{fragment}")
    driver.execute_script(SHIFTS)
    wait(driver, f"#{fragment}", lambda: driver.execute_script("return document.getElementById('view').dataset.shown"))


def check_shifts(driver, page, fragment, where, seconds=0.4):
    """Opens the page, and checks that its layout does not shift. On a slow machine Chromium may begin with another screen."""
    for _ in range(TRIES):
        opened(driver, page, fragment)
        time.sleep(seconds)
        widths = driver.execute_script("return window.widths")
        if len(set(widths) - {PHONE}) == 1:
            break
        print(f"{where}: the screen had the widths {widths} while the page was loading", flush=True)
    shifts, shifted = driver.execute_script("return [window.shifts, window.shifted.join('; ')]")
    check(shifts < LEAST_SHIFT, f"{where}: the layout shifts by {shifts:.4f}: {shifted}")


def says(driver, name, words, what):
    wait(driver, f"{what} says '{words}', not '{text_of(driver, name)[:80]}'", lambda: words in text_of(driver, name))


def set_spec(driver, spec):
    driver.execute_script(
        "const box = document.getElementById('spec'); box.value = arguments[0]; box.dispatchEvent(new Event('change'))", spec
    )


def within(what, bound, measure):
    """Measures until it is within the bound, which others that use the machine may prevent for a while."""
    best = float("inf")
    for _ in range(TRIES):
        best = min(best, measure())
        if best < bound:
            break
    print(f"{what}: {best:.1f}, of at most {bound}", flush=True)
    check(best < bound, f"{what}: {best:.1f} is not below {bound} in {TRIES} tries")


def picture(driver, name):
    if PICTURES:
        pathlib.Path(PICTURES).mkdir(parents=True, exist_ok=True)
        driver.save_screenshot(f"{PICTURES}/{name}.png")


def quiet(driver, where, page=None):
    """No message, and no request but for the page itself, which is a file unless its address is given."""
    for entry in driver.get_log("browser"):
        check(False, f"{where}: the console says {entry['message']}")
    for entry in driver.get_log("performance"):
        message = json.loads(entry["message"])["message"]
        if message["method"] == "Network.requestWillBeSent":
            url = message["params"]["request"]["url"]
            is_own = url == page if page else url.startswith("file:")
            check(is_own or url.startswith(("data:", "blob:", "about:")), f"{where}: a request to {url[:100]}")


def end(what):
    print(f"{what}: {len(findings)} findings")
    sys.exit(1 if findings else 0)
