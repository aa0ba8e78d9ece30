"""Tools that no table names, judged by the shape of their input."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from guards.engine.state import Session
from guards.engine.tables import load
from guards.engine.world import World
from guards.lanes import shape
from tests.lanes.judging import event, says
from tests.machine import Machine


@pytest.mark.parametrize(
    ("tool", "given", "said"),
    [
        ("mcp__filesystem__write_file", {"path": "human/plan.md", "content": "x"}, "deny"),
        ("mcp__plugin_files_filesystem__edit_file", {"path": "human/plan.md", "edits": []}, "deny"),
        ("mcp__filesystem__move_file", {"source": "/tmp/x.md", "destination": "human/plan.md"}, "deny"),
        ("mcp__filesystem__move_file", {"source": "human/plan.md", "destination": "/tmp/x.md"}, "deny"),
        ("mcp__fs__move", {"path": "human", "destination": "/tmp/x"}, "deny"),
        ("mcp__filesystem__copy_file", {"source": "human/plan.md", "destination": "/tmp/x.md"}, "none"),
        ("mcp__filesystem__copy_file", {"source": "/tmp/x.md", "destination": "human/plan.md"}, "deny"),
        ("mcp__fs__create_symlink", {"source": "human/plan.md", "link_path": "x"}, "deny"),
        ("mcp__ms365__download-bytes-to-file", {"path": "/v1/items/1", "outputPath": "human/plan.md"}, "deny"),
        ("mcp__serena__replace_symbol_body", {"relative_path": "human/tool.py", "name_path": "main"}, "deny"),
        ("mcp__serena__find_symbol", {"relative_path": "human/tool.py", "name_path": "main"}, "none"),
        ("mcp__serena__find_and_replace", {"relative_path": "human/tool.py"}, "deny"),
        ("mcp__fs__read_multiple_files", {"paths": ["human/plan.md"]}, "none"),
        ("mcp__fs__directory_tree", {"path": "human"}, "none"),
        ("mcp__web__get_page", {"url": "https://x/human/a", "output_file": "human/a.md"}, "deny"),
        ("mcp__x__browser_take_screenshot", {"filename": "human/a.png"}, "deny"),
        (
            "mcp__x__write_files",
            {"files": [{"path": "src/a", "content": "x"}, {"path": "human/b", "content": "y"}]},
            "deny",
        ),
        ("mcp__x__write_files", {"files": {"src/a": "x", "human/b": "y"}}, "deny"),
        ("mcp__x__write_files", {"options": {"deep": [{"targetFile": "human/b"}]}}, "deny"),
        ("mcp__x__open_uri", {"uri": "https://example.org/human/plan.md"}, "none"),
        ("mcp__x__save", {"uri": "file:///@/human/plan.md"}, "deny"),
        ("mcp__x__save", {"uri": "https://example.org/human/plan.md"}, "none"),
        ("mcp__x__think", {"thought": "human/plan.md is the owner's"}, "none"),
        ("mcp__x__note", {}, "none"),
        ("SomethingNew", {"filePath": "human/plan.md"}, "deny"),
        ("CreateFile", {"TargetFile": "human/plan.md"}, "deny"),
        ("mcp__x__update", {"path": 7, "file": None, "dir": ["human", 3]}, "deny"),
        ("mcp__x__update", {"profile": "human/x", "name_path": "human/x"}, "none"),
        ("mcp__github__create_or_update_file", {"owner": "o", "repo": "r", "path": ".github/workflows/x.yml"}, "deny"),
        ("mcp__x__edit", {"root": "@", "relative": "human/plan.md"}, "deny"),
        ("mcp__x__edit", {"root": "@/human", "relative": "plan.md"}, "deny"),
        ("mcp__x__edit", {"root": "@/human", "path": "plan.md"}, "deny"),
        ("mcp__x__edit", {"root": "@", "name": "plan.md"}, "none"),
        ("mcp__x__read", {"root": "@/human", "relative": "plan.md"}, "none"),
        ("mcp__x__call", {"arguments": '{"path": "human/plan.md"}'}, "deny"),
        ("mcp__x__call", {"arguments": '{"path": "src/a.md"}'}, "none"),
        ("mcp__x__call", {"arguments": '{"path": '}, "none"),
        ("mcp__x__run", {"command": "tee", "args": ["human/plan.md"]}, "deny"),
        ("mcp__x__run", {"command": "cat", "args": ["human/plan.md"]}, "none"),
        ("mcp__x__run", {"arguments": '{"command": "tee", "args": ["human/plan.md"]}'}, "deny"),
        ("mcp__x__run", {"command": "tee", "arguments": '["human/plan.md"]'}, "deny"),
        ("mcp__x__run_tests", {"target": "auth", "dir": "src"}, "none"),
        ("mcp__git__git_add", {"repo_path": ".", "files": ["human/plan.md", ".github/workflows/ci.yml"]}, "none"),
        ("mcp__git__add", {"files": ["human/plan.md"]}, "none"),
        ("mcp__notes__add", {"files": ["human/plan.md"]}, "deny"),
        ("mcp__git__git_commit", {"files": ["human/plan.md"], "message": "human/plan.md"}, "none"),
        ("mcp__git__git_diff_staged", {"files": ["human/plan.md"]}, "none"),
        ("mcp__git__git_diff", {"output": "human/plan.md"}, "deny"),
        ("mcp__git__git_checkout", {"files": ["human/plan.md"]}, "deny"),
        ("mcp__git__git_reset", {"files": ["human/plan.md"]}, "deny"),
        ("mcp__git__git_apply", {"files": ["human/plan.md"]}, "deny"),
        ("mcp__semgrep__scan", {"path": "human"}, "none"),
        ("mcp__semgrep__scan_and_fix", {"path": "human/plan.md"}, "deny"),
        ("mcp__snyk__snyk_iac_scan", {"path": "human/main.tf"}, "none"),
        ("mcp__trivy__scan_dockerfile", {"dockerfile": "human/Dockerfile"}, "none"),
        ("mcp__vector__index_files", {"files": ["human/plan.md"]}, "none"),
        ("mcp__docker__build_image", {"dockerfile": "human/Dockerfile", "tag": "x"}, "none"),
        ("mcp__x__create_issue", {"title": "./human/plan.md", "body": "/human/plan.md"}, "none"),
        ("mcp__x__create", {"body": {"path": "human/plan.md"}}, "deny"),
        ("mcp__ide__executeCode", {"code": "x = 1 > 0\nprint('a > human/plan.md')"}, "none"),
        ("mcp__ide__executeCode", {"code": "open('human/plan.md', 'w').write('x')"}, "deny"),
        ("mcp__ide__executeCode", {"code": "import os\nos.remove('human/plan.md')"}, "deny"),
        ("mcp__ide__executeCode", {"code": "!echo x > human/plan.md"}, "deny"),
        ("mcp__ide__executeCode", {"code": "%%bash\necho x > human/plan.md"}, "deny"),
        ("mcp__x__run_code", {"code": "echo x > human/plan.md"}, "deny"),
        ("mcp__browser__browser_evaluate", {"script": "() => document.title > human/plan.md"}, "none"),
        ("mcp__browser__browser_evaluate", {"function": "require('fs').writeFileSync('human/plan.md', 'x')"}, "deny"),
    ],
)
def test_a_path_in_a_lane_is_refused_unless_the_tool_only_reads(
    machine: Machine, proj: Path, tool: str, given: dict[str, Any], said: str
) -> None:
    if "uri" in given:
        given = {"uri": given["uri"].replace("/@", str(proj))}
    given = {key: value.replace("@", str(proj)) if key == "root" else value for key, value in given.items()}
    assert says(machine, tool, given, proj) == said


@pytest.mark.parametrize(
    ("tool", "expected"),
    [
        ("mcp__a__b__read_file", ["read", "file"]),
        ("mcp__x__moveFile", ["move", "file"]),
        ("mcp_demo_long_text", ["mcp", "demo", "long", "text"]),
        ("download-bytes-to-file", ["download", "bytes", "to", "file"]),
        ("ReadPDF2Text", ["read", "pdf", "2", "text"]),
        ("___", []),
    ],
)
def test_the_words_of_a_tools_name(tool: str, expected: list[str]) -> None:
    assert shape.words(tool) == expected


def command(machine: Machine, given: dict[str, Any]) -> str:
    world = World(machine.places, Session(machine.places["state"], "s"), {})
    world.tables = load(machine.places)
    return shape.command(event(machine, "mcp__x__run", given, "/"), world)


def test_a_command_like_field_is_handed_to_the_shell_reader(machine: Machine) -> None:
    assert command(machine, {"command": "echo x > a", "timeout": 3}) == "echo x > a"
    assert command(machine, {"cmd": ["sh", "-c", "echo 'x' > a b"]}) == "sh -c 'echo '\\''x'\\'' > a b'"
    assert command(machine, {"step": {"script": "a"}, "shell_command": "b"}) == "b\na"
    assert command(machine, {"query": "x"}) == ""


def test_words_beside_a_command_belong_to_it(machine: Machine) -> None:
    assert command(machine, {"command": "tee", "args": ["a b", "c"]}) == "tee 'a b' c"
    assert command(machine, {"command": ["sh", "-c"], "argv": ["x > y"]}) == "sh -c 'x > y'"
    assert command(machine, {"command": "ls", "args": {"a": 1}}) == "ls"
    assert command(machine, {"command": "ls", "args": []}) == "ls"


def test_a_known_tool_whose_field_changed_is_judged_by_every_path_in_it(machine: Machine, proj: Path) -> None:
    assert says(machine, "Write", {"target": "human/plan.md", "content": "x"}, proj) == "deny"
    assert says(machine, "Write", {"where": {"it": "human/plan.md"}, "content": "x"}, proj) == "deny"
    assert says(machine, "Write", {"where": "src/a.py", "content": "human/plan.md"}, proj) == "none"
    assert says(machine, "Edit", {"file_path": ["human/plan.md"], "old_string": "a", "new_string": "b"}, proj) == "deny"


def test_a_huge_or_deep_input_is_bounded(machine: Machine, proj: Path) -> None:
    deep: dict[str, Any] = {"path": "src/x"}
    for _ in range(500):
        deep = {"a": deep}
    assert says(machine, "mcp__x__y", deep, proj) == "none"
    assert says(machine, "mcp__x__y", {"paths": ["src/x"] * 20000}, proj) == "none"
