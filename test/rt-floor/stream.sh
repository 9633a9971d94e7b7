#!/usr/bin/env bash
# What a stream of messages costs without the tools: a bare loop in C that copies them into pieces and sends those.
# A line each: messages a second, then the processor time of the sender and of the reader for a message.
# stream.sh [seconds] : default 3 s each. On processors 0 and 1; TLS by libssl itself, skipped by name without its headers.
set -euo pipefail
cd "$(dirname "$0")/../.."
seconds=${1:-3}
compiler=$(command -v cc || command -v gcc || command -v clang || true)
[ -n "$compiler" ] || {
    echo "skipped: the bare stream needs a C compiler"
    exit 0
}
[ "$(nproc)" -ge 2 ] || {
    echo "skipped: the bare stream needs two processors"
    exit 0
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$compiler" -O2 -std=gnu11 -o "$work/stream" test/rt-floor/stream.c

echo "as fast as it goes, a message of 76 bytes with its head (TransportPerf)"
for piece in 6144 16384 32768 49152 57344 65535; do
    timeout 60 "$work/stream" 79 0 $piece "$seconds"
done
if command -v openssl >/dev/null && "$compiler" -O2 -std=gnu11 -DWITH_TLS -o "$work/tls" test/rt-floor/stream.c -lssl -lcrypto 2>/dev/null; then
    openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -keyout "$work/key" -out "$work/certificate" 2>/dev/null
    for records in 1 2 3; do
        timeout 60 "$work/tls" 79 0 $((records * 16384)) "$seconds" "$work/certificate" "$work/key"
    done
else
    echo "skipped: TLS needs openssl and the headers of libssl"
fi
echo "an update of 138 bytes with its head, copied (ProvPerf with -preEnc), at 4 and 10 million a second"
for rate in 4000000 10000000; do
    timeout 60 "$work/stream" 141 $rate 57344 "$seconds"
done
