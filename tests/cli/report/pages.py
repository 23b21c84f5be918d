"""What a browser makes of the pages: pages.py PROGRAM.

At the width of a desk and of a phone, in the light and in the dark: no message in the console, no page that scrolls
sideways, every legend within the page, names of bands that can be read, a shadow where a box scrolls, and every text
with the contrast that WCAG 2.1 AA asks for (4.5 to 1). On paper: no more sheets than a page should take, even with all
of it open, and no picture that is too small to be read.
"""

import base64
import pathlib
import re
import subprocess
import sys
import tempfile

try:
    from selenium import webdriver
except ImportError:
    print("SKIPPED: python3-selenium is not installed")
    sys.exit(0)

PROGRAM = sys.argv[1]
WORKED = "cauchy:k=5,m=2,w=3,x=1+2,y=4+5+6+7+0"
PAPER = pathlib.Path(__file__).resolve().parents[3] / "examples/paper_iterative.txt"

PAGES = {
    "worked": ["report", WORKED, "--equations", str(PAPER), "--cores", "1,2,4,6", "--effort", "fast"],
    "10+4": ["report", "cauchy-good:k=10,m=4", "--effort", "fast"],
    "three codes": ["report", "cauchy-good:k=10,m=4", "rs:k=10,m=4", "leopard:k=10,m=4", "--effort", "fast"],
    "a repair": ["report", "cauchy-good:k=6,m=3", "--erase", "0,1", "--effort", "fast"],
    "symbols": ["report", "rs:k=4,m=2", "--over", "symbols", "--effort", "fast"],
    "a benchmark": ["bench", "cauchy:k=3,m=2,w=3", "--chunk-bytes", "192,1920,3840", "--layout", "staggered"],
    "two benchmarks": ["bench", "cauchy:k=3,m=2,w=3", "rs:k=4,m=2", "--chunk-bytes", "1920", "--threads", "1"],
    "suggestions for 10+4": ["codes", "--suggest", "10,4"],
    "suggestions for 200+20": ["codes", "--suggest", "200,20"],
    "hardware": ["lab", "paper-figure", "4", "--effort", "fast"],
    "the paper's figure": ["lab", "paper-figure", "5", "--effort", "fast", "--seconds", "1"],
    "a study": ["lab", "study", "latency", "cauchy:k=3,m=2,w=3", "--threads", "1"],
}

# Sheets of A4 at most, as the page is and with all of it open.
SHEETS = {"worked": (2, 8), "10+4": (2, 4), "a repair": (2, 8), "suggestions for 10+4": (2, 2), "a benchmark": (2, 3)}

# Each returns a list of sentences, empty where all is well.
LEGENDS = """
  const wrong = [];
  for (const span of document.querySelectorAll('.legend li span')) {
    if (span.closest('details:not([open])')) continue;
    const box = span.getBoundingClientRect();
    const seen = box.width > 0 && box.height > 0 && box.left >= 0 && box.right <= innerWidth;
    if (!seen) wrong.push(`legend '${span.textContent}' is at ${box.left} to ${box.right}`);
  }
  return wrong;
"""
SHADOWS = """
  const wrong = [];
  for (const box of document.querySelectorAll('.wide')) {
    if (box.scrollWidth <= box.clientWidth) continue;
    const style = getComputedStyle(box);
    const is_shadowed = style.backgroundAttachment === 'local, local, scroll, scroll'
      && style.backgroundImage.split('linear-gradient').length === 5;
    if (!is_shadowed) wrong.push(`a box that scrolls has no shadow: ${box.textContent.trim().slice(0, 40)}`);
  }
  return wrong;
"""
BANDS = """
  const wrong = [];
  for (const svg of document.querySelectorAll('svg')) {
    const bands = svg.querySelectorAll('.xl-band');
    if (!bands.length || svg.closest('details:not([open])')) continue;
    const names = [...svg.querySelectorAll('.xl-name.xl-small')];
    const boxes = names.map(name => name.getBoundingClientRect());
    const room = svg.getBoundingClientRect();
    if (names.length < 2) wrong.push(`${svg.getAttribute('aria-label')}: bands have no names`);
    boxes.forEach((box, i) => {
      const name = names[i].textContent;
      if (box.left < room.left || box.right > room.right || box.top < room.top) wrong.push(`band '${name}' is cut off`);
      if (box.height < 8) wrong.push(`band '${name}' is ${box.height} pixels high`);
      if (i && box.left < boxes[i - 1].right) wrong.push(`band '${name}' covers the one before`);
    });
  }
  return wrong;
"""
# Pictures beside charts, which are never wide: what is left of their width and their height on paper.
SMALL = """
  const wrong = [];
  for (const svg of document.querySelectorAll('details .wide svg')) {
    if (!svg.getClientRects().length) continue;
    const scale = Math.min(718 / svg.getAttribute('width'), 567 / svg.getAttribute('height'));
    const name = svg.getAttribute('aria-label').slice(0, 50);
    if (scale < 0.5) wrong.push(`on paper ${name} is ${scale.toFixed(2)} of its size`);
  }
  return wrong;
"""
CONTRAST = """
  const numbers = text => {
    const all = (text.match(/[0-9.]+/g) || []).map(Number);
    return all.length < 4 ? [...all.slice(0, 3), all.length < 3 ? 0 : 1] : all;
  };
  const light = ([r, g, b]) => [r, g, b].map(v => v / 255)
    .map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const ratio = (a, b) => {
    const [low, high] = [light(a), light(b)].sort((x, y) => x - y);
    return (high + 0.05) / (low + 0.05);
  };
  const over = (front, share, back) => front.slice(0, 3).map((v, i) => v * share + back[i] * (1 - share));
  const page = numbers(getComputedStyle(document.body).backgroundColor);
  const ground = element => {
    for (let at = element; at; at = at.parentElement) {
      const color = numbers(getComputedStyle(at).backgroundColor);
      if (color[3] > 0) return over(color, color[3], page);
    }
    return page;
  };
  const wrong = new Set();
  const check = (what, text, back) => {
    const found = ratio(text, back);
    if (found < 4.5) wrong.add(`${what}: ${found.toFixed(2)} to 1, [${text}] on [${back}]`);
  };
  for (const element of document.querySelectorAll('body *')) {
    const says = [...element.childNodes].some(n => n.nodeType === 3 && n.textContent.trim());
    if (!says || element.closest('svg, title, style') || !element.getClientRects().length) continue;
    check(element.tagName, numbers(getComputedStyle(element).color), ground(element));
  }
  for (const text of document.querySelectorAll('svg text')) {
    if (text.closest('details:not([open])')) continue;
    const fill = numbers(getComputedStyle(text).fill);
    const name = `svg text '${text.textContent}' ${text.getAttribute('class')}`;
    if (text.classList.contains('xl-on')) {
      const ink = document.querySelector('.xl .xl-row');
      check(name, fill, numbers(getComputedStyle(ink).color));
    } else if (text.closest('.xl-labels')) {
      for (const box of text.closest('svg').querySelectorAll('[class^="xl-"] > .xl-done')) {
        const style = getComputedStyle(box);
        check(name, fill, over(numbers(style.color), Number(style.fillOpacity), page));
      }
    } else {
      check(name, fill, page);
    }
  }
  return [...wrong];
"""


def browser():
    options = webdriver.ChromeOptions()
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(options=options)


def findings(driver, url, width, scheme):
    driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 600},
    )
    driver.execute_cdp_cmd(
        "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    )
    driver.get(url)
    wrong = [f"console: {entry['message']}" for entry in driver.get_log("browser")]
    wide = driver.execute_script("return document.documentElement.scrollWidth")
    if wide > width:
        wrong.append(f"the page is {wide} pixels wide, more than {width}")
    for script in (LEGENDS, SHADOWS, BANDS, CONTRAST):
        wrong += driver.execute_script(script)
    return wrong


def sheets(driver):
    paper = {"paperWidth": 8.27, "paperHeight": 11.69}
    pdf = base64.b64decode(driver.execute_cdp_cmd("Page.printToPDF", paper)["data"])
    return len(re.findall(rb"/Type\s*/Page\b", pdf))


def on_paper(driver, url, most):
    driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    driver.get(url)
    taken = [sheets(driver)]
    driver.execute_script("document.querySelectorAll('details').forEach(part => part.open = true)")
    taken.append(sheets(driver))
    wrong = [f"it takes {have} sheets, more than {may}" for have, may in zip(taken, most) if have > may]
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    wrong += driver.execute_script(SMALL)
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    return wrong


def main():
    try:
        driver = browser()
    except Exception as error:  # the driver or the browser is not there, or does not start here
        print(f"SKIPPED: Chromium does not start here ({type(error).__name__})")
        return 0
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, arguments in PAGES.items():
            path = pathlib.Path(folder) / f"{name}.html"
            program = [f"{PROGRAM}-lab", *arguments[1:]] if arguments[0] == "lab" else [PROGRAM, *arguments]
            subprocess.run([*program, "--format", "html", "-o", path], check=True)
            for width in (1280, 400):
                for scheme in ("light", "dark"):
                    for sentence in findings(driver, path.as_uri(), width, scheme):
                        print(f"{name}, {width} pixels, {scheme}: {sentence}")
                        failed += 1
            for sentence in on_paper(driver, path.as_uri(), SHEETS.get(name, ())):
                print(f"{name}, on paper: {sentence}")
                failed += 1
    driver.quit()
    print(f"{len(PAGES)} pages: {failed} findings")
    return 1 if failed else 0


sys.exit(main())
