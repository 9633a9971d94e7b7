#!/usr/bin/env bash
# One-way latency across hosts. First perftools run --rank over two to four hosts that are namespaces of network and time, each with a clock 1,000 s from the next:
# direct, hub-direct, transport, reflect, users, roundtrip, several consumers, several providers, hub-direct whose probes rank 0 passes on, and direct over a link that is too slow and loses packets (skipped where the user is not root). The true
# difference of the clocks is known here, and so is, by the differences that a run used, the true p50 of that run: the one shown must be within the bound of it. Then ProvPerf and
# perftools clock --listen in a time namespace whose clock is seconds ahead or behind, ConsPerf outside: the difference is found to within its bound. Takes about
# four minutes, and a minute for each offset; skipped where a user may not make time namespaces.
# usage: many-hosts.sh [--runs n] [--only part[,part]] [offset in seconds ...]
#        --runs how often direct, hub-direct, transport, reflect, users and roundtrip are run (default 1); --only some of direct, hub-direct, transport, reflect, users, roundtrip, several, four, providers, sources, stamps, relay, limited,
#        disk, offsets (default all); offsets: 5000 and a negative one, as far as the machine has been up
set -euo pipefail
cd "$(dirname "$0")/.."
tools=${PERFTOOLS_TOOLS:-$PWD/test/Tools.Tests/bin/Release/net10.0}
seconds=${SECONDS_OF_RUN:-10}
work=$(mktemp -d)
pids=()
shells=() # of time namespaces
networks=() # names of network namespaces
runs=1
only=direct,hub-direct,transport,reflect,users,roundtrip,several,four,providers,sources,stamps,relay,limited,disk,offsets
while [ $# -gt 0 ]; do
  case $1 in
    --runs) runs=$2 && shift 2 ;;
    --only) only=$2 && shift 2 ;;
    *) break ;;
  esac
done
trap end_all EXIT

# unshare takes no SIGTERM while it waits; when it is killed its child gets one (--kill-child)
end_all() {
  for pid in "${pids[@]}"; do kill -TERM "$pid" 2>/dev/null || true; done
  for pid in "${shells[@]}"; do kill -KILL "$pid" 2>/dev/null || true; done
  wait 2>/dev/null || true
  for name in "${networks[@]}"; do ip netns del "$name" 2>/dev/null || true; done
  rm -rf "$work"
}

fail() {
  echo "many-hosts: $1" >&2
  tail -n 20 "$work"/*.log >&2
  exit 1
}

if ! refusal=$(unshare -r -T --monotonic 1 --fork true 2>&1); then
  echo "many-hosts: skipped, no time namespaces here: $refusal"
  exit 0
fi

# tool <name> <arguments>: runs one of the programs
tool() {
  local name=$1
  shift
  if [ -x "$tools/$name" ] && [ ! -f "$tools/$name.dll" ]; then exec "$tools/$name" "$@"; else exec dotnet exec "$tools/$name.dll" "$@"; fi
}

# line_of <file> <text>: waits for it and prints what follows it
line_of() {
  for _ in $(seq 600); do
    if found=$(grep -m1 -o "$2[^ ]*" "$1" 2>/dev/null); then
      echo "${found#"$2"}"
      return 0
    fi
    sleep 0.1
  done
  fail "no '$2' in $1"
}

# number <file> <path of the final line>
number() {
  python3 - "$1" "$2" <<'PYTHON'
import json, sys
value = json.loads(open(sys.argv[1]).read().splitlines()[-1])["overall"]
for name in sys.argv[2].split("."):
    value = value[name]
print(value)
PYTHON
}

export -f tool
export tools

# pair <name> <offset in seconds, empty for one clock>: a provider, and a consumer of it to its end
pair() {
  local name=$1 offset=$2 inside=()
  [ -z "$offset" ] || inside=(unshare -r -T --monotonic "$offset" --kill-child=SIGTERM --fork)
  mkdir "$work/$name"
  (cd "$work/$name" && exec "${inside[@]}" bash -c 'tool ProvPerf -p 0 -updateRate 20000 -latencyUpdateRate 1000 -runTime 600') > "$work/$name-provider.log" 2>&1 &
  if [ -n "$offset" ]; then shells+=($!); else pids+=($!); fi
  (cd "$work/$name" && exec "${inside[@]}" bash -c "tool perftools clock --listen 0 --key-file ../key") > "$work/$name-clock.log" 2>&1 &
  if [ -n "$offset" ]; then shells+=($!); else pids+=($!); fi
  local port address
  port=$(line_of "$work/$name-provider.log" "Listening on port ")
  address=$(line_of "$work/$name-clock.log" "answering at ")
  if [ -n "$offset" ]; then
    (cd "$work/$name" && tool perftools clock "$address" --key-file ../key) > "$work/$name-offset.log" 2>&1 || fail "perftools clock at $offset s"
    check_offset "$work/$name-offset.log" "$offset"
  fi
  (cd "$work/$name" && tool ConsPerf -p "$port" -clock "$address" -clockKey ../key -itemCount 1000 -steadyStateTime "$seconds" -jsonFile cons.json) \
    > "$work/$name-consumer.log" 2>&1 || fail "ConsPerf ended with $?"
}

# The truth is known here: the offset of the namespace.
check_offset() {
  python3 - "$1" "$2" <<'PYTHON' || fail "the offset is not within its bound"
import re, sys
text = open(sys.argv[1]).read()
offset, bound = (float(re.search(name + r" (-?[0-9.]+)", text).group(1)) for name in ("offset", "bound"))
error = (offset - float(sys.argv[2])) * 1e6
print(f"many-hosts: offset {sys.argv[2]} s found with an error of {error:.3f} us, bound {bound} us")
sys.exit(0 if abs(error) <= bound + 0.001 else 1)
PYTHON
}

# hosts <number>: network namespaces on one switch, host r with the address 10.77.0.(r+1)
hosts() {
  local switch=perftools-$$-s name
  networks+=("$switch")
  ip netns add "$switch"
  ip -n "$switch" link add br0 type bridge
  ip -n "$switch" link set br0 up
  for rank in $(seq 0 $(($1 - 1))); do
    name=perftools-$$-$rank
    networks+=("$name")
    ip netns add "$name"
    ip -n "$switch" link add "v$rank" type veth peer name e0 netns "$name"
    ip -n "$switch" link set "v$rank" master br0 up
    ip -n "$name" addr add "10.77.0.$((rank + 1))/24" dev e0
    ip -n "$name" link set e0 up
    ip -n "$name" link set lo up
  done
}

# wants <part>: true for a part that is to be run
wants() {
  case ",$only," in *",$1,"*) return 0 ;; *) return 1 ;; esac
}

# start <folder> <ranks> <scenario> <options>: one run whose ranks are such hosts, rank r with a clock r * 1,000 s ahead
start() {
  local folder=$1 ranks=$2 scenario=$3 more=$4 own=() code=0
  mkdir "$work/$folder"
  for rank in $(seq $((ranks - 1)) -1 0); do
    (cd "$work/$folder" && exec ip netns exec "perftools-$$-$rank" unshare -T --monotonic $((rank * 1000)) --kill-child=SIGTERM --fork bash -c \
      "tool perftools run $scenario --rank $rank/$ranks --run-id hosts --address 10.77.0.$((rank + 1)) --meet-timeout 180 --out run $more") \
      > "$work/$folder-$rank.log" 2>&1 &
    shells+=($!)
    own+=($!)
  done
  for pid in "${own[@]}"; do wait "$pid" || code=$?; done
  [ "$code" -eq 0 ] || [ "$code" -eq 6 ] || fail "run $scenario over $ranks hosts ended with $code"
}

# ranked <ranks> <scenario> [folder, its part with the last run, more options]: such a run, whose latency is corrected or not shown
ranked() {
  local ranks=$1 scenario=$2 folder=${3:-$2} part=${4:-.} load="--rate 20000 --seconds $seconds"
  [ "$scenario" = reflect ] || load="$load --latency-rate 1000"
  start "$folder" "$ranks" "$scenario" "$load ${5:-}"
  check_run "$work/$folder/run/$part/run.json" "$ranks" || fail "run $scenario over $ranks hosts"
}

# check_run <run.json> <ranks>: it is whole, and its p50 within the bound of the true one
check_run() {
  python3 - "$1" "$2" <<'PYTHON'
import json, sys
run, ranks = json.load(open(sys.argv[1])), int(sys.argv[2])
figures, clock = run["figures"], run["figures"].get("clock")
p50 = figures["latencyMicros"] and figures["latencyMicros"]["p50"]
rank_of = {role: rank["rank"] for rank in run["ranks"] for role in rank["roles"]}
whole = len(run["ranks"]) == ranks and all(link["balanced"] for link in run["links"])
# the hosts have one wall clock: its offset is within its error
whole &= len(run["clocks"]) == ranks and all(abs(wall["offsetMicros"]) <= wall["errorMicros"] for wall in run["clocks"])
# of several providers each stamps for its consumers
stamping = {role: pair["from"] for pair in run.get("pairs", []) for role in pair["to"].split(", ") if pair["what"] == run["links"][0]["what"]}
whole &= all(pair["balanced"] for pair in run.get("pairs", []))
# of several that send to a hub all have one clock here
def rank_stamping(role):
    name = stamping.get(role, run["links"][0]["from"])
    return rank_of.get(name, rank_of.get(name[:-1] + "-1"))
errors, sound = [], True  # by which latencies of a role are too long, of all differences that it used
for role in run["roles"]:
    used = ((role["final"] or {}).get("overall") or {}).get("clock")
    if not used:
        continue
    truth = (rank_stamping(role["name"]) - rank_of[role["name"]]) * 1000 * 10**9
    own = [(used[name] - truth) / 1000 for name in ("usedMinNanos", "usedMaxNanos")]
    sound &= used["state"] in ("bounded", "coarse") and max(map(abs, own)) <= used["boundMicros"] + 0.001
    errors += own
what = f"many-hosts: {run['scenario']} over {ranks} hosts: {run['verdict']}, {run['links'][0]['sent']} sent, {run['links'][0]['received']} received, "
if errors:
    low, high, bound = p50 - max(errors), p50 - min(errors), clock["boundMicros"]
    print(f"{what}p50 {p50} us +- {bound:.1f} ({clock['state']}), in truth {low:.2f} to {high:.2f}")
    sound &= 0 < p50 < 1e6 and max(p50 - low, high - p50) <= bound + 0.001
    # by the probes, too, the wall clocks are one
    walls = [check for check in run["clockChecks"] if check["by"] == "probes"]
    for wall in walls:
        print(f"many-hosts: rank {wall['rank']} ahead of rank {wall['against']} by the probes {wall['minMicros']:.1f} to {wall['maxMicros']:.1f} us, agrees {wall['agrees']}")
    sound &= len(walls) > 0 and all(wall["minMicros"] <= 0 <= wall["maxMicros"] for wall in walls)
elif run["scenario"] == "reflect":  # on one clock
    print(f"{what}p50 {p50} us there and back")
    sound = clock is None and 0 < p50 < 1e6
else:
    print(f"{what}no latency")
    sound = run["scenario"] == "ni-hub" and clock is None and figures["latencyMicros"] is None
sys.exit(0 if whole and sound else 1)
PYTHON
}

# users <folder>: the hub on one host, the source and users who measure on the next, users who only check on the third
users() {
  start "$1" 3 users-low "--place hub=0,source=1,users=1-2 --steps 12,24 --period 3 --warmup 0 --settle 1 --set subjects=100 --set subscriptions=10 --start-in ${START_IN:-20}"
  python3 - "$work/$1/run/users-low-base/run.json" <<'PYTHON' || fail "users over 3 hosts"
import json, sys
run = json.load(open(sys.argv[1]))
steps = run["steps"]
print(f"many-hosts: users over 3 hosts: {run['verdict']}, " + "; ".join(
    f"{step['usersIn']} users, {step['received']} of {step['expected']} updates, {step['samples']} samples, mean {step['meanMicros']} us, most {step['maxMicros']} us, "
    f"spread of the others {step['spreadMax']}" for step in steps))
whole = len(run["ranks"]) == 3 and all(link["balanced"] for link in run["links"]) and len(steps) == 2 and steps[-1]["usersIn"] == 24
# a sample of users who are not on the clock of the source would be 1,000 s off; where all are in, half of them are on it
sound = all(step["samples"] > 0 and 0 < step["minMicros"] <= step["maxMicros"] < 60e6 and step["spreadMax"] is not None and step["spreadMax"] < 60e6
            for step in steps) and 2 * steps[-1]["samples"] <= steps[-1]["received"] + 24
sys.exit(0 if whole and sound else 1)
PYTHON
}

# trips <folder> <links> <options>: the publisher on the second host, a subscriber on each of the others; every message and reply arrives, on one clock
trips() {
  start "$1" 3 roundtrip "--samples 5000 --size 64 --subscribers 2 --place publisher=1,subscriber1=0,subscriber2=2 $3"
  python3 - "$work/$1/run" $2 <<'PYTHON' || fail "round trips over 3 hosts"
import json, sys
for name in sys.argv[2].split(","):
    run = json.load(open(f"{sys.argv[1]}/{name}/run.json"))
    trips, = run["figures"]["roundTrips"]
    print(f"many-hosts: roundtrip over 3 hosts, {run['inputs']['transport']}: {run['verdict']}, " + ", ".join(
        f"{link['from']} to {link['to']} {link['sent']} sent, {link['received']} received" for link in run["links"]) + f", p50 {trips['p50Micros']} us")
    whole = len(run["ranks"]) == 3 and len(run["links"]) == 3 and all(link["balanced"] for link in run["links"])
    if not whole or trips["samples"] != 5000 or not 0 < trips["p50Micros"] < 1e6 or run["figures"].get("clock"):
        sys.exit(1)
PYTHON
}

# relayed: no packet of the source's host reaches the consumer's, both reach the hub's: rank 0 passes the probes of the source's clock on
relayed() {
  ip -n "perftools-$$-1" route add blackhole 10.77.0.3
  ranked 3 hub-direct relay . "--place provider=1,hub=0,consumer=2"
  ip -n "perftools-$$-1" route del blackhole 10.77.0.3
  grep '^The clock of the provider on rank 1 does not answer at 10.77.0.2:[0-9]*: it is probed via rank 0 at 10.77.0.1:' "$work/relay-2.log" || fail "no word about rank 0"
  grep '(clock via rank 0)' "$work/relay-0.log" || fail "rank 0 is not named with the bound"
  grep -q '"transport": "udp via rank 0"' "$work/relay/run/run.json" || fail "rank 0 is not named in run.json"
}

# full_disk: two hosts without a shared folder, the disk of the second is full in mid-run: it says so, rank 0 names it, and its own results are whole
full_disk() {
  local common="direct --rate 20000 --latency-rate 1000 --seconds 10 --place provider=0,consumer=1 --run-id disk --meet 10.77.0.1:14999 --meet-timeout 120" codes=() own=()
  mkdir -p "$work/disk/small"
  if ! mount -t tmpfs -o size=48k none "$work/disk/small" 2> /dev/null; then
    echo "many-hosts: the full disk skipped, no file system may be mounted here"
    return 0
  fi
  for rank in 1 0; do
    (cd "$work/disk" && PERFTOOLS_MEET_TOKEN=token-of-hosts exec ip netns exec "perftools-$$-$rank" unshare -T --monotonic $((rank * 1000)) \
      --kill-child=SIGTERM --fork bash -c "tool perftools run $common --rank $rank/2 --address 10.77.0.$((rank + 1)) --out $([ $rank = 1 ] && echo small/run || echo run)") \
      > "$work/disk-$rank.log" 2>&1 &
    shells+=($!)
    own+=($!)
  done
  for pid in "${own[@]}"; do
    if wait "$pid"; then codes+=(0); else codes+=($?); fi
  done
  umount "$work/disk/small"
  echo "many-hosts: a full disk: rank 1 ended with ${codes[0]}: $(tail -n 1 "$work/disk-1.log")"
  echo "many-hosts: a full disk: rank 0 ended with ${codes[1]}: $(tail -n 1 "$work/disk-0.log")"
  python3 - "$work/disk/run/run.json" "${codes[@]}" <<'PYTHON' || fail "a full disk of one rank"
import json, sys
run, codes = json.load(open(sys.argv[1])), sys.argv[2:]
provider = next(role for role in run["roles"] if role["name"] == "provider")
sys.exit(0 if codes[0] == "7" and codes[1] in ("5", "7") and provider["final"] and run["verdict"] != "OK" else 1)
PYTHON
}

# lose: one packet of 500 that arrive at the second host, by a filter of tc or by iptables; false where there is neither
lose() {
  local host=perftools-$$-1 # a random number of 32 bits, not greater than a 500th of the greatest: drop (2), else no decision (-1)
  if ip netns exec "$host" tc qdisc add dev e0 ingress 2> /dev/null; then
    ip netns exec "$host" tc filter add dev e0 parent ffff: protocol all bpf da bytecode '4,32 0 0 4294963256,37 1 0 8589934,6 0 0 2,6 0 0 4294967295' 2> /dev/null && return 0
    ip netns exec "$host" tc qdisc del dev e0 ingress
  fi
  ip netns exec "$host" iptables -A INPUT -i e0 -p tcp -m statistic --mode random --probability 0.002 -j DROP 2> /dev/null
}

lose_no_more() {
  ip netns exec "perftools-$$-1" tc qdisc del dev e0 ingress 2> /dev/null || ip netns exec "perftools-$$-1" iptables -F INPUT
}

# limited: a link of 20 Mbit/s that loses packets, and three times as much to send: the verdict names the link, the report what was sent again
limited() {
  if ! lose; then
    echo "many-hosts: the limited link skipped, neither tc with bpf nor iptables with statistic here"
    return 0
  fi
  if ! ip netns exec "perftools-$$-0" tc qdisc add dev e0 root tbf rate 20mbit burst 64k latency 50ms 2> /dev/null; then
    lose_no_more
    echo "many-hosts: the limited link skipped, no tc with tbf here"
    return 0
  fi
  start limited 2 direct "--rate 100000 --latency-rate 1000 --seconds $seconds"
  lose_no_more
  ip netns exec "perftools-$$-0" tc qdisc del dev e0 root
  python3 - "$work/limited/run/run.json" <<'PYTHON' || fail "a run over a link of 20 Mbit/s"
import json, sys
run = json.load(open(sys.argv[1]))
path = next(path for path in run["network"] if path["role"] == "provider")
print(f"many-hosts: 20 Mbit/s: {run['verdict']}: {run['reason']}")
sound = run["verdict"] == "SLOW" and "the link from 10.77.0.1 to 10.77.0.2 took no more than" in run["reason"]
mbits = 8 * (path["bytesSent"] - path["bytesResent"]) / path["busySeconds"] / 1e6
sys.exit(0 if sound and 10 < mbits < 30 and path["segmentsResent"] > 0 and path["pathMtuBytes"] == 1500 and path["roundTripMicros"] > 2 * path["minRoundTripMicros"] else 1)
PYTHON
}

if [ "$(id -u)" -eq 0 ] && command -v ip > /dev/null && ip netns add perftools-$$-try 2> /dev/null; then
  ip netns del perftools-$$-try
  hosts 4
  for run in $(seq "$runs"); do
    ! wants direct || ranked 2 direct "direct-$run"
    ! wants hub-direct || ranked 3 hub-direct "hub-direct-$run"
    ! wants transport || ranked 2 transport "transport-$run"
    ! wants reflect || ranked 2 reflect "reflect-$run"
    ! wants users || users "users-$run"
    ! wants roundtrip || trips "roundtrip-$run" udp,tcp "--transport udp,tcp"
    ! wants roundtrip || trips "groups-$run" . "--multicast --reliable"
  done
  if wants several; then
    ranked 3 direct several run-2 "--place provider=0,consumer=1x2,consumer=2 --repeat 2"
    grep -q "^Together" "$work/several-0.log" || fail "no comparison of two runs"
  fi
  ! wants four || ranked 4 hub-direct four . "--place provider=0,hub=1,consumer=2-3"
  ! wants providers || ranked 3 direct providers . "--place provider=0-1,consumer=1-2"
  if wants sources; then # two providers of a hub on one host; two publishers on two, whose stamps one consumer cannot correct
    ranked 3 hub-direct sources . "--place provider=0x2,hub=1,consumer=2x2"
    ranked 3 ni-hub publishers . "--preload --place publisher=0-1,hub=2,consumer=2"
    grep -q "No latency is measured: publisher-1 on rank 0 and publisher-2 on rank 1 have different clocks" "$work/publishers-0.log" || fail "no word about two clocks"
  fi
  if wants stamps; then
    ranked 2 direct stamps . "--clock-stamps kernel"
    [ "$(grep -c '"\(stamps\|peerStamps\)": "kernel"' "$work/stamps/run/run.json")" -ge 2 ] || fail "no stamps of the kernel"
  fi
  ! wants relay || relayed
  ! wants limited || limited
  ! wants disk || full_disk
else
  echo "many-hosts: ranks skipped, no network namespaces here"
fi

if ! wants offsets; then
  echo "many-hosts: ok"
  exit 0
fi
echo 0123456789abcdef0123456789abcdef > "$work/key"
up=$(cut -d. -f1 /proc/uptime)
[ $# -gt 0 ] || set -- 5000 "-$((up / 2 > 4000 ? 4000 : up / 2))"
pair one ""
[ "$(number "$work/one/cons.json" clock.state)" = same ] || fail "one clock is not seen to be one"
for offset in "$@"; do
  pair "at$offset" "$offset"
  state=$(number "$work/at$offset/cons.json" clock.state)
  case $state in bounded | coarse) ;; *) fail "state $state at $offset s" ;; esac
  python3 - "$work/one/cons.json" "$work/at$offset/cons.json" "$offset" <<'PYTHON' || fail "latencies at $offset s"
import json, sys
one, other = (json.loads(open(path).read().splitlines()[-1])["overall"] for path in sys.argv[1:3])
(a, b), clock = (run["steady"]["latency"] for run in (one, other)), other["clock"]
print(f"many-hosts: {sys.argv[3]} s: p50 {b['p50Micros']} us +- {clock['boundMicros']:.1f} ({clock['state']}), one clock {a['p50Micros']} us; "
      f"min {b['minMicros']} us, drift {clock['driftPpm']:.2f} ppm, least round trip {clock['minRttMicros']:.1f} us, below zero {other['counts']['belowZero']}")
# two runs differ by more than the clock: the one that has it must not be below what is possible, nor far from the other
sys.exit(0 if other["counts"]["beyondBound"] == 0 and b["minMicros"] >= 0 and abs(a["p50Micros"] - b["p50Micros"]) <= clock["boundMicros"] + max(50, a["p50Micros"]) else 1)
PYTHON
done
echo "many-hosts: ok"
