#!/usr/bin/env bash
# A provider that is killed in mid-run and started again on its port: how long after its "Listening" a consumer has the images of all its items again, and
# whether its counts say what was lost.
# usage: recovery.sh [items] [seconds without a provider]... (default 100000 items, 0 s and 2 s); takes about 10 s for each
set -euo pipefail
cd "$(dirname "$0")/.."
items=${1:-100000}
outages=("${@:2}")
[[ ${#outages[@]} -gt 0 ]] || outages=(0 2)
max_millis=${MAX_MILLIS:-1000}
[[ -n "${BUILT:-}" ]] || dotnet build -c Release -v q -clp:ErrorsOnly tools/PerfTools
programs=$PWD/tools/PerfTools/bin/Release/net10.0
work=$(mktemp -d)
pids=()
trap 'kill -9 "${pids[@]}" 2>/dev/null || true; rm -rf "$work"' EXIT
cd "$work"

fail() {
  echo "recovery: $1" >&2
  tail -n 15 ./*.log >&2
  exit 1
}

# each line behind the milliseconds at which it came
stamped() {
  local now
  while IFS= read -r line; do
    now=${EPOCHREALTIME/[.,]/}
    echo "${now%???} $line"
  done
}

# wait_for <text> <file>
wait_for() {
  for _ in $(seq 600); do
    ! grep -qs -- "$1" "$2" || return 0
    sleep 0.05
  done
  fail "\"$1\" did not come"
}

# provide <name> <port>: `process`
provide() {
  dotnet exec "$programs/ProvPerf.dll" -p "$2" -updateRate 1000 -runTime 120 -noDisplayStats -statsFile "$1" -summaryFile "$1.out" -jsonFile "$1.jsonl" > >(stamped >"$1.log") 2>&1 &
  process=$!
  pids+=("$process")
  wait_for "Listening on port" "$1.log"
}

# recover <seconds without a provider> <further options of the consumer>
recover() {
  local outage=$1 first again consumer port listening back lost recovered
  shift
  rm -f ./*
  provide first 0
  first=$process
  port=$(sed -n 's/.*Listening on port //p' first.log)
  dotnet exec "$programs/ConsPerf.dll" -p "$port" -itemCount "$items" -steadyStateTime 60 -writeStatsInterval 1 -statsFile cons -summaryFile cons.out -jsonFile cons.jsonl "$@" > >(stamped >cons.log) 2>&1 &
  consumer=$!
  pids+=("$consumer")
  wait_for "Image retrieval time" cons.log
  { kill -9 "$first" && wait "$first"; } 2>/dev/null || true
  sleep "$outage"
  provide again "$port"
  again=$process
  wait_for "items are back" cons.log
  kill "$consumer" && wait "$consumer" || true
  kill "$again" && wait "$again" || true
  listening=$(sed -n 's/ Listening on port.*//p' again.log)
  back=$(sed -n 's/ All [0-9]* items are back.*//p' cons.log | head -1)
  lost=$(tail -1 cons.jsonl | grep -o '"itemsLost":[0-9]*' | head -1 | cut -d: -f2)
  recovered=$(tail -1 cons.jsonl | grep -o '"itemsRecovered":[0-9]*' | head -1 | cut -d: -f2)
  echo "recovery: $items items, ${outage} s without a provider, $*: back $((back - listening)) ms after it listened again; $lost lost, $recovered recovered"
  [[ "$lost" -eq "$items" && "$recovered" -eq "$items" ]] || fail "not every item was lost and recovered"
  [[ $((back - listening)) -le "$max_millis" ]] || fail "it took more than $max_millis ms"
}

for outage in "${outages[@]}"; do
  recover "$outage" -watchlist -reconnectDelay 100
  recover "$outage" -reactor -reconnectDelay 100
done
