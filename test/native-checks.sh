#!/usr/bin/env bash
# Runs the tests that start tools as processes once more, with native programs in their place: one native perftools is every role.
# usage: native-checks.sh [folder]     (a folder with native programs; without one they are built, which needs gcc or clang)
set -euo pipefail
cd "$(dirname "$0")/.."
folder=${1:-}
if [[ -z "$folder" ]]; then
  command -v clang >/dev/null || command -v gcc >/dev/null || { echo "native-checks: skipped, neither clang nor gcc is installed"; exit 0; }
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  folder=$work/perftools
  dotnet publish tools/PerfTools -c Release -p:NativeTools=true --use-current-runtime -v quiet -clp:ErrorsOnly -o "$folder"
fi

classes=()
while read -r file; do
  classes+=(--filter-class "*.$(basename "$file" .cs)")
done < <(grep -rl 'ToolProcess' test/Tools.Tests --include='*Tests.cs')
PERFTOOLS_TOOLS=$(cd "$folder" && pwd) dotnet test -c Release --project test/Tools.Tests "${classes[@]}" \
  --no-ansi --no-progress --minimum-expected-tests 1
