#!/usr/bin/env bash
# The seven scenarios of the guide with its own options, each side a process of its own on the loopback: successful, and with the counts that the
# guide's arithmetic says, wherever nothing is lost. Needs Linux (127.0.0.1 to 127.0.0.5).
# usage: roundtrip-scenarios.sh [samples]     (default 500 a size, to see that it works; 100000 takes some minutes)
set -euo pipefail
cd "$(dirname "$0")/.."
samples=${1:-500}
[[ "$samples" =~ ^[1-9][0-9]*$ ]] || { echo "roundtrip-scenarios: '$samples' is not a number of 1 or more" >&2; exit 2; }
program=$PWD/tools/LatencyPerf/bin/Release/net10.0/LatencyPerf.dll
[[ -f "$program" ]] || dotnet build -c Release -v q -clp:ErrorsOnly tools/LatencyPerf
folder=$(mktemp -d)
sides=()
finish() {
  for side in "${sides[@]}"; do kill "$side" 2>/dev/null || true; done
  rm -rf "$folder"
}
trap finish EXIT
domain=190
failed=0

# name, subscribers, addresses (yes or no), options of all sides, of the publisher, of each subscriber
scenario() {
  local name=$1 count=$2 addressed=$3 all=$4 publisher=$5 subscriber=$6 peers="" k echo nic from
  domain=$((domain + 1))
  sides=()
  rm -f "$folder"/*
  for ((k = 1; k <= count; k++)); do
    [[ $addressed == no ]] || peers+=" -peer 127.0.0.$((k + 1))"
  done
  nic=127.0.0.1
  # shellcheck disable=SC2086
  dotnet exec "$program" -publish -domainId $domain -nic $nic $all $peers $publisher -subscribers "$count" -numIter "$samples" -waitTime 30 >"$folder/publisher" 2>&1 &
  sides+=($!)
  for ((k = 1; k <= count; k++)); do
    echo=-noecho from=""
    [[ $k != "$count" ]] || echo=""
    [[ $addressed == no ]] || { nic=127.0.0.$((k + 1)) from="-peer 127.0.0.1"; }
    # shellcheck disable=SC2086
    dotnet exec "$program" -subscribe -domainId $domain -nic $nic $all $from $subscriber -cookie $k $echo -waitTime 30 >"$folder/subscriber$k" 2>&1 &
    sides+=($!)
  done
  local ok=yes side
  for side in "${sides[@]}"; do wait "$side" || ok="exit code $?"; done
  judge "$name" "$count" "$ok"
}

judge() {
  local name=$1 count=$2 ok=$3 expected=$((10 * (samples + 1) + 1)) lost
  lost=$(cat "$folder"/subscriber* "$folder/publisher" | awk '/^lost/ { sum += $2 } END { print sum + 0 }')
  grep -q '^Test successful!$' "$folder/publisher" || ok="no success"
  if [[ "$lost" == 0 ]]; then
    grep -q "^Test successful: $expected messages received, $expected replies sent.$" "$folder/subscriber$count" || ok="counts of the echoer"
    for ((k = 1; k < count; k++)); do
      grep -q "^Test successful: $expected messages received, 0 replies sent.$" "$folder/subscriber$k" || ok="counts of subscriber $k"
    done
  fi
  printf '%-34s %-8s lost %-4s %s, %s\n' "$name" "$([[ $ok == yes ]] && echo ok || echo FAILED)" "$lost" \
    "$(awk -F, '/^ *16,/ { printf "16 bytes p50 %s us, p99 %s us", $5 + 0, $7 + 0 }' "$folder/publisher")" "$(grep '^Processors' "$folder/publisher" || true)"
  if [[ $ok != yes ]]; then
    echo "  $ok" >&2
    tail -n 3 "$folder"/publisher "$folder"/subscriber* >&2
    failed=1
  fi
}

shared="-transport 2 -peer shmem://"
scenario "shared memory 1-1" 1 no "$shared" "" ""
scenario "shared memory 1-4" 4 no "$shared" "" ""
scenario "shared memory 1-1 reliable" 1 no "$shared -reliable" "" ""
scenario "shared memory 1-4 reliable" 4 no "$shared -reliable" "" ""
scenario "UDP 1-1" 1 yes "-transport 1" "" ""
scenario "UDP 1-4" 4 yes "-transport 1" "" ""
scenario "UDP 1-4 by groups" 4 yes "-transport 1" "-mcast_rcv_addr 225.1.2.3 -multicast_ttl 1" "-mcast_rcv_addr 225.3.2.1 -multicast_ttl 1"
exit $failed
