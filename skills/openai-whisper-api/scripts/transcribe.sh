#!/bin/sh
# Send a recording to OpenAI's transcription API and print the answer.
#
# The key goes to curl through standard input, so that it never stands in the
# process list. Exit status: 0 done, 1 the request failed (the answer is on
# stderr), 2 wrong usage, 3 no key or no curl.
set -u

usage() {
    cat <<'HELP'
usage: transcribe.sh [options] RECORDING

  -m MODEL   model (default gpt-transcribe, or OPENAI_TRANSCRIBE_MODEL)
  -f FORMAT  json, text, srt, vtt, verbose_json or diarized_json (default json)
  -l LANG    language of the recording, as en or de
  -p TEXT    names and words that occur in it
  -c auto    let the server cut the audio (needed for speakers beyond 30 seconds)
  -w         time of every word (only with -f verbose_json)
  -T         translate into English (whisper-1 only)
  -o FILE    write the answer to a file; it must not exist yet
  -n         print the request and send nothing

OPENAI_API_KEY holds the key; OPENAI_BASE_URL names another server.
HELP
}

wrong() {
    echo "transcribe.sh: $1" >&2
    usage >&2
    exit 2
}

model=${OPENAI_TRANSCRIBE_MODEL:-gpt-transcribe}
format=json lang='' prompt='' chunking='' words='' task=transcriptions out='' show=''
while getopts m:f:l:p:c:wTo:nh option; do
    case $option in
        m) model=$OPTARG ;;
        f) format=$OPTARG ;;
        l) lang=$OPTARG ;;
        p) prompt=$OPTARG ;;
        c) chunking=$OPTARG ;;
        w) words=yes ;;
        T) task=translations ;;
        o) out=$OPTARG ;;
        n) show=yes ;;
        h)
            usage
            exit 0
            ;;
        *) wrong 'unknown option' ;;
    esac
done
shift $((OPTIND - 1))

[ $# -eq 1 ] || wrong 'name one recording'
recording=$1
[ -f "$recording" ] || wrong "no such file: $recording"
case $recording in
    *[\;,\"]*) wrong 'curl cannot take a file name with ; , or a double quote' ;;
esac
case $format in
    json | text | srt | vtt | verbose_json | diarized_json) ;;
    *) wrong "unknown format: $format" ;;
esac
[ -z "$words" ] || [ "$format" = verbose_json ] || wrong '-w needs -f verbose_json'
[ -z "$chunking" ] || [ "$chunking" = auto ] || wrong '-c takes only auto'
[ "$task" = transcriptions ] || [ "$model" = whisper-1 ] || wrong '-T needs -m whisper-1'
[ -z "$out" ] || [ ! -e "$out" ] || wrong "it exists already: $out"
bytes=$(wc -c <"$recording")
if [ "$model" = whisper-1 ] && [ "$bytes" -gt 26214400 ]; then
    wrong 'whisper-1 takes at most 25 MB; compress or cut the recording first'
fi

url=${OPENAI_BASE_URL:-https://api.openai.com/v1}/audio/$task
set -- -F "file=@$recording" --form-string "model=$model" --form-string "response_format=$format"
[ -z "$lang" ] || [ "$task" = translations ] || set -- "$@" --form-string "language=$lang"
[ -z "$prompt" ] || set -- "$@" --form-string "prompt=$prompt"
[ -z "$chunking" ] || set -- "$@" --form-string "chunking_strategy=$chunking"
[ -z "$words" ] || set -- "$@" --form-string 'timestamp_granularities[]=word'

if [ -n "$show" ]; then
    printf '%s\n' "POST $url"
    while [ $# -gt 1 ]; do
        printf '  %s\n' "$2"
        shift 2
    done
    exit 0
fi

command -v curl >/dev/null 2>&1 || {
    echo 'transcribe.sh: curl is not installed' >&2
    exit 3
}
case ${OPENAI_API_KEY:-} in
    '')
        echo 'transcribe.sh: OPENAI_API_KEY is not set' >&2
        exit 3
        ;;
    *[!A-Za-z0-9._-]*)
        echo 'transcribe.sh: OPENAI_API_KEY has characters that no key has' >&2
        exit 3
        ;;
esac

answer=$(mktemp) || exit 1
trap 'rm -f "$answer"' EXIT
status=$(printf 'header = "Authorization: Bearer %s"\n' "$OPENAI_API_KEY" |
    curl -sS -K - --max-time 600 -o "$answer" -w '%{http_code}' "$@" "$url") || exit 1
if [ "$status" != 200 ]; then
    echo "transcribe.sh: the server answered $status" >&2
    cat "$answer" >&2
    exit 1
fi
if [ -n "$out" ]; then
    cp "$answer" "$out" && printf '%s\n' "$out"
else
    cat "$answer"
fi
