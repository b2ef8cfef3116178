# Part of verify.sh: starts several.yaml, and replaces one gateway after the other under load.
# shellcheck shell=bash
# shellcheck disable=SC2154 # verify.sh sets these variables

readonly CALLS_PER_SECOND=60

verify_several() {
  section 'Two gateways, PostgreSQL, Redis, a proxy and Prometheus, as in several.yaml'
  choose_compose || return 0
  if [ "$engine" = podman ]; then check 'the stand-ins for public images build' build_stand_ins; fi
  # shellcheck disable=SC2046 # split the ports into words
  set -- $(free_ports 3)
  export SIGNALBOX_PORT=$1 PROMETHEUS_PORT=$2 SANDBOX_PORT=$3 SIGNALBOX_SECRETS=$scratch/secrets SIGNALBOX_VERSION=verify
  export GITHUB_API_URL=http://github:8081 GITHUB_GRAPHQL_URL=http://github:8081/graphql GITHUB_UPLOAD_URL=http://github:8081
  GITHUB_TOKEN=$token "$here/secrets.sh" >/dev/null
  proxy=http://127.0.0.1:$SIGNALBOX_PORT
  check 'starts' compose up --detach --no-build
  check 'a gateway is ready behind the proxy' comes_true curl -fs -o /dev/null "$proxy/readyz"
  check 'Prometheus reads both gateways, and has the alerts' comes_true watches_both
  check "a rolling restart at $CALLS_PER_SECOND calls a second: each call is answered, in the journal, and applied once" rolls
  check 'no secret is in a log, in the settings of a container or in an argument of a program' secrets_are_kept
  compose down --volumes >/dev/null 2>&1 || true
}

choose_compose() {
  if [ "$engine" = docker ] && docker compose version >/dev/null 2>&1; then
    compose_program=(docker compose)
  elif [ "$engine" = podman ] && command -v podman-compose >/dev/null && has_networks; then
    compose_program=(podman-compose)
  else
    note 'skipped: docker compose is missing, or podman-compose, netavark and aardvark-dns'
    [ -z "${CI:-}" ] || check 'Compose is there under CI' false
    return 1
  fi
}

compose() {
  "${compose_program[@]}" --project-name "$prefix" --file "$here/several.yaml" --file "$here/verify/several.yaml" "$@"
}

compose_containers() { "$engine" ps --quiet --filter "label=com.docker.compose.project=$prefix" "$@" 2>/dev/null; }

build_stand_ins() {
  local name
  for name in caddy:2-alpine redis:8-alpine postgres:17-alpine prom/prometheus:v3.7.3; do
    local target=${name##*/}
    "${build[@]}" --file "$here/verify/stand-ins.Dockerfile" --target "${target%%:*}" --tag "localhost/$name" "$here/verify" || return 1
  done
}

comes_true() { # comes_true COMMAND…: within a minute
  for _ in $(seq 120); do
    if "$@" >"$scratch/last" 2>&1; then return 0; fi
    sleep 0.5
  done
  cat "$scratch/last"
  compose ps
  return 1
}

watches_both() {
  local prometheus=http://127.0.0.1:$PROMETHEUS_PORT
  curl -fsS "$prometheus/api/v1/targets" | expect "it.data.activeTargets.filter(target => target.health === 'up').length === 2" &&
    curl -fsS "$prometheus/api/v1/rules" | expect "it.data.groups.flatMap(group => group.rules).length >= 10"
}

rolls() {
  local agent_key
  agent_key=$(cat "$SIGNALBOX_SECRETS/agent-key")
  roll_both | node "$here/verify/load.mjs" "$proxy" "$agent_key" "$CALLS_PER_SECOND" >"$scratch/answers.json"
  node "$here/verify/account.mjs" "$proxy" "$agent_key" "http://127.0.0.1:$SANDBOX_PORT" <"$scratch/answers.json" | tee "$scratch/account"
}

roll_both() {
  local service container
  sleep 1
  for service in gateway-1 gateway-2; do
    container=$(compose_containers --filter "label=com.docker.compose.service=$service")
    "$engine" stop --time 45 "$container" >/dev/null 2>&1
    "$engine" start "$container" >/dev/null 2>&1
    for _ in $(seq 60); do
      if "$engine" exec "$container" node -e 'fetch("http://127.0.0.1:8080/readyz").then(it => process.exit(it.ok ? 0 : 1), () => process.exit(1))' \
        >/dev/null 2>&1; then break; fi
      sleep 0.5
    done
    # The proxy asks each second whether a gateway is ready.
    sleep 3
  done
}

secrets_are_kept() {
  local container name
  [ "$(compose_containers | wc -l)" -ge 7 ] || { echo 'containers are missing'; return 1; }
  for container in $(compose_containers); do
    "$engine" logs "$container"
    "$engine" inspect "$container"
    "$engine" exec "$container" sh -c 'cat /proc/[0-9]*/cmdline /proc/[0-9]*/environ 2>/dev/null | tr "\\0" "\\n"' || return 1
  done >"$scratch/all" 2>&1
  for name in agent-key operator-key metrics-key database-password state-password; do
    if grep -aqF -e "$(cat "$SIGNALBOX_SECRETS/$name")" "$scratch/all"; then
      echo "$name is not kept"
      return 1
    fi
  done
}
