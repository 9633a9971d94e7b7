#!/usr/bin/env bash
# The image of Containerfile without an engine's help: its steps are run one by one, its file system is looked at and used as a root by an ordinary user, with nothing
# else of this machine in it: a run, an encrypted one, and the three containers of etc/container/compose.yaml. Where podman is installed it builds the last
# stage, which needs no registry; where kubectl is, it puts the values into the manifests of etc/kubernetes. What is not possible here is skipped by name.
# usage: image.sh [folder of a native perftools that is built already]
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap end_all EXIT
root=$work/root
max_megabytes=60

end_all() {
  [ ! -d "$work/engine" ] || "${podman[@]}" unshare rm -rf "$work/engine" 2> /dev/null || true
  rm -rf "$work"
}

fail() {
  echo "image: $1" >&2
  tail -n 20 "$work"/*.log "$root"/data/*.log >&2 2> /dev/null || true
  exit 1
}

make_root() {
  command -v clang > /dev/null || command -v gcc > /dev/null || [ $# -gt 0 ] || {
    echo "image: skipped, neither clang nor gcc is installed"
    exit 0
  }
  etc/container/make-root.sh "$root" "$@" > "$work/make.log" 2>&1 || fail "make-root.sh ended with $?"
  local size
  size=$(du -sm "$root" | cut -f1)
  [ "$size" -le $max_megabytes ] || fail "the image has $size MB, more than $max_megabytes"
  (cd "$root" && find . -type f | sort) > "$work/files"
  ! grep -vE '^\./(etc/(passwd|group|hosts|nsswitch.conf)|usr/lib/perftools/[A-Za-z0-9.]+|(usr/)?lib(64)?/([a-z0-9_-]+/)?(ld-linux[a-z0-9_-]*|lib[a-z]+)\.so\.[0-9]+)$' "$work/files" || fail "the image has files that nobody expects"
  echo "image: $(wc -l < "$work/files") files, $size MB"
}

# The last stage alone: its files come from the context in the place of the first stage.
build_by_podman() {
  command -v podman > /dev/null || {
    echo "image: podman build: skipped, podman is not installed"
    return
  }
  sed -n '/^FROM scratch/,$p' Containerfile | sed 's:^COPY --from=build /image /$:COPY . /:' > "$work/Containerfile"
  grep -q '^COPY \. /$' "$work/Containerfile" || fail "Containerfile has another last stage"
  podman=(podman --storage-driver vfs --root "$work/engine/root" --runroot "$work/engine/run")
  "${podman[@]}" build --isolation chroot --pull=never -t perftools -f "$work/Containerfile" "$root" > "$work/podman.log" 2>&1 || fail "podman build ended with $?"
  entry=$("${podman[@]}" inspect --format '{{join .Config.Entrypoint " "}}' perftools)
  [ -x "$root$entry" ] || fail "the entry point $entry is not in the image"
  echo "image: podman build: ok, entry point $entry"
}

# inside <command>: in namespaces of its own (mounts, processes, network with loopback alone), with the image as its root, as user 1000
inside() {
  unshare --mount --pid --net --fork --kill-child bash -c '
    ip link set lo up
    mkdir -p "$0/proc" "$0/dev"
    mount -t proc proc "$0/proc"
    for file in null zero random urandom; do : > "$0/dev/$file"; mount --bind "/dev/$file" "$0/dev/$file"; done
    mkdir -p "$0/dev/shm"
    mount -t tmpfs -o size=64m tmpfs "$0/dev/shm"
    root=$0
    perftools() { unshare --root "$root" --wd /data --setgid 1000 --setuid 1000 /usr/lib/perftools/perftools "$@"; }
    '"$1" "$root"
}

use() {
  if [ "$(id -u)" -ne 0 ] || ! refusal=$(unshare --mount --pid --net --fork true 2>&1); then
    echo "image: runs: skipped, a root folder of its own needs root and namespaces"
    return
  fi
  echo "127.0.0.1 localhost provider hub consumer" > "$root/etc/hosts"
  for connection in socket encrypted websocket; do
    code=0
    inside "perftools run direct --connection $connection --seconds 5 --out /data/$connection" > "$work/$connection.log" 2>&1 || code=$?
    [ "$code" -eq 0 ] || [ "$code" -eq 6 ] || fail "run direct by $connection ended with $code"
    echo "image: run direct by $connection: $(grep -o 'updates [0-9,]* sent, [0-9,]* received' "$work/$connection.log" | head -n 1)"
  done
  compose
}

# The commands of the composition, each as its container would start it; the consumer's end ends the others.
compose() {
  mkdir -m 1777 "$root/results"
  python3 - etc/container/compose.yaml > "$work/compose.sh" << 'PYTHON'
import json, re, shlex, sys
commands = re.findall(r"^  (\w+):$(?:\n    .*)*?\n    command: (\[.*\])$", open(sys.argv[1]).read(), re.M)
assert [name for name, _ in commands] == ["provider", "hub", "consumer"], commands
for name, words in commands:
    line = " ".join(shlex.quote(word) for word in json.loads(words))
    print(f"perftools {line} > $0/data/{name}.log 2>&1" + ("" if name == "consumer" else " &"))
print("code=$?; kill -TERM $(jobs -p) 2> /dev/null; exit $code")
PYTHON
  inside "$(cat "$work/compose.sh")" > "$work/compose.log" 2>&1 || fail "the consumer of the composition ended with $?"
  python3 - "$root/results/consumer.jsonl" << 'PYTHON' || fail "the consumer of the composition received too little"
import json, sys
counts = json.loads(open(sys.argv[1]).read().splitlines()[-1])["overall"]["counts"]
print(f"image: composition: {counts['refreshesReceived']:,} images, {counts['updatesReceived']:,} updates through the hub")
sys.exit(counts["refreshesReceived"] < 10_000 or counts["updatesReceived"] < 1_000_000)
PYTHON
}

kubernetes() {
  command -v kubectl > /dev/null || {
    echo "image: kubernetes: skipped, kubectl is not installed"
    return
  }
  cp -r etc/kubernetes "$work/kubernetes"
  sed -i 's/PERFTOOLS_RANKS=6 /PERFTOOLS_RANKS=4 /; s/STORAGE=1Gi/STORAGE=20Gi/' "$work/kubernetes/kustomization.yaml"
  kubectl kustomize "$work/kubernetes" > "$work/manifests" 2> "$work/kubectl.log" || fail "kubectl kustomize ended with $?"
  for line in 'completions: 4' 'parallelism: 4' 'storage: 20Gi' 'PERFTOOLS_RANKS: "4"' 'completionMode: Indexed'; do
    grep -qE "^ *$line\$" "$work/manifests" || fail "the manifests have no '$line'"
  done
  echo "image: kubernetes: values reach job, storage and environment"
}

make_root "$@"
build_by_podman
use
kubernetes
echo "image: all as it should be"
