"""In a repository that carries a code graph, says once that it was searched often and never asked.

It aims at a small share of what a session carries, and says so: a graph query buys a bounded answer, not a smaller
one. One query ends the count for good. What it cannot read is no search.
"""

from guards.engine.event import Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.engine.event import Event
    from guards.engine.world import World

    Graph = tuple[Any, ...]

NAME = "code-discovery"
VARIABLE = "CODE_DISCOVERY_SWEEP"
_FIELDS = ("file_path", "path", "notebook_path", "absolute_path")


def judge(event: "Event", rules: "dict[str, Any]", world: "World") -> "Verdict | None":
    found = _graph(event, rules, world)
    if found is None:
        return None
    root, graph = found
    account = f"{NAME} {event.agent}"
    if world.session.marked(account):
        return None
    kind = _kind(event, root, graph, rules, world)
    seen = world.session.records(account) if kind else []
    if not kind or "query" in seen or world.off(NAME) or world.excluded(event.cwd):
        return None
    mark = ("add", account, kind)
    sweep, label = _sweep(rules, world)
    searches = seen.count("search") + 1
    if kind == "query" or searches < sweep:
        return Verdict(NAME, "note", marks=(mark,))
    text = (
        f"{searches} searches and no query to this repository's code graph {graph[0]} ({label}). for where something is"
        f" and what uses it: {graph[4]}. that buys a bounded answer rather than a smaller one, and code search is a"
        " small share of what a session carries (3 % where it was measured), so this is said once."
    )
    return Verdict(NAME, "note", text, graph[5], marks=(("once", account), mark), facts={"searches": searches})


def _graph(event: "Event", rules: "dict[str, Any]", world: "World") -> "tuple[str, Graph] | None":
    """(folder, graph) of the nearest graph between the working directory and its repository's root."""
    folder = event.cwd.rstrip("/")
    while folder.startswith("/"):
        for graph in rules["graphs"]:
            if world.stat(f"{folder}/{graph[0]}") is not None:
                return folder, graph
        if world.lstat(folder + "/.git") is not None:
            return None
        folder = folder.rpartition("/")[0]
    return None


def _kind(event: "Event", root: str, graph: "Graph", rules: "dict[str, Any]", world: "World") -> str:
    """search, query or "" for neither."""
    if event.kind == "shell":
        return _shell(event.command, graph, rules, world)
    if _named(event.tool, graph) or _reads(event, f"{root}/{graph[1]}", graph):
        return "query"
    return "search" if event.tool in rules["tools"] else ""


def _shell(command: str, graph: "Graph", rules: "dict[str, Any]", world: "World") -> str:
    from guards.shell.program import every

    if graph[1] and graph[1] + "/" in command:
        return "query"
    kind = ""
    bound = world.rules("output-bound")
    names = world.unpack(bound["talk"])["names"] if bound else {"passing": (), "shells": (), "wrappers": {}}
    for name, operand in every(command, names):
        both = f"{name} {operand}"
        if _named(both, graph) or _named(name, graph):
            return "query"
        if name in rules["programs"] or both in rules["programs"]:
            kind = "search"
    return kind


def _named(name: str, graph: "Graph") -> bool:
    if name in graph[2]:
        return True
    return any([name.startswith(before) and name.endswith(after) for before, after in graph[3]])


def _reads(event: "Event", folder: str, graph: "Graph") -> bool:
    """Whether the call names a file beside the graph."""
    if not graph[1]:
        return False
    paths = [event.input.get(field) for field in _FIELDS]
    return any([isinstance(path, str) and path.startswith((folder + "/", graph[1] + "/")) for path in paths])


def _sweep(rules: "dict[str, Any]", world: "World") -> "tuple[int, str]":
    value = (world.plain_env(VARIABLE) or "").strip()
    if value.isascii() and value.isdecimal() and len(value) < 16 and int(value):
        return int(value), VARIABLE
    found: tuple[int, str] = rules["sweep"]
    return found
