#!/usr/bin/env python3
"""gallery.py MENISCUS -- makes every picture of docs/gallery.md and docs/validation.md: simulates, renders, joins what
is compared, plots.

    python3 tools/gallery.py build/meniscus                      # all small scenes, into docs/images/gallery
    python3 tools/gallery.py build/meniscus --only wang2017-board
    python3 tools/gallery.py build/meniscus --jobs 16 --minutes 9   # goes on where it was when called again
    python3 tools/gallery.py build/meniscus --large --backend opencl:gpu  # published sizes too
    python3 tools/gallery.py build/meniscus --list

Runs and pictures lie in --work (build/gallery), which is kept: what is done there is not done again, and a run that
was stopped is resumed. A picture of several tiles (moments of one run, or several runs) has one look. Python alone is
needed, nothing else."""
import argparse
import concurrent.futures
import os
import re
import signal
import struct
import subprocess
import sys
import threading
import time
import zlib

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
STILL, TILE, SQUARE, TALL, WIDE = (1280, 720), (640, 360), (480, 480), (480, 640), (1280, 420)


class Run:
    """A scene, with changes; `until` is the latest moment that a picture wants."""

    def __init__(self, scene, sets):
        self.scene, self.sets, self.until, self.lock = scene, sets, 0.0, threading.Lock()
        self.name = re.sub(r"[^A-Za-z0-9=.+-]+", "-", "+".join((scene,) + sets))[:120]


class Tile:
    def __init__(self, run, moment, looks, size):
        self.run, self.moment, self.looks, self.size = run, moment, looks, size


class Picture:
    """Tiles in so many columns; or, with `plotted`, columns of the tables of its runs as a chart; or, with `case`, of
    the tables that `meniscus validate CASE -o` leaves."""

    def __init__(self, name, columns, tiles, large):
        self.name, self.columns, self.tiles, self.large, self.plotted = name, columns, tiles, large, ()
        self.case, self.tables = None, ()


RUNS, PICTURES = {}, []


def of(scene, *sets):
    """What of() returns stands for a run in a picture: a scene and --set's of the simulation."""
    return (scene, sets, ())


def seen(which, *looks):
    """The same run with --set's of the picture that its tiles alone have."""
    scene, sets, _ = which if isinstance(which, tuple) else of(which)
    return (scene, sets, looks)


def strip(name, views, size=None, columns=None, looks=(), large=False):
    """Tiles: views are (run, moment in s, --set's of this tile alone ...). looks: --set's of all of them."""
    tiles = []
    for which, moment, *alone in views:
        scene, sets, own = which if isinstance(which, tuple) else of(which)
        run = RUNS.setdefault((scene, sets), Run(scene, sets))
        run.until = max(run.until, moment)
        alone = tuple(looks) + own + tuple(alone)
        tiles.append(Tile(run, moment, alone, size or (STILL if len(views) == 1 else TILE)))
    PICTURES.append(Picture(name, columns or min(len(tiles), 3), tiles, large))


def picture(name, what, moments, size=None, columns=None, looks=(), large=False):
    """Tiles: every run at every moment, run by run."""
    runs = what if isinstance(what, list) else [what]
    moments = moments if isinstance(moments, list) else [moments]
    strip(name, [(which, moment) for which in runs for moment in moments], size, columns, looks, large)


def chart(name, runs, until, columns, title):
    """Columns of the tables of runs over time; runs: (what the legend calls it, run)."""
    picture(name, [run for _, run in runs], until)
    labels = [word for label, _ in runs for word in ("--label", label)] if len(runs) > 1 else []
    PICTURES[-1].plotted = (*columns, "--title", title, *labels)


def curves(name, case, tables, column, title, *more):
    """A chart in docs/images/validation; tables: (what the legend calls it, its name without the case's)."""
    PICTURES.append(Picture(name, 1, [], False))
    PICTURES[-1].case, PICTURES[-1].tables = case, tuple(f"{case}-{table}.csv" for _, table in tables)
    labels = [word for label, _ in tables for word in ("--label", label)]
    PICTURES[-1].plotted = (column, "--title", title, *labels, *more)


def painted(field, low, high, *more):
    return ("camera.look=field", f"camera.colour={field}", f"camera.range=[{low}, {high}]") + more


# -- the pictures ------------------------------------------------------------------------------------------------------

A, W, G, O, J, L = "akinci2013/", "wang2017/", "gissler2017/", "orthmann2013/", "jeske2023/", "laplace/"
NO_DRAG = "fluids.0.drag={model: gissler2017, strength: 0}"

SLOSH = of("basics/sloshing", "output.fields=[velocity, pressure]", "output.every=0.05")
SIDE = ("camera.eye=[0.45, 0.3, 2.2]", "camera.target=[0.45, 0.22, 0]", "camera.fov=26", "camera.cut=0")
picture("core-speed", SLOSH, 1.4, looks=painted("speed", 0, 0.6, *SIDE))
picture("pressure-system-pressure", SLOSH, 1, looks=painted("pressure", 0, 4000, *SIDE))
SOLVERS = [(m, of("basics/sloshing", f"pressure.model={m}")) for m in ("pcisph", "iisph", "dfsph")]
chart("pcisph-iterations", SOLVERS, 2, ("pressure_iterations", "density_error_avg"),
      "Sloshing with three pressure solvers")
chart("time-step-length", [("", of("basics/sloshing", "time.adaptive.max=0.02"))], 4, ("dt", "max_speed"),
      "Sloshing in a closed tank: the step follows the largest speed")

picture("akinci2013-crown-small", A + "crown-small", 0.055)
picture("akinci2013-crown-moments", A + "crown-small", [0.01, 0.035, 0.05, 0.08, 0.15, 0.175],
        looks=("camera.eye=[0.05, 0.11, 0.27]", "camera.target=[0.05, 0.032, 0.05]"))
picture("akinci2013-crowns", [A + "crown-small", A + "crown-cohesion-small"], 0.04, columns=2)
CLOSE = ("camera.eye=[0.045, 0.075, 0.085]", "camera.target=[0, 0.0565, 0]", "camera.fov=20")
picture("akinci2013-cube-to-sphere-small", A + "cube-to-sphere-small", [0, 0.02, 0.06, 1], SQUARE, 4, CLOSE)
picture("akinci2013-cubes", [A + f"cube-to-sphere{m}-small" for m in ("", "-becker2007", "-tartakovsky2005")], 2,
        SQUARE, looks=CLOSE + ("fluids.0.look={clarity: 0.005}",))
picture("akinci2013-cubes-dropped", [A + f"cube-dropped{m}" for m in ("", "-becker2007", "-tartakovsky2005")],
        [1, 1.3, 1.6, 2], (400, 320), 4, ("camera.eye=[0.07, 0.075, 0.15]", "camera.target=[0, 0.014, 0]",
                                          "camera.fov=44", "camera.range=[0, 120]"))
picture("akinci2013-wetting", A + "wetting", [0, 0.2, 1.5], (1280, 290), 1,
        ("camera.target=[0.0056, 0.0055, 0]", "camera.fov=11"))
WHITE = ("walls.sphere.look={colour: white}", "fluids.0.look={clarity: 0.012}")
picture("akinci2013-stream-small",
        [A + "stream-small", of(A + "stream-small", "walls.sphere.adhesion=0", "title=The same without adhesion")],
        [0.2, 0.8], TALL, 4, WHITE)
picture("akinci2013-splitting-small",
        [A + "splitting-small", of(A + "splitting-small", "walls.box.adhesion=0", "title=The same without adhesion")],
        [0.36, 1.4, 2.16])
picture("akinci2013-plate-small", A + "plate-small", [0.08, 0.2, 0.4, 0.6, 1, 1.6],
        looks=("camera.target=[0, -0.35, 0]", "camera.fov=36", "fluids.0.look={clarity: 0.2}"))
picture("akinci2013-rolling-drop", A + "rolling-drop", [0.3, 0.6, 1, 1.5], TILE, 2,
        ("camera.eye=[0.072, 0.12, 0.165]", "camera.target=[0.0615, 0.0145, -0.006]", "camera.fov=34"))

THREE = ("-none-small", "-akinci2013-small", "-small")
picture("wang2017-tablet", [W + "square-on-tablet" + m for m in ("-none", "-akinci2013", "")], 6,
        looks=("camera.eye=[4.8, 6.6, 9.2]", "camera.target=[0, -0.5, 0]", "camera.ground=-0.22",
               "fluids.0.look={clarity: 0.3}"))
POOL = ("camera.eye=[1.4, 3.6, 6.4]", "camera.target=[1.4, 0.72, 1.4]", "camera.fov=34")
picture("wang2017-cube", [W + "cube-into-water" + m for m in THREE], [0.72], looks=POOL)
picture("wang2017-cube-into-water-small", [W + "cube-into-water" + m for m in THREE], [1], looks=POOL)
picture("wang2017-board", [W + "board" + m for m in THREE], 2)

SPEED = painted("speed", 2.5, 4.5, "camera.cut=0", "camera.eye=[0, -0.78, 3.4]", "camera.target=[0, -0.78, 0]")
picture("gissler2017-jets", [G + f"jet-{m}-small" for m in ("vacuum", "drag", "two-phase")], 0.34, TALL, 3, SPEED)
picture("gissler2017-wiper-air", G + "wiper-air", 0.08,
        looks=painted("speed", 0, 30, "camera.eye=[-0.12, 0.66, 1.55]", "camera.target=[0.15, 0.345, 0.05]",
                      "camera.fov=31", "camera.ground=-0.03", "walls.apron.look={colour: white}",
                      "walls.windshield.look={colour: white}"))
picture("gissler2017-wiper-small",
        [G + "wiper-small", of(G + "wiper-small", "air.grid.scale=0", "air.velocity=[14, 0, 0]",
                               "title=The same in a constant wind")], [0.15, 0.3, 0.48])
picture("gissler2017-ship-small",
        [G + "ship-small", of(G + "ship-small", "air.velocity=[0, 0, 0]", "title=The same without wind")],
        [0, 1.5, 3.5])
picture("gissler2017-waves", [of(G + "waves", "fluids.water.drag=null", "title=A wave without wind"), G + "waves"],
        [0.8, 0.9, 1], (640, 300), looks=("fluids.water.look={clarity: 0.4}",))
# The camera falls with the orange one.
FALL = ((0.2, 7.80), (0.4, 7.25), (0.54, 6.705), (0.68, 6.1), (0.96, 4.68), (1.24, 3.1))
strip("gissler2017-pendulum",
      [(G + "pendulum", moment, f"camera.eye=[-0.05, {y}, 0.62]", f"camera.target=[-0.05, {y}, 0]")
       for moment, y in FALL], (320, 350), 6, ("camera.fov=31.8",))
picture("gissler2017-channel-air-small", G + "channel-air-small", 2, (1280, 560),
        looks=painted("speed", 0, 1.5, "camera.target=[0.53, 0.13, 0.05]", "camera.eye=[0.53, 0.13, 2.3]",
                      "camera.fov=15"))
picture("gissler2017-channel-boxes-small", G + "channel-boxes-small", [0, 0.55, 1.1], (640, 320),
        looks=("camera.eye=[0.5, 0.38, 1.4]", "camera.target=[0.5, 0.115, 0.1]", "camera.fov=24",
               "walls.channel.look={colour: white}"))
picture("gissler2017-channel-simulated-small", G + "channel-simulated-small", [1, 1.35, 1.7], (1280, 460), 1,
        painted("speed", 0, 1.5, "camera.eye=[0.54, 0.12, 1.94]", "camera.target=[0.54, 0.12, 0.075]",
                "camera.fov=16.6", "camera.cut=1.86"))
BALL = ("fluids.0.look={colour: orange, clarity: 0.05}", "walls.rabbit.look={colour: white}",
        "camera.eye=[-0.2, 0.26, 0.78]", "camera.target=[-0.03, 0.165, 0]", "camera.fov=34")
picture("gissler2017-cannon-ball-small",
        [G + "cannon-ball-small", of(G + "cannon-ball-small", NO_DRAG, "title=The same without drag")],
        [0.13, 0.17], TILE, 2, BALL)
picture("gissler2017-figure-small", G + "figure-small", [0, 0.2, 3], (640, 480),
        looks=("camera.target=[0, 0.205, 0]", "camera.fov=44"))
picture("gissler2017-tyre-small", [G + "tyre-small", of(G + "tyre-small", NO_DRAG, "title=The same without drag")],
        0.25, (1280, 440), 1, painted("speed", 3, 6, "camera.eye=[1.1, 0.28, 1.8]", "camera.target=[0.63, 0.04, 0]",
                                      "camera.fov=18"))

SURFACE = "detergent_surface"
picture("orthmann2013-surface-band", O + "surface-band", 0.2, looks=painted("delta", 0, 1))
BANDS = ((1, "the paper's estimator"), (2, "colour gradient"), (0, "this program's"))
picture("orthmann2013-bands",
        [of(O + "surface-band", "title=Area, " + name,
            *(f"fluids.{f}.surface={{model: orthmann2013, walls: 0, estimator: {e}}}" for f in (0, 1)))
         for e, name in BANDS], 0.2, looks=painted("area", 0, 0.0001))
picture("orthmann2013-detergent-drops",
        [O + f"detergent-drop-{m}small" for m in ("none-", "local-", "")], 0.6, looks=("camera.look=field",))
picture("orthmann2013-pan-small",
        [seen(O + "pan-small", "camera.look=water", "camera.colour=speed", "fluids.tap.look={clarity: 0.5}"),
         seen(O + "pan-small", *painted(SURFACE, 0, 0.01)), seen(O + "pan-small", *painted("dirt", 0, 0.2))],
        [0.4, 1, 4])
picture("orthmann2013-cylinder-small",
        [O + "cylinder-small", of(O + "cylinder-small", "species.0.inflow.0.concentration=0",
                                  "title=The same without detergent")], [0.95, 1.5, 3],
        looks=painted(SURFACE, 0, 0.0005))
picture("orthmann2013-room-small",
        [seen(O + "room-small", f"camera.wall_colour={c}", *painted(c + "_dirt", 0, 0.3))
         for c in ("red", "green", "blue")], [0.8, 1.8], columns=2)
picture("orthmann2013-flood-small",
        [O + "flood-small", of(O + "flood-small", "species.0.inflow.0.concentration=1",
                               "title=The same with 1 mol/m³")], [1.2, 2.2, 4],
        looks=painted(SURFACE, 0, 0.05, "camera.eye=[2.5, 3, 4.4]", "camera.target=[2.05, 0.12, 0.95]",
                      "camera.fov=36"))
SOAP = painted("soap_surface", 0, 0.001)
CLEAN = ("species.0.effect.tension=0", "title=The same, soap without effect")
# One above the other: how far the boat has come. The canal goes on across; its ends are left out.
CANAL = ("walls.canal.look={visible: false}", "camera.eye=[0.05, 0.045, 0.09]", "camera.target=[0.05, 0.006, 0.004]",
         "camera.fov=19")
WITHOUT = of(O + "soap-boat-small", *CLEAN)
strip("orthmann2013-soap-boat-small", [(O + "soap-boat-small", 0), (O + "soap-boat-small", 0.2), (WITHOUT, 0.2)],
      (1280, 300), 1, SOAP + CANAL)
picture("orthmann2013-soap-boat-open", [O + "soap-boat-open-small", of(O + "soap-boat-open-small", *CLEAN)],
        [0.1, 0.25, 0.4], looks=SOAP + ("camera.eye=[0.03, 0.062, 0.072]", "camera.target=[0.0285, 0.0075, 0.0185]"))
picture("orthmann2013-soap-spreading", O + "soap-spreading-small", [0.05, 0.3, 1],
        looks=painted("soap_surface", 0, 0.01))
picture("orthmann2013-tears-of-wine-small",
        [O + "tears-of-wine-small", of(O + "tears-of-wine-small", "species.0.surface.evaporation=0",
                                       "title=The same without evaporation")], [0.3, 0.8], TILE, 2,
        painted("alcohol", 0, 100, "camera.eye=[0.036, 0.036, 0.04]", "camera.target=[0.015, 0.003, 0.006]",
                "camera.fov=38"))

MODELS = ("", "-weak", "-akinci2013", "-becker2007", "-he2014", "-zorilla2020")
# The drop of zorilla2020 drifts; its camera goes with it.
strip("jeske2023-methods",
      [(J + "double-droplet" + m, 2, "camera.eye=[0, 0.9, 3.6]", "camera.target=[0, -0.1, 0]", "camera.ground=-1.4")
       for m in MODELS[:5]] +
      [(J + "double-droplet-zorilla2020", 2, "camera.eye=[0.146, 0.058, 4.124]", "camera.target=[0.146, -0.942, 0.524]",
        "camera.ground=-2.242")], columns=3, looks=("camera.fov=36", "fluids.0.look={clarity: 0.6}"))
picture("jeske2023-stability", [J + f"sphere-stability-{m}-small" for m in ("implicit", "strong", "explicit")],
        [1, 3, 6.5], (480, 360), looks=("fluids.0.look={clarity: 0.5}",))
picture("jeske2023-double-droplet-impact-small", J + "double-droplet-impact-small", [0, 0.4, 1.9, 2.2, 2.4, 4])
# The drop of zorilla2020 drifts; its camera goes with it.
strip("jeske2023-impacts",
      [(J + f"double-droplet-impact{m}", 8) for m in MODELS[:5]] +
      [(J + "double-droplet-impact-zorilla2020", 8, "camera.eye=[4.54, 2, 11.56]",
        "camera.target=[2.34, 0.7, 7.16]")], columns=3, looks=painted("speed", 0, 0.2, "camera.fov=40"))
FOUR = ("jeske2023", "akinci2013", "becker2007", "zorilla2020")
picture("jeske2023-crowns", [J + f"crown-{m}" for m in FOUR], 0.16, (480, 420), 4,
        ("camera.eye=[0, 2.9, 5.2]", "camera.target=[0, 0.88, 0]", "camera.fov=34", "walls.0.look={material: glass}"))
picture("jeske2023-crown-fingers", J + "crown-fingers", 0.24,
        looks=("camera.eye=[1.5, 2.9, 6.8]", "camera.target=[1.5, 0.85, 1.5]", "camera.fov=35",
               *(f"fluids.{k}.look={{clarity: 0.9}}" for k in (0, 1))))
picture("jeske2023-viscosity-small", J + "viscosity-small", [0, 0.2, 0.6], SQUARE,
        looks=("camera.fov=46", "camera.eye=[0, 0.25, 7.4]", "camera.target=[0, 0.25, 0]",
               *(f"fluids.{k}.look={{clarity: 0.4}}" for k in range(4))))
picture("jeske2023-bubbles-two", J + "bubbles-two", [0, 0.3, 1, 5], (480, 360), 4,
        looks=("camera.eye=[0, 0, 0.5]", "camera.fov=41", "camera.cut=0.5", "camera.look=spheres"))
picture("jeske2023-bubbles-small", J + "bubbles-small", [0, 0.6, 4], SQUARE,
        looks=("camera.eye=[0, 0.02, 1.5]", "camera.target=[0, 0.02, 0]", "camera.fov=36", "camera.cut=1.5",
               "camera.look=spheres"))
DARKER = tuple(f"fluids.{k}.look={{clarity: 0.3}}" for k in range(3))
picture("jeske2023-droplet-matrix-small", J + "droplet-matrix-small", 2, looks=DARKER)
picture("jeske2023-droplet-matrix-maps-small", J + "droplet-matrix-maps-small", 2, looks=DARKER)
strip("jeske2023-sphere-adhesion",
      [(J + "sphere-adhesion", 1), (J + "sphere-adhesion", 10), (J + "sphere-adhesion-akinci2013", 10),
       (of(J + "sphere-adhesion-akinci2013", "title=The same, less adhesion and cohesion",
           "fluids.water.tension={model: akinci2013, cohesion: 0.2, curvature: 0.2, adhesion: 20}"), 10)], TALL, 4,
      looks=("walls.0.look={colour: white}", "fluids.0.look={clarity: 0.4}"))
BELL = ("camera.target=[0, 0, 0]", "camera.eye=[0, 1.2, 9]", "camera.fov=46")
CHAIN = ("camera.eye=[5.6, -0.8, 4.3]", "camera.target=[0, -1.9, 0]", "fluids.0.look={clarity: 0.35}")
picture("jeske2023-water-bell-small", J + "water-bell-small", [0.4, 0.8, 1.6], TALL, looks=BELL)
picture("jeske2023-fluid-chain-small", J + "fluid-chain-small", [0.5, 1.2], (640, 640), 2, CHAIN)
DROPS = "fluids.water.look={clarity: 0.0005}"
picture("jeske2023-faucet", J + "faucet", [0.06, 0.1, 0.12, 0.2, 0.4], (320, 720), 5,
        ("camera.eye=[0, -0.01, 0.08]", "camera.target=[0, -0.012, 0]", "camera.fov=24", DROPS))
picture("jeske2023-faucet-glass", J + "faucet", [0.2, 0.3, 0.4], (424, 1280), looks=(DROPS, "camera.fov=33"))
picture("jeske2023-catenoids", J + "catenoid", [0.7, 1.7, 2.5, 3.2, 3.5, 4.4], SQUARE)
picture("jeske2023-droplet-toy-small", J + "droplet-toy-small", [0.5, 2.5, 3.5, 4.5, 6, 12], (336, 540), 6)
WAXED = ("walls.pane.contact_angle=110", "title=The same waxed, 110 degrees")
picture("laplace-windshield", [L + "windshield", of(L + "windshield", *WAXED)], 0.01, (640, 480),
        looks=("camera.fov=36", "camera.target=[-0.0004, 0.0002, 0.0003]"))
picture("laplace-capillary-rise", L + "capillary-rise", [0.03, 0.4], (640, 720),
        looks=("camera.eye=[0, 0.0075, 0.022]", "camera.target=[0, 0.0036, 0]", "camera.fov=37",
               "walls.glass.look={visible: true, material: glass}"))
picture("laplace-climbing-drop", L + "climbing-drop", [0.004, 0.02, 0.036], (1280, 400), 1,
        ("camera.eye=[0.002, 0.0034, 0.0125]", "camera.target=[0.002, 0, 0]", "camera.fov=17",
         "fluids.0.look={clarity: 0.0015}", 'walls.plate.look={colour: "#c9c2b6"}',
         "camera.ground=-0.0006"))
picture("laplace-coffee-crown", L + "coffee-crown", 0.008,
        looks=("walls.cup.look={material: glass}", "camera.eye=[0, 0.0185, 0.039]", "camera.target=[0, 0.004, 0]",
               "camera.fov=35.5", *(f'fluids.{k}.look={{colour: "#8a4a18", clarity: 0.0042}}' for k in (0, 1))))
picture("laplace-sessile", "laplace/sessile", [0, 0.012, 0.03], looks=("camera.fov=21",))

DROP = (("approximate deformation", "approximate"), ("direct deformation", "direct"))
curves("falling-drop-speed", "falling-drop", DROP + (("without drag", "no-drag"),), "speed",
       "A drop of 5 mm that falls from rest")
curves("falling-drop-deformation", "falling-drop", [(label, "shape-" + table) for label, table in DROP], "deformation",
       "A drop of 5 mm that falls from rest")
curves("laplace-jet", "laplace-jet", (("measured", "measured"), ("theory", "theory")), "amplitude",
       "A column of water breaks up: amplitude of the fastest wave over the radius", "--log")
curves("laplace-rise", "laplace-rise", (("tube, 4.15 mm by Jurin", "tube"), ("plates, 3.71 mm by Jurin", "plates")),
       "height", "Capillary rise")
curves("jeske-energy", "jeske-energy",
       (("implicit", "implicit"), ("strong coupling", "strong"), ("explicit", "explicit")), "energy",
       "Surface energy over that of the block; the tension doubles from 2 to 4 s")
curves("tension", "tension", [(m, m) for m in ("laplace", "akinci2013", "wang2017", "jeske2023", "zorilla2020")],
       "amplitude", "Drop of water after a kick: amplitude of l = 2 over the radius")

# Published sizes: at most two or three minutes each on an H200, as far as they were timed (docs/gallery.md).
picture("akinci2013-crown", A + "crown", 0.06, large=True)
picture("akinci2013-stream", A + "stream", [0.5, 1.8, 3.4], SQUARE, 3, WHITE, large=True)
picture("akinci2013-plate", A + "plate", [0.16, 0.28, 0.44, 0.6], TILE, 2,
        ("camera.target=[0, -0.3, 0]", "camera.fov=36", "fluids.0.look={clarity: 0.2}"), large=True)
picture("gissler2017-wiper", G + "wiper", 0.6, large=True)
picture("gissler2017-ship", G + "ship", 8, large=True)
RELEASED = tuple(f"bodies.{k}.release=0.2" for k in range(3))
picture("gissler2017-channel-simulated", of(G + "channel-simulated", *RELEASED), 0.9, (1280, 500),
        looks=painted("speed", 0, 1.5, "camera.eye=[0.54, 0.13, 1.9]", "camera.target=[0.54, 0.13, 0.15]",
                      "camera.fov=15.5"), large=True)
picture("gissler2017-figure", G + "figure", [0, 0.4, 0.65, 0.9], (480, 640), 4,
        looks=("camera.target=[0, 1.3, 0]", "camera.eye=[1.3, 1.5, 5.6]", "camera.fov=33"), large=True)
picture("gissler2017-cannon-ball", [G + "cannon-ball", of(G + "cannon-ball", NO_DRAG, "title=The same without drag")],
        [0.13, 0.15], TILE, 2, BALL, large=True)
# Its picture in docs was made with particles.spacing 0.003 in run.yaml after the runs: drops of 1 mm are less than a
# pixel of it, and their surface takes more than 16 GB.
TYRE = ("output.every=0.1", "output.fields=[velocity]")
picture("gissler2017-tyre", [of(G + "tyre", *TYRE), of(G + "tyre", NO_DRAG, "title=The same without drag", *TYRE)], 3,
        (960, 560), 2, painted("speed", 3, 9, "output.surface.cell=0.002", "camera.eye=[2.85, 0.2, 9]",
                               "camera.target=[2.85, -0.72, 0]", "camera.fov=25"), large=True)
picture("jeske2023-bubbles", J + "bubbles", [0, 0.08, 0.32, 0.8], SQUARE, 4,
        ("camera.eye=[0, 0, 0.7]", "camera.fov=36", "camera.cut=0.7", "camera.look=spheres"), large=True)
picture("jeske2023-water-bell", J + "water-bell", [0.4, 1, 3], TALL, looks=BELL, large=True)
picture("jeske2023-fluid-chain", J + "fluid-chain", [0.5, 2], (640, 640), 2, CHAIN, large=True)


# -- PNG files ---------------------------------------------------------------------------------------------------------

def paeth(a, b, c):
    p, pa, pb, pc = a + b - c, abs(b - c), abs(a - c), abs(a + b - 2 * c)
    return a if pa <= pb and pa <= pc else b if pb <= pc else c


def unfilter(kind, row, above):
    if kind == 1:
        for i in range(3, len(row)):
            row[i] = (row[i] + row[i - 3]) & 255
    elif kind == 2:
        row = bytearray((a + b) & 255 for a, b in zip(row, above))
    elif kind == 3:
        for i in range(len(row)):
            row[i] = (row[i] + ((row[i - 3] if i >= 3 else 0) + above[i]) // 2) & 255
    elif kind == 4:
        for i in range(len(row)):
            left, corner = (row[i - 3], above[i - 3]) if i >= 3 else (0, 0)
            row[i] = (row[i] + paeth(left, above[i], corner)) & 255
    return row


def read_png(path):
    """Rows of RGB bytes: what `meniscus render` writes, nothing more."""
    with open(path, "rb") as file:
        data = file.read()
    at, body, width, height = 8, b"", 0, 0
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack(">IIBB", data[at + 8:at + 18])
            if (depth, colour) != (8, 2):
                raise ValueError(f"{path}: expected a PNG file of 8-bit RGB")
        if kind == b"IDAT":
            body += data[at + 8:at + 8 + length]
        at += length + 12
    raw, rows, above, stride = zlib.decompress(body), [], bytearray(3 * width), 3 * width + 1
    for y in range(height):
        above = unfilter(raw[y * stride], bytearray(raw[y * stride + 1:(y + 1) * stride]), above)
        rows.append(above)
    return rows


def write_png(path, rows):
    """Each row as it is, or as difference to the left or to the row above, whichever is smallest."""
    out, above = [], bytes(len(rows[0]))
    for row in rows:
        row = bytes(row)
        filters = [b"\0" + row, b"\1" + row[:3] + bytes((a - b) & 255 for a, b in zip(row[3:], row)),
                b"\2" + bytes((a - b) & 255 for a, b in zip(row, above))]
        out.append(min(filters, key=lambda line: len(zlib.compress(line, 1))))
        above = row

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", len(rows[0]) // 3, len(rows), 8, 2, 0, 0, 0)
    with open(path + ".partial", "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"".join(out), 9)) +
                   chunk(b"IEND", b""))
    os.replace(path + ".partial", path)


def join_tiles(paths, columns, path):
    gap, rows = 6, []
    for first in range(0, len(paths), columns):
        line = [read_png(p) for p in paths[first:first + columns]]
        wide = columns * len(line[0][0]) + (columns - 1) * 3 * gap
        if rows:
            rows += [b"\xff" * wide] * gap
        for y in range(len(line[0])):
            row = (b"\xff" * 3 * gap).join(tile[y] for tile in line)
            rows.append(row + b"\xff" * (wide - len(row)))
    write_png(path, rows)


# -- work --------------------------------------------------------------------------------------------------------------

class Work:
    def __init__(self, args):
        self.args, self.children, self.lock = args, set(), threading.Lock()
        self.end = time.time() + 60 * args.minutes if args.minutes else None
        self.stopped = False

    def over(self):
        if self.end and time.time() > self.end and not self.stopped:
            self.stop()
        return self.stopped

    def stop(self, *_):
        self.stopped = True
        for child in list(self.children):
            child.send_signal(signal.SIGTERM)  # a run leaves a checkpoint

    def call(self, *words):
        """The exit code of `meniscus WORDS`; what it says goes to our stderr where it fails."""
        if self.over():
            return None
        child = subprocess.Popen([self.args.meniscus, *words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                 text=True, cwd=ROOT)
        self.children.add(child)
        while True:
            try:
                said = child.communicate(timeout=1)[1]
                break
            except subprocess.TimeoutExpired:
                self.over()
        self.children.discard(child)
        if child.returncode not in (0, 130):
            sys.stderr.write(f"gallery: meniscus {' '.join(words)}: exit code {child.returncode}\n{said}")
        return child.returncode

    def folder(self, run):
        return os.path.join(self.args.work, "runs", run.name)

    def simulate(self, run):
        """True where the run has come to its last moment."""
        with run.lock:
            folder = self.folder(run)
            done = os.path.join(folder, "gallery.done")
            if os.path.exists(done) and float(open(done).read()) >= run.until:
                return True
            words = ["run", f"scenes/{run.scene}.yaml", "-o", folder, "-q", "--threads", str(self.args.threads)]
            for change in run.sets:
                words += ["--set", change]
            if self.args.backend:
                words += ["--backend", self.args.backend]
            words += ["--resume"] if os.path.exists(os.path.join(folder, "checkpoint.h5")) else ["--overwrite"]
            start = time.time()
            # the first frame is there before the first step
            code = self.call(*words, "--until", repr(run.until) if run.until else "1e-9")
            if code == 0:
                with open(done, "w") as file:
                    file.write(repr(run.until))
                print(f"run {run.name}: {time.time() - start:.0f} s", flush=True)
            return code == 0

    def tile_path(self, tile):
        looks = "+".join(tile.looks).replace("camera.", "")
        name = f"{tile.run.name}@{tile.moment:g}s+{looks}+{tile.size[0]}x{tile.size[1]}"
        plain = re.sub(r"[^A-Za-z0-9=.@+-]+", "-", name)[:180]
        return os.path.join(self.args.work, "tiles", f"{plain}+{zlib.crc32(name.encode()):08x}")

    def render(self, tile):
        """The tile's file, or None."""
        folder = self.folder(tile.run)
        if not self.simulate(tile.run):
            return None
        text = open(os.path.join(folder, "run.yaml"), encoding="utf-8", errors="replace").read()
        every = float(re.search(r"^output:.*\n(?:  .*\n)*?  every: (\S+)", text, re.M).group(1))
        number = round(tile.moment / every)
        out = self.tile_path(tile)
        file = os.path.join(out, f"frame_{number:05d}.png")
        if os.path.exists(file):
            return file
        words = ["render", folder, "-o", out, "--frames", str(number), "--size", "%dx%d" % tile.size, "-q",
                 "--threads", str(self.args.threads)]
        for look in tile.looks:
            words += ["--set", look]
        return file if self.call(*words) == 0 else None

    def validate(self, case, tables):
        """True where the tables of the case are there."""
        files = [os.path.join(self.args.work, "curves", case, table) for table in tables]
        with self.lock:
            if not all(map(os.path.exists, files)):
                os.makedirs(os.path.dirname(files[0]), exist_ok=True)
                # a case that is outside of its bars leaves its tables, too
                self.call("validate", case, "-o", os.path.dirname(files[0]), "-q", "--threads", str(self.args.threads))
        return all(map(os.path.exists, files))

    def draw(self, which, path):
        """The chart; True where it was made."""
        runs = [tile.run for tile in which.tiles]
        sources = [os.path.join(self.args.work, "curves", which.case, table) for table in which.tables] or \
            [self.folder(run) for run in runs]
        return all(self.simulate(run) for run in runs) and (
            not which.case or self.validate(which.case, which.tables)) and self.call(
                "plot", *sources, *which.plotted, "-o", path, "--overwrite", "-q") == 0

    def make(self, which):
        folder = os.path.join(os.path.dirname(self.args.out), "validation") if which.case else self.args.out
        path = os.path.join(folder, which.name + ".png")
        if which.plotted:
            return self.draw(which, path)
        files = [self.render(tile) for tile in which.tiles]
        if None in files:
            return False
        if not os.path.exists(path) or any(os.path.getmtime(f) > os.path.getmtime(path) for f in files):
            if len(files) == 1:
                with open(files[0], "rb") as source, open(path, "wb") as copy:
                    copy.write(source.read())
            else:
                join_tiles(files, which.columns, path)
            print(f"{path}: {os.path.getsize(path) / 1e6:.2f} MB", flush=True)
        return True


def main():
    parser = argparse.ArgumentParser(usage="%(prog)s MENISCUS [OPTION ...]", description=__doc__.split("\n")[0])
    parser.add_argument("meniscus")
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="this picture; may be repeated")
    parser.add_argument("--large", action="store_true", help="published sizes too, which want a GPU")
    parser.add_argument("--jobs", type=int, default=1, help="runs and pictures at a time")
    parser.add_argument("--threads", type=int, default=0, help="of each of them (default: the cores by the jobs)")
    parser.add_argument("--backend", help="of the runs")
    parser.add_argument("--minutes", type=float, help="stop after so many minutes; called again it goes on")
    parser.add_argument("--work", default=os.path.join(ROOT, "build", "gallery"), help="runs and tiles")
    parser.add_argument("--out", default=os.path.join(ROOT, "docs", "images", "gallery"), help="pictures")
    parser.add_argument("--list", action="store_true", help="names, and what they show")
    args = parser.parse_args()
    args.meniscus, args.threads = os.path.abspath(args.meniscus), args.threads or max(1, os.cpu_count() // args.jobs)
    unknown = set(args.only) - {p.name for p in PICTURES}
    if unknown:
        sys.exit(f"gallery: no picture {', '.join(sorted(unknown))}; --list names them")
    chosen = [p for p in PICTURES if (p.name in args.only if args.only else args.large or not p.large)]
    if args.list:
        for p in chosen:
            print(p.name, f"case {p.case}" if p.case else
                  ", ".join(f"{t.run.name} at {t.moment:g} s" for t in p.tiles))
        return 0
    args.out = os.path.abspath(args.out)
    os.makedirs(args.out, exist_ok=True)
    os.makedirs(os.path.join(os.path.dirname(args.out), "validation"), exist_ok=True)
    work = Work(args)
    signal.signal(signal.SIGINT, work.stop), signal.signal(signal.SIGTERM, work.stop)
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        # runs first, so that no picture waits for the runs of one other; then tiles, as one list
        list(pool.map(work.simulate, dict.fromkeys(t.run for p in chosen for t in p.tiles)))
        list(pool.map(work.render, (t for p in chosen if not p.plotted for t in p.tiles)))
        made = list(pool.map(work.make, chosen))
    left = [p.name for p, good in zip(chosen, made) if not good]
    print(f"{sum(made)} of {len(chosen)} pictures" + (f"; left: {' '.join(left)}" if left else ""))
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
