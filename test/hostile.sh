# Sourced by the scripts beside it that attack a tool beside a consumer at 5,000 updates a second.
root=$PWD
least_rate=99 # percent of 5,000 that the consumer keeps
most_growth=64 # MB while it is attacked
folder=$(mktemp -d)
started=()
bad=0
finish() {
  local one
  for one in "${started[@]}"; do kill -KILL "$one" 2>/dev/null || true; done
  rm -rf "$folder"
}
trap finish EXIT
cd "$folder"

start() { # NAME TOOL OPTIONS: in the background with at most $files open files, its output in NAME.log; the process is $role
  local name=$1 tool=$2
  shift 2
  (ulimit -n "${files:-$(ulimit -Hn)}"; exec dotnet "$root/tools/$tool/bin/Release/net10.0/$tool.dll" "$@") >"$name.log" 2>&1 &
  role=$!
  started+=("$role")
}

resident() { awk '/^VmRSS/ { print int($2 / 1024) }' "/proc/$1/status" 2>/dev/null || echo 0; }

figure() { # FILE NAME: the first of that name in the last line, behind "steady" where that is
  local line rest
  line=$(tail -n 1 "$1")
  rest=${line#*'"steady":{'}
  rest=${rest#*"\"$2\":"}
  echo "${rest%%[,\}]*}"
}

heading() { printf '%-18s %10s %10s %12s %12s %12s  %s\n' attack 'rate kept' 'worst ms' 'RSS before' 'RSS growth' 'RSS after' 'what was sent'; }

begin_attack() {
  rm -f ./*.log ./*.json ./*.csv ./*.out
  started=()
}

watch_attack() { # PROCESS ATTACK...: its memory before, and the most while Floods is at it
  local attacked=$1 kind=$3 now
  shift
  before=$(resident "$attacked")
  most=$before
  if [[ "$kind" == none ]]; then
    sleep "$seconds"
    return
  fi
  dotnet "$root/test/Floods/bin/Release/net10.0/Floods.dll" "$@" >attack.log 2>&1 &
  attack=$!
  started+=("$attack")
  while kill -0 "$attack" 2>/dev/null; do
    now=$(resident "$attacked")
    (( now <= most )) || most=$now
    sleep 0.1
  done
  wait "$attack" || spoilt "$kind" "the attack ended with $?"
}

row() { # ATTACK FILE: what the consumer that wrote the file noticed
  local kept worst
  kept=$(awk -v r="$(figure "$2" updateRate)" 'BEGIN { printf "%.1f", r / 50 }')
  worst=$(awk -v m="$(figure "$2" maxMicros)" 'BEGIN { printf "%.1f", m / 1000 }')
  printf '%-18s %9s%% %10s %9s MB %9s MB %9s MB  %s\n' "$1" "$kept" "$worst" "$before" $((most - before)) $((left - before)) "$(tail -n 1 attack.log 2>/dev/null | cut -c20-)"
  if (( most - before > most_growth || left == 0 )) || awk -v k="$kept" -v l=$least_rate 'BEGIN { exit !(k < l) }'; then
    spoilt "$1" "the rate or the memory"
  fi
}

spoilt() { # ATTACK WHY
  echo "$(basename "$0" .sh): $1: not as it should be: $2; $(tail -n 1 ./*.log | tr '\n' ' ')"
  bad=1
}
