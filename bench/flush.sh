#!/bin/sh
# What each flush policy of Amphora costs and brings, in turns; options: bench/run flush-table --help.
# Needs the distribution and the load generator, see compare.sh.
set -eu
dir=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)
home=$dir/../distribution/target/amphora/amphora
work=${AMPHORA_BENCH_WORK:-$dir/target/compare}
mkdir -p "$work"
"$home/bin/amphora" prepare >&2
exec "$dir/run" flush-table --amphora "$home" --work "$work" "$@"
