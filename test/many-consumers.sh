#!/usr/bin/env bash
# One ProvPerf and many users on one thread: every image, the same updates for each, latency and memory. With "hub" a HubPerf stands between.
# usage: many-consumers.sh [connections] [items] [updates per second and connection] [seconds] [direct or hub]
#        (default 50, 100, 100 and 3, direct; 1000, 100, 100 and 10 for a figure; 5000, 10, 10 and 10 through a hub)
set -euo pipefail
cd "$(dirname "$0")/.."
source test/port-of.sh
connections=${1:-50} items=${2:-100} rate=${3:-100} seconds=${4:-3} way=${5:-direct}
for project in tools/ProvPerf tools/HubPerf tools/UsersPerf; do
  dotnet build -c Release -v q -clp:ErrorsOnly "$project"
done
root=$PWD
folder=$(mktemp -d)
provider= hub=
trap 'for role in $provider $hub; do kill "$role" 2>/dev/null || true; done; rm -rf "$folder"' EXIT
cd "$folder"
ulimit -n "$(ulimit -Hn)"

dotnet "$root/tools/ProvPerf/bin/Release/net10.0/ProvPerf.dll" -p 0 -updateRate "$rate" -latencyUpdateRate 10 -tickRate $((rate < 100 ? rate : 100)) \
  -runTime $((3 * seconds + 60)) >provider.log 2>&1 &
provider=$!
port=$(port_of provider.log ProvPerf)
if [[ "$way" == hub ]]; then
  dotnet "$root/tools/HubPerf/bin/Release/net10.0/HubPerf.dll" -p 0 -niPort 0 -upstream "localhost:$port" >hub.log 2>&1 &
  hub=$!
  port=$(port_of hub.log HubPerf)
fi
dotnet "$root/tools/UsersPerf/bin/Release/net10.0/UsersPerf.dll" -p "$port" -threads 1 -steps "$connections" -subscriptions "$items" -subjects "$items" \
  -loginRate 1000 -warmup 0 -settle 2 -period "$seconds" | sed -n '/^  step/p; /^Overall Statistics/,$p'
for role in $hub $provider; do
  kill "$role"
  wait "$role" || true
done
provider= hub=
grep -hE "Memory Usage max|Updates not sent|Connections cut|Through p(50|99) |Queued bytes max" ./*Summary.out | sed 's/^ */  /'
