#!/usr/bin/env bash
# Two processes that hand a word of shared memory to and fro, asleep in between, with pauses of random length: no wake-up may be lost.
# usage: ring-handovers.sh [handovers]     (default 20000, to see that it works; 10000000 takes some minutes)
set -euo pipefail
cd "$(dirname "$0")/.."
export PERFTOOLS_HANDOVERS=${1:-20000}
[[ "$PERFTOOLS_HANDOVERS" =~ ^[1-9][0-9]*$ ]] || { echo "ring-handovers: '$PERFTOOLS_HANDOVERS' is not a number of 1 or more" >&2; exit 2; }
tests=test/Tools.Tests/bin/Release/net10.0/Tools.Tests
[[ -x "$tests" ]] || dotnet build -c Release -v q -clp:ErrorsOnly test/Tools.Tests
for portable in 0 1; do
  echo "$PERFTOOLS_HANDOVERS handovers each way, $([[ $portable == 1 ]] && echo doorbells || echo "the system's own waking")"
  PERFTOOLS_PORTABLE=$portable "$tests" -noColor -noLogo -explicit only -method "Tools.Tests.LatencyTests.HandoverChecks.Run_TwoProcesses_LoseNoWakeUp"
done
