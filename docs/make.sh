#!/usr/bin/env bash
# Writes the generated pages, docs/options/, from the option tables. A test compares them.
# usage: make.sh
set -euo pipefail
cd "$(dirname "$0")/.."
dotnet build -c Release -v q -clp:ErrorsOnly test/Tools.Tests
PERFTOOLS_WRITE_PAGES=1 dotnet test/Tools.Tests/bin/Release/net10.0/Tools.Tests.dll -class '*OptionPagesTests' -noColor
