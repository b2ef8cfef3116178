#!/bin/sh
# Starts PostgreSQL as the public image does: makes the user and the database of the variables at the first start.
set -eu
data=/var/lib/postgresql/data
PATH=$(echo /usr/lib/postgresql/*/bin):$PATH
if [ ! -s "$data/PG_VERSION" ]; then
  install -d -o postgres -m 0700 "$data"
  setpriv --reuid=postgres --regid=postgres --init-groups \
    initdb --pgdata="$data" --username="$POSTGRES_USER" --pwfile="$POSTGRES_PASSWORD_FILE" --auth=scram-sha-256 --encoding=UTF8
  echo 'host all all all scram-sha-256' >>"$data/pg_hba.conf"
  echo "CREATE DATABASE \"$POSTGRES_DB\"" |
    setpriv --reuid=postgres --regid=postgres --init-groups postgres --single -D "$data" postgres
fi
install -d -o postgres /var/run/postgresql
exec setpriv --reuid=postgres --regid=postgres --init-groups postgres -D "$data" -c listen_addresses='*'
