#!/usr/bin/env bash
# Launchers for real: Open MPI and a Slurm of one node on loopback start two scenarios of the users suite each, then direct and hub-direct, as two ranks that are put together. A launcher
# that is not installed is installed from Debian where that is allowed (root and apt-get), else skipped. Its daemons and files are its own, and go at the end. Takes about
# three minutes.
# usage: launchers.sh [mpi] [slurm] (default both)
set -euo pipefail
cd "$(dirname "$0")/.."
if [ -n "${PERFTOOLS_TOOLS:-}" ] && [ -x "$PERFTOOLS_TOOLS/perftools" ] && [ ! -f "$PERFTOOLS_TOOLS/perftools.dll" ]; then
  perftools=("$PERFTOOLS_TOOLS/perftools")
else
  perftools=(dotnet exec "$PWD/tools/PerfTools/bin/Release/net10.0/perftools.dll")
fi
work=$(mktemp -d)
chmod 755 "$work" # munged refuses a socket that others cannot reach
trap end_all EXIT
scenarios=(users-low users-medium)
markets=(direct hub-direct)
load=(--items 500 --rate 5000 --latency-rate 500 --seconds 10 --meet-timeout 180)
small=(--steps 12,24 --period 2 --warmup 0 --settle 1 --set subjects=100 --set subscriptions=2 --start-in "${START_IN:-20}" --meet-timeout 180)

end_all() {
  for file in "$work"/slurm/*.pid; do
    if pid=$(cat "$file" 2>/dev/null); then
      kill "$pid" 2>/dev/null || true
      for _ in $(seq 100); do [ -d "/proc/$pid" ] && sleep 0.1 || break; done
    fi
  done
  rm -rf "$work"
}

fail() {
  echo "launchers: $1" >&2
  tail -n 20 "$work"/*.log "$work"/slurm/*.log >&2 2>/dev/null || true
  exit 1
}

# have <program> <packages>: true when it is here, or could be installed
have() {
  local program=$1
  shift
  ! command -v "$program" > /dev/null || return 0
  if [ "$(id -u)" -eq 0 ] && command -v apt-get > /dev/null; then
    DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@" > "$work/apt.log" 2>&1 || true
  fi
  command -v "$program" > /dev/null
}

# check <launcher> <scenario> <exit code> <name of the run>: both ranks took part, and what was sent adds up
check() {
  local ramp="$work/$4/$2-base"
  [ "$3" -eq 0 ] || [ "$3" -eq 6 ] || fail "$1: $2 ended with $3"
  [ -f "$ramp/run.json" ] || fail "$1: $2 left no run.json"
  ! grep -q '"balanced": false' "$ramp/run.json" || fail "$1: $2 does not add up"
  [ -d "$ramp/rank-0" ] && [ -d "$ramp/rank-1" ] || fail "$1: $2 has not the folders of two ranks"
  [ "$(cut -d, -f6 "$ramp/steps.csv" | tail -n 1 | tr -d ' ')" -eq 24 ] || fail "$1: not all users of $2 were in"
  echo "launchers: $1: $2 over two ranks, 24 of 24 users in, adds up"
}

# check_market <launcher> <scenario> <exit code>: both ranks took part, and what was sent adds up
check_market() {
  local run="$work/$1-$2/run.json"
  [ "$3" -eq 0 ] || [ "$3" -eq 6 ] || fail "$1: $2 ended with $3"
  [ -f "$run" ] || fail "$1: $2 left no run.json"
  ! grep -q '"balanced": false' "$run" || fail "$1: $2 does not add up"
  [ "$(python3 -c 'import json, sys; print(len(json.load(open(sys.argv[1]))["ranks"]))' "$run")" -eq 2 ] || fail "$1: $2 has not two ranks"
  echo "launchers: $1: $2 over two ranks adds up"
}

mpi() {
  have mpirun openmpi-bin || {
    echo "launchers: mpi: skipped, mpirun is not installed"
    return
  }
  for scenario in "${scenarios[@]}"; do
    code=0
    timeout 300 mpirun --allow-run-as-root --oversubscribe --bind-to none -np 2 "${perftools[@]}" run "$scenario" --rank auto --run-id "mpi-$scenario" \
      --place hub=0,source=0,users=1 --address 127.0.0.1 --out "$work/mpi-$scenario" "${small[@]}" > "$work/mpi-$scenario.log" 2>&1 || code=$?
    check mpi "$scenario" "$code" "mpi-$scenario"
  done
  for scenario in "${markets[@]}"; do
    code=0
    timeout 300 mpirun --allow-run-as-root --oversubscribe --bind-to none -np 2 "${perftools[@]}" run "$scenario" --rank auto --run-id "mpi-$scenario" \
      --address 127.0.0.1 --out "$work/mpi-$scenario" "${load[@]}" > "$work/mpi-$scenario.log" 2>&1 || code=$?
    check_market mpi "$scenario" "$code"
  done
}

# free_port: one that nobody listens on now
free_port() {
  python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

# start_slurm: authentication, controller and node, with files and ports of their own
start_slurm() {
  local home="$work/slurm" node
  node=$(hostname -s)
  mkdir -m 755 "$home" "$home/state" "$home/spool"
  mkdir -m 700 "$home/key"
  head -c 64 /dev/urandom > "$home/key/munge"
  chmod 600 "$home/key/munge"
  munged --force --socket="$home/munge.socket" --key-file="$home/key/munge" --seed-file="$home/key/seed" --log-file="$home/munged.log" --pid-file="$home/munged.pid" > "$work/munged.log" 2>&1 || return 1
  cat > "$home/slurm.conf" << CONF
ClusterName=perftools
SlurmctldHost=$node(127.0.0.1)
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/munge
AuthInfo=socket=$home/munge.socket
CredType=cred/munge
SlurmctldPort=$(free_port)
SlurmdPort=$(free_port)
SlurmctldPidFile=$home/controller.pid
SlurmdPidFile=$home/node.pid
StateSaveLocation=$home/state
SlurmdSpoolDir=$home/spool
SlurmctldLogFile=$home/controller.log
SlurmdLogFile=$home/node.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
NodeName=$node NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP OverSubscribe=YES
CONF
  export SLURM_CONF="$home/slurm.conf"
  slurmctld > "$work/slurmctld.log" 2>&1 && slurmd > "$work/slurmd.log" 2>&1 || return 1
  for _ in $(seq 300); do
    ! sinfo -h -o %T 2> /dev/null | grep -q idle || return 0
    sleep 0.2
  done
  return 1
}

slurm() {
  if ! have slurmctld slurmctld slurmd slurm-client munge || ! have slurmd slurmd || ! have srun slurm-client || ! have munged munge; then
    echo "launchers: slurm: skipped, slurmctld, slurmd, srun or munged is not installed"
    return
  fi
  [ "$(id -u)" -eq 0 ] || {
    echo "launchers: slurm: skipped, its node needs root"
    return
  }
  start_slurm || fail "slurm: the cluster of one node did not start"
  for scenario in "${scenarios[@]}"; do
    code=0
    timeout 300 srun --ntasks 2 --overcommit --time 10 "${perftools[@]}" run "$scenario" --rank auto --place hub=0,source=0,users=1 --address 127.0.0.1 \
      --out "$work/slurm-$scenario" "${small[@]}" > "$work/slurm-$scenario.log" 2>&1 || code=$?
    check slurm "$scenario" "$code" "slurm-$scenario"
  done
  for scenario in "${markets[@]}"; do
    code=0
    timeout 300 srun --ntasks 2 --overcommit --time 10 "${perftools[@]}" run "$scenario" --rank auto --address 127.0.0.1 \
      --out "$work/slurm-$scenario" "${load[@]}" > "$work/slurm-$scenario.log" 2>&1 || code=$?
    check_market slurm "$scenario" "$code"
  done
}

[ $# -gt 0 ] || set -- mpi slurm
for launcher in "$@"; do
  case $launcher in
    mpi | slurm) "$launcher" ;;
    *) echo "launchers: no launcher $launcher; mpi and slurm are known" >&2 && exit 2 ;;
  esac
done
echo "launchers: all as it should be"
