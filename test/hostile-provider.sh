#!/usr/bin/env bash
# ConsPerf against a provider that lets it log in and then floods it: it must end with 5 and the reason, its results written, its memory bounded.
# usage: hostile-provider.sh [seconds of each flood] [kinds...]     (default 2, every kind; 5 to 10 for a figure)
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-2}
[[ "$seconds" =~ ^[1-9][0-9]*$ ]] || { echo "hostile-provider: '$seconds' is not a number of seconds" >&2; exit 2; }
kinds=("${@:2}")
(( ${#kinds[@]} )) || kinds=(pings packs empty-packed fragments restarts websocket-pings tls-records dictionary directory unknown-streams statuses login-statuses groups bad-messages)
for project in tools/ConsPerf tools/PerfTools test/Floods; do
  [[ -n "${PERFTOOLS_BUILT:-}" ]] || dotnet build -c Release -v q -clp:ErrorsOnly "$project"
done
root=$PWD
growth=64 # MB beside a provider that does not flood
folder=$(mktemp -d)
provider=
trap '[[ -z "$provider" ]] || kill "$provider" 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
dotnet "$root/tools/PerfTools/bin/Release/net10.0/perftools.dll" cert >/dev/null
bad=0
least=

# flood KIND: runs ConsPerf against it; puts its exit code into $code and its memory into $memory (MB).
flood() {
  local kind=$1 options=(-fieldDict "$root/etc/RDMFieldDictionary" -enumDict "$root/etc/enumtype.def") own=()
  case $kind in
    tls-records) own=(certs/server.pem certs/server.key); options+=(-connType encrypted -castore certs/ca.pem) ;;
    websocket-pings) options+=(-connType websocket -websocket rssl.rwf) ;;
    dictionary) options=() ;;
  esac
  rm -f cons.* prov.log
  dotnet "$root/test/Floods/bin/Release/net10.0/Floods.dll" provider "$kind" ${own[@]+"${own[@]}"} >prov.log 2>&1 &
  provider=$!
  for _ in $(seq 100); do
    port=$(sed -n 's/^Listening on port //p' prov.log 2>/dev/null || true)
    [[ -z "$port" ]] || break
    sleep 0.1
  done
  [[ -n "$port" ]] || { echo "hostile-provider: no port: $(cat prov.log)" >&2; exit 1; }
  code=0
  timeout $((seconds + 30)) dotnet "$root/tools/ConsPerf/bin/Release/net10.0/ConsPerf.dll" -h localhost -p "$port" -itemCount 1000 -steadyStateTime "$seconds" \
    -jsonFile cons.json -summaryFile cons.out -statsFile cons ${options[@]+"${options[@]}"} >cons.log 2>cons.err || code=$?
  kill "$provider" 2>/dev/null || true
  wait "$provider" 2>/dev/null || true
  provider=
  memory=$(tail -n 1 cons.json | sed -n 's/.*"peakWorkingSetBytes":\([0-9]*\).*/\1/p')
  memory=$((${memory:-0} / 1048576))
}

flood none
(( code == 5 && memory > 0 )) || { echo "hostile-provider: 5 expected of a provider that sends no image: $code: $(cat cons.err)" >&2; exit 1; }
least=$memory
printf '%-18s %5s %9s  %s\n' flood exit 'more MB' reason
for kind in "${kinds[@]}"; do
  flood "$kind"
  printf '%-18s %5s %9s  %s\n' "$kind" "$code" $((memory - least)) "$(cut -c1-150 cons.err)"
  if (( code != 5 || memory == 0 || memory - least > growth || $(wc -l <cons.err) != 1 )) || ! grep -q 'OVERALL SUMMARY' cons.out ||
    ! tail -n 1 cons.json | grep -q '"final":true.*}$' || (( $(wc -c <cons.log) > 1000000 )); then
    echo "hostile-provider: $kind: not as it should be"
    bad=1
  fi
done
exit "$bad"
