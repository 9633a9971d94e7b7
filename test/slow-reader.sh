#!/usr/bin/env bash
# One ProvPerf and some readers, of which one stops: what the others see of it, against a run in which none stops. With "hub" a HubPerf stands between.
# usage: slow-reader.sh [updates per second and connection] [seconds] [direct or hub] [readers] [cut, conflate or drop]
#        (default 10000, 10, direct, 10 and cut; 500 10 hub 100 for a hundred through a hub)
set -euo pipefail
cd "$(dirname "$0")/.."
source test/port-of.sh
rate=${1:-10000} seconds=${2:-10} way=${3:-direct} readers=${4:-10} slow_policy=${5:-cut}
for project in tools/ProvPerf tools/HubPerf tools/ConsPerf tools/UsersPerf; do
  dotnet build -c Release -v q -clp:ErrorsOnly "$project"
done
root=$PWD
folder=$(mktemp -d)
provider= hub= slow=
finish() {
  [[ -z "$slow" ]] || kill -KILL "$slow" 2>/dev/null || true
  for role in $hub $provider; do kill "$role" 2>/dev/null || true; done
  rm -rf "$folder"
}
trap finish EXIT
cd "$folder"

# With "stopped" the last of the connections is frozen once it has its images.
run() {
  rm -f ./*Summary.out ./*.log
  dotnet "$root/tools/ProvPerf/bin/Release/net10.0/ProvPerf.dll" -p 0 -updateRate "$rate" -latencyUpdateRate $((rate < 1000 ? rate : 1000)) -tickRate $((rate < 1000 ? rate : 1000)) -outputBufs 500 \
    -runTime $((3 * seconds + 60)) -jsonFile provider.json >provider.log 2>&1 &
  provider=$!
  port=$(port_of provider.log ProvPerf)
  if [[ "$way" == hub ]]; then
    dotnet "$root/tools/HubPerf/bin/Release/net10.0/HubPerf.dll" -p 0 -niPort 0 -upstream "localhost:$port" -slow "$slow_policy" >hub.log 2>&1 &
    hub=$!
    port=$(port_of hub.log HubPerf)
  fi
  dotnet "$root/tools/ConsPerf/bin/Release/net10.0/ConsPerf.dll" -p "$port" -itemCount 100 -steadyStateTime $((3 * seconds + 60)) >slow.log 2>&1 &
  slow=$!
  for _ in $(seq 100); do
    grep -q "Image retrieval time" slow.log && break
    sleep 0.1
  done
  [[ "$1" != stopped ]] || kill -STOP "$slow"
  echo "$1:"
  dotnet "$root/tools/UsersPerf/bin/Release/net10.0/UsersPerf.dll" -p "$port" -threads 1 -steps $((readers - 1)) -subscriptions 100 -subjects 100 \
    -warmup 0 -settle 1 -period "$seconds" | sed -n '/^  step/p' | tee result.log
  p99=$(sed -n 's/^  step.* p99 \([0-9.]*\)$/\1/p' result.log)
  kill -KILL "$slow" 2>/dev/null || true
  wait "$slow" 2>/dev/null || true
  for role in $hub $provider; do
    kill "$role"
    wait "$role" || true
  done
  provider= hub= slow=
  grep -E "Memory Usage max|Updates (not sent|conflated|dropped)|Connections cut|Queued bytes max" ./*Summary.out | sed -E 's/^[.][/](Prov|Hub)Summary.out: */\1Perf: /'
}

run reading
without=$p99
run stopped
awk -v a="$without" -v b="$p99" 'BEGIN { printf "p99 of the others: %s ms with all reading, %s ms with one stopped: %+.0f %%\n", a, b, 100 * (b - a) / a }'
