# Part of verify.sh: chooses the engine, builds the image, and starts and removes containers.
# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154 # verify.sh sets and reads these variables too

declare -A started_in=() # milliseconds by container name

choose_engine() {
  if docker info >/dev/null 2>&1; then
    engine=docker store='the Docker store' base=node:24-slim
    build=(docker build --network=host)
    flags=()
    return
  fi
  local missing=()
  [ "$(id -u)" = 0 ] || missing+=('root')
  for tool in podman runc debootstrap flock npm; do
    command -v "$tool" >/dev/null || missing+=("$tool")
  done
  if [ ${#missing[@]} -gt 0 ]; then
    echo "verify: no Docker engine answers, and podman cannot replace it without: ${missing[*]}" >&2
    exit 77
  fi
  engine=podman store=$dir base=localhost/node:24-slim
  build=(podman build --isolation=chroot --network=host --pull=never --format=docker --layers)
  flags=(--read-only-tmpfs=false)
  own_storage
}

# Gives podman its own store, and settings that also work inside another container: runc, because
# crun needs cgroups v2; limits no higher than those of this shell; no journald and no systemd.
own_storage() {
  local files
  files=$(ulimit -Hn)
  [ "$files" != unlimited ] || files=1048576
  mkdir -p "$dir"
  printf '[storage]\ndriver = "overlay"\ngraphroot = "%s/store"\nrunroot = "%s/run"\n' "$dir" "$dir" >"$dir/storage.conf"
  printf '[containers]\ndefault_ulimits = ["nofile=%s:%s", "nproc=1000:1000"]\n' "$files" "$files" >"$dir/containers.conf"
  printf '[engine]\nruntime = "runc"\ncgroup_manager = "cgroupfs"\nevents_logger = "file"\ntmp_dir = "%s/tmp"\n' \
    "$dir" >>"$dir/containers.conf"
  if has_networks; then
    printf '[network]\nnetwork_backend = "netavark"\nnetwork_config_dir = "%s/networks"\n' "$dir" >>"$dir/containers.conf"
  fi
  export CONTAINERS_STORAGE_CONF=$dir/storage.conf CONTAINERS_CONF=$dir/containers.conf
}

has_networks() { [ -x /usr/lib/podman/netavark ] && [ -x /usr/lib/podman/aardvark-dns ]; }

build_image() {
  local began log ca
  log=$(mktemp)
  if [ "$engine" = podman ]; then
    "$here/base-image.sh" "$base" || { echo 'FAIL the base image builds'; return 1; }
  fi
  began=$(now)
  ca=$(npm config get cafile 2>/dev/null || true)
  if [ -f "$ca" ]; then build+=(--secret "id=ca,src=$ca"); fi
  if "${build[@]}" --file "$here/Dockerfile" --build-arg "BASE_IMAGE=$base" \
    --build-arg "REVISION=$(git -C "$root" rev-parse HEAD 2>/dev/null || echo unknown)" \
    --tag "$image" "$root" >"$log" 2>&1; then
    passed=$((passed + 1))
    printf 'ok   the image builds (%s ms)\n' "$(($(now) - began))"
    # Remove layers that no image of the last day uses.
    [ "$engine" = docker ] || podman image prune --force --filter until=24h >/dev/null 2>&1 || true
    rm -f "$log"
  else
    echo 'FAIL the image builds'
    tail -n 40 "$log" | sed 's/^/     /'
    rm -f "$log"
    return 1
  fi
}

# start NAME PORT [OPTION…]: runs a container as compose.yaml does, but on the host network.
start() {
  local name=$1 port=$2 command=serve began
  shift 2
  [ "$name" != demo ] || command=demo
  began=$(now)
  "$engine" run --detach --name "$prefix-$name" --network=host "${flags[@]}" \
    --read-only --tmpfs /tmp:size=64m,mode=1777 --cap-drop=ALL --security-opt=no-new-privileges \
    --env "PORT=$port" --env "SIGNALBOX_KEYS=verify:$key" "$@" "$image" "$command" >/dev/null 2>"$scratch/start" ||
    { sed 's/^/     /' "$scratch/start"; return 0; } # the next checks fail and print the reason
  while running "$name" && [ $(($(now) - began)) -lt 15000 ]; do
    for _ in $(seq 20); do
      if curl -fs -o /dev/null "http://127.0.0.1:$port/livez"; then
        started_in[$name]=$(($(now) - began))
        return 0
      fi
      sleep 0.02
    done
  done
}

running() { [ "$("$engine" inspect --format '{{.State.Running}}' "$prefix-$1" 2>/dev/null)" = true ]; }

once() { "$engine" run --rm --name "$prefix-once" --network=host "$@"; } # once [OPTION…] IMAGE [ARGUMENT…]
inside() { "$engine" exec "$prefix-$1" "${@:2}"; }

clean_up() {
  local names
  [ -z "${compose_program[*]:-}" ] || compose down --volumes >/dev/null 2>&1 || true
  names=$("$engine" ps --all --quiet --filter "name=$prefix" 2>/dev/null || true)
  # shellcheck disable=SC2086 # one word per container
  [ -z "$names" ] || "$engine" rm --force --volumes $names >/dev/null 2>&1 || true
  "$engine" volume rm --force "$volume" >/dev/null 2>&1 || true
  rm -rf "$scratch"
}

image_size() { megabytes "$image"; }
base_size() { megabytes "$base"; }
megabytes() { "$engine" image inspect --format '{{.Size}}' "$1" | awk '{ printf "%.0f", $1 / 1e6 }'; }
