#!/usr/bin/env bash
# What every hot path costs, and what the tools reach on this machine, in one table.
# usage: run.sh [quick] [direct|transport] [options of the ladder]     (quick: everything once and short, to see that it works)
#        run.sh regression [options]    (has a hot path become slower than recorded.json says of this processor? --help tells more)
#        run.sh copying [options]       (what an update costs ProvPerf with and without -preEnc, against a reader that only walks frames)
#        run.sh publishing [options]    (the highest rate of NIProvPerf, against a hub that only walks frames)
#        run.sh lz4                     (what LZ4 costs in PerfCommon beside liblz4, where that is installed)
#        run.sh --against <folder of another build> [options]   (what a message costs in both, in interleaved pairs of runs; --help tells more)
# Let it run alone: a build or a test beside it changes every figure.
set -euo pipefail
if [[ "${1:-}" =~ ^(--against|regression|lz4|copying|publishing)$ ]]; then
  here=$(dirname "$0")
  dotnet build "$here" -c Release -v q -clp:ErrorsOnly
  [[ "$1" == --against ]] || export DOTNET_TieredCompilation=0 # as in the tools
  exec dotnet "$here/bin/Release/net10.0/PerfCommon.Benchmarks.dll" "$@"
fi
cd "$(dirname "$0")"
job=short
options=()
if [[ "${1:-}" == quick ]]; then
  job=dry
  options+=(--quick)
  shift
fi
results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT
dotnet build -c Release -v q -clp:ErrorsOnly
dotnet run -c Release --no-build -- --filter '*' --job "$job" --join --artifacts "$results" >"$results/log" \
  || { tail -n 30 "$results/log" >&2; exit 1; }
dotnet run -c Release --no-build -- ladder "$@" "${options[@]}" --micro "$results/results"
