#!/usr/bin/env bash
# Plants small faults, one at a time, and counts how many the tests find: what every comparison, sum, call, assignment and constant of a room is worth to them.
# usage: mutate.sh                              lists the rooms
#        mutate.sh ROOM [COUNT] [SEED] [FILE]   tries COUNT faults (150, or "all") of a sample; of files whose names begin with FILE only
# Prints each fault that lives: file, line, operator, text before and after. Exit code 6 below 85 % killed. A sample of 150 takes some ten minutes.
set -euo pipefail
cd "$(dirname "$0")/.."
export DOTNET_CLI_TELEMETRY_OPTOUT=1 DOTNET_NOLOGO=1
dotnet build test/Mutation -c Release -v quiet -clp:ErrorsOnly
mutation=test/Mutation/bin/Release/net10.0/Mutation.dll
[ $# -gt 0 ] || exec dotnet "$mutation"
case $1 in
    channels | running | options | reporting)
        dotnet build test/PerfCommon.Tests -c Release -v quiet -clp:ErrorsOnly
        dotnet build test/Tools.Tests -c Release -v quiet -clp:ErrorsOnly
        ;;
    clocks | hub | results | perftools | users | consumer | latency | transport) dotnet build test/Tools.Tests -c Release -v quiet -clp:ErrorsOnly ;;
    *) dotnet build test/PerfCommon.Tests -c Release -v quiet -clp:ErrorsOnly ;;
esac
exec dotnet "$mutation" . "$@"
