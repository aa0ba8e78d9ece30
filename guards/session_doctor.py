"""At session start the repository's own doctor is run, and what is not fine is told; so is what is wrong with Guards.

Passing rows are dropped: twenty green lines at every start are how a check becomes furniture. The count stays, as the
confirmation that the rest ran. Where the doctor cannot be run it says NOT RUN and why: never silence, and never a line
that looks like a finding. It fixes nothing, ranks nothing and stops nothing. A doctor in the repository, or beside it,
is code of whoever wrote the clone, so it runs only where the owner's policy lists the repository.
"""

from guards.engine.event import Verdict
from guards.knowledge.report import Report, plain, read

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.engine.event import Event
    from guards.engine.world import World

NAME = "session-doctor"
FOUND = "doctors"  # repositories where a doctor was once found: not finding it again is worth a word
OUTPUT_MAX = 1 << 16  # bytes of a report that are read
ROW_MAX = 200  # characters of a row that are shown
SHORT_MAX = 6  # rows of Guards' own that are shown
# the doctor's surroundings: no colours, no pager, no prompts, and no program that a clone's git settings name
_FIXED = {
    "LANG": "C.UTF-8", "TERM": "dumb", "NO_COLOR": "1", "PAGER": "cat", "GIT_PAGER": "cat", "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0", "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "core.fsmonitor",
    "GIT_CONFIG_VALUE_0": "false",
}  # fmt: skip


def judge(event: "Event", rules: "dict[str, Any]", world: "World") -> "list[Verdict]":
    said = [] if world.off(NAME) else _repository(event, rules, world)
    return said + (_own(event, world) if rules["own"] else [])


def _own(event: "Event", world: "World") -> "list[Verdict]":
    """The short form of `guards doctor`."""
    rows = world.health(event.harness)
    if world.off(NAME):
        rows = [row for row in rows if row[0] == "off"]  # that they are off is told at every start
    if not rows:
        return []
    lines = [f"  {mark}  {plain(text)} {cure}".rstrip() for _, mark, text, cure in rows[:SHORT_MAX]]
    if len(rows) > SHORT_MAX:
        lines.append(f"  … and {len(rows) - SHORT_MAX} more")
    text = "guards about itself, for the owner (whole report: guards doctor):\n" + "\n".join(lines)
    return [Verdict(NAME, "note", text, "own", facts={"rows": [row[0] for row in rows]})]


# ---- the repository's doctor
def _repository(event: "Event", rules: "dict[str, Any]", world: "World") -> "list[Verdict]":
    root = _root(event.project or event.cwd, rules["markers"], world)
    if not root or world.excluded(root):
        return []
    path = ":".join([world.search(), *rules["folders"]])
    found, why = _doctor(root, path, rules, world)
    if found is None:
        if not why and (rules["set"] or root in world.session.kept(FOUND)):
            why = "no rung leads to a doctor: " + ", ".join([rung[0] for rung in rules["rungs"]])
        return [_not_run(root, why)] if why else []
    code, output = world.run(found, root, rules["seconds"], OUTPUT_MAX, _surroundings(path, rules, world))
    if code is None:
        why = f"{_line(found)} {output.decode('utf-8', 'replace')}"
        return [_not_run(root, why + (f" ({rules['seconds']} s)" if why.endswith("time") else ""), marked=True)]
    report = read(output, rules, world.parse)
    if not report.read and not report.summary:
        said = plain(output.decode("utf-8", "replace").strip().partition("\n")[0])[:80]
        shown = f"; its first words: {said!r}" if said else ""
        return [_not_run(root, f"{_line(found)} ended with {code} and printed no report{shown}", marked=True)]
    return [_told(root, found, code, len(output) >= OUTPUT_MAX, report, rules)]


def _root(folder: str, markers: "tuple[str, ...]", world: "World") -> str:
    """The folder with a marker file: the session's own, or one above it inside the same repository."""
    own = folder = folder.rstrip("/")
    passed = []
    while folder.startswith("/") and folder != "/":
        passed.append(folder)
        if world.lstat(folder + "/.git") is not None:
            break
        folder = folder.rpartition("/")[0]
    else:
        passed = [own] if own.startswith("/") and own != "/" else []
    for place in passed:
        for marker in markers:
            if world.lstat(f"{place}/{marker}") is not None:
                return place
    return ""


def _doctor(root: str, path: str, rules: "dict[str, Any]", world: "World") -> "tuple[list[str] | None, str]":
    """(the command, "") of the first rung that leads to one, or (None, why it is not run or "")."""
    why = ""
    for _, kind, where, source in rules["rungs"]:
        if kind == "variable":
            where = world.env(where) or ""
            program = where if where.startswith("/") else ""
        elif kind == "command":
            program = world.which(where, path)
        elif kind == "absolute":
            program = where
        else:
            program = f"{root}/{where}"
        if not program:
            continue
        if world.stat(program) is None:
            if kind in ("variable", "absolute"):
                why = (
                    why or f"{source if kind == 'absolute' else 'the environment'} names {program}, which is not there"
                )
                if kind == "variable":
                    break
            continue
        local = kind in ("sibling", "package") or _inside(program, root, world)
        return _command(program, local, root, path, rules, world)
    return None, why


def _command(
    program: str, local: bool, root: str, path: str, rules: "dict[str, Any]", world: "World"
) -> "tuple[list[str] | None, str]":
    """How a file is run, unless that would run a clone's code without the owner's word."""
    listed = _listed(root, rules["listed"], world)
    cure = f'; to let it run, add "{root}" to repositories in {rules["source"]}'
    if local and not listed:
        return None, f"{program} is code of this clone{cure}"
    head = world.read(program, 200) or b""
    first = head.partition(b"\n")[0].decode("utf-8", "replace") if head[:2] == b"#!" else ""
    for suffixes, run, reads in rules["interpreters"]:
        if not program.endswith(suffixes) and run[0] not in first.replace("/", " ").split():
            continue
        for name in () if listed else reads:
            if world.lstat(f"{root}/{name}") is not None:
                return None, f"{run[0]} would take code or variables from this clone's {name}{cure}"
        if program.endswith(suffixes):
            found = world.which(run[0], path)
            if not found:
                return None, f"{run[0]}, which is to run {program}, is not on the search path"
            return [found, *run[1:], program, *rules["ask"]], ""
    return [program, *rules["ask"]], ""


def _inside(program: str, root: str, world: "World") -> bool:
    """Whether the file is part of the clone, by name or behind links."""
    home = (world.real(root) or root).rstrip("/") + "/"
    return program.startswith(root + "/") or (world.real(program) or "").startswith(home)


def _listed(root: str, listed: "tuple[str, ...]", world: "World") -> bool:
    real = world.real(root)
    for entry in listed:
        folder = world.real(entry.rstrip("*").rstrip("/"))
        if real is None or folder is None:
            continue
        if entry.endswith("/*"):
            good = real.rpartition("/")[0] == folder
        else:
            good = real == folder or (entry.endswith("/") and real.startswith(folder + "/"))
        if good:
            return True
    return False


def _surroundings(path: str, rules: "dict[str, Any]", world: "World") -> "dict[str, str]":
    env = {**_FIXED, "PATH": path, "HOME": world.home}
    for name in rules["keep"]:
        value = world.env(name)
        if value is not None:
            env[name] = value
    return env


# ---- words
def _not_run(root: str, why: str, marked: bool = False) -> Verdict:
    text = f"session doctor: NOT RUN in {plain(root)}: {plain(why)}. nothing was checked."
    marks = (("keep", FOUND, root),) if marked else ()
    return Verdict(NAME, "note", text[:900], "not run", root, marks, {"why": why[:200]})


def _told(root: str, found: "list[str]", code: int, cut: bool, report: Report, rules: "dict[str, Any]") -> Verdict:
    lines, left = _shown(report, rules)
    failing = len([1 for severity, _ in report.rows if severity == "FAIL"])
    counted = report.counts.get("failing")
    tail = [report.summary or f"no count; {report.read} rows read"]
    if left:
        tail.append(f"not shown: {left}")
    if counted is not None and counted != failing:
        tail.append(f"it counts {counted} failing and {failing} could be read: trust the whole report, not this list")
    if cut:
        tail.append(f"its output was cut at {OUTPUT_MAX >> 10} KiB")
    if code not in (0, 1):
        tail.append(f"it ended with {code}")
    tail.append(f"whole report: cd {_line([root])} && {_line(found)}")
    text = "\n".join([f"session doctor, {plain(root.rpartition('/')[2])}:", *lines, *tail])
    facts = {"failing": failing, "rows": len(report.rows), "code": code}
    return Verdict(NAME, "note", text, "report", root, (("keep", FOUND, root),), facts)


def _shown(report: Report, rules: "dict[str, Any]") -> "tuple[list[str], str]":
    """The rows that fit, in the doctor's order, and how many of each kind do not. Failing ones are given room first."""
    room = rules["characters"]
    chosen: list[int] = []
    for kinds in (("FAIL",), ("not run",), ("warn",)):
        for number, (severity, text) in enumerate(report.rows):
            size = min(len(text), ROW_MAX) + 12
            if severity in kinds and len(chosen) < rules["rows"] and size <= room:
                chosen.append(number)
                room -= size
    lines = [f"  {report.rows[n][0]:<7}  {_clip(report.rows[n][1])}" for n in sorted(chosen)]
    left: dict[str, int] = {}
    for number, (severity, _) in enumerate(report.rows):
        if number not in chosen:
            left[severity] = left.get(severity, 0) + 1
    return lines, ", ".join([f"{count} {severity}" for severity, count in left.items()])


def _clip(text: str) -> str:
    return text if len(text) <= ROW_MAX else text[: ROW_MAX - 1] + "…"


def _line(words: "list[str]") -> str:
    from guards.lanes.approvals import quoted

    return plain(" ".join([quoted(word) for word in words]))
