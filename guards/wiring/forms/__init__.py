"""Where each harness keeps its hooks, and in what shape: one module each, one explicit list.

A form is a module with these names; what a harness does not have is None or empty:
  NAME               as in the wired command
  PROGRAM            the command that says its version
  EVENTS             neutral event → the harness's own name
  MANAGED            the settings file that root owns, or None
  settings(home, environ)   the owner's settings file
  installed(home, environ)  the lowest version found, () when there is one that cannot say, None when there is none
  knows(version)     the neutral events that this version accepts without dropping the file
  entry(event, command)     one entry; its timeout in the harness's unit
  COMMAND, TIME      what an entry calls its command line and its timeout
  HEAD               members that the file needs beside its hooks
  group(entry)       what stands in the event's array: a group around the entry, or the entry itself
  DEPTH              steps from the root to an entry
  everything(group)  whether entries of this group are run for every call
  HINT               what the owner must do besides, for a change to count; empty when nothing
  waiting(path)      the entries of ours that the harness does not run until the owner has reviewed them
  UNIT               seconds in one unit of its timeout
  SHELL, STREAMS     how it starts a command: the shell, and `socket` or `pipe`
  payload, call, write, shell   an event and tool calls in its own words, for `guards fire`
  SPOKEN             events where it takes an empty answer for a broken one, and refuses
  STRICT             whether it reads nothing but plain JSON, and ignores any other file whole
  BOM                whether it reads a file that begins with a byte order mark
  SILENCERS          files of a project that can switch the owner's hooks off (`disableAllHooks`)
  TEAM               the hook file of a repository
  RULES              whether it has native deny rules (`permissions.deny`)
"""

from types import ModuleType

from guards.wiring.forms import claude, codex, copilot, cursor, gemini

FORMS: dict[str, ModuleType] = {form.NAME: form for form in (claude, codex, gemini, cursor, copilot)}
