#!/usr/bin/env bash
# One ProvPerf and many consumers on one thread: every image, the same updates for each, latency and memory.
# usage: many-consumers.sh [connections] [items] [updates per second and connection] [seconds]     (default 50, 100, 100 and 3; 1000, 100, 100 and 10 for a figure)
set -euo pipefail
cd "$(dirname "$0")/.."
connections=${1:-50} items=${2:-100} rate=${3:-100} seconds=${4:-3}
for project in tools/ProvPerf test/ManyConsumers; do
  dotnet build -c Release -v q -clp:ErrorsOnly "$project"
done
root=$PWD
folder=$(mktemp -d)
provider=
trap '[[ -z "$provider" ]] || kill "$provider" 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
dotnet "$root/tools/ProvPerf/bin/Release/net10.0/ProvPerf.dll" -p 0 -updateRate "$rate" -latencyUpdateRate 10 -tickRate 100 \
  -runTime $((3 * seconds + 60)) >provider.log 2>&1 &
provider=$!
for _ in $(seq 100); do
  port=$(sed -n 's/^Listening on port //p' provider.log 2>/dev/null || true)
  [[ -z "$port" ]] || break
  sleep 0.1
done
[[ -n "$port" ]] || { echo "many-consumers: ProvPerf does not listen" >&2; exit 1; }
dotnet "$root/test/ManyConsumers/bin/Release/net10.0/ManyConsumers.dll" "localhost:$port" "$connections" "$items" "$seconds"
kill "$provider"
wait "$provider" || true
provider=
grep -E "Memory Usage max|Updates not sent" ProvSummary.out | sed 's/^ */ProvPerf: /'
