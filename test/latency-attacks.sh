#!/usr/bin/env bash
# A test of round trips at 5,000 a second, and beside it one who wants to disturb it: while the publisher waits, then while it measures, one way after the other.
# For each way: rounds a second, the longest of them, and the memory of both sides; at the end their memory when it has been over for a while.
# usage: latency-attacks.sh [seconds of each way] [seconds of rest at the end] [transports]     (default 2 5 "1 32 16 2"; 10 60 for figures, with the machine to itself). Needs Linux.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-2}
rest=${2:-5}
transports=${3:-1 32 16 2}
rate=5000
latency=$PWD/tools/LatencyPerf/bin/Release/net10.0/LatencyPerf.dll
floods=$PWD/test/Floods/bin/Release/net10.0/Floods.dll
for project in tools/LatencyPerf test/Floods; do
  [[ -n "${PERFTOOLS_BUILT:-}" ]] || dotnet build -c Release -v q -clp:ErrorsOnly "$project"
done
folder=$(mktemp -d)
sides=()
finish_sides() { for side in "${sides[@]}"; do kill -KILL "$side" 2>/dev/null || true; done; }
finish() {
  finish_sides
  rm -rf "$folder"
}
trap finish EXIT
cd "$folder"
domain=200
failed=0

attack() { dotnet exec "$floods" latency "$1" "$domain" "$2" >>attacks.log 2>&1 || echo "the attack $1 failed" >>attacks.log; }
megabytes() { awk '/^VmRSS/ { printf "%d", $2 / 1024 }' "/proc/$1/status" 2>/dev/null || echo 0; }
await_line() { # TEXT: until the publisher says so, 30 s at most
  for _ in $(seq 600); do
    ! grep -q "$1" p.out 2>/dev/null || return 0
    sleep 0.05
  done
  echo "the publisher did not say '$1' within 30 s"
  failed=1
}
since() { awk -v a="$begin" -v b="$(date +%s.%N)" 'BEGIN { printf "%.1f", b - a }'; }

for transport in $transports; do
  domain=$((domain + 1))
  case $transport in
  1) ways="none to-publisher to-subscriber noise announcements large" ;;
  2) ways="none cut-short links" ;;
  *) ways="none idle storm stream-noise stream-announcements byte-by-byte" ;;
  esac
  count=$(wc -w <<<"$ways")
  sides=()
  rm -f p.out h-rtt-16.hlog attacks.log windows
  dotnet exec "$latency" -publish -domainId $domain -transport "$transport" -subscribers 2 -interval $((1000000 / rate)) \
    -numIter $((rate * (count * (seconds + 1) + rest))) -maxSize 16 -hlogFile h -jsonFile p.json >p.out 2>p.error &
  sides+=($!)
  until grep -q Waiting p.out 2>/dev/null; do sleep 0.05; done
  for way in $ways; do # nothing of it ends a publisher that waits
    [[ $way == none || $way == cut-short ]] || attack "$way" 1
  done
  kill -0 "${sides[0]}" || { echo "transport $transport: the publisher that waited has ended: $(cat p.error)"; failed=1; continue; }
  [[ $transport == 1 || $transport == 2 ]] || attack idle 20 & # neither does it keep subscribers out
  dotnet exec "$latency" -subscribe -domainId $domain -transport "$transport" -cookie 1 -noecho -jsonFile s1.json >s1.out 2>s1.error &
  sides+=($!)
  dotnet exec "$latency" -subscribe -domainId $domain -transport "$transport" -cookie 2 -jsonFile s2.json >s2.out 2>s2.error &
  sides+=($!)
  for _ in $(seq 600); do
    ! grep -q Collecting p.out || break
    sleep 0.05
  done
  grep -q Collecting p.out || { echo "transport $transport: the test never began"; tail -n 3 ./*.out ./*.error; failed=1; finish_sides; continue; }
  begin=$(date +%s.%N)
  before=$(megabytes "${sides[0]}")+$(megabytes "${sides[2]}")
  for way in $ways; do
    from=$(since)
    if [[ $way == none ]]; then sleep "$seconds"; else attack "$way" "$seconds"; fi
    echo "$way $from $(since) $(megabytes "${sides[0]}") $(megabytes "${sides[2]}")" >>windows
  done
  sleep $((rest > 2 ? rest - 2 : 0))
  after=$(megabytes "${sides[0]}")+$(megabytes "${sides[2]}")
  codes=
  for side in "${sides[@]}"; do
    code=0
    wait "$side" || code=$?
    codes+="$code "
  done
  sides=()
  [[ "$codes" == "0 0 0 " ]] || { failed=1; tail -n 2 ./*.error; }
  echo "transport $transport: codes ${codes% }, MB publisher+echoer before $before, $rest s after $after"
  printf '  %-22s %10s %12s %12s %14s\n' way rounds/s 'of asked' 'longest us' 'MB both sides'
  while read -r way from to publisher echoer; do
    dotnet exec "$floods" counts h-rtt-16.hlog "$from" "$to" | while read -r persecond longest; do
      printf '  %-22s %10s %11s%% %12s %14s\n' "$way" "$persecond" "$(awk -v r="$persecond" -v a=$rate 'BEGIN { printf "%.1f", 100 * r / a }')" "$longest" "$publisher+$echoer"
    done
  done <windows
  grep -v 'times$' attacks.log || true
done

# Who writes over the shared memory of a test ends it: with one line and the code of a failed test, on both sides.
written_over() {
  local codes= side code
  domain=$((domain + 1))
  sides=()
  rm -f ./*.out ./*.error
  dotnet exec "$latency" -publish -domainId $domain -transport 2 -interval $((1000000 / rate)) -numIter $((rate * 60)) -maxSize 16 >p.out 2>p.error &
  sides+=($!)
  await_line Waiting
  dotnet exec "$latency" -subscribe -domainId $domain -transport 2 >s1.out 2>s1.error &
  sides+=($!)
  await_line Collecting
  attack written-over 1
  for side in "${sides[@]}"; do
    code=0
    wait "$side" || code=$?
    codes+="$code "
  done
  sides=()
  [[ "$codes" == "5 5 " && $(cat p.error s1.error | wc -l) == 2 ]] || failed=1
  echo "transport 2, memory written over: codes ${codes% }, $(cat p.error s1.error | tr '\n' ';')"
}
[[ " $transports " != *" 2 "* ]] || written_over
exit $failed
