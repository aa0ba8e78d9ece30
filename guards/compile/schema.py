"""JSON Schema for editors, made from the same records that check the files: policy/schema/<name>.json.

Only what an editor can say of one layer alone: rows need no more than their key, since an upper layer names only what
it changes. `python -m guards.compile.schema` writes the files anew; a test proves them current.
"""

import json
import os
import sys
from typing import Any

from guards.compile.catalog import POLICIES
from guards.compile.kinds import Field, Flag, Mapping, Nested, Number, Rows, Table, Text, Texts
from guards.compile.one import whole

_MAY = {
    "lower": "a repository may only lower it",
    "higher": "a repository may only raise it",
    "add": "a repository may only add to it",
    "never": "",
}
_TEXTS = {"add": _MAY["add"], "lower": "a repository may only shorten it", "never": ""}


def file_name(policy: str) -> str:
    """All harnesses share one schema."""
    return policy.partition("/")[0] + ".json"


def documents() -> dict[str, str]:
    """The schemas' texts by file name."""
    out = {}
    for name, module in POLICIES.items():
        shown = name.partition("/")[0] + ("/<name>" if "/" in name else "")
        record = whole(module.POLICY)
        top = {"$schema": "http://json-schema.org/draft-07/schema#", "title": f"policy/{shown}.toml"}
        said = json.dumps({**top, **_table(record, None)}, indent=2, ensure_ascii=False)
        out[file_name(name)] = said + "\n"
    return out


def _table(record: Table, key: str | None) -> dict[str, Any]:
    out: dict[str, Any] = {
        "type": "object",
        "properties": {name: _described(known) for name, known in record.fields.items()},
        "additionalProperties": False,
    }
    if key is not None:
        out["required"] = [key]
    return out


def _described(known: Field) -> dict[str, Any]:
    out = _kind(known)
    may = (_TEXTS if isinstance(known, Texts) else _MAY)[known.tighter]
    doc = "; ".join(part for part in (known.doc, may) if part)
    if doc:
        out["description"] = doc
    if isinstance(known, Flag | Number | Text | Texts) and known.default not in (None, "", ()):
        out["default"] = list(known.default) if isinstance(known, Texts) else known.default
    return out


def _kind(known: Field) -> dict[str, Any]:
    match known:
        case Flag():
            return {"type": "boolean"}
        case Number():
            return {
                "type": "integer" if known.whole else "number",
                "minimum": known.minimum,
                "maximum": known.maximum,
            }
        case Text():
            return _word(known.choices, known.empty and not known.required)
        case Texts():
            return {"type": "array", "items": _word(known.choices, empty=False)}
        case Rows():
            return {"type": "array", "items": _table(known.table, known.key)}
        case Nested():
            return _table(known.table, None)
        case Mapping():
            return {"type": "object", "additionalProperties": _described(known.of)}
    raise TypeError(type(known).__name__)


def _word(choices: tuple[str, ...] | None, empty: bool) -> dict[str, Any]:
    out: dict[str, Any] = {"type": "string"}
    if choices is not None:
        out["enum"] = list(choices)
    elif not empty:
        out["minLength"] = 1
    return out


def write(folder: str) -> list[str]:
    """Writes every schema that changed, takes away those of policies that are gone; the changed names."""
    os.makedirs(folder, exist_ok=True)
    wanted = documents()
    changed = []
    for name in sorted({*wanted, *(n for n in os.listdir(folder) if n.endswith(".json"))}):
        path = os.path.join(folder, name)
        if name not in wanted:
            os.unlink(path)
        elif not os.path.exists(path) or _text(path) != wanted[name]:
            with open(path, "w", encoding="utf-8") as out:
                out.write(wanted[name])
        else:
            continue
        changed.append(name)
    return changed


def _text(path: str) -> str:
    with open(path, encoding="utf-8") as handle:
        return handle.read()


if __name__ == "__main__":
    here = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    print("\n".join(write(os.path.join(here, "policy", "schema"))), file=sys.stderr)
