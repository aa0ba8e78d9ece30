"""What the fetching of the programs says when it cannot."""

import pytest

from tests.harness import npm


@pytest.fixture
def bare(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(npm, "FOLDER", str(tmp_path))


@pytest.mark.usefixtures("bare")
def test_a_missing_program_is_named_with_the_target_that_fetches_it() -> None:
    with pytest.raises(npm.Missing, match=r"@openai/codex@0\.171\.0 is not in \.harness/: `make test-harness`"):
        npm.program("codex")


@pytest.mark.usefixtures("bare")
def test_without_npm_the_fetch_fails_in_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert npm.main() == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "`npm` is not on the PATH" in said


@pytest.mark.real
@pytest.mark.usefixtures("bare")
def test_when_npm_cannot_be_reached_the_fetch_fails_in_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("npm_config_registry", "http://127.0.0.1:9")
    monkeypatch.setenv("npm_config_fetch_retry_mintimeout", "10")
    assert npm.main() == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "could not be fetched from npm" in said
    assert "127.0.0.1:9" in said
