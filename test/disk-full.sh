#!/usr/bin/env bash
# Runs every tool, and perftools run, against a disk that is full after so many bytes, and looks at what they leave: whole lines alone, what was
# counted in every file that had room, exit code 7 with each failed file named, no process.
# usage: disk-full.sh [points of each tool] [seed] [tools...]     (default 20 and 1, every tool)
# A point is a number of bytes: of each file (RLIMIT_FSIZE) or, where a file system may be mounted, of the disk (tmpfs), in turn.
set -euo pipefail
cd "$(dirname "$0")/.."
points=${1:-20}
RANDOM=${2:-1}
[[ "$points" =~ ^[1-9][0-9]*$ ]] || { echo "disk-full: '$points' is not a number of 1 or more" >&2; exit 2; }
tools=("${@:3}")
(( ${#tools[@]} )) || tools=(TransportPerf ProvPerf NIProvPerf HubPerf ConsPerf run)
command -v prlimit >/dev/null || { echo "disk-full: prlimit is not here" >&2; exit 2; }
[[ -n "${PERFTOOLS_BUILT:-}" ]] || dotnet build -c Release -v q -clp:ErrorsOnly tools/PerfTools
bin=$PWD/tools/PerfTools/bin/Release/net10.0
folder=$(mktemp -d)
peer=
trap '[[ -z "$peer" ]] || kill "$peer" 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
export DOTNET_EnableWriteXorExecute=0 # its double mapping is a file, too
bad=0
mounts=no
! unshare -m sh -c "mkdir -p '$folder/disk' && mount -t tmpfs -o size=64k none '$folder/disk'" 2>/dev/null || mounts=yes

# The command line of a tool, as words, behind its dll.
words() {
  local files="-writeStatsInterval 1 -noDisplayStats -jsonFile own.json -summaryFile own.out -statsFile own"
  case $1 in
    ProvPerf) echo "-p 0 -runTime 1 $files" ;;
    HubPerf) echo "-p 0 -niPort 0 -runTime 1 $files" ;;
    NIProvPerf) echo "-h localhost -p $port -runTime 1 -itemCount 100 $files" ;;
    TransportPerf) echo "-appType client -h localhost -p $port -runTime 1 -tickRate 1000 -msgRate 1000 -latencyMsgRate 1000 -latencyFile lat $files" ;;
    ConsPerf) echo "-h localhost -p $port -itemCount 100 -steadyStateTime 1 -latencyFile lat $files" ;;
    run) echo "run direct --seconds 2 --items 100 --rate 2000 --out out --cons=-writeStatsInterval=1" ;;
  esac
}

# Starts what the tool connects to, and puts the port into $port.
serve() {
  local pattern="^Listening on port "
  case $1 in
    NIProvPerf) set -- HubPerf -p 0 -niPort 0; pattern="^Listening for providers on port " ;;
    TransportPerf) set -- TransportPerf -appType server -p 0 ;;
    ConsPerf) set -- ProvPerf -p 0 -updateRate 2000 -latencyUpdateRate 1000 ;;
    *) return 0 ;;
  esac
  mkdir -p peer
  (cd peer && exec dotnet "$bin/$1.dll" "${@:2}" -runTime 3600 -noDisplayStats >log 2>&1) &
  peer=$!
  for _ in $(seq 100); do
    port=$(sed -n "s/$pattern\([0-9]*\).*/\1/p" peer/log 2>/dev/null || true)
    [[ -z "$port" ]] || return 0
    sleep 0.1
  done
  echo "disk-full: $1 does not listen: $(cat peer/log)" >&2
  exit 1
}

retire() {
  [[ -n "$peer" ]] || return 0
  kill "$peer" 2>/dev/null || true
  wait "$peer" 2>/dev/null || true
  peer=
}

# Runs a tool in a folder of its own with room for so many bytes; "all" is no limit. Sets $code; what it left is in ./own then.
limited() {
  local tool=$1 room=$2 how=$3 dll=$1
  [[ "$tool" != run ]] || dll=perftools
  rm -rf own left && mkdir own
  serve "$tool"
  code=0
  # shellcheck disable=SC2046 # words are words
  case $how in
    all) (cd own && timeout 60 dotnet "$bin/$dll.dll" $(words "$tool") >"$folder/console" 2>"$folder/errors") || code=$? ;;
    files) (trap '' XFSZ; cd own; timeout 60 prlimit --fsize="$room" dotnet "$bin/$dll.dll" $(words "$tool") 2>&1 >/dev/null | cat >"$folder/errors"; exit "${PIPESTATUS[0]}") || code=$? ;;
    disk)
      unshare -m bash -c 'mount -t tmpfs -o size=4m,nr_inodes=1000 none own && cd own && head -c $((4194304 - $1)) /dev/zero >ballast && shift || exit 99
        code=0; timeout 60 dotnet "$@" >/dev/null 2>../errors || code=$?
        rm ballast; cp -r . ../left; exit $code' bash "$room" "$bin/$dll.dll" $(words "$tool") || code=$?
      rmdir own && mv left own ;;
  esac
  retire
}

# Of what the last run left.
find_largest() { find own -type f -printf '%s\n' | sort -n | tail -1; }
count_pages() { find own -type f -printf '%s\n' | awk '{ p += int(($1 + 4095) / 4096) } END { print p + 0 }'; }

fits() {
  if [[ "$1" == files ]]; then (( $(find_largest) <= $2 )); else (( $(count_pages) * 4096 <= $2 )); fi
}

complain() {
  echo "disk-full: $1, $2 bytes of $3: $4"
  sed 's/^/  /' errors
  bad=1
}

# Whole lines in every file; who is not at its end is named.
check() {
  local file base
  while read -r file; do
    base=${file##*/}
    [[ ! -s "$file" || "$base" == *.txt || -z "$(tail -c 1 "$file")" ]] || complain "$@" "$file ends within a line"
    case $base in
      *.json | *.jsonl)
        if [[ "$base" == run.json ]]; then
          [[ "$(tail -n 1 "$file")" == "}" ]] || complain "$@" "$file is not whole"
        else
          ! grep -qv '^{.*}$' "$file" || complain "$@" "$file has a half line"
          tail -n 1 "$file" | grep -q '"final":true' || grep -q "$base" errors || complain "$@" "$file has no final line and is not named"
        fi ;;
      *.out) grep -q 'OVERALL SUMMARY' "$file" || grep -q "$base" errors || complain "$@" "$file has no summary and is not named" ;;
      *.csv) [[ "$(awk -F, '{print NF}' "$file" | sort -u | wc -l)" -le 1 ]] || complain "$@" "$file has lines of different lengths" ;;
      *.new) complain "$@" "$file was left" ;;
    esac
  done < <(find own -type f)
  [[ "$(wc -l <errors)" -le 1 ]] || complain "$@" "more than one line of error"
  ! pgrep -f "$folder/own" >/dev/null || complain "$@" "a process is left"
}

for tool in "${tools[@]}"; do
  limited "$tool" 0 all
  (( code == 0 || code == 6 )) || { echo "disk-full: $tool ended with $code where there was room"; cat errors; exit 1; }
  largest=$(find_largest)
  pages=$(count_pages)
  full=0
  sevens=0
  for point in $(seq "$points"); do
    how=files
    room=$(( (RANDOM * 32768 + RANDOM) % largest ))
    if [[ "$mounts" == yes ]] && (( point % 2 == 0 )); then
      how=disk
      room=$(( RANDOM % pages * 4096 ))
    fi
    limited "$tool" "$room" "$how"
    check "$tool" "$room" "$how"
    if (( code == 0 || code == 6 )) && fits "$how" "$room"; then
      continue # it wrote a little less than the first time: nothing was full
    fi
    full=$((full + 1))
    if (( code == 7 )); then
      sevens=$((sevens + 1))
    else
      complain "$tool" "$room" "$how" "ended with $code"
    fi
  done
  echo "disk-full: $tool: $sevens of $full ended with 7; largest file $largest bytes; mounted: $mounts"
done
exit "$bad"
