#!/bin/sh
# One request to the REST API of a BlueBubbles server, as JSON.
#
# BlueBubbles takes its password as part of the address. The address therefore goes to
# curl on its standard input, never on a command line.
# Exit status: 0 done, 1 the server refused (its answer goes to stderr) or could not be
# reached, 2 wrong usage, 3 BLUEBUBBLES_URL or BLUEBUBBLES_PASSWORD is missing or unusable.
set -u

usage() {
    cat <<'HELP'
usage: bluebubbles.sh METHOD PATH [NAME=VALUE ...] [< body.json]

  METHOD      GET, POST, PUT or DELETE; all but GET send standard input as JSON
  PATH        below /api/v1, such as /chat/query or '/chat/iMessage;-;+15555550123/message'
  NAME=VALUE  query parameter; path and values are encoded for you
HELP
}

wrong() {
    echo "bluebubbles.sh: $1" >&2
    usage >&2
    exit 2
}

encode() {
    printf '%s' "$1" | jq --raw-input --slurp --raw-output '@uri'
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
    */../* | */..) wrong "PATH must not climb" ;;
    /?*) path=$2 ;;
    *) wrong "PATH must start with /" ;;
esac
shift 2

case ${BLUEBUBBLES_URL-} in
    http://?* | https://?*) server=${BLUEBUBBLES_URL%/} ;;
    *)
        echo 'bluebubbles.sh: set BLUEBUBBLES_URL to http://… or https://…' >&2
        exit 3
        ;;
esac
case $server in
    *[!A-Za-z0-9:/._-]*)
        echo 'bluebubbles.sh: BLUEBUBBLES_URL has a character that does not belong there' >&2
        exit 3
        ;;
esac
if [ -z "${BLUEBUBBLES_PASSWORD-}" ]; then
    echo 'bluebubbles.sh: set BLUEBUBBLES_PASSWORD' >&2
    exit 3
fi

# Slashes separate the parts of a path; everything else in it is data.
encoded_path=$(printf '%s' "$path" | jq --raw-input --slurp --raw-output 'split("/") | map(@uri) | join("/")')

query=
for parameter in "$@"; do
    case $parameter in
        ?*=*) query="$query$(encode "${parameter%%=*}")=$(encode "${parameter#*=}")&" ;;
        *) wrong "$parameter is not NAME=VALUE" ;;
    esac
done
password=$(encode "$BLUEBUBBLES_PASSWORD")

# The body stays on descriptor 3, because curl reads the address from descriptor 0.
if [ "$method" = GET ]; then
    exec 3</dev/null
    set --
else
    exec 3<&0
    set -- --header 'Content-Type: application/json' --data-binary @/dev/fd/3
fi

if answer=$(
    printf 'url = "%s/api/v1%s?%spassword=%s"\n' "$server" "$encoded_path" "$query" "$password" |
        curl --silent --show-error --fail-with-body --max-time 60 --config - --request "$method" "$@"
); then
    printf '%s\n' "$answer"
else
    printf '%s\n' "$answer" >&2
    exit 1
fi
