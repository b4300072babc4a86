#!/usr/bin/env python3
"""paper_times.py MENISCUS [OPTION ...] -- times that the papers print, ours beside them, as Markdown tables.

    python3 tools/paper_times.py build/meniscus                       # all, at the published sizes
    python3 tools/paper_times.py build/meniscus --only jeske-2
    python3 tools/paper_times.py build/meniscus --backend opencl:gpu

Runs scenes in --work (build/paper_times) for so many steps (whole, for Wang et al.) and reads timing.csv and stats.csv.
Only numbers of an idle machine mean something. Python alone is needed, nothing else."""
import argparse
import csv
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def simulate(args, scene, steps):
    """Rows of timing.csv and stats.csv of a run; steps 0: to the scene's end."""
    folder = os.path.join(args.work, scene.replace("/", "-"))
    words = [args.meniscus, "run", f"scenes/{scene}.yaml", "-o", folder, "--overwrite", "-q", "--threads",
             str(args.threads), "--set", "output.every=1000"]
    if args.backend:
        words += ["--backend", args.backend]
    if steps:
        words += ["--steps", str(steps)]
    subprocess.run(words, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    return [list(csv.DictReader(open(os.path.join(folder, name), encoding="utf-8")))
            for name in ("timing.csv", "stats.csv")]


def mean(rows, column):
    return sum(float(row[column]) for row in rows) / len(rows)


def milliseconds(timing):
    """Wall time of a step, ms, without the first, which makes lists and programs."""
    return 1000 * mean(timing[1:] or timing, "wall_seconds")


def jeske_1(args):
    """Jeske et al. 2023, table 1: sphere under rising tension; tension alone, then with the pressure coupled to it."""
    print("| coupling | tension, ms: paper | ours | with pressure: paper | ours | pressure iterations: paper | ours |")
    print("|---|---|---|---|---|---|---|")
    for name, tension, whole, iterations in (("explicit", 3.95, 12.61, 4.13), ("implicit", 9.34, 44.74, 49.89),
                                             ("strong", 31.92, 154.51, 209.75)):
        timing, stats = simulate(args, f"jeske2023/sphere-stability-{name}", args.steps)
        own = 1000 * mean(timing[1:], "forces" if name == "explicit" else "velocity")
        both = own + 1000 * (mean(timing[1:], "pressure") + mean(timing[1:], "divergence"))
        print(f"| {name} | {tension} | {own:.2f} | {whole} | {both:.2f} | {iterations} | "
              f"{mean(stats, 'pressure_iterations'):.1f} |", flush=True)


def jeske_2(args):
    """Jeske et al. 2023, table 2: double droplet, crown. Time step and mean time of a step."""
    print("| method | paper's step, ms | droplet, ms a step: paper | ours | crown, ms a step: paper | ours |")
    print("|---|---|---|---|---|---|")
    for name, step, droplet, crown in (("", 2.0, 1.90, 22.00), ("-weak", 2.0, 3.06, 36.57),
                                       ("-akinci2013", 1.0, 2.91, 32.60), ("-becker2007", 0.5, 1.51, 21.69),
                                       ("-he2014", 0.5, 1.92, 32.25), ("-zorilla2020", 0.8, 24.21, 436.10)):
        ours = milliseconds(simulate(args, f"jeske2023/double-droplet{name}", args.steps)[0])
        pool = "–"
        if name != "-weak":
            pool = f"{milliseconds(simulate(args, 'jeske2023/crown' + (name or '-jeske2023'), args.steps)[0]):.2f}"
        print(f"| {name[1:] or 'jeske2023'} | {step} | {droplet} | {ours:.2f} | {crown} | {pool} |", flush=True)


def wang_2(args):
    """Wang et al. 2017, table 2: computing time of whole runs; the paper's length is not given."""
    print("| scene | paper: akinci2013, wang2017, s | ratio | ours, s | ratio |")
    print("|---|---|---|---|---|")
    for name, theirs, their_own in (("square-on-tablet", 331, 224), ("cube-into-water", 794, 442)):
        ours = [sum(float(row["wall_seconds"]) for row in simulate(args, f"wang2017/{name}{m}", 0)[0])
                for m in ("-akinci2013", "")]
        print(f"| {name} | {theirs}, {their_own} | {their_own / theirs:.2f} | {ours[0]:.1f}, {ours[1]:.1f} | "
              f"{ours[1] / ours[0]:.2f} |", flush=True)


def orthmann(args):
    """Orthmann et al. 2013, table 1: particles a second (GTX 580)."""
    print("| scene | paper: particles, ms a step | million particles a second | ours: particles, ms a step | million |")
    print("|---|---|---|---|---|")
    for name, particles, step in (("pan", 541000, 160), ("flood", 1100000, 261), ("cylinder", 891000, 227),
                                  ("room", 750000, 252)):
        timing, stats = simulate(args, f"orthmann2013/{name}", args.steps)
        last, few = timing[-max(2, len(timing) // 10):], stats[-max(2, len(stats) // 10):]
        ours, count = milliseconds(last), mean(few, "particles")
        print(f"| {name} | {particles:,}, {step} | {particles / step / 1000:.1f} | {count:,.0f}, {ours:.1f} | "
              f"{count / ours / 1000:.1f} |", flush=True)


TABLES = {"jeske-1": jeske_1, "jeske-2": jeske_2, "wang-2": wang_2, "orthmann": orthmann}


def main():
    parser = argparse.ArgumentParser(usage="%(prog)s MENISCUS [OPTION ...]", description=__doc__.split("\n")[0])
    parser.add_argument("meniscus")
    parser.add_argument("--only", action="append", choices=TABLES, default=[], help="this table; may be repeated")
    parser.add_argument("--steps", type=int, default=500, help="of a run, except Wang's (default: 500)")
    parser.add_argument("--threads", type=int, default=0, help="0: all cores (default)")
    parser.add_argument("--backend", help="of the runs")
    parser.add_argument("--work", default=os.path.join(ROOT, "build", "paper_times"), help="runs")
    args = parser.parse_args()
    args.meniscus = os.path.abspath(args.meniscus)
    for name, table in TABLES.items():
        if not args.only or name in args.only:
            print("\n" + table.__doc__ + "\n")
            table(args)
    return 0


if __name__ == "__main__":
    sys.exit(main())
