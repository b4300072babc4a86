"""Takes the header, the shipped scenes and the shared library into the package; builds the library if need be."""
import ctypes.util
import os
import shutil
import subprocess
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

try:
    from wheel.bdist_wheel import bdist_wheel
except ImportError:  # setuptools 70.1 has its own
    from setuptools.command.bdist_wheel import bdist_wheel

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent


def library_to_take():
    """What MENISCUS_LIBRARY names, or that of the build folder; None: the system has one."""
    named = os.environ.get("MENISCUS_LIBRARY")
    if named and not Path(named).is_file():
        raise SystemExit(f"MENISCUS_LIBRARY names {named}, which is not there")
    built = Path(named) if named else ROOT / "build" / "libmeniscus.so.0"
    return None if not built.exists() and ctypes.util.find_library("meniscus") else built


def build_library():
    """As `make libraries` does; needs a C compiler, CMake and the packages of docs/library.md."""
    if not shutil.which("cmake"):
        raise SystemExit("libmeniscus is not built, and there is no cmake; build it (docs/library.md), or name one in "
                         "MENISCUS_LIBRARY")
    build = str(ROOT / "build")
    fresh = not (ROOT / "build" / "CMakeCache.txt").exists()  # else it stays as someone made it
    kind = ["-G", "Ninja"] if shutil.which("ninja") and fresh else []
    options = ["-DMN_TESTS=OFF", "-DMN_WERROR=OFF"] if fresh else []
    subprocess.run(["cmake", *kind, "-S", str(ROOT), "-B", build, "-DCMAKE_BUILD_TYPE=Release", *options], check=True)
    subprocess.run(["cmake", "--build", build, "--target", "libmeniscus_shared", "--parallel",
                    str(os.cpu_count() or 1)], check=True)


class BuildPackage(build_py):
    """The files of the source tree that the package needs lie beside its modules."""

    def run(self):
        super().run()
        package = Path(self.build_lib) / "meniscus"
        shutil.copyfile(ROOT / "include" / "meniscus" / "meniscus.h", package / "meniscus.h")
        shutil.copytree(ROOT / "scenes", package / "scenes", dirs_exist_ok=True)
        library = library_to_take()
        if library and not library.exists():
            build_library()
        if library:
            shutil.copyfile(library, package / "libmeniscus.so.0")


class PlatformWheel(bdist_wheel):
    """One wheel for every Python, but for this kind of machine: it holds a shared library."""

    def finalize_options(self):
        super().finalize_options()
        self.root_is_pure = library_to_take() is None

    def get_tag(self):
        python, abi, platform = super().get_tag()
        return ("py3", "none", platform)


setup(cmdclass={"build_py": BuildPackage, "bdist_wheel": PlatformWheel})
