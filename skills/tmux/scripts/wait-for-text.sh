#!/bin/sh
# Wait until a pattern shows up in a tmux pane.
#
# Exit status: 0 found (the newest matching line is printed), 1 timed out (the
# last screen goes to stderr), 2 wrong usage, 3 the pane is not there (any more).
set -u

usage() {
    cat <<'HELP'
usage: wait-for-text.sh [-F] [-L socket] [-n lines] [-t seconds] [-i seconds] TARGET PATTERN

  TARGET    pane, as tmux -t takes it: session, session:window.pane or %id
  PATTERN   extended regular expression, looked for line by line
  -F        take PATTERN as plain text
  -L NAME   name of the tmux socket (as in tmux -L)
  -n LINES  also look at this many lines of history above the screen (default 0)
  -t SECS   give up after this many seconds (default 30)
  -i SECS   pause between two looks (default 0.5)
HELP
}

wrong() {
    echo "wait-for-text.sh: $1" >&2
    usage >&2
    exit 2
}

is_whole_number() {
    case $1 in
        '' | *[!0-9]*) return 1 ;;
    esac
}

is_pause() {
    case $1 in
        '' | . | *[!0-9.]* | *.*.*) return 1 ;;
    esac
}

matcher=-E
socket=
history=0
timeout=30
interval=0.5

while getopts 'FL:n:t:i:h' option; do
    case $option in
        F) matcher=-F ;;
        L) socket=$OPTARG ;;
        n) history=$OPTARG ;;
        t) timeout=$OPTARG ;;
        i) interval=$OPTARG ;;
        h)
            usage
            exit 0
            ;;
        *)
            usage >&2
            exit 2
            ;;
    esac
done
shift $((OPTIND - 1))

[ $# -eq 2 ] || wrong "needs a target and a pattern"
target=$1
pattern=$2

is_whole_number "$history" || wrong "-n needs a whole number, got '$history'"
is_whole_number "$timeout" || wrong "-t needs a whole number, got '$timeout'"
is_pause "$interval" || wrong "-i needs a number, got '$interval'"
[ -n "$pattern" ] || wrong "the pattern is empty"
command -v tmux >/dev/null 2>&1 || wrong "tmux is not on PATH"

# grep answers 2 for a pattern it cannot read, and never 1 in that case.
: | grep -q "$matcher" -e "$pattern" 2>/dev/null
[ $? -le 1 ] || wrong "not a regular expression: '$pattern'"

# -J joins lines that were only wrapped by the pane's width.
screen() {
    set -- capture-pane -p -J -S "-$history" -t "$target"
    [ -z "$socket" ] || set -- -L "$socket" "$@"
    tmux "$@"
}

deadline=$(($(date +%s) + timeout))
while :; do
    text=$(screen) || {
        echo "wait-for-text.sh: no such pane: $target" >&2
        exit 3
    }
    if lines=$(printf '%s\n' "$text" | grep "$matcher" -e "$pattern"); then
        printf '%s\n' "$lines" | tail -n 1
        exit 0
    fi
    [ "$(date +%s)" -lt "$deadline" ] || break
    sleep "$interval"
done

echo "wait-for-text.sh: '$pattern' did not appear in $target within ${timeout}s; last screen:" >&2
printf '%s\n' "$text" >&2
exit 1
