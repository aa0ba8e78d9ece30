"""What a policy's `table()` may ask for while it turns the merged rows into the guard's table."""

from dataclasses import dataclass
from typing import Any

from guards.compile.kinds import Rows, Table
from guards.compile.layers import Row, Told, line


@dataclass(frozen=True)
class Context:
    """`places` is the record written at install, `repo` the root whose layer is on top, or None."""

    name: str
    label: str
    places: dict[str, str]
    repo: str | None
    policy: Row
    record: Table
    told: Told

    def source(self, kind: str = "", key: str = "") -> str:
        """The label of the last layer that touched the row `key` of the list `kind` (or the plain key `kind`)."""
        known = self.record.fields.get(kind)
        if isinstance(known, Rows) and key:
            for row in self.policy.get(kind, ()):
                if row.get(known.key or "id") == key:
                    return str(row["_source"])
        label: str = self.policy["_places"].get(kind, (self.label, ""))[0]
        return label

    def place(self, row: Row, *path: str | int) -> str:
        """Where a key of a row stands: `place(row, "paths", 0)` is "policy/human-lane.toml: lane[3].paths[0]"."""
        first = str(path[0]) if path else ""
        found = row["_places"].get(first)
        label, at = found or row["_places"].get("", (row["_source"], ""))
        rest = path[1:] if found else path
        for part in rest:
            at = f"{at}[{part}]" if isinstance(part, int) else f"{at}.{part}" if at else part
        return line(label, at, "").removesuffix(": ") if at else label

    def fault(self, where: str, message: str) -> None:
        """A fault of the policy: the place from `place`, or a path inside the bundled file."""
        self.told.faults.append(_whole(self.label, where, message))

    def notice(self, where: str, message: str) -> None:
        """The same, but the policy is used all the same."""
        self.told.notices.append(_whole(self.label, where, message))


def _whole(label: str, where: str, message: str) -> str:
    return f"{where}: {message}" if ".toml" in where else line(label, where, message)


def plain(value: Any) -> Any:
    """A merged value without the keys that tell where it came from."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items() if not key.startswith("_")}
    return [plain(item) for item in value] if isinstance(value, list) else value
