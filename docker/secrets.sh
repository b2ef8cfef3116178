#!/bin/sh
# Makes the secrets of several.yaml, a file each, in docker/secrets or in SIGNALBOX_SECRETS. Leaves those that are there.
#
#   GITHUB_TOKEN=… docker/secrets.sh
#
# Prints the key for your agents.
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

make agent-key "$(random)"
make metrics-key "$(random)"
make keys "agent:$(read_one agent-key),prometheus:$(read_one metrics-key):metrics"
make github-token "${GITHUB_TOKEN:?name a token for GitHub}"
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
