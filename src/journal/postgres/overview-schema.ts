/** The SQLite file has the same tables: src/journal/sqlite/schema.ts. */
export const OVERVIEW_TABLES = `
  -- Counters of what few requests have: reasons, and requests by what happened on a route (see src/journal/stats/counters.ts).
  CREATE TABLE stats_facts (
    span          bigint NOT NULL,
    bucket        bigint NOT NULL,
    caller        text NOT NULL,
    capability_id text NOT NULL,
    route         text NOT NULL,
    fact          text NOT NULL,
    count         integer NOT NULL,
    PRIMARY KEY (span, caller, bucket, capability_id, route, fact)
  );

  -- Quotas as upstreams reported them, a row for each minute with a change; the gateway's own credentials only.
  CREATE TABLE quota_history (
    upstream    text NOT NULL,
    bucket      bigint NOT NULL,
    pool        text NOT NULL,
    credential  text NOT NULL,
    at          bigint NOT NULL,
    remaining   double precision NOT NULL,
    quota_limit double precision,
    reset_at    bigint,
    PRIMARY KEY (upstream, bucket, pool, credential)
  );
  CREATE INDEX quota_history_by_time ON quota_history (bucket);

  -- Circuits that were not closed, a row for each minute: 1 half open, 2 open.
  CREATE TABLE circuit_history (
    upstream text NOT NULL,
    bucket   bigint NOT NULL,
    route    text NOT NULL,
    state    integer NOT NULL,
    PRIMARY KEY (upstream, bucket, route)
  );
  CREATE INDEX circuit_history_by_time ON circuit_history (bucket);
`
