#!/bin/sh
# One request to the Trello REST API, as JSON.
#
# The key and the token go to curl on its standard input, never on a command line.
# Exit status: 0 done, 1 Trello refused (its answer goes to stderr) or could not be
# reached, 2 wrong usage, 3 TRELLO_API_KEY or TRELLO_TOKEN is missing.
set -u

usage() {
    cat <<'HELP'
usage: trello.sh METHOD PATH [NAME=VALUE ...]

  METHOD      GET, POST, PUT or DELETE
  PATH        below https://api.trello.com/1, such as /members/me/boards
  NAME=VALUE  parameter; the value is encoded for you
HELP
}

wrong() {
    echo "trello.sh: $1" >&2
    usage >&2
    exit 2
}

case ${1-} in
    -h | --help)
        usage
        exit 0
        ;;
    GET | POST | PUT | DELETE) method=$1 ;;
    *) wrong "METHOD must be GET, POST, PUT or DELETE" ;;
esac

case ${2-} in
    *[!A-Za-z0-9/_-]*) wrong "PATH has a character that does not belong there" ;;
    /?*) path=$2 ;;
    *) wrong "PATH must start with /" ;;
esac
shift 2

for secret in "${TRELLO_API_KEY-}" "${TRELLO_TOKEN-}"; do
    case $secret in
        '' | *[!A-Za-z0-9]*)
            echo 'trello.sh: set TRELLO_API_KEY and TRELLO_TOKEN' >&2
            exit 3
            ;;
    esac
done

# The parameters become curl options, in place.
for parameter in "$@"; do
    case $parameter in
        ?*=*) set -- "$@" --data-urlencode "$parameter" ;;
        *) wrong "$parameter is not NAME=VALUE" ;;
    esac
    shift
done
if [ "$method" = GET ]; then
    set -- --get "$@"
fi

if answer=$(
    printf 'header = "Authorization: OAuth oauth_consumer_key=\\"%s\\", oauth_token=\\"%s\\""\n' \
        "$TRELLO_API_KEY" "$TRELLO_TOKEN" |
        curl --silent --show-error --fail-with-body --max-time 30 --config - \
            --request "$method" "$@" "https://api.trello.com/1$path"
); then
    printf '%s\n' "$answer"
else
    printf '%s\n' "$answer" >&2
    exit 1
fi
