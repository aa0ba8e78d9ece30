"""sed: files edited in place, the w command and flag, the e command and flag. The script is read command by command."""

from guards.shell import args as words_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.shell.contents import Change
    from guards.shell.stepping import Walk
    from guards.shell.steps import Step, Word

_ORDINARY = ("-i", "--in-place", "-e", "--expression", "-E", "-r", "--regexp-extended", "-s", "--separate")
_TEXT = "aic"  # commands with text up to the end of the line
_FILES = "rR"
_LABELS = "btT:"


def sed(walk: "Walk", step: "Step", words: "list[Word]", row: "dict[str, Any]") -> None:
    args = words_of.scan(words, row)
    if args.has(("--help", "--version")):
        return
    operands = args.operands
    scripts = [v.rough for v in args.values(("-e", "--expression"))]
    for file in args.values(("-f", "--file")):
        text = walk.content(step, file)
        scripts.append(text or "")
    if operands and operands[0].text == "" and args.has(("-i",)):  # BSD: sed -i '' …
        operands = operands[1:]
    if not args.values(("-e", "--expression", "-f", "--file")) and operands:
        scripts.append(operands[0].rough)
        operands = operands[1:]
    if args.has(("-i", "--in-place")):
        follow = args.has(("--follow-symlinks",))
        change = _change(args, scripts)
        for word in operands:
            walk.touch(step, word, cause="sed -i", follow=follow, change=change)
            _backup(walk, step, word, args.value("-i", "--in-place"))
    Script(walk, step, "\n".join(scripts)).run()


def _change(args: "words_of.Args", scripts: "list[str]") -> "Change | None":
    """What it does to each file, where the script is plain and no option gives it another meaning."""
    words = [*args.operands, *args.values(_ORDINARY)]
    if not all([name in _ORDINARY for name, _ in args.options]) or any([word.text is None for word in words]):
        return None
    from guards.shell import substitutions

    return substitutions.changed("\n".join(scripts), args.has(("-E", "-r", "--regexp-extended")))


def _backup(walk: "Walk", step: "Step", word: "Word", suffix: "Word | None") -> None:
    """The old file: name and suffix, or the suffix with the name in place of `*`, perhaps in another folder."""
    if word.text is None or suffix is None or not suffix.text:
        return
    folder, slash, name = word.text.rpartition("/")
    made = suffix.text.replace("*", name) if "*" in suffix.text else name + suffix.text
    walk.path(step, made if "/" in made else folder + slash + made, cause="sed -i", follow=False)


class Script:
    """A script and the place in it."""

    def __init__(self, walk: "Walk", step: "Step", text: str) -> None:
        self.walk = walk
        self.step = step
        self.text = text
        self.at = 0

    def run(self) -> None:
        while self.at < len(self.text):
            self._skip(" \t\n;}{")
            self._address()
            if self.at < len(self.text):
                self._command()

    def _skip(self, chars: str) -> None:
        while self.at < len(self.text) and self.text[self.at] in chars:
            self.at += 1

    def _address(self) -> None:
        r"""/re/, \\cREc, numbers, $, steps, commas, negation."""
        while self.at < len(self.text):
            c = self.text[self.at]
            if c == "/" or c == "\\":
                self.at += c == "\\"
                self._delimited()
                self._skip("IM")
            elif c in "0123456789$,!~+ \t":
                self.at += 1
            else:
                return

    def _delimited(self) -> str:
        """From a delimiter to the next one that is not escaped; the part between."""
        mark = self.text[self.at : self.at + 1]
        self.at += 1
        start = self.at
        inside = False
        while self.at < len(self.text):
            c = self.text[self.at]
            if c == "\\":
                self.at += 1
            elif c == "[" and not inside:
                inside = True
                self.at += 2 if self.text[self.at + 1 : self.at + 2] in ("]", "^") else 0
            elif c == "]":
                inside = False
            elif (c == mark and (not inside or mark not in self.text[self.at + 1 :])) or (
                c == mark and inside and "]" not in self.text[self.at :]
            ):
                break
            self.at += 1
        found = self.text[start : self.at]
        self.at += 1
        return found

    def _plain(self, mark: str) -> str:
        """The replacement of s and the sets of y: brackets mean nothing there."""
        start = self.at
        while self.at < len(self.text) and self.text[self.at] != mark:
            self.at += 2 if self.text[self.at] == "\\" else 1
        found = self.text[start : self.at]
        self.at += 1
        return found

    def _line(self) -> str:
        end = self.text.find("\n", self.at)
        end = len(self.text) if end < 0 else end
        found = self.text[self.at : end]
        self.at = end
        return found.strip()

    def _command(self) -> None:
        c = self.text[self.at]
        self.at += 1
        if c == "s":
            self._substitute()
        elif c == "y":
            mark = self.text[self.at : self.at + 1]
            self.at += 1
            self._plain(mark)
            self._plain(mark)
        elif c in "wW":
            self._writes(self._line())
        elif c == "e":
            code = self._line()
            if code:
                self.walk.text(self.step, code)
        elif c in _TEXT:
            while self._line().endswith("\\"):
                self.at += 1
        elif c in _FILES or c == "#":
            self._line()
        elif c in _LABELS:
            while self.at < len(self.text) and self.text[self.at] not in "\n;}":
                self.at += 1

    def _substitute(self) -> None:
        mark = self.text[self.at : self.at + 1]
        self._delimited()
        replacement = self._plain(mark)
        while self.at < len(self.text):
            c = self.text[self.at]
            self.at += 1
            if c == "w":
                self._writes(self._line())
                return
            if c == "e":
                self.walk.text(self.step, replacement)
            elif c not in "gpiImM0123456789":
                self.at -= 1
                return

    def _writes(self, path: str) -> None:
        if path:
            self.walk.path(self.step, path, cause="sed w")
