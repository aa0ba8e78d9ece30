"""policy/code-discovery.toml: which graphs there are, what a search is, and what a query."""

from typing import Any

from guards.compile.fields import Table, number, rows, text, texts


def _marker(value: str) -> str:
    parts = value.split("/")
    if value.startswith(("/", "~")) or ".." in parts or "" in parts:
        return "is a path inside a repository, without .. or a slash at its ends"
    return ""


def _graph(value: dict[str, Any], where: str) -> list[str]:
    return [
        f"queries[{i}]: takes one * at most, not as the first character"
        for i, query in enumerate(value["queries"])
        if query.count("*") > 1 or query.startswith("*")
    ]


GRAPH = Table(
    {
        "marker": text(required=True, check=_marker, doc="the file that says there is a graph, from the root"),
        "queries": texts(doc='programs with their operand ("graphify query") or tool names; one * for any rest'),
        "say": text(required=True, doc="how to ask the graph"),
    },
    check=_graph,
)
POLICY = Table(
    {
        "sweep": number(minimum=1, default=4, doc="searches without a query before it speaks"),
        "tools": texts(doc="search tools, exact names"),
        "programs": texts(doc="search programs, with their operand where only that is a search"),
        "graph": rows(GRAPH),
    },
    repository=False,
)


def table(policy: dict[str, Any], ctx: Any) -> dict[str, Any]:
    return {
        "sweep": (policy["sweep"], f"{ctx.source('sweep')}: sweep"),
        "tools": frozenset(policy["tools"]),
        "programs": frozenset(policy["programs"]),
        "graphs": tuple(_row(row) for row in policy["graph"]),
    }


def _row(row: dict[str, Any]) -> tuple[Any, ...]:
    exact = frozenset(query for query in row["queries"] if "*" not in query)
    wild = tuple(tuple(query.split("*")) for query in row["queries"] if "*" in query)
    folder = row["marker"].rpartition("/")[0]
    return (row["marker"], folder, exact, wild, row["say"], f"{row['_source']}: graph {row['id']!r}")
