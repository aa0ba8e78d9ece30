"""A doctor's report → rows and counts. Text of other programs → text that can be shown.

Lines whose severity stands between known marks, one JSON document, and a summary line of numbers and words: all of it
by the data of policy/session-doctor.toml. What is neither is dropped. No terminal sequence, no control character and
no character that hides or turns text around is left in what comes out.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

SUMMARY_MAX = 200  # characters of the summary line that are kept

# what may change what a terminal or a reader sees without being seen itself
_HIDDEN = frozenset(
    [*range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2070), 0xFEFF, *range(0xE0000, 0xE0080)]
)


class Report:
    """rows: (severity, text) in the doctor's order, without the passing ones; counts: what it says it counted."""

    __slots__ = ("counts", "read", "rows", "summary")

    def __init__(self) -> None:
        self.rows: list[tuple[str, str]] = []
        self.counts: dict[str, int] = {}
        self.summary = ""
        self.read = 0


def read(output: bytes, rules: "dict[str, Any]", parse: "Callable[[bytes], Any]") -> Report:
    """Rows and counts of a report in JSON or in lines."""
    report = Report()
    text = output.decode("utf-8", "replace").strip()
    value = parse(output.strip()) if text[:1] in ("{", "[") else None
    if isinstance(value, (dict, list)):
        _document(report, value, rules)
        return report
    for line in text.replace("\r", "\n").split("\n"):
        line = plain(line)
        if row := _row(line, rules):
            _add(report, *row)
        elif counts := _counts(line, rules["count"]):
            report.counts, report.summary = counts, line[:SUMMARY_MAX]
    return report


def _add(report: Report, severity: str, text: str) -> None:
    report.read += 1
    if severity != "FAIL" and "not run" in text.casefold():
        severity = "not run"
    if severity != "pass":
        report.rows.append((severity, text))


def _row(line: str, rules: "dict[str, Any]") -> "tuple[str, str] | None":
    for opening, close in rules["shapes"]:
        if line.startswith(opening):
            word, mark, rest = line[len(opening) :].partition(close)
            severity = rules["severity"].get(word.strip().casefold())
            if mark and severity:
                return severity, rest.strip()
    return None


def _counts(line: str, words: "dict[str, str]") -> "dict[str, int]":
    """The numbers of a summary line; {} for any other line."""
    found: dict[str, int] = {}
    for part in line.replace("·", ",").replace("|", ",").replace(";", ",").split(","):
        number, _, word = part.strip().partition(" ")
        meaning = words.get(word.strip(" .:").casefold().partition(" ")[0])
        if meaning and number.isascii() and number.isdecimal() and len(number) < 10:
            found[meaning] = found.get(meaning, 0) + int(number)
    return found if "checks" in found or "failing" in found else {}


def _document(report: Report, value: "Any", rules: "dict[str, Any]") -> None:
    shape = rules["json"]
    parts = value if isinstance(value, list) else next(
        (value[key] for key in shape["rows"] if isinstance(value.get(key), list)), []
    )  # fmt: skip
    for row in parts:
        if isinstance(row, dict):
            word = next((row[key] for key in shape["status"] if isinstance(row.get(key), (str, bool))), "")
            severity = rules["severity"].get(str(word).strip().casefold(), "warn")
            words = [row[key] for key in shape["text"] if isinstance(row.get(key), str)]
            _add(report, severity, plain(": ".join(words)))
    if isinstance(value, dict):
        places = [value] + [value[key] for key in shape["count"] if isinstance(value.get(key), dict)]
        for place in places:
            for key, number in place.items():
                meaning = rules["count"].get(key.casefold())
                if meaning and isinstance(number, int) and not isinstance(number, bool):
                    report.counts[meaning] = number
    report.summary = ", ".join([f"{number} {word}" for word, number in report.counts.items()])


def plain(text: str) -> str:
    """One line without control characters, terminal sequences and characters that hide or turn text around."""
    if "\x1b" in text or "\x9b" in text:
        text = _without_sequences(text)
    text = "".join([c if c.isprintable() else "" if ord(c) in _HIDDEN else " " for c in text if ord(c) not in _HIDDEN])
    return text.strip()


def hidden(text: str) -> bool:
    """Whether a text holds a control character, or one that hides or turns text around."""
    return any([c not in "\n\t\r" and (ord(c) in _HIDDEN or c < " " or "\x7f" <= c < "\xa0") for c in text])


def _without_sequences(text: str) -> str:
    kept: list[str] = []
    at, end = 0, len(text)
    while at < end:
        char = text[at]
        if char not in "\x1b\x9b":
            kept.append(char)
            at += 1
            continue
        kind = "[" if char == "\x9b" else text[at + 1 : at + 2]
        at += 1 if char == "\x9b" else 2
        if kind == "[":
            while at < end and not "\x40" <= text[at] <= "\x7e":
                at += 1
            at += 1
        elif kind in "]P_^X" and kind:
            while at < end and text[at] not in "\x07\x9c" and not text.startswith("\x1b\\", at):
                at += 1
            at += 2 if text.startswith("\x1b\\", at) else 1
    return "".join(kept)
