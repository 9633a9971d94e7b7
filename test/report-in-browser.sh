#!/usr/bin/env bash
# Looks at report.html in a real browser: two widths, light and dark. Nothing overlaps or overflows, every figure is that of run.json,
# text stands out from what is behind it, no error on the console. Takes the folders of runs, or pages (of a comparison or a suite);
# without one it makes a short run.
set -euo pipefail
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
if [ -z "$browser" ]; then
  echo "report-in-browser: skipped: chromium is not installed"
  exit 0
fi

here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ $# -eq 0 ]; then
  dotnet exec "$here/../tools/PerfTools/bin/Release/net10.0/perftools.dll" run direct --seconds 5 --posting 2000 --generic 2000 --out "$work/run" || [ $? -eq 6 ]
  set -- "$work/run"
fi

failed=0
number=0
for folder in "$@"; do
  number=$((number + 1))
  page="$folder"
  [ ! -d "$folder" ] || page="$folder/report.html"
  copy="$work/$number.html"
  {
    sed '/Content-Security-Policy/d' "$page"
    if [ -f "$folder/run.json" ]; then
      echo '<script type="application/json" id="run">'
      sed 's/</\\u003c/g' "$folder/run.json"
      echo '</script>'
    fi
    echo '<script>'
    cat "$here/report-in-browser.js"
    echo '</script>'
  } > "$copy"
  for width in 1280 500; do
    for scheme in 1 0; do # what the engine calls light and dark
      "$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars --blink-settings=preferredColorScheme=$scheme --window-size=$width,900 \
        --user-data-dir="$work/profile" --enable-logging=stderr --virtual-time-budget=5000 --dump-dom "file://$copy" > "$work/dom" 2> "$work/err" || true
      measured=$(grep -o '<pre id="measured">[^<]*' "$work/dom" | sed 's/.*>//' || true)
      complaints=$(grep -c 'CONSOLE' "$work/err" || true)
      echo "report-in-browser: $folder: ${measured:-nothing was measured}, $complaints console errors"
      case "$measured" in "0 faults"*) ;; *) failed=1 ;; esac
      [ "$complaints" -eq 0 ] || { failed=1; grep CONSOLE "$work/err"; }
    done
  done
done
exit $failed
