#!/bin/sh
# A repository's hook on a machine that has Guards: judges as the machine's own hook would, and yields to that where the
# machine is wired, so that no event is judged twice. Started by the line that `guards install --repo` puts into a
# committed file:   sh INSTALL/code/wiring/team.sh HARNESS EVENT
harness=$1
event=$2
install=${0%/code/*}
hook=$install/code/hook.py

# where a machine wires a harness, and where a repository does; guards/wiring/forms says the same
files() {
  root=
  case $1 in
    claude) own=${CLAUDE_CONFIG_DIR:-$HOME/.claude}/settings.json root=/etc/claude-code/managed-settings.json ;;
    codex) own=${CODEX_HOME:-$HOME/.codex}/hooks.json ;;
    gemini) own=$HOME/.gemini/settings.json ;;
    cursor) own=$HOME/.cursor/hooks.json root=/etc/cursor/hooks.json team=.cursor/hooks.json ;;
    copilot) own=${COPILOT_HOME:-$HOME/.copilot}/hooks/guards.json root=/etc/github-copilot/policy.d/guards.json
      team=.github/hooks/guards.json ;;
  esac
}

yield() {
  [ "$harness $event" != 'cursor before-tool' ] || echo '{"permission":"allow"}' # silence is a refusal there
  exit 0
}

# Cursor and Copilot run the project hooks of Claude Code as well: what they send is theirs, and their own file, where
# the repository has one, is asked anyway
if [ "$harness" = claude ] && [ -z "$CLAUDECODE$CLAUDE_CODE_ENTRYPOINT" ]; then
  [ -z "$COPILOT_CLI" ] || harness=copilot
  [ -z "$CURSOR_VERSION" ] || harness=cursor
  if [ "$harness" != claude ]; then
    files "$harness"
    grep -qs "team\.sh.* $harness $event" "${CLAUDE_PROJECT_DIR:-.}/$team" && yield
  fi
fi

files "$harness"
grep -qs "hook\.py.* $harness before-tool .*# guards:managed" "$own" ${root:+"$root"} && yield

if [ "$event" != before-tool ]; then
  "$install/py" -IS "$hook" "$harness" "$event" 2>/dev/null
  exit 0
fi
"$install/py" -IS "$hook" "$harness" "$event"
code=$?
[ -s "$hook" ] && case $code in 0 | 2) exit $code ;; esac
echo "guards did not run for this repository's hook; the owner runs make install in the guards checkout, or removes $install" >&2
exit 2
