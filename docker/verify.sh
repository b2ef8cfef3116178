#!/usr/bin/env bash
# Builds the image, runs it, and checks what operators rely on. Prints one line per check and ends
# with "N passed, N failed". Exits with 1 if a check failed.
#
#   docker/verify.sh
#
# Uses the Docker engine if one answers. Otherwise it uses podman, which needs root, and builds the
# base image itself (base-image.sh), so it needs no container registry. Exits with 77 if neither is
# available. Keeps podman's images between runs in VERIFY_DIR (default ~/.cache/signalbox-verify).
set -euo pipefail
export LC_ALL=C

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(dirname "$here")
dir=${VERIFY_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/signalbox-verify}
image=localhost/signalbox:verify
prefix=signalbox-verify-$$
volume=$prefix-data

printf -v key 'verify-key-%05d%05d' $RANDOM $RANDOM # the gateway key
token='sandbox-token'                               # the upstream token

# shellcheck source=docker/verify-engine.sh
source "$here/verify-engine.sh"
# shellcheck source=docker/verify-checks.sh
source "$here/verify-checks.sh"
# shellcheck source=docker/verify-several.sh
source "$here/verify-several.sh"

main() {
  choose_engine
  scratch=$(mktemp -d)
  note "engine: $engine, images in ${store}"
  trap clean_up EXIT
  trap 'exit 130' INT TERM

  build_image || { failed=$((failed + 1)); finish; }
  # shellcheck disable=SC2046 # split the ports into words
  set -- $(free_ports 4)
  demo_port=$1 sandbox_port=$2 serve_port=$3 unused_port=$4
  demo=http://127.0.0.1:$demo_port serve=http://127.0.0.1:$serve_port sandbox=http://127.0.0.1:$sandbox_port

  section 'The image'
  check 'runs as a user other than root' image_user
  check 'contains no test, no development package and no build secret' image_is_lean
  check 'has no secret in its configuration and history' image_history
  check 'contains gh, and runs tini as PID 1' image_tools
  check 'refuses to start on 0.0.0.0 without gateway keys, and names SIGNALBOX_KEYS' refuses_without_keys
  check 'the health check fails if nothing listens' healthcheck_fails
  check 'its bill of materials names npm packages, Node and Debian packages' bill_of_materials
  check 'says from which base it was built' names_base

  section 'The demo in a read-only container without Linux capabilities'
  start demo "$demo_port" --env "SANDBOX_PORT=$sandbox_port" --env SIGNALBOX_JOURNAL=/tmp/journal.sqlite
  check 'becomes ready' wait_for "$demo/readyz" demo
  check 'a call without a key gets an envelope with AUTH' refuses_keyless_call "$demo"
  check 'repo.view by rest' calls "$demo" rest
  check 'repo.view by graphql' calls "$demo" graphql
  check 'repo.view by cli, with the gh of the image' calls "$demo" cli
  check 'the three routes return the same data' same_data
  check 'a broken rest route falls back to graphql' falls_back

  section 'The gateway in a container, with its journal on a volume'
  start serve "$serve_port" --volume "$volume:/data" \
    --env "GITHUB_TOKEN=$token" --env "GITHUB_API_URL=$sandbox" --env "GITHUB_GRAPHQL_URL=$sandbox/graphql" \
    --env "GITHUB_UPLOAD_URL=$sandbox"
  check 'becomes ready' wait_for "$serve/readyz" serve
  check '/livez answers' curl -fsS -o /dev/null "$serve/livez"
  check 'the health check reports healthy' healthy
  check 'the gateway does not run as root and has no Linux capability' unprivileged
  check 'the root file system is read-only, and /data is writable' read_only
  check 'repo.view by rest' calls "$serve" rest
  check 'repo.view by graphql' calls "$serve" graphql
  check 'on SIGTERM the gateway finishes a running call and exits with 0' stops_gracefully
  check 'its log contains neither the gateway key nor the upstream token' log_is_clean
  check 'its volume contains neither of them' volume_is_clean

  section 'The same volume in a new container'
  start again "$serve_port" --volume "$volume:/data"
  check 'becomes ready' wait_for "$serve/readyz" again
  check 'the journal contains the earlier calls' journal_survived
  check 'stops with exit code 0' stops again

  verify_several

  section 'Measurements'
  note "image: $(image_size) MB, including the base image of $(base_size) MB"
  check 'Signalbox adds less than 100 MB to its base' test "$(($(image_size) - $(base_size)))" -lt 100
  note "time from start to the first answer: demo ${started_in[demo]:-?} ms, gateway ${started_in[serve]:-?} ms," \
    "again ${started_in[again]:-?} ms"
  finish
}

# --- reporting -------------------------------------------------------------------------------------

passed=0 failed=0

check() { # check TITLE COMMAND…
  local output began
  began=$(now)
  if output=$("${@:2}" 2>&1); then
    passed=$((passed + 1))
    printf 'ok   %s (%s ms)\n' "$1" "$(($(now) - began))"
  else
    failed=$((failed + 1))
    printf 'FAIL %s\n' "$1"
    # Podman warns that systemd is missing, and works without it.
    grep -v 'unable to get systemd connection' <<<"$output" | tail -n 30 | sed 's/^/     /'
  fi
}

# expect EXPRESSION: evaluates a JavaScript expression about `it`, the JSON on stdin. Prints the JSON
# if the result is false.
expect() {
  # shellcheck disable=SC2016,SC2317 # JavaScript; the checks call expect
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

now() { echo $((${EPOCHREALTIME/./} / 1000)); }
note() { printf '     %s\n' "$*"; }
section() { printf '\n%s\n' "$1"; }

finish() {
  printf '\n%s passed, %s failed\n' "$passed" "$failed"
  [ "$failed" = 0 ] && exit 0
  exit 1
}

# Allow one run at a time: two would compete for the lock and the layers of podman's store.
if [ -z "${VERIFY_LOCKED:-}" ] && command -v flock >/dev/null; then
  mkdir -p "$dir"
  VERIFY_LOCKED=1 exec flock --close --timeout 900 "$dir/lock" "${BASH_SOURCE[0]}" "$@"
fi
main
