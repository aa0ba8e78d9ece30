"""What each harness reads: event names, shapes, units, shells. Observed, unless the line says read.

Claude Code 2.0.76 to 2.1.332, Codex CLI 0.171.0, Gemini CLI 0.61.0, Copilot CLI 1.0.102 (2026-11-30); Cursor from its
public pages.
"""

from dataclasses import dataclass, field

OLD = (2, 0, 76)  # the oldest version of Claude Code that was looked at
TOLERANT = (2, 1, 200)  # the first that does not drop a file for an event name it does not know


@dataclass(frozen=True)
class Facts:
    """One harness.

    events     name → the first version that knows it, () for any
    gates      events where an exit code of 2 refuses
    tools      events whose matcher is a tool's name; sources: events whose matcher is one of these words
    drops      events where one bad entry costs the whole file
    unit       seconds in one unit of a timeout
    shell      what takes the command line; posix: whether it may be no more than a POSIX shell
    nested     whether entries stand inside groups
    """

    name: str
    events: dict[str, tuple[int, ...]]
    gates: tuple[str, ...]
    tools: tuple[str, ...] = ()
    sources: dict[str, tuple[str, ...]] = field(default_factory=dict)
    drops: tuple[str, ...] = ()
    types: tuple[str, ...] = ("command",)
    unit: float = 1.0
    shell: str = "/bin/bash"
    posix: bool = False
    nested: bool = True
    command: str = "command"
    timeout: str = "timeout"


def _any(names: str) -> dict[str, tuple[int, ...]]:
    return dict.fromkeys(names.split(), ())


CLAUDE = Facts(
    "claude",
    {
        **_any(
            "SessionStart UserPromptSubmit PreToolUse PostToolUse PostToolUseFailure SubagentStart SubagentStop Stop"
            " Notification PreCompact SessionEnd PermissionRequest"
        ),
        **dict.fromkeys(
            (
                "PostToolBatch", "InstructionsLoaded", "PostCompact", "PreModelSwitch", "PostModelSwitch",
                "TaskCreated", "TaskCompleted", "MessageDisplay", "UserPromptExpansion", "StopFailure",
                "PermissionDenied", "Setup", "TeammateIdle", "Elicitation", "ElicitationResult", "ConfigChange",
                "WorktreeCreate", "WorktreeRemove", "CwdChanged", "FileChanged", "DirectoryAdded",
                "PreSkillShellCommand",
            ),
            TOLERANT,
        ),
    },
    gates=("PreToolUse", "PermissionRequest", "UserPromptSubmit", "Stop", "SubagentStop"),
    tools=("PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionRequest", "PermissionDenied"),
    sources={
        "SessionStart": ("startup", "resume", "clear", "compact", "fork"),
        "PreCompact": ("manual", "auto"),
        "PostCompact": ("manual", "auto"),
    },
    drops=("PreToolUse", "PermissionRequest"),
    types=("command", "prompt", "agent", "http", "mcp_tool"),
    shell="/bin/sh",
    posix=True,
)  # fmt: skip
CODEX = Facts(
    "codex",
    _any(
        "SessionStart UserPromptSubmit PreToolUse PostToolUse SubagentStart SubagentStop Stop SessionEnd"
        " PermissionRequest PreCompact PostCompact"
    ),
    gates=("PreToolUse", "PermissionRequest", "UserPromptSubmit", "Stop", "SubagentStop"),
    tools=("PreToolUse", "PostToolUse", "PermissionRequest"),
    drops=(
        "SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "SubagentStart", "SubagentStop", "Stop",
        "SessionEnd", "PermissionRequest", "PreCompact", "PostCompact",
    ),
)  # fmt: skip
GEMINI = Facts(
    "gemini",
    _any(
        "SessionStart SessionEnd BeforeAgent AfterAgent BeforeModel AfterModel BeforeToolSelection BeforeTool AfterTool"
        " PreCompress Notification"
    ),
    gates=("BeforeTool", "BeforeAgent", "AfterAgent"),
    tools=("BeforeTool", "AfterTool"),
    unit=0.001,
)
CURSOR = Facts(  # read
    "cursor",
    _any(
        "sessionStart sessionEnd beforeSubmitPrompt preToolUse postToolUse postToolUseFailure beforeShellExecution"
        " afterShellExecution beforeMCPExecution afterMCPExecution beforeReadFile afterFileEdit subagentStart"
        " subagentStop preCompact stop afterAgentResponse afterAgentThought beforeTabFileRead afterTabFileEdit"
        " workspaceOpen"
    ),
    gates=("preToolUse", "beforeShellExecution", "beforeMCPExecution", "beforeReadFile", "beforeSubmitPrompt"),
    types=("command", "prompt"),
    nested=False,
)
COPILOT = Facts(
    "copilot",
    _any(
        "sessionStart sessionEnd userPromptSubmitted userPromptTransformed preToolUse postToolUse postToolUseFailure"
        " errorOccurred agentStop subagentStart subagentStop preCompact permissionRequest notification"
        # its other form, with Claude Code's names
        " SessionStart SessionEnd UserPromptSubmit PreToolUse PostToolUse PostToolUseFailure ErrorOccurred Stop"
        " SubagentStop PreCompact PermissionRequest"
    ),
    gates=("preToolUse", "permissionRequest"),
    nested=False,
    command="bash",
    timeout="timeoutSec",
)
HARNESSES: dict[str, Facts] = {f.name: f for f in (CLAUDE, CODEX, GEMINI, CURSOR, COPILOT)}
