#!/usr/bin/env bash
# A provider whose port of metrics and control is attacked, and its consumer at 5,000 updates a second: what the consumer notices, and what the
# provider keeps. The provider may open 256 files; 2,000 connections come at a time. Each attack has a provider of its own.
# usage: hostile-face.sh [seconds of each attack] [seconds after it] [attacks...]     (default 2, 3, every attack; 10 60 for a figure, with the machine to itself)
set -euo pipefail
cd "$(dirname "$0")/.."
source test/port-of.sh
seconds=${1:-2} after=${2:-3}
[[ "$seconds" =~ ^[1-9][0-9]*$ && "$after" =~ ^[1-9][0-9]*$ ]] || { echo "hostile-face: '$seconds' and '$after' are no numbers of seconds" >&2; exit 2; }
kinds=("${@:3}")
(( ${#kinds[@]} )) || kinds=(none idle half-heads half-bodies byte-by-byte storm metrics unread wrong-tokens long-heads long-lines long-bodies chunks pipelined noise)
for project in tools/ProvPerf tools/ConsPerf test/Floods; do
  [[ -n "${PERFTOOLS_BUILT:-}" ]] || dotnet build -c Release -v q -clp:ErrorsOnly "$project"
done
source test/hostile.sh
ulimit -n "$(ulimit -Hn)"
heading
for kind in "${kinds[@]}"; do
  begin_attack
  files=256 start provider ProvPerf -p 0 -updateRate 5000 -latencyUpdateRate 1000 -runTime $((seconds + after + 60)) -metricsPort 0 -control \
    -jsonFile prov.json -summaryFile prov.out -statsFile prov
  provider=$role
  start consumer ConsPerf -h localhost -p "$(port_of provider.log ProvPerf)" -itemCount 1000 -steadyStateTime $((seconds + 2)) -jsonFile cons.json
  consumer=$role
  face=$(sed -n 's/^Control on //p' provider.log)
  sleep 2.5
  watch_attack "$provider" face "$kind" "$face" "$seconds"
  code=0
  wait "$consumer" || code=$?
  sleep "$after"
  left=$(resident "$provider")
  said=$(curl -s -m 3 "http://$face/metrics" | tail -n 1 || true) # when all is over it answers as before
  kill "$provider"
  ended=0
  wait "$provider" || ended=$?
  row "$kind" cons.json
  grep -q '"final":true' prov.json || ended=-1
  (( code == 0 && ended == 143 )) && [[ "$said" == "# EOF" ]] || spoilt "$kind" "consumer $code, provider $ended, metrics '$said'"
done
exit "$bad"
