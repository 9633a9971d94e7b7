#!/usr/bin/env bash
# Builds these pages, and a page for each namespace of the public API, as a static site; broken links end it with 1.
# usage: site.sh [output folder]     (default artifacts/site)
set -euo pipefail
cd "$(dirname "$0")/.."
exec dotnet run -c Release --project docs/site -- "$PWD" "${1:-artifacts/site}"
