#!/usr/bin/env bash
# A provider, a consumer at 5,000 updates a second, and beside them one who floods the provider: what the consumer notices of it.
# usage: flood-checks.sh [seconds of each flood] [kinds...]     (default 2, every kind; 10 for a figure, with the machine to itself)
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-2}
[[ "$seconds" =~ ^[1-9][0-9]*$ ]] || { echo "flood-checks: '$seconds' is not a number of seconds" >&2; exit 2; }
kinds=("${@:2}")
(( ${#kinds[@]} )) || kinds=(none pings packs empty-packed fragments restarts websocket-pings tls-records dictionaries dictionaries-read logins items items-read items-spread names silent storm noise)
for project in tools/ProvPerf tools/ConsPerf tools/PerfTools test/Floods; do
  [[ -n "${PERFTOOLS_BUILT:-}" ]] || dotnet build -c Release -v q -clp:ErrorsOnly "$project"
done
root=$PWD
folder=$(mktemp -d)
provider=
trap '[[ -z "$provider" ]] || kill "$provider" 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
tool() { dotnet "$root/tools/$1/bin/Release/net10.0/$1.dll" "${@:2}"; }
# figure FILE NAME: the first of that name in the last line, behind "steady" where that is
figure() {
  local line rest
  line=$(tail -n 1 "$1")
  rest=${line#*'"steady":{'}
  rest=${rest#*"\"$2\":"}
  echo "${rest%%[,\}]*}"
}
dotnet "$root/tools/PerfTools/bin/Release/net10.0/perftools.dll" cert >/dev/null
printf '%-18s %12s %10s %10s %12s\n' flood updates/s 'p99 us' 'max us' 'provider MB'
for kind in "${kinds[@]}"; do
  tls=()
  [[ "$kind" == tls-records ]] && tls=(-connType encrypted)
  rm -f prov.log prov.json cons.json
  dotnet "$root/tools/ProvPerf/bin/Release/net10.0/ProvPerf.dll" -p 0 -updateRate 5000 -latencyUpdateRate 1000 -runTime $((seconds + 60)) -jsonFile prov.json \
    ${tls[@]+"${tls[@]}" -cert certs/server.pem -keyfile certs/server.key} >prov.log 2>&1 &
  provider=$!
  for _ in $(seq 100); do
    port=$(sed -n 's/^Listening on port //p' prov.log 2>/dev/null || true)
    [[ -z "$port" ]] || break
    sleep 0.1
  done
  [[ -n "$port" ]] || { echo "flood-checks: ProvPerf does not listen" >&2; exit 1; }
  tool ConsPerf -h localhost -p "$port" -itemCount 1000 -steadyStateTime $((seconds + 2)) -jsonFile cons.json ${tls[@]+"${tls[@]}" -castore certs/ca.pem} >cons.log 2>&1 &
  consumer=$!
  sleep 2
  [[ "$kind" == none ]] || dotnet "$root/test/Floods/bin/Release/net10.0/Floods.dll" "$kind" "localhost:$port" "$seconds" >>floods.log
  wait "$consumer" || echo "$kind: the consumer ended with $?: $(tail -1 cons.log)"
  kill "$provider" && wait "$provider" || true
  provider=
  printf '%-18s %12s %10s %10s %12s\n' "$kind" "$(figure cons.json updateRate)" "$(figure cons.json p99Micros)" "$(figure cons.json maxMicros)" \
    "$(( $(figure prov.json peakWorkingSetBytes) / 1048576 ))"
done
cat floods.log 2>/dev/null || true
