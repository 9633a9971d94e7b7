#!/usr/bin/env bash
# One ProvPerf and ten readers, of which one stops: what the other nine see of it, against a run in which none stops.
# usage: slow-reader.sh [updates per second and connection] [seconds]     (default 10000 and 10)
set -euo pipefail
cd "$(dirname "$0")/.."
rate=${1:-10000} seconds=${2:-10}
for project in tools/ProvPerf tools/ConsPerf test/ManyConsumers; do
  dotnet build -c Release -v q -clp:ErrorsOnly "$project"
done
root=$PWD
folder=$(mktemp -d)
provider= slow=
finish() {
  [[ -z "$slow" ]] || kill -KILL "$slow" 2>/dev/null || true
  [[ -z "$provider" ]] || kill "$provider" 2>/dev/null || true
  rm -rf "$folder"
}
trap finish EXIT
cd "$folder"

# Ten connections in all; with "stopped" the tenth is frozen once it has its images.
run() {
  dotnet "$root/tools/ProvPerf/bin/Release/net10.0/ProvPerf.dll" -p 0 -updateRate "$rate" -latencyUpdateRate 1000 -outputBufs 500 \
    -runTime $((3 * seconds + 60)) -jsonFile provider.json >provider.log 2>&1 &
  provider=$!
  for _ in $(seq 100); do
    port=$(sed -n 's/^Listening on port //p' provider.log 2>/dev/null || true)
    [[ -z "$port" ]] || break
    sleep 0.1
  done
  [[ -n "$port" ]] || { echo "slow-reader: ProvPerf does not listen" >&2; exit 1; }
  dotnet "$root/tools/ConsPerf/bin/Release/net10.0/ConsPerf.dll" -p "$port" -itemCount 100 -steadyStateTime $((3 * seconds + 60)) >slow.log 2>&1 &
  slow=$!
  for _ in $(seq 100); do
    grep -q "Image retrieval time" slow.log && break
    sleep 0.1
  done
  [[ "$1" != stopped ]] || kill -STOP "$slow"
  echo "$1:"
  dotnet "$root/test/ManyConsumers/bin/Release/net10.0/ManyConsumers.dll" "localhost:$port" 9 100 "$seconds" | tee result.log
  p99=$(sed -n 's/^latency.*p99 \([0-9.]*\),.*/\1/p' result.log)
  kill -KILL "$slow" 2>/dev/null || true
  wait "$slow" 2>/dev/null || true
  kill "$provider"
  wait "$provider" || true
  provider= slow=
  grep -E "Memory Usage max|Updates not sent" ProvSummary.out | sed 's/^ */ProvPerf: /'
}

run reading
without=$p99
run stopped
awk -v a="$without" -v b="$p99" 'BEGIN { printf "p99 of the nine: %s ms with all ten reading, %s ms with one stopped: %+.0f %%\n", a, b, 100 * (b - a) / a }'
