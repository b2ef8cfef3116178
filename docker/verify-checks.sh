# Part of verify.sh: the checks. A check that fails prints the reason and returns non-zero.
# shellcheck shell=bash
# shellcheck disable=SC2154,SC2317 # verify.sh sets these variables, and calls the checks through check()

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
  # shellcheck disable=SC2016 # the shell in the container expands this
  once --entrypoint sh "$image" -c 'gh --version && tini --version && test -x /usr/local/bin/signalbox' >/dev/null &&
    "$engine" image inspect --format '{{json .Config.Entrypoint}}' "$image" | grep -q '^\["tini",'
}

bill_of_materials() {
  (cd "$root" && npm run sbom --silent -- --image "$image" --engine "$engine") | tee "$scratch/bill.json" | expect "
    ['pkg:npm/fastify@', 'pkg:generic/node@24.', 'pkg:deb/debian/gh@', 'pkg:deb/debian/tini@'].every(
      start => it.components.some(({ purl }) => purl.startsWith(start)))"
}

names_base() {
  "$engine" image inspect --format '{{index .Config.Labels "org.opencontainers.image.base.name"}}' "$image" | grep -qFx "$base"
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

wait_for() { # wait_for URL NAME: waits for status 200; on failure prints the log of the container
  for _ in $(seq 100); do
    if curl -fs -o /dev/null "$1"; then return 0; fi
    running "$2" || break
    sleep 0.1
  done
  curl -sS "$1" || true
  "$engine" logs --tail 20 "$prefix-$2" 2>&1
  return 1
}

call() { # call URL [QUERY]: calls repo.view and prints the envelope
  curl -sS --max-time 40 -H "authorization: Bearer $key" -H 'content-type: application/json' \
    --data '{"owner":"octo-org","name":"hello-world"}' "$1/v1/capabilities/repo.view${2-}"
}

calls() { # calls URL ROUTE: calls repo.view over one route and checks the envelope
  call "$1" "?route=$2" | tee "$scratch/$2.json" | expect "
    it.ok && it.error === null && it.data.name === 'hello-world' && it.meta.route_used === '$2' &&
    it.meta.attempts.some(a => a.route === '$2' && a.status === 'success' && a.duration_ms > 0)"
}

same_data() {
  { printf '['; cat "$scratch/rest.json"; printf ','; cat "$scratch/graphql.json"; printf ','; cat "$scratch/cli.json"; printf ']'; } |
    expect 'new Set(it.map(e => JSON.stringify(e.data))).size === 1'
}

refuses_keyless_call() {
  local status
  status=$(curl -sS -o "$scratch/keyless.json" -w '%{http_code}' -X POST "$1/v1/capabilities/repo.view")
  [ "$status" = 401 ] || { echo "HTTP $status"; cat "$scratch/keyless.json"; return 1; }
  expect "!it.ok && it.data === null && it.error.code === 'AUTH'" <"$scratch/keyless.json"
}

fault() { # fault JSON: sets the faults of the sandbox
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
    # Without systemd, podman does not schedule health checks: run one now.
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
  # shellcheck disable=SC2016 # the shell in the container expands this
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
  wait "$answer" || { echo 'the gateway cut off the running call'; return 1; }
  expect 'it.ok' <"$scratch/last.json"
}

stops() { # stops NAME: sends SIGTERM and expects exit code 0 before the engine kills the container
  local code
  timeout 30 "$engine" stop --time 20 "$prefix-$1" >/dev/null || return 1
  code=$("$engine" inspect --format '{{.State.ExitCode}}' "$prefix-$1")
  [ "$code" = 0 ] || { echo "exit code $code"; "$engine" logs --tail 10 "$prefix-$1" 2>&1; return 1; }
}

log_is_clean() {
  "$engine" logs "$prefix-serve" >"$scratch/log" 2>&1
  [ -s "$scratch/log" ] || { echo 'the log is empty'; return 1; }
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
