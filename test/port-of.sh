# Sourced by the scripts beside it.

# port_of LOG NAME: waits until a tool that writes this log listens, and prints its port.
port_of() {
  local port
  for _ in $(seq 100); do
    port=$(sed -n 's/^Listening on port //p' "$1" 2>/dev/null || true)
    [[ -z "$port" ]] || { echo "$port"; return; }
    sleep 0.1
  done
  echo "$(basename "$0" .sh): $2 does not listen" >&2
  return 1
}
