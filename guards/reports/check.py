"""`guards check`: every fault and notice of the policy with its place, and what its `[[case]]` rows come to.

Reads the files as they are now, writes nothing. Faults are what keeps a layer out of force; notices are what was
left out or means nothing. Exit 0: nothing to say; 1: anything to say; 2: there is no policy to check.
"""

from __future__ import annotations

import glob
import json
import os
from dataclasses import dataclass, field
from typing import Annotated

import typer

from guards.compile.build import build
from guards.compile.catalog import POLICIES
from guards.compile.words import nearest
from guards.engine import tables
from guards.reports import here
from guards.reports.check_cases import run_cases


@dataclass
class Report:
    files: int = 0
    faults: list[str] = field(default_factory=list)
    repository: list[str] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)
    cases: int = 0
    failed: list[str] = field(default_factory=list)
    overridden: list[str] = field(default_factory=list)
    last_good: bool = False

    @property
    def findings(self) -> list[str]:
        return [*self.faults, *self.repository, *self.notices, *self.failed]


def command(
    repo: Annotated[
        str, typer.Option(help="check this repository's .guards/ too; the one we stand in by default")
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help="as one JSON object")] = False,
) -> None:
    """Every fault and notice of the policy, with its place; then the cases it carries.

    Example: guards check

    Example: guards check --repo ~/src/app --json
    """
    record = here.places()
    if not os.path.isdir(record["policy"]):
        raise FileNotFoundError(f"{record['policy']} is not there, so there is no policy to check; run make install")
    report = check(record, os.path.abspath(repo) if repo else repository(os.getcwd()))
    print(json.dumps(vars(report), indent=1, ensure_ascii=False) if as_json else "\n".join(told(report)))
    raise typer.Exit(1 if report.findings else 0)


def check(record: dict[str, str], repo: str | None) -> Report:
    """The policy as it is on disk now, with the repository's layer on top where there is one."""
    built = build(record, repo)
    report = Report(
        files=sum(identity is not None for path, identity in built.sources if path.endswith(".toml")),
        faults=built.faults,
        repository=built.repository,
        notices=[*built.notices, *strays(record, repo)],
        last_good=tables.read(tables.file_of(record)) is not None,
    )
    if not built.faults:
        report.cases, report.failed = run_cases(built, record, report.overridden)
    return report


def told(report: Report) -> list[str]:
    """The report in lines."""
    lines = list(report.findings)
    if report.faults:
        force = "the last good one is in force" if report.last_good else "there is no last good one: tools are refused"
        lines.append(f"the policy does not compile ({len(report.faults)} to mend); {force}")
    elif lines:
        lines.append(f"the policy is in force; {len(lines)} to look at")
    else:
        lines.append(f"the policy is fine: {report.files} files, {report.cases} cases")
    if report.overridden:
        many = "1 bundled case was" if len(report.overridden) == 1 else f"{len(report.overridden)} bundled cases were"
        lines.append(f"{many} skipped, since your own layer decides it otherwise: {', '.join(report.overridden)}")
    return lines


def repository(start: str) -> str | None:
    """The nearest folder upwards with a `.guards` folder."""
    path = start
    while True:
        if os.path.isdir(os.path.join(path, ".guards")):
            return path
        above = os.path.dirname(path)
        if above == path:
            return None
        path = above


def strays(record: dict[str, str], repo: str | None) -> list[str]:
    """Files that lie where policies lie but are none: most likely a mistyped name."""
    out = []
    for folder, names in ((record["machine"], list(POLICIES)), (_guards(repo), _for_repositories())):
        for name in _policy_files(folder):
            if name not in names:
                near = nearest(name, names)
                out.append(
                    f"{os.path.join(folder, name)}.toml: no policy of this name is read here; the nearest is {near!r}"
                )
    return out


def _guards(repo: str | None) -> str:
    return os.path.join(repo, ".guards") if repo else ""


def _for_repositories() -> list[str]:
    return [name for name, module in POLICIES.items() if module.POLICY.repository]


def _policy_files(folder: str) -> list[str]:
    found = glob.glob("*.toml", root_dir=folder) + glob.glob("harness/*.toml", root_dir=folder) if folder else []
    return sorted(name.removesuffix(".toml") for name in found)
