#!/usr/bin/env bash
# Has a Prometheus scrape two runs, one through a hub and one of opaque messages, and asks it each query of etc/grafana/perftools.json: all are
# answered, with a series of a program that runs. Needs prometheus (Debian has it), jq and curl; skipped where one is missing.
set -euo pipefail
for tool in prometheus jq curl; do
  command -v "$tool" > /dev/null || { echo "dashboard: skipped: $tool is not installed"; exit 0; }
done

here=$(cd "$(dirname "$0")" && pwd)
board=$here/../etc/grafana/perftools.json
perftools=(dotnet exec "$here/../tools/PerfTools/bin/Release/net10.0/perftools.dll")
work=$(mktemp -d)
started=()
trap 'for one in "${started[@]}"; do kill "$one" 2>/dev/null || true; done; wait; rm -rf "$work"' EXIT
fail() { echo "dashboard: $*" >&2; exit 1; }

# start_run SCENARIO ROLE...: a run whose roles can be scraped, each on a free port.
start_run() {
  local scenario=$1 role arguments=()
  shift
  for role in "$@"; do
    arguments+=(--args "$role=-metricsPort 0")
  done
  "${perftools[@]}" run "$scenario" --rate 1000 --seconds 60 "${arguments[@]}" --out "$work/$scenario" > "$work/$scenario.log" 2>&1 &
  started+=($!)
}

# port_in FILE PATTERN: waits for a line with an address, and prints its port.
port_in() {
  local port
  for _ in $(seq 300); do
    port=$(sed -n "s/.*$2:\([0-9][0-9]*\).*/\1/p" "$1" 2>/dev/null | head -1)
    [ -z "$port" ] || { echo "$port"; return; }
    sleep 0.1
  done
  fail "no line like '$2' in $(basename "$1")"
}

# addresses_of RUN COUNT: waits until this number of roles of a run say where they are scraped, and prints where.
addresses_of() {
  local addresses
  for _ in $(seq 300); do
    addresses=$(sed -n 's,^Metrics on http://\([0-9.:]*\)/metrics.*,\1,p' "$work/$1"/*.log 2>/dev/null || true)
    [ "$(wc -w <<< "$addresses")" -lt "$2" ] || { echo "$addresses"; return; }
    sleep 0.1
  done
  fail "$1: fewer than $2 roles can be scraped"
}

start_run hub-direct provider hub consumer
start_run transport server client
found=$(addresses_of hub-direct 3; addresses_of transport 2)
targets=$(printf '"%s"\n' $found | paste -sd,)
sed "s/targets: .*/targets: [$targets]/" "$here/../etc/grafana/prometheus.yml" > "$work/prometheus.yml"
prometheus --config.file="$work/prometheus.yml" --storage.tsdb.path="$work/data" --web.listen-address=127.0.0.1:0 > "$work/prometheus.log" 2>&1 &
started+=($!)
port=$(port_in "$work/prometheus.log" 'Listening on.*127.0.0.1')
sleep 15 # scrapes enough for a rate

failed=0
while IFS=$'\t' read -r title query; do
  query=${query//\$instance/.*}
  query=${query//\$__rate_interval/10s}
  answer=$(curl -sS --get "http://127.0.0.1:$port/api/v1/query" --data-urlencode "query=$query")
  series=$(jq 'if .status == "success" then .data.result | length else 0 end' <<< "$answer")
  [ "$series" -gt 0 ] || failed=1
  printf '%-32s %3s series  %s\n' "$title" "$series" \
    "$(jq -r 'if .status == "success" then [.data.result[0] | .metric.instance, .value[1]] | join(" = ") else .error end' <<< "$answer")"
done < <(jq -r '.panels[] | .title as $title | .targets[]? | [$title, .expr] | @tsv' "$board")
[ "$failed" = 0 ] || fail "a query without an answer"
variable=$(jq -r '.templating.list[] | select(.name == "instance") | .query | if type == "object" then .query else . end' "$board" | sed 's/label_values(\(.*\), *instance)/\1/')
found=$(curl -sS --get "http://127.0.0.1:$port/api/v1/series" --data-urlencode "match[]=$variable" | jq -r '[.data[].instance] | unique | length')
[ "$found" = 5 ] || fail "the list of programs has $found of 5"
echo "dashboard: all queries are answered; the list has the 5 programs"
