"""What the bundled policy holds and leaves alone, and what the layers above it may do."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from guards.compile.build import build
from guards.engine.state import Session
from guards.engine.world import World
from tests.lanes.judging import judge, refusal, says, write
from tests.machine import Machine

# (path, lane of the default policy or "", lane of the strict one or "")
ROWS = [
    (".github/workflows/ci.yml", "ci", "ci"),
    ("packages/a/.github/dependabot.yml", "ci", "ci"),
    (".github/PULL_REQUEST_TEMPLATE.md", "", "ci"),
    (".github/ISSUE_TEMPLATE/bug.yml", "", "ci"),
    (".gitlab-ci.yml", "ci", "ci"),
    ("Jenkinsfile", "ci", "ci"),
    ("db/migrations/0001_init.py", "migrations", "migrations"),
    ("app/migrations/__init__.py", "migrations", "migrations"),
    ("db/schema.sql", "migrations", "migrations"),
    ("tests/fixtures/seed.sql", "", "migrations"),
    ("src/sqlite.ts", "", ""),
    ("src/auth/login.py", "", "auth"),
    ("src/auth/policy.yaml", "auth", "auth"),
    ("src/auth/login.test.ts", "", "auth"),
    ("docs/author.md", "", ""),
    ("src/author/x.json", "", ""),
    ("src/PermissionGate.tsx", "", "permissions"),
    ("config/permissions.json", "permissions", "permissions"),
    ("locales/de/permissions.json", "", "permissions"),
    ("docs/permissions.md", "", "permissions"),
    ("src/permissions/check.py", "", "permissions"),
    ("config/secrets.yaml", "secrets", "secrets"),
    ("k8s/SECRETS.YML", "secrets", "secrets"),
    ("secrets/prod.json", "secrets", "secrets"),
    ("src/secret_store.go", "", "secrets"),
    ("charts/app/templates/secret.yaml", "", "secrets"),
    ("config/credentials.yml.enc", "secrets", "secrets"),
    ("src/mysecretary.py", "", "secrets"),
    (".npmrc", "keys", "keys"),
    ("packages/a/.npmrc", "keys", "keys"),
    ("certs/server.pem", "keys", "keys"),
    ("tests/certs/server.pem", "", "keys"),
    (".env", "keys", "keys"),
    (".env.production", "keys", "keys"),
    (".env.example", "", "keys"),
    (".env.local.sample", "", "keys"),
    ("src/environment.ts", "", ""),
    ("src/billing/invoice.py", "", "billing"),
    ("config/billing/rates.csv", "billing", "billing"),
    ("config/payment-providers.yaml", "billing", "billing"),
    ("src/PaymentForm.tsx", "", "billing"),
    ("wrangler.toml", "deploy", "deploy"),
    ("apps/web/wrangler.jsonc", "deploy", "deploy"),
    ("Dockerfile", "deploy", "deploy"),
    ("api/Dockerfile", "deploy", "deploy"),
    ("Dockerfile.prod", "deploy", "deploy"),
    ("docs/Dockerfile.md", "", "deploy"),
    ("src/dockerfile_parser.py", "", ""),
    ("infra/main.tf", "deploy", "deploy"),
    ("examples/basic/main.tf", "", "deploy"),
    ("infra/main.tfstate", "", ""),
    ("content/post.md", "", ""),
    (".guards/human-lane.toml", "guards-layer", "guards-layer"),
    (".mcp.json", "startup", "startup"),
    (".envrc", "startup", "startup"),
    (".git/hooks/pre-commit", "startup", "startup"),
    (".git/config", "startup", "startup"),
    (".git/modules/sub/hooks/x", "startup", "startup"),
    (".git/modules/a/b/config", "startup", "startup"),
    (".git/info/exclude", "", ""),
    (".gitignore", "", ""),
    (".claude/settings.json", "project-settings", "project-settings"),
    ("packages/a/.claude/settings.local.json", "project-settings", "project-settings"),
    (".claude/hooks/x.sh", "project-settings", "project-settings"),
    (".claude/agents/reviewer.md", "", ""),
    (".claude/commands/x.md", "", ""),
    (".codex/config.toml", "project-settings", "project-settings"),
    (".codex/hooks.json", "project-settings", "project-settings"),
    (".gemini/settings.json", "project-settings", "project-settings"),
    (".cursor/hooks.json", "project-settings", "project-settings"),
    (".cursor/rules/x.mdc", "", ""),
    (".github/hooks/guards.json", "project-settings", "project-settings"),
    ("examples/settings.json", "", ""),
    ("src/settings.json", "", ""),
    ("~/.claude/settings.json", "agent-settings", "agent-settings"),
    ("~/.claude/hooks/x.py", "agent-settings", "agent-settings"),
    ("~/.claude/CLAUDE.md", "", ""),
    ("~/.codex/config.toml", "agent-settings", "agent-settings"),
    ("~/.gemini/settings.json", "agent-settings", "agent-settings"),
    ("~/.cursor/hooks.json", "agent-settings", "agent-settings"),
    ("/etc/claude-code/managed-settings.json", "agent-settings", "agent-settings"),
    ("~/.bashrc", "startup", "startup"),
    ("~/.config/fish/conf.d/x.fish", "startup", "startup"),
    ("~/.config/systemd/user/x.service", "startup", "startup"),
    ("~/.config/autostart/x.desktop", "startup", "startup"),
    ("~/.ssh/config", "startup", "startup"),
    ("~/.ssh/authorized_keys", "startup", "startup"),
    ("~/.ssh/known_hosts", "", "startup"),
    ("~/.gitconfig", "startup", "startup"),
    ("~/Library/LaunchAgents/x.plist", "startup", "startup"),
    ("/etc/cron.d/x", "startup", "startup"),
    ("/etc/crontab", "startup", "startup"),
    ("/etc/profile.d/x.sh", "startup", "startup"),
    ("/etc/hosts", "", ""),
    ("~/.aws/credentials", "keys", "keys"),
    ("~/notes.txt", "", ""),
    ("README.md", "", ""),
    ("src/app.py", "", ""),
    ("tests/test_auth.py", "", ""),
    ("docs/secrets.md", "", "secrets"),
    ("package.json5", "", ""),
    ("packages/auth/package.json", "", "auth"),
    ("packages/auth/package-lock.json", "", "auth"),
    ("packages/auth/tsconfig.json", "", "auth"),
    ("packages/auth/tsconfig.build.json", "", "auth"),
    ("packages/auth/vitest.config.json", "", "auth"),
    ("packages/auth/.eslintrc.json", "", "auth"),
    ("packages/auth/project.json", "", "auth"),
    ("packages/billing/jest.config.json", "", "billing"),
    ("services/auth/pyproject.toml", "", "auth"),
    ("services/auth/requirements-dev.txt", "", "auth"),
    ("apps/auth/Cargo.toml", "", "auth"),
    ("src/auth/CMakeLists.txt", "", "auth"),
    ("src/auth/en.json", "", "auth"),
    ("src/auth/pt-BR.json", "", "auth"),
    ("src/components/auth/messages.json", "", "auth"),
    ("src/lang/payments.json", "", "billing"),
    ("app/res/layout/activity_permission.xml", "", "permissions"),
    ("public/payment-success.txt", "", "billing"),
    ("public/icons/payment.json", "", "billing"),
    ("src/auth/auth.yaml", "auth", "auth"),
    ("src/auth/auth.config.json", "auth", "auth"),
    ("src/auth/roles.yaml", "auth", "auth"),
    ("src/auth/.authrc.json", "auth", "auth"),
    ("src/auth/db.json", "auth", "auth"),
    ("config/secrets.config.json", "secrets", "secrets"),
    ("config/payment.config.json", "billing", "billing"),
    ("public/permissions.json", "permissions", "permissions"),
    ("public/secrets.json", "secrets", "secrets"),
    ("secrets/db.json", "secrets", "secrets"),
    ("secretary.txt", "", "secrets"),
    ("data/secretaries.csv", "", "secrets"),
    ("public/secret-santa.txt", "", "secrets"),
    ("src/data/secret-garden.json", "", "secrets"),
    (".secretlintrc.json", "", "secrets"),
    ("secretary-secrets.yaml", "secrets", "secrets"),
    ("secretaries/secrets.yaml", "secrets", "secrets"),
    ("config/secretsauce.json", "secrets", "secrets"),
    ("src/Dockerfile.ts", "", "deploy"),
    ("src/languages/dockerfile.js", "", "deploy"),
    ("src/wrangler.ts", "", "deploy"),
    ("Dockerfile.dev", "deploy", "deploy"),
    ("Dockerfile.go", "deploy", "deploy"),
    ("next.js/Dockerfile", "deploy", "deploy"),
    ("packages/auth/.npmrc", "auth", "auth"),
    ("Makefile", "", ""),
]


def lane(machine: Machine, path: str, root: Path) -> str:
    found = judge(machine, "Write", {"file_path": path.replace("~", str(machine.home)), "content": "x"}, root)
    assert len(found) <= 1
    return str(found[0].facts["lane"]) if found else ""


def test_the_bundled_list_and_its_weighing(machine: Machine) -> None:
    root = machine.repo()
    assert [(path, lane(machine, path, root)) for path, _, _ in ROWS] == [(path, want) for path, want, _ in ROWS]


def test_strict_is_the_list_word_for_word(machine: Machine) -> None:
    machine.policy("human-lane", "strict = true\n")
    root = machine.repo()
    assert [(path, lane(machine, path, root)) for path, _, _ in ROWS] == [(path, want) for path, _, want in ROWS]


def test_the_policy_has_no_fault_and_its_cases_hold(machine: Machine) -> None:
    from guards.reports.check_cases import run_cases

    built = build(machine.places, names=["human-lane", "dispatch", "harness/claude"])
    assert built.faults == []
    assert built.notices == []
    count, failed = run_cases(built, machine.places)
    assert failed == []
    assert count >= 10


def test_an_owners_case_beside_a_lane_is_run(machine: Machine) -> None:
    from guards.reports.check_cases import run_cases

    machine.policy(
        "human-lane",
        '[[lane]]\nid = "h"\npaths = ["human/"]\nwhy = "mine"\n'
        '[[case]]\npath = "human/a"\nverdict = "deny"\n[[case]]\npath = "human/a"\nverdict = "none"\n',
    )
    _, failed = run_cases(build(machine.places, names=["human-lane", "dispatch", "harness/claude"]), machine.places)
    assert failed == ["~/.config/guards/policy/human-lane.toml: case[1]: human-lane says deny, not none, to 'human/a'"]


@pytest.mark.parametrize(
    ("toml", "count"),
    [('disable = ["startup"]', 1), ('[[lane]]\nid = "ci"\naction = "ask"', 1), ("off = true", 0)],
)
def test_the_off_switches_of_the_manual_leave_the_bundled_cases_alone(
    machine: Machine, toml: str, count: int
) -> None:
    from guards.reports.check_cases import run_cases

    machine.policy("human-lane", toml + "\n")
    aside: list[str] = []
    _, failed = run_cases(build(machine.places), machine.places, aside)
    assert failed == []
    assert len(aside) >= count


# ---- a file without an ending
def test_a_name_without_an_ending_is_a_data_file_when_it_is_one(machine: Machine) -> None:
    root = machine.repo("proj", {"config/credentials": "x"})
    (root / "src/secrets").mkdir(parents=True)
    assert write(machine, "config/credentials", root) == "deny"
    assert write(machine, "config/new-secrets", root) == "deny", "a file tool makes a file"
    assert says(machine, "mcp__x__create_directory", {"path": "src/secrets"}, root) == "none"
    assert says(machine, "mcp__x__create_directory", {"path": "src/permissions"}, root) == "none"


# ---- actions
def test_ask_asks_and_watch_only_writes_it_down(machine: Machine) -> None:
    machine.policy("human-lane", '[[lane]]\nid = "ci"\naction = "ask"\n[[lane]]\nid = "deploy"\naction = "watch"\n')
    root = machine.repo()
    assert write(machine, ".github/x.yml", root) == "ask"
    assert write(machine, "Dockerfile", root) == "watch"
    (found,) = judge(machine, "Write", {"file_path": ".github/x.yml", "content": ""}, root)
    assert "this needs the owner's yes; to be asked no more, the owner adds this line to" in found.text


def test_the_stronger_of_two_lanes_decides(machine: Machine) -> None:
    machine.policy(
        "human-lane",
        '[[lane]]\nid = "project-settings"\naction = "watch"\n'
        '[[lane]]\nid = "all"\npaths = [".claude/"]\nwhy = "mine"\n',
    )
    root = machine.repo()
    assert write(machine, ".claude/settings.json", root) == "deny"
    machine.approve(f"^{root}/\\.claude/.*$")
    assert write(machine, ".claude/settings.json", root) == "watch"


# ---- the machine's layer
def test_the_owner_may_drop_and_change_lanes_but_no_sealed_one(machine: Machine) -> None:
    root = machine.repo()
    machine.policy("human-lane", 'disable = ["ci"]\n[[lane]]\nid = "deploy"\npaths = ["*.tf"]\n')
    assert write(machine, ".github/x.yml", root) == "none"
    assert write(machine, "Dockerfile", root) == "none"
    assert write(machine, "a.tf", root) == "deny"
    machine.policy("human-lane", 'disable = ["sealed"]\n')
    (fault,) = build(machine.places, names=["human-lane"]).faults
    assert "sealed" in fault
    machine.policy("human-lane", '[[lane]]\nid = "sealed"\napproval = "pattern"\n')
    assert build(machine.places, names=["human-lane"]).faults


def test_off_leaves_what_is_sealed(machine: Machine) -> None:
    root = machine.repo()
    machine.policy("human-lane", "off = true\n")
    assert write(machine, ".github/x.yml", root) == "none"
    assert write(machine, machine.places["approvals"], root) == "deny"


def test_the_committed_copy_of_the_settings_is_exact(machine: Machine) -> None:
    root = machine.repo("config", {"claude/settings.json": "{}"})
    assert write(machine, "claude/settings.json", root) == "none"
    machine.policy("human-lane", '[[lane]]\nid = "settings-copy"\npaths = ["~/config/claude/settings.json"]\n')
    machine.approve(".*")
    assert write(machine, "claude/settings.json", root) == "deny"


def test_a_pattern_with_a_fault_is_told_with_its_place(machine: Machine) -> None:
    machine.policy("human-lane", '[[lane]]\nid = "x"\npaths = ["a", "!b"]\nwhy = "y"\n')
    (fault,) = build(machine.places, names=["human-lane"]).faults
    assert fault == (
        "~/.config/guards/policy/human-lane.toml: lane[0].paths[1]: '!b': a pattern cannot take back another one;"
        " use except"
    )


# ---- the repository's layer
def layer(root: Path, toml: str) -> None:
    (root / ".guards").mkdir(exist_ok=True)
    (root / ".guards/human-lane.toml").write_text(toml)


def test_a_repository_may_add_lanes_that_any_line_frees(machine: Machine) -> None:
    root, other = machine.repo("a"), machine.repo("b")
    layer(root, '[[lane]]\nid = "mine"\npaths = ["/plans/"]\nwhy = "the team said so"\n')
    assert write(machine, "plans/x.md", root) == "deny"
    assert write(machine, "plans/x.md", other) == "none"
    assert write(machine, root / "plans/x.md", other) == "deny", "the target's repository counts"
    assert "(.guards/human-lane.toml: lane 'mine')" in refusal(machine, "plans/x.md", root)
    machine.approve(f"^{root}/plans/.*$")
    assert write(machine, "plans/x.md", root) == "none"


def test_a_repository_may_not_loosen_or_reach_out(machine: Machine) -> None:
    root = machine.repo("a")
    layer(
        root,
        'strict = false\nexample_files = ["*"]\ntool_files = ["*"]\ndata_files = ["py"]\n'
        '[[lane]]\nid = "ci"\naction = "watch"\nexcept = ["*"]\npaths = []\nacts = []\n'
        '[[lane]]\nid = "mine"\npaths = ["/x", "//etc/hosts", "~/y"]\napproval = "exact"\nwhy = "w"\n'
        '[[lane]]\nid = "project-settings"\npaths = ["/everything/"]\n',
    )
    assert write(machine, ".github/x.yml", root) == "deny"
    assert write(machine, "src/auth/login.py", root) == "deny", "more data files are tighter"
    assert write(machine, "/etc/hosts", root) == "none"
    assert write(machine, machine.home / "y", root) == "none"
    assert write(machine, "everything/x", root) == "none", "an exact lane is the owner's alone"
    machine.approve(f"^{root}/.*$")
    assert write(machine, "x", root) == "none", "whatever a repository adds, any line frees"


def test_a_broken_layer_of_a_repository_takes_nothing_away(machine: Machine) -> None:
    root = machine.repo("a")
    layer(root, "[[lane\n")
    assert write(machine, ".github/x.yml", root) == "deny"
    assert write(machine, "src/app.py", root) == "none"


# ---- what frees for now
def world(machine: Machine, **env: str) -> World:
    """A world whose harness was launched with these variables."""

    class Launched(World):
        def env(self, name: str) -> str | None:
            return env.get(name)

    return Launched(machine.places, Session(machine.places["state"], "s"), {})


def test_an_excluded_folder_frees_ordinary_lanes_alone(machine: Machine) -> None:
    root, other = machine.repo("free/proj"), machine.repo("other")
    (root / "away").symlink_to(other)
    free = {"AGENT_EXCLUDE_PREFIX": f"{machine.home}/nothing:{machine.home}/free"}
    assert write(machine, ".github/x.yml", root, world=world(machine, **free)) == "none"
    assert write(machine, ".github/x.yml", other, world=world(machine, **free)) == "deny"
    assert write(machine, "away/.github/x.yml", root, world=world(machine, **free)) == "deny", (
        "both forms must lie there"
    )
    assert write(machine, other / ".." / "free/proj/Dockerfile", root, world=world(machine, **free)) == "none"
    assert write(machine, ".claude/settings.json", root, world=world(machine, **free)) == "deny"
    assert write(machine, machine.home / "freely/x", root, world=world(machine, **free)) == "none"


@pytest.mark.parametrize("value", ["/", "", ":", "free", "./", "//", "/..", "/home/../"])
def test_a_prefix_that_is_everything_or_relative_is_ignored(machine: Machine, value: str) -> None:
    root = machine.repo("free/proj")
    assert write(machine, ".github/x.yml", root, world=world(machine, AGENT_EXCLUDE_PREFIX=value)) == "deny"


def test_a_prefix_given_through_a_link_counts(machine: Machine) -> None:
    root = machine.repo("real/proj")
    (machine.home / "link").symlink_to("real")
    seen = {"AGENT_EXCLUDE_PREFIX": f"{machine.home}/link"}
    assert write(machine, ".github/x.yml", root, world=world(machine, **seen)) == "none"
    assert write(machine, machine.home / "link/proj/.github/x.yml", root, world=world(machine, **seen)) == "none"


@pytest.mark.parametrize("value", ["human-lane", "human_lane", "off", "0", "all", "x, human-lane"])
def test_guards_off_frees_ordinary_lanes_alone(machine: Machine, value: str) -> None:
    root = machine.repo()
    seen = {"GUARDS_OFF": value}
    assert write(machine, ".github/x.yml", root, world=world(machine, **seen)) == "none"
    assert write(machine, ".claude/settings.json", root, world=world(machine, **seen)) == "deny"
    assert write(machine, machine.places["approvals"], root, world=world(machine, **seen)) == "deny"


def test_a_variable_from_the_hooks_own_environment_alone_frees_nothing(machine: Machine) -> None:
    root = machine.repo()
    environ = {b"GUARDS_OFF": b"all", b"AGENT_EXCLUDE_PREFIX": os.fsencode(machine.home)}
    seen = World(machine.places, Session(machine.places["state"], "s"), environ)
    assert write(machine, ".github/x.yml", root, world=seen) == "deny"
    assert seen.ignored
