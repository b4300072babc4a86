"""scenes.py -- random scenes that are right, small, and mix whatever a scene can have. A scene is a dict, as JSON."""
import re

from schema import parts

D = 0.05  # spacing


def keyframes(rng, value):
    """Sometimes the value, sometimes keyframes around it."""
    if rng.random() < 0.75:
        return value
    other = [v * rng.uniform(0.5, 1.5) for v in value] if isinstance(value, list) else value * rng.uniform(0.5, 1)
    return {"0": value, "%.3g" % rng.uniform(0.003, 0.03): other}


def vector(rng, size):
    return [round(rng.uniform(-size, size), 4) for _ in range(3)]


class Models:
    """Parameters of the models, near their defaults, as the schema names them."""

    def __init__(self, root):
        self.root = root
        self.kinds = {}
        for kind in ("surface", "viscosity", "tension", "drag"):
            for part in parts(root, root["definitions"][kind]):
                if "properties" in part:
                    self.kinds.setdefault(kind, {})[part["properties"]["model"]["const"]] = part["properties"]

    def parameter(self, rng, node):
        default = re.search(r"default ([-+.0-9e]+)", node["description"])
        numeric = [p for p in parts(self.root, node) if p.get("type") in ("number", "integer")][0]
        base = float(default.group(1)) if default else 1
        low, high = numeric["minimum"], numeric["maximum"]
        value = rng.uniform(0, min(high, 1)) if base == 0 else base * 10 ** rng.uniform(-0.5, 0.5)
        if high == 1 and low == 0 and re.match(r"(0|1):", node["description"]):
            value = rng.choice((0, 1))
        if low == 1: return max(low, min(high, round(value)))
        return keyframes(rng, max(low, min(high, float("%.4g" % value))))

    def choose(self, rng, kind, names=None):
        name = rng.choice(names or sorted(self.kinds[kind]))
        properties = self.kinds[kind][name]
        chosen = [k for k in properties if k != "model" and rng.random() < 0.4]
        if not chosen and rng.random() < 0.5:
            return name
        return dict({"model": name}, **{k: self.parameter(rng, properties[k]) for k in chosen})


def solid_shape(rng, centre, size):
    """A shape that has an inside, about `size` wide."""
    r = size / 2
    kind = rng.choice(("box", "box", "sphere", "cylinder", "capsule", "cone", "torus", "mesh"))
    if kind == "mesh":
        keys = {"file": "cube.ply", "centre": centre, "scale": rng.choice((size, [size, 0.8 * size, 0.9 * size]))}
        if rng.random() < 0.3:
            keys["rotate"] = vector(rng, 60)
        return {kind: keys}
    if kind == "box":
        keys = {"size": [round(size * rng.uniform(0.7, 1), 4) for _ in range(3)]}
    elif kind == "torus":
        keys = {"radius": 0.6 * r, "tube": 0.4 * r}
    elif kind == "sphere":
        keys = {"radius": r}
    elif kind == "capsule":
        keys = {"radius": 0.7 * r, "height": 0.6 * r}
    else:
        keys = {"radius": r, "height": 1.5 * r}
    keys["centre"] = centre
    if kind != "sphere" and rng.random() < 0.3:
        keys["rotate"] = vector(rng, 60)
    if rng.random() < 0.1:
        keys["scale"] = rng.choice((0.9, [1, 0.8, 0.9]))
    return {kind: keys}


def fluid(rng, models, number, corner, counts):
    shape = {"box": {"grid": counts, "origin": corner}}
    centre = [corner[a] + D * (counts[a] - 1) / 2 for a in range(3)]
    entry = {"name": "fluid%d" % number, "shapes": [shape]}
    if rng.random() < 0.25:
        entry["shapes"] = [solid_shape(rng, centre, D * min(counts))]
        entry["sampling"] = rng.choice(("lattice", "poisson"))
    if rng.random() < 0.3:
        entry["density"] = round(rng.uniform(500, 2000))
    if rng.random() < 0.3 and entry.get("sampling") != "poisson":
        entry["jitter"] = round(rng.uniform(0, 0.3), 3)
        entry["seed"] = rng.randrange(1000)
    if rng.random() < 0.15:
        entry["holes"] = [{"sphere": {"centre": centre, "radius": 1.2 * D}}]
    if rng.random() < 0.5:
        entry["velocity"] = vector(rng, 0.5)
    if rng.random() < 0.2:
        entry["angular_velocity"] = vector(rng, 2)
    if rng.random() < 0.7:
        entry["viscosity"] = models.choose(rng, "viscosity")
        if rng.random() < 0.2:
            names = rng.sample(sorted(models.kinds["viscosity"]), 2)
            entry["viscosity"] = [models.choose(rng, "viscosity", [n]) for n in names]
    if rng.random() < 0.6:
        entry["tension"] = models.choose(rng, "tension")
        if rng.random() < 0.15:
            names = rng.sample(sorted(models.kinds["tension"]), 2)
            entry["tension"] = [models.choose(rng, "tension", [n]) for n in names]
    elif rng.random() < 0.3:
        entry["surface_tension"] = keyframes(rng, round(rng.uniform(0, 2), 3))
    if rng.random() < 0.3:
        entry["drag"] = models.choose(rng, "drag")
    if rng.random() < 0.3 or "lafaurie1994" in str(entry.get("tension")):
        entry["surface"] = models.choose(rng, "surface")
    return entry


def pairs(rng):
    entry = {"fluid": "fluid0", "with": "fluid1"}
    if rng.random() < 0.7:
        entry["surface_tension"] = keyframes(rng, round(rng.uniform(0, 1), 3))
    if rng.random() < 0.7:
        entry["attraction"] = round(rng.uniform(0, 2), 3)
    return [entry]


def motion(rng):
    keys = {"centre": [0.3, 0.3, 0.3]}
    for name, size in (("velocity", 0.3), ("angular_velocity", 1)):
        if rng.random() < 0.5:
            keys[name] = vector(rng, size)
    if rng.random() < 0.4:
        keys["translation"] = {"0": [0, 0, 0], "0.02": vector(rng, 0.02)}
    if rng.random() < 0.3:
        keys["rotation"] = {"0": [0, 0, 0], "0.02": vector(rng, 0.05)}
    return keys


def factors(rng, entry, *names):
    for name in names:
        if rng.random() < 0.3:
            entry[name] = keyframes(rng, round(rng.uniform(0, 2), 3))


def walls(rng, periodic):
    if periodic:
        entry = {"shapes": [{"plane": {"point": [0.3, 0, 0.3], "normal": [0, 1, 0], "size": [0.55, 0.55]}}]}
    else:
        box = {"min": [0, 0, 0], "max": [0.6, 0.6, 0.6], "inside_out": True}
        if rng.random() < 0.4:
            box["open"] = ["top"]
        entry = {"shapes": [{"box": box}]}
        if rng.random() < 0.1:
            # as wide as the box's corners, so that what starts in the box starts in it
            drum = {"centre": [0.3, 0.3, 0.3], "radius": 0.43, "height": 0.6, "inside_out": True}
            entry["shapes"] = [{"cylinder": dict(drum, open=["top"]) if rng.random() < 0.6 else drum}]
        if rng.random() < 0.25:
            entry["motion"] = motion(rng)
    found = [entry]
    if rng.random() < 0.3:
        found.append({"shapes": [solid_shape(rng, [0.47, 0.09, 0.47], 0.12)]})
    if rng.random() < 0.1:
        sheet = {"file": "sheet.obj", "centre": [0.3, 0.02, 0.3], "scale": 0.5, "open": True}
        found.append({"shapes": [{"mesh": sheet}], "method": "particles"})
    for number, entry in enumerate(found):
        entry["name"] = "wall%d" % number
        factors(rng, entry, "friction", "adhesion")
        if "method" not in entry and rng.random() < 0.25:
            entry["method"] = "volume_maps"
            if rng.random() < 0.5:
                entry["map_spacing"] = round(D * rng.uniform(0.6, 1.2), 4)
        if rng.random() < 0.1:
            entry["spacing"] = round(D * rng.uniform(0.5, 1.2), 4)
    return found


def bodies(rng):
    found = []
    for number in range(rng.choice((1, 1, 2, 3))):
        entry = {"name": "body%d" % number, "shapes": [solid_shape(rng, [0.12 + 0.16 * number, 0.45, 0.2], 0.13)]}
        kind = rng.random()
        if kind < 0.1:
            entry["fixed"] = True
        elif kind < 0.25:
            entry["motion"] = motion(rng)
        else:
            entry[rng.choice(("density", "mass"))] = 0
            key = "density" if "density" in entry else "mass"
            entry[key] = round(rng.uniform(200, 3000)) if key == "density" else round(rng.uniform(0.5, 5), 3)
            if rng.random() < 0.4:
                entry["velocity"] = vector(rng, 1)
            if rng.random() < 0.3:
                entry["angular_velocity"] = vector(rng, 5)
            if rng.random() < 0.2:
                entry["release"] = 0.01
        factors(rng, entry, "friction", "adhesion", "drag")
        if rng.random() < 0.2:
            entry.update(grip=0.2, restitution=0.5)
        if rng.random() < 0.1:
            entry["spacing"] = round(D * rng.uniform(0.5, 1), 4)
        if rng.random() < 0.1:
            entry["contacts"] = False
        found.append(entry)
    return found


def joints(rng, scene):
    free = [b["name"] for b in scene["bodies"] if "density" in b or "mass" in b]
    if not free:
        return
    entry = {"name": "joint", "kind": rng.choice(("ball", "hinge", "slider", "fixed")), "body": free[0],
             "anchor": [0.12, 0.55, 0.2]}
    if len(free) > 1 and rng.random() < 0.5:
        entry["to"] = free[1]
    if entry["kind"] in ("hinge", "slider"):
        entry["axis"] = [0, 0, 1]
        if rng.random() < 0.4:
            entry["limits"] = [-20, 30] if entry["kind"] == "hinge" else [-0.05, 0.1]
    elif entry["kind"] == "ball" and rng.random() < 0.5:
        entry.update(axis=[0, 1, 0], swing=rng.choice((20, 85)), twist=rng.choice((30, 180)))
    scene["joints"] = [entry]
    if rng.random() < 0.3:
        scene["rigid"] = {"substeps": rng.choice((1, 2, 5)), "iterations": 20}


def solids(rng):
    found = []
    for number in range(rng.choice((1, 1, 2))):
        entry = {"name": "solid%d" % number,
                 "shapes": [{"box": {"size": [0.12, 0.16, 0.12], "centre": [0.48, 0.4, 0.14 + 0.25 * number]}}]}
        if rng.random() < 0.7:
            entry.update(young=round(10 ** rng.uniform(3.5, 5)), poisson=round(rng.uniform(0, 0.45), 3))
        else:
            entry.update({"lambda": 20000, "mu": 9000})
        if rng.random() < 0.3:
            entry.update(sampling="poisson", seed=rng.randrange(9))
        if rng.random() < 0.3:
            entry["fixed"] = [{"box": {"min": [0, 0.42, 0], "max": [1, 1, 1]}}]
            if rng.random() < 0.5:
                entry["motion"] = motion(rng)
        elif rng.random() < 0.3:
            entry["velocity"] = vector(rng, 1)
        if rng.random() < 0.2:
            entry.update(hourglass=20, viscosity=0.1, damping=1, surface_correction=False)
        if rng.random() < 0.2:
            entry.update(grip=0.1, contacts=rng.random() < 0.7)
        if rng.random() < 0.2:
            entry["density"] = round(rng.uniform(500, 2000))
        if rng.random() < 0.1:
            entry["spacing"] = 0.04
        if "fixed" not in entry and rng.random() < 0.2:
            entry["angular_velocity"] = vector(rng, 5)
        factors(rng, entry, "friction", "adhesion", "drag")
        found.append(entry)
    return found


def pattern(rng, entry):
    """Where something is on a wall or body: a shape, the colours of its mesh, or an image."""
    kind = rng.random()
    if "cube.ply" in str(entry.get("shapes")) and kind < 0.8:
        return {"colour": rng.choice(("red", "green", "blue", "grey"))}
    if kind < 0.9 and rng.random() < 0.5:
        return {"image": "spots.png", "origin": [0, 0, 0], "along": [0.6, 0, 0], "down": [0, 0.1, 0.6]}
    return {"shape": {"sphere": {"centre": [0.2, 0.05, 0.2], "radius": 0.2}}}


def wetting(rng, scene, kind, entry):
    """Contact angles of a wall, body or solid; half of the hysteresis stays within 0 and 180 degrees."""
    entry["contact_angle"] = keyframes(rng, round(rng.uniform(30, 110), 1))
    if rng.random() < 0.4:
        entry["contact_hysteresis"] = round(rng.uniform(0, 25), 1)
    if rng.random() < 0.3:
        entry["contact_slip"] = rng.choice([0, float("%.2g" % 10 ** rng.uniform(-10, -6))])
    own = [f["name"] for f in scene["fluids"] if "surface_tension" in f]
    if own and rng.random() < 0.3:
        entry["contact_angles"] = [{"fluid": rng.choice(own), "angle": round(rng.uniform(30, 140), 1)}]
    if kind != "solids" and rng.random() < 0.5:
        entry["contact_pattern"] = dict({"angle": round(rng.uniform(30, 140), 1)}, **pattern(rng, entry))


def contact_angles(rng, scene):
    """On walls other than volume maps, where a fluid has its tension in N/m; a wider support where none has."""
    if not any("surface_tension" in f or "laplace" in str(f.get("tension")) for f in scene["fluids"]):
        if "pairs" not in scene and rng.random() < 0.15:
            scene["particles"]["support"] = rng.choice((2.15, 2.5))
        return
    for kind in ("walls", "bodies", "solids"):
        for entry in scene.get(kind, ()):
            if "volume_maps" not in (entry.get("method"), scene.get("wall_method")) and rng.random() < 0.5:
                wetting(rng, scene, kind, entry)


def chemistry(rng, scene):
    species = []
    for number in range(rng.choice((1, 1, 2))):
        entry = {"name": "s%d" % number}
        if rng.random() < 0.7:
            entry["diffusion"] = round(10 ** rng.uniform(-5, -2), 7)
        if rng.random() < 0.7:
            entry["surface"] = {"adsorption": 10, "desorption": 1, "capacity": 0.05}
            for key, value in (("diffusion", 0.001), ("evaporation", 3), ("feedback", 1)):
                if rng.random() < 0.4:
                    entry["surface"][key] = value
            if rng.random() < 0.5:
                entry["effect"] = {"law": rng.choice(("linear", "langmuir")), "tension": 0.5, "adhesion": 0.3,
                                   "friction": -0.2}
        entry["start"] = [{"concentration": 1}]
        if rng.random() < 0.5:
            entry["start"].append({"concentration": 3,
                                   "shape": {"sphere": {"centre": [0.15, 0.15, 0.15], "radius": 0.12}}})
        if rng.random() < 0.2:
            entry["start"].append({"concentration": 2, "fluid": scene["fluids"][-1]["name"]})
        if "emitters" in scene["fluids"][-1] and rng.random() < 0.5:
            entry["inflow"] = [{"concentration": 2}]
            if rng.random() < 0.5:
                entry["inflow"][0].update(fluid=scene["fluids"][-1]["name"], emitter=0)
        species.append(entry)
    scene["species"] = species
    if any("surface" in s for s in species):
        for entry in scene["fluids"]:
            entry.setdefault("surface", "orthmann2013")
    places = [w["name"] for w in scene.get("walls", ()) if w.get("method") != "volume_maps"
              and scene.get("wall_method") != "volume_maps"]
    places += [b["name"] for b in scene.get("bodies", ())]
    if places and rng.random() < 0.6:
        coats = [{"wall": rng.choice(places), "coverage": 0.02}]
        if rng.random() < 0.5:
            entries = scene.get("walls", []) + scene.get("bodies", [])
            coats[0].update(pattern(rng, [e for e in entries if e["name"] == coats[0]["wall"]][0]))
        scene["substances"] = [{"name": "grease", "coats": coats}]
        reaction = {"species": "s0", "substance": "grease", "rate": 100}
        if len(species) > 1:
            reaction.update(product="s1", coefficients=[1, 1, 2])
        if rng.random() < 0.8:
            scene["reactions"] = [reaction]


def air(rng):
    entry = {}
    if rng.random() < 0.7:
        entry["velocity"] = keyframes(rng, vector(rng, 10))
    if rng.random() < 0.3:
        entry.update(density=2.5, viscosity=3e-5)
    flows = [{"uniform": {"velocity": vector(rng, 5)}},
             {"jet": {"position": [0, 0.3, 0.3], "direction": [1, 0.1, 0], "radius": 0.1, "speed": 10,
                      "spread": rng.choice((0, 0.1, 0.3))}},
             {"vortex": {"centre": [0.3, 0.3, 0.3], "axis": [0, 1, 0.2], "radius": 0.1, "speed": 5}},
             {"shear": {"point": [0, 0, 0], "direction": [1, 0, 0], "normal": [0, 1, 0], "rate": 10}}]
    entry["flows"] = rng.sample(flows, rng.choice((0, 1, 2)))
    for flow in entry["flows"]:
        if rng.random() < 0.3:
            flow.update(min=[0, 0, 0], max=[0.5, 0.5, 0.5])
    if rng.random() < 0.2:
        entry["grid"] = {"file": "wind.vti", "outside": rng.choice(("clamp", "zero")), "array": "U", "scale": 0.7,
                         "translate": vector(rng, 0.1)}
        if rng.random() < 0.5:
            del entry["grid"]["file"]
            entry["grid"]["slices"] = [{"time": 0, "file": "wind.vti"}, {"time": 0.01, "file": "wind.vti"}]
    return entry


def pressure(rng, scene):
    kind = rng.choice(("dfsph", "dfsph", "iisph", "pcisph", "wcsph"))
    entry = {"model": kind}
    if kind in ("dfsph", "iisph") and rng.random() < 0.5:
        entry["iteration"] = rng.choice(("accelerated", "conjugate", "jacobi"))
    if kind != "wcsph":
        if rng.random() < 0.3:
            entry["tolerance"] = round(10 ** rng.uniform(-2, 0), 4)
        if rng.random() < 0.2:
            entry["max_iterations"] = rng.choice((5, 20, 50))
        if rng.random() < 0.1:
            entry["min_iterations"] = rng.choice((0, 1, 4))
    if kind == "dfsph" and rng.random() < 0.2:
        entry["divergence_tolerance"] = 0.02
    if kind in ("dfsph", "iisph") and rng.random() < 0.2:
        entry["warm_start"] = False
    if kind in ("dfsph", "iisph") and rng.random() < 0.2:
        entry["isotropic"] = True
    if rng.random() < 0.2:
        entry["wall_weight"] = 1.78
    scene["pressure"] = entry
    longest = 0.0004 if kind == "wcsph" else rng.choice((0.001, 0.002, 0.004))
    scene["time"] = {"end": 1, "step": longest} if rng.random() < 0.5 else {"end": 1, "adaptive": {"max": longest}}
    if "adaptive" in scene["time"] and rng.random() < 0.3:
        scene["time"]["adaptive"].update(min=longest / 50, cfl=0.3, force=0.2)


def changes(rng, scene):
    """What may be set while it runs."""
    words = ["gravity=%s" % vector(rng, 10)]
    if scene["pressure"]["model"] != "wcsph":
        words.append("pressure.tolerance=0.05")
    if "air" in scene:
        words += ["air.density=3", "air.velocity=%s" % vector(rng, 5)]
    for kind in ("walls", "bodies"):
        words += ["%s.%d.friction=0.5" % (kind, k) for k in range(len(scene.get(kind, ())))]
    if "surface_tension" in scene["fluids"][0]:
        words.append("fluids.fluid0.surface_tension=0.3")
    times = sorted(round(rng.uniform(0, 0.03), 4) for _ in range(rng.choice((1, 2))))
    return [{"time": time, "set": rng.choice(words)} for time in times]


def output(rng, scene):
    """Frames, grids, meshes, probes and tables."""
    entry = {"every": rng.choice((0, 0.004, 0.01)), "formats": rng.sample(("vtp", "ply", "bgeo"), rng.choice((1, 2)))}
    if rng.random() < 0.2:
        entry["fields"] = rng.sample(("velocity", "density", "pressure", "id", "fluid", "acceleration"), 3)
    if rng.random() < 0.2:
        entry["grid"] = {"every": 0.005, "min": [0, 0, 0], "max": [0.5, 0.5, 0.5], "spacing": 0.1}
        if rng.random() < 0.5:
            entry["grid"].update(fluid=scene["fluids"][0]["name"], average=rng.choice((0, 0.003)))
    if entry["every"] and rng.random() < 0.2:
        entry["surface"] = {"formats": rng.sample(("ply", "obj", "vtp", "stl"), 1), "cell": rng.choice((0.025, 0.04)),
                            "smoothing": rng.choice((0, 7)), "hollows": rng.choice((0, 2)),
                            "per_fluid": rng.random() < 0.5}
    if rng.random() < 0.3:
        probes = [{"point": {"position": [0.15, 0.1, 0.15], "fields": ["pressure", "velocity", "density"]}},
                  {"plane": {"point": [0.2, 0.1, 0.2], "normal": [1, 0.2, 0], "size": [0.4, 0.4]}},
                  {"gauge": {"point": [0.15, 0, 0.15], "direction": [0, 1, 0.1], "radius": 0.06}}]
        entry["probes"] = rng.sample(probes, rng.choice((1, 2, 3)))
        for number, probe in enumerate(entry["probes"]):
            probe.update(name="probe%d" % number, every=rng.choice((0, 0.003)))
            if rng.random() < 0.3:
                probe["fluid"] = scene["fluids"][-1]["name"]
    scene["output"] = entry
    if rng.random() < 0.2:
        scene["stats"] = {"every": rng.choice((0, 0.005)), "surface_energy": rng.random() < 0.5}
    scene["checkpoint"] = {"every": rng.choice((0.002, 0.01))}
    if rng.random() < 0.2:
        scene["checkpoint"]["wall"] = rng.choice((0, 0.02))


def scene_of(rng, models):
    """A random scene; about 300 to 1,500 particles."""
    scene = {"title": "a random scene", "particles": {"spacing": D}}
    if rng.random() < 0.3:
        scene["particles"]["settle"] = rng.choice(("auto", "always", "never"))
    pressure(rng, scene)
    periodic = rng.random() < 0.25
    if periodic:
        scene["domain"] = {"min": [0, -0.3, 0], "max": [0.6, 1.2, 0.6],
                           "periodic": rng.choice((["x"], ["z"], ["x", "z"]))}
    elif rng.random() < 0.3:
        scene["domain"] = {"min": [-0.2, -0.2, -0.2], "max": [0.8, 1, 0.8]}
    if "domain" in scene and scene["pressure"]["model"] in ("dfsph", "iisph") and rng.random() < 0.3:
        scene["domain"]["pressure"] = rng.choice((10, 1000, 20000))
    counts = [rng.choice((4, 5, 6, 7) if rng.random() < 0.8 else (9, 10)) for _ in range(3)]
    scene["fluids"] = [fluid(rng, models, 0, [0.06, 0.06, 0.06], counts)]
    if rng.random() < 0.35:
        corner = [0.06 + D * counts[0], 0.06, 0.06]
        scene["fluids"].append(fluid(rng, models, 1, corner, [rng.choice((3, 4)), counts[1], counts[2]]))
        if rng.random() < 0.5:
            scene["pairs"] = pairs(rng)
    if rng.random() < 0.3:
        emitter = {"position": [0.3, 0.42, 0.3], "direction": [0.2, -1, 0.1], "speed": keyframes(rng, 3)}
        emitter.update(rng.choice(({"disc": {"radius": 0.08}}, {"box": {"size": [0.1, 0.12]}})))
        if rng.random() < 0.3:
            emitter.update(start=0.002, stop=0.02, limit=30)
        scene["fluids"][-1]["emitters"] = [emitter]
    if periodic or rng.random() < 0.85:
        scene["walls"] = walls(rng, periodic)
        if rng.random() < 0.15:
            scene["wall_method"] = "volume_maps"
    if rng.random() < 0.35:
        scene["bodies"] = bodies(rng)
        if rng.random() < 0.4:
            joints(rng, scene)
    if rng.random() < 0.25:
        scene["solids"] = solids(rng)
    if rng.random() < 0.25:
        scene["sinks"] = [{"shape": {"box": {"min": [0, 0, 0], "max": [0.2, 0.1, 0.2]}},
                           "start": rng.choice((0, 0.004))}]
        if rng.random() < 0.3:
            scene["sinks"][0]["stop"] = 0.02
    contact_angles(rng, scene)
    if rng.random() < 0.35:
        chemistry(rng, scene)
    if rng.random() < 0.3:
        scene["air"] = air(rng)
    if rng.random() < 0.4:
        scene["gravity"] = keyframes(rng, vector(rng, 10))
    if rng.random() < 0.2:
        scene["changes"] = changes(rng, scene)
    output(rng, scene)
    return scene


# What random scenes leave out: pictures.
LEFT_OUT = re.compile(r"camera|\w+\.0\.(look|colour)")


def keys_in(value, path=()):
    """Keys of a scene as `meniscus list keys` writes them."""
    found = set()
    inner = value.items() if isinstance(value, dict) else [("0", v) for v in value] if isinstance(value, list) else ()
    for key, below in inner:
        found.add(".".join(path + (key,)))
        found |= keys_in(below, path + (key,))
    return found


def forgotten(rng, models, keys):
    """Those of `keys` that no random scene has."""
    missing = {k for k in keys if not LEFT_OUT.match(k)}
    for _ in range(4000):
        missing -= keys_in(scene_of(rng, models))
    return sorted(missing)
