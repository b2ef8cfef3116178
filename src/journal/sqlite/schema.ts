import type { DatabaseSync } from 'node:sqlite'
import { JournalError } from '../error.ts'
import { DURATIONS } from '../stats/counters.ts'
import { APPROVALS, FAILURE_INDEXES, FILTER_INDEXES, RETRIES } from './filter-indexes.ts'
import { indexTexts } from './texts.ts'

/**
 * Keys grow with time (see keys.ts), so new rows go to the end of every tree. Each filter of the lists has an
 * index, and SQLite ends every index entry with the primary key: one filter in order of time is one index range.
 * Columns that lists do not show are in a table of their own, so that lists read small rows.
 */
const VERSION_1 = `
  CREATE TABLE requests (
    key           INTEGER PRIMARY KEY,
    request_id    TEXT NOT NULL,
    time          INTEGER NOT NULL,
    caller        TEXT NOT NULL,
    capability_id TEXT,
    ok            INTEGER NOT NULL,
    code          TEXT,
    route_used    TEXT,
    reason        TEXT,
    http_status   INTEGER NOT NULL,
    duration_ms   REAL NOT NULL,
    attempts      INTEGER NOT NULL,
    write_outcome TEXT,
    plain         INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX requests_by_id         ON requests (request_id, caller);
  CREATE INDEX requests_by_caller     ON requests (caller);
  CREATE INDEX requests_by_capability ON requests (capability_id);
  CREATE INDEX requests_by_route      ON requests (route_used);
  CREATE INDEX requests_by_ok         ON requests (ok);
  CREATE INDEX requests_by_code       ON requests (code) WHERE code IS NOT NULL;

  CREATE TABLE request_details (
    key      INTEGER PRIMARY KEY,
    upstream TEXT,
    effect   TEXT,
    plan     TEXT,
    error    TEXT,
    meta     TEXT,
    input    TEXT,
    data     TEXT
  ) STRICT;

  CREATE TABLE attempts (
    key             INTEGER NOT NULL,
    position        INTEGER NOT NULL,
    request_id      TEXT NOT NULL,
    time            INTEGER NOT NULL,
    capability_id   TEXT,
    caller          TEXT NOT NULL,
    route           TEXT NOT NULL,
    status          TEXT NOT NULL,
    code            TEXT,
    reason          TEXT,
    duration_ms     REAL,
    upstream_status INTEGER,
    PRIMARY KEY (key, position)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX attempts_by_caller     ON attempts (caller);
  CREATE INDEX attempts_by_capability ON attempts (capability_id);
  CREATE INDEX attempts_by_route      ON attempts (route);
  CREATE INDEX attempts_by_status     ON attempts (status);
  CREATE INDEX attempts_by_code       ON attempts (code) WHERE code IS NOT NULL;

  -- Writes in flight. Rows that are here when the journal is opened were in flight when a gateway died.
  CREATE TABLE intents (
    request_id    TEXT NOT NULL,
    time          INTEGER NOT NULL,
    caller        TEXT NOT NULL,
    capability_id TEXT NOT NULL,
    route         TEXT NOT NULL,
    PRIMARY KEY (request_id, time)
  ) STRICT, WITHOUT ROWID;
`

const VERSION_2 = `
  ALTER TABLE attempts ADD COLUMN next TEXT;
  ALTER TABLE request_details ADD COLUMN trace TEXT;

  -- Counters (see stats/counters.ts). A query reads one range of the primary key.
  CREATE TABLE stats_outcomes (
    span          INTEGER NOT NULL,
    bucket        INTEGER NOT NULL,
    caller        TEXT NOT NULL,
    capability_id TEXT NOT NULL,
    route         TEXT NOT NULL,
    outcome       TEXT NOT NULL,
    count         INTEGER NOT NULL,
    fallbacks     INTEGER NOT NULL,
    PRIMARY KEY (span, caller, bucket, capability_id, route, outcome)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE stats_durations (
    span          INTEGER NOT NULL,
    bucket        INTEGER NOT NULL,
    caller        TEXT NOT NULL,
    capability_id TEXT NOT NULL,
    route         TEXT NOT NULL,
    ${DURATIONS.sums.map(name => `${name} INTEGER NOT NULL`).join(', ')},
    min_ms        REAL NOT NULL,
    max_ms        REAL NOT NULL,
    PRIMARY KEY (span, caller, bucket, capability_id, route)
  ) STRICT, WITHOUT ROWID;
`

const VERSION_3 = `
  -- How many times the inbox (see inbox.ts) was filed into these tables.
  CREATE TABLE inbox (round INTEGER NOT NULL) STRICT;
  INSERT INTO inbox VALUES (0);
`

const VERSION_4 = `
  ALTER TABLE requests ADD COLUMN correlation_id TEXT;
  ALTER TABLE intents ADD COLUMN correlation_id TEXT;
  CREATE INDEX requests_by_correlation ON requests (correlation_id) WHERE correlation_id IS NOT NULL;
`

const VERSION_5 = `
  ALTER TABLE attempts ADD COLUMN purpose TEXT;
`

const VERSION_6 = `
  ALTER TABLE requests ADD COLUMN batch_id TEXT;
  ALTER TABLE requests ADD COLUMN batch_step TEXT;
  ALTER TABLE requests ADD COLUMN batch_item INTEGER;
  ALTER TABLE intents ADD COLUMN batch_id TEXT;
  ALTER TABLE intents ADD COLUMN batch_step TEXT;
  ALTER TABLE intents ADD COLUMN batch_item INTEGER;
  CREATE INDEX requests_by_batch ON requests (batch_id) WHERE batch_id IS NOT NULL;
`

const VERSION_7 = `
  -- Counters of what few requests have: reasons, and requests by what happened on a route (see stats/counters.ts).
  CREATE TABLE stats_facts (
    span          INTEGER NOT NULL,
    bucket        INTEGER NOT NULL,
    caller        TEXT NOT NULL,
    capability_id TEXT NOT NULL,
    route         TEXT NOT NULL,
    fact          TEXT NOT NULL,
    count         INTEGER NOT NULL,
    PRIMARY KEY (span, caller, bucket, capability_id, route, fact)
  ) STRICT, WITHOUT ROWID;

  -- Quotas as upstreams reported them, a row for each minute with a change; the gateway's own credentials only.
  CREATE TABLE quota_history (
    upstream    TEXT NOT NULL,
    bucket      INTEGER NOT NULL,
    pool        TEXT NOT NULL,
    credential  TEXT NOT NULL,
    at          INTEGER NOT NULL,
    remaining   REAL NOT NULL,
    quota_limit REAL,
    reset_at    INTEGER,
    PRIMARY KEY (upstream, bucket, pool, credential)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX quota_history_by_time ON quota_history (bucket);

  -- Circuits that were not closed, a row for each minute: 1 half open, 2 open.
  CREATE TABLE circuit_history (
    upstream TEXT NOT NULL,
    bucket   INTEGER NOT NULL,
    route    TEXT NOT NULL,
    state    INTEGER NOT NULL,
    PRIMARY KEY (upstream, bucket, route)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX circuit_history_by_time ON circuit_history (bucket);
`

const VERSION_8 = `
  ALTER TABLE request_details ADD COLUMN answer_from TEXT;
  ALTER TABLE request_details ADD COLUMN key_hash TEXT;
  ALTER TABLE intents ADD COLUMN upstream TEXT;
  ALTER TABLE intents ADD COLUMN effect TEXT;
  ALTER TABLE intents ADD COLUMN key_hash TEXT;
  CREATE INDEX details_by_key_hash ON request_details (key_hash) WHERE key_hash IS NOT NULL;
`

const VERSION_11 = 'ALTER TABLE request_details ADD COLUMN asked_options TEXT'

const VERSION_12 = `
  -- How far the inbox of each worker (see worker-inboxes.ts) is filed into these tables.
  CREATE TABLE worker_inboxes (
    name    TEXT PRIMARY KEY,
    part    INTEGER NOT NULL,
    filed   INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
`

/** Applied in order; the file's `user_version` counts those applied. Only append to this list. */
const MIGRATIONS: readonly (string | ((db: DatabaseSync) => void))[] = [
  VERSION_1,
  VERSION_2,
  VERSION_3,
  VERSION_4,
  VERSION_5,
  VERSION_6,
  VERSION_7,
  VERSION_8,
  FILTER_INDEXES,
  indexTexts,
  VERSION_11,
  VERSION_12,
  FAILURE_INDEXES,
  APPROVALS,
  RETRIES,
]

export const SCHEMA_VERSION = MIGRATIONS.length

/** Migrates the file to this version's schema, each step in its own transaction. */
export function migrate(db: DatabaseSync, file: string): void {
  const found = assertKnownSchema(db, file)
  for (const [index, step] of MIGRATIONS.slice(found).entries()) {
    db.exec('BEGIN IMMEDIATE')
    try {
      if (typeof step === 'string') db.exec(step)
      else step(db)
      db.exec(`PRAGMA user_version = ${found + index + 1}; COMMIT`)
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK')
      throw error
    }
  }
}

/**
 * The version of a file's schema.
 * @throws {JournalError} if a newer Signalbox wrote it.
 */
export function assertKnownSchema(db: DatabaseSync, file: string): number {
  const found = versionOf(db)
  if (found <= SCHEMA_VERSION) return found
  throw new JournalError(
    `the journal ${file} was written by a newer Signalbox (schema ${found}, this one knows ${SCHEMA_VERSION}): upgrade, or set SIGNALBOX_JOURNAL to another file`,
  )
}

function versionOf(db: DatabaseSync): number {
  return Number(db.prepare('PRAGMA user_version').get()?.user_version)
}
