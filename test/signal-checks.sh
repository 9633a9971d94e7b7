#!/usr/bin/env bash
# Ends every tool by `timeout`, which signals the process and its group, and expects summary and last JSON line whole each time. Then ends
# `perftools run` in ways that leave it little time or none, and expects that none of its roles stays.
# usage: signal-checks.sh [rounds] [parts...]     (default 2, to see that it works, and all parts; 100 to be sure)
set -euo pipefail
cd "$(dirname "$0")/.."
rounds=${1:-2}
[[ "$rounds" =~ ^[1-9][0-9]*$ ]] || { echo "signal-checks: '$rounds' is not a number of 1 or more" >&2; exit 2; }
parts=("${@:2}")
(( ${#parts[@]} )) || parts=(tools run SIGKILL SIGHUP SIGINT SIGINT-all)
[[ -n "${PERFTOOLS_BUILT:-}" ]] || dotnet build -c Release -v q -clp:ErrorsOnly tools/PerfTools
bin=$PWD/tools/PerfTools/bin/Release/net10.0
folder=$(mktemp -d)
peer=
other=
trap '[[ -z "$peer$other" ]] || kill $peer $other 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
bad=0

# Starts a tool that stays, and puts its port into $port.
serve() {
  dotnet "$bin/$1.dll" -p 0 "${@:2}" -noDisplayStats -jsonFile peer.json -summaryFile peer.out >peer.log 2>&1 &
  peer=$!
  for _ in $(seq 100); do
    port=$(sed -n "s/^Listening on port //p" peer.log 2>/dev/null || true)
    [[ -z "$port" ]] || return 0
    sleep 0.1
  done
  echo "signal-checks: $1 does not listen" >&2
  exit 1
}

retire() {
  kill "$peer" 2>/dev/null || true
  wait "$peer" 2>/dev/null || true
  peer=
  rm -f peer.*
}

# What a tool that was not whole had come to: one that had not begun when the signal came, on a machine with other work, proves nothing.
show() {
  echo "signals: $1 was not whole; its last lines:"
  tail -n 4 "$2" | sed 's/^/  /'
}

# Whom a tool meets that serves for one test only.
beside() {
  [[ "$1" == LatencyPerf ]] || return 0
  dotnet "$bin/LatencyPerf.dll" -subscribe -domainId 201 -waitTime 10 >/dev/null 2>&1 &
  other=$!
}

# Runs a tool for 1.5 s and looks at what it leaves.
check() {
  local tool=$1 whole=0
  shift
  for _ in $(seq "$rounds"); do
    rm -f own.json own.out
    beside "$tool"
    timeout 1.5 dotnet "$bin/$tool.dll" "$@" -jsonFile own.json -summaryFile own.out >own.log 2>&1 || true
    if tail -n 1 own.json 2>/dev/null | grep -q '"final":true.*}$' && grep -q 'SUMMARY\|^Test ' own.out 2>/dev/null; then
      whole=$((whole + 1))
    else
      show "$tool" own.log
    fi
    [[ -z "$other" ]] || { kill "$other" 2>/dev/null || true; wait "$other" 2>/dev/null || true; other=; }
  done
  tell "$tool" "$whole"
}

tell() {
  echo "signals: $1 $2 of $rounds whole"
  [[ "$2" == "$rounds" ]] || bad=1
}

check_tools() {
  check ProvPerf -p 0 -runTime 60
  serve ProvPerf -runTime 3600
  check ConsPerf -h localhost -p "$port" -itemCount 1000 -steadyStateTime 60
  check UsersPerf -h localhost -p "$port" -users 50 -runTime 60
  retire
  check HubPerf -p 0 -niPort 0 -service DIRECT_FEED,7
  serve HubPerf -niPort 0 -service OTHER_FEED,9 -runTime 3600
  check NIProvPerf -h localhost -p "$(sed -n 's/^Listening for providers on port //p' peer.log)" -itemCount 1000 -runTime 60
  retire
  serve TransportPerf -appType server -runTime 3600
  check TransportPerf -appType client -h localhost -p "$port" -runTime 60
  retire
  check LatencyPerf -publish -domainId 201 -numIter 1000000 -waitTime 10
}

check_run() {
  local whole=0 round
  for round in $(seq "$rounds"); do
    timeout 4 dotnet "$bin/perftools.dll" run direct --seconds 60 --out "run$round" >own.log 2>&1 || true
    if grep -q 'INTERRUPTED' "run$round/run.json" 2>/dev/null && tail -n 1 "run$round/ConsPerf.jsonl" 2>/dev/null | grep -q '"final":true.*}$' &&
      tail -n 1 "run$round/ProvPerf.jsonl" 2>/dev/null | grep -q '"final":true.*}$'; then
      whole=$((whole + 1))
    else
      show "perftools run" own.log
    fi
    rm -rf "run$round"
  done
  tell "perftools run" "$whole"
}

now() { echo $(($(date +%s%N) / 1000000)); }

# Starts perftools run as a terminal would, in a process group of its own; returns once every role runs.
start_run() {
  set -m
  dotnet "$bin/perftools.dll" run direct --seconds 60 --out "$folder/end" >own.log 2>&1 &
  peer=$!
  set +m
  for _ in $(seq 100); do
    [[ ! -s "$folder/end/ConsPerf.jsonl" ]] || return 0
    sleep 0.1
  done
  show "perftools run" own.log
}

# One round: signals $2 and, 1.5 s after the first, $3 if given; to perftools, or (-) to its whole group as Ctrl+C is. Leaves in $took the
# milliseconds to the end of the last role, and in $closing those to that of perftools, which writes the results when they are gone.
end_run() {
  local target=$1 since
  start_run
  kill "-$2" -- "$target$peer"
  if [[ -n "${3:-}" ]]; then
    sleep 1.5
    kill "-$3" -- "$target$peer" 2>/dev/null || true # those who are gone heard the first
  fi
  since=$(now)
  took=0
  while pgrep -f "$folder/end" >/dev/null && (( $(now) - since < 30000 )); do
    ! pgrep -f "Perf[.]dll .*$folder/end" >/dev/null || took=$(( $(now) - since ))
    sleep 0.02
  done
  closing=$(( $(now) - since ))
  wait "$peer" 2>/dev/null || true
  peer=
  pkill -KILL -f "$folder/end" || true
  rm -rf "$folder/end"
}

# orphans WHAT LIMIT-IN-MS TARGET SIGNAL [SIGNAL]
orphans() {
  local worst=0 last=0 kept=0 took closing
  for _ in $(seq "$rounds"); do
    end_run "${@:3}"
    (( took <= worst )) || worst=$took
    (( closing <= last )) || last=$closing
    (( took > $2 )) || kept=$((kept + 1))
  done
  echo "signals: perftools run, $1: no role left in $kept of $rounds within $2 ms, worst $worst ms; perftools itself within $last ms"
  [[ "$kept" == "$rounds" ]] || bad=1
}

for part in "${parts[@]}"; do
  case $part in
    tools) check_tools ;;
    run) check_run ;;
    SIGKILL) orphans SIGKILL 5000 "" KILL ;;
    SIGHUP) orphans SIGHUP 5000 "" HUP ;;
    SIGINT) orphans "two SIGINT" 2000 "" INT INT ;;
    SIGINT-all) orphans "two SIGINT to all" 2000 - INT INT ;;
    *) echo "signal-checks: $part: no such part" >&2; exit 2 ;;
  esac
done
exit "$bad"
