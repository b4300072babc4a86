"""Finds and opens libmeniscus; the declarations are those of its header, so that they are written once."""
import ctypes.util
import os
import re
import shutil
from pathlib import Path
from typing import Optional

from cffi import FFI  # type: ignore[import]

PACKAGE = Path(__file__).resolve().parent
SOURCE = PACKAGE.parent.parent  # of a source tree, where the package was not installed


def _declarations() -> str:
    """The header without comments, preprocessor lines and what only compilers need."""
    for path in (PACKAGE / "meniscus.h", SOURCE / "include" / "meniscus" / "meniscus.h"):
        if path.exists():
            text = path.read_text(encoding="utf-8")
            break
    else:
        raise ImportError("meniscus.h was not found beside the package")
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    text = re.sub(r"#ifdef __cplusplus.*?#endif", "", text, flags=re.S)
    text = re.sub(r"^#.*$", "", text, flags=re.M).replace("MN_API ", "")
    return "typedef int sig_atomic_t;\n" + text


def _library_path() -> str:
    """$MENISCUS_LIBRARY, the one in the package, the one of the source tree, the system's."""
    named = os.environ.get("MENISCUS_LIBRARY")
    if named:
        return named
    for path in (PACKAGE / "libmeniscus.so.0", SOURCE / "build" / "libmeniscus.so.0"):
        if path.exists():
            return str(path)
    return ctypes.util.find_library("meniscus") or "libmeniscus.so.0"


def _open(path: str):
    try:
        return ffi.dlopen(path)
    except OSError as error:
        raise ImportError(f"libmeniscus cannot be opened ({error}); build it with `make`, install it, or name it in "
                          "MENISCUS_LIBRARY") from error


ffi = FFI()
ffi.cdef(_declarations())
library_path = _library_path()
lib = _open(library_path)


def version() -> str:
    """Version of the library that runs."""
    return ffi.string(lib.mn_version()).decode()


def scene_folder() -> Optional[Path]:
    """Where the shipped scenes lie: $MENISCUS_SCENES, the package, the source tree, or beside the library."""
    named = os.environ.get("MENISCUS_SCENES")
    near = Path(library_path).resolve().parent
    for path in ([Path(named)] if named else []) + [PACKAGE / "scenes", SOURCE / "scenes",
                                                    near / ".." / "share" / "meniscus" / "scenes",
                                                    near / ".." / ".." / "share" / "meniscus" / "scenes",
                                                    Path("/usr/local/share/meniscus/scenes"),
                                                    Path("/usr/share/meniscus/scenes")]:
        if path.is_dir():
            return path
    return None


def tool() -> str:
    """The program `meniscus`, for what it does with finished runs; FileNotFoundError where there is none."""
    near = Path(library_path).resolve().parent
    for path in (os.environ.get("MENISCUS"), near / "meniscus", near / ".." / "bin" / "meniscus",
                 SOURCE / "build" / "meniscus", shutil.which("meniscus")):
        if path and os.access(path, os.X_OK) and os.path.isfile(path):
            return str(path)
    raise FileNotFoundError("the program `meniscus` was not found; expected it in PATH, or named by MENISCUS")
