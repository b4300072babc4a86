"""Sweeps: one scene, many values; a folder for each run, a table of what came out, and a plot."""
import csv
import itertools
import json
import multiprocessing
import os
import re
from pathlib import Path
from typing import Any, Callable, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple, Union

from .runs import Run
from .scene import Scene, Source, _plain, as_scene
from .session import Session

Vary = Union[Mapping[str, Sequence[Any]], Sequence[Mapping[str, Any]]]


def last_stats(result: Run) -> Dict[str, float]:
    """The last row of stats.csv: what a sweep tells of each run if it is not told otherwise."""
    row = result.stats[-1]
    return {name: row[name].item() for name in row.dtype.names}


def _cases(vary: Vary) -> List[Dict[str, Any]]:
    if isinstance(vary, Mapping):
        keys = list(vary)
        return [dict(zip(keys, values)) for values in itertools.product(*(vary[key] for key in keys))]
    return [dict(case) for case in vary]


def _folder(case: Mapping[str, Any]) -> str:
    """A name that tells the values: fluids.water.density=900,gravity=0_-1_0."""
    text = ",".join(f"{key}={value if isinstance(value, str) else json.dumps(_plain(value))}"
                    for key, value in case.items())
    return re.sub(r"_+", "_", re.sub(r"[^A-Za-z0-9.=,+-]+", "_", text)).strip("_")[:180] or "run"


def _run_case(job: Tuple[str, Dict[str, Any], str, Dict[str, Any], Optional[Callable[[Run], Mapping[str, Any]]]]
              ) -> Dict[str, Any]:
    """One run, resumed where it was left; its results are kept beside it. A failed one tells why."""
    text, case, folder, options, measure = job
    kept = Path(folder) / "result.json"
    if kept.is_file():
        return json.loads(kept.read_text(encoding="utf-8"))
    try:
        session = Session(Scene(text, set=case), folder, resume=Path(folder, "run.yaml").is_file(), **options)
        try:
            session.run()
        finally:
            session.close()
        found = dict((measure or last_stats)(Run(folder)))
        failed = ""
    except Exception as error:  # pylint: disable=broad-except
        found, failed = {}, str(error).splitlines()[0] if str(error) else type(error).__name__
    result = {**_plain(case), **_plain(found), "error": failed}
    if not failed:
        kept.write_text(json.dumps(result), encoding="utf-8")
    return result


class Sweep:
    """The results of a sweep: `rows` (dicts), `path` of the csv; `table`, a DataFrame, where pandas is installed."""

    def __init__(self, rows: List[Dict[str, Any]], folders: List[Path], path: Path):
        self.rows, self.folders, self.path = rows, folders, path

    @property
    def table(self):
        """A pandas DataFrame, or the rows where there is no pandas."""
        try:
            import pandas  # pylint: disable=import-outside-toplevel
        except ImportError:
            return self.rows
        return pandas.DataFrame(self.rows)

    @property
    def runs(self) -> List[Run]:
        """The runs, in the order of the rows; of failed ones what there is."""
        return [Run(folder) for folder in self.folders]

    def column(self, name: str) -> List[Any]:
        """One column, in the order of the rows."""
        return [row.get(name) for row in self.rows]

    def plot(self, x: str, y: Union[str, Iterable[str]], path: "os.PathLike[str] | str | None" = None):
        """Draws columns over another one (needs matplotlib); the figure, written to `path` if it is given."""
        from matplotlib.figure import Figure  # pylint: disable=import-outside-toplevel
        figure = Figure(figsize=(6, 4))
        axes = figure.add_subplot()
        good = [row for row in self.rows if not row.get("error")]
        for name in [y] if isinstance(y, str) else y:
            points = sorted((row[x], row[name]) for row in good)
            axes.plot([p[0] for p in points], [p[1] for p in points], "o-", label=name)
        axes.set_xlabel(x)
        axes.legend()
        axes.grid(alpha=0.3)
        figure.tight_layout()
        if path is not None:
            figure.savefig(path, dpi=120)
        return figure

    def __len__(self) -> int:
        return len(self.rows)


def sweep(scene: Source, vary: Vary, *, out: "os.PathLike[str] | str", workers: int = 1, threads: int = 0,
          measure: Optional[Callable[[Run], Mapping[str, Any]]] = None, **options) -> Sweep:
    """Runs a scene for many values: {key: values} is a grid, a list of {key: value} one run each.

    Each run has a folder below `out`; done ones are not run again, interrupted ones are resumed: call it once more with
    the same arguments. `measure(run)` returns the columns that the table has beside the values (default: the last row
    of stats.csv); with several workers it must be a function of a module. `threads`: of each run; 0: its share of the
    cores. Further options as of Session. The table is `out`/sweep.csv.
    """
    text = as_scene(scene).text
    root = Path(out)
    root.mkdir(parents=True, exist_ok=True)
    cores = os.cpu_count() or 1
    options.setdefault("threads", threads or max(1, cores // max(1, workers)))
    jobs = [(text, case, str(root / _folder(case)), options, measure) for case in _cases(vary)]
    folders = [Path(job[2]) for job in jobs]
    if len(set(folders)) != len(folders):
        raise ValueError("two cases of the sweep have the same values")
    if workers > 1:
        with multiprocessing.get_context("spawn").Pool(workers) as pool:
            rows = pool.map(_run_case, jobs, chunksize=1)
    else:
        rows = [_run_case(job) for job in jobs]
    names = list(dict.fromkeys(name for row in rows for name in row))
    path = root / "sweep.csv"
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, names)
        writer.writeheader()
        writer.writerows(rows)
    return Sweep(rows, folders, path)
