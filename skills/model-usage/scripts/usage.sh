#!/bin/sh
# Add up the tokens of recorded sessions.
#
# Reads what `prowess sessions list --limit 0 --json` prints, from the program itself or
# from a file. Exit status: 0 done (also when nothing was found), 2 wrong usage, 3 jq or
# prowess is missing or the input cannot be read.
set -u

usage() {
    cat <<'HELP'
usage: usage.sh [-b GROUP] [-s DAY] [-u DAY] [-f FILE] [-j]

  -b GROUP  model (default), day, agent, skill, session or total
  -s DAY    only runs since this day, as YYYY-MM-DD (UTC)
  -u DAY    only runs until this day, that day included
  -f FILE   read the sessions from FILE instead of asking prowess; - is standard input
  -j        answer in JSON

A run that used several skills counts in full for each of them under -b skill.
HELP
}

wrong() {
    echo "usage.sh: $1" >&2
    usage >&2
    exit 2
}

missing() {
    echo "usage.sh: $1" >&2
    exit 3
}

is_day() {
    case $1 in
        [0-9][0-9][0-9][0-9]-[0-1][0-9]-[0-3][0-9]) return 0 ;;
    esac
    return 1
}

group=model
since=0000-00-00
last=9999-99-99
file=
json=false

while getopts 'b:s:u:f:jh' option; do
    case $option in
        b) group=$OPTARG ;;
        s)
            is_day "$OPTARG" || wrong "-s needs a day as YYYY-MM-DD, got '$OPTARG'"
            since=$OPTARG
            ;;
        u)
            is_day "$OPTARG" || wrong "-u needs a day as YYYY-MM-DD, got '$OPTARG'"
            last=$OPTARG
            ;;
        f) file=$OPTARG ;;
        j) json=true ;;
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

[ $# -eq 0 ] || wrong "takes no arguments, got '$1'"
case $group in
    model | day | agent | skill | session | total) ;;
    *) wrong "-b takes model, day, agent, skill, session or total, got '$group'" ;;
esac
command -v jq >/dev/null 2>&1 || missing "jq is not on PATH"
[ -n "$file" ] || command -v prowess >/dev/null 2>&1 || missing "prowess is not on PATH"

sessions() {
    case $file in
        '') prowess sessions list --limit 0 --json ;;
        -) cat ;;
        *) cat -- "$file" ;;
    esac
}

text=$(sessions) || missing "the sessions could not be read"

# The program belongs to jq: its $ names are no shell variables.
# shellcheck disable=SC2016
program='
  def day: (. / 1000 | floor | gmtime | strftime("%Y-%m-%d"));
  def keys_of($run; $session):
    if $group == "model" then [$run.backend.model // $run.backend.name // "unknown"]
    elif $group == "day" then [$run.started | day]
    elif $group == "agent" then [$session.agent // "unknown"]
    elif $group == "session" then [$session.id]
    elif $group == "skill" then (if ($run.skills | length) > 0 then $run.skills else ["(none)"] end)
    else ["total"] end;
  [ .sessions[] as $session
    | $session.runs[]
    | select(.started != null)
    | select((.started | day) >= $since and (.started | day) <= $last)
    | . as $run
    | keys_of($run; $session)[]
    | { key: ., input: ($run.usage.inputTokens // 0), output: ($run.usage.outputTokens // 0),
        cached: ($run.usage.cachedTokens // 0), requests: ($run.usage.requests // 0) } ]
  | group_by(.key)
  | map({ key: .[0].key, runs: length, requests: (map(.requests) | add),
          inputTokens: (map(.input) | add), cachedTokens: (map(.cached) | add),
          outputTokens: (map(.output) | add) })
  | if $group == "day" then sort_by(.key) else sort_by(-(.inputTokens + .outputTokens)) end'

rows=$(printf '%s\n' "$text" | jq --arg group "$group" --arg since "$since" --arg last "$last" "$program") ||
    missing "the sessions are not what prowess sessions list --json prints"

if [ "$json" = true ]; then
    printf '%s\n' "$rows"
else
    printf '%s\n' "$rows" | jq -r --arg group "$group" '
      [$group, "runs", "requests", "input", "cached", "output"],
      (.[] | [.key, .runs, .requests, .inputTokens, .cachedTokens, .outputTokens]) | map(tostring) | join("\t")'
fi
