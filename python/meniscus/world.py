"""Worlds: liquids in motion."""
import os
import threading
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence

import numpy as np

from ._library import ffi, lib
from .errors import Messages
from .measures import Measured
from .scene import Scene, Sets, Source, _text_of, as_scene, one_set

MOMENTS = ("begin", "density", "forces", "contact", "end")
_PLAIN: List[Any] = [("step", "i8"), ("time", "f8"), ("dt", "f8"), ("particles", "i8"), ("density_error_avg", "f8"),
          ("density_error_max", "f8"), ("kinetic_energy", "f8"), ("potential_energy", "f8"), ("momentum", "f8", (3,)),
          ("pressure_iterations", "i4"), ("velocity_iterations", "i4"), ("max_speed", "f8"), ("drained", "i8"),
          ("lost", "i8")]


class Body(NamedTuple):
    """A rigid body: SI, quaternion w x y z; force and torque are what the fluid did to it in the last step."""

    name: str
    position: np.ndarray
    quaternion: np.ndarray
    velocity: np.ndarray
    angular_velocity: np.ndarray
    force: np.ndarray
    torque: np.ndarray
    mass: float
    volume: float


class Solid(NamedTuple):
    """A soft solid: J, kg m/s, N, m; `stretch` is 1 at rest. `position`, `velocity` and `displacement` (n, 3) and
    `stress` (n,), von Mises' in Pa, are copies, one row for each of its particles."""

    elastic_energy: float
    kinetic_energy: float
    momentum: np.ndarray
    force: np.ndarray
    centre: np.ndarray
    stretch: float
    substeps: int
    position: np.ndarray
    velocity: np.ndarray
    displacement: np.ndarray
    stress: np.ndarray


class _Memory:
    """Memory of the library as numpy takes it. Every array that is made of it, also by np.asarray, keeps
    `owner` alive; the memory itself goes when the world needs more room or is closed."""

    def __init__(self, pointer, kind: str, shape, strides, owner: Any):
        self.owner = owner
        address = int(ffi.cast("uintptr_t", pointer))
        self.__array_interface__ = {"data": (address, False), "typestr": np.dtype(kind).str, "shape": shape,
                                    "strides": strides, "version": 3}


class FieldView(np.ndarray):
    """A field as it lies in the world's memory, in cell order (see World.ids); it ends with the next step.

    Using it after that is a ReferenceError; `.copy()` before keeps the numbers. (np.asarray gives the same memory
    without that guard: after the next step it may be gone, so copy first.) What world[field] gave is for looking until
    it is written: `view[...] = x` and `view += x` tell the world so; other ways to write need map(field, write=True).
    """

    _alive: Optional[Callable[[], bool]] = None
    _touch: Optional[Callable[[], None]] = None  # tells the world that it is written; None: it may be, or may not

    def __array_finalize__(self, obj):
        self._alive = getattr(obj, "_alive", None)
        self._touch = getattr(obj, "_touch", None)

    def _check(self) -> None:
        if self._alive is not None and not self._alive():
            raise ReferenceError("this view of a field ended with a step; ask the world for a new one, or copy it "
                                 "before")

    def __getitem__(self, key):
        self._check()
        return super().__getitem__(key)

    def __setitem__(self, key, value):
        self._open()[key] = self._bare(value)

    def __array_ufunc__(self, ufunc, method, *inputs, out=None, **kwargs):
        plain = [self._bare(a) for a in inputs]
        if out is not None:
            kwargs["out"] = tuple(a._open() if isinstance(a, FieldView) else a for a in out)
        result = getattr(ufunc, method)(*plain, **kwargs)
        return out[0] if out is not None and len(out) == 1 else result

    def __array_function__(self, func, types, args, kwargs):
        self._check()
        return func(*[self._bare(a) for a in args], **{k: self._bare(v) for k, v in kwargs.items()})

    def copy(self, order="C"):
        """The numbers, as an array that stays."""
        self._check()
        return np.array(self.view(np.ndarray), order=order)

    def _open(self) -> np.ndarray:
        """Its memory as an array that may be written, if it may."""
        self._check()
        plain = self.view(np.ndarray)
        if self._touch is not None:
            self._touch()
            plain.flags.writeable = True
        return plain

    @staticmethod
    def _bare(a):
        if isinstance(a, FieldView):
            a._check()
            return a.view(np.ndarray)
        return a


class World:
    """A liquid in motion.

    scene: a path, the name of a shipped scene, YAML text, a dict or a Scene. set: overrides. backend: "cpu",
    "cpu-scalar", "opencl", "opencl:DEVICE". threads: 0 for all cores.

    world["velocity"] is a view without a copy in cell order, world.ids tells who is who; world.get("velocity") is a
    copy in the order of ids. Python's lock is released while it steps: several worlds may run in threads. One world is
    one thread's at a time: what another asks of it while it steps is a RuntimeError.
    """

    def __init__(self, scene: Source, *, set: Sets = None,  # pylint: disable=redefined-builtin
                 backend: str = "cpu", threads: int = 0):
        self._say = Messages()
        options = lib.mn_default_options()
        name = ffi.new("char[]", backend.encode())
        options.backend, options.threads = name, threads
        pointer = lib.mn_world_new(as_scene(scene, set)._pointer, ffi.new("mn_options *", options), self._say.list)
        self._begin(ffi.gc(self._say.need(pointer, "there is no such world"), lib.mn_world_free))

    def _begin(self, pointer, session: Any = None) -> None:
        self._handle = pointer
        self._session = session  # whose world it is; it has to live as long
        self._own = session is None
        self._lock = threading.RLock()
        self._stepping: Optional[int] = None  # the thread that does
        self._generation = 0
        self._maps: Dict[Any, FieldView] = {}
        self._written: Dict[str, Any] = {}  # of fields that were written: where a copy belongs, and it
        self._calls: List[Any] = []
        self._raised: Optional[BaseException] = None
        self._moment: Optional[str] = None
        names = ffi.new("char[64][40]")
        count = min(lib.mn_world_more(pointer, names, 64), 64)
        self._more = [ffi.string(names[k]).decode() for k in range(count)]
        self.stats_type = np.dtype(_PLAIN + [(name, "f8") for name in self._more])

    @property
    def _pointer(self):
        if self._handle is None:
            raise ValueError("this world is closed")
        if self._stepping not in (None, threading.get_ident()):
            raise RuntimeError("another thread steps this world; a world is one thread's at a time")
        return self._handle

    # -- steps

    def step(self, count: int = 1) -> None:
        """Goes `count` time steps. Ctrl-C ends it between two of them."""
        for _ in range(count):
            self._call(lib.mn_step, self._pointer)

    def _call(self, step, pointer) -> None:
        """mn_step or mn_session_step, while no other thread may use the world."""
        if not self._lock.acquire(blocking=False):
            raise RuntimeError("another thread steps this world; a world is one thread's at a time")
        before, self._stepping = self._stepping, threading.get_ident()
        try:
            self._end_views()
            status = step(pointer, self._say.list)
        finally:
            self._stepping = before
            self._lock.release()
        self._after(status)

    def _after(self, status: int) -> None:
        raised, self._raised = self._raised, None
        if raised is not None:
            self._say.take()
            raise raised
        self._say.check(status, "the step failed")

    def run(self, until: Optional[float] = None, steps: Optional[int] = None,
            each: Optional[Callable[["World"], Any]] = None) -> np.ndarray:
        """Steps to a time (s), or so many steps; calls `each` after every one. The stats of the steps as an array."""
        if until is None and steps is None:
            raise ValueError("run() needs `until` or `steps`")
        rows: List[Any] = []
        while (steps is None or len(rows) < steps) and (until is None or self.time < until * (1 - 1e-12)):
            if until is not None:
                lib.mn_world_limit_step(self._pointer, until)
            try:
                self.step()
            finally:
                lib.mn_world_limit_step(self._pointer, float("inf"))
            rows.append(self.stats)
            if each is not None:
                each(self)
        return np.array(rows, dtype=self.stats_type)

    @property
    def time(self) -> float:
        """Simulated time, s."""
        return lib.mn_world_time(self._pointer)

    @property
    def steps(self) -> int:
        """Steps so far."""
        return lib.mn_world_steps(self._pointer)

    @property
    def particles(self) -> int:
        """Particles of fluid."""
        return lib.mn_world_particles(self._pointer)

    def __len__(self) -> int:
        return self.particles

    @property
    def backend(self) -> str:
        """What it runs on, in words."""
        return ffi.string(lib.mn_world_backend(self._pointer)).decode()

    @property
    def hash(self) -> int:
        """Hash of the state: equal states have equal hashes, whatever the threads and the backend."""
        return lib.mn_world_hash(self._pointer)

    @property
    def stats(self) -> np.void:
        """Numbers of the last step, as one row of a structured array."""
        s = lib.mn_world_stats(self._pointer)
        row: Any = np.zeros((), dtype=self.stats_type)
        for name, *_ in _PLAIN:
            row[name] = list(s.momentum) if name == "momentum" else getattr(s, name)
        for k, name in enumerate(self._more):
            row[name] = s.more[k]
        return row[()]

    @property
    def scene(self) -> str:
        """The scene as it runs, changes included, as YAML."""
        return _text_of(lib.mn_world_scene(self._pointer))

    @property
    def notes(self) -> list:
        """Notes of the library so far."""
        return self._say.notes

    # -- fields

    def fields(self) -> List[str]:
        """Names of the fields that it has now; species have NAME and NAME_surface too."""
        names = (ffi.string(lib.mn_field_name(k)).decode() for k in range(lib.mn_field_count()))
        return [name for name in names if self._width(name)]

    def _width(self, field: str) -> int:
        return lib.mn_world_field_width(self._pointer, field.encode())

    def map(self, field: str, write: bool = False) -> FieldView:
        """A view of a field in cell order, which ends with the next step. With `write` velocity and position may be
        written in any way (position not within a step), acceleration in a callback at "forces"."""
        key = (field, write)
        if key not in self._maps:
            out = ffi.new("mn_mapped *")
            how = lib.MN_WRITE if write else lib.MN_READ
            self._say.check(lib.mn_field_map(self._pointer, field.encode(), how, out, self._say.list),
                            f"no field '{field}'")
            self._maps[key] = self._view_of(out, write)
        return self._maps[key]

    def _alive(self) -> Callable[[], bool]:
        generation = self._generation
        return lambda: self._generation == generation

    def _view_of(self, m, write: bool) -> FieldView:
        width = m.width  # the end of a map clears it
        array = self._array(m.data, "f4", (m.count, width), (4 * m.stride, 4))
        if m.copied and not write:  # the library frees its copy when the map ends
            array = array.copy()
            self._say.check(lib.mn_field_unmap(self._pointer, m, self._say.list), "the map cannot end")
        view = array.view(FieldView)
        view = view if width > 1 else view[:, 0]
        view.flags.writeable = write
        view._alive = self._alive()
        return view

    def _array(self, pointer, kind: str, shape, strides) -> np.ndarray:
        if not shape[0]:
            return np.zeros(shape, kind)
        return np.asarray(_Memory(pointer, kind, shape, strides, self._session or self._handle))

    def _may_write(self, field: str) -> bool:
        within = self._moment not in (None, "begin", "end")
        return (field == "velocity" or (field == "position" and not within) or
                (field == "acceleration" and self._moment == "forces"))

    def __getitem__(self, field: str) -> FieldView:
        view = self.map(field)
        if view._touch is None and self._may_write(field):
            view._touch = lambda: self._begin_writing(field, view)
        return view

    def _begin_writing(self, field: str, view: FieldView) -> None:
        """With the first write: until then nothing has to go back to a device."""
        if field not in self._written:
            target, written = self.map(field, write=True).view(np.ndarray), view.view(np.ndarray)
            self._written[field] = None if np.shares_memory(target, written) else (target, written)

    def __setitem__(self, field: str, values: Any) -> None:
        self.map(field, True)[...] = values

    @property
    def ids(self) -> FieldView:
        """Ids of the particles in cell order, the order of world[field]; ends with the next step."""
        if "ids" not in self._maps:
            out = ffi.new("mn_mapped *")
            self._say.check(lib.mn_field_map(self._pointer, b"position", lib.MN_READ, out, self._say.list), "no ids")
            view = self._array(out.id, "i4", (out.count,), (4,)).view(FieldView)
            view.flags.writeable = False
            view._alive = self._alive()
            self._maps["ids"] = view
        return self._maps["ids"]

    def get(self, field: str) -> np.ndarray:
        """A copy of a field in the order of ids."""
        width = self._width(field) or 1
        out = np.zeros((self.particles, width), dtype=np.float32)
        data = ffi.cast("float *", ffi.from_buffer(out, require_writable=True)) if out.size else ffi.new("float[1]")
        self._say.check(lib.mn_world_get(self._pointer, field.encode(), data, self._say.list), f"no field '{field}'")
        return out if width > 1 else out[:, 0]

    def put(self, field: str, values: Any) -> None:
        """Sets position or velocity in the order of ids."""
        data = np.ascontiguousarray(np.broadcast_to(values, (self.particles, 3)), dtype=np.float32)
        self._say.check(lib.mn_world_set(self._pointer, field.encode(), ffi.cast("float *", ffi.from_buffer(data)),
                                         self._say.list), f"'{field}' cannot be set")

    def _end_views(self) -> None:
        for pair in self._written.values():
            if pair is not None:
                pair[0][...] = pair[1]
        self._written.clear()
        self._generation += 1
        self._maps.clear()

    # -- taking part

    def on(self, moment: str, call: Optional[Callable[["World"], Any]] = None):
        """Calls `call(world)` at a moment of each step: begin, density, forces, contact or end. Also a decorator:

        @world.on("forces")
        def swirl(world):
            world["acceleration"][:, 1] += 3

        An exception ends the loop that steps, after that step was made whole.
        """
        if call is None:
            return lambda function: self.on(moment, function)
        if not callable(call):
            raise TypeError(f"world.on() needs a function of the world, found {call!r}")

        @ffi.callback("mn_status(mn_world *, void *, mn_messages *)")
        def enter(_world, _user, _say):
            if self._raised is not None:
                return lib.MN_FAILED
            before, self._moment = self._moment, moment
            self._end_views()
            try:
                call(self)
            except BaseException as error:  # pylint: disable=broad-except
                self._raised = error
                return lib.MN_FAILED
            finally:
                self._moment = before
                self._end_views()
            return lib.MN_OK

        self._say.check(lib.mn_world_on(self._pointer, moment.encode(), enter, ffi.NULL, self._say.list),
                        f"no moment '{moment}'")
        self._calls.append((call, enter))
        return call

    def off(self, call: Callable[["World"], Any]) -> int:
        """Takes back a callback; how many times it was there."""
        found = [pair for pair in self._calls if pair[0] is call]
        for pair in found:
            lib.mn_world_off(self._pointer, pair[1], ffi.NULL)
            self._calls.remove(pair)
        return len(found)

    def set(self, key: str, value: Any) -> None:
        """Changes a value of the scene from the next step on: world.set("gravity", [0, -1.6, 0])."""
        self._say.check(lib.mn_world_change(self._pointer, one_set(key, value).encode(), self._say.list),
                        f"'{key}' cannot change")

    def add(self, position: Any, velocity: Any = None, fluid: int = 0) -> np.ndarray:
        """Adds particles of a fluid (its index in the scene); their ids."""
        x = np.ascontiguousarray(np.atleast_2d(position), dtype=np.float32)
        if x.ndim != 2 or x.shape[1] != 3:
            raise ValueError(f"positions have the shape {x.shape}; expected (n, 3)")
        v = None if velocity is None else np.ascontiguousarray(np.broadcast_to(velocity, x.shape), dtype=np.float32)
        first = ffi.new("int32_t *")
        self._end_views()
        self._say.check(lib.mn_world_add(self._pointer, fluid, len(x), ffi.cast("float *", ffi.from_buffer(x)),
                                         ffi.NULL if v is None else ffi.cast("float *", ffi.from_buffer(v)), first,
                                         self._say.list), "the particles cannot be added")
        return np.arange(first[0], first[0] + len(x), dtype=np.int32)

    def remove(self, ids: Sequence[int]) -> None:
        """Removes particles by their ids, with the next step."""
        wanted = np.asarray(ids, dtype=np.int64).ravel()
        gone = wanted.astype(np.int32)
        if (gone != wanted).any():
            raise ValueError(f"there is no particle {wanted[gone != wanted][0]}")
        if gone.size:
            self._say.check(lib.mn_world_remove(self._pointer, ffi.cast("int32_t *", ffi.from_buffer(gone)), gone.size,
                                                self._say.list), "the particles cannot be removed")

    # -- measures

    def measured(self, fluid: Optional[str] = None, wall: Optional[str] = None, least: int = 8) -> Measured:
        """The particles as they are now, made ready to be measured: angles, drops, heights, flows."""
        return Measured(lambda options, say: lib.mn_measured_new(self._pointer, options, say), self, fluid, wall, least)

    def measure(self, *what: str, **options: Any) -> Dict[str, float]:
        """Numbers by name (see meniscus.measures()): world.measure("contact", wall="floor")["contact_angle"]."""
        return self.measured(**options).take(*what)

    # -- bodies, walls, checkpoints

    @property
    def bodies(self) -> List[Body]:
        """The rigid bodies, in the order of the scene."""
        out = []
        for k in range(lib.mn_world_bodies(self._pointer)):
            b = lib.mn_world_body(self._pointer, k)
            numbers = {name: np.array(list(getattr(b, name))) for name in
                       ("position", "quaternion", "velocity", "angular_velocity", "force", "torque")}
            name = ffi.string(lib.mn_world_body_name(self._pointer, k)).decode()
            out.append(Body(name=name, mass=b.mass, volume=b.volume, **numbers))
        return out

    @property
    def boundary_points(self) -> np.ndarray:
        """Positions of the boundary points of walls, bodies and soft solids, in this order."""
        return self._boundary()[0]

    @property
    def boundary_owner(self) -> np.ndarray:
        """What each of world.boundary_points belongs to: walls are counted from 0, then bodies, then soft solids."""
        return self._boundary()[1]

    def _boundary(self):
        count = lib.mn_world_boundary_points(self._pointer)
        out, owner = np.zeros((count, 3), np.float32), np.zeros(count, np.int32)
        if count:
            self._say.check(lib.mn_world_boundary(self._pointer, ffi.cast("float *", ffi.from_buffer(out)),
                                               ffi.cast("int *", ffi.from_buffer(owner)), self._say.list), "no walls")
        return out, owner

    def coverage(self, substance: str) -> np.ndarray:
        """What each of world.boundary_points bears of a substance, mol/m^2."""
        out = np.zeros(max(1, lib.mn_world_boundary_points(self._pointer)), np.float32)
        self._say.check(lib.mn_world_coverage(self._pointer, substance.encode(),
                                              ffi.cast("float *", ffi.from_buffer(out)), self._say.list),
                        f"no substance '{substance}'")
        return out[:lib.mn_world_boundary_points(self._pointer)]

    @property
    def solids(self) -> List[Solid]:
        """The soft solids, in the order of the scene."""
        out = []
        for k in range(lib.mn_world_solids(self._pointer)):
            s = lib.mn_world_solid(self._pointer, k)
            numbers = {name: np.array(list(getattr(s, name))) for name in ("momentum", "force", "centre")}
            fields = {name: self._of_solid(k, name, 3) for name in ("position", "velocity", "displacement")}
            out.append(Solid(elastic_energy=s.elastic_energy, kinetic_energy=s.kinetic_energy, stretch=s.stretch,
                             substeps=s.substeps, stress=self._of_solid(k, "stress", 1), **numbers, **fields))
        return out

    def _of_solid(self, index: int, field: str, width: int) -> np.ndarray:
        out = np.zeros((max(1, lib.mn_world_solid_particles(self._pointer, index)), width), np.float32)
        self._say.check(lib.mn_world_solid_get(self._pointer, index, field.encode(),
                                               ffi.cast("float *", ffi.from_buffer(out)), self._say.list), "no solid")
        return out if width > 1 else out[:, 0]

    @property
    def times(self) -> Dict[str, float]:
        """Wall time of each part of the world since it was made, s: where its steps spend their time."""
        out = ffi.new("mn_stage_time[]", 64)
        count = min(64, lib.mn_world_part_times(self._pointer, out, 64))
        return {ffi.string(out[k].name).decode(): out[k].seconds for k in range(count)}

    def inspect(self) -> None:
        """Warns (MeniscusWarning) of what is doubtful before the first step: overlapping particles, a long step."""
        lib.mn_world_inspect(self._pointer, self._say.list)
        self._say.check(lib.MN_OK, "")

    def save(self, path: "os.PathLike[str] | str") -> None:
        """Writes a checkpoint."""
        self._say.check(lib.mn_checkpoint_write(self._pointer, os.fsencode(path), self._say.list), "no checkpoint")

    def load(self, path: "os.PathLike[str] | str") -> None:
        """Puts the world into the state of a checkpoint of the same scene."""
        self._end_views()
        self._say.check(lib.mn_checkpoint_read(self._pointer, os.fsencode(path), self._say.list), "no such state")

    def close(self) -> None:
        """Frees its memory now; otherwise Python frees it with the last reference."""
        if self._handle is None:
            return
        pointer = self._pointer
        self._end_views()
        if self._own:
            ffi.release(pointer)
        self._handle = None

    def __enter__(self) -> "World":
        return self

    def __exit__(self, *_exc) -> None:
        self.close()

    def __repr__(self) -> str:
        if self._handle is None:
            return "<meniscus.World, closed>"
        return f"<meniscus.World, {self.particles} particles, step {self.steps}, {self.time:g} s>"


__all__ = ["Body", "FieldView", "MOMENTS", "Scene", "Solid", "World"]
