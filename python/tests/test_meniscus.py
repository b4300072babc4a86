"""The Python package: worlds, fields, callbacks, sessions, runs, sweeps. Seconds in all."""
import gc
import os
import signal
import sys
import tempfile
import threading
import time
import unittest
import unittest.mock
import warnings
from pathlib import Path

import numpy as np

import meniscus

DROP = {
    "particles": {"spacing": 0.05},
    "gravity": [0, 0, 0],
    "time": {"step": 0.001, "end": 0.02},
    "output": {"every": 0.005},
    "fluids": [{"name": "water", "viscosity": {"model": "standard", "viscosity": 1},
                "shapes": [{"sphere": {"radius": 0.2}}]}],
}


LONG = {**DROP, "time": {"step": 0.001, "end": 0.4}, "output": {"every": 0.1}}


def drop(**options):
    return meniscus.World(DROP, threads=1, **options)


def middle(run):
    """What a sweep measures."""
    return {"y": float(run[-1]["position"][:, 1].mean()), "frames": len(run)}


class Scenes(unittest.TestCase):
    def test_a_scene_is_a_name_a_path_a_text_or_a_dict(self):
        named = meniscus.Scene("crown-small")
        self.assertEqual(named.text, meniscus.Scene(meniscus.scenes()["crown-small"]).text)
        self.assertIn("spacing: 0.05", meniscus.Scene(DROP).text)
        self.assertEqual(meniscus.Scene(meniscus.Scene(DROP).text).text, meniscus.Scene(DROP).text)

    def test_sets_are_those_of_the_tool(self):
        scene = meniscus.Scene(DROP, set={"gravity": np.array([0, -1.5, 0]), "fluids.water.density": 900})
        self.assertIn("gravity: [0, -1.5, 0]", scene.text)
        self.assertIn("density: 900", scene.text)
        changed = meniscus.Scene(DROP, set={"fluids.water.viscosity.viscosity": {0: 1, 0.5: 2}})
        self.assertIn("{0: 1, 0.5: 2}", changed.text)

    def test_a_wrong_name_tells_the_nearest(self):
        with self.assertRaisesRegex(meniscus.BadInput, "did you mean that"):
            meniscus.World("crown-smal")
        with self.assertRaisesRegex(meniscus.BadInput, "meniscus.scenes"):
            meniscus.World("nothing-like-it-at-all")

    def test_errors_tell_where(self):
        with self.assertRaises(meniscus.BadInput) as caught:
            meniscus.Scene("particles: {spacing: 0.1}\ntime: {end: 1}\nfluids:\n  - densty: 3\n")
        self.assertEqual((caught.exception.file, caught.exception.line), ("scene", 4))
        self.assertIn("density", caught.exception.text)
        self.assertIsInstance(caught.exception, ValueError)


class Worlds(unittest.TestCase):
    def test_views_are_the_memory_of_the_world(self):
        world = drop()
        world.step()
        self.assertEqual(world["velocity"].shape, (world.particles, 3))
        self.assertFalse(world["velocity"].flags.owndata)
        world["velocity"][:, 1] = world.ids
        np.testing.assert_array_equal(world.get("velocity")[:, 1], np.arange(world.particles))
        np.testing.assert_array_equal(world["position"][np.argsort(world.ids)], world.get("position"))
        with self.assertRaises(ValueError):
            world["density"][0] = 1

    def test_views_are_for_looking_until_they_are_written(self):
        for backend in ("cpu", "opencl"):
            try:
                world, same = drop(backend=backend), drop(backend=backend)
            except meniscus.Error:
                continue  # no such device here
            with self.subTest(backend=backend):
                world.step()
                same.step()
                self.assertFalse(world["velocity"].flags.writeable)
                self.assertRaises(ValueError, world["velocity"].fill, 1)
                self.assertNotIn(("velocity", True), world._maps)
                world["velocity"][2:5] *= 2
                part = world["velocity"][:, 1]
                part += np.float32(0.5)
                self.assertIn(("velocity", True), world._maps)
                v = same.map("velocity", write=True)
                v[2:5] *= 2
                v[:, 1] += np.float32(0.5)
                for w in (world, same):
                    w.step(2)
                self.assertEqual(world.hash, same.hash)

    def test_views_end_with_the_step(self):
        world = drop()
        view = world["position"]
        part = view[3:5]
        kept = view.copy()
        world.step()
        for use in (lambda: view[0], lambda: part + 1, lambda: np.sum(view), lambda: view.copy()):
            self.assertRaises(ReferenceError, use)
        self.assertEqual(kept.shape, (world.particles, 3))

    def test_a_force_by_callback_is_gravity(self):
        falling, pulled = drop(set={"gravity": [0, -2, 0]}), drop()

        @pulled.on("forces")
        def pull(world):
            world["acceleration"][:, 1] -= np.float32(2)

        falling.step(5)
        pulled.step(5)
        self.assertEqual(falling.hash, pulled.hash)
        self.assertEqual(pulled.off(pull), 1)

    def test_an_exception_in_a_callback_comes_out_of_step(self):
        world = drop()

        @world.on("end")
        def stop(_world):
            raise KeyError("enough")

        with self.assertRaises(KeyError):
            world.step()
        self.assertEqual(world.steps, 1)
        world.off(stop)
        world.step()
        with self.assertRaises(meniscus.BadInput):
            world.on("tea", stop)

    def test_values_change_and_some_cannot(self):
        world = drop()
        world.set("gravity", [0, -9.81, 0])
        world.set("fluids.water.viscosity.viscosity", 0.5)
        world.step()
        self.assertAlmostEqual(world.stats["momentum"][1] / world.stats["particles"] / 0.125, -9.81e-3, delta=1e-4)
        with self.assertRaises(meniscus.BadInput):
            world.set("particles.spacing", 0.1)

    def test_particles_are_added_and_removed(self):
        world = drop()
        ids = world.add([[1, 0, 0], [1.05, 0, 0]], velocity=[0, 1, 0])
        self.assertEqual(list(ids), [280, 281])
        world.step()
        world.remove(ids[:1])
        world.step()
        self.assertEqual(world.particles, 281)
        with self.assertRaises(meniscus.BadInput):
            world.remove([280])

    def test_stats_and_checkpoints(self):
        world = drop()
        rows = world.run(until=0.0055)
        self.assertEqual(rows.dtype, world.stats_type)
        self.assertAlmostEqual(rows["time"][-1], 0.0055)
        with tempfile.TemporaryDirectory() as folder:
            world.save(Path(folder, "state.h5"))
            again = drop()
            again.load(Path(folder, "state.h5"))
        self.assertEqual(world.hash, again.hash)
        with self.assertRaises(meniscus.Failed):
            world.save("/nonexistent/state.h5")

    def test_bodies(self):
        world = meniscus.World("floating-box", threads=1)
        world.step()
        body = world.bodies[0]
        self.assertEqual(body.quaternion.shape, (4,))
        self.assertGreater(body.mass, 0)
        self.assertEqual(world.boundary_points.shape[1], 3)

    def test_warnings_are_warnings(self):
        world = drop(set={"domain": {"min": [-1, -1, -1], "max": [1, 1, 1]}})
        world["velocity"][:] = [2000, 0, 0]
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            world.step(2)
        self.assertTrue(any(issubclass(w.category, meniscus.MeniscusWarning) for w in caught))
        self.assertEqual({w.filename for w in caught}, {__file__})  # of the caller

    def test_divergence(self):
        world = drop()
        world["velocity"][0] = np.nan
        with self.assertRaises(meniscus.Diverged):
            world.step()

    def test_python_runs_while_it_steps(self):
        world = drop(set={"particles.spacing": 0.011})
        ticks = []
        over = threading.Event()

        def tick():
            while not over.wait(0.001):
                ticks.append(time.monotonic())

        other = threading.Thread(target=tick)
        other.start()
        most = 0
        for _ in range(20):  # a busy machine may give the other thread no core for a while
            start = time.monotonic()
            world.step(2)
            end = time.monotonic()
            most = max(most, sum(start < t < end for t in ticks))
            if most > 5:
                break
        over.set()
        other.join()
        # were the lock held, the other thread could run only between the two steps
        self.assertGreater(most, 5)

    def test_another_thread_is_told_to_wait(self):
        world = drop(set={"particles.spacing": 0.011})
        said = []

        @world.on("density")
        def ask(_world):
            def other():
                for use in (lambda: world["velocity"], world.step, world.close):
                    try:
                        use()
                    except RuntimeError as error:
                        said.append(str(error))
            thread = threading.Thread(target=other)
            thread.start()
            thread.join()

        world.step()
        self.assertEqual(len(said), 3)
        self.assertIn("another thread", said[0])

    def test_what_is_closed_says_so(self):
        world = drop()
        world.close()
        world.close()
        self.assertEqual(repr(world), "<meniscus.World, closed>")
        for use in (world.step, lambda: world.time, lambda: world["velocity"], lambda: world.hash):
            with self.assertRaisesRegex(ValueError, "closed"):
                use()

    def test_arrays_keep_their_world(self):
        arrays = [np.asarray(drop()[name]) for name in ("position", "velocity", "density")]
        ids = np.asarray(drop().ids)
        gc.collect()
        other = [drop() for _ in range(4)]  # would take the memory
        self.assertAlmostEqual(float(np.abs(arrays[0]).max()), 0.175, delta=0.05)
        self.assertEqual((float(np.abs(arrays[1]).max()), float(arrays[2].min())), (0, 1000))
        np.testing.assert_array_equal(np.sort(ids), np.arange(280))
        self.assertEqual(len(other), 4)

    def test_fields_are_those_that_can_be_had(self):
        world = drop()
        for name in world.fields():
            self.assertEqual(len(world[name]), world.particles)
        self.assertNotIn("acceleration", world.fields())
        self.assertIn("acceleration", drop(set={"output.fields": ["acceleration"]}).fields())
        with self.assertRaises(TypeError):
            world.on("forces", 3)

    def test_walls_solids_and_times(self):
        world = meniscus.World("floating-box", threads=1)
        world.step()
        self.assertEqual(sorted(set(world.boundary_owner)), [0, 1])
        self.assertEqual(len(world.boundary_owner), len(world.boundary_points))
        self.assertGreater(sum(world.times.values()), 0)
        self.assertEqual(world.solids, [])
        with self.assertRaises(meniscus.BadInput):
            world.coverage("tea")
        beam = meniscus.World("cantilever", threads=1)
        beam.step()
        solid = beam.solids[0]
        self.assertEqual(solid.position.shape, solid.displacement.shape)
        self.assertEqual(solid.stress.shape, solid.position.shape[:1])
        self.assertGreater(solid.stretch, 0.9)

    def test_worlds_run_side_by_side(self):
        worlds = [drop() for _ in range(3)]
        threads = [threading.Thread(target=w.step, args=(10,)) for w in worlds]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(len({w.hash for w in worlds}), 1)

    def test_ctrl_c_ends_between_two_steps(self):
        world = drop()
        signal.signal(signal.SIGINT, signal.default_int_handler)  # shells let what runs in the background ignore it
        timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
        timer.start()
        started = time.monotonic()
        with self.assertRaises(KeyboardInterrupt):
            world.step(10 ** 7)
        self.assertLess(time.monotonic() - started, 60)
        world.step()


class Runs(unittest.TestCase):
    def test_an_error_of_a_session_that_was_not_closed_is_told(self):
        with tempfile.TemporaryDirectory() as base:
            folder = Path(base) / "run"
            session = meniscus.Session(LONG, folder, threads=1)
            session.step()
            folder.rename(Path(base) / "gone")  # at one moment: a thread of the session may be writing there
            with self.assertWarnsRegex(meniscus.MeniscusWarning, "that was not closed has ended with an error: .*run"):
                del session
                gc.collect()

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.dir = Path(self.folder.name)

    def tearDown(self):
        self.folder.cleanup()

    def test_a_run_is_resumed_and_read_back(self):
        with meniscus.Session(DROP, self.dir / "run", steps=7, threads=1) as session:
            session.run()
        with meniscus.Session(None, self.dir / "run", resume=True, threads=1) as session:
            self.assertEqual(session.world.steps, 7)
            self.assertEqual(len(list(session.frames())), 3)
        whole = meniscus.run(DROP, self.dir / "whole", threads=1)
        run = meniscus.Run(self.dir / "run")
        self.assertEqual(len(run), 5)
        self.assertEqual(run[-1].count, 280)
        self.assertAlmostEqual(run[1].time, 0.005)
        for field in ("position", "velocity", "density"):
            np.testing.assert_array_equal(run[-1][field], whole[-1][field])
        np.testing.assert_array_equal(run.stats["kinetic_energy"], whole.stats["kinetic_energy"])
        self.assertEqual(run.stats["step"][-1], 20)
        with self.assertRaises(KeyError):
            run[0]["colour"]
        with self.assertRaises(meniscus.BadInput):
            meniscus.Session(DROP, self.dir / "run")
        with self.assertRaises(FileNotFoundError):
            meniscus.Run(self.dir)

    def test_measures_of_a_world_are_those_of_its_frames(self):
        floor = {"walls": [{"name": "floor", "shapes": [{"plane": {"size": [2, 2], "point": [0, -0.25, 0]}}]}],
                 "output": {"every": 0.005, "fields": ["velocity"]}}
        water = {"name": "water", "shapes": [{"sphere": {"radius": 0.2}}]}
        scene = {**DROP, **floor, "gravity": [0, -1, 0], "fluids": [water]}
        names = tuple(meniscus.measures())
        self.assertIn("contact", names)
        world = meniscus.World(scene, threads=1)
        world.run(until=0.02)
        run = meniscus.run(scene, self.dir / "run", threads=1)
        table = run.measure(*names, wall="floor")
        self.assertEqual(len(table), len(run))
        for name, value in world.measure(*names, wall="floor").items():
            np.testing.assert_equal(table[name][-1], value)
        now, then = world.measured(), run.measured(-1)
        np.testing.assert_array_equal(now.drops(), then.drops())
        self.assertEqual((len(now.drops()), now.drops()["particles"][0], now.particles), (1, 280, 280))
        heights = now.heights()
        self.assertEqual((heights.up, heights.height.shape), ("y", (len(heights.first), len(heights.second))))
        self.assertAlmostEqual(np.nanmax(heights.height), 0.2, delta=0.05)
        np.testing.assert_array_equal(heights.height, then.heights().height)
        self.assertAlmostEqual(now.gauge([0, -0.25, 0], radius=0.06), 0.45, delta=0.05)
        flux = now.flux([0, 0, 0], [0, -1, 0])
        self.assertAlmostEqual(flux.speed, 0.02, delta=0.005)  # it has fallen for 0.02 s
        self.assertAlmostEqual(flux.area, np.pi * 0.2 ** 2, delta=0.02)
        for wrong in (lambda: world.measure("contct"), lambda: world.measure("contact", wall="roof"),
                      lambda: run.measured(99), lambda: now.flux([0, 0, 0], [0, 0, 0])):
            self.assertRaises(meniscus.BadInput, wrong)

    def test_a_sweep_is_resumed(self):
        vary = {"gravity": [[0, -1, 0], [0, -2, 0]], "fluids.water.viscosity.viscosity": [1, 2]}
        first = meniscus.sweep(DROP, vary, out=self.dir / "sweep", measure=middle, threads=1)
        self.assertEqual(len(first), 4)
        self.assertEqual(first.column("frames"), [5] * 4)
        self.assertLess(first.rows[2]["y"], first.rows[0]["y"])
        before = {path: path.stat().st_mtime_ns for path in self.dir.glob("sweep/*/stats.csv")}
        again = meniscus.sweep(DROP, vary, out=self.dir / "sweep", measure=middle, threads=1)
        self.assertEqual(before, {path: path.stat().st_mtime_ns for path in self.dir.glob("sweep/*/stats.csv")})
        self.assertEqual(first.rows, again.rows)
        self.assertTrue((self.dir / "sweep" / "sweep.csv").read_text().startswith("gravity,"))
        with self.assertRaisesRegex(ValueError, "no column 'z'; expected one of gravity"):
            first.plot("y", "z")
        with unittest.mock.patch.dict(sys.modules, {"matplotlib.figure": None}):
            first.plot("fluids.water.viscosity.viscosity", "y", self.dir / "plot.png")
        self.assertTrue((self.dir / "plot.png").read_bytes().startswith(b"\x89PNG"))
        # another question is answered anew, another scene is not taken for this one
        last = meniscus.sweep(DROP, vary, out=self.dir / "sweep", measure=lambda run: {"n": len(run)}, threads=1)
        self.assertEqual((last.column("n"), last.column("y")), ([5] * 4, [None] * 4))
        other = {**DROP, "time": {"step": 0.0025, "end": 0.02}}
        with self.assertRaisesRegex(meniscus.BadInput, "another scene"):
            meniscus.sweep(other, vary, out=self.dir / "sweep", threads=1)
        anew = meniscus.sweep(other, vary, out=self.dir / "sweep", threads=1, overwrite=True)
        self.assertEqual(anew.column("step"), [8] * 4)

    def test_a_sweep_is_interrupted_and_goes_on(self):
        vary = {"gravity": [[0, -1, 0], [0, -2, 0], [0, -3, 0]]}
        signal.signal(signal.SIGINT, signal.default_int_handler)

        def interrupt():
            while not list(self.dir.glob("sweep/*/stats.csv")) and thread.wanted:
                time.sleep(0.002)
            os.kill(os.getpid(), signal.SIGINT)

        step = meniscus.Session.step

        def slow(*given):  # so slow that no run of 400 steps ends before the signal is heard
            time.sleep(0.02)
            return step(*given)

        thread = threading.Thread(target=interrupt)
        thread.wanted = True
        thread.start()
        try:
            with self.assertRaises(KeyboardInterrupt), unittest.mock.patch.object(meniscus.Session, "step", slow):
                meniscus.sweep(LONG, vary, out=self.dir / "sweep", workers=2, threads=1)
        finally:
            thread.wanted = False
            thread.join()
        self.assertFalse(any('"done": {' in path.read_text() for path in self.dir.glob("sweep/*/sweep.json")))
        done = meniscus.sweep(LONG, vary, out=self.dir / "sweep", workers=2, threads=1)
        self.assertEqual(done.column("step"), [400] * 3)
        alone = meniscus.sweep(LONG, vary, out=self.dir / "alone", threads=1)
        self.assertEqual(done.rows, alone.rows)

    def test_a_session_that_is_not_closed_leaves_its_checkpoint(self):
        world = meniscus.Session(DROP, self.dir / "run", threads=1).world
        gc.collect()
        self.assertEqual(world.particles, 280)  # it keeps its session
        del world
        gc.collect()
        with meniscus.Session(DROP, self.dir / "run", resume=True, threads=1) as session:
            session.step()
        with self.assertRaisesRegex(ValueError, "closed"):
            session.step()

    def test_a_sweep_with_workers_tells_what_failed(self):
        out = meniscus.sweep(DROP, [{"fluids.water.density": 900}, {"fluids.water.density": -1}],
                             out=self.dir / "sweep", workers=2, threads=1)
        self.assertEqual(out.rows[0]["error"], "")
        self.assertEqual(out.rows[0]["particles"], 280)
        self.assertIn("density", out.rows[1]["error"])


if __name__ == "__main__":
    unittest.main()
