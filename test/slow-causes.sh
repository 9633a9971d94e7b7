#!/usr/bin/env bash
# Makes runs slow, each in one way, and looks whether the verdict names that way; a good run must name none. What this machine does not let anybody provoke
# is skipped by name: the time that a host takes, and memory that goes to the disk, are told to the tool instead (files that say so in place of the kernel's).
# usage: slow-causes.sh [seconds of each run] [causes...]     (default 3, all; the machine to itself)
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-3}
[[ "$seconds" =~ ^[1-9][0-9]*$ ]] || { echo "slow-causes: '$seconds' is not a number of seconds" >&2; exit 2; }
causes=("${@:2}")
(( ${#causes[@]} )) || causes=(good worker buffers reader sender requests collections foreign pacing memory stolen swapped)
tools=${PERFTOOLS_BUILT:-}
if [[ -z "$tools" ]]; then
  dotnet build -c Release -v q -clp:ErrorsOnly tools/PerfTools
  tools=$PWD/tools/PerfTools/bin/Release/net10.0
fi
perftools=$tools/perftools.dll
folder=$(mktemp -d)
started=()
trap 'for id in ${started[@]+"${started[@]}"}; do kill "$id" 2>/dev/null || true; done; rm -rf "$folder"' EXIT
cd "$folder"
bad=0
slow=(--rate 6000000 --items 100) # a tick fills more output buffers than there are: for causes that are told beside another

run() { timeout $((seconds + 60)) dotnet "$perftools" run "$@" --seconds "$seconds" --out "$folder/$cause" >"$cause.log" 2>&1; }

# judge PATTERN: the reason in run.json must match; nothing for a run that must be OK.
judge() {
  local verdict reason
  verdict=$(sed -n 's/^ *"verdict": *"\([^"]*\)".*/\1/p' "$cause/run.json" | head -n 1)
  reason=$(sed -n 's/^ *"reason": *"\(.*\)",\{0,1\}$/\1/p' "$cause/run.json" | head -n 1)
  if [[ -z "$1" && "$verdict" == OK ]] || [[ -n "$1" && "$verdict" == SLOW && "$reason" =~ $1 ]]; then
    printf '%-12s %s  %s\n' "$cause" "$verdict" "$reason"
  else
    printf '%-12s not as it should be: %s  %s\n' "$cause" "$verdict" "$reason"
    bad=1
  fi
}

skip() { printf '%-12s skipped: %s\n' "$cause" "$1"; }

# stop_role TOOL SECONDS: halts a role of the run once it measures.
stop_role() {
  local id
  for _ in $(seq 200); do
    [[ ! -s "$folder/$cause/ConsPerf.jsonl" ]] || break
    sleep 0.1
  done
  id=$(pgrep -f "$1.dll.*$folder/$cause/" | head -n 1) || return 0
  kill -STOP "$id"
  sleep "$2"
  kill -CONT "$id"
}

# Asks the provider of the run for its metrics over and over: it makes text of them, and throws it away.
ask_metrics() {
  local address
  for _ in $(seq 200); do
    address=$(sed -n 's/^Metrics on //p' "$folder/$cause/ProvPerf.log" 2>/dev/null || true)
    [[ -z "$address" ]] || break
    sleep 0.1
  done
  timeout $((seconds + 5)) curl -s -o /dev/null "$address?[1-1000000]" || true
}

# private STEPS ARGUMENTS...: runs with some of what the system says or gives changed, for that run alone.
private() {
  local steps=$1
  shift
  perftools="$perftools" folder="$folder" cause="$cause" seconds="$seconds" unshare --mount --net --cgroup bash -c '
    ip link set lo up || exit 77
    eval "$0" || exit 77
    timeout $((seconds + 60)) dotnet "$perftools" run "$@" --seconds "$seconds" --out "$folder/$cause" >"$cause.log" 2>&1' "$steps" "$@" 2>"$cause.err"
}

# told FILE STEP N: a copy of a file of the kernel in its place, to which every tenth of a second a step is done with a number that is N larger each time.
told() {
  echo "mkdir -p $folder/proc; mount -t proc none $folder/proc || exit 77; cp $1 $folder/fact; mount --bind $folder/fact $1 || exit 77; (n=0; while [ -d $folder ]; do n=\$((n + $3)); $2; sleep 0.1; done) & trap \"kill \$!\" EXIT"
}

for cause in "${causes[@]}"; do
  code=0
  case $cause in
    good) run direct --rate 50000 || true; judge "" ;;
    worker) run transport --rate 5000000 --compression zlib --server "-outputBufs 100000" || true; judge 'used (9[5-9]|1[0-9][0-9]) % of a core' ;;
    buffers) run direct "${slow[@]}" || true; judge 'are fewer than the .* that a tick fills' ;;
    reader) stop_role ConsPerf 2 & run direct --rate 400000 || true; judge 'as the reader.* had a backlog' ;;
    sender) stop_role ProvPerf 2 & run direct --rate 50000 || true; judge 'ticks started up to [0-9,]* ms late' ;;
    requests) run direct --rate 6000000 --items $((seconds * 700)) --cons "-requestRate 1000" || true; judge 'as 1,000 a second were asked for' ;;
    collections)
      command -v curl >/dev/null || { skip "curl is not installed"; continue; }
      ask_metrics & started+=($!)
      DOTNET_GCgen0size=10000 DOTNET_GCgen0MaxBudget=10000 run direct "${slow[@]}" --prov "-metricsPort 0" || true
      started=()
      judge 'garbage collections stopped the provider' ;;
    foreign)
      for _ in $(seq $((4 * $(nproc)))); do (while [ -d "$folder" ]; do :; done) & started+=($!); done
      run direct --rate 2000000 || true
      for id in "${started[@]}"; do kill "$id" 2>/dev/null || true; done
      started=()
      judge 'and other programs used [0-9]* % of the machine' ;;
    pacing)
      [[ "$(cat /proc/sys/net/ipv4/tcp_congestion_control)" == bbr ]] || { skip "the congestion control of this machine is not bbr"; continue; }
      private 'tc qdisc add dev lo root tbf rate 200mbit burst 100k latency 50ms' direct --rate 500000 || code=$?
      (( code != 77 )) || { skip "no limit of loopback is allowed here"; continue; }
      judge 'bbr, paces what it sends' ;;
    memory)
      group=/sys/fs/cgroup/memory/perftools-$$
      { [[ "$(id -u)" == 0 ]] && mkdir "$group" 2>/dev/null; } || { skip "no control group of our own (version 1, root)"; continue; }
      private "echo \$\$ >$group/cgroup.procs; echo 145M >$group/memory.limit_in_bytes
        exec unshare --cgroup --mount bash -c 'umount /sys/fs/cgroup/memory && mount -t cgroup -o memory none /sys/fs/cgroup/memory || exit 77
          timeout \$((seconds + 60)) dotnet \"\$perftools\" run direct \"\$@\" --seconds \"\$seconds\" --out \"\$folder/\$cause\" >\"\$cause.log\" 2>&1' -- \"\$@\"" "${slow[@]}" || code=$?
      rmdir "$group" 2>/dev/null || true
      (( code != 77 )) || { skip "no mount of its own is allowed here"; continue; }
      judge 'MB that they may have' ;;
    stolen)
      private "$(told /proc/stat 's=$(sed "1s/^\(cpu  *\([0-9]* \)\{7\}\)[0-9]*/\1$n/" '"$folder"'/proc/stat); printf "%s\n" "$s" 1<>'"$folder"'/fact' 6)" \
        direct "${slow[@]}" || code=$?
      (( code != 77 )) || { skip "no mount of its own is allowed here"; continue; }
      judge 'the host took [0-9]* % of the processors' ;;
    swapped)
      private "$(told /proc/vmstat 's=$(sed "s/^pswpout .*/pswpout $n/" '"$folder"'/fact); printf "%s\n" "$s" 1<>'"$folder"'/fact' 5000)" direct "${slow[@]}" || code=$?
      (( code != 77 )) || { skip "no mount of its own is allowed here"; continue; }
      judge 'memory ran short, [0-9,]* MB went to the disk and back' ;;
    *) echo "slow-causes: $cause: no such cause" >&2; exit 2 ;;
  esac
done
exit "$bad"
