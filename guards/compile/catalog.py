"""Every policy file there is: its name below policy/ without `.toml`, and the module that holds its record.

Adding a policy is one import and one row here. No scanning: what counts as policy stands in one place.
"""

from typing import Any, Protocol

from guards.compile.kinds import Table
from guards.compile.policies import (
    code_discovery,
    context,
    dispatch,
    fence,
    harness,
    human_lane,
    human_only,
    open_items,
    output_bound,
    read_gate,
    session_doctor,
    shell_lane,
    spawn_envelope,
    switches,
    tripwire,
    worktree,
)


class Policy(Protocol):
    """What a module of guards/compile/policies exports.

    It may also export `check_cases(policy, run) -> list[str]`, asked by `guards check`.
    """

    POLICY: Table

    def table(self, policy: dict[str, Any], ctx: Any) -> object: ...


POLICIES: dict[str, Policy] = {
    "dispatch": dispatch,
    "harness/claude": harness,
    "harness/codex": harness,
    "harness/copilot": harness,
    "harness/cursor": harness,
    "harness/gemini": harness,
    "human-lane": human_lane,
    "human-only": human_only,
    "code-discovery": code_discovery,
    "fence": fence,
    "open-items": open_items,
    "output-bound": output_bound,
    "session-doctor": session_doctor,
    "shell-lane": shell_lane,
    "spawn-envelope": spawn_envelope,
    "tripwire": tripwire,
    "switches": switches,
    "context": context,
    "read-gate": read_gate,
    "worktree": worktree,
}
