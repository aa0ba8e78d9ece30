"""Shell programs for the differential tests, made of what people nest: quotes, expansions, here-documents,
substitutions, directories, loops, functions. `bash` adds what dash does not know."""

from __future__ import annotations

import functools

from hypothesis import strategies as st

NAMES = ("A", "B", "C")
PLAIN = st.text("abx19._-/:%+,@^", min_size=1, max_size=4).filter(lambda t: not t.startswith("-"))
ODD = ' \t\n*?[]{}();|&<>#~!"$\\`=ab'


@functools.cache
@st.composite
def single(draw: st.DrawFn) -> str:
    return "'" + draw(st.text(ODD, max_size=5)) + "'"


@functools.cache
@st.composite
def double(draw: st.DrawFn, bash: bool, depth: int) -> str:
    pieces = [
        st.text(" \t\n*?[]{}();|&<>#~=ab'", max_size=4),
        st.sampled_from(['\\"', "\\$", "\\\\", "\\`", "\\\n", "\\a"]),
        parameter(bash, depth),
    ]
    if depth > 0:
        pieces.append(substitution(bash, depth - 1))
    return '"' + "".join(draw(st.lists(st.one_of(pieces), max_size=3))) + '"'


@functools.cache
@st.composite
def ansi(draw: st.DrawFn) -> str:
    bits = st.sampled_from(["a", " ", "\\n", "\\t", "\\'", '"', "$A", "\\\\", "\\x41", "\\101", "\\u00e9", "\\e", "*"])
    return "$'" + "".join(draw(st.lists(bits, max_size=4))) + "'"


@functools.cache
def parameter(bash: bool, depth: int) -> st.SearchStrategy[str]:
    forms = [
        "$A",
        "${B}",
        "$C",
        "$E1",
        "${E2}",
        "$U",
        "$1",
        "$2",
        "${A:-x y}",
        "${U:-d}",
        "${B-$A}",
        "${A:+s}",
        "${C#*.}",
    ]
    forms += ["${A%b*}", "${B##*/}", "${B%%/*}", "${#A}", "$((1+2))", "$((3*(2+1)%4))", "$#"]
    if bash:
        forms += ["${A/a/z}", "${B//a/}", "${A:1}", "${A:0:2}", "${A^^}", "${L[0]}", "${L[1]}"]
    return st.sampled_from(forms)


@functools.cache
@st.composite
def substitution(draw: st.DrawFn, bash: bool, depth: int) -> str:
    inner: str = draw(
        st.one_of(
            st.builds(lambda w: "echo " + " ".join(w), st.lists(word(bash, depth), max_size=2)),
            st.builds(lambda w: "printf '%s\\n' " + w, word(bash, depth)),
            st.just("pwd"),
            st.builds(lambda w: "basename " + w, st.sampled_from(["a/b.c", "/x/y/", "$E2"])),
            st.builds(lambda w: "c1 " + w, word(bash, depth)),
            st.builds(lambda w: "cd d && echo " + w, word(bash, depth)),
        )
    )
    if not bash and "\\" in inner:  # dash's echo takes backslashes for escapes, bash's does not
        inner = inner.replace("echo ", "printf '%s\\n' ", 1)
    if "`" not in inner and "\\" not in inner and draw(st.booleans()) and '"' not in inner:
        return "`" + inner + "`"
    return "$(" + inner + ")"


@functools.cache
@st.composite
def word(draw: st.DrawFn, bash: bool = True, depth: int = 1, glob: bool = True) -> str:
    pieces = [
        PLAIN,
        PLAIN,
        single(),
        double(bash, depth),
        parameter(bash, depth),
        st.sampled_from(["\\ ", "\\*", "\\\\", "\\'"]),
    ]
    if bash:
        pieces += [ansi(), st.sampled_from(["{a,b}", "{1..3}", "{x,}", "{a}", "{a,'b c'}"])]
    if glob:
        pieces.append(st.sampled_from(["*", "f*", "?1", "[fg]*", "d/*", "*.txt", "[!f]*", "nope*"]))
    if depth > 0:
        pieces.append(substitution(bash, depth - 1))
    made = "".join(draw(st.lists(st.one_of(pieces), min_size=1, max_size=3)))
    if draw(st.integers(0, 11)) == 0:
        made = draw(
            st.sampled_from(["~", "~/x", "~+/", '"$@"', "$*", "$@", "a=~/x"] if bash else ["~", "~/x", '"$@"', "$*"])
        )
    return made


@functools.cache
@st.composite
def call(draw: st.DrawFn, bash: bool, depth: int = 1) -> str:
    name = draw(st.sampled_from(["c1", "c2", "c1", "cf"]))
    return " ".join([name, *draw(st.lists(word(bash, depth), max_size=3))])


@functools.cache
def target() -> st.SearchStrategy[str]:
    return st.sampled_from(["o1", "o2", "d/o3", '"o 4"', "'o5'x", "o\\ 6", "$A.o7", "../" + "work/o8", "e/o$((1+1))"])


@functools.cache
@st.composite
def redirected(draw: st.DrawFn, bash: bool) -> str:
    ops = [">", ">>", "2>", "2>>", ">|", "<>"]
    if bash:
        ops += ["&>", "&>>", ">&", "{v}>"]
    made = [draw(call(bash))]
    for _ in range(draw(st.integers(1, 2))):
        gap = draw(st.sampled_from(["", " "]))
        made.append(draw(st.sampled_from(ops)) + gap + draw(target()))
    if draw(st.booleans()):
        made.append(draw(st.sampled_from(["2>&1", ">&2", "2>&-", "</dev/null", "3<f1"])))
    return " ".join(made)


@functools.cache
@st.composite
def printed(draw: st.DrawFn, bash: bool) -> str:
    words = " ".join(draw(st.lists(word(bash, 0, glob=False), min_size=1, max_size=2)))
    command = draw(
        st.sampled_from(
            ["echo ", "printf '%s\\n' ", "echo -n ", "printf %s "] if bash else ["printf '%s\\n' ", "printf %s "]
        )
    )
    return (
        command
        + words
        + " "
        + draw(st.sampled_from(["> o1", ">> o1", "> d/o3", "| cat > o2", "| tee o1 > o2", "| ci"]))
    )


@functools.cache
@st.composite
def document(draw: st.DrawFn, bash: bool) -> str:
    quote = draw(st.sampled_from(["E", "'E'", '"E"', "\\E", "-E", "-'E'", " E"]))
    lines = st.one_of(
        st.text("ab $\"'*#<>|&;\t", max_size=6),
        st.sampled_from(
            ["$A", "${B}", "$(echo i)", "\\$A", "`echo j`", "a\\", "\\\\", "\tx", "EE", " E", "$((1+1))", '"$A"']
        ),
    )
    body = "\n".join(draw(st.lists(lines.filter(lambda t: t.strip("\t") != "E"), max_size=3)))
    if body.endswith("\\"):
        body += "."
    if quote.strip() in ("E", "-E"):
        body = body.replace("`", "") if body.count("`") % 2 else body
        body = body.replace("$(", "$ (") if body.count("(") != body.count(")") else body
        body = body.replace("(", "").replace(")", "") if "$ (" in body else body
    rest = draw(
        st.sampled_from(["", " > o1", " | cat", " && c1 after", "; c2 x", " | ci", " 2>&1 | ci", " 2>&1 | cat > o2"])
    )
    command = draw(st.sampled_from(["ci", "cat", "ci a", "cat - "]))
    return f"{command} <<{quote}{rest}\n{body}{chr(10) if body else ''}E"


@functools.cache
@st.composite
def herestring(draw: st.DrawFn) -> str:
    return "ci <<< " + draw(word(True, 1))


@functools.cache
@st.composite
def assignment(draw: st.DrawFn, bash: bool) -> str:
    name = draw(st.sampled_from(NAMES))
    made = name + "=" + draw(st.one_of(word(bash, 1), st.just("")))
    if bash:
        kind = draw(st.integers(0, 9))
        if kind == 0:
            return "L=(" + " ".join(draw(st.lists(word(True, 0), max_size=3))) + ")"
        if kind == 1:
            return name + "+=" + draw(word(True, 0))
    kind = draw(st.integers(0, 7))
    if kind == 0:
        return "export " + made
    if kind == 1:
        return made + " c1 $" + name
    if kind == 2:
        return "unset " + name
    return made


@functools.cache
def directory() -> st.SearchStrategy[str]:
    return st.sampled_from(
        [
            "cd d",
            "cd e",
            "cd ..",
            "cd -",
            "cd ./d",
            "cd ~",
            "cd d/..",
            "cd -P .",
            "cd $E2",
            'cd "$E2"',
            "cd nodir",
            "cd d/../e",
            "cd",
        ]
    )


@functools.cache
def stack() -> st.SearchStrategy[str]:
    return st.sampled_from(["pushd d > /dev/null", "popd > /dev/null", "pushd e > /dev/null", "pushd > /dev/null"])


@functools.cache
def simple(bash: bool) -> st.SearchStrategy[str]:
    kinds = [
        call(bash),
        call(bash),
        redirected(bash),
        printed(bash),
        assignment(bash),
        assignment(bash),
        directory(),
        st.sampled_from(
            ["true", "false", ":", "set -- p 'q r'", "set -- u v; shift", "set --", "! c1 n", "exit 3 | c1"]
        ),
    ]
    if bash:
        kinds += [
            herestring(),
            stack(),
            st.sampled_from(["time c1 t", "((A=1+2))", "let B=4", "[[ -n $A ]]", "[ a > o9 ]"]),
        ]
    return st.one_of(kinds)


@functools.cache
@st.composite
def nested(draw: st.DrawFn, bash: bool, depth: int) -> str:
    """A command, perhaps a compound one."""
    if depth <= 0 or draw(st.integers(0, 2)) == 0:
        return draw(simple(bash))
    kind = draw(st.integers(0, 13 if bash else 11))
    inner = program(bash, depth - 1)
    if kind == 0:
        return "( " + draw(inner) + "\n)"
    if kind == 1:
        return "{ " + draw(inner) + "\n}"
    if kind == 2:
        return "if " + draw(nested(bash, 0)) + "; then " + draw(inner) + "\nelse " + draw(inner) + "\nfi"
    if kind == 3:
        words = " ".join(draw(st.lists(word(bash, 1), min_size=1, max_size=3)))
        return f"for {draw(st.sampled_from(NAMES))} in {words}; do {draw(inner)}\ndone"
    if kind == 4:
        return draw(nested(bash, 0)) + draw(st.sampled_from([" && ", " || "])) + draw(nested(bash, depth - 1))
    if kind == 5:
        return draw(nested(bash, 0)) + " | " + draw(nested(bash, depth - 1))
    if kind == 6:
        name = draw(st.sampled_from(["fn", "gn"]))
        return f"{name}() {{ {draw(inner)}\n}}\n{name} " + " ".join(draw(st.lists(word(bash, 0), max_size=2)))
    if kind == 7:
        return f"case {draw(word(bash, 0))} in a*) {draw(inner)}\n;; x|'b') {draw(inner)}\n;; *) {draw(inner)}\n;; esac"
    if kind == 8:
        return "{ " + draw(inner) + "\n} > " + draw(target())
    if kind == 9:
        return "printf 'l 1\\nl2\\n' | while read A B; do " + draw(inner) + "\ndone"
    if kind == 10:
        return "eval '" + draw(inner).replace("'", "'\\''") + "'"
    if kind == 11:
        return (
            f"for A in 1 2 3; do {draw(inner)}\n{draw(st.sampled_from(['break', 'continue', ':']))}; c1 in-loop\ndone"
        )
    if kind == 12:
        return "for ((i=0;i<2;i++)); do c1 $i; " + draw(inner) + "\ndone"
    # bash 5.2 loses the `;` behind a here-document inside $(…) and <(…): `echo a; echo b` there prints "a echo b"
    return "c1 <(" + draw(inner.filter(lambda t: "<<" not in t)) + "\n) " + draw(word(True, 0))


@functools.cache
@st.composite
def program(draw: st.DrawFn, bash: bool, depth: int) -> str:
    made = []
    for _ in range(draw(st.integers(1, 3 if depth else 2))):
        part = draw(st.one_of(nested(bash, depth), nested(bash, depth), document(bash)))
        made.append(part)
        made.append(
            "\n" if "<<E" in part or "<<" in part else draw(st.sampled_from(["\n", "; ", "\n\n", " # c\n", ";\n"]))
        )
    return "".join(made).rstrip("; ").removesuffix("\\")


# ---- programs that write, for what the effects say
PATHS = st.sampled_from(
    ["f1", "f2.txt", '"g h"', "d/f1", "d/x.txt", "e/f3", "n1", "d/n2", "$E2/n3", "./e/../n4", "e/n{5,6}"]
)
FOLDERS = st.sampled_from(["d", "e", "d/e", "e/", "$E2", '"d"'])


@functools.cache
@st.composite
def writer(draw: st.DrawFn) -> str:
    """One command that changes files, perhaps behind a wrapper or in inner code."""
    one, other, folder = draw(PATHS), draw(PATHS), draw(FOLDERS)
    five, six = one.replace("{5,6}", "5"), one.replace("{5,6}", "6")
    forms = [
        f"touch {one}", f"rm -f {one}", f"rm -rf {folder}", f"cp f1 {one}", f"cp -r d {folder}", f"mv {one} {other}",
        f"mv -t {folder} {one}", f"mkdir -p {one}.d", f"ln -sf f1 {one}", f"sed -i s/o/u/ {one}",
        "rm -f d/*.txt *.txt", f"truncate -s 0 {one}", f"dd if=f1 of={five} status=none",
        f"echo x | tee {one} {other}", f"cp {one} {other} {folder}", f"install -m 644 f1 {one}",
        f"rmdir e/e {folder}", f"cat < f1 >> {six}",
    ]  # fmt: skip
    made = draw(st.sampled_from(forms))
    kind = draw(st.integers(0, 9))
    quoted = "'" + made.replace("'", "'\\''") + "'"
    if kind == 0:
        return draw(st.sampled_from(["env A=1 ", "nice -n 1 ", "timeout 9 ", "nohup ", "command ", "time "])) + made
    if kind == 1:
        return draw(st.sampled_from(["bash -c ", "bash -ec ", "eval ", "env bash -c "])) + quoted
    if kind == 2:
        return draw(st.sampled_from(["bash -s", "bash"])) + " <<'Q'\n" + made + "\nQ\n"
    if kind == 3:
        return f"echo {five} | xargs rm -f"
    if kind == 4:
        return f"find {folder} -name 'f*' -exec rm -f {{}} +"
    if kind == 5:
        return f"printf '%s\\n' {quoted} > s.sh; bash s.sh"
    return made


@functools.cache
@st.composite
def writing(draw: st.DrawFn) -> str:
    made = []
    for _ in range(draw(st.integers(1, 3))):
        part = draw(writer())
        kind = draw(st.integers(0, 9))
        if kind == 0:
            part = f"( cd {draw(FOLDERS)} && {part}\n)"
        elif kind == 1:
            part = f"cd {draw(FOLDERS)}\n{part}\ncd -"
        elif kind == 2:
            part = f'for f in {draw(PATHS)} n7; do {draw(st.sampled_from(["touch", "rm -f", "cp f1"]))} "$f"; done'
        elif kind == 3:
            part = f"w() {{ {part}\n}}\nw"
        elif kind == 4:
            part = f'A={draw(PATHS)}; touch "$A" n8'
        elif kind == 5:
            part = f"if test -f f1; then {part}\nfi"
        made.append(part)
    return "\n".join(made)
