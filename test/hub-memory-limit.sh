#!/usr/bin/env bash
# A hub whose heap may have 48 MB, and a publisher of 350,000 images: each run must leave whole results. Beside a second publisher the hub goes on: the
# greatest is closed.
# usage: hub-memory-limit.sh [runs]     (default 3; 100 for a figure)
set -euo pipefail
cd "$(dirname "$0")/.."
runs=${1:-3}
[[ "$runs" =~ ^[1-9][0-9]*$ ]] || { echo "hub-memory-limit: '$runs' is no number of runs" >&2; exit 2; }
for project in tools/HubPerf tools/NIProvPerf; do
  [[ -n "${PERFTOOLS_BUILT:-}" ]] || dotnet build -c Release -v q -clp:ErrorsOnly "$project"
done
root=$PWD
folder=$(mktemp -d)
started=()
finish() {
  for role in "${started[@]}"; do kill -KILL "$role" 2>/dev/null || true; done
  rm -rf "$folder"
}
trap finish EXIT
cd "$folder"

# publish PORT ITEMS SERVICE: in the background; the process is $publisher.
publish() {
  dotnet "$root/tools/NIProvPerf/bin/Release/net10.0/NIProvPerf.dll" -h localhost -p "$1" -itemCount "$2" -serviceName "$3" -runTime 60 >>publisher.log 2>&1 &
  publisher=$!
  started+=("$publisher")
}
# is_whole: the results of the run are there, to their ends.
is_whole() {
  grep -q -- '--- OVERALL SUMMARY ---' HubSummary.out && tail -n 1 hub.json | grep -q '"final":true.*}$' && [[ $(tail -n 1 HubStats.csv) == *,* ]] &&
    [[ $(wc -l <hub.err) == 1 ]]
}
whole=0 alone=0 beside=0
for run in $(seq "$runs"); do
  rm -f ./*.out ./*.json ./*.csv ./*.log ./*.err ./*crash*
  DOTNET_GCHeapHardLimit=0x3000000 dotnet "$root/tools/HubPerf/bin/Release/net10.0/HubPerf.dll" -p 0 -niPort 0 -runTime 60 -jsonFile hub.json >hub.log 2>hub.err &
  hub=$!
  started=("$hub")
  for _ in $(seq 200); do
    port=$(sed -n 's/^Listening for providers on port //p' hub.log 2>/dev/null || true)
    [[ -z "$port" ]] || break
    sleep 0.05
  done
  [[ -n "$port" ]] || { echo "run $run: the hub does not listen: $(cat hub.err)"; exit 1; }
  other=
  if (( run % 2 == 0 )); then
    publish "$port" 100 SMALL
    other=$publisher
    for _ in $(seq 100); do
      grep -q publishing publisher.log && break
      sleep 0.05
    done
  fi
  publish "$port" 350000 GREAT
  code=0
  if [[ -z "$other" ]]; then
    wait "$hub" || code=$?
    alone=$((alone + 1))
  else
    wait "$publisher" || true # it was closed
    kill -0 "$other" 2>/dev/null || echo "run $run: the small publisher was closed, too"
    kill "$hub" 2>/dev/null || true
    wait "$hub" || code=$?
    beside=$((beside + 1))
  fi
  expected=$([[ -z "$other" ]] && echo 5 || echo 143)
  if (( code == expected )) && is_whole; then
    whole=$((whole + 1))
  else
    echo "run $run: $code, $expected expected: $(head -c 300 hub.err); $(tail -n 1 hub.log); $(ls)"
  fi
  kill -KILL "${started[@]}" 2>/dev/null || true
  wait 2>/dev/null || true
done
echo "whole results in $whole of $runs runs ($alone with one publisher, $beside beside another)"
(( whole == runs ))
