import { durationClassSql, outcomeSql, requestClassSql, resultSql } from '../find/indexed.ts'

/**
 * Each filter has an index (see find/sources.ts). The index of a value that most rows have leaves that value out: the
 * list itself soon has enough of them. And the only attempt of a success gets a row if its status is not 200.
 */
export const FILTER_INDEXES = `
  DROP INDEX requests_by_ok;
  CREATE INDEX requests_by_outcome       ON requests (${outcomeSql()});
  CREATE INDEX requests_by_duration      ON requests (${requestClassSql()});
  CREATE INDEX requests_by_reason        ON requests (reason) WHERE reason <> 'CARD_PREFERRED';
  CREATE INDEX requests_by_http_status   ON requests (http_status) WHERE http_status <> 200;
  CREATE INDEX requests_by_write_outcome ON requests (write_outcome) WHERE write_outcome IS NOT NULL;

  INSERT INTO attempts (key, position, request_id, time, capability_id, caller, route, status, reason, duration_ms,
    upstream_status, next)
    SELECT key, 0, request_id, CAST(round(time + coalesce(attempt ->> 'started_ms', 0)) AS INTEGER), capability_id,
      caller, attempt ->> 'route', 'success', attempt ->> 'reason', attempt ->> 'duration_ms',
      attempt ->> 'upstream_status', attempt ->> 'next'
    FROM (
      SELECT requests.*, meta -> '$.attempts[0]' AS attempt FROM requests JOIN request_details USING (key)
      WHERE plain = 2
    )
    WHERE attempt ->> 'upstream_status' <> 200;
  UPDATE requests SET plain = 1 WHERE plain = 2 AND key IN (SELECT key FROM attempts);

  DROP INDEX attempts_by_route;
  DROP INDEX attempts_by_status;
  CREATE INDEX attempts_by_result          ON attempts (${resultSql()});
  CREATE INDEX attempts_by_duration        ON attempts (${durationClassSql()}) WHERE duration_ms IS NOT NULL;
  CREATE INDEX attempts_by_reason          ON attempts (reason) WHERE reason IS NOT NULL;
  CREATE INDEX attempts_by_upstream_status ON attempts (upstream_status) WHERE upstream_status IS NOT NULL;
  CREATE INDEX attempts_by_retry           ON attempts (next) WHERE next = 'retry_same';
`

/** Failures of a caller or a route. They are few, and a success costs no entry. */
export const FAILURE_INDEXES = `
  CREATE INDEX requests_by_failed_caller ON requests (caller) WHERE ok = 0;
  CREATE INDEX requests_by_failed_route  ON requests (route_used) WHERE ok = 0 AND route_used IS NOT NULL;
`

/** Approvals of requests. Few have one, and the others cost no entry. */
export const APPROVALS = `
  ALTER TABLE request_details ADD COLUMN approval_id TEXT;
  UPDATE request_details
    SET approval_id = coalesce(meta ->> '$.approval_id', error ->> '$.details.approval_id')
    WHERE instr(meta, '"approval_id":') > 0 OR instr(error, '"approval_id":') > 0;
  CREATE INDEX details_by_approval ON request_details (approval_id) WHERE approval_id IS NOT NULL;
`

/** A write may be sent again after a check, too. */
export const RETRIES = `
  DROP INDEX attempts_by_retry;
  CREATE INDEX attempts_by_retry ON attempts (next) WHERE next IN ('retry_same', 'verify');
`
