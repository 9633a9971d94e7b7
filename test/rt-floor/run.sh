#!/usr/bin/env bash
# Round trips of LatencyPerf beside those of bare C programs of the same loops, and of the bare loop in .NET where test/PerfCommon.Benchmarks is
# built, in turn and in the same placement, a line each.
# run.sh [samples] [turns] : default 20000 samples of 16 bytes, 1 turn. Needs a Release build; skipped by name without a C compiler.
set -euo pipefail
cd "$(dirname "$0")/../.."
samples=${1:-20000}
turns=${2:-1}
bytes=16
compiler=$(command -v cc || command -v gcc || command -v clang || true)
[ -n "$compiler" ] || {
    echo "skipped: rt-floor needs a C compiler"
    exit 0
}
program=$PWD/tools/LatencyPerf/bin/Release/net10.0/LatencyPerf.dll
[ -f "$program" ] || {
    echo "rt-floor: build tools/LatencyPerf in Release first" >&2
    exit 2
}
work=$(mktemp -d -p "$([ -w /dev/shm ] && echo /dev/shm || echo "${TMPDIR:-/tmp}")")
trap 'rm -rf "$work"' EXIT
for name in udp futex; do
    "$compiler" -O2 -std=gnu11 -o "$work/$name" "test/rt-floor/$name.c"
done

# Runs a command on a processor, or on any for "-".
on() {
    local processor=$1
    shift
    if [ "$processor" = - ]; then "$@"; else taskset -c "$processor" "$@"; fi
}

bare() { # processor of the echo, processor of the publisher, sleep|busy
    local loop=$PWD/test/PerfCommon.Benchmarks/bin/Release/net10.0/PerfCommon.Benchmarks.dll
    [ -f "$loop" ] || return 0
    DOTNET_TieredCompilation=0 on "$1" timeout 60 dotnet exec "$loop" rounds echo 20873 20872 $bytes "$samples" "$3" & # as in the tools
    sleep 0.3
    DOTNET_TieredCompilation=0 on "$2" timeout 60 dotnet exec "$loop" rounds publish 20872 20873 $bytes "$samples" "$3"
    wait
}

floor() { # kind, processor of the echo, processor of the publisher, sleep|busy
    case $1 in
    udp)
        on "$2" timeout 60 "$work/udp" echo 20871 20870 $bytes "$samples" "$4" &
        on "$3" timeout 60 "$work/udp" publish 20870 20871 $bytes "$samples" "$4" ;;
    futex)
        rm -f "$work/memory"
        on "$2" timeout 60 "$work/futex" echo "$work/memory" $bytes "$samples" "$4" &
        on "$3" timeout 60 "$work/futex" publish "$work/memory" $bytes "$samples" "$4" ;;
    esac
    wait
}

ours() { # transport, processor of the echo, processor of the publisher, sleep|busy, further options
    local busy=
    [ "$4" = sleep ] || busy=-busyRead
    on "$2" timeout 60 dotnet exec "$program" -subscribe -domainId 219 -transport "$1" $busy ${5:-} -waitTime 20 >/dev/null &
    on "$3" timeout 60 dotnet exec "$program" -publish -domainId 219 -transport "$1" $busy ${5:-} -waitTime 20 -numIter "$samples" -minSize $bytes -maxSize $bytes |
        awk -F, -v what="latencyperf -transport $1 $busy ${5:-}" '/^ *[0-9]+,/ { printf "%s: p50 %s us, p99 %s us, max %s us\n", what, $5, $7, $9 } /^Processors/'
    wait
}

second=0
[ "$(nproc)" -lt 2 ] || second=1
for ((turn = 1; turn <= turns; turn++)); do
    for place in "0 0 sleep" "0 $second sleep" "0 $second busy"; do
        read -r echoer publisher waiting <<<"$place"
        [ "$waiting" = sleep ] || [ "$second" = 1 ] || continue
        echo "== echo on $echoer, publisher on $publisher, $waiting"
        floor udp "$echoer" "$publisher" "$waiting"
        bare "$echoer" "$publisher" "$waiting"
        ours 1 "$echoer" "$publisher" "$waiting"
        floor futex "$echoer" "$publisher" "$waiting"
        ours 2 "$echoer" "$publisher" "$waiting"
    done
done
