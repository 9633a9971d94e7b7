#!/usr/bin/env bash
# A ramp of the users suite ended in every way: to its end, by Ctrl+C, SIGTERM, SIGHUP, and by a hub that is killed in mid-ramp. Each of the first four accounts for
# every update, the last names the hub. Takes about a minute.
# usage: users-endings.sh [options of the run]    (such as --set burstMax=0.1: with batches)
set -euo pipefail
options=("$@")
cd "$(dirname "$0")/.."
perftools=(env --default-signal=INT,HUP,TERM dotnet exec "$PWD/tools/PerfTools/bin/Release/net10.0/perftools.dll")
work=$(mktemp -d)
pid=
trap '[ -z "$pid" ] || kill "$pid" 2>/dev/null || true; rm -rf "$work"' EXIT
failed=0

# expect <name> <exit codes that are right> <exit code> <words of the reason> <balanced links>
expect() {
  local run="$work/$1/users-medium-base/run.json"
  local balanced reason
  balanced=$(grep -c '"balanced": true' "$run" || true)
  reason=$(sed -n 's/^  "reason": //p' "$run")
  echo "users-endings: $1: exit code $3, $reason $balanced links balanced"
  [[ " $2 " == *" $3 "* && "$reason" == *"$4"* && "$balanced" -ge "$5" ]] || { failed=1; cat "$work/$1.log"; }
}

start() {
  "${perftools[@]}" run users-medium --steps 50,100,150 --period 3 --warmup 0 --settle 1 --set subjects=200 --set users-processes=2 "${options[@]}" --out "$work/$1" > "$work/$1.log" 2>&1 &
  pid=$!
}

ended=0
start end
wait "$pid" || ended=$?
expect end "0 6" "$ended" "" 4

for signal in INT TERM HUP; do
  ended=0
  start "$signal"
  until grep -q "users   mean" "$work/$signal.log"; do sleep 0.2; done
  # as a terminal does it: everybody gets it
  if [ "$signal" = INT ]; then
    for child in $(pgrep -P "$pid"); do kill -INT "$child"; done
  fi
  kill -"$signal" "$pid"
  wait "$pid" || ended=$?
  expect "$signal" "129 130 143" "$ended" "ended by" 4
done

ended=0
start hub-killed
until grep -q "users   mean" "$work/hub-killed.log"; do sleep 0.2; done
kill -9 "$(pgrep -P "$pid" -f HubPerf.dll)"
wait "$pid" || ended=$?
expect hub-killed 5 "$ended" "hub ended" 0
pid=
exit $failed
