"""Worlds: liquids in motion."""
import os
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence

import numpy as np

from ._library import ffi, lib
from .errors import Messages
from .measures import Measured
from .scene import Scene, Sets, Source, _text_of, as_scene, one_set

MOMENTS = ("begin", "density", "forces", "contact", "end")
_PLAIN = [("step", "i8"), ("time", "f8"), ("dt", "f8"), ("particles", "i8"), ("density_error_avg", "f8"),
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


class FieldView(np.ndarray):
    """A field as it lies in the world's memory, in cell order (see World.ids); it ends with the next step.

    Using it after that is a ReferenceError; `.copy()` before keeps the numbers.
    """

    _alive: Optional[Callable[[], bool]] = None

    def __array_finalize__(self, obj):
        self._alive = getattr(obj, "_alive", None)

    def _check(self) -> None:
        if self._alive is not None and not self._alive():
            raise ReferenceError("this view of a field ended with a step; ask the world for a new one, or copy it "
                                 "before")

    def __getitem__(self, key):
        self._check()
        return super().__getitem__(key)

    def __setitem__(self, key, value):
        self._check()
        super().__setitem__(key, value)

    def __array_ufunc__(self, ufunc, method, *inputs, out=None, **kwargs):
        plain = [self._bare(a) for a in inputs]
        if out is not None:
            kwargs["out"] = tuple(self._bare(a) for a in out)
        result = getattr(ufunc, method)(*plain, **kwargs)
        return out[0] if out is not None and len(out) == 1 else result

    def __array_function__(self, func, types, args, kwargs):
        self._check()
        return func(*[self._bare(a) for a in args], **{k: self._bare(v) for k, v in kwargs.items()})

    def copy(self, order="C"):
        """The numbers, as an array that stays."""
        self._check()
        return np.array(self.view(np.ndarray), order=order)

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
    copy in the order of ids. Python's lock is released while it steps: several worlds may run in threads.
    """

    def __init__(self, scene: Source, *, set: Sets = None,  # pylint: disable=redefined-builtin
                 backend: str = "cpu", threads: int = 0):
        self._say = Messages()
        options = lib.mn_default_options()
        name = ffi.new("char[]", backend.encode())
        options.backend, options.threads = name, threads
        pointer = lib.mn_world_new(as_scene(scene, set)._pointer, ffi.new("mn_options *", options), self._say.list)
        self._begin(ffi.gc(self._say.need(pointer, "there is no such world"), lib.mn_world_free))

    def _begin(self, pointer, own: bool = True) -> None:
        self._pointer = pointer
        self._own = own  # else it is a session's
        self._generation = 0
        self._maps = {}
        self._calls: List[Any] = []
        self._raised: Optional[BaseException] = None
        self._moment: Optional[str] = None
        names = ffi.new("char[64][40]")
        count = min(lib.mn_world_more(pointer, names, 64), 64)
        self._more = [ffi.string(names[k]).decode() for k in range(count)]
        self.stats_type = np.dtype(_PLAIN + [(name, "f8") for name in self._more])

    # -- steps

    def step(self, count: int = 1) -> None:
        """Goes `count` time steps."""
        for _ in range(count):
            self._end_views()
            status = lib.mn_step(self._pointer, self._say.list)
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
        rows = []
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
        row = np.zeros((), dtype=self.stats_type)
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
        """Names of the fields that every scene has; species have NAME and NAME_surface too."""
        return [ffi.string(lib.mn_field_name(k)).decode() for k in range(lib.mn_field_count())]

    def _width(self, field: str) -> int:
        return lib.mn_world_field_width(self._pointer, field.encode())

    def map(self, field: str, write: bool = False) -> FieldView:
        """A view of a field in cell order, which ends with the next step. Velocity and position may be written
        (position not within a step), acceleration in a callback at "forces"."""
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
        if m.count:
            array = np.frombuffer(ffi.buffer(m.data, m.count * m.stride * 4), dtype=np.float32)
        else:
            array = np.zeros(0, np.float32)
        view = array.reshape(m.count, m.stride)[:, :m.width].view(FieldView)
        view = view if m.width > 1 else view.reshape(m.count)
        view.flags.writeable = write
        view._alive = self._alive()
        return view

    def _may_write(self, field: str) -> bool:
        if not self._own:
            return False  # of a session: ask for it with map(field, write=True)
        within = self._moment not in (None, "begin", "end")
        return (field == "velocity" or (field == "position" and not within) or
                (field == "acceleration" and self._moment == "forces"))

    def __getitem__(self, field: str) -> FieldView:
        return self.map(field, self._may_write(field))

    def __setitem__(self, field: str, values: Any) -> None:
        self.map(field, True)[...] = values

    @property
    def ids(self) -> FieldView:
        """Ids of the particles in cell order, the order of world[field]; ends with the next step."""
        if "ids" not in self._maps:
            out = ffi.new("mn_mapped *")
            self._say.check(lib.mn_field_map(self._pointer, b"position", lib.MN_READ, out, self._say.list), "no ids")
            array = (np.frombuffer(ffi.buffer(out.id, out.count * 4), dtype=np.int32) if out.count
                     else np.zeros(0, np.int32))
            view = array.view(FieldView)
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
        first = ffi.new("int64_t *")
        self._end_views()
        self._say.check(lib.mn_world_add(self._pointer, fluid, len(x), ffi.cast("float *", ffi.from_buffer(x)),
                                         ffi.NULL if v is None else ffi.cast("float *", ffi.from_buffer(v)), first,
                                         self._say.list), "the particles cannot be added")
        return np.arange(first[0], first[0] + len(x))

    def remove(self, ids: Sequence[int]) -> None:
        """Removes particles by their ids, with the next step."""
        gone = np.ascontiguousarray(ids, dtype=np.int64).ravel()
        if gone.size:
            self._say.check(lib.mn_world_remove(self._pointer, ffi.cast("int64_t *", ffi.from_buffer(gone)), gone.size,
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
            out.append(Body(ffi.string(lib.mn_world_body_name(self._pointer, k)).decode(),
                            *(np.array(list(getattr(b, name))) for name in
                              ("position", "quaternion", "velocity", "angular_velocity", "force", "torque")),
                            b.mass, b.volume))
        return out

    @property
    def walls(self) -> np.ndarray:
        """Positions of the boundary points of walls and bodies."""
        count = lib.mn_world_wall_particles(self._pointer)
        out, owner = np.zeros((count, 3), np.float32), np.zeros(count, np.int32)
        if count:
            self._say.check(lib.mn_world_walls(self._pointer, ffi.cast("float *", ffi.from_buffer(out)),
                                               ffi.cast("int *", ffi.from_buffer(owner)), self._say.list), "no walls")
        return out

    def save(self, path: "os.PathLike[str] | str") -> None:
        """Writes a checkpoint."""
        self._say.check(lib.mn_checkpoint_write(self._pointer, os.fsencode(path), self._say.list), "no checkpoint")

    def load(self, path: "os.PathLike[str] | str") -> None:
        """Puts the world into the state of a checkpoint of the same scene."""
        self._end_views()
        self._say.check(lib.mn_checkpoint_read(self._pointer, os.fsencode(path), self._say.list), "no such state")

    def close(self) -> None:
        """Frees its memory now; otherwise Python frees it with the last reference."""
        self._end_views()
        if self._own and self._pointer is not None:
            ffi.release(self._pointer)
        self._pointer = None

    def __enter__(self) -> "World":
        return self

    def __exit__(self, *_exc) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<meniscus.World, {self.particles} particles, step {self.steps}, {self.time:g} s>"


__all__ = ["Body", "FieldView", "MOMENTS", "Scene", "World"]
