"""scene_keys.py MENISCUS FOLDER -- what the keys of a scene file promise, seen in the frames and tables of short runs.

Each function whose name begins with `keys_` is a test; a scene is JSON, which is YAML too.
"""
import json
import math
import os
import re
import struct
import subprocess
import sys

MENISCUS, FOLDER = sys.argv[1:3]
D = 0.02  # spacing of nearly all scenes here
COUNTER = [0]


def tool(*words):
    done = subprocess.run([MENISCUS, *words], capture_output=True, text=True, timeout=120)
    return done.returncode, done.stdout, done.stderr


def scene_of(**keys):
    scene = {"particles": {"spacing": D}, "gravity": [0, 0, 0], "time": {"step": 0.005, "end": 0.1},
             "output": {"every": 0.05, "fields": ["velocity", "id"], "formats": ["ply"]}}
    scene.update(keys)
    return scene


class Run:
    """A finished run: frames as lists of rows by name, stats as columns."""

    def __init__(self, scene, *words):
        COUNTER[0] += 1
        self.dir = os.path.join(FOLDER, "run%d" % COUNTER[0])
        path = self.dir + ".json"
        with open(path, "w") as file:
            json.dump(scene, file)
        code, out, err = tool("run", path, "-o", self.dir, "--quiet", *words)
        assert code == 0, "exit code %d: %s" % (code, err)
        self.state = re.search(r"^state ([0-9a-f]{16})$", out, re.M).group(1)
        with open(self.dir + "/stats.csv") as file:
            head = file.readline().strip().split(",")
            rows = [[float(x) for x in line.split(",")] for line in file]
        self.stats = {name: [row[c] for row in rows] for c, name in enumerate(head)}

    def frame(self, number):
        with open("%s/frames/frame_%05d.ply" % (self.dir, number), "rb") as file:
            data = file.read()
        text, body = data.split(b"end_header\n", 1)
        count = int(re.search(rb"element vertex (\d+)", text).group(1))
        names = [(m.group(2).decode(), "f" if m.group(1) == b"float" else "i")
                 for m in re.finditer(rb"property (float|int) (\w+)", text)]
        row = struct.Struct("<" + "".join(kind for _, kind in names))
        assert len(body) >= count * row.size
        return [dict(zip((name for name, _ in names), row.unpack_from(body, k * row.size))) for k in range(count)]


def near(a, b, bound, what=""):
    assert abs(a - b) <= bound, "%s: %g instead of %g (within %g)" % (what, a, b, bound)


def bounds(points, axis):
    return min(p[axis] for p in points), max(p[axis] for p in points)


def cube_mesh(name, lo, hi):
    """A closed box as OBJ, PLY or STL."""
    corner = [[(lo, hi)[(k >> a) & 1] for a in range(3)] for k in range(8)]
    quads = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
    path = os.path.join(FOLDER, name)
    with open(path, "wb") as file:
        if name.endswith("obj"):
            for c in corner:
                file.write(b"v %g %g %g\n" % tuple(c))
            for q in quads:
                file.write(b"f %d %d %d %d\n" % tuple(k + 1 for k in q))
        elif name.endswith("ply"):
            file.write(b"ply\nformat ascii 1.0\nelement vertex 8\n"
                       b"property float x\nproperty float y\nproperty float z\n"
                       b"element face 6\nproperty list uchar int vertex_indices\nend_header\n")
            for c in corner:
                file.write(b"%g %g %g\n" % tuple(c))
            for q in quads:
                file.write(b"4 %d %d %d %d\n" % q)
        else:
            triangles = [t for q in quads for t in ((q[0], q[1], q[2]), (q[0], q[2], q[3]))]
            file.write(b"\0" * 80 + struct.pack("<I", len(triangles)))
            for t in triangles:
                file.write(struct.pack("<12fH", 0, 0, 0, *(x for k in t for x in corner[k]), 0))
    return path


def keys_initial_velocities():
    ball = {"velocity": [1, -2, 3], "angular_velocity": [0.5, 1, -2],
            "shapes": [{"sphere": {"radius": 0.1, "centre": [0.2, 0.3, -0.4]}}]}
    for p in Run(scene_of(fluids=[ball]), "--steps", "0").frame(0):
        x, y, z = p["x"] - 0.2, p["y"] - 0.3, p["z"] + 0.4
        near(p["vx"], 1 + 1 * z + 2 * y, 1e-5, "vx")
        near(p["vy"], -2 - 2 * x - 0.5 * z, 1e-5, "vy")
        near(p["vz"], 3 + 0.5 * y - 1 * x, 1e-5, "vz")


def keys_every_shape_is_filled():
    """Number of particles against the volume; meshes of all three formats fill as the box does."""
    shapes = {
        "box": ({"size": [0.2, 0.3, 0.4]}, 0.024),
        "sphere": ({"radius": 0.15}, 4 / 3 * math.pi * 0.15**3),
        "cylinder": ({"radius": 0.12, "height": 0.3, "axis": [1, 2, 0]}, math.pi * 0.12**2 * 0.3),
        "capsule": ({"radius": 0.1, "height": 0.2, "axis": [0, 0, 1]}, math.pi * 0.01 * 0.2 + 4 / 3 * math.pi * 0.001),
        "cone": ({"radius": 0.2, "height": 0.3, "top_radius": 0.1}, math.pi * 0.3 / 3 * (0.04 + 0.02 + 0.01)),
        "torus": ({"radius": 0.15, "tube": 0.07}, 2 * math.pi**2 * 0.15 * 0.07**2),
    }
    for ending in ("obj", "ply", "stl"):
        shapes["mesh " + ending] = ({"file": cube_mesh("cube." + ending, -0.1, 0.2)}, 0.027)
    for name, (keys, volume) in shapes.items():
        for sampling in ("lattice", "poisson"):
            fluid = {"sampling": sampling, "shapes": [{name.split()[0]: keys}]}
            points = Run(scene_of(fluids=[fluid]), "--steps", "0").frame(0)
            near(len(points) * D**3 / volume, 1, 0.06, "volume of %s by %s" % (name, sampling))


def keys_transforms():
    """Scaled about the centre, turned, moved: a box of 0.2 x 0.1 x 0.1 becomes 0.2 x 0.4 x 0.2 elsewhere."""
    turns = [[0, 0, 90], {"axis": [0, 0, 2], "angle": 90}, [0, -1, 0, 1, 0, 0, 0, 0, 1]]
    for turn in turns:
        box = {"size": [0.2, 0.1, 0.1], "centre": [1, 0, 0], "scale": 2, "rotate": turn, "translate": [0, 1, -1]}
        points = Run(scene_of(fluids=[{"shapes": [{"box": box}]}]), "--steps", "0").frame(0)
        for axis, lo, hi in (("x", 0.9, 1.1), ("y", 0.8, 1.2), ("z", -1.1, -0.9)):
            low, high = bounds(points, axis)
            near(low, lo + D / 2, 1e-4, axis)
            near(high, hi - D / 2, 1e-4, axis)


def keys_union_and_holes():
    two = [{"box": {"min": [0, 0, 0], "max": [0.2, 0.2, 0.2]}}, {"box": {"min": [0.1, 0, 0], "max": [0.3, 0.2, 0.2]}}]
    assert len(Run(scene_of(fluids=[{"shapes": two}]), "--steps", "0").frame(0)) == 15 * 10 * 10
    fluid = {"shapes": two, "holes": [{"box": {"min": [0.1, -1, -1], "max": [0.2, 1, 1]}}]}
    points = Run(scene_of(fluids=[fluid]), "--steps", "0").frame(0)
    assert len(points) == 10 * 10 * 10 and not any(0.1 < p["x"] < 0.2 for p in points)


def keys_sampling():
    """Poisson disks keep their distance and come anew with the seed; a jitter stays within its bound."""
    def points(**keys):
        fluid = dict({"shapes": [{"box": {"size": [0.2, 0.2, 0.2]}}]}, **keys)
        return Run(scene_of(fluids=[fluid]), "--steps", "0").frame(0)

    plain, poisson, other = points(), points(sampling="poisson"), points(sampling="poisson", seed=7)
    assert [p["x"] for p in poisson[:9]] != [p["x"] for p in other[:9]]
    least = min(math.dist((a["x"], a["y"], a["z"]), (b["x"], b["y"], b["z"])) 
                for k, a in enumerate(poisson) for b in poisson[:k])
    assert least > 0.5 * D, "two particles %g spacings apart" % (least / D)
    shaken = points(jitter=0.3, seed=3)
    assert len(shaken) == len(plain)
    by_id = {p["id"]: p for p in plain}
    shift = max(abs(p[a] - by_id[p["id"]][a]) for p in shaken for a in "xyz")
    assert 0.1 * D < shift < 0.31 * D, "shift of %g spacings" % (shift / D)


def keys_wall_surfaces():
    """Particles of a wall stand for their share of its surface, whatever the shape."""
    shapes = {
        "box": ({"size": [0.4, 0.3, 0.2]}, 0.52),
        "sphere": ({"radius": 0.2}, 4 * math.pi * 0.04),
        "cylinder": ({"radius": 0.2, "height": 0.3}, 2 * math.pi * 0.2 * 0.5),
        "capsule": ({"radius": 0.15, "height": 0.3}, 2 * math.pi * 0.15 * 0.6),
        "cone": ({"radius": 0.2, "height": 0.3}, math.pi * 0.2 * (0.2 + math.hypot(0.2, 0.3))),
        "torus": ({"radius": 0.2, "tube": 0.1}, 4 * math.pi**2 * 0.02),
        "plane": ({"size": [0.5, 0.4]}, 0.2),
        "mesh": ({"file": cube_mesh("wall.obj", 0, 0.3)}, 6 * 0.09),
    }
    for name, (keys, area) in shapes.items():
        for inside_out in (False, True):
            if name == "plane" and inside_out:
                continue
            wall = {"shapes": [{name: dict(keys, inside_out=inside_out)}]}
            scene = scene_of(fluids=[{"shapes": [{"sphere": {"radius": 0.03, "centre": [0.11, 0.1, 5]}}]}],
                             walls=[wall])
            path = os.path.join(FOLDER, "wall.json")
            with open(path, "w") as file:
                json.dump(scene, file)
            code, out, err = tool("check", path)
            count = int(re.search(r"([\d,]+) boundary points", out + err).group(1).replace(",", ""))
            near(count * D * D / area, 1, 0.12, "surface of %s" % name)


def keys_emitters():
    """Flow through the opening is its area times the integral of the speed; any angle; start, stop and limit."""
    def flow(opening, speed, end=0.5, **keys):
        emitter = dict(opening, position=[0.3, 0.2, 0.1], speed=speed, direction=keys.pop("direction", [0, -1, 0]),
                       **keys)
        scene = scene_of(fluids=[{"emitters": [emitter]}], time={"step": 0.005, "end": end})
        return Run(scene, "--set", "output.every=0.1")

    box, disc = {"box": {"size": [0.1, 0.2]}}, {"disc": {"radius": 0.1}}
    near(flow(box, 2).stats["particles"][-1] * D**3 / (0.02 * 2 * 0.5), 1, 0.03, "rectangle")
    near(flow(disc, 2).stats["particles"][-1] * D**3 / (math.pi * 0.01 * 2 * 0.5), 1, 0.08, "disc")
    run = flow(box, {0: 0, 0.5: 4})
    near(run.stats["particles"][-1] * D**3 / (0.02 * 1), 1, 0.03, "speed over time")
    run = flow(box, 2, start=0.2, stop=0.4)
    near(run.stats["particles"][-1] * D**3 / (0.02 * 2 * 0.2), 1, 0.06, "start and stop")
    assert not run.frame(2) and run.frame(3), "nothing before the start"
    assert len(run.frame(4)) == len(run.frame(5)), "nothing after the stop"
    assert flow(box, 2, limit=123).stats["particles"][-1] == 123, "limit"
    direction = [1, 2, -2]
    for p in flow(box, 3, direction=direction, end=0.1).frame(1):
        for axis, part in zip("xyz", direction):
            near(p["v" + axis], part, 0.02, "direction")
        along = sum(part / 3 * (p[axis] - at) for axis, part, at in zip("xyz", direction, (0.3, 0.2, 0.1)))
        assert -1e-3 < along < 0.31 + D, "a particle %g m along" % along


def keys_sinks():
    fluid = {"shapes": [{"box": {"size": [0.2, 0.2, 0.2]}}], "velocity": [1, 0, 0]}
    sink = {"shape": {"plane": {"point": [0.25, 0, 0], "normal": [-1, 0, 0], "size": [1, 1]}}}
    scene = scene_of(fluids=[fluid], sinks=[sink], time={"step": 0.005, "end": 0.5})
    run = Run(scene)
    assert run.stats["particles"][-1] == 0 and run.stats["drained"][-1] == 1000 and run.stats["lost"][-1] == 0
    scene["sinks"] = [dict(sink, start=0.2, stop=0.25)]
    counts = Run(scene).stats["particles"]
    assert counts[38] == 1000 and counts[-1] == counts[51] and 200 < counts[-1] < 700, counts[-1]


def keys_domain_deletes():
    fluid = {"shapes": [{"box": {"size": [0.2, 0.2, 0.2]}}], "velocity": [1, 0, 0]}
    scene = scene_of(fluids=[fluid], domain={"min": [-0.2, -0.2, -0.2], "max": [0.2, 0.2, 0.2]},
                     time={"step": 0.005, "end": 0.2})
    run = Run(scene)
    assert run.stats["particles"][-1] + run.stats["lost"][-1] == 1000 and 450 < run.stats["lost"][-1] < 550


def keys_gravity_over_time():
    fluid = {"shapes": [{"box": {"size": [0.1, 0.1, 0.1]}}]}
    scene = scene_of(fluids=[fluid], gravity={0: [0, 0, 0], 0.2: [4, 0, 0], 0.3: [4, 0, -6]},
                     time={"step": 0.001, "end": 0.4})
    scene["output"]["every"] = 0.4
    for p in Run(scene).frame(1):
        near(p["vx"], 0.4 + 0.8, 0.01, "vx")
        near(p["vz"], -0.3 - 0.6, 0.01, "vz")


def keys_moving_walls():
    """Floors that rise, by keyframes and at constant velocity, lift water; a rotating one turns away from it."""
    fluid = {"shapes": [{"box": {"grid": [10, 5, 10], "origin": [-0.09, 0.022, -0.09]}}]}
    tank = {"box": {"size": [0.224, 0.4, 0.224], "centre": [0, 0.2, 0], "open": ["top"], "inside_out": True}}
    for motion in ({"translation": {0: [0, 0, 0], 0.2: [0.1, 0.3, 0], 1: [0.1, 0.3, 0]}}, {"velocity": [0.5, 1.5, 0]}):
        scene = scene_of(fluids=[fluid], walls=[{"shapes": [tank], "motion": motion}], gravity=[0, -9.81, 0],
                         time={"adaptive": {"max": 0.002}, "end": 0.2})
        scene["output"]["every"] = 0.2
        points = Run(scene).frame(1)
        assert len(points) == 500 and bounds(points, "y")[0] > 0.3 and bounds(points, "x")[0] > 0.1 - 0.112
    turn = {"centre": [0, 0.2, 0], "rotation": {0: [0, 0, 0], 0.8: [0, 0, math.pi]}}
    steady = {"centre": [0, 0.2, 0], "angular_velocity": [0, 0, math.pi / 0.8]}
    for motion in (turn, steady):  # upside down, the open box has let its water out
        scene = scene_of(fluids=[fluid], walls=[{"shapes": [tank], "motion": motion}], gravity=[0, -9.81, 0],
                         time={"adaptive": {"max": 0.002}, "end": 1})
        scene["output"]["every"] = 1
        points = Run(scene).frame(1)
        assert sum(abs(p["x"]) > 0.15 or not 0 < p["y"] < 0.4 for p in points) > 450, "the box is still full"


def keys_time_step():
    fluid = {"shapes": [{"box": {"size": [0.1, 0.1, 0.1]}}], "velocity": [2, 0, 0]}
    scene = scene_of(fluids=[fluid], time={"step": 0.003, "end": 0.1})
    scene["output"]["every"] = 0
    steps = Run(scene).stats["dt"]
    assert all(abs(dt - 0.003) < 1e-9 for dt in steps[:-1]) and len(steps) == 34, steps
    for limits, expected in (({"max": 0.002}, 0.002), ({"cfl": 0.2}, 0.2 * D / 2),
                             ({"cfl": 0.001, "min": 0.003, "max": 0.01}, 0.003)):
        scene["time"] = {"adaptive": limits, "end": 0.1}
        steps = Run(scene).stats["dt"]
        near(max(steps[5:-2]), expected, 0.02 * expected, "adaptive %s" % limits)
    assert 0.1 - 1e-9 <= sum(steps) < 0.1 + steps[-1], "the end: the first step that reaches it"


def keys_periodic_axes():
    """A stream that fills a periodic box goes round and comes back to where it was."""
    fluid = {"shapes": [{"box": {"grid": [10, 10, 10], "origin": [0.01, 0.01, 0.01]}}], "velocity": [1, -2, 4]}
    scene = scene_of(fluids=[fluid], domain={"min": [0, 0, 0], "max": [0.2, 0.2, 0.2], "periodic": ["x", "y", "z"]},
                     time={"step": 0.002, "end": 0.2})
    scene["output"]["every"] = 0.2
    run = Run(scene)
    before, after = ({p["id"]: p for p in run.frame(k)} for k in (0, 1))
    assert len(after) == 1000
    for number, p in after.items():
        for axis in "xyz":
            near((p[axis] - before[number][axis] + 0.1) % 0.2, 0.1, 1e-4, axis)


def keys_output_times():
    fluid = {"shapes": [{"box": {"size": [0.1, 0.1, 0.1]}}]}
    scene = scene_of(fluids=[fluid], time={"step": 0.004, "end": 0.1})
    scene["output"] = {"every": 0.03, "formats": ["vtp", "bgeo", "ply"], "fields": ["speed", "fluid"]}
    scene["stats"] = {"every": 0.02}
    run = Run(scene)
    names = sorted(os.listdir(run.dir + "/frames"))
    assert names == sorted("frame_%05d.%s" % (k, ending) for k in range(4) for ending in ("vtp", "bgeo", "ply")), names
    with open(run.dir + "/frames.pvd") as file:
        times = [float(t) for t in re.findall(r'timestep="([^"]*)"', file.read())]
    assert all(abs(t - 0.03 * k) < 1e-12 for k, t in enumerate(times)) and len(times) == 4, times
    assert set(run.frame(2)[0]) == {"x", "y", "z", "speed", "fluid"}
    times = run.stats["time"]
    assert len(times) == 5 and all(0 <= t - 0.02 * (k + 1) < 0.004 for k, t in enumerate(times)), times
    scene["output"]["every"] = 0
    assert not os.path.isdir(Run(scene).dir + "/frames")


def keys_what_is_far_away_does_not_matter():
    """Water stays in its tank while a body or some of the water is thousands of metres away."""
    tank = {"box": {"min": [0, 0, 0], "max": [0.224, 0.4, 0.224], "open": ["top"], "inside_out": True}}
    water = {"shapes": [{"box": {"grid": [10, 5, 10], "origin": [0.022, 0.022, 0.022]}}]}
    scene = scene_of(fluids=[water], walls=[{"shapes": [tank]}], gravity=[0, -9.81, 0],
                     time={"step": 0.005, "end": 0.5})
    scene["output"]["every"] = 0.5
    def energies(y):
        ball = {"name": "ball", "density": 2000, "fixed": True,
                "shapes": [{"sphere": {"radius": 0.05, "centre": [1.2, y, 0.2]}}]}
        return Run(dict(scene, bodies=[ball])).stats["kinetic_energy"]

    beside = energies(0.2)
    for sign in (-1, 1):
        assert energies(9000 * sign) == beside, "a body far away changes the water"
        drop = {"box": {"grid": [3, 3, 3], "origin": [1.2, 9000 * sign, 0.2]}}
        run = Run(dict(scene, fluids=[{"shapes": water["shapes"] + [drop]}]))
        inside = [p for p in run.frame(1) if abs(p["y"]) < 100]
        assert len(inside) == 500 and bounds(inside, "y")[0] > 0.01, "water left its tank"


def keys_camera():
    """Size, place and look of the pictures follow the camera."""
    fluid = {"shapes": [{"sphere": {"radius": 0.1}}], "jitter": 0.2, "velocity": [0, 1, 0],
             "angular_velocity": [0, 9, 0]}
    pictures = set()
    for camera in ({}, {"eye": [1, 0, 0], "target": [0, 0, 0]}, {"eye": [1, 0, 0], "target": [0, 0, 0], "fov": 20},
                   {"eye": [1, 0, 0], "target": [0, 0.1, 0], "up": [0, 0, 1]}, {"look": "water"},
                   {"colour": "density"}):
        scene = scene_of(fluids=[fluid], camera=dict(camera, size=[160, 90]))
        run = Run(scene, "--preview")
        with open(run.dir + "/preview/frame_00002.png", "rb") as file:
            data = file.read()
        assert struct.unpack(">2I", data[16:24]) == (160, 90)
        pictures.add(data)
    assert len(pictures) == 6, "%d different pictures" % len(pictures)


def keys_keyframes_on_every_parameter():
    """Keyframes of a constant give the bits of the constant; every parameter of every model takes them."""
    code, out, _ = tool("list", "parameters")
    rows = re.findall(r"^(\w+)\.(\w+)\.(\w+) +(\S+)", out, re.M)
    assert len(rows) > 30
    models = {}
    for kind, model, name, default in rows:
        models.setdefault((kind, model), []).append((name, float(default)))
    for (kind, model), parameters in models.items():
        states = []
        for value in (lambda x: x, lambda x: {0: x, 0.004: x, 1: x}):
            entry = dict({"model": model}, **{name: value(x) for name, x in parameters})
            fluid = {"shapes": [{"box": {"grid": [6, 6, 6], "origin": [0, 0.021, 0]}}], "velocity": [0.1, 0, 0]}
            scene = scene_of(fluids=[fluid], time={"step": 0.001, "end": 0.006}, gravity=[0, -9.81, 0],
                             walls=[{"shapes": [{"plane": {"size": [0.4, 0.4]}}]}])
            scene["output"]["every"] = 0
            if kind == "pressure":
                scene["pressure"] = entry
            else:
                fluid[kind] = entry
            if model == "lafaurie1994":
                fluid["surface"] = "orthmann2013"
            states.append(Run(scene).state)
        assert states[0] == states[1], "%s.%s" % (kind, model)


def keys_a_parameter_changes():
    """Two streams that slide past each other lose nothing while the viscosity is 0, and then energy."""
    streams = [{"shapes": [{"box": {"grid": [10, 5, 10], "origin": [0.01, y, 0.01]}}], "velocity": [u, 0, 0],
                "viscosity": {"model": "xsph", "strength": {0: 0, 0.05: 0, 0.0501: 0.5}}} 
               for y, u in ((0.01, 0.01), (0.11, -0.01))]
    scene = scene_of(fluids=streams, domain={"min": [0, 0, 0], "max": [0.2, 0.2, 0.2], "periodic": ["x", "y", "z"]})
    run = Run(scene)
    energy = dict(zip((round(t, 6) for t in run.stats["time"]), run.stats["kinetic_energy"]))
    assert energy[0.05] > 0.999 * energy[0.005] and energy[0.1] < 0.8 * energy[0.05], energy


def keys_run_yaml_is_the_same_scene():
    """DIR/run.yaml has every default in it, and running it gives the same bits."""
    scene = scene_of(fluids=[{"shapes": [{"box": {"size": [0.1, 0.1, 0.1]}}], "viscosity": "xsph"}],
                     gravity=[0, -9.81, 0])
    run = Run(scene)
    with open(run.dir + "/run.yaml") as file:
        text = file.read()
    for key in ("spacing", "tolerance", "max_iterations", "strength", "wall_strength", "density", "seed",
                "cfl" if "adaptive" in text else "step"):
        assert re.search(r"\b%s: " % key, text), key
    code, out, err = tool("run", run.dir + "/run.yaml", "-o", run.dir + "-again", "-q")
    assert code == 0 and run.state in out, err


passed = failed = 0
for name, test in sorted(globals().items()):
    if not name.startswith("keys_"):
        continue
    try:
        test()
        passed += 1
        print("ok   " + name[5:].replace("_", " "))
    except (AssertionError, OSError, subprocess.TimeoutExpired) as wrong:
        failed += 1
        print("FAIL %s: %s" % (name[5:].replace("_", " "), wrong))
print("%d passed, %d failed" % (passed, failed))
sys.exit(failed > 0)
