"""The house stays small: long modules and long functions are a design gone wrong."""

from __future__ import annotations

import ast
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parent.parent
MODULE, MODULE_NEVER = 250, 330  # lines: nine in ten under the first, none over the second
FUNCTION, FUNCTION_NEVER = 30, 60


# started by any python3 with nothing beside it, so it can share no code
ALONE = {"guards/wiring/unwire.py"}


def modules() -> dict[str, str]:
    found = {str(p.relative_to(ROOT)): p.read_text(encoding="utf-8") for p in (ROOT / "guards").rglob("*.py")}
    return {path: text for path, text in found.items() if path not in ALONE}


def functions() -> dict[str, int]:
    found = {}
    for path, text in modules().items():
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef) and node.end_lineno:
                found[f"{path}:{node.name}"] = node.end_lineno - node.lineno + 1
    return found


def test_modules_are_short() -> None:
    sizes = {path: text.count("\n") for path, text in modules().items()}
    assert not {p: n for p, n in sizes.items() if n > MODULE_NEVER}
    assert sum(n <= MODULE for n in sizes.values()) >= 0.9 * len(sizes)


def test_functions_are_short() -> None:
    sizes = functions()
    assert not {f: n for f, n in sizes.items() if n > FUNCTION_NEVER}
    assert sum(n <= FUNCTION for n in sizes.values()) >= 0.9 * len(sizes)
    assert median(sizes.values()) <= 14
