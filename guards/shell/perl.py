"""Perl and ruby: interpreters whose options come in clusters with digits and endings, and that edit files in place."""

from guards.shell import args as words_of
from guards.shell import inline

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from guards.shell.contents import Change
    from guards.shell.stepping import Walk
    from guards.shell.steps import Step, Word


def perl(walk: "Walk", step: "Step", words: "list[Word]", row: "dict[str, Any]") -> None:
    """Perl and ruby: as other interpreters; with -i the files named are edited in place."""
    in_place, texts, rest = _perl_words(words, row)
    call = inline.Call()
    call.texts = texts
    call.rest = rest
    if any([w.text in ("-c", "-v", "--version", "--help") for w in words]):
        return
    if not texts and rest:
        call.script, call.rest = rest[0], rest[1:]
    if in_place and (texts or call.script is not None):
        change = _substituted(words, texts, call.rest) if row["id"] == "perl" else None
        for word in call.rest:
            walk.touch(step, word, cause=f"{row['id']} -i", follow=False, change=change)
    if "early" in row:
        from guards.shell import early

        early.scripts(walk, step, words, row)
    for text in texts:
        inline.code(walk, step, text.rough, [words_of.plain("-e"), *call.rest], row["language"])
    if texts:
        return
    if call.script is not None and call.script.text != "-":
        inline.script(walk, step, call.script, call.rest, row["language"])
    else:
        inline.arrives(walk, step, call.rest, row["language"])


def _substituted(words: "list[Word]", texts: "list[Word]", files: "list[Word]") -> "Change | None":
    """`perl -pi -e 's/A/B/' FILE`: line by line, with no other option."""
    if len(texts) != 1 or texts[0].text is None:
        return None
    options = [w.text for w in words if w not in files and w is not texts[0]]
    if "".join([o or "?" for o in options]) not in ("-pi-e", "-p-i-e", "-i-p-e", "-pie", "-i-pe", "-pi.bak-e"):
        return None
    if options[-1] == "-pie":  # -i takes the rest as its ending
        return None
    from guards.shell import substitutions

    return substitutions.changed(texts[0].text, extended=True, perl=True)


def _perl_words(words: "list[Word]", row: "dict[str, Any]") -> "tuple[bool, list[Word], list[Word]]":
    """(-i given, texts of -e, what is left): -0 and -l take digits, -i what is attached, -e the next word."""
    texts: list[Word] = []
    in_place = False
    at = 0
    while at < len(words):
        text = words[at].text or ""
        if text[:1] != "-" or text == "-":
            break
        word = words[at]
        at += 1
        if text == "--":
            break
        place = 1
        while place < len(text):
            name = "-" + text[place]
            place += 1
            if name == "-i":
                in_place = True
                break
            if name in ("-0", "-l"):
                while (text[place : place + 1] and text[place] in "0123456789xabcdefABCDEF" and name == "-0") or (
                    text[place : place + 1].isdigit()
                ):
                    place += 1
            elif name in words_of.taken(row):
                attached = place < len(text)
                value = words_of.tail(word, place) if attached else words[at] if at < len(words) else None
                at += not attached
                if name in row["text"] and value is not None:
                    texts.append(value)
                break
            elif name in ("-F", "-C", "-D", "-V", "-W", "-T", "-x", "-M", "-m"):
                break
    return in_place, texts, words[at:]
