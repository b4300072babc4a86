#!/usr/bin/env python3
"""The server of `meniscus view`, spoken to over plain sockets: who is refused, what is sent, and that what was steered
repeats to the same bits. Prints ok and FAIL lines and a count."""
import atexit
import base64
import filecmp
import json
import os
import re
import signal
import socket
import struct
import subprocess
import sys
import time

MENISCUS, WORK = sys.argv[1], sys.argv[2]
SCENE = """title: a small tank
particles: {spacing: 0.05}
time: {step: 0.002, end: %s}
fluids:
  - name: water
    shapes: [{box: {grid: [8, 8, 8], origin: [0.075, 0.06, 0.075]}}]
    viscosity: {model: xsph, strength: 0.05}
walls:
  - {name: tank, shapes: [{box: {min: [0, 0, 0], max: [0.8, 0.8, 0.5], inside_out: true}}]}
  - name: paddle
    shapes: [{box: {min: [0.6, 0.05, 0.1], max: [0.65, 0.3, 0.4]}}]
    motion: {velocity: [-0.2, 0, 0]}
bodies:
  - {name: cube, density: 500, shapes: [{box: {size: [0.1, 0.1, 0.1], centre: [0.25, 0.6, 0.25]}}]}
output: {every: 0.01}
"""
passed = failed = 0


def check(what, good, more=""):
    global passed, failed
    passed, failed = passed + bool(good), failed + (not good)
    print(("ok   " if good else "FAIL ") + what + ("" if good else f": {more}"), flush=True)


class Server:
    all = []

    def __init__(self, *words, cwd=WORK):
        self.process = subprocess.Popen([MENISCUS, "view", *words, "--no-browser", "--threads", "1"], cwd=cwd,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        Server.all.append(self.process)
        self.url = self.process.stdout.readline().strip()
        found = re.match(r"http://([^/:]+):(\d+)/(?:\?token=(\w+))?", self.url)
        self.port, self.token = (int(found[2]), found[3]) if found else (0, None)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        out, err = self.process.communicate(timeout=30)
        return self.process.returncode, out, err


def http(port, path="/", headers=None, method="GET"):
    with socket.create_connection(("127.0.0.1", port), timeout=10) as s:
        lines = {"Host": f"localhost:{port}", "Connection": "close", **(headers or {})}
        text = f"{method} {path} HTTP/1.1\r\n" + "".join(f"{k}: {v}\r\n" for k, v in lines.items() if v is not None)
        s.sendall(text.encode() + b"\r\n")
        data = b""
        while chunk := s.recv(65536):
            data += chunk
    head, _, body = data.partition(b"\r\n\r\n")
    status = head.split(b" ")[1:2]
    return int(status[0]) if status else 0, head.decode("latin1"), body


class Socket:
    """A WebSocket client; refuses to hide anything."""

    def __init__(self, port, path="/ws", origin="same", host=None):
        self.s = socket.create_connection(("127.0.0.1", port), timeout=10)
        host = host or f"localhost:{port}"
        headers = {"Host": host, "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
                   "Sec-WebSocket-Key": base64.b64encode(os.urandom(16)).decode(),
                   "Origin": f"http://{host}" if origin == "same" else origin}
        text = f"GET {path} HTTP/1.1\r\n" + "".join(f"{k}: {v}\r\n" for k, v in headers.items() if v is not None)
        self.s.sendall(text.encode() + b"\r\n")
        self.data, self.seen = b"", []
        while b"\r\n\r\n" not in self.data:
            chunk = self.s.recv(4096)
            if not chunk:
                break
            self.data += chunk
        head, _, self.data = self.data.partition(b"\r\n\r\n")
        self.open = head.startswith(b"HTTP/1.1 101")

    def send(self, payload, opcode=1, fin=True, length=None):
        payload = payload.encode() if isinstance(payload, str) else payload
        n = len(payload) if length is None else length
        head = bytes([(0x80 if fin else 0) | opcode])
        head += bytes([0x80 | n]) if n < 126 else bytes([0x80 | 126]) + struct.pack(">H", n) if n < 65536 \
            else bytes([0x80 | 127]) + struct.pack(">Q", n)
        mask = os.urandom(4)
        self.s.sendall(head + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(payload)))

    def say(self, **message):
        self.send(json.dumps(message))

    def take(self, n):
        while len(self.data) < n:
            chunk = self.s.recv(1 << 20)
            if not chunk:
                return None
            self.data += chunk
        out, self.data = self.data[:n], self.data[n:]
        return out

    def read(self):
        """(opcode, payload), or None when the server has closed."""
        try:
            head = self.take(2)
            if head is None:
                return None
            n = head[1] & 127
            if n == 126:
                n = struct.unpack(">H", self.take(2))[0]
            elif n == 127:
                n = struct.unpack(">Q", self.take(8))[0]
            payload = self.take(n)
            return None if payload is None or head[0] & 15 == 8 else (head[0] & 15, payload)
        except (ConnectionError, socket.timeout):
            return None

    def wait(self, kind, test=lambda m: True, seconds=20):
        """The next message of that type; 'frame': a binary one."""
        end = time.time() + seconds
        while time.time() < end:
            got = self.read()
            if got is None:
                return None
            if got[0] != 1:  # a frame, or a ping
                if got[0] == 2 and kind == "frame":
                    return decode(got[1])
                continue
            message = json.loads(got[1])
            self.seen.append(message)
            if message["type"] == kind and test(message):
                return message
        return None

    def closed(self, seconds=5):
        self.s.settimeout(seconds)
        end = time.time() + seconds
        while time.time() < end:
            if self.read() is None:
                return True
        return False


def decode(data):
    names = ("magic", "generation", "frame", "count", "flags", "places", "values", "poses", "time", "step")
    out = dict(zip(names, struct.unpack_from("<IIiIIIIIdd", data)))
    out["size"], out["data"] = len(data), data
    return out


def write(name, text):
    with open(os.path.join(WORK, name), "w") as f:
        f.write(text)


def refusals(server):
    port = server.port
    code, head, body = http(port)
    check("the page is there", code == 200 and b"app.js" in body)
    check("with a policy", "Content-Security-Policy" in head and "nosniff" in head)
    check("and its program", http(port, "/app.js")[0] == 200 and http(port, "/app.css")[0] == 200)
    check("a foreign name is refused", http(port, headers={"Host": "evil.example"})[0] == 403)
    check("also one that begins well", http(port, headers={"Host": "localhost.evil.example"})[0] == 403)
    check("and none at all", http(port, headers={"Host": None})[0] in (400, 403))
    check("a foreign page is refused", http(port, headers={"Origin": "http://evil.example"})[0] == 403)
    page = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "view")
    files = [(folder, name) for folder in ("dist", "thumbs") for name in os.listdir(f"{page}/{folder}")]
    other = [name for folder, name in files
             if http(port, f"/{name}" if folder == "dist" else f"/{folder}/{name}")[2]
             != open(f"{page}/{folder}/{name}", "rb").read()]
    check("and all files of the page are in the program as they lie there", len(files) > 60 and not other, other)
    check("only GET is answered", http(port, method="POST")[0] in (403, 405, 411))
    for path in ("/../../../../etc/passwd", "/..%2f..%2fetc/passwd", "//etc/passwd", "/thumbs/../../../etc/passwd",
                 "/%2e%2e/%2e%2e/etc/passwd", "/thumbs/..\\..\\etc\\passwd", "/etc/passwd", "/run.yaml", "/\0"):
        code, _, body = http(port, path)
        check(f"no file by {path!r}", code in (400, 404) and b"root:" not in body and b"particles" not in body, code)
    check("a socket of a foreign page is refused", not Socket(port, origin="http://evil.example").open)
    check("of a sandboxed one too", not Socket(port, origin="null").open)
    check("of a foreign name too", not Socket(port, host="evil.example").open)
    good = Socket(port)
    check("one of our own page is not", good.open)
    with open(f"/proc/{server.process.pid}/net/tcp") as f:
        bound = [line.split()[1] for line in f if line.split()[3] == "0A"]
    check("it listens on loopback alone", f"0100007F:{port:04X}" in bound and f"00000000:{port:04X}" not in bound)


def malformed(server):
    bad = {"no JSON": lambda c: c.send("hello"), "a list": lambda c: c.send("[1, 2]"), "nothing": lambda c: c.send(""),
           "an unknown word": lambda c: c.say(do="format disk"), "no word": lambda c: c.say(set="gravity=1"),
           "a set without a value": lambda c: c.say(do="set", set="gravity"),
           "sets that are a number": lambda c: c.say(do="restart", sets=3),
           "a scene that is not in the list": lambda c: c.say(do="open", name="/etc/passwd"),
           "bytes": lambda c: c.send(os.urandom(300), opcode=2), "zeros": lambda c: c.send(b"\0" * 100),
           "a deep list": lambda c: c.send('{"do":' + "[" * 5000), "half a message": lambda c: c.send("{", fin=False),
           "a large message": lambda c: c.send(b" " * 300000),
           "a message of 2^63 bytes": lambda c: c.send(b"x" * 1000, length=1 << 63),
           "a reserved opcode": lambda c: c.send(b"x", opcode=5)}
    for name, act in bad.items():
        c = Socket(server.port)
        try:
            act(c)
        except ConnectionError:
            pass
        check(f"{name} closes the connection", c.closed())
    c = Socket(server.port)
    c.say(do="frame", number=99999, field="speed")
    check("a frame that is not there is said", c.wait("noframe") is not None)
    c.say(do="frame", field="x" * 5000)
    c.say(do="set", set="gravty=[0, 0, 0]")
    note = c.wait("note")
    check("a wrong key is said, with the right one", note and "gravity" in note["messages"][0]["text"], note)
    check("and the server lives", server.process.poll() is None and http(server.port)[0] == 200)


def frames(server):
    a, b = Socket(server.port), Socket(server.port)
    scene = a.wait("scene")
    check("the scene is described", scene and scene["title"] == "a small tank" and scene["mode"] == "live", scene)
    check("with its fields", {"speed", "density", "pressure"} <= {f["name"] for f in scene["fields"]})
    geometry = http(server.port, "/geometry")[2]
    check("and what stands around", geometry[:4] == b"MNG1" and struct.unpack_from("<I", geometry, 4)[0] >= 3)
    values = a.wait("values")
    paths = {v["path"]: v for v in values["values"]}
    check("sliders of models, walls and motions",
          {"gravity", "fluids.water.viscosity.xsph.strength", "walls.tank.friction",
           "walls.paddle.motion.velocity", "air.velocity"} <= set(paths),
          paths.keys())
    check("with unit and range", paths["gravity"]["unit"] == "m/s^2" and paths["walls.tank.friction"]["min"] == 0)
    a.say(do="frame", field="speed")
    first = a.wait("frame")
    check("a frame comes", first and first["count"] == 512 and first["magic"] == 0x31464e4d)
    check("in 8 bytes a particle and little more", first["size"] < 512 * 9 + 88 + 28 * 2 + 64, first["size"])
    check("with the poses of all walls and bodies", first["poses"] == 3)
    a.say(do="frame", field="pressure")
    second = a.wait("frame")
    check("another field of the same moment is sent alone", second["places"] == 0 and second["size"] < 512 * 3 + 200,
          second["size"])
    b.say(do="frame", field="density")
    check("a second client has its own", b.wait("frame")["count"] == 512)
    b.say(do="step")
    b.say(do="frame", field="density")
    check("a step is a step", b.wait("frame", seconds=10)["step"] == 1)
    slow = Socket(server.port)
    slow.say(do="frame", field="speed")
    a.say(do="play")
    a.wait("rows", lambda m: m["table"] == "stats" and not m["first"])
    rows = [m["text"] for m in a.seen if m["type"] == "rows" and m["table"] == "stats"]
    check("rows of the tables come, the head first", rows and rows[0].startswith("step,time"), rows)
    for _ in range(200):
        slow.say(do="frame", field="speed")  # and never reads
    moving = [a.wait("state", lambda m: m["status"] == "running") for _ in range(4)]
    keyed = a.wait("values", lambda m: any(v["keyed"] and v["value"][1] > -9.81 for v in m["values"]))
    check("what follows keyframes is told as it changes", keyed and not keyed["changes"], keyed)
    check("a client that never reads does not stop the run", moving[-1] and moving[-1]["step"] > moving[0]["step"])
    a.say(do="pause")
    a.wait("state", lambda m: m["status"] == "paused")
    a.say(do="pick", index=3)
    pick = a.wait("pick")
    check("a particle tells its fields", pick["there"] and pick["id"] == 3 and len(pick["fields"]["velocity"]) == 3,
          pick)
    a.say(do="pick", id=5)
    pick = a.wait("pick")
    check("by its id too, with its place", pick["there"] and (pick["id"], pick["index"], pick["asked"]) == (5, 5, -1),
          pick)
    a.say(do="set", set="walls.tank.friction=0.3")
    a.wait("values", lambda m: m["changes"])
    late = Socket(server.port)
    start = late.wait("start")
    began = next(v["value"][0] for v in start["values"] if v["path"] == "walls.tank.friction") if start else None
    now = [v["value"] for v in late.wait("values")["values"] if v["path"] == "walls.tank.friction"]
    check("who comes later hears what the run began with, then what it has now", (began, now) == (1, [[0.3]]),
          (began, now))
    a.say(do="frame", number=0, field="speed")
    check("frames in files can be had too", a.wait("frame")["frame"] == 0)


def many_pages(server):
    """There are 24 places; the server has 40 threads, and each connection takes one."""
    many = [Socket(server.port) for _ in range(60)]
    there = sum(c.open for c in many)
    check("of many browsers at once some are taken, the others refused", 12 < there <= 24, there)
    check("and pages are still given", http(server.port)[0] == 200)
    for c in many:
        c.s.close()
    again, end = [], time.time() + 10
    while len(again) < 12 and time.time() < end: # the server hears one by one who has gone
        c = Socket(server.port)
        if c.open:
            again.append(c)
        else:
            time.sleep(0.05)
    check("who goes makes room", len(again) == 12, len(again))
    for c in again:
        c.s.close()


def steering():
    write("steer.yaml", SCENE % 0.2)
    server = Server("steer.yaml", "--paused", "-o", "steered")
    c = Socket(server.port)
    c.wait("scene")
    for k, change in enumerate(["gravity=[2, -6, 0]", "fluids.water.viscosity.xsph.strength=0.2",
                                "walls.paddle.motion.velocity=[0.3, 0, 0.1]"]):
        for _ in range(7):
            c.say(do="step")
        c.wait("state", lambda m, k=k: m["step"] == 7 * (k + 1))
        c.say(do="set", set=change)
        c.wait("values", lambda m, k=k: len(m["changes"]) == k + 1)
    c.say(do="play")
    check("it runs to its end", c.wait("state", lambda m: m["status"] == "ended") is not None)
    code, _, err = server.stop()
    check("and ends well", code == 0, err)
    with open(f"{WORK}/steered/run.yaml") as f:
        text = f.read()
    check("run.yaml tells what changed when", text.count("- time:") == 3 and "gravity=[2, -6, 0]" in text)
    subprocess.run([MENISCUS, "run", "steered/run.yaml", "-o", "again", "-q"], cwd=WORK, check=True,
                   capture_output=True)
    subprocess.run([MENISCUS, "run", "steer.yaml", "-o", "plain", "-q"], cwd=WORK, check=True, capture_output=True)
    same = [filecmp.cmp(f"{WORK}/steered/{f}", f"{WORK}/again/{f}", shallow=False)
            for f in ("stats.csv", "bodies.csv", "frames/frame_00020.vtp")]
    check("it repeats to the same bits", all(same), same)
    check("which are not those without",
          not filecmp.cmp(f"{WORK}/steered/stats.csv", f"{WORK}/plain/stats.csv", shallow=False))


def saving():
    server = Server("steer.yaml", "--paused", "-o", "first")
    c = Socket(server.port)
    c.wait("scene")
    sets = ["fluids.water.viscosity.xsph.strength=0.3", "gravity=[1, -5, 0]", "time.end=0.05"]
    c.say(do="save", sets=sets)
    saved = c.wait("saved")
    check("the changed scene is saved with base and set", saved and "base:" in saved["text"] and "set:" in saved["text"]
          and os.path.exists(os.path.join(WORK, saved["path"])), saved)
    c.say(do="save", sets=["gravty=[1, 1, 1]"])
    check("a wrong key is not", "path" not in c.wait("saved"))
    c.say(do="restart", sets=["particles.spacing=-1"])
    check("a wrong restart is said and leaves the run",
          c.wait("note") is not None and http(server.port, "/geometry")[0] == 200)
    c.say(do="restart", sets=sets)
    scene = c.wait("scene", lambda m: m["generation"] > 1)
    check("a restart has its own folder", scene["dir"] == "first-2" and scene["sets"] == sets, scene["dir"])
    check("and runs to its end", c.wait("state", lambda m: m["status"] == "ended") is not None)
    c.say(do="list")
    check("the list is told meanwhile", len(c.wait("list")["scenes"]) > 20)
    check("and the server ends", server.stop()[0] == 0)
    subprocess.run([MENISCUS, "run", saved["path"], "-o", "saved", "-q"], cwd=WORK, check=True, capture_output=True)
    check("the saved scene runs to the same bits",
          filecmp.cmp(f"{WORK}/first-2/stats.csv", f"{WORK}/saved/stats.csv", shallow=False))


def failing():
    server = Server("steer.yaml", "-o", "wild", "--paused")
    c = Socket(server.port)
    c.wait("scene")
    c.say(do="set", set="gravity=[0, -1000000, 0]")
    c.say(do="play")
    state = c.wait("state", lambda m: m["status"] == "failed" and m["messages"])
    check("a run that diverges is told", state and any(m["severity"] == "error" for m in state["messages"]), state)
    c.say(do="restart", sets=["time.end=0.01"])
    check("and can begin anew", c.wait("state", lambda m: m["status"] == "ended") is not None)
    server.kill()


def stored():
    server = Server("steered")
    c = Socket(server.port)
    scene = c.wait("scene")
    check("a finished run is described", scene["mode"] == "stored" and scene["bodies"] == ["cube"])
    c.say(do="frame", number=20, field="speed")
    f = c.wait("frame")
    check("and its frames come", f["frame"] == 20 and f["count"] == 512 and f["poses"] == 3)
    c.say(do="pickstored", number=20, index=7)
    check("with their fields", "velocity" in c.wait("pick")["fields"])
    c.say(do="pickstored", number=3, id=7)
    pick = c.wait("pick")
    check("by their id too", (pick["there"], pick["id"], pick["index"]) == (True, 7, 7), pick)
    c.say(do="restart", sets=["gravity=[0, -3, 0]"])
    scene = c.wait("scene", lambda m: m["mode"] == "live")
    check("it can be run anew with other values", scene["dir"].endswith("/steered-2"), scene["dir"])
    server.kill()


def arguments():
    server = Server("steer.yaml", "--paused", "-o", "t1", "--token", "abcdefgh1234")
    check("the address has the token", server.token == "abcdefgh1234", server.url)
    check("without it nothing is told", http(server.port, "/geometry")[0] == 403 and not Socket(server.port).open)
    check("nor with another", not Socket(server.port, "/ws?token=abcdefgh1235").open)
    check("with it all is", Socket(server.port, "/ws?token=abcdefgh1234").open)
    busy = subprocess.run([MENISCUS, "view", "steer.yaml", "--no-browser", "-o", "t2", "--port", str(server.port)],
                          cwd=WORK,
                          capture_output=True, text=True, timeout=30)
    check("a port that is taken is exit code 2", busy.returncode == 2 and "cannot listen" in busy.stderr, busy)
    server.kill()
    signal.signal(signal.SIGHUP, signal.SIG_IGN)  # as nohup does it
    server = Server("steer.yaml", "--paused", "-o", "t3", "--address", "0.0.0.0")
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    server.process.send_signal(signal.SIGHUP)
    time.sleep(0.5)
    check("an open address makes its own token", server.token and len(server.token) == 32, server.url)
    check("and asks for it", http(server.port, "/geometry")[0] == 403)
    check("a terminal that is closed does not end it under nohup", server.process.poll() is None)
    server.kill()
    for words, text in ((["nosuchscene"], "cannot open"), (["steer.yaml", "--token", "short"], "8 to 100"),
                        (["."], "run.yaml"),
                        (["steer.yaml", "-o", "steered"], "already holds a run"),
                        (["steer.yaml", "--set", "gravty=1"], "gravity")):
        bad = subprocess.run([MENISCUS, "view", *words, "--no-browser"], cwd=WORK, capture_output=True, text=True,
                             timeout=30)
        check(f"view {' '.join(words)} is exit code 2", bad.returncode == 2 and text in bad.stderr, bad)


def opening():
    """The browser that the desktop would open is a script that notes the address."""
    os.makedirs(f"{WORK}/desktop")
    write("desktop/xdg-open", f'#!/bin/sh\nprintf "%s" "$1" >"{WORK}/part"\nmv "{WORK}/part" "{WORK}/opened"\n')
    os.chmod(f"{WORK}/desktop/xdg-open", 0o755)
    around = {**os.environ, "PATH": f"{WORK}/desktop:{os.environ['PATH']}", "DISPLAY": ":7",
              "SSH_CONNECTION": "10.0.0.1 50000 10.0.0.2 22"}
    process = subprocess.Popen([MENISCUS, "view", "--port", "0"], cwd=WORK, env=around, stdout=subprocess.PIPE,
                               text=True)
    Server.all.append(process)
    url, _, tunnel = (process.stdout.readline().strip() for _ in range(3))
    port = url.split(":")[-1].strip("/")
    end = time.time() + 20
    while not os.path.exists(f"{WORK}/opened") and time.time() < end:
        time.sleep(0.05)
    opened = open(f"{WORK}/opened").read() if os.path.exists(f"{WORK}/opened") else None
    check("it opens the browser at its address", opened == url, (opened, url))
    check("over ssh it tells the tunnel", f"ssh -L {port}:localhost:{port}" in tunnel, tunnel)
    check("whose other end may have another port",
          Socket(int(port), host="localhost:9999", origin="http://localhost:9999").open)
    process.send_signal(signal.SIGINT)
    process.wait(timeout=30)


@atexit.register
def end_all():
    for process in Server.all:
        if process.poll() is None:
            process.kill()
            process.wait()


write("tank.yaml", SCENE % 100 + "gravity: {0: [0, -9.81, 0], 100: [0, -9, 0]}\n")
main = Server("tank.yaml", "--paused", "-o", "tank")
check("it prints its address", main.port > 0, main.url)
frames(main)
refusals(main)
malformed(main)
many_pages(main)
exit_code, _, errors = main.stop()
check("Ctrl-C ends it well", exit_code == 0 and os.path.exists(f"{WORK}/tank/checkpoint.h5"), (exit_code, errors))
steering()
saving()
failing()
opening()
stored()
arguments()
print(f"{passed} passed, {failed} failed")
sys.exit(failed != 0)
