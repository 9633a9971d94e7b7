#!/usr/bin/env bash
# A direct run while somebody asks its provider for its settings, or changes its rate, many times a second, against runs that are left alone.
# usage: control-load.sh [requests per second] [seconds] (default 1000 and 4)
set -euo pipefail
cd "$(dirname "$0")/.."
requests=${1:-1000} seconds=${2:-4}
[[ -n "${BUILT:-}" ]] || dotnet build -c Release -v q -clp:ErrorsOnly tools/PerfTools
perftools=$PWD/tools/PerfTools/bin/Release/net10.0/perftools.dll
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

# Requests one after the other over one connection: settings alone, or rates that differ from one to the next.
ask() {
  local address token
  for _ in $(seq 100); do
    address=$(sed -n 's/^Control on //p' "$1/ProvPerf.log" 2>/dev/null || true)
    [[ -z "$address" ]] || break
    sleep 0.1
  done
  token=$(cat "$1/control.token")
  for i in $(seq $((requests * seconds))); do
    ((i == 1)) || echo next
    echo "url = http://$address/control"
    echo "header = \"Authorization: Bearer $token\""
    echo 'output = /dev/null'
    [[ "$2" == settings ]] || echo "data = rate=$((100000 + 1000 * (i % 2)))"
    echo 'write-out = "%{http_code}\n"'
  done >"$1/requests.txt"
  curl -s --rate "$requests/s" -K "$1/requests.txt" | sort | uniq -c | tr '\n' ' ' >"$1/answers.txt" || true
}

run() {
  dotnet "$perftools" run direct --seconds "$((seconds + 2))" --out "$1" >"$1.log" 2>&1 &
  local process=$!
  [[ "$2" == still ]] || ask "$1" "$2"
  wait "$process" || true
  echo "$2: $(grep 'latency us' "$1.log") | $(grep 'CPU' "$1.log" | tr -s ' ') | answers: $(cat "$1/answers.txt" 2>/dev/null || echo none)"
}

run a still
run b settings
run c rates
run d still
