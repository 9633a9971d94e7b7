#!/usr/bin/env bash
# What a hub costs and adds, each figure by itself. Let it run alone: everything beside it changes every figure. With NO_BUILD=1 nothing is built.
# usage: hub-figures.sh [part] [seconds]    (part: fan-out, views, memory, latency, stopped, loss, or all of them; default all, 2 s each)
#   fan-out   20,000 updates/s of 100 items to 100 users: processor time of the hub for each delivered update, beside a bare loop in C
#             that sends the same bytes in the same pieces, to readers that do nothing and to readers as busy as the hub's
#   views     the same with users who ask for 3 of 23 fields, in turn with users who get all: bytes and processor time
#   memory    resident memory for each cached item, watcher and connection, and what the hub says itself of an item
#   latency   100,000 updates/s with and without a hub between
#   stopped   p99 of 99 readers, with a hundredth reading and stopped
#   loss      a source that is killed and comes back: items lost and recovered, seconds until all are well
set -euo pipefail
cd "$(dirname "$0")/.."
source test/port-of.sh
part=${1:-all} seconds=${2:-2}
root=$PWD
folder=$(mktemp -d)
started=()
finish() {
  for role in "${started[@]}"; do kill -KILL "$role" 2>/dev/null || true; done
  rm -rf "$folder"
}
trap finish EXIT
ulimit -n "$(ulimit -Hn)"

# start NAME TOOL OPTIONS: runs a tool in the background, its output in NAME.log; the process is $role.
start() {
  local name=$1 tool=$2
  shift 2
  dotnet "$root/tools/$tool/bin/Release/net10.0/$tool.dll" "$@" >"$folder/$name.log" 2>&1 &
  role=$!
  started+=("$role")
}

end_all() {
  for role in "${started[@]}"; do kill "$role" 2>/dev/null || true; done
  for role in "${started[@]}"; do wait "$role" 2>/dev/null || true; done
  started=()
}

# wait_for FILE PATTERN: until a line says so, 60 s at most.
wait_for() {
  for _ in $(seq 600); do
    ! grep -qE "$2" "$1" 2>/dev/null || return 0
    sleep 0.1
  done
  echo "hub-figures: no line like \"$2\" came" >&2
  return 1
}

processor_ticks() { sed 's/^.*) //' "/proc/$1/stat" | awk '{ print $12, $13 }'; } # user, system
resident_bytes() { awk '/^VmRSS/ { print $2 * 1024 }' "/proc/$1/status"; }
# The first value of a member in the last line of the hub's figures: that of all threads.
latest() { tail -n 1 hub.json | awk -v name="\"$1\":" '{ at = index($0, name); print substr($0, at + length(name)) + 0 }'; }

# Its ticks are not in step with those by which the kernel tells user from system time.
# deliver OPTIONS OF THE USERS: 20,000 updates/s of 100 items to 100 users; sets what the hub did each second and what it cost.
users=100 rate=20000
deliver() {
  local hub readers
  start provider ProvPerf -p 0 -updateRate $rate -tickRate 997 -latencyUpdateRate 900 -runTime $((seconds + 60))
  start hub HubPerf -p 0 -niPort 0 -upstream "localhost:$(port_of provider.log ProvPerf)" -jsonFile hub.json -writeStatsInterval 1
  hub=$role
  start users UsersPerf -p "$(port_of hub.log HubPerf)" -users $users -subscriptions 100 -subjects 100 -loginRate 1000 -warmup 0 -settle 1 "$@"
  readers=$role
  wait_for hub.log "watchers $((users * 100))"
  sleep 3
  read -r user0 system0 reading0 reading1 < <(echo "$(processor_ticks "$hub") $(processor_ticks "$readers")")
  sleep "$seconds"
  read -r user1 system1 reading2 reading3 < <(echo "$(processor_ticks "$hub") $(processor_ticks "$readers")")
  delivered=$(latest updatesSent) sends=$(latest sends) bytes=$(latest bytesSent)
  end_all
  awk -v d="$delivered" -v s="$sends" -v b="$bytes" -v t="$(getconf CLK_TCK)" -v u=$((user1 - user0)) -v k=$((system1 - system0)) -v n="$seconds" 'BEGIN {
    printf "hub: %d updates/s delivered in %d sends/s, %.1f MB/s, %.1f ns user + %.1f ns system an update\n", d, s, b / 1e6, u * 1e9 / t / n / d, k * 1e9 / t / n / d }'
}

fan_out() {
  deliver
  if compiler=$(command -v cc || command -v gcc || command -v clang); then
    "$compiler" -O2 -std=gnu11 -o fanout "$root/test/rt-floor/fanout.c"
    local loop=($users $((bytes / sends)) $((sends / users)) "$seconds" "$(awk -v d="$delivered" -v s="$sends" 'BEGIN { print d / s }')")
    local nanos=$(((reading2 + reading3 - reading0 - reading1) * (1000000000 / $(getconf CLK_TCK)) / seconds / sends))
    timeout 120 ./fanout "${loop[@]}" | tee idle.log
    timeout 120 ./fanout "${loop[@]}" $((nanos - $(grep -oE '[0-9]+ ns a send' idle.log | grep -oE '^[0-9]+')))
  else
    echo "skipped: the bare loop needs a C compiler"
  fi
}

# Three fields of each of the two updates, in turn with all 23: twice.
views() {
  for _ in 1 2; do
    printf "all fields: " && deliver
    printf "3 of 23 fields: " && deliver -view 22,25,30,6,7,178
  done
}

memory() {
  local items=100000 users=10 connections=2000 hub empty cached watched connected
  start hub HubPerf -p 0 -niPort 0 -jsonFile hub.json -writeStatsInterval 1
  hub=$role
  local port
  port=$(port_of hub.log HubPerf)
  sleep 1
  empty=$(resident_bytes "$hub")
  start publisher NIProvPerf -h localhost -p "$(sed -n 's/^Listening for providers on port //p' hub.log)" -itemCount $items -serviceName FIGURES -runTime 120 \
    -updateRate 200000 -rateProfile 200000:$((seconds + 3)),1000:100 # every item gets updates of all shapes, then few
  wait_for hub.log "items $items"
  sleep $((seconds + 4))
  cached=$(resident_bytes "$hub")
  echo "memory: $(((cached - empty) / items)) bytes resident a cached item of $items; the hub says $(latest kilobytesPerItem) KB"
  start users UsersPerf -p "$port" -serviceName FIGURES -users $users -subscriptions $items -subjects $items -loginRate 1000 -warmup 0 -settle 1
  wait_for hub.log "watchers $((items * users))"
  sleep 2
  watched=$(resident_bytes "$hub")
  echo "memory: $(((watched - cached) / (items * users))) bytes resident a watcher of $((items * users))"
  end_all
  start hub HubPerf -p 0 -niPort 0 -service FIGURES,1 -jsonFile hub.json -writeStatsInterval 1
  hub=$role
  port=$(port_of hub.log HubPerf)
  sleep 1
  empty=$(resident_bytes "$hub")
  start users UsersPerf -p "$port" -serviceName FIGURES -users $connections -subscriptions 1 -subjects 1000 -loginRate 1000 -warmup 0 -settle 1
  wait_for hub.log "consumers $connections"
  sleep 2
  connected=$(resident_bytes "$hub")
  echo "memory: $(((connected - empty) / connections)) bytes resident an idle connection of $connections"
  end_all
}

latency() {
  local way
  for way in direct hub-direct; do
    echo "$way: $(dotnet "$root/tools/PerfTools/bin/Release/net10.0/perftools.dll" run $way --rate 100000 --seconds "$seconds" --out "$folder/$way" 2>&1 |
      sed -n 's/^ *latency us *//p')"
  done
}

loss() {
  local items=10000 provider port consumer begin
  start provider ProvPerf -p 0 -updateRate 10000 -runTime 120
  provider=$role
  port=$(port_of provider.log ProvPerf)
  start hub HubPerf -p 0 -niPort 0 -upstream "localhost:$port" -jsonFile hub.json -writeStatsInterval 1
  start consumer ConsPerf -p "$(port_of hub.log HubPerf)" -itemCount $items -steadyStateTime $((seconds + 8)) -jsonFile consumer.json -writeStatsInterval 1
  consumer=$role
  wait_for consumer.log "Image retrieval time"
  kill -KILL "$provider"
  wait "$provider" 2>/dev/null || true
  sleep 1
  start provider ProvPerf -p "$port" -updateRate 10000 -runTime 120
  begin=$SECONDS
  wait_for consumer.json "\"itemsRecovered\":$items"
  echo "loss: back within $((SECONDS - begin)) s of the source's start"
  wait "$consumer" && echo "loss: the consumer ended well" || echo "loss: the consumer ended with $?"
  tail -n 1 consumer.json | grep -oE '"(itemsLost|itemsRecovered|statusesReceived)":[0-9]+' | sort -u
  end_all
}

for project in tools/HubPerf tools/UsersPerf tools/NIProvPerf tools/PerfTools; do
  [[ -n "${NO_BUILD:-}" ]] || dotnet build -c Release -v q -clp:ErrorsOnly "$project"
done
cd "$folder"
for figure in $([[ "$part" == all ]] && echo fan-out views memory latency stopped loss || echo "$part"); do
  case $figure in
  fan-out) fan_out ;;
  views | memory | latency | loss) $figure ;;
  stopped) "$root/test/slow-reader.sh" 500 "$seconds" hub 100 ;;
  *)
    echo "hub-figures: $figure: no such part" >&2
    exit 2
    ;;
  esac
done
