#!/usr/bin/env bash
# Looks at the live page of a real run (perftools run --serve) in a real browser: two widths, light and dark. While the run goes on the
# content changes, nothing overlaps or overflows, and text stands out; at its end each browser shows the verdict; no error on the console.
set -euo pipefail
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
if [ -z "$browser" ]; then
  echo "live-in-browser: skipped: chromium is not installed"
  exit 0
fi

here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
run=
trap '[ -z "$run" ] || kill "$run" 2>/dev/null || true; rm -rf "$work"' EXIT
dotnet exec "$here/../tools/PerfTools/bin/Release/net10.0/perftools.dll" run direct --posting 2000 --generic 2000 \
  --steps 50000,100000:10 --serve --out "$work/run" > "$work/out" 2>&1 &
run=$!
address=
for _ in $(seq 300); do
  address=$(sed -n 's/^Live page: //p' "$work/out")
  [ -z "$address" ] || break
  sleep 0.1
done
[ -n "$address" ] || { cat "$work/out"; echo "live-in-browser: no live page" >&2; exit 1; }

# Each stays until the run is over, as its requests are answered.
browsers=()
for width in 1280 500; do
  for scheme in 1 0; do # what the engine calls light and dark
    timeout 120 "$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars --blink-settings=preferredColorScheme=$scheme \
      --window-size=$width,900 --user-data-dir="$work/profile-$width-$scheme" --enable-logging=stderr --virtual-time-budget=60000 \
      --dump-dom "$address" > "$work/dom-$width-$scheme" 2> "$work/err-$width-$scheme" &
    browsers+=($!)
  done
done

# As it is in the middle, in the manner of report-in-browser: without the script, which would ask a file for more.
failed=0
for _ in $(seq 300); do
  curl -sS "${address}" > "$work/page" || break
  ! grep -q 'measuring, [5-9] of' "$work/page" || break
  sleep 0.2
done
sed '/^<script nonce/,/^<\/script>/d' "$work/page" > "$work/first.html"
sleep 2.2
curl -sS "${address}now" > "$work/second"
if grep -q '<svg' "$work/first.html" && [ "$(grep -o '<path class="l [^>]*' "$work/first.html" | head -1)" != "$(grep -o '<path class="l [^>]*' "$work/second" | head -1)" ]; then
  echo "live-in-browser: charts change while the run goes on"
else
  echo "live-in-browser: no charts, or the same after two seconds" >&2
  failed=1
fi
wait "$run" || [ $? -eq 6 ] || failed=1
run=
for one in "${browsers[@]}"; do
  wait "$one" || true
done
"$here/report-in-browser.sh" "$work/first.html" || failed=1
for width in 1280 500; do
  for scheme in 1 0; do
    dom="$work/dom-$width-$scheme"
    complaints=$(grep -c 'CONSOLE' "$work/err-$width-$scheme" || true)
    verdict=$(grep -o '<b id="verdict">[A-Z]*</b>' "$dom" | sed 's/<[^>]*>//g' || true)
    said=$(grep -c 'The run is over; this page does not change any more' "$dom" || true)
    echo "live-in-browser: $width px, scheme $scheme: verdict ${verdict:-none}, $complaints console errors"
    { [ -n "$verdict" ] && [ "$said" -ge 1 ] && [ "$complaints" -eq 0 ]; } || { failed=1; grep CONSOLE "$work/err-$width-$scheme" || true; }
  done
done
exit $failed
