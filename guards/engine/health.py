"""What is wrong with Guards itself, as far as it can be seen at a session's start without starting anything.

The short form of `guards doctor`: a few small files are looked at, nothing is run, nothing is written. Each row is (id,
mark, text, cure). A row here is a reason for the owner to look, never a verdict on the session. Loaded only at session
start.
"""

import posix
from time import gmtime, localtime, strftime, time

from guards.engine import launch, switch, tables, wired
from guards.engine.world import encode, read_fd

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from guards.engine.world import World

    Row = tuple[str, str, str, str]

# what an owner may set for Guards, and what Guards sets for the fence: no business of a project's settings
VARIABLES = (
    "AGENT_EXCLUDE_PREFIX", "PANTRY_CLI", "SPAWN_ENVELOPE_MIN_CHARS", "GUARDS_OFF", "BASH_OUTPUT_MAX",
    "TOOL_OUTPUT_MAX", "CODE_DISCOVERY_SWEEP", "SKILL_CONTEXT_INDEX", "SKILL_CONTEXT_MAP", "CLAUDE_CODE_SHELL_PREFIX",
)  # fmt: skip
NUMBERS = ("SPAWN_ENVELOPE_MIN_CHARS", "BASH_OUTPUT_MAX", "TOOL_OUTPUT_MAX", "CODE_DISCOVERY_SWEEP")
PATHS = ("PANTRY_CLI", "SKILL_CONTEXT_INDEX", "SKILL_CONTEXT_MAP")
TAIL = 1 << 16  # bytes of the journal that are looked at
RECENT = 86400.0  # seconds that an error is told for
BEHIND = 14400.0  # seconds a tool may run; one that ended later than that after the last judged call was not judged
SETTINGS_MAX = 1 << 20
_DOCTOR = "guards doctor shows more."


def rows(world: "World", harness: str) -> "list[Row]":
    found: list[Row] = []
    for look in (_off, _policy, _state, _approvals, _project, _numbers, _gate, _errors):
        found += look(world, harness)
    return found + _wiring(world, harness)


def _off(world: "World", harness: str) -> "Iterator[Row]":
    until, why = switch.pause(world)
    if until:
        when = strftime("%H:%M", localtime(until)) + (f" ({why[:200]})" if why else "")
        what = f"the owner paused all guards until {when}: only sealed and exact paths are refused."
        yield "off", "warn", what, "guards pause --end"
    elif words := switch.switched_off(world):
        yield "off", "warn", f"GUARDS_OFF is in force: {', '.join(sorted(words))}.", "start the harness without it."


def _policy(world: "World", harness: str) -> "Iterator[Row]":
    if world.tables is not None and world.tables.stale:
        yield "policy", "FAIL", f"{world.tables.stale}.", "guards check names every fault."
    root = _repository(world)
    if root and world.lstat(tables.file_of(world.places, root) + ".fault") is not None:
        yield "policy", "warn", f"{root}/.guards has a fault; its last good policy counts.", "guards check in it."


def _repository(world: "World") -> str:
    folder = world.project
    while folder.startswith("/") and folder != "/":
        if world.lstat(folder + "/.git") is not None:
            return folder
        folder = folder.rpartition("/")[0]
    return ""


def _state(world: "World", harness: str) -> "Iterator[Row]":
    state = world.places["state"]
    try:
        writable = posix.access(encode(state), posix.W_OK | posix.X_OK)
    except (OSError, ValueError):
        writable = False
    if world.session.broken or not writable:
        why = world.session.broken or "not writable"
        yield (
            "state",
            "FAIL",
            f"{state} is {why}: no memory, no journal.",
            f"make it yours again (chmod -R u+rwX {state}).",
        )


def _approvals(world: "World", harness: str) -> "Iterator[Row]":
    from guards.lanes.approvals import read

    found = read(world.places.get("approvals", ""))
    if found.trouble:
        yield "approvals", "FAIL", f"{found.trouble}.", ""
    bad = [str(line.number) for line in found.broken()]
    if bad:
        text = f"{found.path}: line {', '.join(bad[:5])} frees nothing."
        yield "approvals", "warn", text, "guards approvals says why."


def _project(world: "World", harness: str) -> "Iterator[Row]":
    """Variables of ours in the project's own settings; they do not count, and somebody meant something by them."""
    for place in launch.SETTINGS if world.project else ():
        text = world.read(f"{world.project}/{place}", SETTINGS_MAX)
        if text is None or f"{world.project}/{place}" == f"{world.home}/.claude/settings.json":
            continue
        named = [name for name in VARIABLES if name.encode() in text]
        named += ["PATH"] if b'"PATH"' in text else []
        if named:
            yield (
                "project",
                "warn",
                f"{place} of this project names {', '.join(named)}; it does not count.",
                "look at it.",
            )
        if b'"disableAllHooks"' in text:
            yield "project", "warn", f"{place} of this project holds disableAllHooks: it silences hooks.", "look at it."


def _numbers(world: "World", harness: str) -> "Iterator[Row]":
    for name in NUMBERS:
        value = world.plain_env(name)
        if value is not None and not (value.strip().isascii() and value.strip().isdecimal()):
            yield "value", "warn", f"{name}={value[:40]} is no number and is ignored.", "correct it."
    for name in PATHS:
        value = world.plain_env(name)
        if value and not value.startswith("/"):
            yield "value", "warn", f"{name}={value[:80]} is no absolute path and is of no use.", "correct it."
    for prefix in (world.plain_env("AGENT_EXCLUDE_PREFIX") or "").split(":"):
        if prefix and (not prefix.startswith("/") or not prefix.strip("/")):
            yield "value", "warn", f"AGENT_EXCLUDE_PREFIX holds {prefix[:80]!r}, which is ignored.", "correct it."


def _gate(world: "World", harness: str) -> "Iterator[Row]":
    """A tool ran, and the gate before it was not asked. Cursor tells of some edits only afterwards."""
    if harness == "cursor":
        return
    beats = f"{world.places['state']}/beats/{harness}-"
    times = {}
    for event in ("before-tool", "after-tool", "after-tool-failure"):
        info = world.stat(beats + event)
        times[event] = info.st_mtime if info is not None else 0.0
    ran = max(times["after-tool"], times["after-tool-failure"])
    if ran and ran > times["before-tool"] + BEHIND:
        when = strftime("%Y-%m-%d %H:%M", localtime(ran))
        yield "gate", "FAIL", f"a tool ran in {harness} ({when}) and the gate before it was not asked.", "guards status"


def _errors(world: "World", harness: str) -> "Iterator[Row]":
    counts: dict[str, list[str]] = {}
    for line in recent(world, b'"verdict":"error"'):
        counts.setdefault(str(line.get("guard") or "guards"), []).append(str(line.get("why", "")))
    for guard, whys in counts.items():
        many = f"{len(whys)} times" if len(whys) > 1 else "once"
        yield "errors", "warn", f"{guard} could not judge {many} in the last day ({whys[-1][:100]}).", _DOCTOR


def recent(world: "World", mark: bytes) -> "list[dict[str, Any]]":
    """Journal lines of the last day that hold `mark`, from the end of this month's file."""
    now = time()
    path = f"{world.places['state']}/journal/{strftime('%Y-%m', gmtime(now))}.jsonl"
    found = []
    for text in _tail(path).split(b"\n")[1:]:
        if mark in text:
            line = world.parse(text)
            if isinstance(line, dict) and isinstance(line.get("t"), (int, float)) and line["t"] > now - RECENT:
                found.append(line)
    return found


def _tail(path: str) -> bytes:
    """The end of a file, with a line break before its first whole line."""
    try:
        fd = posix.open(encode(path), posix.O_RDONLY | posix.O_CLOEXEC | posix.O_NONBLOCK)
    except OSError:
        return b""
    try:
        size = posix.fstat(fd).st_size
        posix.lseek(fd, max(0, size - TAIL), 0)
        data = read_fd(fd, TAIL)
    except OSError:
        return b""
    finally:
        posix.close(fd)
    return data if size > TAIL else b"\n" + data


def _wiring(world: "World", harness: str) -> "list[Row]":
    """Dead entries in the owner's settings, guards' own or another's, and entries of guards that are gone."""
    values = {"HOME": world.home, "CLAUDE_PROJECT_DIR": world.project}
    path = world.plain_env("PATH") or ""
    found: list[Row] = []
    for file, owner in _files(world):
        document = world.parse(world.read(file, SETTINGS_MAX) or b"")
        listed = wired.entries(document, file, owner)
        tools = (world.rules("harness/" + owner) or {"tools": {}})["tools"]
        for kind, entry, text in wired.findings(
            listed, values, lambda p: world.stat(p) is not None, lambda name: world.which(name, path), tools
        ):
            mark = "FAIL" if kind in ("gone", "matcher", "flat") else "warn"
            line = f"{file}: {entry.event} entry `{entry.command[:90]}` {text}."
            found.append(("wiring", mark, line, "guards install." if entry.managed else "guards wiring shows all."))
        found += _ours(listed, file, owner, harness)
    commands = (world.rules("dispatch") or {}).get("commands", {})
    for name, program, source in sorted({(row[0], row[1][0], row[8]) for rows in commands.values() for row in rows}):
        if world.stat(program) is None:
            text = f"{source}: command {name!r} would start {program}, which is not there."
            found.append(("wiring", "FAIL", text, "correct its row, or off = true."))
    return found


def _files(world: "World") -> "list[tuple[str, str]]":
    """The owner's settings: those that were wired, and those in the home."""
    found = {f"{world.home}/{place}": owner for place, owner in wired.FILES}
    record = world.parse(world.read(world.places.get("install", "") + "/wired", SETTINGS_MAX) or b"")
    files = record.get("files") if isinstance(record, dict) else None
    for file in files if isinstance(files, dict) else ():
        found.setdefault(file, next((owner for place, owner in wired.FILES if file.endswith(place)), "claude"))
    return list(found.items())


def _ours(listed: "list[wired.Entry]", file: str, owner: str, harness: str) -> "Iterator[Row]":
    mine = [entry for entry in listed if entry.managed]
    if mine and owner == harness and not any([entry.event in wired.GATES for entry in mine]):
        yield "wiring", "FAIL", f"{file} has lost guards' entry before tools: nothing is refused.", "guards install."
    for event in {entry.event for entry in mine}:
        if len([entry for entry in mine if entry.event == event]) > 1:
            yield "wiring", "warn", f"{file} has guards twice at {event}: each call is judged twice.", "guards install."
