import type { HintTable } from './hint.ts'

/** Never change or remove an id: agents keep them. */
export const en = {
  hint_auth_001: {
    action:
      'Use a valid credential: your gateway key or token on HTTP 401, otherwise the upstream token.',
    field: 'X-Upstream-Authorization',
  },
  hint_forbidden_001: {
    action: 'Do not retry; ask for access, or use another account.',
  },
  hint_approval_required_001: {
    action: 'Wait for a person to approve the call, then send the same call again.',
    tool: 'GET /v1/approvals/{approval_id}',
  },
  hint_not_found_001: {
    action: 'Check the names in the input; what this credential cannot see looks the same.',
  },
  hint_validation_001: {
    action: 'Correct the members that the error names, following the input schema.',
    tool: 'GET /v1/capabilities/{id}',
  },
  hint_conflict_001: {
    action: 'Read the current state first, then decide whether you still want the change.',
  },
  hint_too_large_001: {
    action: 'Send less or request less: select fewer members with fields, or raise token_budget.',
    field: 'fields',
  },
  hint_rate_limit_001: {
    action: 'Wait as long as the error says, then send the same call again.',
  },
  hint_timeout_001: {
    action: 'Retry a read; before you retry a write, find out whether it was applied.',
  },
  hint_network_001: {
    action: 'Retry a read in a moment; before you retry a write, check whether it was applied.',
  },
  hint_server_001: {
    action: 'Retry a read later; before you retry a write, check whether it was applied.',
  },
  hint_server_002: {
    action: 'Nothing was sent: wait as long as the error says, then send the same call again.',
  },
  hint_not_ready_001: {
    action: 'The upstream accepted the request and is still working on it; call again in a moment.',
  },
  hint_output_invalid_001: {
    action: "Report to the operator: the upstream's answer does not match the card.",
    tool: 'GET /v1/requests/{request_id}',
  },
  hint_adapter_unsupported_001: {
    action: 'Leave route out, or ask the operator to install what the message names.',
    tool: 'POST /v1/capabilities/{id}/explain',
  },
  hint_cancelled_001: {
    action: 'The call was cancelled before the answer; call again if you still want it.',
  },
  hint_unknown_001: {
    action: 'Give the operator the request id; the journal shows what happened.',
    tool: 'GET /v1/requests/{request_id}',
  },
} as const satisfies HintTable
