"""Measures: contact angle, wetted area, drops, front, heights, flows; the library's own, of worlds and of frames."""
from typing import Any, Dict, NamedTuple, Optional, Sequence, Tuple

import numpy as np

from ._library import ffi, lib
from .errors import BadInput, Messages

DROP_TYPE = np.dtype([("particles", "i8"), ("volume", "f8"), ("diameter", "f8"), ("centre", "f8", (3,)),
                      ("axes", "f8", (3,))])


class Heights(NamedTuple):
    """Heights of the surface over columns: height[i, j] at first[i], second[j] (the axes that are not `up`); NaN where
    there is no liquid."""

    up: str
    first: np.ndarray
    second: np.ndarray
    height: np.ndarray


class Flux(NamedTuple):
    """What flows through a plane: m^3/s along its normal, m^2 of liquid in it, their quotient in m/s."""

    flow: float
    area: float
    speed: float


def measures() -> Dict[str, Tuple[str, ...]]:
    """What can be measured by name, and the columns that each gives."""
    out = {}
    for k in range(lib.mn_measure_count()):
        info = lib.mn_measure_at(k)
        columns = (ffi.string(info.columns[c].name).decode() for c in range(info.count))
        out[ffi.string(info.name).decode()] = tuple(columns)
    return out


def _vector(values: Any, count: int, what: str):
    array = np.asarray(values, dtype=float).ravel()
    if array.size != count:
        raise ValueError(f"{what} has {array.size} numbers; expected {count}")
    return ffi.new("double[]", array.tolist())


class Measured:
    """Particles made ready to be measured: world.measured() or run.measured(number). A copy; later steps do not
    change it. `fluid`: only its particles. `wall`: the floor. `least`: particles of a drop."""

    def __init__(self, make, owner: Any, fluid: Optional[str] = None, wall: Optional[str] = None, least: int = 8):
        self._owner = owner  # its scene is asked
        self._say = Messages()
        texts = [ffi.NULL if name is None else ffi.new("char[]", name.encode()) for name in (fluid, wall)]
        options = ffi.new("mn_measure_options *", {"fluid": texts[0], "wall": texts[1], "least": least})
        self._pointer = ffi.gc(self._say.need(make(options, self._say.list), "nothing to measure"),
                               lib.mn_measured_free)

    @property
    def time(self) -> float:
        """Of the state that is measured, s."""
        return lib.mn_measured_time(self._pointer)

    @property
    def particles(self) -> int:
        """How many are asked for."""
        return lib.mn_measured_particles(self._pointer)

    def take(self, *what: str) -> Dict[str, float]:
        """Numbers by the names of measures(): take("contact")["contact_angle"]. NaN: cannot be told."""
        known = measures()
        out: Dict[str, float] = {}
        row = ffi.new("double[]", lib.MN_MEASURE_COLUMNS)
        for name in what:
            self._say.check(lib.mn_measured_take(self._pointer, name.encode(), row, self._say.list), f"no '{name}'")
            out.update(zip(known[name], row))
        return out

    def drops(self) -> np.ndarray:
        """Pieces of liquid, the largest first: particles, volume, diameter, centre, semi-axes."""
        found, count = ffi.new("mn_drop **"), ffi.new("int *")
        self._say.check(lib.mn_measured_drops(self._pointer, ffi.cast("const mn_drop **", found), count, ffi.NULL,
                                              self._say.list), "no drops")
        out = np.zeros(count[0], DROP_TYPE)
        for k in range(count[0]):
            d = found[0][k]
            out[k] = (d.particles, d.volume, d.diameter, tuple(d.centre), tuple(d.axes))
        return out

    def heights(self) -> Heights:
        """Height of the surface over columns of two spacings, along the axis that gravity has most."""
        grid, found = ffi.new("mn_height_grid *"), ffi.new("double **")
        self._say.check(lib.mn_measured_heights(self._pointer, grid, ffi.cast("const double **", found),
                                                self._say.list), "no heights")
        n, m = grid.count
        values = np.frombuffer(ffi.buffer(found[0], 8 * n * m), float) if n * m else np.zeros(0)
        height = values.reshape(m, n).T.copy() if n * m else np.zeros((0, 0))
        first, second = (grid.origin[k] + (np.arange(grid.count[k]) + 0.5) * grid.cell[k] for k in (0, 1))
        return Heights("xyz"[grid.up], first, second, height)

    def gauge(self, point: Sequence[float], up: Sequence[float] = (0, 1, 0), radius: float = 0.0) -> float:
        """How high liquid stands from `point` along `up`, of particles within `radius` of that line; NaN: none."""
        if not radius > 0:
            raise BadInput([], "a gauge needs a radius above 0")
        return lib.mn_measured_gauge(self._pointer, _vector(point, 3, "point"), _vector(up, 3, "up"), radius)

    def flux(self, point: Sequence[float], normal: Sequence[float], size: Sequence[float] = (0, 0)) -> Flux:
        """What flows through a plane, or through a rectangle of that size about `point`."""
        out = ffi.new("mn_flux *")
        self._say.check(lib.mn_measured_flux(self._pointer, _vector(point, 3, "point"), _vector(normal, 3, "normal"),
                                             _vector(size, 2, "size"), out, self._say.list), "no flux")
        return Flux(out.flow, out.area, out.speed)
