"""Simulates liquids with smoothed particles: surface tension, wetting, drag, surfactants.

>>> import meniscus
>>> world = meniscus.World({
...     "particles": {"spacing": 0.05},
...     "time": {"step": 0.001, "end": 1},
...     "fluids": [{"name": "water", "shapes": [{"sphere": {"radius": 0.2}}]}],
... })
>>> world.step(3)
>>> world["velocity"].shape == (world.particles, 3)
True

A World is stepped by hand; a Session runs into a folder; a Run reads such a folder back, frame by frame; sweep() runs
a scene for many values. All quantities are SI. What goes wrong is an exception with the file, line and column.
"""
from ._library import scene_folder, tool, version
from .errors import BadInput, Diverged, Error, Failed, Message, MeniscusWarning
from .measures import Flux, Heights, Measured, measures
from .runs import Frame, Run
from .scene import Scene, scenes
from .session import Session, run
from .sweeps import Sweep, sweep
from .world import Body, FieldView, Solid, World

__version__ = "0.1.0"
__all__ = ["BadInput", "Body", "Diverged", "Error", "Failed", "FieldView", "Flux", "Frame", "Heights", "Measured",
           "MeniscusWarning", "Message", "Run", "Scene", "Session", "Solid", "Sweep", "World", "measures", "run",
           "scene_folder", "scenes", "sweep", "tool", "version"]
