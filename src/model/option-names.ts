/** A door's names of the options that a call may have wrong. An error uses them, because an agent changes what it names. */
export interface OptionNames {
  readonly idempotencyKey: string
  readonly approval: string
  readonly reason: string
  readonly correlationId: string
}

/** In a batch, and in `_meta` of MCP. */
export const MEMBER_NAMES: OptionNames = {
  idempotencyKey: 'idempotency_key',
  approval: 'approval',
  reason: 'reason',
  correlationId: 'correlation_id',
}

/** Among the arguments of a tool, `approval_id` says that an id is wanted. */
export const ARGUMENT_NAMES: OptionNames = { ...MEMBER_NAMES, approval: 'approval_id' }

export const HEADER_NAMES: OptionNames = {
  idempotencyKey: 'idempotency-key',
  approval: 'signalbox-approval',
  reason: 'signalbox-reason',
  correlationId: 'x-request-id',
}

/** On the command line. */
export const FLAG_NAMES: OptionNames = {
  idempotencyKey: 'idempotency-key',
  approval: 'approval',
  reason: 'reason',
  correlationId: 'correlation-id',
}
