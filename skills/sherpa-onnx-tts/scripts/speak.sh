#!/bin/sh
# Speak a text with a local sherpa-onnx model: looks at the files of the model and
# chooses the flags that its family wants.
#
# Exit status: 0 written (the path is printed), 1 the program failed, 2 wrong usage,
# 3 no model of a known family, or the program is not installed.
set -u

usage() {
    cat <<'HELP'
usage: speak.sh -m MODEL_FOLDER -o OUT.wav [options] TEXT
       speak.sh -m MODEL_FOLDER -o OUT.wav [options] -f FILE

  -m FOLDER  folder of an unpacked model (Piper/VITS, Kokoro or Supertonic)
  -o FILE    WAV file to write; replaced if it exists
  -f FILE    read the text from a file, - for standard input
  -s NUMBER  speaker (default 0)
  -r FACTOR  speed, larger is faster
  -l LANG    language code, for models that speak several
  -t NUMBER  threads (default 2)
  -n         print the command instead of running it
HELP
}

wrong() {
    echo "speak.sh: $1" >&2
    usage >&2
    exit 2
}

missing() {
    echo "speak.sh: $1" >&2
    exit 3
}

# The first of the given files that exists.
first() {
    for candidate in "$@"; do
        if [ -f "$candidate" ]; then
            printf '%s' "$candidate"
            return 0
        fi
    done
    return 1
}

# The given files that exist, with commas between them.
joined() {
    list=
    for candidate in "$@"; do
        [ -f "$candidate" ] && list="${list:+$list,}$candidate"
    done
    printf '%s' "$list"
}

program=sherpa-onnx-offline-tts
model='' out='' file='' speaker=0 speed='' lang='' threads=2 show=
while getopts m:o:f:s:r:l:t:nh option; do
    case $option in
        m) model=${OPTARG%/} ;;
        o) out=$OPTARG ;;
        f) file=$OPTARG ;;
        s) speaker=$OPTARG ;;
        r) speed=$OPTARG ;;
        l) lang=$OPTARG ;;
        t) threads=$OPTARG ;;
        n) show=yes ;;
        h)
            usage
            exit 0
            ;;
        *) wrong 'unknown option' ;;
    esac
done
shift $((OPTIND - 1))

[ -n "$model" ] || wrong 'no model folder (-m)'
[ -n "$out" ] || wrong 'no output file (-o)'
case $speaker$threads in
    *[!0-9]*) wrong '-s and -t take whole numbers' ;;
esac
case $speed in
    . | *[!0-9.]* | *.*.*) wrong '-r takes a number such as 1.1' ;;
esac

if [ -n "$file" ]; then
    [ $# -eq 0 ] || wrong 'text and -f exclude each other'
    if [ "$file" = - ]; then
        text=$(cat)
    else
        [ -f "$file" ] || wrong "no such file: $file"
        text=$(cat "$file")
    fi
else
    [ $# -eq 1 ] || wrong 'give the text as one argument, or a file with -f'
    text=$1
fi
[ -n "$text" ] || wrong 'the text is empty'
[ -d "$model" ] || missing "no such model folder: $model"

beside=${model%/*}
[ "$beside" = "$model" ] && beside=.

set -- "$program" "--num-threads=$threads" "--sid=$speaker" "--output-filename=$out"
[ -z "$speed" ] || set -- "$@" "--speed=$speed"
if predictor=$(first "$model"/duration_predictor*.onnx); then
    family=supertonic
    encoder=$(first "$model"/text_encoder*.onnx) || missing "no text_encoder*.onnx in $model"
    estimator=$(first "$model"/vector_estimator*.onnx) || missing "no vector_estimator*.onnx in $model"
    vocoder=$(first "$model"/vocoder*.onnx) || missing "no vocoder*.onnx in $model"
    set -- "$@" "--supertonic-duration-predictor=$predictor" "--supertonic-text-encoder=$encoder" \
        "--supertonic-vector-estimator=$estimator" "--supertonic-vocoder=$vocoder" \
        "--supertonic-tts-json=$model/tts.json" "--supertonic-unicode-indexer=$model/unicode_indexer.bin" \
        "--supertonic-voice-style=$model/voice.bin" "--lang=${lang:-en}" --num-steps=8
elif [ -f "$model/voices.bin" ]; then
    case ${model##*/} in
        *kitten*) family=kitten ;;
        *) family=kokoro ;;
    esac
    network=$(first "$model"/model*.onnx) || missing "no model*.onnx in $model"
    lexicon=$(joined "$model/lexicon.txt" "$model/lexicon-us-en.txt" "$model/lexicon-zh.txt")
    [ -n "$lexicon" ] || lexicon=$(joined "$beside/lexicon-en-us.txt")
    set -- "$@" "--$family-model=$network" "--$family-voices=$model/voices.bin" "--$family-tokens=$model/tokens.txt"
    [ -z "$lexicon" ] || set -- "$@" "--$family-lexicon=$lexicon"
    [ "$family" = kitten ] || [ -z "$lang" ] || set -- "$@" "--kokoro-lang=$lang"
elif network=$(first "$model"/*.onnx) && [ -f "$model/tokens.txt" ]; then
    family=vits
    lexicon=$(joined "$model/lexicon.txt")
    case ${model##*/} in
        *en_US* | *en_GB*) [ -n "$lexicon" ] || lexicon=$(joined "$beside/lexicon-en-us.txt") ;;
    esac
    set -- "$@" "--vits-model=$network" "--vits-tokens=$model/tokens.txt"
    [ -z "$lexicon" ] || set -- "$@" "--vits-lexicon=$lexicon"
else
    missing "no Piper/VITS, Kokoro, Kitten or Supertonic model in $model"
fi
# Version 1 needs this folder; version 2 accepts and ignores the flag.
if [ "$family" != supertonic ] && [ -d "$model/espeak-ng-data" ]; then
    set -- "$@" "--$family-data-dir=$model/espeak-ng-data"
fi

if [ -n "$show" ]; then
    printf '%s\n' "$@" "$text"
    exit 0
fi
command -v "$program" >/dev/null 2>&1 || missing "$program is not installed"
"$@" "$text" >&2 || exit 1
[ -s "$out" ] || {
    echo "speak.sh: $program wrote nothing to $out" >&2
    exit 1
}
printf '%s\n' "$out"
