"""Scenes: from files, by name, as YAML text or as dicts."""
import difflib
import json
import math
import os
from pathlib import Path
from typing import Any, Dict, Iterable, List, Mapping, Union

from ._library import ffi, lib, scene_folder
from .errors import BadInput, Messages

Source = Union[str, "os.PathLike[str]", Mapping[str, Any], "Scene"]
Sets = Union[None, Mapping[str, Any], Iterable[str]]


def _plain(value: Any) -> Any:
    """Arrays, paths and infinity as the scene language has them."""
    if isinstance(value, Mapping):
        return {str(k): _plain(v) for k, v in value.items()}
    if hasattr(value, "tolist"):
        return _plain(value.tolist())
    if isinstance(value, (list, tuple)):
        return [_plain(v) for v in value]
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    return value


def _text(value: Any) -> str:
    """A value as YAML."""
    value = _plain(value)
    if isinstance(value, float) and math.isinf(value):
        return ".inf" if value > 0 else "-.inf"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(k) if not _is_number(k) else k}: {_text(v)}"
                               for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(_text(v) for v in value) + "]"
    return json.dumps(value)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def one_set(key: str, value: Any) -> str:
    """KEY=VALUE; a str is taken as it stands ("2 mm", "[0, -1, 0]")."""
    return f"{key}={value if isinstance(value, str) else _text(value)}"


def all_sets(sets: Sets) -> List[str]:
    """Overrides as `--set` takes them, from a mapping or from KEY=VALUE texts."""
    if sets is None:
        return []
    if isinstance(sets, Mapping):
        return [one_set(key, value) for key, value in sets.items()]
    return list(sets)


def scenes() -> Dict[str, Path]:
    """The shipped scenes by name."""
    folder = scene_folder()
    return {path.stem: path for path in sorted(folder.glob("*/*.yaml"))} if folder else {}


def _find(name: str) -> str:
    if os.path.isfile(name):
        return name
    known = scenes()
    bare = name[:-5] if name.endswith(".yaml") else name
    if bare in known:
        return str(known[bare])
    folder = scene_folder()
    if folder and (folder / f"{bare}.yaml").is_file():
        return str(folder / f"{bare}.yaml")
    return name


def _near(name: "str | os.PathLike[str]") -> str:
    """What may have been meant by a name that no file and no shipped scene has."""
    near = difflib.get_close_matches(Path(name).stem, scenes(), 1)
    return f"there is a scene named '{near[0]}'; did you mean that?" if near else (
        "expected a path, the name of one of meniscus.scenes(), YAML with a line break in it, or a dict")


class Scene:
    """A scene: a path, the name of a shipped one, YAML text (with a line break in it) or a dict.

    `set` overrides values: {"time.step": 0.001, "fluids.water.density": 900} or ["time.step=0.001"]; texts may have
    units ("2 mm").
    """

    def __init__(self, source: Source, set: Sets = None):  # pylint: disable=redefined-builtin
        say = Messages()
        if isinstance(source, Scene):
            source = source.text
        texts = [ffi.new("char[]", s.encode()) for s in all_sets(set)]
        array = ffi.new("char *[]", texts + [ffi.NULL])
        if isinstance(source, Mapping):
            source = _text(source) + "\n"
        name = os.fspath(source)
        if isinstance(name, str) and "\n" in name:
            data = name.encode()
            pointer = lib.mn_scene_parse(data, len(data), b"scene", array, len(texts), say.list)
        else:
            path = _find(name)
            pointer = lib.mn_scene_load(os.fsencode(path), array, len(texts), say.list)
            if pointer == ffi.NULL and not os.path.exists(path):
                raise BadInput(say.take(), "there is no such scene", hint=_near(name))
        self._pointer = ffi.gc(say.need(pointer, "the scene cannot be read"), lib.mn_scene_free)
        self.notes = say.notes

    @property
    def text(self) -> str:
        """The scene as run, every default filled in, as YAML."""
        return _text_of(self._pointer)

    def __repr__(self) -> str:
        return f"<meniscus.Scene, {len(self.text.splitlines())} lines>"


def _text_of(pointer) -> str:
    length = lib.mn_scene_text(pointer, ffi.NULL, 0)
    out = ffi.new("char[]", length + 1)
    lib.mn_scene_text(pointer, out, length + 1)
    return ffi.string(out).decode()


def as_scene(source: Source, sets: Sets = None) -> Scene:
    """The scene itself where it is one already."""
    return source if isinstance(source, Scene) and not sets else Scene(source, set=sets)
