import { durationClassSql, outcomeSql, requestClassSql, resultSql } from '../find/indexed.ts'

/**
 * The SQLite file has the same indexes, for the same reasons: src/journal/sqlite/filter-indexes.ts. PostgreSQL reads an
 * index of an expression alone only if it includes the columns of the expression.
 */
export const FILTER_INDEXES = `
  DROP INDEX requests_by_ok;
  CREATE INDEX requests_by_outcome       ON requests (${outcomeSql()}, key) INCLUDE (plain, ok, attempts);
  CREATE INDEX requests_by_duration      ON requests (${requestClassSql()}, key) INCLUDE (duration_ms, plain);
  CREATE INDEX requests_by_reason        ON requests (reason, key) WHERE reason <> 'CARD_PREFERRED';
  CREATE INDEX requests_by_http_status   ON requests (http_status, key) WHERE http_status <> 200;
  CREATE INDEX requests_by_write_outcome ON requests (write_outcome, key) WHERE write_outcome IS NOT NULL;

  WITH sole AS (
    SELECT requests.*, meta::json #> '{attempts,0}' AS attempt FROM requests JOIN request_details USING (key)
    WHERE plain = 2
  ), with_row AS (
    INSERT INTO attempts (key, position, request_id, time, capability_id, caller, route, status, reason, duration_ms,
      upstream_status, next)
    SELECT key, 0, request_id, round(time + coalesce((attempt ->> 'started_ms')::double precision, 0)), capability_id,
      caller, attempt ->> 'route', 'success', attempt ->> 'reason', (attempt ->> 'duration_ms')::double precision,
      (attempt ->> 'upstream_status')::integer, attempt ->> 'next'
    FROM sole WHERE (attempt ->> 'upstream_status')::integer <> 200
    RETURNING key
  )
  UPDATE requests SET plain = 1 FROM with_row WHERE requests.key = with_row.key;

  DROP INDEX attempts_by_route;
  DROP INDEX attempts_by_status;
  CREATE INDEX attempts_by_result          ON attempts (${resultSql()}, key, position) INCLUDE (route, status);
  CREATE INDEX attempts_by_duration        ON attempts (${durationClassSql()}, key, position) INCLUDE (duration_ms) WHERE duration_ms IS NOT NULL;
  CREATE INDEX attempts_by_reason          ON attempts (reason, key, position) WHERE reason IS NOT NULL;
  CREATE INDEX attempts_by_upstream_status ON attempts (upstream_status, key, position) WHERE upstream_status IS NOT NULL;
  CREATE INDEX attempts_by_retry           ON attempts (next, key, position) WHERE next = 'retry_same';
`

/** Failures of a caller or a route. They are few, and a success costs no entry. */
export const FAILURE_INDEXES = `
  CREATE INDEX requests_by_failed_caller ON requests (caller, key) WHERE ok = 0;
  CREATE INDEX requests_by_failed_route  ON requests (route_used, key) WHERE ok = 0 AND route_used IS NOT NULL;
`

/** Approvals of requests. Few have one, and the others cost no entry. */
export const APPROVALS = `
  ALTER TABLE request_details ADD COLUMN approval_id text;
  UPDATE request_details
    SET approval_id = coalesce(meta::json ->> 'approval_id', error::json #>> '{details,approval_id}')
    WHERE position('"approval_id":' IN meta) > 0 OR position('"approval_id":' IN error) > 0;
  CREATE INDEX details_by_approval ON request_details (approval_id, key) WHERE approval_id IS NOT NULL;
`

/** A write may be sent again after a check, too. */
export const RETRIES = `
  DROP INDEX attempts_by_retry;
  CREATE INDEX attempts_by_retry ON attempts (next, key, position) WHERE next IN ('retry_same', 'verify');
`
