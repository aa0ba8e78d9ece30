"""All policies from their files to the compiled file.

A fault in the bundled or the machine's layer stops everything: the last good tables stay in force, and a text file
beside them says why. A repository's faults only stop the repository's file (one.py).
"""

import contextlib
import marshal
from collections.abc import Iterable

from guards.compile import code, sealed, store
from guards.compile.catalog import POLICIES
from guards.compile.layers import Row
from guards.compile.one import Built, One
from guards.engine import tables

__all__ = ["Built", "build", "rebuild"]

# in a repository's compiled file besides the sections: its last good layers, and "" or the first fault of its files
KEPT, FAULT = "~layers", "~fault"


def build(
    places: dict[str, str],
    repo: str | None = None,
    names: Iterable[str] | None = None,
    kept: dict[str, Row] | None = None,
) -> Built:
    """Reads and judges every policy (or those named); `kept` are a repository's last good layers by name."""
    built = Built()
    for name in POLICIES if names is None else names:
        One(name, POLICIES[name], places, repo, built).build((kept or {}).get(name))
    built.sources += code.sources(places, POLICIES.values())
    built.sources += [(path, tables.identity(path)) for path in sealed.records(places)]
    return built


def rebuild(places: dict[str, str], repo: str | None = None) -> dict[str, bytes] | None:
    """Builds and writes the compiled file of the machine or of one repository; its sections.

    None after a fault of the owner's layers: nothing is replaced, and the fault file says why. A state folder that
    cannot be written costs only the memory.
    """
    path = tables.file_of(places, repo)
    built = build(places, repo, kept=None if repo is None else _kept(path))
    key = store.key(built.sources)
    if built.faults:
        with contextlib.suppress(OSError):
            store.write_fault(fault_file(places), built.faults, key)
        return None
    packed = dict(built.packed)
    if repo is not None:
        packed[KEPT] = marshal.dumps(built.layers)
        packed[FAULT] = marshal.dumps(built.repository[0] if built.repository else "")
    with contextlib.suppress(OSError):
        store.write(path, key, packed)
        _tell(places, repo, built, key)
    return packed


def fault_file(places: dict[str, str], repo: str | None = None) -> str:
    """Where the text about broken sources lies; it is there only while they are broken."""
    if repo is None:
        return places["state"] + "/tables/fault"
    return tables.file_of(places, repo) + ".fault"


def _tell(places: dict[str, str], repo: str | None, built: Built, key: store.Key) -> None:
    if repo is not None and built.repository:
        store.write_fault(fault_file(places, repo), built.repository, key)
    else:
        store.remove(fault_file(places, repo))


def _kept(path: str) -> dict[str, Row]:
    """The layers that were good when this repository was last compiled."""
    found = tables.read(path)
    data = found[1].get(KEPT) if found is not None else None
    try:
        layers = marshal.loads(data) if data is not None else {}
    except (ValueError, EOFError, TypeError):
        return {}
    return layers if isinstance(layers, dict) else {}
