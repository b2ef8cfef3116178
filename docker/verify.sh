#!/usr/bin/env bash
# Builds the image, runs it, and checks what an operator relies on. One line per check; the last
# line is "N passed, N failed", and the exit code is 1 if anything failed.
#
#   docker/verify.sh
#
# Uses a Docker engine where one answers. Without one, and as root, it uses podman and makes the
# base image itself (base-image.sh), so no container registry is needed. Exit code 77: neither is
# to be had here. Images are kept between runs in VERIFY_DIR (default ~/.cache/signalbox-verify).
# shellcheck disable=SC2317 # the checks are called through check()
set -euo pipefail
export LC_ALL=C

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(dirname "$here")
dir=${VERIFY_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/signalbox-verify}
image=localhost/signalbox:verify
prefix=signalbox-verify-$$
volume=$prefix-data

printf -v key 'verify-key-%05d%05d' $RANDOM $RANDOM # the gateway's
token='sandbox-token'                               # the upstream's

main() {
  choose_engine
  scratch=$(mktemp -d)
  note "engine: $engine, images in ${store}"
  trap clean_up EXIT
  trap 'exit 130' INT TERM

  build_image || { failed=$((failed + 1)); finish; }
  # shellcheck disable=SC2046 # two numbers, two words
  set -- $(free_ports 4)
  demo_port=$1 sandbox_port=$2 serve_port=$3 unused_port=$4
  demo=http://127.0.0.1:$demo_port serve=http://127.0.0.1:$serve_port sandbox=http://127.0.0.1:$sandbox_port

  section 'The image'
  check 'runs as a user that is not root' image_user
  check 'holds no test, no development package and no build secret' image_is_lean
  check 'no secret in its configuration and history' image_history
  check 'brings gh, and tini as PID 1' image_tools
  check 'refuses to start on 0.0.0.0 without gateway keys, and says how to go on' refuses_without_keys
  check 'the health check fails where nothing listens' healthcheck_fails

  section 'The demo in a container, read-only, without capabilities'
  start demo "$demo_port" --env "SANDBOX_PORT=$sandbox_port" --env SIGNALBOX_JOURNAL=/tmp/journal.sqlite
  check 'gets ready' wait_for "$demo/readyz" demo
  check 'a call without a key is refused in an envelope' refuses_stranger "$demo"
  check 'repo.view by rest' calls "$demo" rest
  check 'repo.view by graphql' calls "$demo" graphql
  check 'repo.view by cli, with the gh of the image' calls "$demo" cli
  check 'the three routes give the same data' same_data
  check 'a broken rest route falls back to graphql' falls_back

  section 'The gateway in a container, with its journal on a volume'
  start serve "$serve_port" --volume "$volume:/data" \
    --env "GITHUB_TOKEN=$token" --env "GITHUB_API_URL=$sandbox" --env "GITHUB_GRAPHQL_URL=$sandbox/graphql"
  check 'gets ready' wait_for "$serve/readyz" serve
  check '/livez answers' curl -fsS -o /dev/null "$serve/livez"
  check 'the health check says healthy' healthy
  check 'the process is not root and has no capability' unprivileged
  check 'the root file system is read-only, /data is not' read_only
  check 'repo.view by rest' calls "$serve" rest
  check 'repo.view by graphql' calls "$serve" graphql
  check 'SIGTERM lets a running call finish, then exits with 0' stops_gracefully
  check 'its log holds neither the gateway key nor the upstream token' log_is_clean
  check 'its volume holds neither of them' volume_is_clean

  section 'The same volume in a new container'
  start again "$serve_port" --volume "$volume:/data"
  check 'gets ready' wait_for "$serve/readyz" again
  check 'the calls made before are in the journal' journal_survived
  check 'stops with exit code 0' stops again

  section 'Measured'
  note "image: $(image_size) MB, of which the base is $(base_size) MB"
  note "start, from run to the first answer: demo ${started_in[demo]:-?} ms, gateway ${started_in[serve]:-?} ms," \
    "again ${started_in[again]:-?} ms"
  finish
}

# --- engine ---------------------------------------------------------------------------------------

choose_engine() {
  if docker info >/dev/null 2>&1; then
    engine=docker store='the engine' base=node:24-slim
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
    echo "verify: no Docker engine answers; podman would do, but this is missing: ${missing[*]}" >&2
    exit 77
  fi
  engine=podman store=$dir base=localhost/node:24-slim
  build=(podman build --isolation=chroot --network=host --pull=never --format=docker --layers)
  flags=(--read-only-tmpfs=false)
  own_storage
}

# Podman with a store of its own, and settings that also hold inside another container: runc, since
# crun wants cgroups v2; limits no higher than those of this shell; no journald and no systemd.
own_storage() {
  local files
  files=$(ulimit -Hn)
  [ "$files" != unlimited ] || files=1048576
  mkdir -p "$dir"
  printf '[storage]\ndriver = "overlay"\ngraphroot = "%s/store"\nrunroot = "%s/run"\n' "$dir" "$dir" >"$dir/storage.conf"
  printf '[containers]\ndefault_ulimits = ["nofile=%s:%s", "nproc=1000:1000"]\n' "$files" "$files" >"$dir/containers.conf"
  printf '[engine]\nruntime = "runc"\ncgroup_manager = "cgroupfs"\nevents_logger = "file"\ntmp_dir = "%s/tmp"\n' \
    "$dir" >>"$dir/containers.conf"
  export CONTAINERS_STORAGE_CONF=$dir/storage.conf CONTAINERS_CONF=$dir/containers.conf
}

build_image() {
  local began log ca
  log=$(mktemp)
  if [ "$engine" = podman ]; then
    "$here/base-image.sh" "$base" || { echo 'FAIL the base image is built'; return 1; }
  fi
  began=$(now)
  ca=$(npm config get cafile 2>/dev/null || true)
  if [ -f "$ca" ]; then build+=(--secret "id=ca,src=$ca"); fi
  if "${build[@]}" --file "$here/Dockerfile" --build-arg "BASE_IMAGE=$base" \
    --build-arg "REVISION=$(git -C "$root" rev-parse HEAD 2>/dev/null || echo unknown)" \
    --tag "$image" "$root" >"$log" 2>&1; then
    passed=$((passed + 1))
    printf 'ok   the image is built (%s ms)\n' "$(($(now) - began))"
    # Layers that no image of the last day uses.
    [ "$engine" = docker ] || podman image prune --force --filter until=24h >/dev/null 2>&1 || true
    rm -f "$log"
  else
    echo 'FAIL the image is built'
    tail -n 40 "$log" | sed 's/^/     /'
    rm -f "$log"
    return 1
  fi
}

# start NAME PORT [OPTION…]: a container as compose.yaml runs it, but on this host's network.
start() {
  local name=$1 port=$2 command=serve began
  shift 2
  [ "$name" != demo ] || command=demo
  began=$(now)
  "$engine" run --detach --name "$prefix-$name" --network=host "${flags[@]}" \
    --read-only --tmpfs /tmp:size=64m,mode=1777 --cap-drop=ALL --security-opt=no-new-privileges \
    --env "PORT=$port" --env "SIGNALBOX_KEYS=verify:$key" "$@" "$image" "$command" >/dev/null 2>"$scratch/start" ||
    { sed 's/^/     /' "$scratch/start"; return 0; } # the checks that follow fail, with reason
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
  names=$("$engine" ps --all --quiet --filter "name=$prefix" 2>/dev/null || true)
  # shellcheck disable=SC2086 # one word per container
  [ -z "$names" ] || "$engine" rm --force --volumes $names >/dev/null 2>&1 || true
  "$engine" volume rm --force "$volume" >/dev/null 2>&1 || true
  rm -rf "$scratch"
}

# --- checks: each prints why it fails -------------------------------------------------------------

image_user() {
  local id
  id=$(once --entrypoint id "$image" -u)
  [ "$id" != 0 ] || { echo 'uid 0'; return 1; }
}

image_is_lean() {
  local found
  found=$(once --user 0 --entrypoint find "$image" \
    /app/test /app/bench /app/.git /app/node_modules/vitest /app/node_modules/typescript /app/node_modules/node \
    /run/secrets /root/.npmrc /root/.npm /home/node/.npmrc -maxdepth 0 -not -empty 2>/dev/null || true)
  [ -z "$found" ] || { echo "$found"; return 1; }
}

image_history() {
  ! { "$engine" image inspect "$image"; "$engine" history --no-trunc "$image"; } |
    grep -iE "$token|gh[pousr]_[a-z0-9]{20}|PRIVATE KEY|[A-Z_]*(TOKEN|SECRET|PASSWORD|KEYS)=[^ \"]"
}

image_tools() {
  # shellcheck disable=SC2016 # $1 is for the shell in the container
  once --entrypoint sh "$image" -c 'gh --version && tini --version && test -x /usr/local/bin/signalbox' >/dev/null &&
    "$engine" image inspect --format '{{json .Config.Entrypoint}}' "$image" | grep -q '^\["tini",'
}

refuses_without_keys() {
  local output status=0
  output=$(timeout 20 "$engine" run --rm --name "$prefix-keyless" --network=host --env "PORT=$unused_port" "$image" 2>&1) || status=$?
  if [ "$status" = 0 ] || [ "$status" = 124 ] || ! grep -q SIGNALBOX_KEYS <<<"$output"; then
    printf 'exit code %s, output:\n%s\n' "$status" "$output"
    return 1
  fi
}

healthcheck_fails() {
  ! once --env "PORT=$unused_port" --entrypoint node "$image" /app/docker/healthcheck.ts 2>/dev/null
}

wait_for() { # wait_for URL NAME: until it answers 200; otherwise what the container said
  for _ in $(seq 100); do
    if curl -fs -o /dev/null "$1"; then return 0; fi
    running "$2" || break
    sleep 0.1
  done
  curl -sS "$1" || true
  "$engine" logs --tail 20 "$prefix-$2" 2>&1
  return 1
}

call() { # call URL [QUERY]: repo.view, the envelope on stdout
  curl -sS --max-time 40 -H "authorization: Bearer $key" -H 'content-type: application/json' \
    --data '{"owner":"octo-org","name":"hello-world"}' "$1/v1/capabilities/repo.view${2-}"
}

calls() { # calls URL ROUTE
  call "$1" "?route=$2" | tee "$scratch/$2.json" | expect "
    it.ok && it.error === null && it.data.name === 'hello-world' && it.meta.route_used === '$2' &&
    it.meta.attempts.some(a => a.route === '$2' && a.status === 'success' && a.duration_ms > 0)"
}

same_data() {
  { printf '['; cat "$scratch/rest.json"; printf ','; cat "$scratch/graphql.json"; printf ','; cat "$scratch/cli.json"; printf ']'; } |
    expect 'new Set(it.map(e => JSON.stringify(e.data))).size === 1'
}

refuses_stranger() {
  local status
  status=$(curl -sS -o "$scratch/stranger.json" -w '%{http_code}' -X POST "$1/v1/capabilities/repo.view")
  [ "$status" = 401 ] || { echo "HTTP $status"; cat "$scratch/stranger.json"; return 1; }
  expect "!it.ok && it.data === null && it.error.code === 'AUTH'" <"$scratch/stranger.json"
}

fault() { # fault JSON: what the sandbox does to the next requests
  curl -fsS -X PUT -H 'content-type: application/json' --data "$1" "$sandbox/_sandbox/faults" >/dev/null
}

falls_back() {
  fault '[{"on":{"route":"rest"},"do":{"status":503},"times":9}]' || return 1
  call "$demo" | expect "
    it.ok && it.meta.route_used === 'graphql' &&
    it.meta.attempts.some(a => a.route === 'rest' && a.error_code === 'SERVER' && a.duration_ms > 0)" || return 1
  fault '[]'
}

healthy() {
  if [ "$engine" = podman ]; then
    # Without systemd nothing runs it by itself, so run it now.
    podman healthcheck run "$prefix-serve"
    return
  fi
  for _ in $(seq 60); do
    [ "$(docker inspect --format '{{.State.Health.Status}}' "$prefix-serve")" != healthy ] || return 0
    sleep 0.5
  done
  docker inspect --format '{{json .State.Health}}' "$prefix-serve"
  return 1
}

unprivileged() {
  # The gateway is the child of PID 1.
  # shellcheck disable=SC2016 # for the shell in the container
  inside serve sh -c '
    test "$(cat /proc/1/comm)" = tini || { echo "PID 1 is $(cat /proc/1/comm)"; exit 1; }
    children=$(cat /proc/1/task/1/children)
    test -n "$children" || { echo "PID 1 has no child"; exit 1; }
    for pid in $children; do
      set -- $(grep ^Uid: /proc/$pid/status) $(grep ^CapEff: /proc/$pid/status)
      test "$2" != 0 && test "$7" = 0000000000000000 || { grep -E "^(Uid|CapEff)" /proc/$pid/status; exit 1; }
    done'
}

read_only() {
  ! inside serve touch /app/x 2>/dev/null && ! inside serve touch /usr/x 2>/dev/null &&
    inside serve test -s /data/journal.sqlite
}

stops_gracefully() {
  local answer
  fault '[{"on":{"route":"rest"},"do":{"delay_ms":1500},"times":1}]' || return 1
  call "$serve" '?route=rest' >"$scratch/last.json" &
  answer=$!
  sleep 0.5
  stops serve || return 1
  wait "$answer" || { echo 'the running call was cut off'; return 1; }
  expect 'it.ok' <"$scratch/last.json"
}

stops() { # stops NAME: SIGTERM, exit code 0 well before the engine would kill
  local code
  timeout 30 "$engine" stop --time 20 "$prefix-$1" >/dev/null || return 1
  code=$("$engine" inspect --format '{{.State.ExitCode}}' "$prefix-$1")
  [ "$code" = 0 ] || { echo "exit code $code"; "$engine" logs --tail 10 "$prefix-$1" 2>&1; return 1; }
}

log_is_clean() {
  "$engine" logs "$prefix-serve" >"$scratch/log" 2>&1
  [ -s "$scratch/log" ] || { echo 'there is no log'; return 1; }
  ! grep -F -e "$key" -e "$token" "$scratch/log"
}

volume_is_clean() {
  once --volume "$volume:/data:ro" --entrypoint test "$image" -s /data/journal.sqlite &&
    ! once --volume "$volume:/data:ro" --entrypoint grep "$image" -raFl -e "$key" -e "$token" /data
}

journal_survived() {
  local id
  for file in rest graphql last; do
    id=$(node -p 'JSON.parse(require("node:fs").readFileSync(0, "utf8")).meta.request_id' <"$scratch/$file.json") || return 1
    curl -sS -H "authorization: Bearer $key" "$serve/v1/requests/$id" | expect "JSON.stringify(it).includes('$id') && it.ok !== false" ||
      return 1
  done
}

# --- helpers --------------------------------------------------------------------------------------

passed=0 failed=0
declare -A started_in=()

check() { # check 'what must hold' COMMAND…
  local output began
  began=$(now)
  if output=$("${@:2}" 2>&1); then
    passed=$((passed + 1))
    printf 'ok   %s (%s ms)\n' "$1" "$(($(now) - began))"
  else
    failed=$((failed + 1))
    printf 'FAIL %s\n' "$1"
    # Podman complains about a systemd that is not there, and does without it.
    grep -v 'unable to get systemd connection' <<<"$output" | tail -n 30 | sed 's/^/     /'
  fi
}

# expect EXPRESSION: JavaScript over the JSON on stdin, called `it`; shows the JSON where it is false.
expect() {
  # shellcheck disable=SC2016 # JavaScript
  node -e '
    const text = require("node:fs").readFileSync(0, "utf8")
    let holds = false
    try { holds = new Function("it", `return (${process.argv[1]})`)(JSON.parse(text)) } catch (error) { console.log(String(error)) }
    if (!holds) { console.log(text.slice(0, 3000)); process.exit(1) }' "$1"
}

free_ports() { # free_ports N
  node -e '
    const servers = Array.from({ length: Number(process.argv[1]) }, () => require("node:net").createServer().listen(0, "127.0.0.1"))
    setTimeout(() => { console.log(...servers.map(s => s.address().port)); servers.forEach(s => s.close()) }, 50)' "$1"
}

image_size() { megabytes "$image"; }
base_size() { megabytes "$base"; }
megabytes() { "$engine" image inspect --format '{{.Size}}' "$1" | awk '{ printf "%.0f", $1 / 1e6 }'; }
now() { echo $((${EPOCHREALTIME/./} / 1000)); }
note() { printf '     %s\n' "$*"; }
section() { printf '\n%s\n' "$1"; }

finish() {
  printf '\n%s passed, %s failed\n' "$passed" "$failed"
  [ "$failed" = 0 ] && exit 0
  exit 1
}

# One run at a time: two would share the store's lock and each other's layers.
if [ -z "${VERIFY_LOCKED:-}" ] && command -v flock >/dev/null; then
  mkdir -p "$dir"
  VERIFY_LOCKED=1 exec flock --close --timeout 900 "$dir/lock" "${BASH_SOURCE[0]}" "$@"
fi
main
