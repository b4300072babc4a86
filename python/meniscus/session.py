"""Sessions: runs of a scene into a folder, as `meniscus run` makes them."""
import os
import warnings
import weakref
from pathlib import Path
from typing import Any, Callable, Dict, Optional

from ._library import ffi, lib
from .errors import MeniscusWarning, Messages
from .runs import Run
from .scene import Scene, Sets, Source, as_scene
from .world import World


def _leave(pointer, dir: Any) -> None:  # pylint: disable=redefined-builtin
    """Closes a session that was not closed: its folder gets its checkpoint; an error becomes a warning."""
    say = Messages()
    try:
        say.check(lib.mn_session_close(pointer, say.list, ffi.NULL), "the session cannot be closed")
    except Exception as error:  # pylint: disable=broad-except
        where = f" into {os.fspath(dir)}" if dir is not None else ""
        warnings.warn(f"a run{where} that was not closed has ended with an error: {error}", MeniscusWarning,
                      stacklevel=2)


class Session:
    """A run into a folder: frames, tables, checkpoints.

    with meniscus.Session("crown-small", "out/crown") as session:
        for _ in session.frames():
            print(session.world.time)

    resume=True goes on from the folder's checkpoint; scene None takes the folder's own run.yaml. until (s) and steps
    (the run's last step): an earlier end than the scene's. preview: pictures too. inspect: warn of what is doubtful.
    What is open when Python is interrupted (Ctrl-C) ends between two steps: close() then writes a checkpoint.
    """

    # pylint: disable-next=redefined-builtin
    def __init__(self, scene: Optional[Source], dir: "os.PathLike[str] | str | None",
                 *, set: Sets = None, backend: str = "cpu", threads: int = 0, resume: bool = False,
                 overwrite: bool = False, until: float = -1, steps: int = -1, preview: bool = False,
                 inspect: bool = False):
        self._say = Messages()
        if scene is None:
            if dir is None:
                raise ValueError("a session needs a scene or a folder that has one")
            scene = Path(dir) / "run.yaml"
        self._keep = [ffi.new("char[]", os.fsencode(dir)) if dir is not None else ffi.NULL,
                      ffi.new("char[]", backend.encode())]
        o = ffi.new("mn_session_options *", lib.mn_default_session_options())
        o.dir, o.world.backend, o.world.threads = self._keep[0], self._keep[1], threads
        o.resume, o.overwrite, o.until, o.steps, o.preview = resume, overwrite, until, steps, preview
        o.inspect = inspect
        pointer = lib.mn_session_open(as_scene(scene, set)._pointer, o, self._say.list)
        self._handle = self._say.need(pointer, "the session cannot be opened")
        self._finalizer = weakref.finalize(self, _leave, self._handle, dir)
        self.world = World.__new__(World)
        self.world._say = self._say
        self.world._begin(lib.mn_session_world(self._handle), session=self)
        self.dir = None if dir is None else Path(dir)

    @property
    def _pointer(self):
        if self._handle is None:
            raise ValueError("this session is closed")
        return self._handle

    @property
    def done(self) -> bool:
        """Whether the run has reached its end."""
        return self._handle is None or lib.mn_session_done(self._handle)

    def step(self) -> None:
        """One step, and what is due after it: rows, a frame, a checkpoint."""
        self.world._call(lib.mn_session_step, self._pointer)

    def frames(self):
        """Steps to each next frame, and to the end."""
        while not self.done:
            before = lib.mn_session_frames(self._pointer)
            while not self.done and lib.mn_session_frames(self._pointer) == before:
                self.step()
            yield self

    def run(self, each: Optional[Callable[["Session"], Any]] = None) -> "Session":
        """Steps to the end; calls `each` after every step."""
        while not self.done:
            self.step()
            if each is not None:
                each(self)
        return self

    def checkpoint(self) -> None:
        """A checkpoint now."""
        self._say.check(lib.mn_session_checkpoint(self._pointer, self._say.list), "no checkpoint")

    def close(self) -> Dict[str, Any]:
        """Writes a checkpoint, waits for all files and frees the world; what the run came to."""
        if self._handle is None:
            return {}
        out = ffi.new("mn_session_summary *")
        self.world.close()
        pointer, self._handle = self._handle, None
        self._finalizer.detach()
        status = lib.mn_session_close(pointer, self._say.list, out)
        self._say.check(status, "the session cannot be closed")
        names = ("first_step", "steps", "time", "particles", "boundary_points", "drained", "lost", "wall", "step_wall",
                 "density_error_avg", "density_error_max", "pressure_iterations", "frames", "checkpoints", "hash")
        return {"backend": ffi.string(out.backend).decode(), **{name: getattr(out, name) for name in names}}

    def __enter__(self) -> "Session":
        return self

    def __exit__(self, *_exc) -> None:
        self.close()


def run(scene: Optional[Source], dir: "os.PathLike[str] | str", **options) -> Run:  # pylint: disable=redefined-builtin
    """The whole run into a folder; its results. Options as of Session."""
    session = Session(scene, dir, **options)
    try:
        session.run()
    finally:
        session.close()
    return Run(dir)


__all__ = ["Scene", "Session", "run"]
