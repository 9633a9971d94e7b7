#!/usr/bin/env bash
# Users beside a busy loop on each processor: all of them log in, nobody is lost, and the run says that the machine was busy instead of blaming the hub.
# usage: users-busy.sh [users] [log-ins a second] [processes]     (default 1000, 400 and 2; 10000, 400 and 10 for a figure, about a minute)
set -euo pipefail
cd "$(dirname "$0")/.."
users=${1:-1000} rate=${2:-400} processes=${3:-2}
perftools="$PWD/tools/PerfTools/bin/Release/net10.0/perftools.dll"
work=$(mktemp -d)
loops=()
trap 'kill "${loops[@]}" 2>/dev/null || true; rm -rf "$work"' EXIT
for _ in $(seq "$(nproc)"); do
  (while :; do :; done) &
  loops+=($!)
done

ulimit -n "$(ulimit -Hn)"
ended=0
dotnet exec "$perftools" run users-low --steps "$users" --users-processes "$processes" --login-rate "$rate" --settle 10 --out "$work/run" \
  > "$work/log" 2>&1 || ended=$?
sed 's/^/users-busy: /' "$work/log"
fail() { echo "users-busy: $1" >&2; exit 1; }
[ "$ended" -eq 0 ] || [ "$ended" -eq 6 ] || fail "ended with $ended"
row=$(grep -o '"usersIn": [0-9]*\|"lost": [0-9]*\|"loginRetries": [0-9]*' "$work/run/users-low-base/run.json" | tr -d '" ' | tr '\n' ' ')
echo "users-busy: $row"
[[ " $row" == *" usersIn:$users "* ]] || fail "not all of the $users users were in"
[[ " $row" == *"lost:0 "* ]] || fail "users were lost"
grep -q "machine busy: other processes used" "$work/log" || fail "nobody said that the machine was busy"
