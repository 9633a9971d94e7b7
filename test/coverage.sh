#!/usr/bin/env bash
# Which lines the tests run, by room (folder of sources), and every member that no test enters.
# usage: coverage.sh [options of dotnet test]    (such as --filter-namespace "*Codec*": the coverage of some tests alone)
# Tests that fail because the measured programs are slower are named, and change nothing in the report. Takes as long as the tests, and then half.
set -euo pipefail
cd "$(dirname "$0")/.."
export DOTNET_CLI_TELEMETRY_OPTOUT=1 DOTNET_NOLOGO=1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for project in PerfCommon.Tests Tools.Tests; do
    dotnet build "test/$project" -c Release -v quiet -clp:ErrorsOnly
    dotnet test --project "test/$project" -c Release --no-build --no-ansi --no-progress --results-directory "$work" \
        --coverlet --coverlet-single-hit --coverlet-output-format cobertura --coverlet-file-prefix "$project" "$@" >"$work/$project.log" 2>&1 || true
    grep '^failed ' "$work/$project.log" | sed "s/^/coverage: $project: /" || true
done
ls "$work"/*.xml >/dev/null 2>&1 || {
    tail -n 20 "$work"/*.log
    echo "coverage: no report" >&2
    exit 1
}

# One element a line, as the reports are written; a line or member counts once for all reports.
cat "$work"/*.xml | awk '
    function value(name) { return match($0, " " name "=\"[^\"]*\"") ? substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 4) : "" }
    function room(path,   parts, count) { count = split(path, parts, "/"); return parts[1] "/" parts[2] (count > 3 ? "/" parts[3] : "") }
    /<class / {
        file = value("filename")
        sub(/^_\//, "", file) # the root of the repository in builds for release
        type = value("name")
        wanted = file ~ /^(src|tools)\// && file !~ /\/obj\// && type !~ /[&<]/
        sub(/.*[.]/, "", type)
    }
    /<method / { member = value("name"); first = 0 }
    /<\/method>/ { member = "" }
    /<line / && file ~ /^(src|tools)\// && file !~ /\/obj\// {
        line = file SUBSEP value("number")
        if (!(line in hits)) hits[line] = 0
        if (value("hits") + 0 > 0) hits[line] = 1
        if (member != "" && wanted) {
            if (!first) { first = value("number") + 0; entry = file ":" first " " type "." member }
            members[entry] += hits[line]
        }
    }
    END {
        for (line in hits) { split(line, parts, SUBSEP); all[room(parts[1])]++; run[room(parts[1])] += hits[line] }
        for (name in all) printf "1 %s %d of %d lines, %.1f %%\n", name, run[name], all[name], 100 * run[name] / all[name]
        for (entry in members) if (!members[entry]) print "2 " entry
    }' | sort | sed -e 's/^1 //' -e 's/^2 /no test enters /'
