#!/usr/bin/env bash
# The checks that are too long for every build, or want a quiet machine: hot paths against what they cost before, damaged input by the million,
# conversations on a simulated network, a tenth as many, processor time beside the kernel's own count of it, signals, many connections,
# round trips with sides that vanish, runs made slow, and one that goes on and on.
# usage: long-checks.sh [mutations] [seconds] [rounds]     (default 20000, 10 and 2, to see that it works; 10000000, 3600 and 100 for a night)
set -euo pipefail
cd "$(dirname "$0")/.."
mutations=${1:-20000}
seconds=${2:-10}
rounds=${3:-2}
for number in "$mutations" "$seconds" "$rounds"; do
  [[ "$number" =~ ^[1-9][0-9]*$ ]] || { echo "long-checks: '$number' is not a number of 1 or more" >&2; exit 2; }
done

echo "regression: hot paths against test/PerfCommon.Benchmarks/recorded.json"
test/PerfCommon.Benchmarks/run.sh regression

echo "mutations: $mutations damaged inputs for each mutation test"
PERFTOOLS_MUTATIONS=$mutations dotnet test -c Release --project test/PerfCommon.Tests --filter-class '*Mutation*' \
  --no-ansi --no-progress --minimum-expected-tests 1

echo "long tests: every position of recorded sessions, other scenarios over ranks"
dotnet test -c Release --filter-trait "Duration=Long" --explicit only --no-ansi --no-progress --minimum-expected-tests 1

seeds=$((mutations / 10 + 1))
echo "network: conversations of $seeds seeds"
test/network-seeds.sh "$seeds"

echo "processor time: runs of 3, 10 and 30 s beside the kernel's count"
dotnet test -c Release --project test/Tools.Tests --filter-class '*ProcessorTimeChecks' --explicit on --no-ansi --no-progress --minimum-expected-tests 1

echo "native programs: the tests that start tools"
test/native-checks.sh

echo "signals: each tool ended by timeout"
test/signal-checks.sh "$rounds"

echo "disk full: each tool, $rounds points"
test/disk-full.sh "$rounds"

echo "many consumers: images and updates of every connection"
test/many-consumers.sh
test/many-consumers.sh 200 10 10 3 hub

echo "users on a busy machine: all in, and said so"
test/users-busy.sh

echo "slow reader: what others notice of it, through a hub"
test/slow-reader.sh 1000 3 hub 20

echo "round trips: the scenarios of the guide, sides that are killed and stopped, handovers between processes"
test/roundtrip-scenarios.sh
test/roundtrip-faults.sh "1 2 16 32"
test/ring-handovers.sh

echo "floods: what a consumer notices of them"
test/flood-checks.sh

echo "hostile provider: what ConsPerf makes of one that floods it"
test/hostile-provider.sh

echo "slow runs: what the verdict says of each cause"
test/slow-causes.sh

echo "soak: run direct for $seconds s"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
dotnet run -c Release --project tools/PerfTools -- run direct --items 100000 --rate 100000 --seconds "$seconds" --out "$folder/run"
