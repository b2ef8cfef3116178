/** Takes back the migration of the indexes for filters, in either database. */
export const WITHOUT_FILTER_INDEXES = `
  DROP INDEX details_by_trace;
  DROP INDEX details_by_approval;
  DROP INDEX requests_by_failed_caller;
  DROP INDEX requests_by_failed_route;
  DROP INDEX requests_by_outcome;
  DROP INDEX requests_by_duration;
  DROP INDEX requests_by_reason;
  DROP INDEX requests_by_http_status;
  DROP INDEX requests_by_write_outcome;
  DROP INDEX attempts_by_result;
  DROP INDEX attempts_by_duration;
  DROP INDEX attempts_by_reason;
  DROP INDEX attempts_by_upstream_status;
  DROP INDEX attempts_by_retry;
  CREATE INDEX requests_by_ok ON requests (ok);
  CREATE INDEX attempts_by_route ON attempts (route);
  CREATE INDEX attempts_by_status ON attempts (status);
  -- An older version kept no row of the only attempt of a success, whatever its status.
  UPDATE requests SET plain = 2 WHERE plain = 1;
  DELETE FROM attempts WHERE key IN (SELECT key FROM requests WHERE plain = 2);
`

/** Columns that later versions added. */
export const NEW_COLUMNS = new Set([
  'correlation_id',
  'batch_id',
  'batch_step',
  'batch_item',
  'purpose',
  'answer_from',
  'asked_options',
  'key_hash',
  'approval_id',
])
