"""Sweeps: one scene, many values; a folder for each run, a table of what came out, and a plot."""
import csv
import hashlib
import itertools
import json
import os
import re
import subprocess
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Callable, Dict, Iterable, List, Mapping, NamedTuple, Optional, Sequence, Union

from ._library import tool
from .errors import BadInput
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


class _Job(NamedTuple):
    """One run of a sweep."""

    scene: Scene
    case: Dict[str, Any]
    folder: Path
    options: Dict[str, Any]

    @property
    def _note(self) -> Path:
        return self.folder / "sweep.json"

    def _kept(self) -> Dict[str, Any]:
        """What its folder knows of itself: {"scene": a hash, "done": where it was to end}."""
        try:
            return dict(json.loads(self._note.read_text(encoding="utf-8")))
        except (OSError, ValueError):
            return {}

    def _mark(self, done: bool) -> Dict[str, Any]:
        ends = {name: self.options[name] for name in ("until", "steps") if name in self.options}
        return {"scene": hashlib.sha256(self.scene.text.encode()).hexdigest(), "done": _plain(ends) if done else None}

    def check(self) -> None:
        """A run of another scene in its folder is neither taken for this one nor thrown away."""
        kept = self._kept().get("scene")
        if kept not in (None, self._mark(False)["scene"]) and not self.options.get("overwrite"):
            raise BadInput([], f"{self.folder} holds a run of another scene; expected another folder, or "
                               "overwrite=True")

    def is_done(self) -> bool:
        """Whether its folder holds this very run, finished."""
        return self._kept() == self._mark(True)

    def note(self, done: bool) -> None:
        """Leaves in the folder what it holds."""
        self.folder.mkdir(parents=True, exist_ok=True)
        self._note.write_text(json.dumps(self._mark(done)), encoding="utf-8")


def _run_case(job: _Job, stop: threading.Event) -> str:
    """One run, resumed where it was left; why it failed, or nothing."""
    overwrite = job.options.get("overwrite", False)
    if job.is_done() and not overwrite:
        return ""
    try:
        session = Session(job.scene, job.folder, resume=not overwrite, **job.options)
        try:
            job.note(False)
            while not session.done and not stop.is_set():
                session.step()
            done = session.done
        finally:
            session.close()
        if done:
            job.note(True)
        return "" if done else "interrupted"
    except Exception as error:  # pylint: disable=broad-except
        return str(error).splitlines()[0] if str(error) else type(error).__name__


def _run_all(jobs: Sequence[_Job], workers: int) -> List[str]:
    """Runs in threads, each with a world of its own. Ctrl-C ends all of them between two steps, with checkpoints."""
    stop = threading.Event()
    with ThreadPoolExecutor(max(1, workers)) as pool:
        waiting = [pool.submit(_run_case, job, stop) for job in jobs]
        try:
            return [future.result() for future in waiting]
        except BaseException:
            stop.set()
            for future in waiting:
                future.cancel()
            raise


def _row(job: _Job, failed: str, measure: Callable[[Run], Mapping[str, Any]]) -> Dict[str, Any]:
    """Values, what was measured, and why there is none."""
    found: Mapping[str, Any] = {}
    if not failed:
        try:
            found = measure(Run(job.folder))
        except Exception as error:  # pylint: disable=broad-except
            failed = f"measure: {type(error).__name__}: {error}"
    return {**_plain(job.case), **_plain(dict(found)), "error": failed}


class Sweep:
    """The results of a sweep: `rows` (dicts), `path` of the csv; `table`, a DataFrame, where pandas is installed."""

    def __init__(self, rows: List[Dict[str, Any]], folders: List[Path], path: Path):
        self.rows, self.folders, self.path = rows, folders, path

    @property
    def table(self):
        """A pandas DataFrame, or the rows where there is no pandas."""
        try:
            import pandas  # type: ignore[import]  # pylint: disable=import-outside-toplevel
        except ImportError:
            return self.rows
        return pandas.DataFrame(self.rows)

    @property
    def runs(self) -> List[Run]:
        """The runs, in the order of the rows, without those that could not begin."""
        return [Run(folder) for folder in self.folders if (folder / "run.yaml").is_file()]

    def column(self, name: str) -> List[Any]:
        """One column, in the order of the rows."""
        return [row.get(name) for row in self.rows]

    def plot(self, x: str, y: Union[str, Iterable[str]], path: "os.PathLike[str] | str | None" = None):
        """Draws columns over another one; the figure of matplotlib, written to `path` if it is given. Without
        matplotlib `meniscus plot` draws them into `path`."""
        good = [row for row in self.rows if not row.get("error")]
        columns = [y] if isinstance(y, str) else list(y)
        for name in [x] + columns:
            if not good or not all(name in row for row in good):
                raise ValueError(f"the table has no column '{name}'; expected one of "
                                 f"{', '.join(good[0]) if good else 'a run that did not fail'}")
        try:
            # pylint: disable-next=import-outside-toplevel
            from matplotlib.figure import Figure  # type: ignore[import]
        except ImportError:
            if path is None:
                raise
            subprocess.run([tool(), "plot", str(self.path), *columns, "--x", x, "-o", os.fspath(path), "--overwrite",
                            "-q"], check=True)
            return None
        figure = Figure(figsize=(6, 4))
        axes = figure.add_subplot()
        for name in columns:
            points = sorted((row[x], row[name]) for row in good)
            axes.plot([p[0] for p in points], [p[1] for p in points], "o-", label=name)
        axes.set_xlabel(x)
        if isinstance(y, str):
            axes.set_ylabel(y)
        else:
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
    the same arguments. A folder that holds a run of another scene is a BadInput, unless overwrite=True. `measure(run)`
    returns the columns that the table has beside the values (default: the last row of stats.csv); it is asked anew in
    every call. `workers`: runs at a time, in threads. `threads`: of each run; 0: its share of the cores. Further
    options as of Session (backend, until, steps, preview, overwrite). The table is `out`/sweep.csv; a run that failed
    has the reason in its column "error".
    """
    base = as_scene(scene).text
    root = Path(out)
    root.mkdir(parents=True, exist_ok=True)
    options.setdefault("threads", threads or max(1, (os.cpu_count() or 1) // max(1, workers)))
    jobs: List[_Job] = []
    wrong: Dict[int, Any] = {}
    for case in _cases(vary):
        try:
            jobs.append(_Job(Scene(base, set=case), case, root / _folder(case), options))
        except BadInput as error:
            wrong[len(jobs) + len(wrong)] = (case, str(error).splitlines()[0])
    if len({job.folder for job in jobs}) != len(jobs):
        raise ValueError("two cases of the sweep have the same values")
    for job in jobs:
        job.check()
    failed = _run_all(jobs, workers)
    rows = [_row(job, why, measure or last_stats) for job, why in zip(jobs, failed)]
    folders = [job.folder for job in jobs]
    for at, (case, why) in wrong.items():
        rows.insert(at, {**_plain(case), "error": why})
        folders.insert(at, root / _folder(case))
    names = list(dict.fromkeys(name for row in rows for name in row))
    path = root / "sweep.csv"
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, names)
        writer.writeheader()
        writer.writerows(rows)
    return Sweep(rows, folders, path)
