"""hostile.py -- scenes as a hostile user would write them, for so many seconds.

  mutants  one key of the schema broken: `check`, and `run --steps 2` where the scene is small, must not crash or hang;
           they exit with 0 or 2 (3: diverged); a refusal names file and line and leaves nothing behind.
  scenes   random scenes that are right: the same bits on every backend, with any number of threads, and after stops,
           kills and restarts.

What fails is kept in --keep as a scene and a text, made smaller key by key, and printed. The order depends on --seed
alone.
"""
import argparse
import concurrent.futures
import copy
import filecmp
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

import files
import mutants
import scenes
import schema

HERE = os.path.dirname(os.path.abspath(__file__))
CPU_SECONDS_MOST = 60  # of one command; longer is a hang, however busy the machine is
SLOWER = 5  # that many times as slow is a program under the sanitizers
SECONDS_MOST = 600  # by the clock
BYTES_MOST = 4 << 30
PARTICLES_MOST = 20000  # of a mutant that is run too


class Failure(Exception):
    """kind: what must stay while the scene is made smaller; text: all that is known."""

    def __init__(self, kind, text):
        Exception.__init__(self, kind)
        self.kind, self.text = kind, text


def limit_time(seconds):
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))


def little_time():
    limit_time(SLOWER * CPU_SECONDS_MOST)


def little_of_both(millions=0):
    limit_time(CPU_SECONDS_MOST * (1 + millions))
    if BYTES_MOST:  # not under AddressSanitizer, which reserves more
        resource.setrlimit(resource.RLIMIT_AS, (BYTES_MOST, BYTES_MOST))


class Tool:
    def __init__(self, path, sanitized=False):
        self.path, self.sanitized = path, sanitized
        self.environment = dict(os.environ, OMP_WAIT_POLICY="passive")

    def millions(self, words):
        """Of particles, whole ones, by a lattice: Poisson disks of two or three million take a minute."""
        if words[0] != "check" or self.sanitized:
            return 0
        with open(words[1], "rb") as scene, tempfile.NamedTemporaryFile(suffix=".yaml") as plain:
            text, disks = re.subn(rb"(sampling\W+)poisson", rb"\1lattice", scene.read())
            if not disks:
                return 0
            plain.write(text)
            plain.flush()
            found = re.search(r"([\d,]+) fluid particles", self("check", plain.name)[1])
        return int(found.group(1).replace(",", "")) // 1000000 if found else 0

    def __call__(self, *words, seconds=SECONDS_MOST, kill_after=None):
        """Exit code (None: killed), stdout and stderr; a crash, a hang or a sanitizer's report is a Failure."""
        command = [self.path, *words]
        millions = self.millions(words)
        shown = " ".join(command)
        child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL,
                                 env=self.environment, start_new_session=True,
                                 preexec_fn=little_time if self.sanitized else lambda: little_of_both(millions))
        try:
            out, err = child.communicate(timeout=kill_after or seconds)
        except subprocess.TimeoutExpired:
            child.kill()
            out, err = child.communicate()
            if kill_after:
                return None, "", ""
            raise Failure("hang", "%s\nno answer in %d s" % (shown, seconds))
        err_text = err.decode("utf-8", "replace")
        if child.returncode == -signal.SIGXCPU:
            raise Failure("hang", "%s\nno answer in %d s of the CPU" % (shown, CPU_SECONDS_MOST * (1 + millions)))
        if child.returncode < 0:
            raise Failure("signal %d" % -child.returncode, "%s\n%s" % (shown, err_text[-2000:]))
        if "LeakSanitizer has encountered a fatal error" in err_text:  # its own fault, see tests/run.sh
            self.environment["ASAN_OPTIONS"] = "detect_leaks=0"
            return self(*words, seconds=seconds, kill_after=kill_after)
        if "Sanitizer" in err_text or "runtime error:" in err_text:
            where = re.search(r"(SUMMARY: \w+: [\w-]+|\S+: runtime error)", err_text)
            raise Failure("sanitizer", "%s\n%s\n%s" % (shown, where and where.group(1), err_text[-4000:]))
        try:
            return child.returncode, out.decode("utf-8"), err.decode("utf-8")
        except UnicodeDecodeError:
            raise Failure("message that is no UTF-8", "%s\n%r" % (shown, err[-2000:]))


def judged(done, words, path, may=(0, 2)):
    """The exit code is one of these and the messages are as they should be."""
    code, out, err = done
    shown = "%s\nexit code %d\n%s" % (words, code, err[-2000:])
    if code == 1 and re.search(r"memory|\bGB\b|\bMB\b", err):
        return  # the limit on memory here
    if code not in may:
        raise Failure("exit code %d" % code, shown)
    if code == 2 and not re.search(r"^%s:\d+:\d+: error: " % re.escape(path), err, re.M):
        raise Failure("refusal without a line", shown)
    if code == 0 and re.search(r"^[^\n]*: error: ", err, re.M):
        raise Failure("error without a refusal", shown)
    if re.search(r"[\x00-\x08\x0b-\x1f\x7f]", err):
        raise Failure("control characters in a message", shown)


class Mutants:
    name = "mutants"

    def __init__(self, options):
        self.root = schema.load(options.schema)
        self.models = scenes.Models(self.root)
        self.keys = schema.keys_of(self.root)
        self.tool = Tool(options.tool)
        self.sanitized = Tool(options.sanitized, True) if options.sanitized else self.tool
        self.seed = options.seed
        self.counts = {"refused": 0, "accepted": 0, "run": 0, "under sanitizers": 0}
        self.order = list(range(len(self.keys)))
        random.Random(self.seed).shuffle(self.order)
        self.seen = set()

    def case(self, number):
        rng = random.Random("%s mutant %d" % (self.seed, number))
        path, holders = self.keys[self.order[number % len(self.order)]]
        self.seen.add(number % len(self.order))
        scene, what = mutants.mutate(self.root, scenes.scene_of(rng, self.models), path, holders, rng)
        return {"scene": scene, "what": what, "sanitized": rng.random() < 0.12, "run": rng.random() < 0.4}

    def test(self, case, folder):
        path = os.path.join(folder, "scene.yaml")
        files.write(folder)
        with open(path, "wb") as file:
            file.write(mutants.text_of(case["scene"]))
        tool = self.sanitized if case["sanitized"] else self.tool
        done = tool("check", path)
        judged(done, "check", path)
        code, out, _ = done
        self.counts["refused" if code == 2 else "accepted"] += 1
        self.counts["under sanitizers"] += tool.sanitized
        if code == 0 and "@@" not in repr(case["scene"]) and not schema.fits(self.root, self.root, case["scene"]):
            raise Failure("accepted against the schema", done[1] + done[2])
        numbers = [int(n.replace(",", "")) for n in re.findall(r"([\d,]+) (?:fluid|wall|solid) particles", out)]
        if not case["run"] or (code == 0 and not numbers) or sum(numbers) > PARTICLES_MOST:
            return
        target = os.path.join(folder, "out")
        ran = tool("run", path, "-o", target, "-q", "--steps", "2", "--threads", "1")
        judged(ran, "run", path, (0, 2, 3))
        self.counts["run"] += 1
        if code == 2 and ran[0] != 2:
            raise Failure("check refuses what run takes", "%d\n%s" % (ran[0], done[2][-1500:]))
        if ran[0] == 2 and os.path.exists(target):
            raise Failure("refused and yet written", "\n".join(os.listdir(target)) + "\n" + ran[2][-1500:])
        if ran[0] == 0:
            again = tool("check", os.path.join(target, "run.yaml"))
            judged(again, "check of run.yaml", os.path.join(target, "run.yaml"), (0,))

    def summary(self):
        return "%s; %d of %d keys" % (", ".join("%d %s" % (n, k) for k, n in self.counts.items()), len(self.seen),
                                      len(self.keys))


class Scenes:
    name = "scenes"

    def __init__(self, options):
        self.root = schema.load(options.schema)
        self.models = scenes.Models(self.root)
        self.tool = Tool(options.tool)
        self.sanitized = Tool(options.sanitized, True) if options.sanitized else None
        self.seed = options.seed
        self.backends = ["cpu-scalar", "cpu:plain"]
        self.has_device = "opencl:" in self.tool("list", "devices")[1]
        self.counts = {"runs": 0, "diverged": 0, "refused": 0, "resumed": 0, "killed": 0, "under sanitizers": 0}
        keys = re.findall(r"^[a-z]\S*", self.tool("list", "keys")[1], re.M)
        missing = scenes.forgotten(random.Random("keys"), self.models, keys)
        if missing:
            sys.exit("no random scene has %s: tests/hostile/scenes.py" % ", ".join(missing))

    def case(self, number):
        rng = random.Random("%s scene %d" % (self.seed, number))
        steps = rng.choice((6, 10, 16, 30))
        parts = sorted({rng.randrange(1, steps) for _ in range(rng.choice((1, 2)))}) + [steps]
        backends = ["cpu", "cpu-scalar"] + (["opencl"] if self.has_device else [])
        return {"scene": scenes.scene_of(rng, self.models), "what": "scene %d" % number, "steps": steps,
                "parts": [(n, rng.choice(backends), rng.choice((1, 2, 3))) for n in parts],
                "kill": rng.uniform(0.02, 0.15) if rng.random() < 0.3 else None, "sanitized": rng.random() < 0.05}

    def run(self, folder, name, path, steps, backend, threads, *more, **keys):
        target = os.path.join(folder, name)
        words = ("run", path, "-o", target, "-q", "--steps", str(steps), "--backend", backend,
                 "--threads", str(threads)) + more
        tool = self.sanitized if keys.pop("sanitized", False) else self.tool
        code, out, err = tool(*words, **keys)
        self.counts["runs"] += 1
        self.counts["under sanitizers"] += tool.sanitized
        if code is None:
            self.counts["killed"] += 1
            return None
        judged((code, out, err), " ".join(words), path, (0, 2, 3))
        state = re.search(r"^state ([0-9a-f]{16})$", out, re.M)
        end = state.group(1) if state else re.search(r"diverged at step \d+|$", err).group(0)
        return {"code": code, "end": end, "dir": target,
                "how": "%s, %d threads%s" % (backend, threads, " ".join(("",) + more)), "err": err}

    def test(self, case, folder):
        path = os.path.join(folder, "scene.yaml")
        files.write(folder)
        with open(path, "wb") as file:
            file.write(mutants.text_of(case["scene"]))
        steps = case["steps"]
        first = self.run(folder, "one", path, steps, "cpu", 1)
        if first["code"] == 2:
            self.counts["refused"] += 1
            return
        self.counts["diverged"] += first["code"] == 3
        others = [("two", "cpu", 2), ("scalar", "cpu-scalar", 3), ("plain", "cpu:plain", 2)]
        if self.has_device:
            others.append(("device", "opencl", 2))
        for name, backend, threads in others:
            same(first, self.run(folder, name, path, steps, backend, threads))
        if self.sanitized and case["sanitized"]:
            same(first, self.run(folder, "sanitized", path, steps, "cpu", 2, sanitized=True))
        if case["kill"]:
            self.run(folder, "parts", path, steps, "cpu", 2, kill_after=case["kill"])
        for end, backend, threads in case["parts"]:
            last = self.run(folder, "parts", path, end, backend, threads, "--resume")
            self.counts["resumed"] += 1
            if last["code"]:
                break
        same(first, last)

    def summary(self):
        return ", ".join("%d %s" % (n, k) for k, n in self.counts.items())


def same(first, other):
    """Two runs ended alike and left the same tables and frames."""
    if (first["code"], first["end"]) != (other["code"], other["end"]):
        raise Failure("ends differ", "%s: %d %s\n%s: %d %s\n%s"
                      % (first["how"], first["code"], first["end"], other["how"], other["code"],
                                                                 other["end"], other["err"][-1500:]))
    for name in ("stats.csv", "bodies.csv", "solids.csv", "frames.pvd", "frames", "grids", "bodies", "solids",
                 "coats", "probes", "surface"):
        a, b = os.path.join(first["dir"], name), os.path.join(other["dir"], name)
        if os.path.isdir(a):
            differ = sorted(set(os.listdir(a)) ^ set(os.listdir(b) if os.path.isdir(b) else ()))
            if not differ:
                differ = filecmp.cmpfiles(a, b, os.listdir(a), shallow=False)
                differ = differ[1] + differ[2]
        else:
            there = os.path.exists(a)
            differ = there != os.path.exists(b) or (there and not filecmp.cmp(a, b, shallow=False))
        if differ:
            raise Failure("%s differs" % name,
                          "%s and %s: %s" % (first["how"], other["how"], name if differ is True else differ[:5]))


def outcome(part, case):
    folder = tempfile.mkdtemp(prefix="hostile-")
    try:
        part.test(case, folder)
    except Failure as failure:
        return failure
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return None


def places(value, path=()):
    """Paths of all that can be taken out of a scene, largest first."""
    found = []
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) and path else ()
    for key, below in inner:
        found.append(path + (key,))
        found += places(below, path + (key,))
    return sorted(found, key=len)


def without(scene, path):
    scene = copy.deepcopy(scene)
    at = scene
    for key in path[:-1]:
        at = at[key]
    del at[path[-1]]
    return scene


def smaller(part, case, failure, seconds):
    """The case with every key taken out that the failure does not need."""
    until = time.time() + seconds
    changed = True
    while changed and time.time() < until:
        changed = False
        for path in places(case["scene"]):
            if time.time() > until:
                break
            try:
                tried = dict(case, scene=without(case["scene"], path))
            except (KeyError, IndexError, TypeError):
                continue
            found = outcome(part, tried)
            if found and found.kind == failure.kind:
                case, failure, changed = tried, found, True
    return case, failure


def keep(part, number, case, failure, options):
    os.makedirs(options.keep, exist_ok=True)
    files.write(options.keep)
    base = os.path.join(options.keep, "%s-%s-%d" % (part.name, options.seed, number))
    with open(base + "-whole.yaml", "wb") as file:
        file.write(mutants.text_of(case["scene"]))
    if failure.kind != "hang":
        case, failure = smaller(part, case, failure, options.minimise)
    text = mutants.text_of(case["scene"])
    with open(base + ".yaml", "wb") as file:
        file.write(text)
    rest = {k: v for k, v in case.items() if k != "scene"}
    report = "%s\nkind: %s\ncase: %s\n%s\n" % (base + ".yaml", failure.kind, rest, failure.text)
    with open(base + ".txt", "w", errors="replace") as file:
        file.write(report)
    print("FAIL %s\n%s" % (report, text.decode("utf-8", "replace")[:3000]), flush=True)


def turn_loose(part, options):
    """Case after case until the time is over; returns how many failed."""
    until = time.time() + options.seconds
    lock = threading.Lock()
    state = {"next": options.first, "failed": 0, "kinds": {}}
    stop = threading.Event()  # Ctrl-C: the running cases end, and the numbers so far are printed
    signal.signal(signal.SIGINT, lambda *_: stop.set())

    def work():
        while time.time() < until and not stop.is_set():
            with lock:
                number = state["next"]
                state["next"] += 1
            if options.count and number >= options.first + options.count:
                return
            case = part.case(number)
            failure = outcome(part, case)
            if not failure:
                continue
            with lock:
                state["failed"] += 1
                state["kinds"][failure.kind] = state["kinds"].get(failure.kind, 0) + 1
                often = state["kinds"][failure.kind] > options.alike
            if not often:
                keep(part, number, case, failure, options)

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for done in [pool.submit(work) for _ in range(options.jobs)]:
            done.result()
    print("%s, seed %s: %d cases, %s; %d failed %s"
          % (part.name, options.seed, state["next"] - options.first, part.summary(), state["failed"],
                                                       state["kinds"] or ""), flush=True)
    return state["failed"]


def main():
    global BYTES_MOST
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("parts", nargs="*", default=["mutants", "scenes"])
    words.add_argument("--tool", default="build/meniscus")
    words.add_argument("--sanitized", help="a build with sanitizers, for some of the cases")
    words.add_argument("--schema", default=os.path.join(HERE, "../../docs/scene.schema.json"))
    words.add_argument("--seconds", type=float, default=30, help="for each part and seed")
    words.add_argument("--seed", action="append", help="may be repeated; default: 1 and the day")
    words.add_argument("--first", type=int, default=0, help="number of the first case")
    words.add_argument("--count", type=int, default=0, help="at most so many cases")
    words.add_argument("--jobs", type=int, default=os.cpu_count())
    words.add_argument("--minimise", type=float, default=60, help="seconds to make a failing scene smaller")
    words.add_argument("--memory", type=float, default=BYTES_MOST / 2**30,
                       help="GB of addresses for a command; 0: no limit, for drivers of GPUs, which reserve many")
    words.add_argument("--alike", type=int, default=3, help="failures of one kind that are kept")
    words.add_argument("--keep", default="build/hostile", help="folder for scenes that fail")
    options = words.parse_args()
    BYTES_MOST = int(options.memory * 2**30)
    options.tool = os.path.abspath(options.tool)
    if options.sanitized and not os.access(options.sanitized, os.X_OK):
        print("left out: no build with sanitizers at %s" % options.sanitized)
        options.sanitized = None
    passed = failed = 0
    for seed in options.seed or ["1", time.strftime("%Y%m%d")]:
        options.seed = seed
        for part in options.parts:
            bad = turn_loose({"mutants": Mutants, "scenes": Scenes}[part](options), options)
            passed, failed = passed + (bad == 0), failed + (bad > 0)
    print("%d passed, %d failed" % (passed, failed))
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
