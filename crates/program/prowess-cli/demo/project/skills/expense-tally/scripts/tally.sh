#!/bin/sh
# Adds up the third column of a CSV file by its second, the largest first.
set -eu
awk -F, 'NR > 1 { sum[$2] += $3 } END { for (name in sum) printf "%8.2f  %s\n", sum[name], name }' "$1" | sort -rn
