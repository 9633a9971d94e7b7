#!/usr/bin/env bash
# Whole conversations on a network in memory that delays, splits, stalls, resets and reorders: every seed is a run of its own, and the same one each time.
# usage: network-seeds.sh [count] [first]     (default 2000 and 0, some seconds; 1000000 for a night; "1 4711" plays the run of seed 4711 again)
set -euo pipefail
cd "$(dirname "$0")/.."
count=${1:-2000}
first=${2:-0}
[[ "$count" =~ ^[1-9][0-9]*$ ]] || { echo "network-seeds: '$count' is not a number of 1 or more" >&2; exit 2; }
[[ "$first" =~ ^(0|[1-9][0-9]*)$ ]] || { echo "network-seeds: '$first' is not a number of 0 or more" >&2; exit 2; }
PERFTOOLS_NETWORK_SEEDS=$count PERFTOOLS_NETWORK_FIRST=$first dotnet test -c Release --project test/PerfCommon.Tests \
  --filter-method '*NetworkSeedTests.Play_ManySeeds*' --show-live-output on --no-ansi --no-progress --minimum-expected-tests 1
