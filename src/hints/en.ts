import type { HintTable } from './hint.ts'

/** Ids stay for good: an agent may have kept one. */
export const en = {
  hint_auth_001: {
    action: 'Use a credential that works: your gateway key on HTTP 401, else the upstream token.',
    field: 'X-Upstream-Authorization',
  },
  hint_forbidden_001: {
    action: 'Do not repeat it; have access granted, or use another account.',
  },
  hint_not_found_001: {
    action: 'Check the names in the input; what this credential may not see looks the same.',
    field: 'error.next.fields',
  },
  hint_validation_001: {
    action: 'Correct the members that the error names, by the input schema.',
    tool: 'GET /v1/capabilities/{id}',
    field: 'error.details.fields',
  },
  hint_conflict_001: {
    action: 'Read the present state first, then decide whether the change is still wanted.',
  },
  hint_too_large_001: {
    action: 'Send less, or ask for less: fewer members with fields, or a larger token_budget.',
    field: 'fields',
  },
  hint_rate_limit_001: {
    action: 'Wait as long as the error says, then send the same call again.',
    field: 'error.retry_after_ms',
  },
  hint_timeout_001: {
    action: 'Repeat a read; before you repeat a change, find out whether it was applied.',
    field: 'error.write_outcome',
  },
  hint_network_001: {
    action: 'Repeat a read in a moment; before you repeat a change, look whether it was applied.',
    field: 'error.write_outcome',
  },
  hint_server_001: {
    action: 'Try a read again later; before you repeat a change, look whether it was applied.',
    field: 'error.write_outcome',
  },
  hint_not_ready_001: {
    action: 'It was accepted and is still being computed; ask again in a moment.',
    field: 'error.retry_after_ms',
  },
  hint_output_invalid_001: {
    action: 'Tell the operator: the upstream answers otherwise than the card declares.',
    tool: 'GET /v1/requests/{request_id}',
  },
  hint_adapter_unsupported_001: {
    action: 'Leave route out, or have the operator install what the message names.',
    tool: 'POST /v1/capabilities/{id}/explain',
  },
  hint_cancelled_001: {
    action: 'You left before the answer; call again if you still want it.',
  },
  hint_unknown_001: {
    action: 'Tell the operator the request id; the journal has what happened.',
    tool: 'GET /v1/requests/{request_id}',
  },
} as const satisfies HintTable
