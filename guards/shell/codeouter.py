"""What a program text is given from outside: its arguments, variables of the environment, folders, files at hand.

Every language has its own names for them; what a name gives is looked up in the step that starts the program. A
variable or an argument that is not there is OUTSIDE: no literal of the program is in it.
"""

from guards.shell.codetexts import ELSEWHERE, OUTSIDE, UNKNOWN, union

TYPE_CHECKING = False
if TYPE_CHECKING:
    from guards.shell.codetexts import Texts
    from guards.shell.stepping import Walk
    from guards.shell.steps import Step, Word

LISTED = 60  # names that a pattern matches
NAMES = 3000  # names that a pattern with `**` is held against
LONGEST = 4000  # characters of a file whose text is a value
TEMPORARY = "/tmp"
ENVIRONMENT = frozenset(
    {"process.env", "ENV", "$ENV", "getenv", "$_ENV", "$_SERVER", "os.getenv", "System.getenv", "os.Getenv",
     "ENV.fetch", "Deno.env.get", "Bun.env", "import.meta.env", "$env", "Sys.getenv"}
)  # fmt: skip
# the list of arguments → how many of the program's words stand before the first of them, seen from the script's name
ARGUMENTS = {
    "process.argv": -1, "Bun.argv": -1, "ARGV": 1, "$ARGV": 1, "@ARGV": 1, "$argv": 0, "arg": 0, "os.Args": 0,
    "$args": 1, "Deno.args": 1, "ARGV.shift": 1, "$*": 1, "System.argv": 1,
}  # fmt: skip


class Outer:
    """args: the script (or -c, -) and what stands behind it."""

    def __init__(self, walk: "Walk", step: "Step", args: "list[Word]", language: str) -> None:
        self.walk = walk
        self.step = step
        self.args = args
        self.language = language
        self.shifted = 0

    def variable(self, name: str) -> "Texts":
        """A variable of the environment, as the text set it."""
        word = self.step.assigns.get(name)
        if word is not None:
            return UNKNOWN if word.text is None else (word.text,)
        if name in self.step.env:
            value = self.step.env[name]
            return UNKNOWN if value is None else (value,)
        if name == "PWD":
            return self.folder()
        if name == "HOME":
            return (self.walk.world.home,)
        return (TEMPORARY,) if name in ("TMPDIR", "TMP", "TEMP", "RUNNER_TEMP") else ELSEWHERE

    def temporary(self) -> "Texts":
        return self.variable("TMPDIR")

    def folder(self) -> "Texts":
        return (self.step.cwd,) if self.step.cwd else UNKNOWN

    def beside(self) -> "Texts":
        """The folder of the script."""
        script = self.script()
        head, slash, _ = script.rpartition("/")
        return (head or "/" if slash else ".",) if script else self.folder()

    def script(self) -> str:
        name = (self.args[0].text or "") if self.args else ""
        return "" if name in ("-c", "-e", "-") else name

    def argument(self, name: str, place: int) -> "Texts":
        """The argument at a place of the language's list; -1: any of them."""
        before = ARGUMENTS.get(name, 1)
        if before < 0 and self.args and self.args[0].text == "-c":
            before = 0  # node -e has no script in its list
        place += before
        if place < 0 or place >= len(self.args):
            return ELSEWHERE
        word = self.args[place]
        return UNKNOWN if word.text is None else (word.text,)

    def arguments(self) -> "Texts":
        found = [UNKNOWN if word.text is None else (word.text,) for word in self.args[1:]]
        return union(*found) or ELSEWHERE

    def matching(self, pattern: str) -> "Texts":
        """The paths at hand that a pattern matches."""
        from guards.shell import copying, globs

        start = pattern[: min([pattern.find(c) for c in "*?[{" if c in pattern] or [len(pattern)])]
        head = start.rpartition("/")[0]
        sample: Texts = (f"{head}/{OUTSIDE}" if head else OUTSIDE,)
        if "{" in pattern:
            return sample
        if "**" not in pattern:
            found = globs.expand(pattern, self.step.cwd, self.walk.world, []) or []
            return union(tuple(found[:LISTED]), sample)
        names, _ = copying.listed(self.walk.world, self.walk.full(self.step, head or "."), NAMES)
        plain = pattern.replace("**/", "*")
        paths = [f"{head}/{name}" if head else name for name in names if name[0] != "." and "/." not in name]
        return union(tuple([path for path in paths if globs.match(plain, path)][:LISTED]), sample)

    def content(self, path: str) -> "Texts":
        text = self.walk.source(self.step, path)
        if text is None or len(text) > LONGEST or "\0" in text or "\1" in text:
            return ELSEWHERE
        return (text,)
