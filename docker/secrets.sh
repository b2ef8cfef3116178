#!/bin/sh
# Makes the secrets of several.yaml, a file each, in docker/secrets or in SIGNALBOX_SECRETS. Leaves those that are there.
#
#   GITHUB_TOKEN=… docker/secrets.sh
#
# Prints the key for your agents, and the place of the operator's key, which docs/oncall.md needs. A second run needs no GITHUB_TOKEN.
set -eu
folder=${SIGNALBOX_SECRETS:-$(cd "$(dirname "$0")" && pwd)/secrets}
# The files are readable for the users of the containers; the folder keeps everybody else out.
install -d -m 0700 "$folder"
umask 022

make() { # make NAME TEXT
  [ -e "$folder/$1" ] || printf '%s' "$2" >"$folder/$1"
}
random() { od -An -N24 -tx1 /dev/urandom | tr -d ' \n'; }
read_one() { cat "$folder/$1"; }

[ -e "$folder/github-token" ] || make github-token "${GITHUB_TOKEN:?name a token for GitHub}"
make agent-key "$(random)"
make operator-key "$(random)"
make metrics-key "$(random)"
# The scope metrics alone lets Prometheus read /metrics, and call nothing.
make keys "agent:$(read_one agent-key),ops:$(read_one operator-key):operator,prometheus:$(read_one metrics-key):metrics"
case $(read_one keys) in
  *:*operator*) ;;
  *) printf '%s has no key of an operator: append ,ops:SECRET:operator with the text of %s.\n' "$folder/keys" "$folder/operator-key" >&2 ;;
esac
make database-password "$(random)"
make journal "postgres://signalbox:$(read_one database-password)@database/signalbox"
make state-password "$(random)"
make state "redis://:$(read_one state-password)@state:6379"
# Redis writes nothing to disk: Idempotency-Keys are in PostgreSQL, and the gateways rebuild the rest.
make redis.conf "requirepass $(read_one state-password)
save \"\"
appendonly no
"
printf 'agent key: %s\n' "$(read_one agent-key)"
printf 'operator key: in %s\n' "$folder/operator-key"
