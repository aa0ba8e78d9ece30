"""Matchers, timeouts and flags of one entry."""

import math
import re
from collections.abc import Iterable

import regex

from guards.engine import wired
from guards.engine.door import WALL_SECONDS
from guards.reports.contract.shape import Hook

LONGEST = 300.0  # seconds
SLOW = 0.2  # seconds for one pattern on one name: what takes longer could stop a check for good
DEFAULT_CUT = 2.0  # seconds a session's end waits for a hook without a timeout
CODEX_END = 3.0  # seconds that codex allows at a session's end
_EXACT = re.compile(r"[A-Za-z0-9_\- |,]+")
_RULE = re.compile(r"(?P<tool>[A-Za-z_][\w-]*)(?:\((?P<inner>.*)\))?", re.DOTALL)


def check(hook: Hook, tools: Iterable[str]) -> None:
    names = list(tools)
    _matcher(hook, names)
    _timeout(hook)
    _flags(hook, names)


# ---- matchers
def _matcher(hook: Hook, tools: list[str]) -> None:
    facts = hook.subject.facts
    matcher = hook.group.get("matcher", hook.entry.get("matcher"))
    if matcher is None:
        return
    if not isinstance(matcher, str):
        hook.say("matcher-type", f"matcher is no text but {matcher!r}")
        return
    if matcher in ("", "*"):
        if facts.name == "copilot" and hook.event[:1].islower():
            hook.say("matcher-dead", f"{matcher!r} is no pattern for copilot and matches nothing; leave it out")
        return
    if hook.event in facts.sources:
        _source(hook, matcher, facts.sources[hook.event])
    elif hook.event in facts.tools:
        _tools(hook, matcher, tools)
    elif facts.tools and hook.event not in ("Notification", "SessionEnd", "SubagentStart", "SubagentStop"):
        hook.say("matcher-ignored", f"{hook.event} looks at no matcher; {matcher!r} keeps nothing out")


def _source(hook: Hook, matcher: str, words: tuple[str, ...]) -> None:
    try:
        hits = [word for word in words if regex.fullmatch(_pattern(matcher), word, timeout=SLOW)]
    except (regex.error, TimeoutError) as fault:
        hook.say("matcher-regex", f"{matcher!r} cannot be tried: {fault}")
        return
    if not hits:
        hook.say("matcher-dead", f"{matcher!r} is none of {', '.join(words)}")


def _tools(hook: Hook, matcher: str, tools: list[str]) -> None:
    name = hook.subject.facts.name
    if name == "claude" and (why := wired.dead_matcher(matcher, tools)):
        hook.say("matcher-dead", why)
        return
    if not _EXACT.fullmatch(matcher) or name == "gemini":
        _regex(hook, matcher, tools)
        return
    for part in (part.strip() for part in matcher.replace(",", "|").split("|")):
        if not part.startswith("mcp__") and part not in tools:
            hook.say("matcher-unknown", f"no tool named {part!r} is known; exact names count in their case")


def _regex(hook: Hook, matcher: str, tools: list[str]) -> None:
    try:
        pattern = regex.compile(_pattern(matcher))
        hits = [tool for tool in tools if pattern.search(tool, timeout=SLOW)]
    except regex.error as fault:
        hook.say("matcher-regex", f"{matcher!r} does not parse: {fault}")
        return
    except TimeoutError:
        hook.say("matcher-regex", f"{matcher!r} takes too long on the name of a tool")
        return
    sure = not any(word in matcher for word in ("mcp", "(?", "\\", ".*", ".+", "["))
    if sure and not hits:
        hook.say("matcher-unknown", f"{matcher!r} matches no tool that is known")


def _pattern(matcher: str) -> str:
    """`mcp__demo__*` is taken as it is meant."""
    return matcher.replace(" ", "") if _EXACT.fullmatch(matcher) else matcher


# ---- timeouts
def _timeout(hook: Hook) -> None:
    facts = hook.subject.facts
    value = hook.entry.get(facts.timeout)
    if facts.timeout not in hook.entry:
        _without(hook)
        return
    if isinstance(value, bool) or not isinstance(value, int | float):
        hook.say("timeout-type", f"timeout is {value!r}, no number{_cost(hook)}")
        return
    if not math.isfinite(value):
        hook.say("timeout-type", f"timeout is {value}, no number{_cost(hook)}")
        return
    seconds = value * facts.unit
    if facts.unit < 1 and 0 < value <= LONGEST:
        hook.say(
            "timeout-unit", f"timeout {value:g} is in milliseconds here: that is {seconds:g} s; write {value * 1000:g}"
        )
    elif facts.unit == 1 and value >= 1000 and value / 1000 <= LONGEST:
        hook.say(
            "timeout-unit",
            f"timeout {value:g} is in seconds here: that is {seconds / 60:.0f} minutes; write {value / 1000:g}",
        )
    elif not 1 <= seconds <= LONGEST:
        hook.say("timeout-range", f"timeout is {seconds:g} s, not between 1 and {LONGEST:g}")
    elif hook.managed:
        _deadline(hook, seconds)
    elif hook.event in wired.GATES and seconds < wired.SHORTEST:
        hook.say("timeout-short", f"{seconds:g} s: on a busy machine the call runs before the hook has judged")
    elif facts.name == "codex" and hook.event == "SessionEnd" and seconds > CODEX_END:
        hook.say("timeout-end", f"codex waits {CODEX_END:g} s at a session's end, not {seconds:g}")


def _without(hook: Hook) -> None:
    if hook.managed and hook.event in wired.GATES:
        hook.say("deadline", "guards' entry before tools has no timeout; guards install puts it right")
    elif hook.event == "SessionEnd" and hook.subject.facts.name == "claude":
        hook.say("timeout-end", f"without a timeout the hook is cut off after {DEFAULT_CUT:g} s")
    else:
        hook.say(
            "timeout-none",
            "has no timeout; a hang holds the call for the harness's default, ten minutes in Claude Code",
        )


def _deadline(hook: Hook, seconds: float) -> None:
    if hook.event in wired.GATES and seconds < WALL_SECONDS + 2:
        hook.say("deadline", f"{seconds:g} s is less than the {WALL_SECONDS:g} s after which guards itself refuses")


def _cost(hook: Hook) -> str:
    return "; the whole file is dropped" if hook.event in hook.subject.facts.drops else ""


# ---- flags
def _flags(hook: Hook, tools: list[str]) -> None:
    entry, facts = hook.entry, hook.subject.facts
    if entry.get("async") is True and hook.gate:
        hook.say("async-gate", "async is set: the call runs before the hook has answered")
    if entry.get("once") is True:
        hook.say("once", "`once` has no effect in a settings file")
    if "onFailure" in entry and entry["onFailure"] not in ("block", "allow"):
        hook.say("on-failure", f'onFailure is {entry["onFailure"]!r}; "block" is what is taken{_cost(hook)}')
    if "args" in entry:
        _args(hook)
    rule = entry.get("if")
    if rule is not None and facts.name == "claude":
        found = _RULE.fullmatch(rule) if isinstance(rule, str) else None
        if found is None or (found["tool"] not in tools and not found["tool"].startswith("mcp__")):
            hook.say("if-rule", f"`if` is {rule!r}, no rule of a known tool: the hook never runs")


def _args(hook: Hook) -> None:
    name = hook.subject.facts.name
    if name == "claude":
        hook.say("args", "versions before 2.1.200 start the command without `args`")
    else:
        hook.say("args", f"{name} knows no `args` and starts the command without them")
    words = hook.entry["args"]
    literal = (
        [w for w in words if isinstance(w, str) and ("$HOME" in w or w.startswith("~") or "`" in w)]
        if isinstance(words, list)
        else []
    )
    if literal:
        hook.say("args-literal", f"{literal[0]!r} arrives as it stands; no shell fills it in")
