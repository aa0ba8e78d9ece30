"""Descriptor 0 to one JSON object, without `json` (which loads `re`).

Reads until one whole object is there: a harness that never closes its end still gets its answer. Duplicate keys: the
last one counts, as in the harnesses' own parsers.
"""

import posix
from _json import make_scanner

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

LIMIT = 64 << 20  # bytes of one event; the largest seen from a real harness is 3 MB
CHUNK = 120_000  # bytes of one read: below what malloc maps anew, so that every read gets the same warm memory
BOM = "\ufeff"
_SPACE = b" \t\r\n"


class Unreadable(Exception):
    """What came in is no event; the text says what was wrong, without quoting it."""


class _Rules:
    """What `_json.make_scanner` asks of a decoder."""

    strict = True
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = float
    memo: "dict[str, str]" = {}


_RULES: "Any" = _Rules
_taken: "tuple[bytes | bytearray, Any]" = (b"", None)  # the last event read, as it came and as it was understood


def parse(data: "bytes | bytearray") -> "dict[str, Any]":
    """The one object in `data` (UTF-8, perhaps with a BOM, blank around it). Raises Unreadable."""
    value = load(data)
    if not isinstance(value, dict):
        raise Unreadable("the event is no JSON object")
    return value


def load(data: "bytes | bytearray") -> "Any":
    """The one JSON value in `data`. Raises Unreadable."""
    try:
        text = data.decode("utf-8").removeprefix(BOM).strip(" \t\r\n")
    except UnicodeDecodeError as fault:
        raise Unreadable("the event is not UTF-8") from fault
    if not text:
        raise Unreadable("the event is empty")
    try:
        value, end = make_scanner(_RULES)(text, 0)
    except RecursionError as fault:
        raise Unreadable("the event is nested too deeply") from fault
    except (ValueError, StopIteration, SystemError) as fault:
        raise Unreadable(f"the event is cut or not JSON ({len(data)} bytes)") from fault
    if end != len(text):
        raise Unreadable("there is text after the event")
    return value


def original(payload: "dict[str, Any]") -> bytes | None:
    """The bytes `payload` was read from, for an owner's other hook; None when it did not come from a descriptor."""
    return bytes(_taken[0]) if _taken[1] is payload else None


def read_event(fd: int = 0) -> "dict[str, Any]":
    """One event from the descriptor. Raises Unreadable."""
    held = bytearray()
    while True:
        ended = _available(fd, held)
        if len(held) > LIMIT:
            raise Unreadable(f"the event is over {LIMIT >> 20} MiB")
        if ended:
            return _take(held)
        end = held[-CHUNK:].rstrip(_SPACE)
        if (not end or end.endswith(b"}")) and (found := _whole(held)) is not None:
            return found


def _available(fd: int, held: bytearray) -> bool:
    """Waits for something, then takes all that is there; true when the other end has been closed."""
    try:
        data = posix.read(fd, CHUNK)
        posix.set_blocking(fd, False)
        try:
            while data and len(held) <= LIMIT:
                held += data
                data = posix.read(fd, CHUNK)
        except BlockingIOError:
            return False
        finally:
            posix.set_blocking(fd, True)
    except OSError as fault:
        raise Unreadable(f"standard input cannot be read ({fault.strerror})") from fault
    return not data


def _whole(held: bytearray) -> "dict[str, Any] | None":
    """The event if what is there is all of it; None while more must come."""
    if not held.strip(_SPACE):
        return None
    try:
        return _take(held)
    except Unreadable:
        return None


def _take(data: bytearray) -> "dict[str, Any]":
    global _taken
    found = parse(data)
    _taken = (data, found)
    return found
