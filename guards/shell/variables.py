"""Variables of the environment that a program takes for a file to write or for a command to run.

Which ones is data (`[[variable]]` in policy/shell-lane.toml). An assignment counts where it stands, whether or not the
program asks for the variable: one that names a lane's file as a place for a trace has no other use.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.shell.stepping import Walk
    from guards.shell.steps import Step, Word

# what people set these to every day, and what runs nothing
PLAIN = frozenset(
    {"true", "false", ":", "", "vi", "vim", "nvim", "nano", "cat", "ed", "emacs", "less", "more", "ssh", "1", "0",
     "yes", "no"}
)  # fmt: skip
STARTS = {"NODE_OPTIONS": "node", "RUBYOPT": "ruby"}


def look(walk: "Walk", step: "Step", sets: "dict[str, str | None]") -> None:
    """The variables that a step sets, that a wrapper sets for it, and that were exported before."""
    table: dict[str, str] = walk.table.get("variables") or {}
    for name, word in step.assigns.items():
        if name in table:
            _one(walk, step, name, table[name], word)
    for given in (sets, step.env):
        for name in table.keys() & given.keys():
            value = given[name]
            # what the harness itself was started with is nobody's doing here
            if value is not None and name not in step.assigns and walk.world.plain_env(name) != value:
                from guards.shell.args import plain

                _one(walk, step, name, table[name], plain(value))


def _one(walk: "Walk", step: "Step", name: str, does: str, word: "Word") -> None:
    """Each value once: what it runs is given the same environment again."""
    key = (name, _settings(step) if does == "config" else word.rough, step.cwd)
    if key not in walk.variables:
        walk.variables.add(key)
        MEANS[does](walk, step, word, name)


def _settings(step: "Step") -> str:
    """What tells one set of settings from another."""
    return "\0".join([f"{key}={value}" for key, value in step.env.items() if key.startswith("GIT_CONFIG_")])


def _write(walk: "Walk", step: "Step", word: "Word", name: str) -> None:
    walk.touch(step, word, cause=name)


def _trace(walk: "Walk", step: "Step", word: "Word", name: str) -> None:
    """Only a whole path is a file; everything else is a number or a word for on and off."""
    if word.rough[:1] in "/$":
        walk.touch(step, word, cause=name)


def _run(walk: "Walk", step: "Step", word: "Word", name: str) -> None:
    """A command, in the form of shell text. LESSOPEN has bars before it."""
    text = word.rough.lstrip("|- ") if name.startswith("LESS") else word.rough
    if text.strip() not in PLAIN:
        walk.text(step, text, cwd=_top(walk, step))


def _top(walk: "Walk", step: "Step") -> "str | None":
    """Git goes to the top of the work tree before it runs anything."""
    if step.cwd is None or step.name != "git":
        return step.cwd
    from guards.shell import gitask

    return gitask.root(walk, step.cwd) or step.cwd


def _prompt(walk: "Walk", step: "Step", word: "Word", name: str) -> None:
    """Text that a shell expands before it shows it: only the commands within count."""
    if "$(" in word.rough or "`" in word.rough:
        walk.text(step, f": <<_prompt_\n{word.rough}\n_prompt_\n")


def _script(walk: "Walk", step: "Step", word: "Word", name: str) -> None:
    """A file that a shell reads before anything else."""
    from guards.shell import inline

    if word.text != "" and (word.text is None or walk.exists(step, word.text) or word.text in step.files):
        inline.script(walk, step, word, [], "shell")


def _config(walk: "Walk", step: "Step", word: "Word", name: str) -> None:
    """Settings of git: some of them are commands."""
    from guards.shell import gitverbs

    gitverbs.settings(gitverbs.Git(walk, step, step.cwd or walk.event.cwd))


def _options(walk: "Walk", step: "Step", word: "Word", name: str) -> None:
    """Options of an interpreter, whoever starts it: scripts that it reads first."""
    from guards.shell import early
    from guards.shell.args import plain

    row = walk.programs.get(STARTS[name])
    if row is not None and "early" in row:
        early.scripts(walk, step, [plain(piece.strip("'\"")) for piece in word.rough.split()], row)


MEANS: "dict[str, Any]" = {
    "write": _write, "trace": _trace, "run": _run, "prompt": _prompt, "script": _script, "config": _config,
    "options": _options,
}  # fmt: skip
