"""Runs read back from their folders: frames are read when they are asked for, and field by field."""
import os
import re
from pathlib import Path
from typing import Dict, Iterator, List, Optional, Tuple

import numpy as np

from ._library import ffi, lib
from .errors import Messages
from .measures import Measured, measures

_TYPES = {"Float32": "f4", "Float64": "f8", "Int32": "i4", "Int64": "i8", "UInt8": "u1", "UInt64": "u8"}


class Frame:
    """One frame: frame["velocity"] is mapped from the file (nothing is read before it is used); in order of ids."""

    def __init__(self, path: Path):
        self.path = Path(path)
        self.number = int(re.findall(r"(\d+)\.vtp$", self.path.name)[0])
        with open(self.path, "rb") as file:
            head = file.read(1 << 16)
        mark = b'<AppendedData encoding="raw">'
        at = head.find(mark)
        if at < 0:
            raise ValueError(f"{path}: this is not a frame of meniscus; expected VTK PolyData with appended raw data")
        self._start = head.index(b"_", at + len(mark)) + 1
        text = head[:at].decode()
        order = "<" if 'byte_order="LittleEndian"' in text else ">"
        self._arrays: Dict[str, Tuple[str, int, int]] = {}
        for kind, name, width, offset in re.findall(
                r'<DataArray type="(\w+)" Name="([^"]+)" NumberOfComponents="(\d+)" format="appended" offset="(\d+)"',
                text):
            self._arrays["position" if name == "Points" else name] = (order + _TYPES[kind], int(width), int(offset))
        self.count = int(re.findall(r'NumberOfPoints="(\d+)"', text)[0])
        found = re.findall(r'Name="TimeValue"[^>]*>([^<]+)<', text)
        self.time = float(found[0]) if found else float("nan")
        for name in ("connectivity", "offsets"):
            self._arrays.pop(name, None)

    @property
    def fields(self) -> List[str]:
        """Names of its fields; position is always there."""
        return list(self._arrays)

    def __getitem__(self, field: str) -> np.ndarray:
        if field not in self._arrays:
            raise KeyError(f"no field '{field}' in {self.path.name}; expected one of {', '.join(self._arrays)}")
        kind, width, offset = self._arrays[field]
        if self.count == 0:
            return np.zeros((0, width) if width > 1 else 0, kind)
        shape = (self.count, width) if width > 1 else (self.count,)
        return np.memmap(self.path, dtype=kind, mode="r", offset=self._start + offset + 8, shape=shape)

    def __len__(self) -> int:
        return self.count

    def __repr__(self) -> str:
        return f"<meniscus.Frame {self.number}, {self.count} particles, {self.time:g} s>"


class Run:
    """The folder of a run: len(run), run[k] and iteration give its frames, run.stats its table."""

    def __init__(self, dir: "os.PathLike[str] | str"):  # pylint: disable=redefined-builtin
        self.dir = Path(dir)
        if not (self.dir / "run.yaml").is_file():
            raise FileNotFoundError(f"{self.dir} holds no run; expected run.yaml in it")
        self._paths = sorted((self.dir / "frames").glob("frame_*.vtp"))

    @property
    def scene(self) -> str:
        """The scene as run, as YAML: meniscus.World(run.scene) starts it again."""
        return (self.dir / "run.yaml").read_text(encoding="utf-8")

    def __len__(self) -> int:
        return len(self._paths)

    def __getitem__(self, index):
        if isinstance(index, slice):
            return [Frame(path) for path in self._paths[index]]
        return Frame(self._paths[index])

    def __iter__(self) -> Iterator[Frame]:
        return (Frame(path) for path in self._paths)

    def table(self, name: str) -> np.ndarray:
        """A table of the folder as a structured array: stats, timing, bodies, solids, measure."""
        return _read_table(self.dir / f"{name}.csv")

    @property
    def stats(self) -> np.ndarray:
        """stats.csv: one row for each step, or each stats.every."""
        return self.table("stats")

    def surface(self, number: int) -> Path:
        """The mesh of the liquid's surface in frame `number` (scenes with output.surface)."""
        found = sorted((self.dir / "surface").glob(f"frame_{number:05d}*"))
        if not found:
            raise FileNotFoundError(f"{self.dir} has no mesh of frame {number}; expected output.surface in the scene, "
                                    "or `meniscus mesh`")
        return found[0]

    def _open(self):
        """The folder as the library reads it: frames that came since are found."""
        say = Messages()
        return ffi.gc(say.need(lib.mn_replay_open(os.fsencode(self.dir), say.list), "no run"), lib.mn_replay_free)

    def measured(self, number: int = -1, fluid: Optional[str] = None, wall: Optional[str] = None,
                 least: int = 8) -> Measured:
        """Frame `number` (negative: from the end) made ready to be measured: angles, drops, heights, flows."""
        replay = self._open()
        if number < 0:
            number = lib.mn_replay_number(replay, lib.mn_replay_count(replay) + number)
        return Measured(lambda options, say: lib.mn_measured_load(replay, number, options, say), replay, fluid, wall,
                        least)

    def measure(self, *what: str, fluid: Optional[str] = None, wall: Optional[str] = None,
                least: int = 8) -> np.ndarray:
        """Numbers of all frames as a structured array: run.measure("contact", wall="floor"); see measures()."""
        known, replay, rows = measures(), self._open(), []
        for k in range(lib.mn_replay_count(replay)):
            number = lib.mn_replay_number(replay, k)
            m = Measured(lambda options, say, n=number: lib.mn_measured_load(replay, n, options, say), replay, fluid,
                         wall, least)
            rows.append((number, m.time, *m.take(*what).values()))
        columns = [name for measure in what for name in known[measure]]
        return np.array(rows, dtype=[("frame", "i8"), ("time", "f8")] + [(name, "f8") for name in columns])

    def __repr__(self) -> str:
        return f"<meniscus.Run {self.dir}, {len(self)} frames>"


def _read_table(source) -> np.ndarray:
    return np.atleast_1d(np.genfromtxt(source, delimiter=",", names=True, dtype=None, encoding="utf-8"))
