#!/bin/sh
# Take still pictures out of a video with ffmpeg.
#
# Exit status: 0 written (the files are printed), 1 ffmpeg failed or wrote nothing,
# 2 wrong usage or a file in the way, 3 ffmpeg is not installed.
set -u

usage() {
    cat <<'HELP'
usage: frames.sh [-m MOST] [-w WIDTH] at TIME VIDEO PICTURE
       frames.sh [-m MOST] [-w WIDTH] every SECONDS VIDEO FOLDER
       frames.sh [-m MOST] [-w WIDTH] scenes THRESHOLD VIDEO FOLDER
       frames.sh [-w WIDTH] sheet COLUMNSxROWS VIDEO PICTURE

  TIME       90, 1:30 or 0:01:30.5
  SECONDS    distance of two frames, as 10 or 0.5
  THRESHOLD  change that makes a new scene, between 0 and 1; 0.3 suits most films
  PICTURE    .jpg or .png; it must not exist yet
  FOLDER     is made if needed; it must hold no frame-*.jpg yet
  -m MOST    at most this many frames (default 200)
  -w WIDTH   width of a frame in pixels (default 1280 at most, in a sheet 320)
HELP
}

wrong() {
    echo "frames.sh: $1" >&2
    exit 2
}

is_whole() {
    case $1 in
        '' | 0* | *[!0-9]*) return 1 ;;
    esac
}

is_number() {
    case $1 in
        '' | . | *[!0-9.]* | *.*.*) return 1 ;;
    esac
}

most=200 width=
while getopts m:w:h option; do
    case $option in
        m) most=$OPTARG ;;
        w) width=$OPTARG ;;
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
[ $# -eq 4 ] || {
    usage >&2
    exit 2
}
mode=$1 value=$2 video=$3 target=$4
is_whole "$most" || wrong '-m takes a whole number'
[ -z "$width" ] || is_whole "$width" || wrong '-w takes a whole number'
[ -f "$video" ] || wrong "no such video: $video"
case $video in
    -*) video=./$video ;;
esac
case $target in
    -*) target=./$target ;;
esac
# A frame is made smaller, but never larger unless a width is asked for.
size="scale='min(1280,iw)':-2"
[ -z "$width" ] || size="scale=$width:-2"

command -v ffmpeg >/dev/null 2>&1 || {
    echo 'frames.sh: ffmpeg is not installed' >&2
    exit 3
}

# Where a picture goes: the ending must be known and the name free.
picture() {
    case $target in
        *.jpg | *.jpeg | *.png) ;;
        *) wrong 'the picture must end with .jpg or .png' ;;
    esac
    [ ! -e "$target" ] || wrong "it exists already: $target"
}

# A folder for numbered frames. A % in its name would be taken for a pattern.
folder() {
    case $target in
        *%*) wrong 'the folder may not have a % in its name' ;;
    esac
    mkdir -p "$target" || exit 2
    for old in "$target"/frame-*.jpg; do
        [ ! -e "$old" ] || wrong "there are frames in $target already"
    done
}

run() {
    ffmpeg -v error -nostdin -n "$@" || {
        echo 'frames.sh: ffmpeg failed' >&2
        exit 1
    }
}

# ffmpeg ends well even when there was nothing to take.
tell() {
    some=
    for made in "$@"; do
        if [ -s "$made" ]; then
            printf '%s\n' "$made"
            some=yes
        fi
    done
    [ -n "$some" ] || {
        echo 'frames.sh: no frame there (past the end, or nothing matched)' >&2
        exit 1
    }
}

# Length in seconds, from what ffmpeg says about the file.
length() {
    ffmpeg -hide_banner -nostdin -i "$video" 2>&1 |
        sed -n 's/.*Duration: \([0-9]*\):\([0-9]*\):\([0-9.]*\),.*/\1 \2 \3/p' |
        awk 'NR == 1 { print $1 * 3600 + $2 * 60 + $3 }'
}

case $mode in
    at)
        case $value in
            '' | *[!0-9:.]*) wrong 'TIME looks like 90, 1:30 or 0:01:30.5' ;;
        esac
        picture
        run -ss "$value" -i "$video" -frames:v 1 -update 1 -vf "$size" -q:v 3 "$target"
        tell "$target"
        ;;
    every)
        is_number "$value" || wrong 'SECONDS is a number such as 10 or 0.5'
        awk -v n="$value" 'BEGIN { exit !(n > 0) }' || wrong 'SECONDS must be more than 0'
        folder
        run -i "$video" -vf "fps=1/$value,$size" -frames:v "$most" -q:v 3 "$target/frame-%04d.jpg"
        tell "$target"/frame-*.jpg
        ;;
    scenes)
        is_number "$value" || wrong 'THRESHOLD is a number such as 0.3'
        awk -v n="$value" 'BEGIN { exit !(n > 0 && n < 1) }' || wrong 'THRESHOLD lies between 0 and 1'
        folder
        run -i "$video" -vf "select='gt(scene,$value)',$size" -fps_mode vfr \
            -frames:v "$most" -q:v 3 "$target/frame-%04d.jpg"
        tell "$target"/frame-*.jpg
        ;;
    sheet)
        case $value in
            *x*) columns=${value%%x*} rows=${value#*x} ;;
            *) wrong 'the grid looks like 4x5' ;;
        esac
        { is_whole "$columns" && is_whole "$rows"; } || wrong 'the grid looks like 4x5'
        count=$((columns * rows))
        [ "$count" -le 100 ] || wrong 'at most 100 frames in a sheet'
        picture
        seconds=$(length)
        awk -v s="${seconds:-0}" 'BEGIN { exit !(s > 0) }' || {
            echo "frames.sh: cannot tell how long $video is" >&2
            exit 1
        }
        rate=$(awk -v n="$count" -v s="$seconds" 'BEGIN { printf "%.6f", n / s }')
        run -i "$video" -vf "fps=$rate,scale=${width:-320}:-2,tile=${columns}x$rows:padding=4" \
            -frames:v 1 -update 1 -q:v 3 "$target"
        tell "$target"
        ;;
    *)
        usage >&2
        exit 2
        ;;
esac
