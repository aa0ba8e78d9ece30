"""What only shows when all entries are seen at once: the same hook twice, and heads that claim another wiring."""

from pathlib import Path

from guards.engine import wired
from guards.reports.contract import commands
from guards.reports.contract.commands import Ground
from guards.reports.contract.shape import Hook
from guards.shell.program import segments

BESIDE = 200  # files in a folder of hooks; one with more is a folder of other things


def check(hooks: list[Hook], ground: Ground) -> None:
    _doubled(hooks, ground)
    wirings: dict[Path, list[Hook]] = {}
    for hook in hooks:
        if hook.managed:
            continue
        guarded = any(h.managed and h.event == hook.event and _same(h, hook) for h in hooks)
        for path in commands.scripts(hook, ground):
            commands.check_script(hook, path, guarded)
            wirings.setdefault(path.resolve(), []).append(hook)
    _claims(wirings)


def _same(one: Hook, other: Hook) -> bool:
    return one.subject.facts.name == other.subject.facts.name


def _doubled(hooks: list[Hook], ground: Ground) -> None:
    seen: dict[tuple[str, str, str, str], Hook] = {}
    for hook in hooks:
        matcher = hook.group.get("matcher") or "*"
        for what in _identities(hook, ground):
            key = (hook.subject.facts.name, hook.event, str(matcher), what)
            first = seen.setdefault(key, hook)
            if first is not hook:
                place = f"{first.subject.path}: {first.where}"
                hook.say("doubled", f"`{commands.short(hook)}` stands there already ({place}); it may run twice")
                break


def _identities(hook: Hook, ground: Ground) -> list[str]:
    """The command in its plain words, and where its script really lies with the words that follow."""
    lists = [[text for text, _ in words] for words, _ in segments(ground.filled(hook.command))]
    plain = "\n".join(" ".join(words) for words in lists)
    real = plain
    for path in commands.scripts(hook, ground):
        real = real.replace(str(path), str(path.resolve()))
    interpreterless = "\n".join(
        " ".join(words[1:] if len(words) > 1 and wired.base(words[0]) in wired.INTERPRETERS else words)
        for words in (line.split(" ") for line in real.splitlines())
    )
    return [plain, interpreterless]


def _claims(wirings: dict[Path, list[Hook]]) -> None:
    for path, hooks in wirings.items():
        facts = hooks[0].subject.facts
        said, unwired = commands.claims(path, list(facts.events))
        at = {hook.event for hook in hooks}
        if unwired:
            hooks[0].say("claim", f"the head of {path} says that it is not wired")
        for event in sorted(said - at):
            hooks[0].say("claim", f"the head of {path} claims {event}, where it is not wired")
        for event in sorted(at - said) if said else ():
            hooks[0].say("claim", f"{path} is wired at {event}, which its head does not say")
    for folder in {path.parent for path in wirings}:
        known = next(hooks for path, hooks in wirings.items() if path.parent == folder)
        beside = sorted(folder.iterdir())
        for path in beside if len(beside) <= BESIDE and folder.name != "bin" else ():
            if path.is_file() and path.resolve() not in wirings:
                said, _ = commands.claims(path, list(known[0].subject.facts.events))
                if said:
                    known[0].subject.say(
                        "claim", "", f"the head of {path} claims {', '.join(sorted(said))}; nothing wires it"
                    )
