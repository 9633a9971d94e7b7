#!/usr/bin/env bash
# A run of the users suite over several machines, here as processes of one: six ranks whose parts are put together, by the command lines of docs/many-machines.md,
# and the same run by one machine, which must come to the same; then a rank that comes twice, one that dies, one that never comes; and two consumers on two ranks,
# directly by a shared folder and through a hub by the port of rank 0. Takes about three minutes.
# usage: many-machines.sh [six] [twice] [dies] [never] [direct] [hub_direct] (default all of them, in this order)
set -euo pipefail
cd "$(dirname "$0")/.."
perftools=(dotnet exec "$PWD/tools/PerfTools/bin/Release/net10.0/perftools.dll")
work=$(mktemp -d)
pids=()
trap end_all EXIT
start_in=${START_IN:-20} # seconds that six ranks need to start their programs; more where the machine is busy
small=(--steps 12,24 --period 2 --warmup 0 --settle 1 --set subjects=100 --set subscriptions=10)

# none writes into the folder any longer when it goes
end_all() {
  kill "${pids[@]}" 2>/dev/null || true
  wait 2>/dev/null || true
  rm -rf "$work"
}

fail() {
  echo "many-machines: $1" >&2
  tail -n 20 "$work"/*.log >&2
  exit 1
}

# rank <number> <of> <name of the run> <further arguments>: in the background
rank() {
  local number=$1 of=$2 run=$3
  shift 3
  "${perftools[@]}" run users-medium --rank "$number/$of" --run-id "$run" --address 127.0.0.1 --out "$work/$run" "${small[@]}" "$@" > "$work/$run-$number.log" 2>&1 &
  pids+=($!)
}

# end <number>: waits for a rank, and keeps its exit code
end() {
  ended=0
  wait "${pids[$1]}" || ended=$?
}

# wait_for <file>
wait_for() {
  for _ in $(seq 300); do
    [ ! -f "$1" ] || return 0
    sleep 0.2
  done
  fail "$1 did not come"
}

six() {
  echo "many-machines: six ranks"
  pids=()
  for number in 0 1 2 3 4 5; do rank $number 6 six --start-in "$start_in" --meet-timeout 120; done
  for number in 1 2 3 4 5; do
    end $number
    [ "$ended" -eq 0 ] || fail "rank $number of six ended with $ended"
  done
  end 0
  [ "$ended" -eq 0 ] || [ "$ended" -eq 6 ] || fail "six ranks ended with $ended"
  ramp="$work/six/users-medium-base"
  [ "$(grep -c '"balanced": true' "$ramp/run.json")" -eq 4 ] || fail "the six ranks do not add up"
  [ "$(cut -d, -f6 "$ramp/steps.csv" | tail -1 | tr -d ' ')" -eq 24 ] || fail "not all users of the six ranks were in"
  "${perftools[@]}" merge "$ramp"/rank-* --out "$work/again" > "$work/again.log" 2>&1 || [ $? -eq 6 ] || fail "merge"
  cmp "$ramp/steps.csv" "$work/again/steps.csv" || fail "merged by hand, the steps differ"
  cmp "$ramp/merged-steps.hlog" "$work/again/merged-steps.hlog" || fail "merged by hand, cells differ"
  "${perftools[@]}" run users-medium --out "$work/one" "${small[@]}" > "$work/one.log" 2>&1 || [ $? -eq 6 ] || fail "one machine"
  for run in six one; do judgement "$run" > "$work/$run.judgement"; done
  diff "$work/one.judgement" "$work/six.judgement" >&2 || fail "six ranks are judged otherwise than one machine"
  cat "$ramp/steps.csv" | cut -d, -f3-9
  cat "$work/six.judgement"
}

# judgement <name of the run>: users, what was due, whether all was well, of each step; verdict and capacity
judgement() {
  cut -d, -f1-3,5-8,43 "$work/$1/steps.csv"
  grep -oE '"(verdict|exitCode|reason|capacity)": [^{}]*' "$work/$1/suite.json" | tr -d ', '
}

twice() {
  echo "many-machines: a rank that comes twice"
  pids=()
  rank 0 2 twice --start-in 8 --meet-timeout 30
  rank 1 2 twice --start-in 8 --meet-timeout 30
  wait_for "$work/twice/users-medium-base/meet-twice/rank-1.json"
  second=0
  "${perftools[@]}" run users-medium --rank 1/2 --run-id twice --address 127.0.0.1 --out "$work/twice" "${small[@]}" > "$work/second.log" 2>&1 || second=$?
  [ "$second" -eq 4 ] || fail "the second ended with $second"
  grep -q "rank 1 is there already" "$work/second.log" || fail "the second was not told why"
  end 0
  [ "$ended" -eq 0 ] || [ "$ended" -eq 6 ] || fail "the first two ended with $ended"
}

dies() {
  echo "many-machines: a rank that dies"
  pids=()
  for number in 0 1 2; do rank $number 3 dies --start-in 8 --meet-timeout 15; done
  wait_for "$work/dies/users-medium-base/meet-dies/start.json"
  sleep 10
  kill -9 "${pids[2]}"
  end 0
  [ "$ended" -eq 5 ] || fail "with a rank that died the run ended with $ended"
  grep -q "rank 2 of 3 left no results" "$work/dies/users-medium-base/run.json" || fail "the rank that died was not named"
}

never() {
  echo "many-machines: a rank that never comes"
  pids=()
  rank 0 2 never --meet-timeout 3
  end 0
  [ "$ended" -eq 4 ] || fail "without rank 1 the run ended with $ended"
  grep -q "rank 1 did not come" "$work/never-0.log" || fail "the rank that never came was not named"
}

# part <scenario> <number> <further arguments>: one of three ranks, in the background
part() {
  local scenario=$1 number=$2
  shift 2
  "${perftools[@]}" run "$scenario" --rank "$number/3" --run-id "$scenario" --address 127.0.0.1 --items 500 --rate 5000 --latency-rate 500 --seconds 10 "$@" \
    > "$work/$scenario-$number.log" 2>&1 &
  pids+=($!)
}

# adds_up <scenario> <folder of rank 0>: all three ranks ended, both consumers took part, what was sent was received
adds_up() {
  for number in 1 2; do
    end $number
    [ "$ended" -eq 0 ] || fail "rank $number of $1 ended with $ended"
  done
  end 0
  [ "$ended" -eq 0 ] || [ "$ended" -eq 6 ] || fail "$1 ended with $ended"
  ! grep -q '"balanced": false' "$2/run.json" || fail "$1 does not add up"
  for file in ConsPerf-1.jsonl ConsPerf-2.jsonl merged-updates.hlog report.html; do [ -s "$2/$file" ] || fail "$1 left no $file"; done
  grep -q '"to": "consumers"' "$2/run.json" || fail "$1 has no link to both consumers"
}

direct() {
  echo "many-machines: direct, consumers on two ranks"
  pids=()
  for number in 0 1 2; do part direct $number --place provider=0,consumer=1-2 --out "$work/direct"; done
  adds_up direct "$work/direct"
}

hub_direct() {
  echo "many-machines: hub-direct, consumers on two ranks, no shared folder"
  pids=()
  port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
  PERFTOOLS_MEET_TOKEN=$(head -c 16 /dev/urandom | od -An -tx1 | tr -d ' \n')
  export PERFTOOLS_MEET_TOKEN
  for number in 0 1 2; do part hub-direct $number --meet "127.0.0.1:$port" --place provider=0,hub=1,consumer=0,consumer=2 --out "$work/hub-direct-$number"; done
  adds_up hub-direct "$work/hub-direct-0"
}

[ $# -gt 0 ] || set -- six twice dies never direct hub_direct
for piece in "$@"; do "$piece"; done
echo "many-machines: all as it should be"
