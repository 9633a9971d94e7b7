#!/usr/bin/env bash
# Users of UsersPerf whose hub floods them, beside a provider and its consumer at 5,000 updates a second: what that consumer notices, and what the
# users' process keeps. Each attack has users of its own.
# usage: hostile-users.sh [seconds of each attack] [seconds after it] [attacks...]     (default 2, 3, every attack; 10 60 for a figure, with the machine to itself)
set -euo pipefail
cd "$(dirname "$0")/.."
source test/port-of.sh
seconds=${1:-2} after=${2:-3}
[[ "$seconds" =~ ^[1-9][0-9]*$ && "$after" =~ ^[1-9][0-9]*$ ]] || { echo "hostile-users: '$seconds' and '$after' are no numbers of seconds" >&2; exit 2; }
kinds=("${@:3}")
(( ${#kinds[@]} )) || kinds=(none pings packs empty-packed fragments restarts dictionary directory unknown-streams statuses login-statuses groups bad-messages)
for project in tools/ProvPerf tools/ConsPerf tools/UsersPerf test/Floods; do
  [[ -n "${PERFTOOLS_BUILT:-}" ]] || dotnet build -c Release -v q -clp:ErrorsOnly "$project"
done
source test/hostile.sh
ulimit -n "$(ulimit -Hn)"
heading
for kind in "${kinds[@]}"; do
  begin_attack
  start provider ProvPerf -p 0 -updateRate 5000 -latencyUpdateRate 1000 -runTime $((seconds + after + 60))
  provider=$role
  start consumer ConsPerf -h localhost -p "$(port_of provider.log ProvPerf)" -itemCount 1000 -steadyStateTime $((seconds + 3)) -jsonFile cons.json
  consumer=$role
  sleep 2
  dotnet "$root/test/Floods/bin/Release/net10.0/Floods.dll" provider "$kind" >hostile.log 2>&1 &
  hostile=$!
  started+=("$hostile")
  start users UsersPerf -h localhost -p "$(port_of hostile.log Floods)" -serviceName DIRECT_FEED -users 50 -subscriptions 5 -runTime $((seconds + after + 60)) -jsonFile users.json
  users=$role
  sleep 0.5
  before=$(resident "$users")
  most=$before
  for _ in $(seq $((seconds * 10))); do
    now=$(resident "$users")
    (( now <= most )) || most=$now
    sleep 0.1
  done
  kill "$hostile"
  wait "$hostile" || true
  echo "$(printf '%-18s' "$kind") its users: $(grep -c . users.log) lines" >attack.log
  code=0
  wait "$consumer" || code=$?
  sleep "$after"
  left=$(resident "$users")
  kill "$users" 2>/dev/null || true
  ended=0
  wait "$users" || ended=$?
  kill "$provider"
  wait "$provider" || true
  row "$kind" cons.json
  grep -q '"final":true' users.json || spoilt "$kind" "no results of the users"
  (( code == 0 && (ended == 143 || ended == 5 || ended == 4) && $(wc -c <users.log) < 1000000 )) || spoilt "$kind" "consumer $code, users $ended"
done
exit "$bad"
