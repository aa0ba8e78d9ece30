"""Manifests: the edit is applied in memory, and only a change of a listed field is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guards.lanes import manifests
from tests.examples import examples
from tests.lanes.judging import edit, judge, refusal, says, write
from tests.machine import Machine

PACKAGE = """{
  "name": "demo",
  "version": "1.2.3",
  "scripts": {
    "lint": "eslint .",
    "release": "npm version patch"
  },
  "dependencies": {
    "left-pad": "1.2.3"
  },
  "exports": {
    ".": "./index.js"
  }
}
"""
PROJECT = """[project]
name = "demo"
version = "1.2.3"
dependencies = ["version"]

[tool.ruff]
line-length = 100
"""
CARGO = '[package]\nname = "demo"\nversion = "1.2.3"\npublish = false\n\n[dependencies]\nserde = { version = "1" }\n'


@pytest.fixture
def root(machine: Machine) -> Path:
    return machine.repo("proj", {"package.json": PACKAGE, "pyproject.toml": PROJECT, "Cargo.toml": CARGO})


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"lint": "eslint ."', '"lint": "eslint src"', "none"),
        ('"left-pad": "1.2.3"', '"left-pad": "1.2.4"', "none"),
        ('"release": "npm version patch"', '"release": "npm version minor"', "none"),
        ('"version": "1.2.3"', '"version": "1.2.4"', "deny"),
        ('"1.2.3",\n  "scripts"', '"2.0.0",\n  "scripts"', "deny"),
        ('"./index.js"', '"./main.js"', "deny"),
        ('  "name": "demo",\n', '  "name": "demo",\n  "publishConfig": {"access": "public"},\n', "deny"),
        ('  "version": "1.2.3",\n', "", "deny"),
        ('  "version": "1.2.3",\n', '  "version" : "1.2.3" ,\n', "none"),
        ('"name": "demo"', '"name": "demo", "version": "9"', "none"),  # the later one still counts
        ('"scripts"', '"\\u0076ersion": "6.6.6", "scripts"', "deny"),
    ],
)
def test_an_edit_of_package_json(machine: Machine, root: Path, old: str, new: str, said: str) -> None:
    assert edit(machine, "package.json", root, (old, new)) == said


def test_replace_all_changes_every_place(machine: Machine, root: Path) -> None:
    assert edit(machine, "package.json", root, ("1.2.3", "1.2.4"), every=True) == "deny"
    assert edit(machine, "package.json", root, ('"1.2.3"\n', '"1.2.4"\n'), every=True) == "none"


def test_an_edit_that_fits_several_places_is_judged_by_all_of_them(machine: Machine, root: Path) -> None:
    (root / "package.json").write_text('{"deps": {"a": "1.0"}, "version": "1.0"}')
    assert edit(machine, "package.json", root, ("1.0", "1.1")) == "deny"


def test_several_edits_are_applied_one_after_the_other(machine: Machine, root: Path) -> None:
    away_and_back = (('"version": "1.2.3"', '"version": "X"'), ('"version": "X"', '"version": "1.2.3"'))
    assert edit(machine, "package.json", root, *away_and_back) == "none"
    assert (
        edit(machine, "package.json", root, ("eslint .", "x"), ('"version": "1.2.3"', '"version": "1.3.0"')) == "deny"
    )


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({}, "none"),
        ({"scripts": {}}, "none"),
        ({"version": "1.2.4"}, "deny"),
        ({"exports": {".": "./index.js", "./x": "./x.js"}}, "deny"),
        ({"publishConfig": None}, "deny"),
        ({"version": 1.2}, "deny"),
    ],
)
def test_a_whole_new_text_is_compared_field_by_field(
    machine: Machine, root: Path, change: dict[str, object], said: str
) -> None:
    text = json.dumps({**json.loads(PACKAGE), **change}, indent=4)
    assert write(machine, "package.json", root, text) == said
    assert write(machine, "package.json", root, "\ufeff" + text.replace("\n", "\r\n")) == said


def test_a_new_manifest_with_a_listed_field_is_refused_and_one_without_is_not(machine: Machine, root: Path) -> None:
    assert write(machine, "packages/new/package.json", root, '{"name": "new", "private": true}') == "none"
    assert write(machine, "packages/new/package.json", root, '{"name": "new", "version": "0.0.1"}') == "deny"
    assert edit(machine, "packages/new/package.json", root, ("", '{"version": "0.0.1"}')) == "deny"


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        ("pyproject.toml", "line-length = 100", "line-length = 120", "none"),
        ("pyproject.toml", 'dependencies = ["version"]', 'dependencies = ["version", "x"]', "none"),
        ("pyproject.toml", 'version = "1.2.3"', 'version = "1.2.4"', "deny"),
        ("pyproject.toml", 'version = "1.2.3"', 'dynamic = ["version"]', "deny"),
        ("Cargo.toml", 'serde = { version = "1" }', 'serde = { version = "2" }', "none"),
        ("Cargo.toml", "publish = false", "publish = true", "deny"),
        ("Cargo.toml", 'version = "1.2.3"', 'version = "2.0.0"', "deny"),
        ("Cargo.toml", 'version = "1.2.3"', "version.workspace = true", "deny"),
    ],
)
def test_toml_manifests(machine: Machine, root: Path, file: str, old: str, new: str, said: str) -> None:
    assert edit(machine, file, root, (old, new)) == said


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"a": 1', '"a": 2', "none"),
        ('"version": "1"', '"version": "2"', "deny"),
        ('"./x.js"', '"./y.js"', "deny"),
        ("// note about version", "// note", "deny"),
    ],
)
def test_where_a_side_does_not_parse_the_touched_text_decides(
    machine: Machine, root: Path, old: str, new: str, said: str
) -> None:
    broken = '{\n  "a": 1,\n  // note about version\n  "version": "1",\n  "exports": {\n    ".": "./x.js"\n  },\n}\n'
    (root / "package.json").write_text(broken)
    assert edit(machine, "package.json", root, (old, new)) == said


def test_an_edit_that_does_not_fit_the_file_is_judged_by_its_words(machine: Machine, root: Path) -> None:
    assert edit(machine, "package.json", root, ("no such text", '"version": "9"')) == "deny"
    assert edit(machine, "package.json", root, ("no such text", '"lint": "y"')) == "none"


def test_text_that_cannot_be_decoded_is_judged_by_the_edits_words(machine: Machine, root: Path) -> None:
    (root / "package.json").write_bytes(b'\xff\xfe{"version"')
    assert write(machine, "package.json", root, '{"version": "1"}') == "deny"
    assert write(machine, "package.json", root, '{"name": "x"}') == "none"


def test_a_call_that_does_not_show_its_text_is_refused_with_that_reason(machine: Machine, root: Path) -> None:
    (found,) = judge(machine, "mcp__x__bump", {"path": "package.json"}, root)
    assert (
        "does not show what it would write, so its version, publishConfig or exports cannot be compared" in found.text
    )


def test_an_mcp_edit_that_shows_its_text_is_compared(machine: Machine, root: Path) -> None:
    def mcp(new: str) -> str:
        edits = [{"oldText": '"lint": "eslint ."', "newText": new}]
        return says(machine, "mcp__fs__edit_file", {"path": "package.json", "edits": edits}, root)

    assert mcp('"lint": "y"') == "none"
    assert mcp('"lint": "y"}, "version": "9", "scripts": {"x": "z"') == "deny", "the later of two keys counts"
    assert says(machine, "mcp__fs__write_file", {"path": "package.json", "content": '{"version":"9"}'}, root) == "deny"
    assert says(machine, "mcp__fs__write_file", {"path": "package.json", "content": PACKAGE}, root) == "none"


def test_a_patch_of_a_manifest_is_compared(machine: Machine, root: Path) -> None:
    def patch(old: str, new: str) -> str:
        text = f"*** Begin Patch\n*** Update File: package.json\n@@\n-{old}\n+{new}\n*** End of File\n*** End Patch\n"
        return says(machine, "apply_patch", {"command": text}, root, harness="codex")

    assert patch('    "lint": "eslint .",', '    "lint": "x",') == "none"
    assert patch('  "version": "1.2.3",', '  "version": "1.2.4",') == "deny"


def test_taking_a_manifest_away_takes_its_fields_away(machine: Machine, root: Path) -> None:
    (root / "plain").mkdir()
    (root / "plain/package.json").write_text('{"private": true}')
    assert says(machine, "mcp__fs__delete_file", {"path": "package.json"}, root) == "deny"
    assert says(machine, "mcp__fs__delete_file", {"path": "plain/package.json"}, root) == "none"


def test_a_line_frees_a_manifest(machine: Machine, root: Path) -> None:
    text = refusal(machine, "Cargo.toml", root)
    assert "Cargo.toml: manifest" not in text
    assert "manifest 'cargo-release'" in text
    machine.approve(text.splitlines()[-1])
    assert edit(machine, "Cargo.toml", root, ('version = "1.2.3"', 'version = "2.0.0"')) == "none"


def test_manifests_of_installed_packages_and_of_tests_pass(machine: Machine, root: Path) -> None:
    for path in ("node_modules/x/package.json", "tests/fixtures/pkg/package.json"):
        assert write(machine, path, root, '{"version": "2"}') == "none"
    machine.policy("human-lane", "strict = true\n")
    assert write(machine, "tests/fixtures/pkg/package.json", root, '{"version": "2"}') == "deny"


def test_a_manifest_reached_through_a_link_is_the_same(machine: Machine, root: Path) -> None:
    (root / "notes.txt").symlink_to("package.json")
    assert edit(machine, "notes.txt", root, ('"version": "1.2.3"', '"version": "2"')) == "deny"
    assert edit(machine, "notes.txt", root, ("eslint .", "eslint src")) == "none"


def test_an_owners_own_manifest(machine: Machine, root: Path) -> None:
    toml = '[[manifest]]\nid = "app"\nfiles = ["/app.json"]\nformat = "json"\nfields = [\'"a.b".c\']\nwhy = "mine"\n'
    machine.policy("human-lane", toml)
    (root / "app.json").write_text('{"a.b": {"c": 1, "d": 1}}')
    assert write(machine, "app.json", root, '{"a.b": {"c": 1, "d": 2}}') == "none"
    assert write(machine, "app.json", root, '{"a.b": {"c": 2, "d": 1}}') == "deny"


VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-9, 9), st.text("ab\u00e9", max_size=3)),
    lambda inner: st.one_of(st.lists(inner, max_size=2), st.dictionaries(st.text("ab", max_size=2), inner, max_size=2)),
    max_leaves=4,
)
KEYS = st.sampled_from(["version", "exports", "name", "scripts"])


@examples(150)
@given(st.dictionaries(KEYS, VALUES), st.dictionaries(KEYS, VALUES))
def test_exactly_a_changed_field_is_named(old: dict[str, object], new: dict[str, object]) -> None:
    fields = (("version",), ("exports",))
    said = manifests.compare(json.dumps(old), json.dumps(new, indent=2), "json", fields)
    differ = [
        name
        for (name,) in fields
        if (name in old) != (name in new) or json.dumps(old.get(name)) != json.dumps(new.get(name))
    ]
    assert said == ("changes " + " or ".join(differ) if differ else "")


@pytest.mark.parametrize("text", ['{"a": "', '{"a"', "[1,", "{", '"', "nul", "{} x", "[" * 100_000, '{"a": "\\'])
def test_a_cut_text_is_no_document(text: str) -> None:
    with pytest.raises(manifests.Unparsed):
        manifests.parse(text, "json")


# ---- changed through the shell
def shell(machine: Machine, command: str, root: Path) -> str:
    return says(machine, "Bash", {"command": command}, root)


BUMPED = PACKAGE.replace('"version": "1.2.3"', '"version": "1.2.4"')
LINTED = PACKAGE.replace("eslint .", "eslint src")


READ = "const fs = require('fs'); const p = require('./package.json')"
PUT = "fs.writeFileSync('package.json', JSON.stringify(p))"


def node(*lines: str) -> str:
    return "node - <<'P'\n" + "\n".join(lines) + "\nP\n"


def python(*lines: str) -> str:
    return "python3 - <<'P'\n" + "\n".join(lines) + "\nP\n"


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("cat > package.json <<'E'\n" + LINTED + "E\n", "none"),
        ("cat > package.json <<'E'\n" + BUMPED + "E\n", "deny"),
        ("cat <<'E' > package.json\n" + LINTED + "E\n", "none"),
        ("tee package.json <<'E'\n" + LINTED + "E\n", "none"),
        ("tee package.json <<'E'\n" + BUMPED + "E\n", "deny"),
        ('echo \'{"private": true}\' > packages/package.json', "none"),
        ('echo \'{"version": "1"}\' > packages/package.json', "deny"),
        ("printf '{}' > packages/package.json", "none"),
        ("echo '{}' > package.json", "deny"),
        ("> package.json", "deny"),
        ("printf '[tool.mypy]\\nstrict = true\\n' >> pyproject.toml", "none"),
        ("cat >> pyproject.toml <<'E'\n[tool.mypy]\nstrict = true\nE\n", "none"),
        ("echo -e '\\n[tool.mypy]\\nstrict = true' >> pyproject.toml", "none"),
        ("echo '{\"\\x76ersion\": \"1\"}' > packages/package.json", "deny"),
        ("echo '[tool.mypy]' | tee -a pyproject.toml", "none"),
        ("echo '[tool.poetry]\nversion = \"3\"' >> pyproject.toml", "deny"),
        ("echo '[tool.poetry]\nversion = \"3\"' | tee -a pyproject.toml", "deny"),
        ("node build.js > package.json", "deny"),
        ('echo "$X" > package.json', "deny"),
        ("exec > packages/package.json; node x.js", "deny"),
        ("{ node x.js; } > packages/package.json", "deny"),
        ("for i in 1; do node x.js; done > packages/package.json", "deny"),
        ("cat > package.json <<'E'\n" + LINTED + "E\ncat > package.json <<'E'\n" + BUMPED + "E\n", "deny"),
        ("cat > package.json <<'E'\n" + BUMPED + "E\ncat > package.json <<'E'\n" + LINTED + "E\n", "deny"),
        ("cat > t.json <<'E'\n" + LINTED + "E\nmv t.json package.json\n", "none"),
        ("cat > t.json <<'E'\n" + BUMPED + "E\nmv t.json package.json\n", "deny"),
        ("false && cat > bumped.json <<'E'\n" + LINTED + "E\ncp bumped.json package.json\n", "deny"),
        ("cp linted.json package.json", "none"),
        ("cat linted.json > package.json", "none"),
        ("cp bumped.json package.json", "deny"),
        ("mv bumped.json package.json", "deny"),
        ("cat bumped.json > package.json", "deny"),
        ("cp -s bumped.json package.json", "deny"),
        ("sed -i s/1.2.3/9/ linted.json; cp linted.json package.json", "deny"),
        ("sed -i s/1.2.3/9/ linted.json; cat linted.json > package.json", "deny"),
        ("sed -i s/1.2.3/9/ linted.json; X=$(cat linted.json); echo \"$X\" > package.json", "deny"),
        ("./make.sh && cp linted.json package.json", "deny"),
        ("cp bumped.json linted.json; cp linted.json package.json", "deny"),
        ("jq .version=2 package.json > linted.json && mv linted.json package.json", "deny"),
        ("jq '.scripts.test = \"vitest\"' package.json > t.json && mv t.json package.json", "none"),
        ("jq --arg v x '.scripts[\"a-b\"] = $v | del(.private)' package.json > t.json; mv t.json package.json", "none"),
        ("jq '.dependencies.\"left-pad\" |= \"2\"' < package.json > t.json && cp t.json package.json", "none"),
        ("jq . package.json > t.json && mv t.json package.json", "none"),
        ("jq --indent 2 '.files += [\"a\"]' package.json > t.json && mv t.json package.json", "none"),
        ("jq '.version = \"9\"' package.json > t.json && mv t.json package.json", "deny"),
        ("jq '.[\"version\"] |= \"9\"' package.json > t.json && mv t.json package.json", "deny"),
        ("jq '.scripts.a = \"b\" | .version = \"9\"' package.json > t.json && mv t.json package.json", "deny"),
        ("jq 'del(.scripts, .exports)' package.json > t.json && mv t.json package.json", "deny"),
        ("jq 'with_entries(.)' package.json > t.json && mv t.json package.json", "deny"),
        ("jq '.[\"ver\" + \"sion\"] = 9' package.json > t.json && mv t.json package.json", "deny"),
        (("jq '.scripts = {a: \"b\", \"c\": [1, true]} | .files[0] = .name' package.json > t.json "
         "&& mv t.json package.json"), "none"),
        ("jq '.scripts = (.version = 9)' package.json > t.json && mv t.json package.json", "deny"),
        ("jq '.scripts = empty' package.json > t.json && mv t.json package.json", "deny"),
        ("jq '.scripts = (1, 2)' package.json > t.json && mv t.json package.json", "deny"),
        ("jq '.scripts = .dependencies[]' package.json > t.json && mv t.json package.json", "deny"),
        ("jq '.scripts.a = 1, .version = 2' package.json > t.json && mv t.json package.json", "deny"),
        ("jq -S '.scripts.a = 1' package.json > t.json && mv t.json package.json", "deny"),
        ("jq '.scripts.a = 1' bumped.json > t.json && mv t.json package.json", "deny"),
        ("jq '.scripts.a = 1' package.json > t.json; sed -i s/1.2.3/9/ t.json; mv t.json package.json", "deny"),
        ("jq '.scripts.a = 1' package.json >> t.json; mv t.json package.json", "deny"),
        ("jq '.scripts.a = 1' package.json > package.json", "deny"),
        ("jq \"$F\" package.json > t.json && mv t.json package.json", "deny"),
        (python("import json; p = json.load(open('package.json')); p['scripts']['test'] = 'x'",
                "json.dump(p, open('package.json', 'w'), indent=2)"), "none"),
        (python("import json", "from pathlib import Path", "F = Path('package.json')",
                "p = json.loads(F.read_text()); s = p.setdefault('scripts', {}); s['test'] = 'x'; p.pop('private', 0)",
                "F.write_text(json.dumps(p, indent=2) + '\\n')"), "none"),
        (python("import json", "with open('package.json') as f:", "    p = json.load(f)", "del p['dependencies']",
                "p['files'] = ['a']", "with open('package.json', 'w') as f:", "    json.dump(p, f, indent=2)",
                "    f.write('\\n')", "print('done')"), "none"),
        (python("s = open('package.json').read()", "s = s.replace('eslint .', 'eslint src')",
                "open('package.json', 'w').write(s)"), "none"),
        (python("from pathlib import Path", "p = Path('pyproject.toml')",
                "p.write_text(p.read_text().replace('line-length = 100', 'line-length = 120'))"), "none"),
        (python("import json; p = json.load(open('package.json')); p['version'] = '9'",
                "json.dump(p, open('package.json', 'w'))"), "deny"),
        (python("import json; p = json.load(open('package.json')); p.update({'version': '9'})",
                "json.dump(p, open('package.json', 'w'))"), "deny"),
        (python("import json; p = json.load(open('package.json')); p['ver' + 'sion'] = '9'",
                "json.dump(p, open('package.json', 'w'))"), "deny"),
        (python("import json; p = json.load(open('package.json')); q = {'a': p}; q['a']['version'] = '9'",
                "json.dump(p, open('package.json', 'w'))"), "deny"),
        (python("import json; p = json.load(open('package.json')); p['x'] = p['exports']; p['x']['a'] = '9'",
                "json.dump(p, open('package.json', 'w'))"), "deny"),
        (python("import json; p = json.load(open('package.json')); s = p['exports']; s['a'] = '9'",
                "json.dump(p, open('package.json', 'w'))"), "deny"),
        (python("import json; p = json.load(open('package.json')); q = [p]; q[0].update(version='9')",
                "json.dump(p, open('package.json', 'w'))"), "deny"),
        (python("import json; p = json.load(open('package.json')); exec('p[chr(118)] = 9')",
                "json.dump(p, open('package.json', 'w'))"), "deny"),
        (python("import json; p = json.load(open('package.json'), object_hook=bump)",
                "json.dump(p, open('package.json', 'w'))"), "deny"),
        (python("import json; p = json.load(open('package.json')); json.dump = bump",
                "json.dump(p, open('package.json', 'w'))"), "deny"),
        (python("import json; p = json.load(open('package.json')); bump(p)",
                "json.dump(p, open('package.json', 'w'))"), "deny"),
        (python("import json; p = json.load(open('bumped.json'))", "json.dump(p, open('package.json', 'w'))"), "deny"),
        (python("s = open('package.json').read().replace('1.2.3', '9')", "open('package.json', 'w').write(s)"), "deny"),
        (python("s = open('package.json').read()", "for a in ('1.2.3',): s = s.replace(a, '9')",
                "open('package.json', 'w').write(s)"), "deny"),
        (python("import os; open('package.json', 'w').write(os.environ['X'])"), "deny"),
        (node("const fs = require('fs')", "const p = require('./package.json')", "p.scripts.test = 'x'",
              "delete p.private", "fs.writeFileSync('package.json', JSON.stringify(p, null, 2) + '\\n')"), "none"),
        (node("const fs = require('fs');", "const f = 'package.json';",
              "const p = JSON.parse(fs.readFileSync(f, 'utf8'));", "p.scripts['a-b'] = `x ${1}`; p.files.push('a');",
              "p.scripts = { ...p.scripts, c: 'd' };", "fs.writeFileSync(f, JSON.stringify(p, null, 2));",
              "console.log(p.name);"), "none"),
        (node("const fs = require('fs'); let s = fs.readFileSync('package.json', 'utf8')",
              "s = s.replace('eslint .', 'eslint src'); fs.writeFileSync('package.json', s)"), "none"),
        (node("const p = require('./package.json'); p.version = '9'",
              "require('fs').writeFileSync('package.json', JSON.stringify(p))"), "deny"),
        (node("const p = require('./package.json'); p['version'] = '9'",
              "require('fs').writeFileSync('package.json', JSON.stringify(p))"), "deny"),
        (node("const p = require('./package.json'); p['ver' + 'sion'] = '9'",
              "require('fs').writeFileSync('package.json', JSON.stringify(p))"), "deny"),
        (node("const p = require('./package.json'); const q = p; q.version = '9'",
              "require('fs').writeFileSync('package.json', JSON.stringify(p))"), "deny"),
        (node("const p = require('./package.json'); Object.assign(p, { version: '9' })",
              "require('fs').writeFileSync('package.json', JSON.stringify(p))"), "deny"),
        (node("const p = require('./package.json'); p.toJSON = () => ({ version: '9' })",
              "require('fs').writeFileSync('package.json', JSON.stringify(p))"), "deny"),
        (node("const p = require('./package.json'); Object.prototype.toJSON = () => ({ version: '9' })",
              "require('fs').writeFileSync('package.json', JSON.stringify(p))"), "deny"),
        (node("const p = require('./package.json'); eval('p.version = 9')",
              "require('fs').writeFileSync('package.json', JSON.stringify(p))"), "deny"),
        (node("const p = require('./package.json'); bump(p)",
              "require('fs').writeFileSync('package.json', JSON.stringify(p))"), "deny"),
        (node("const p = require('./package.json'); for (const k of ['version']) p[k] = '9'",
              "require('fs').writeFileSync('package.json', JSON.stringify(p))"), "deny"),
        (node("const p = require('./package.json')",
              "require('fs').writeFileSync('package.json', JSON.stringify({ ...p, version: '9' }))"), "deny"),
        (node("const p = require('./bumped.json')",
              "require('fs').writeFileSync('package.json', JSON.stringify(p))"), "deny"),
        (node("const fs = require('fs'); let s = fs.readFileSync('package.json', 'utf8')",
              "fs.writeFileSync('package.json', s.replace(/1.2.3/, '9'))"), "deny"),
        (node("const fs = require('fs'); let s = fs.readFileSync('package.json', 'utf8').replace('1.2.3', '9')",
              "fs.writeFileSync('package.json', s)"), "deny"),
        (node("require('fs').writeFileSync('package.json', process.env.X)"), "deny"),
        (python("import json; p = json.load(open('package.json')); p['private'] = True",
                "json.dump(p, open('package.json', 'w'))", "import shutil",
                "shutil.copy('bumped.json', 'package.json')"), "deny"),
        (python("import io, json; p = json.load(open('package.json')); p['private'] = True",
                "json.dump(p, open('package.json', 'w')); io.open('package.json', 'w').write('{}')"), "deny"),
        (python("import json; p = json.load(open('package.json'))", "f = open('package.json', 'w'); json.dump(p, f)",
                "print('x', file=f)"), "deny"),
        (python("import json; p = json.load(open('package.json')); print('was', p.pop('version'))",
                "json.dump(p, open('package.json', 'w'))"), "deny"),
        (python("import json; p = json.load(open('package.json')); p.update({'private': True}, version='9')",
                "json.dump(p, open('package.json', 'w'))"), "deny"),
        (python("import json; p = json.load(open('package.json')); s = p.setdefault('publishConfig', {})",
                "json.dump(p, open('package.json', 'w'))"), "deny"),
        (python("import json, sys; p = json.load(open('package.json')); sys.modules['__main__'].p.update(version='9')",
                "json.dump(p, open('package.json', 'w'))"), "deny"),
        (python("import json; p = json.load(open('package.json'))",
                "json.dump(p, open('package.json', 'w'), separators=(',\"version\":\"9\",', ':'))"), "deny"),
        (python("import json, os; os.chdir('packages'); p = open('package.json').read(); os.chdir('..')",
                "open('package.json', 'w').write(p)"), "deny"),
        (python("import json; p = json.load(open('package.json')); p['private'] = True; print(f\"{p['name']} done\")",
                "json.dump(p, open('package.json', 'w'), indent=2)"), "none"),
        (node("const fs = require('fs'), p = require('./package.json')", "p.private = true",
              PUT + "; fs.copyFileSync('bumped.json', 'package.json')"), "deny"),
        (node(READ, "p.private = true",
              PUT + "; fs.copyFileSync('bumped.json', 'package.json')"), "deny"),
        (node("const fs = require('fs'); let s = fs.readFileSync('package.json', 'utf8')",
              "s = s.replace(/1.2.3/, '9')", "fs.writeFileSync('package.json', s)"), "deny"),
        (node("const fs = require('fs'); let s = fs.readFileSync('package.json', 'utf8')",
              "if (true) { s = s.replace('1.2.3', '9') }", "fs.writeFileSync('package.json', s)"), "deny"),
        (node(READ, "console.log(p.version = '9')",
              PUT), "deny"),
        (node(READ,
              "const q = require('./package.json'); q.version = '9'",
              PUT), "deny"),
        (node(READ, "require('./package.json').version = '9'",
              PUT), "deny"),
        (node(READ,
              "Object.assign(JSON, { stringify: () => '{\"version\": \"9\"}' })",
              PUT), "deny"),
        (node(READ, "JSON['stringify'] = () => '{}'",
              PUT), "deny"),
        (node("const fs = require('fs')", "process.chdir('packages')",
              "const s = fs.readFileSync('package.json', 'utf8')",
              "process.chdir('..'); fs.writeFileSync('package.json', s)"), "deny"),
        ("jq '.scripts.a = 1 # [\n| .version = 9' package.json > t.json && mv t.json package.json", "deny"),
        ("npm pkg set ' version=2.0.0'", "deny"),
        ("cp -r lib packages", "none"),
        ("mv lib libs", "none"),
        ("cp -r other/. .", "deny"),
        ("cat > packages/package.json <<'E'\n{}\nE\ncp -r lib/. packages", "deny"),
        ("npm pkg set scripts.test=vitest", "none"),
        ("npm pkg set 'dependencies.left-pad=2'", "none"),
        ("npm pkg delete scripts.lint", "none"),
        ("npm pkg delete publishConfig", "none"),
        ("npm pkg set version=2.0.0", "deny"),
        ("npm pkg set 'exports[.]=./x.js'", "deny"),
        ("npm pkg set publishConfig.access=public", "deny"),
        ("npm pkg set scripts.a=b version=2", "deny"),
        ("npm pkg delete version", "deny"),
        ("npm pkg set \"$K\"", "deny"),
        ("npm version patch", "deny"),
        ("sed -i 's/eslint \\./eslint src/' package.json", "none"),
        ("sed -i.bak -e 's|eslint .|eslint src|g' package.json", "none"),
        ("sed -i '/left-pad/d' package.json", "none"),
        ("sed -i 's/^line-length = .*/line-length = 120/' pyproject.toml", "none"),
        ("sed -i 's/\"version\": \"1.2.3\"/\"version\": \"1.2.4\"/' package.json", "deny"),
        ("sed -i 's/1\\.2\\.3/1.2.4/g' package.json", "deny"),
        ("sed -i 's/1.2.3/1.2.4/' package.json", "deny"),
        ("sed -i '/\"version\"/d' package.json", "deny"),
        ("sed -i '3d' package.json", "deny"),
        ("sed -i -E 's/[0-9]+.2.3/9/' package.json", "deny"),
        ("sed -i \"s/1.2.3/$V/\" package.json", "deny"),
        ("sed -i 's/^name = .*/qq = 1/' pyproject.toml; sed -i 's/qq = 1/dynamic = 2/' ./pyproject.toml", "deny"),
        ("sed -i 's/^name = .*/qq = 1/' pyproject.toml; sed -i 's/qq = 1/name = 2/' ./pyproject.toml", "none"),
        ("mkdir -p a && cd lib && cat > ../package.json <<'E'\n" + LINTED + "\n" * 600 + "E\n", "none"),
        ("npm ci && cat > package.json <<'E'\n" + LINTED + "E\n", "none"),
        ("cd lib && cat > ../t.json <<'E' && mv ../t.json ../package.json\n" + LINTED + "E\n", "none"),
        ("cat > package.json <<E\n$(cat linted.json)\nE\n", "none"),
        ("node x.js; cat > package.json <<E\n$(cat linted.json)\nE\n", "deny"),
        ("sed -i 's/\\(.*\\)1/\\19/' package.json", "deny"),
        ("sed -i -f x.sed package.json", "deny"),
        ("perl -pi -e 's/eslint \\./eslint src/' package.json", "none"),
        ("perl -i -pe 's/1\\.2\\.3/1.2.4/' package.json", "deny"),
        ("perl -pi -e 's/1/$ENV{X}/' package.json", "deny"),
        ("perl -0pi -e 's/eslint/x/' package.json", "deny"),
        ("npx prettier --write package.json", "none"),
        ("biome format --write package.json", "none"),
        ("taplo fmt pyproject.toml", "none"),
        ("prettier -o package.json x.json", "deny"),
        ("rm package.json", "deny"),
    ],
)  # fmt: skip
def test_a_shell_command_that_shows_its_text_is_compared(machine: Machine, root: Path, command: str, said: str) -> None:
    (root / "linted.json").write_text(LINTED)
    (root / "bumped.json").write_text(BUMPED)
    for folder in ("lib", "other"):
        (root / folder).mkdir()
        (root / folder / "package.json").write_text(BUMPED)
    (root / "packages").mkdir()
    assert shell(machine, command, root) == said
