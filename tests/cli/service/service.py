"""What xorloom serve answers, and what clients cannot do to it: service.py PROGRAM EXAMPLES DOCS.

XORLOOM_SERVICE_REQUESTS is how many requests four clients send together (default: 2000). If it is 100,000 or more, the
99th percentile of their times has to be under 1 ms. XORLOOM_SERVICE_FUZZ_SECONDS is how long random bytes are sent.
"""

import concurrent.futures
import json
import multiprocessing
import os
import pathlib
import random
import re
import resource
import shutil
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import time
import urllib.parse

PROGRAM, EXAMPLES, DOCS = sys.argv[1:4]
REQUESTS = int(os.environ.get("XORLOOM_SERVICE_REQUESTS", "2000"))
FUZZ_SECONDS = float(os.environ.get("XORLOOM_SERVICE_FUZZ_SECONDS", "2"))
TIMEOUT = 60  # seconds that a test waits for what has to come


class Service:
    """A service on a Unix socket, ended at the end."""

    def __init__(self, *options, program=PROGRAM):
        self.folder = tempfile.TemporaryDirectory()
        self.path = os.path.join(self.folder.name, "socket")
        at = [] if "--port" in options else ["--socket", self.path]
        self.process = subprocess.Popen([program, "serve", *at, *options], stderr=subprocess.PIPE, text=True)
        line = self.process.stderr.readline()
        found = re.fullmatch(r"xorloom: listening on (unix:(?P<path>.*)|http://127\.0\.0\.1:(?P<port>\d+))\n", line)
        assert found, line
        self.port = found["port"] and int(found["port"])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        status = self.process.wait(TIMEOUT)
        self.process.stderr.close()
        assert status == 0, f"the service ended with {status}"
        assert not os.path.exists(self.path), "the socket is left"
        self.folder.cleanup()

    def connect(self):
        if self.port:
            return socket.create_connection(("127.0.0.1", self.port), TIMEOUT)
        client = socket.socket(socket.AF_UNIX)
        client.settimeout(TIMEOUT)
        client.connect(self.path)
        return client

    def get(self, target, method="GET", fields=""):
        with self.connect() as client:
            client.sendall(f"{method} {target} HTTP/1.1\r\nConnection: close\r\n{fields}\r\n".encode())
            return Answer(read_all(client))

    def ask(self, path="/v1/equations", fields="", **keys):
        return self.get(path + "?" + urllib.parse.urlencode(keys), fields=fields)

    def memory(self):
        """MiB that the service has in memory."""
        with open(f"/proc/{self.process.pid}/status") as status:
            return int(re.search(r"VmRSS:\s+(\d+)", status.read())[1]) / 1024


def read_all(client):
    data = b""
    while more := client.recv(65536):
        data += more
    return data


class Answer:
    def __init__(self, data):
        head, _, self.body = data.partition(b"\r\n\r\n")
        lines = head.decode().split("\r\n")
        assert lines[0].startswith("HTTP/1.1 "), data[:200]
        self.status = int(lines[0].split()[1])
        self.fields = {name.lower(): value.strip() for name, value in (line.split(":", 1) for line in lines[1:])}

    def error(self):
        return json.loads(self.body)["error"]


def program(*arguments):
    done = subprocess.run([PROGRAM, *arguments, "--quiet"], capture_output=True)
    return done.returncode, done.stdout, done.stderr.decode()


WORKED = "cauchy:k=5,m=2,w=3,x=1+2,y=4+5+6+7+0"


def test_answers_are_the_documents_of_the_program():
    questions = [
        ("/v1/equations", {"spec": "rs:k=4,m=2", "erase": "0,3"}),
        ("/v1/equations", {"spec": WORKED, "cores": "6"}),
        ("/v1/equations", {"spec": WORKED, "cores": "6", "format": "svg"}),
        ("/v1/equations", {"spec": "cauchy-good:10,4", "style": "iterative", "erase": "0-2", "want": "1"}),
        ("/v1/equations", {"spec": "rdp:k=4,p=5", "erase": "0", "reads": "min", "format": "text"}),
        ("/v1/equations", {"spec": "cauchy:k=2,m=1,w=2", "format": "dot"}),
        ("/v1/equations", {"spec": "rs:k=4,m=2", "over": "symbols", "update": "1"}),
        ("/v1/codes", {"spec": "lrc:k=8,m=4,l=3"}),
        ("/v1/codes", {"spec": "rdp:k=4,p=5", "format": "svg"}),
        ("/v1/codes", {"spec": "rs:k=4,m=2", "format": "json"}),
    ]
    with Service("--search-seconds", "0", "--store", "shipped", "--rate", "1000") as service:
        for path, keys in questions:
            options = [f"--{key}={value}" for key, value in keys.items() if key != "spec"]
            if path.endswith("equations") and "format" not in keys:
                options.append("--format=json")
            if "style" in keys:
                options += ["--effort=fast", "--store=shipped"]
            status, out, err = program(path.split("/")[-1], keys["spec"], *options)
            assert status == 0, err
            for _ in range(2):  # computed, and from the cache
                answer = service.ask(path, **keys)
                assert answer.status == 200 and answer.body == out, (path, keys, answer.status, answer.body[:300])
        assert json.loads(service.ask(spec="rs:k=4,m=2").body)["format"] == "xorloom-equations"
        index = json.loads(service.get("/v1").body)
        assert [path["path"] for path in index["paths"]] == ["/v1/equations", "/v1/codes"]


def test_an_etag_saves_the_body():
    with Service() as service:
        first = service.ask(spec="rs:k=4,m=2")
        etag = first.fields["etag"]
        again = service.ask(spec="rs:k=4,m=2", fields=f'If-None-Match: "x", W/{etag}\r\n')
        assert again.status == 304 and again.body == b"" and again.fields["etag"] == etag
        assert service.ask(spec="rs:k=4,m=2", fields='If-None-Match: "x"\r\n').body == first.body
        head = service.get("/v1/equations?spec=rs:k=4,m=2", method="HEAD")
        assert head.status == 200 and head.body == b"" and int(head.fields["content-length"]) == len(first.body)


POLICY = "default-src 'none'; script-src 'sha256-x' 'wasm-unsafe-eval' blob:"
PAGE = f'<!doctype html><meta http-equiv="Content-Security-Policy" content="{POLICY}"><title>ä</title>'


def test_the_explorer_is_a_page_of_the_service():
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "page.html")
        file.write_text(PAGE)
        with Service("--page", str(file)) as service:
            page = service.get("/")
            assert page.status == 200 and page.body == PAGE.encode()
            assert page.fields["content-type"] == "text/html; charset=utf-8"
            assert page.fields["x-content-type-options"] == "nosniff"
            assert page.fields["content-security-policy"] == f"{POLICY}; frame-ancestors 'none'"
            again = service.get("/", fields=f"If-None-Match: {page.fields['etag']}\r\n")
            assert again.status == 304 and again.body == b""
            head = service.get("/", method="HEAD")
            assert head.body == b"" and int(head.fields["content-length"]) == len(page.body)
            assert "content-security-policy" not in service.get("/v1").fields
            assert json.loads(service.get("/v1").body)["format"] == "xorloom-service"
            file.write_text("changed")  # what was read at the beginning is served
            assert service.get("/").body == page.body
        status, _, err = program("serve", "--socket", f"{folder}/s", "--page", str(file))
        assert status == 2 and "is no page of the explorer" in err, err
        file.write_text(PAGE.replace("; script-src", "\r\nX-Other: 1; script-src"))
        assert program("serve", "--socket", f"{folder}/s", "--page", str(file))[0] == 2
        for missing in [f"{folder}/none", folder, "/dev/zero"]:
            assert program("serve", "--socket", f"{folder}/s", "--page", missing)[0] == 4, missing
        with file.open("w") as large:
            large.truncate((8 << 20) + 1)
        assert program("serve", "--socket", f"{folder}/s", "--page", str(file))[0] == 2
        # A program in PREFIX/bin finds the page that is installed beside it.
        os.makedirs(f"{folder}/bin")
        os.makedirs(f"{folder}/share/xorloom")
        shutil.copy(PROGRAM, f"{folder}/bin/xorloom")
        pathlib.Path(folder, "share/xorloom/explorer.html").write_text(PAGE)
        with Service(program=f"{folder}/bin/xorloom") as service:
            assert service.get("/").body == PAGE.encode()
        with Service("--page", "off", program=f"{folder}/bin/xorloom") as service:
            assert json.loads(service.get("/").body) == json.loads(service.get("/v1").body)


def test_what_is_too_large_or_wrong_is_refused_as_the_program_refuses_it():
    with Service("--rate", "1000") as service:
        for spec in ["rs:k=60000,m=4", "rs:k=60000,m=4,w=16", "cauchy-good:k=60000,m=4,w=16", "nothing:k=4", "rs:k=4"]:
            answer = service.ask(spec=spec)
            status, _, err = program("equations", spec)
            assert status == 2 and answer.status == 400, (spec, answer.status)
            assert err.startswith(f"xorloom: error: {answer.error()}\n"), (answer.error(), err)
        assert service.ask(spec="rs:k=4,m=2", erase="0,1,2").status == 400
        assert service.get("/v2/equations").status == 404
        assert service.get("/v1/equations", method="PUT").status == 405
        assert service.ask(spec="x" * 5000).status == 400
        assert service.ask(spec="rs:k=4,m=2", erase="0" * 2000).status == 400
        assert service.get("/v1/equations?spec=rs:k=4,m=2&spec=rs:k=5,m=2").error() == "spec is given twice"
        assert service.get("/v1/equations?spec=%zz").status == 400
        answer = service.get("/v1/equations?spec=rs:k=4,m=2&erase=")
        assert answer.status == 400 and answer.error() == "erase has no value: leave it out"


def test_no_request_opens_a_file():
    with Service("--rate", "1000") as service, tempfile.TemporaryDirectory() as folder:
        code = pathlib.Path(folder, "code.json")
        code.write_text(program("codes", "rs:k=4,m=2")[1].decode())
        written = pathlib.Path(folder, "written")
        for spec in [f"file:{code}", "file:{}", f"-o{written}", f"--output={written}", f" file:{code}", f"@{code}"]:
            assert service.ask(spec=spec).status == 400, spec
        assert "opens no file" in service.ask(spec="file:/etc/passwd").error()
        for key in ["equations", "store", "output", "o", "wisdom", "library", "atlas", "topology", "read-cost"]:
            answer = service.ask(spec="rs:k=4,m=2", **{key: str(code)})
            assert answer.status == 400 and "has no key" in answer.error(), key
        answer = service.ask(spec="rs:k=4,m=2", erase=f"0 --output={written}")
        assert answer.status == 400 and not written.exists()


def test_a_thousand_connections_are_served():
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 8192), hard))
    with Service("--timeout", "60") as service:
        body = service.ask(spec="rs:k=4,m=2").body
        clients = [service.connect() for _ in range(1000)]
        for client in clients[:500]:
            client.sendall(b"GET /v1/equations?spec=rs:k=4,")  # half of them stay incomplete
        assert service.ask(spec="rs:k=4,m=2").body == body
        for client in clients[:500]:
            client.sendall(b"m=2 HTTP/1.1\r\nConnection: close\r\n\r\n")
        for client in clients[500:]:
            client.sendall(b"GET /v1/equations?spec=rs:k=4,m=2 HTTP/1.1\r\nConnection: close\r\n\r\n")
        assert all(Answer(read_all(client)).body == body for client in clients)
        for client in clients:
            client.close()
        assert service.memory() < 200, service.memory()
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_clients_past_the_bound_wait_and_are_served_then():
    with Service("--connections", "2", "--timeout", "1") as service:
        idle = [service.connect() for _ in range(2)]
        start = time.monotonic()
        assert service.get("/").status == 200
        assert time.monotonic() - start > 1
        for client in idle:
            client.close()


def test_slow_clients_time_out():
    with Service("--timeout", "1") as service:
        with service.connect() as slow, service.connect() as idle:
            slow.sendall(b"GET / HTTP/1.1\r\n")
            start = time.monotonic()
            assert read_all(slow) == b"" and 0.8 < time.monotonic() - start < 30
            assert service.get("/").status == 200
            assert read_all(idle) == b""
        with service.connect() as lazy:  # takes no answer
            lazy.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            lazy.sendall(b"GET / HTTP/1.1\r\n\r\n" * 2000)
            time.sleep(2.5)
            assert service.get("/").status == 200
        with Service("--port", "0", "--timeout", "1", "--rate", "1000") as other:
            answer = other.ask(spec="cauchy-good:k=170,m=50,w=8", style="iterative", cores="4")  # seconds
            assert answer.status == 503 and "takes longer than 1 s" in answer.error(), answer.status
            assert other.get("/").status == 200


def test_bodies_are_refused_before_they_are_read():
    with Service() as service:
        for fields in ["Content-Length: 1073741824", "Transfer-Encoding: chunked"]:
            with service.connect() as client:
                client.sendall(f"POST / HTTP/1.1\r\n{fields}\r\n\r\n".encode())
                sent = 0
                try:
                    while sent < 1 << 26:
                        sent += client.send(b"x" * 65536)
                except OSError:
                    pass
                assert sent < 1 << 24, f"{sent} bytes were taken"
            with service.connect() as client:
                client.sendall(f"POST / HTTP/1.1\r\n{fields}\r\n\r\n".encode())
                assert Answer(read_all(client)).status == 413
        with service.connect() as client:  # a line without an end
            try:
                for _ in range(1000):
                    client.sendall(b"x" * 4096)
            except OSError:
                pass
        with service.connect() as client:
            client.sendall(b"GET / HTTP/1.1\r\nX: " + b"y" * 17000)
            assert Answer(read_all(client)).status == 431
        assert service.get("/").status == 200 and service.memory() < 100


def test_a_client_has_few_answers_computed_per_second():
    with Service("--rate", "2") as service:
        answers = [service.ask(spec=f"rs:k={k},m=2") for k in range(2, 12)]
        refused = [answer for answer in answers if answer.status == 429]
        assert refused and refused[0].fields["retry-after"] == "1"
        assert "2 answers computed per second" in refused[0].error()
        assert all(service.ask(spec="rs:k=2,m=2").status == 200 for _ in range(20))  # from the cache


def test_better_equations_are_searched_in_the_background():
    with tempfile.TemporaryDirectory() as store, Service("--search-seconds", "2", "--store", store) as service:
        keys = {"spec": "cauchy-good:k=7,m=3,w=5", "style": "iterative"}
        first = service.ask(**keys)
        assert json.loads(first.body)["search"]["effort"] == "fast"
        deadline = time.monotonic() + TIMEOUT
        last = first
        while json.loads(last.body)["search"]["effort"] == "fast" and time.monotonic() < deadline:
            time.sleep(0.2)
            last = service.ask(**keys)
        assert json.loads(last.body)["search"]["effort"] == "max" and last.fields["etag"] != first.fields["etag"]
        options = ["--style=iterative", "--effort=fast", f"--store={store}", "--format=json"]
        assert last.body == program("equations", keys["spec"], *options)[1]
        xors = [json.loads(answer.body)["cost"]["xors"] for answer in (first, last)]
        assert xors[1] <= xors[0], xors


def test_random_bytes_do_no_harm():
    seed = random.randrange(1 << 32)
    dice = random.Random(seed)
    parts = [b"GET ", b"HEAD ", b"/v1/equations", b"?", b"spec=", b"rs:k=4,m=2", b"&", b"%2", b"%00", b" HTTP/1.1",
             b"\r\n", b"\r\n\r\n", b"Content-Length: ", b"-1", b"9" * 30, b"If-None-Match: ", b'"', b",", b"W/", b"*",
             b":", b"\0", b"\xff" * 20, b"Connection: keep-alive", b"erase=", b"0-3", b"file:", b"a" * 5000]
    with Service("--timeout", "5", "--rate", "5") as service:
        end = time.monotonic() + FUZZ_SECONDS
        while time.monotonic() < end:
            data = b"".join(dice.choice(parts) for _ in range(dice.randrange(30)))
            if dice.random() < 0.7:
                data = b"GET /" + data
            with service.connect() as client:
                try:
                    client.sendall(data)
                    client.shutdown(socket.SHUT_WR)
                    read_all(client)
                except OSError:
                    pass
            assert service.process.poll() is None, f"the service ended, seed {seed}"
        assert service.get("/").status == 200 and service.memory() < 200, f"seed {seed}"


def ask_many(port, count, expected):
    """Sends requests one after the other. Seconds that each took."""
    times = []
    request = b"GET /v1/equations?spec=cauchy-good:k=10,m=4,w=8&style=iterative&erase=0,1 HTTP/1.1\r\n\r\n"
    with socket.create_connection(("127.0.0.1", port), TIMEOUT) as client:
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        size = None
        for _ in range(count):
            start = time.perf_counter()
            client.sendall(request)
            data = client.recv(1 << 20)
            while size is None and b"\r\n\r\n" not in data:
                data += client.recv(1 << 20)
            if size is None:
                head = data[: data.index(b"\r\n\r\n") + 4]
                size = len(head) + int(re.search(rb"Content-Length: (\d+)", head)[1])
            while len(data) < size:
                data += client.recv(1 << 20)
            times.append(time.perf_counter() - start)
            assert data.endswith(expected) and len(data) == size
    return times


def test_four_clients_get_equal_answers_in_bounded_memory():
    with Service("--port", "0", "--search-seconds", "0", "--store", "shipped") as service:
        keys = {"spec": "cauchy-good:k=10,m=4,w=8", "style": "iterative", "erase": "0,1"}
        expected = service.ask(**keys).body
        before = service.memory()
        with concurrent.futures.ProcessPoolExecutor(4, multiprocessing.get_context("fork")) as pool:
            parts = [pool.submit(ask_many, service.port, REQUESTS // 4, expected) for _ in range(4)]
            times = sorted(sum((part.result() for part in parts), []))
        p99 = times[len(times) * 99 // 100]
        print(f"{len(times)} requests, {len(expected)} bytes each: p50 {times[len(times) // 2] * 1e3:.3f} ms, "
              f"p99 {p99 * 1e3:.3f} ms, {service.memory() - before:.1f} MiB more")
        assert service.memory() - before < 50
        assert REQUESTS < 100000 or p99 < 1e-3, p99


def test_a_socket_is_the_users_own_and_is_not_taken_from_others():
    with Service() as service:
        assert stat.S_IMODE(os.stat(service.path).st_mode) == 0o600
        status, _, err = program("serve", "--socket", service.path)
        assert status == 4 and "a program listens there" in err, err
        file = os.path.join(service.folder.name, "file")
        pathlib.Path(file).write_text("kept")
        status, _, err = program("serve", "--socket", file)
        assert status == 4 and "no socket" in err and pathlib.Path(file).read_text() == "kept"
    assert program("serve", "--address", "localhost")[0] == 2
    assert program("serve", "--socket", "x" * 200)[0] == 2
    assert program("serve", "--socket", "x", "--port", "1")[0] == 2
    with Service("--port", "0") as service:
        assert program("serve", "--port", str(service.port))[0] == 4


def test_the_clients_of_the_examples_get_answers():
    with Service("--port", "0") as service:
        address = f"http://127.0.0.1:{service.port}"
        client = [sys.executable, os.path.join(EXAMPLES, "service_client.py"), address, "rs:k=4,m=2", "0,3"]
        out = subprocess.run(client, capture_output=True, text=True, check=True).stdout
        xors = json.loads(service.ask(spec="rs:k=4,m=2", erase="0,3").body)["cost"]["xors"]
        assert f"{xors} XORs" in out, out
        lines = re.findall(r"^curl .*$", pathlib.Path(DOCS, "service.md").read_text(), re.M)
        assert lines
        if shutil.which("curl"):
            for line in lines:
                line = line.replace("http://127.0.0.1:8127", address)
                with tempfile.TemporaryDirectory() as folder:
                    done = subprocess.run(line, shell=True, capture_output=True, cwd=folder)
                assert done.returncode == 0, (line, done)


signal.alarm(int(1200 + 3 * FUZZ_SECONDS))
tests = [(name, test) for name, test in list(globals().items()) if name.startswith("test_")]
for name, test in tests:
    start = time.monotonic()
    test()
    print(f"{time.monotonic() - start:6.1f} s  {name[5:].replace('_', ' ')}", flush=True)
