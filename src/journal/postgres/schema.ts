import { DURATIONS } from '../stats/counters.ts'
import { AUDIT_TABLES } from './audit-schema.ts'
import type { Database, Queries } from './connection.ts'
import { APPROVALS, FAILURE_INDEXES, FILTER_INDEXES, RETRIES } from './filter-indexes.ts'
import { OVERVIEW_TABLES } from './overview-schema.ts'
import { indexTexts } from './texts.ts'

/**
 * The tables of the SQLite journal, in PostgreSQL. Each filter of the lists has an index that ends with the key:
 * one filter in order of time is one index range.
 */
const VERSION_1 = `
  CREATE TABLE requests (
    key           bigint PRIMARY KEY,
    request_id    text NOT NULL,
    time          bigint NOT NULL,
    caller        text NOT NULL,
    capability_id text,
    ok            integer NOT NULL,
    code          text,
    route_used    text,
    reason        text,
    http_status   integer NOT NULL,
    duration_ms   double precision NOT NULL,
    attempts      integer NOT NULL,
    write_outcome text,
    plain         integer NOT NULL
  );
  CREATE INDEX requests_by_id         ON requests (request_id, caller, key);
  CREATE INDEX requests_by_caller     ON requests (caller, key);
  CREATE INDEX requests_by_capability ON requests (capability_id, key);
  CREATE INDEX requests_by_route      ON requests (route_used, key);
  CREATE INDEX requests_by_ok         ON requests (ok, key);
  CREATE INDEX requests_by_code       ON requests (code, key) WHERE code IS NOT NULL;

  CREATE TABLE request_details (
    key      bigint PRIMARY KEY,
    upstream text,
    effect   text,
    plan     text,
    error    text,
    meta     text,
    input    text,
    data     text,
    trace    text
  );

  CREATE TABLE attempts (
    key             bigint NOT NULL,
    position        integer NOT NULL,
    request_id      text NOT NULL,
    time            bigint NOT NULL,
    capability_id   text,
    caller          text NOT NULL,
    route           text NOT NULL,
    status          text NOT NULL,
    code            text,
    reason          text,
    duration_ms     double precision,
    upstream_status integer,
    next            text,
    PRIMARY KEY (key, position)
  );
  CREATE INDEX attempts_by_caller     ON attempts (caller, key, position);
  CREATE INDEX attempts_by_capability ON attempts (capability_id, key, position);
  CREATE INDEX attempts_by_route      ON attempts (route, key, position);
  CREATE INDEX attempts_by_status     ON attempts (status, key, position);
  CREATE INDEX attempts_by_code       ON attempts (code, key, position) WHERE code IS NOT NULL;

  CREATE TABLE stats_outcomes (
    span          bigint NOT NULL,
    bucket        bigint NOT NULL,
    caller        text NOT NULL,
    capability_id text NOT NULL,
    route         text NOT NULL,
    outcome       text NOT NULL,
    count         integer NOT NULL,
    fallbacks     integer NOT NULL,
    PRIMARY KEY (span, caller, bucket, capability_id, route, outcome)
  );
  CREATE TABLE stats_durations (
    span          bigint NOT NULL,
    bucket        bigint NOT NULL,
    caller        text NOT NULL,
    capability_id text NOT NULL,
    route         text NOT NULL,
    ${DURATIONS.sums.map(name => `${name} integer NOT NULL`).join(', ')},
    min_ms        double precision NOT NULL,
    max_ms        double precision NOT NULL,
    PRIMARY KEY (span, caller, bucket, capability_id, route)
  );

  -- The gateways that share this journal; each updates its beat while it is alive.
  CREATE TABLE gateways (
    id   text PRIMARY KEY,
    beat timestamptz NOT NULL
  );

  -- Writes in flight; owner is the gateway that sent the write.
  CREATE TABLE intents (
    request_id    text NOT NULL,
    time          bigint NOT NULL,
    caller        text NOT NULL,
    capability_id text NOT NULL,
    route         text NOT NULL,
    owner         text NOT NULL,
    PRIMARY KEY (request_id, time)
  );

  CREATE TABLE idempotency (
    caller      text NOT NULL,
    capability  text NOT NULL,
    key         text NOT NULL,
    fingerprint text NOT NULL,
    owner       text NOT NULL,
    time        bigint NOT NULL,
    answer      text,
    PRIMARY KEY (caller, capability, key)
  );
  CREATE INDEX idempotency_by_time ON idempotency (time);
`

const VERSION_2 = `
  -- Ids of counters that were added, so that a retry after a lost COMMIT reply does not add them again.
  CREATE TABLE stats_written (
    id   text PRIMARY KEY,
    time timestamptz NOT NULL DEFAULT now()
  );
  -- Id of the claim: a claimer changes the row only if it is still its own.
  ALTER TABLE idempotency ADD COLUMN claim text;
`

const VERSION_3 = `
  -- The gateway has beaten without a gap since then; only after a while can it judge which others are dead.
  ALTER TABLE gateways ADD COLUMN since timestamptz NOT NULL DEFAULT now();
`

const VERSION_4 = `
  ALTER TABLE requests ADD COLUMN correlation_id text;
  ALTER TABLE intents ADD COLUMN correlation_id text;
  CREATE INDEX requests_by_correlation ON requests (correlation_id, key)
    WHERE correlation_id IS NOT NULL;
`

const VERSION_5 = 'ALTER TABLE attempts ADD COLUMN purpose text'

const VERSION_6 = `
  CREATE TABLE approvals (
    id text PRIMARY KEY,
    caller text NOT NULL, capability text NOT NULL, fingerprint text NOT NULL, key text NOT NULL,
    status text NOT NULL, created bigint NOT NULL, expires bigint NOT NULL,
    request_id text NOT NULL, reason text, input text NOT NULL, plan text NOT NULL,
    decided_by text, decided bigint, note text, repeatable integer NOT NULL DEFAULT 0, used_by text
  );
  -- Two requests that ask at once get one approval.
  CREATE UNIQUE INDEX approvals_waiting ON approvals (caller, capability, fingerprint, key)
    WHERE status = 'waiting';
  CREATE INDEX approvals_by_call ON approvals (caller, capability, fingerprint, key, id);
  CREATE INDEX approvals_by_status ON approvals (status, id);
  CREATE INDEX approvals_by_expiry ON approvals (expires);
`

const VERSION_7 = `
  ALTER TABLE requests ADD COLUMN batch_id text, ADD COLUMN batch_step text, ADD COLUMN batch_item integer;
  ALTER TABLE intents ADD COLUMN batch_id text, ADD COLUMN batch_step text, ADD COLUMN batch_item integer;
  CREATE INDEX requests_by_batch ON requests (batch_id, key) WHERE batch_id IS NOT NULL;
`

const VERSION_10 = `
  ALTER TABLE request_details ADD COLUMN answer_from text, ADD COLUMN key_hash text;
  ALTER TABLE intents ADD COLUMN upstream text, ADD COLUMN effect text, ADD COLUMN key_hash text;
  CREATE INDEX details_by_key_hash ON request_details (key_hash, key) WHERE key_hash IS NOT NULL;
`

const VERSION_13 = 'ALTER TABLE request_details ADD COLUMN asked_options text'

/** Applied in order; the table `signalbox_schema` holds those applied. Only append to this list. */
const MIGRATIONS: readonly (string | ((tx: Queries) => Promise<void>))[] = [
  VERSION_1,
  VERSION_2,
  VERSION_3,
  VERSION_4,
  VERSION_5,
  VERSION_6,
  VERSION_7,
  AUDIT_TABLES,
  OVERVIEW_TABLES,
  VERSION_10,
  FILTER_INDEXES,
  indexTexts,
  VERSION_13,
  FAILURE_INDEXES,
  APPROVALS,
  RETRIES,
]

/** An arbitrary number that other programs are unlikely to use. */
const MIGRATION_LOCK = 7_446_254_001

/** Migrates the database to this version's schema. Gateways that start together take turns. */
export async function migrate(database: Database): Promise<void> {
  if (await isCurrent(database)) return
  // To index a large journal takes minutes.
  const patient = database.patient()
  try {
    await patient.transaction(tx => applyMigrations(tx))
  } finally {
    await patient.close()
  }
}

/** A newer schema is not, and then `applyMigrations` says so. */
async function isCurrent(database: Database): Promise<boolean> {
  const [table] = await database.query<{ name: string | null }>(
    "SELECT to_regclass('signalbox_schema')::text AS name",
  )
  if (!table?.name) return false
  const [row] = await database.query<{ version: number | null }>(
    'SELECT max(version) AS version FROM signalbox_schema',
  )
  return row?.version === MIGRATIONS.length
}

/** The newest version of the schema. */
export const SCHEMA_VERSION = MIGRATIONS.length

/**
 * @param onFound called with the version that it found; 0 is an empty database
 * @param last the version to stop at
 */
export async function applyMigrations(
  tx: Queries,
  onFound: (version: number) => void = () => {},
  last: number = SCHEMA_VERSION,
): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
  await tx.run('CREATE TABLE IF NOT EXISTS signalbox_schema (version integer PRIMARY KEY)')
  const [row] = await tx.query<{ version: number }>(
    'SELECT coalesce(max(version), 0) AS version FROM signalbox_schema',
  )
  const found = row?.version ?? 0
  if (found > MIGRATIONS.length) {
    throw new Error(
      `the journal was written by a newer Signalbox (schema ${found}, this one knows ${MIGRATIONS.length}): upgrade, or use another database`,
    )
  }
  onFound(found)
  for (const [index, migration] of MIGRATIONS.slice(found, last).entries()) {
    if (typeof migration === 'string') await tx.run(migration)
    else await migration(tx)
    await tx.query('INSERT INTO signalbox_schema VALUES ($1)', [found + index + 1])
  }
}
