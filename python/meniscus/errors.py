"""What the library has to say, as exceptions and warnings."""
import sys
import warnings
from typing import List, NamedTuple, Optional, Type

from ._library import ffi, lib


class Message(NamedTuple):
    """One message; line and column are 0 where they are unknown."""

    severity: str  # "note", "warning", "error"
    file: Optional[str]
    line: int
    column: int
    text: str

    def __str__(self) -> str:
        place = self.file or ""
        if self.line:
            place += f":{self.line}:{self.column}"
        return f"{place}: {self.text}" if place else self.text


class Error(Exception):
    """All errors: `messages`, and file, line, column and text of the first one that is an error."""

    def __init__(self, messages: List[Message], what: str, hint: str = ""):
        errors = [m for m in messages if m.severity == "error"] or messages
        super().__init__("\n".join([*(str(m) for m in errors), *([hint] if hint else [])]) or what)
        first = errors[0] if errors else Message("error", None, 0, 0, what)
        self.messages = messages
        self.file, self.line, self.column, self.text = first.file, first.line, first.column, first.text


class BadInput(Error, ValueError):
    """A scene, file or argument is wrong; nothing was changed."""


class Diverged(Error, ArithmeticError):
    """The simulation left the finite numbers or its bounds."""


class Failed(Error, RuntimeError):
    """Memory, a device or a file failed."""


class MeniscusWarning(UserWarning):
    """What the library warns of."""


_KINDS = {lib.MN_BAD_INPUT: BadInput, lib.MN_DIVERGED: Diverged}
_SEVERITIES = {lib.MN_NOTE: "note", lib.MN_WARNING: "warning", lib.MN_ERROR: "error"}


def _level_of_caller() -> int:
    """How many calls above the one that asks the package ends: there a warning belongs."""
    level, frame = 1, sys._getframe(1)  # pylint: disable=protected-access
    while frame.f_back is not None and str(frame.f_globals.get("__name__", "")).startswith("meniscus."):
        level, frame = level + 1, frame.f_back
    return level


class Messages:
    """A list of messages of the library; `check` turns a status into an exception."""

    def __init__(self) -> None:
        self.list = ffi.gc(lib.mn_messages_new(), lib.mn_messages_free)
        self.notes: List[Message] = []

    def take(self) -> List[Message]:
        """All messages since the last call."""
        out = []
        for k in range(lib.mn_messages_count(self.list)):
            m = lib.mn_messages_get(self.list, k)
            file = ffi.string(m.file).decode(errors="replace") if m.file else None
            out.append(Message(_SEVERITIES[m.severity], file, m.line, m.column,
                               ffi.string(m.text).decode(errors="replace")))
        lib.mn_messages_clear(self.list)
        return out

    def check(self, status: int, what: str) -> None:
        """Raises where the status is not MN_OK; warnings become Python's, notes are kept."""
        messages = self.take() if lib.mn_messages_count(self.list) else []
        for m in messages:
            if m.severity == "warning":
                warnings.warn(str(m), MeniscusWarning, stacklevel=_level_of_caller())
            elif m.severity == "note":
                self.notes.append(m)
        if status != lib.MN_OK:
            kind: Type[Error] = _KINDS.get(status, Failed)
            raise kind(messages, what)

    def need(self, pointer, what: str):
        """The same for calls that return NULL on failure."""
        status = lib.mn_messages_status(self.list)
        if pointer == ffi.NULL:
            self.check(status if status != lib.MN_OK else lib.MN_FAILED, what)
        self.check(lib.MN_OK, what)
        return pointer
