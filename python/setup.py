"""Takes the header, the shipped scenes and, where it was built, the shared library into the package."""
import os
import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

try:
    from wheel.bdist_wheel import bdist_wheel
except ImportError:  # setuptools 70.1 has its own
    from setuptools.command.bdist_wheel import bdist_wheel

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent


def built_library():
    """The shared library: what MENISCUS_LIBRARY names, or that of the build folder; None: the system's is used."""
    named = os.environ.get("MENISCUS_LIBRARY")
    candidates = [Path(named)] if named else [ROOT / "build" / "libmeniscus.so.0"]
    return next((path for path in candidates if path.exists()), None)


class BuildPackage(build_py):
    """The files of the source tree that the package needs lie beside its modules."""

    def run(self):
        super().run()
        package = Path(self.build_lib) / "meniscus"
        shutil.copyfile(ROOT / "include" / "meniscus" / "meniscus.h", package / "meniscus.h")
        shutil.copytree(ROOT / "scenes", package / "scenes", dirs_exist_ok=True)
        library = built_library()
        if library:
            shutil.copyfile(library, package / "libmeniscus.so.0")


class PlatformWheel(bdist_wheel):
    """One wheel for every Python, but for this kind of machine: it holds a shared library."""

    def finalize_options(self):
        super().finalize_options()
        self.root_is_pure = built_library() is None

    def get_tag(self):
        python, abi, platform = super().get_tag()
        return ("py3", "none", platform)


setup(cmdclass={"build_py": BuildPackage, "bdist_wheel": PlatformWheel})
