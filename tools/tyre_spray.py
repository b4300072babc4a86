#!/usr/bin/python3
"""tyre_spray.py WITH WITHOUT [--at S] [--steady FROM TO] -- the spray of gissler2017/tyre, run with and without drag,
against the equations of Gissler et al. 2017. Wants numpy (Debian: python3-numpy).

    build/meniscus run scenes/gissler2017/tyre.yaml -o out/with --set output.every=0.1
    build/meniscus run scenes/gissler2017/tyre.yaml -o out/without --set output.every=0.1 \\
        --set "fluids.0.drag={model: gissler2017, strength: 0}"
    python3 tools/tyre_spray.py out/with out/without --at 0.6 --steady 2 8

Drops: particles with no other within two spacings. --at: all water beyond --behind at a moment, as `meniscus validate
tyre` takes it. --steady: what falls through heights of -1 and -2 m beyond 0.3 m, each particle counted by its speed of
fall. "By the equations": the single drops of WITHOUT, traced back along their parabolas to the tyre, and flown from
there with the paper's drag of a lone drop."""
import argparse
import glob
import os
import re

import numpy as np

GRAVITY, SLAB = 9.81, 0.05


def read_frame(path):
    """Time, positions and velocities."""
    data = np.fromfile(path, np.uint8)
    head = data[:1 << 16].tobytes()
    mark = head.index(b'<AppendedData encoding="raw">')
    start, text = head.index(b"_", mark) + 1, head[:mark].decode()
    count = int(re.search(r'NumberOfPoints="(\d+)"', text).group(1))
    arrays = []
    for name in ("Points", "velocity"):
        at = start + 8 + int(re.search(rf'Name="{name}" NumberOfComponents="3" format="appended" offset="(\d+)"',
                                       text).group(1))
        arrays.append(data[at:at + 12 * count].view("<f4").reshape(count, 3).astype(float))
    return float(re.search(r'Name="TimeValue"[^>]*>([^<]+)<', text).group(1)), *arrays


def read_frames(folder, first, last):
    for path in sorted(glob.glob(os.path.join(folder, "frames", "frame_*.vtp"))):
        with open(path, "rb") as file:
            time = float(re.search(rb'Name="TimeValue"[^>]*>([^<]+)<', file.read(4096)).group(1))
        if first - 1e-6 <= time <= last + 1e-6:
            yield read_frame(path)


def find_single(x, reach):
    """Which have no other within that reach."""
    cell = np.floor(x / reach).astype(np.int64) + (1 << 20)
    key = cell @ np.array([1, 1 << 21, 1 << 42])
    order = np.argsort(key, kind="stable")
    of, single = key[order], np.ones(len(x), bool)
    for shift in sorted((z << 42) + (y << 21) + x for x in (0, -1, 1) for y in (0, -1, 1) for z in (0, -1, 1)):
        left = np.flatnonzero(single)
        low, high = np.searchsorted(of, key[left] + shift), np.searchsorted(of, key[left] + shift, "right")
        while len(left):
            keep = low < high
            left, low, high = left[keep], low[keep], high[keep]
            if len(left):
                other = order[low]
                far = ((x[left] - x[other])**2).sum(1) >= reach**2
                keep = far | (other == left)
                single[left[~keep]] = False
                left, low, high = left[keep], low[keep] + 1, high[keep]
    return single


class Drop:
    """A lone drop of spacing d by the paper's equations."""

    def __init__(self, d):
        self.d, self.radius = d, 0.620350491 * d

    def braking(self, v):
        """k of v' = -k v^2, 1/m"""
        air, r, v = 1.2041, self.radius, np.maximum(v, 1e-6)
        reynolds, y = 2 * air * v * r / 1.845e-5, np.minimum(1, air * r * v * v / (12 * 0.0724))
        sphere = np.where(reynolds > 1000, 0.424, 24 / reynolds * (1 + reynolds**(2 / 3) / 6))
        return 0.5 * air * sphere * (1 + 2.632 * y) * np.pi * (r * (1 + 0.5 * y))**2 / (1000 * self.d**3)

    def terminal(self):
        v = np.linspace(0.1, 20, 199001)
        return float(v[np.argmax(self.braking(v) * v * v > GRAVITY)])

    def acceleration(self, v):
        speed = np.linalg.norm(v, axis=1)
        return -(self.braking(speed) * speed)[:, None] * v - [0, GRAVITY, 0]

    def fly(self, x, v, time=None, height=None):
        """Where they are and how fast, after these times or at that height. Midpoint rule, steps of 0.5 ms."""
        x, v, dt = x.copy(), v.copy(), 0.0005
        going, left = np.ones(len(x), bool), np.full(len(x), 6.0) if time is None else time.copy()
        while going.any():
            k = np.flatnonzero(going)
            h = np.minimum(dt, left[k])[:, None]
            middle = v[k] + 0.5 * h * self.acceleration(v[k])
            to = x[k] + h * middle
            if height is not None:
                part = np.clip((x[k, 1] - height) / np.maximum(x[k, 1] - to[:, 1], 1e-12), 0, 1)
                through = (to[:, 1] <= height) & (x[k, 1] > height)
                to = np.where(through[:, None], x[k] + part[:, None] * (to - x[k]), to)
                going[k[through]] = False
            v[k] += h * self.acceleration(middle)
            x[k], left[k] = to, left[k] - h[:, 0]
            going[k[left[k] <= 1e-12]] = False
        return x, v


def trace_back(x, v, tyre):
    """Along parabolas to the tyre (x, y of its axis, radius), or to where they are nearest: place, velocity, time."""
    best, at = np.full(len(x), np.inf), np.zeros(len(x))
    for t in np.arange(0, 2.5, 0.001):
        away = np.hypot(x[:, 0] - t * v[:, 0] - tyre[0], x[:, 1] - t * v[:, 1] - 0.5 * GRAVITY * t * t - tyre[1])
        nearer = (away < best) & (best > tyre[2])
        best, at = np.where(nearer, away, best), np.where(nearer, t, at)
    start = x - at[:, None] * v
    start[:, 1] -= 0.5 * GRAVITY * at**2
    return start, v + at[:, None] * [0, GRAVITY, 0], at


def quantile(values, weights, part):
    order = np.argsort(values)
    sums = np.cumsum(weights[order])
    return float(values[order][np.searchsorted(sums, part * sums[-1])])


def mean(values, weights):
    return float((values * weights).sum() / weights.sum())


def say(what, *numbers):
    print(f"{what:74s}", *(f"{n:9.4g}" for n in numbers), flush=True)


def compare_moment(args, drop, tyre):
    """As cli/validate_spray.c does; and by the equations with gravity."""
    got = {}
    for name, folder in (("with", args.with_drag), ("without", args.without)):
        time, x, v = next(read_frames(folder, args.at, args.at))
        k = np.flatnonzero(x[:, 0] >= args.behind)
        near = np.flatnonzero(x[:, 0] >= args.behind - 3 * drop.d)
        single = find_single(x[near], 2 * drop.d)[x[near, 0] >= args.behind]
        s = k[single]
        ahead = np.maximum(v[k, 0], 1e-9)  # what flies back did not come here from the tyre
        up = ((v[k, 0] > 0) & (v[k, 1] + GRAVITY * x[k, 0] / ahead > np.tan(np.radians(5)) * ahead)).mean()
        lone_speed = np.sqrt(np.maximum((v[s]**2).sum(1) + 2 * GRAVITY * x[s, 1], 0)).mean()
        left = np.exp(-drop.braking(5.556) * np.linalg.norm(x[s], axis=1)).mean()
        got[name] = dict(all=np.quantile(x[k, 0], 0.9), far=np.quantile(x[s, 0], 0.9), up=up, energy=lone_speed,
                         left=left, speed=np.linalg.norm(v[s], axis=1).mean(), share=single.mean(), count=len(k))
        if name == "without":
            start, first, flown = trace_back(x[s], v[s], tyre)
    a, b, k = got["with"], got["without"], drop.braking(5.556)
    to, then = drop.fly(start, first, time=flown)
    there = to[:, 0] >= args.behind
    say(f"at {args.at:g} s: water beyond {args.behind:g} m, particles: with, without drag", a["count"], b["count"])
    say("  of it single drops", a["share"], b["share"])
    say("  nine tenths of all water within, m: with, without, ratio", a["all"], b["all"], a["all"] / b["all"])
    say("  nine tenths of the single drops, the same", a["far"], b["far"], a["far"] / b["far"])
    say("    by the case's formula, ratio of the two ratios", np.log(1 + k * b["far"]) / (k * b["far"]),
        a["far"] / b["far"] / (np.log(1 + k * b["far"]) / (k * b["far"])))
    far = np.quantile(to[there, 0], 0.9) / b["far"]
    say("    by the equations with gravity, the same", far, a["far"] / b["far"] / far)
    say("  speed left, from energy, by the case's formula, ratio", a["energy"] / b["energy"], a["left"],
        a["energy"] / b["energy"] / a["left"])
    speed = np.linalg.norm(then[there], axis=1).mean()
    say("  mean speed of single drops, m/s: with, without, by the equations, ratio", a["speed"], b["speed"], speed,
        a["speed"] / speed)
    say("  left upwards by 5 degrees or more: with, without", a["up"], b["up"])


class Fallen:
    """What falls through a height, of all frames."""

    def __init__(self, height, d):
        self.height, self.d, self.parts = height, d, []

    def add(self, x, v):
        near = np.flatnonzero((np.abs(x[:, 1] - self.height) <= SLAB + 2 * self.d) & (x[:, 0] > 0.3 - 2 * self.d))
        single = find_single(x[near], 2 * self.d)
        inside = (np.abs(x[near, 1] - self.height) <= SLAB) & (x[near, 0] > 0.3) & (v[near, 1] < 0)
        self.parts.append((x[near][inside], v[near][inside], single[inside]))

    def sum_up(self):
        self.x, self.v, self.single = (np.concatenate([p[k] for p in self.parts]) for k in range(3))
        self.weight = -self.v[:, 1]
        self.speed = np.linalg.norm(self.v, axis=1)


def compare_steady(args, drop, tyre):
    heights, runs = (-1.0, -2.0), []
    for folder in (args.with_drag, args.without):
        fallen, counts = [Fallen(h, drop.d) for h in heights], []
        for time, x, v in read_frames(folder, *args.steady):
            counts.append(len(x))
            for f in fallen:
                f.add(x, v)
        for f in fallen:
            f.sum_up()
        runs.append((fallen, np.array(counts)))
    (a, n), (b, m) = runs
    half = lambda c: c[len(c) // 2:].mean() / c[:len(c) // 2].mean() - 1
    say(f"from {args.steady[0]:g} to {args.steady[1]:g} s: frames with, without drag", len(n), len(m))
    say("  particles in the air: with, without", n.mean(), m.mean())
    say("  change from the first half of that time to the second", half(n), half(m))
    limit = drop.terminal()
    say("  terminal speed of a lone drop, m/s", limit)
    gain = []
    for k, height in enumerate(heights):
        p, q = a[k], b[k]
        say(f"  through {height:g} m, particles counted: with, without", len(p.x), len(q.x))
        say("    of the water single drops", mean(p.single, p.weight), mean(q.single, q.weight))
        for name, part in (("half", 0.5), ("nine tenths", 0.9)):
            far = [quantile(f.x[:, 0], f.weight, part) for f in (p, q)]
            say(f"    {name} of all water within, m: with, without, ratio", *far, far[0] / far[1])
        s, t = p.single, q.single
        start, first, _ = trace_back(q.x[t], q.v[t], tyre)
        to, then = drop.fly(start, first, height=height)
        for name, part in (("half", 0.5), ("nine tenths", 0.9)):
            far = [quantile(f.x[f.single, 0], f.weight[f.single], part) for f in (p, q)]
            own = quantile(to[:, 0], q.weight[t], part)
            say(f"    {name} of the single drops, the same; by the equations; ratio of ratios", *far, far[0] / far[1],
                own / far[1], far[0] / own)
        speeds = [mean(f.speed[f.single], f.weight[f.single]) for f in (p, q)]
        say("    mean speed of single drops, m/s: with, without; by the equations; ratio", *speeds,
            mean(np.linalg.norm(then, axis=1), q.weight[t]),
            speeds[0] / mean(np.linalg.norm(then, axis=1), q.weight[t]))
        say("    the same over the terminal speed", *(v / limit for v in speeds))
        say("    a tenth, half, nine tenths of them slower than, over it: with",
            *(quantile(p.speed[s], p.weight[s], c) / limit for c in (0.1, 0.5, 0.9)))
        say("    without", *(quantile(q.speed[t], q.weight[t], c) / limit for c in (0.1, 0.5, 0.9)))
        say("    mean speed of all water, m/s: with, without", mean(p.speed, p.weight), mean(q.speed, q.weight))
        gain.append(speeds)
    say("  gain of single drops' speed between the heights, m/s: with, without, ratio", *(gain[1][k] - gain[0][k]
                                                                                         for k in (0, 1)),
        (gain[1][0] - gain[0][0]) / (gain[1][1] - gain[0][1]))


def main():
    parser = argparse.ArgumentParser(usage="%(prog)s WITH WITHOUT [OPTION ...]", description=__doc__.split("\n")[0])
    parser.add_argument("with_drag", metavar="WITH", help="folder of a run")
    parser.add_argument("without", metavar="WITHOUT", help="and of the same without drag")
    parser.add_argument("--at", type=float, help="a moment, s")
    parser.add_argument("--behind", type=float, default=0.3, help="m: water beyond this has left the tyre")
    parser.add_argument("--steady", type=float, nargs=2, metavar=("FROM", "TO"), help="s")
    parser.add_argument("--spacing", type=float, default=0.001, help="m")
    parser.add_argument("--tyre", type=float, nargs=3, default=(0, 0.1525, 0.152), metavar=("X", "Y", "RADIUS"),
                        help="its axis, and where water has left it, m")
    args = parser.parse_args()
    drop = Drop(args.spacing)
    if args.at is not None:
        compare_moment(args, drop, args.tyre)
    if args.steady:
        compare_steady(args, drop, args.tyre)


main()
