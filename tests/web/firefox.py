"""The explorer in Firefox: firefox.py PAGE PROGRAM PAIRS.

Firefox is driven by its own protocol, Marionette: JSON over a socket, with the length of each message before it. All
views show, documents are those of the program, a search stops at once, a file comes back, and the console is quiet.
"""

import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import time

PAGE, _, PAIRS = sys.argv[1:4]
VIEWS = ("equations", "matrix", "cores", "losses", "compare", "own", "file")
PATIENCE = 120  # seconds
STOPPED = 100  # milliseconds
PREFERENCES = {"marionette.port": 0, "browser.shell.checkDefaultBrowser": False, "datareporting.policy.dataSubmissionEnabled": False,
               "network.proxy.type": 1, "network.proxy.http": "127.0.0.1", "network.proxy.http_port": 9}
TRIAL = """
  const [bytes, done] = arguments;
  const input = document.getElementById('file');
  const files = new DataTransfer();
  files.items.add(new File([new Uint8Array(bytes).fill(7)], 'seven.bin'));
  input.files = files.files;
  input.dispatchEvent(new Event('change'));
  const look = () => document.querySelector('#file-result .good') ? done(document.getElementById('file-result').textContent) : setTimeout(look, 20);
  look();
"""

findings = []


def check(is_so, sentence):
    if not is_so:
        findings.append(sentence)
        print(f"FOUND: {sentence}", flush=True)


class Firefox:
    def __init__(self, program, folder):
        (pathlib.Path(folder) / "user.js").write_text(
            "".join(f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in PREFERENCES.items()))
        self.process = subprocess.Popen(
            [program, "--headless", "--marionette", "--remote-allow-system-access", "--no-remote", "--profile", folder, "about:blank"],
            env={**os.environ, "HOME": folder, "MOZ_HEADLESS": "1"}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        port = pathlib.Path(folder) / "MarionetteActivePort"
        end = time.monotonic() + PATIENCE
        while not (port.exists() and port.read_text()):
            assert time.monotonic() < end and self.process.poll() is None, "Firefox does not start"
            time.sleep(0.1)
        self.socket = socket.create_connection(("127.0.0.1", int(port.read_text())), 5 * PATIENCE)
        self.number = 0
        self.receive()
        self.call("WebDriver:NewSession", {})
        self.call("WebDriver:SetTimeouts", {"script": 5000 * PATIENCE, "pageLoad": 1000 * PATIENCE})

    def receive(self):
        length = b""
        while not length.endswith(b":"):
            length += self.socket.recv(1)
        left, text = int(length[:-1]), b""
        while len(text) < left:
            text += self.socket.recv(left - len(text))
        return json.loads(text)

    def call(self, command, parameters):
        self.number += 1
        text = json.dumps([0, self.number, command, parameters]).encode()
        self.socket.sendall(str(len(text)).encode() + b":" + text)
        _, _, error, result = self.receive()
        assert error is None, (command, error)
        return result.get("value") if isinstance(result, dict) else result

    def run(self, script, *arguments, is_async=False):
        command = "WebDriver:ExecuteAsyncScript" if is_async else "WebDriver:ExecuteScript"
        return self.call(command, {"script": script, "args": list(arguments), "sandbox": None})

    def text(self, name):
        return self.run("return document.getElementById(arguments[0])?.textContent ?? ''", name)

    def wait(self, what, is_so):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if is_so():
                return
            time.sleep(0.05)
        check(False, f"{what}: not within {PATIENCE} s; the view says '{self.text('view')[:200]}'")

    def opened(self, fragment):
        self.call("WebDriver:Navigate", {"url": "about:blank"})
        self.call("WebDriver:Navigate", {"url": f"{pathlib.Path(PAGE).resolve().as_uri()}#{fragment}"})
        self.wait(f"#{fragment}", lambda: self.run("return document.getElementById('view').dataset.shown"))

    def console(self):
        """What the console says about the page."""
        self.call("Marionette:SetContext", {"value": "chrome"})
        found = self.run("return Services.console.getMessageArray().map(String).filter(text => text.includes('explorer.html'))")
        self.call("Marionette:SetContext", {"value": "content"})
        return found

    def end(self):
        self.call("Marionette:Quit", {"flags": ["eForceQuit"]})
        self.process.wait(PATIENCE)


def try_views(firefox):
    for width, height in ((1280, 800), (500, 740)):  # no window is narrower
        firefox.call("WebDriver:SetWindowRect", {"width": width, "height": height})
        for view in VIEWS:
            firefox.opened(f"code=cauchy-good:k=6,m=2,w=4&view={view}&cores=3&lost=1.6")
            wide, inner = firefox.run("return [document.documentElement.scrollWidth, innerWidth]")
            check(wide <= inner, f"{view} at {inner} pixels is {wide} wide")


def try_search(firefox, stop):
    firefox.opened("code=cauchy-good:k=10,m=4,w=8&view=equations")
    firefox.wait("equations", lambda: "proved" in firefox.text("iterative-count"))
    firefox.run("const it = document.getElementById('tries'); it.value = 6; it.dispatchEvent(new Event('input'))")
    best = float("inf")
    for _ in range(12):
        firefox.run("document.getElementById('search').click()")
        firefox.wait("the search", lambda: "% of the changes" in firefox.text("search-said"))
        best = min(best, firefox.run(stop, "search", "search-said", is_async=True))
        if best < STOPPED:
            break
    print(f"milliseconds until a search has stopped: {best:.1f}, of at most {STOPPED}")
    check(best < STOPPED, f"a search stops after {best:.1f} ms")


def try_documents(firefox, ask):
    firefox.opened("view=own")
    pairs = json.loads(pathlib.Path(PAIRS).read_text(encoding="utf-8"))
    for code in sorted({pair["question"]["code"] for pair in pairs}):
        own = [pair for pair in pairs if pair["question"]["code"] == code]
        questions, expected = [pair["question"] for pair in own], [pair["printed"] for pair in own]
        for question in firefox.run(ask, questions, expected, is_async=True)["texts"]:
            check(False, f"the page's answer to {question} is not what the program prints")
    print(f"{len(pairs)} documents compared with the program's")
    check(len(pairs) > 150, f"only {len(pairs)} documents were compared")


def main():
    program = shutil.which("firefox-esr") or shutil.which("firefox")
    if not program:
        print("SKIPPED: firefox is not installed")
        return 0
    from chromium import ASK, STOP  # the same scripts run in both

    with tempfile.TemporaryDirectory() as folder:
        firefox = Firefox(program, folder)
        version = firefox.run("return navigator.userAgent")
        try_views(firefox)
        try_search(firefox, STOP)
        try_documents(firefox, ASK)
        firefox.opened("code=clay:k=4,m=2,d=5&view=file&lost=0.5")
        text = firefox.run(TRIAL, 3_000_003, is_async=True)
        check("Every byte is back: seven.bin" in text and "in 3 stripes" in text, f"a file: {text}")
        firefox.run("const box = document.getElementById('spec'); box.value = 'rs:k=100000,m=3'; box.dispatchEvent(new Event('change'))")
        firefox.wait("a wrong spec", lambda: "exceeds 128" in firefox.text("refused"))
        for message in firefox.console():
            check(False, f"the console says {message}")
        firefox.end()
    print(f"{version}: {len(VIEWS)} views, {len(findings)} findings")
    return 1 if findings else 0


sys.exit(main())
