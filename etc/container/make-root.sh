#!/usr/bin/env bash
# Makes the file system of the image: the native perftools with its input files, the libraries it loads, a user and a folder to write in.
# usage: make-root.sh FOLDER [folder of a native perftools that is built already]
set -euo pipefail
[ $# -ge 1 ] || {
    sed -n '2,3s/^# //p' "$0" >&2
    exit 2
}
root=$(realpath -m "$1")
built=${2:-}
cd "$(dirname "$0")/../.."
case $(uname -m) in
    x86_64) platform=linux-x64 ;;
    aarch64) platform=linux-arm64 ;;
    *) echo "make-root: native programs are built for x86_64 and aarch64 only" >&2 && exit 1 ;;
esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ -z "$built" ]; then
    built=$work/perftools
    dotnet publish tools/PerfTools -c Release -r "$platform" -p:NativeTools=true -p:NativePlatforms="$platform" -v quiet -clp:ErrorsOnly -o "$built"
fi

program=$root/usr/lib/perftools
mkdir -p "$program" "$root/etc" "$root/data"
install -m 1777 -d "$root/tmp"
chown 1000:1000 "$root/data" 2>/dev/null || chmod 1777 "$root/data"
install -m 755 "$built/perftools" "$program/"
for file in 350k.xml MarketByOrder.xml MsgData.xml RDMFieldDictionary enumtype.def; do
    install -m 644 "$built/$file" "$program/"
done
echo 'perftools:x:1000:1000::/data:/' > "$root/etc/passwd"
echo 'perftools:x:1000:' > "$root/etc/group"
echo 'hosts: files dns' > "$root/etc/nsswitch.conf"
echo '127.0.0.1 localhost' > "$root/etc/hosts" # what runs the image puts its own in its place

# copy_library PATH: to the same place, under the name by which it is loaded
copy_library() {
    [ -e "$root$1" ] || install -D -m 755 "$1" "$root$1"
}

# libraries_of PROGRAM: what the loader loads with it, the loader itself included
libraries_of() {
    ldd "$1" | sed -nE 's:^[^/]*(/[^ ]+) \(0x.*:\1:p'
}

libraries_of "$built/perftools" | while read -r library; do copy_library "$library"; done
# OpenSSL is loaded by name when a connection is encrypted.
for name in libssl.so.3 libcrypto.so.3; do
    path=$(ldconfig -p | sed -nE "s:^\s*$name \(.*x86-64.*\) => (.*)|^\s*$name \(.*AArch64.*\) => (.*):\1\2:p" | head -n 1)
    [ -n "$path" ] || {
        echo "make-root: $name of OpenSSL 3 is not installed" >&2
        exit 1
    }
    copy_library "$path"
    libraries_of "$path" | while read -r library; do copy_library "$library"; done
done
