#!/usr/bin/env bash
# A hub between a provider and a consumer at 5,000 updates a second, and beside them consumers and publishers that attack the hub: what the consumer
# notices, and what the hub keeps. Each attack has a hub of its own.
# usage: hostile-hub.sh [seconds of each attack] [seconds after it] [attacks...]     (default 2, 10, every attack; 10 60 for a figure, with the machine to itself)
set -euo pipefail
cd "$(dirname "$0")/.."
source test/port-of.sh
seconds=${1:-2} after=${2:-10}
[[ "$seconds" =~ ^[1-9][0-9]*$ && "$after" =~ ^[1-9][0-9]*$ ]] || { echo "hostile-hub: '$seconds' and '$after' are no numbers of seconds" >&2; exit 2; }
kinds=("${@:3}")
(( ${#kinds[@]} )) || kinds=(none new-fields long-updates long-image directory directory-change great-info names images publishers-leave consumers-leave
  two-publishers shapes reissues batches snapshots posts large-posts slow-readers logins directory-requests noise silent)
for project in tools/ProvPerf tools/HubPerf tools/ConsPerf test/Floods; do
  [[ -n "${PERFTOOLS_BUILT:-}" ]] || dotnet build -c Release -v q -clp:ErrorsOnly "$project"
done
root=$PWD
least_rate=99 # percent of 5,000 that the consumer keeps
most_growth=64 # MB while it is attacked, where the attack is none that is to be kept
most_left=32 # MB more than before, so many seconds after the attack
keep=$((after / 3)) # seconds an image of a publisher that left is kept
folder=$(mktemp -d)
started=()
finish() {
  for role in "${started[@]}"; do kill -KILL "$role" 2>/dev/null || true; done
  rm -rf "$folder"
}
trap finish EXIT
ulimit -n "$(ulimit -Hn)"
cd "$folder"

start() { # NAME TOOL OPTIONS: in the background, its output in NAME.log; the process is $role
  local name=$1 tool=$2
  shift 2
  dotnet "$root/tools/$tool/bin/Release/net10.0/$tool.dll" "$@" >"$name.log" 2>&1 &
  role=$!
  started+=("$role")
}
resident() { awk '/^VmRSS/ { print int($2 / 1024) }' "/proc/$1/status"; }
figure() { # FILE NAME: the first of that name in the last line, behind "steady" where that is
  local line rest
  line=$(tail -n 1 "$1")
  rest=${line#*'"steady":{'}
  rest=${rest#*"\"$2\":"}
  echo "${rest%%[,\}]*}"
}
bad=0
printf '%-18s %10s %10s %12s %12s %12s  %s\n' attack 'rate kept' 'worst ms' 'RSS before' 'RSS growth' 'RSS after' 'what was sent'
for kind in "${kinds[@]}"; do
  rm -f ./*.log ./*.json ./*.csv ./*.out
  started=()
  start provider ProvPerf -p 0 -updateRate 5000 -latencyUpdateRate 1000 -runTime $((seconds + after + 60))
  provider=$role
  start hub HubPerf -p 0 -niPort 0 -upstream "localhost:$(port_of provider.log ProvPerf)" -jsonFile hub.json -slow conflate -keepImages "$keep"
  hub=$role
  port=$(port_of hub.log HubPerf)
  for _ in $(seq 100); do
    providers=$(sed -n 's/^Listening for providers on port //p' hub.log)
    [[ -z "$providers" ]] || break
    sleep 0.1
  done
  start consumer ConsPerf -h localhost -p "$port" -itemCount 1000 -steadyStateTime $((seconds + 2)) -jsonFile cons.json
  consumer=$role
  sleep 2.5
  before=$(resident "$hub")
  most=$before
  attack=
  if [[ "$kind" != none ]]; then
    dotnet "$root/test/Floods/bin/Release/net10.0/Floods.dll" hub "$kind" localhost "$port" "$providers" "$seconds" >attack.log 2>&1 &
    attack=$!
    started+=("$attack")
    while kill -0 "$attack" 2>/dev/null; do
      now=$(resident "$hub" 2>/dev/null || echo 0)
      (( now <= most )) || most=$now
      sleep 0.1
    done
    wait "$attack" || echo "$kind: the attack ended with $?"
  fi
  code=0
  wait "$consumer" || code=$?
  sleep "$after"
  left=$(resident "$hub" 2>/dev/null || echo 0)
  for role in "$hub" "$provider"; do kill "$role" 2>/dev/null || true; done
  ended=0
  wait "$hub" || ended=$?
  wait "$provider" || true
  rate=$(figure cons.json updateRate)
  kept=$(awk -v r="${rate:-0}" 'BEGIN { printf "%.1f", r / 50 }')
  worst=$(awk -v m="$(figure cons.json maxMicros)" 'BEGIN { printf "%.1f", m / 1000 }')
  printf '%-18s %9s%% %10s %9s MB %9s MB %9s MB  %s\n' "$kind" "$kept" "$worst" "$before" $((most - before)) $((left - before)) "$(tail -n 1 attack.log 2>/dev/null | cut -c20-)"
  case $kind in images | publishers-leave) allowed=$((1 << 20)) ;; *) allowed=$most_growth ;; esac
  if (( code != 0 || ended != 143 || most - before > allowed || left == 0 || left - before > most_left )) ||
    awk -v k="$kept" -v l=$least_rate 'BEGIN { exit !(k < l) }'; then
    echo "hostile-hub: $kind: not as it should be (consumer $code, hub $ended): $(tail -n 1 consumer.log)"
    bad=1
  fi
done
exit "$bad"
