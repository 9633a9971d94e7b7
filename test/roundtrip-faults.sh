#!/usr/bin/env bash
# Round-trip tests of which one side is killed or stopped, in each phase and over each link: every other side ends by itself, in time and with its code;
# a subscriber that is killed before the test begins is replaced by another.
# Then one whose publisher somebody else floods with 100,000 datagrams a second: they are counted, and nothing else comes of them.
# usage: roundtrip-faults.sh [transports]     (default "1 2"; "1 2 16 32" for all, 0 for none). Needs Linux.
set -euo pipefail
cd "$(dirname "$0")/.."
transports=${1:-1 2}
program=$PWD/tools/LatencyPerf/bin/Release/net10.0/LatencyPerf.dll
[[ -f "$program" ]] || dotnet build -c Release -v q -clp:ErrorsOnly tools/LatencyPerf
folder=$(mktemp -d)
sides=()
finish() {
  for side in "${sides[@]}"; do kill -KILL "$side" 2>/dev/null || true; done
  rm -rf "$folder"
}
trap finish EXIT
exec 2> >(grep -v " Killed  " >&2) # what the shell says of jobs
domain=150
failed=0

start() { # file, arguments
  local file=$1
  shift
  dotnet exec "$program" "$@" >"$folder/$file" 2>"$folder/$file.error" &
  sides+=($!)
}

until_said() { # file, text
  for _ in $(seq 200); do
    grep -q "$2" "$folder/$1" && return
    sleep 0.05
  done
  echo "  $1 never said: $2" >&2
}

# transport, phase (meeting, measuring, ending), who (0 publisher, 1 silent subscriber, 2 echoer), signal, seconds, codes of the sides ("-" for the victim)
fault() {
  local transport=$1 phase=$2 victim=$3 signal=$4 limit=$5 expected=$6
  domain=$((domain + 1))
  sides=()
  rm -f "$folder"/*
  local iterations=1000000000
  [[ $phase != ending && $phase$victim != meeting1 ]] || iterations=20000
  start p -publish -domainId $domain -transport "$transport" -subscribers 2 -numIter $iterations -maxSize 16
  start s1 -subscribe -domainId $domain -transport "$transport" -cookie 1 -noecho
  case $phase in
  meeting) until_said p '\[1\]'
     sleep 0.2 ;; # welcomed, and waiting for the other
  *) start s2 -subscribe -domainId $domain -transport "$transport" -cookie 2
     until_said p Collecting
     [[ $phase != ending ]] || until_said p '^    16' ;;
  esac
  kill -"$signal" "${sides[$victim]}" 2>/dev/null || true
  if [[ $phase$victim == meeting1 ]]; then # its place is free again: another takes it
    start s2 -subscribe -domainId $domain -transport "$transport" -cookie 2
    start s3 -subscribe -domainId $domain -transport "$transport" -cookie 1 -noecho
  fi
  local begin codes="" i seconds
  begin=$(date +%s.%N)
  for i in "${!sides[@]}"; do
    if [[ $i == "$victim" ]]; then
      codes+="- "
      continue
    fi
    for _ in $(seq 300); do
      kill -0 "${sides[$i]}" 2>/dev/null || break
      sleep 0.1
    done
    if kill -0 "${sides[$i]}" 2>/dev/null; then
      codes+="hangs "
    else
      local code=0
      wait "${sides[$i]}" || code=$?
      codes+="$code "
    fi
  done
  seconds=$(awk -v a="$begin" -v b="$(date +%s.%N)" 'BEGIN { printf "%.1f", b - a }')
  for i in "${sides[@]}"; do kill -KILL "$i" 2>/dev/null || true; done
  for i in "${sides[@]}"; do wait "$i" || true; done
  local word=ok
  [[ "${codes% }" =~ ^($expected)$ ]] || word=FAILED
  awk -v a="$seconds" -v b="$limit" 'BEGIN { exit a > b }' || word=FAILED
  printf '%-6s transport %-3s %-10s %s %s: codes %s in %s s (at most %s)\n' "$word" "$transport" "$phase" "$signal" \
    "$([[ $victim == 0 ]] && echo publisher || echo "subscriber $victim")" "${codes% }" "$seconds" "$limit"
  [[ $word == ok ]] || { failed=1; tail -n 2 "$folder"/*.error >&2; }
}

# A count of the publisher's final line.
count() { tail -n 1 "$folder/p.json" | sed -n "s/.*\"counts\":{[^}]*\"$1\":\([0-9]*\).*/\1/p"; }

# Reliable, to two: the kernel itself keeps strangers from a socket that has one peer.
foreign() {
  local floods=$PWD/test/Floods/bin/Release/net10.0/Floods.dll seconds=5 codes="" i word=ok
  [[ -f "$floods" ]] || dotnet build -c Release -v q -clp:ErrorsOnly test/Floods
  domain=$((domain + 1))
  sides=()
  rm -f "$folder"/*
  start p -publish -domainId $domain -reliable -subscribers 2 -numIter 200000 -maxSize 16 -jsonFile "$folder/p.json"
  start s1 -subscribe -domainId $domain -reliable -cookie 1 -noecho
  start s2 -subscribe -domainId $domain -reliable -cookie 2
  until_said p Collecting
  dotnet exec "$floods" datagrams "127.0.0.1:$((21000 + 36 * domain))" $seconds
  for i in "${!sides[@]}"; do
    local code=0
    wait "${sides[$i]}" || code=$?
    codes+="$code "
  done
  local counted lost dropped
  counted=$(count foreign) lost=$(count lost) dropped=$(count droppedByKernel)
  [[ "${codes% }" == "0 0 0" && "${lost:-1}" == 0 ]] && (( ${counted:-0} > 0 )) || { word=FAILED; failed=1; tail -n 2 "$folder"/*.error >&2; }
  printf '%-6s foreign datagrams: %s counted in %s s, %s found no room in the socket, %s rounds lost, codes %s\n' "$word" \
    "${counted:-none}" $seconds "${dropped:-?}" "${lost:-?}" "${codes% }"
}

for transport in $transports; do
  [[ $transport != 0 ]] || continue # the foreign ones alone
  fault "$transport" meeting 0 KILL 5 "- 5"
  fault "$transport" meeting 1 KILL 10 "0 - 0 0"
  fault "$transport" measuring 0 KILL 5 "- 5 5"
  fault "$transport" measuring 1 KILL 5 "5 - 5"
  fault "$transport" measuring 2 KILL 5 "5 5 -"
  fault "$transport" measuring 0 STOP 14 "- 5 5"
  fault "$transport" measuring 2 STOP 17 "5 5 -"
  fault "$transport" ending 1 KILL 6 "[05] - [05]"
  fault "$transport" ending 0 KILL 6 "- [05] [05]"
done
foreign
leftovers=$(ls /dev/shm 2>/dev/null | grep -c "^perftools-.*-1[5-9][0-9]" || true)
echo "files left in shared memory by sides that were killed, until the next publisher comes: $leftovers"
exit $failed
