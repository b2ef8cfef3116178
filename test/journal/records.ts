import { ulid } from 'ulid'
import type { Journal, RequestRecord } from '../../src/journal/journal.ts'
import type { Attempt, Envelope, EnvelopeError, Meta } from '../../src/model/envelope.ts'
import type { Reason } from '../../src/model/reasons.ts'

export interface RecordOptions extends Partial<Omit<RequestRecord, 'envelope'>> {
  readonly attempts?: readonly Attempt[]
  readonly data?: unknown
  readonly reason?: Reason
  readonly correlationId?: string
  readonly traceId?: string
  readonly approvalId?: string
  readonly ms?: number
  /** Its place in a batch. */
  readonly place?: Pick<Meta, 'batch_id' | 'batch_step' | 'batch_item'>
  /** Makes it the record of a failure. */
  readonly error?: Partial<EnvelopeError>
}

/** The record of a `repo.view` over REST, by default a success. */
export function recordOf(options: RecordOptions = {}): RequestRecord {
  const {
    attempts = [SUCCESS],
    data = { name: 'demo' },
    error,
    reason,
    correlationId,
    traceId,
    approvalId,
    ms = 13.1,
    place = {},
    ...rest
  } = options
  const record = {
    request_id: ulid(),
    time: Date.now(),
    caller: 'agent',
    capability_id: 'repo.view',
    upstream: 'github',
    effect: 'read' as const,
    http_status: error ? 502 : 200,
    plan: null,
    ...rest,
  }
  const meta: Meta = {
    capability_id: record.capability_id,
    request_id: record.request_id,
    ...(correlationId === undefined ? {} : { correlation_id: correlationId }),
    ...(traceId === undefined ? {} : { trace_id: traceId }),
    ...(approvalId === undefined ? {} : { approval_id: approvalId }),
    ...place,
    route_used: attempts.find(attempt => attempt.status === 'success')?.route ?? null,
    reason: reason ?? 'CARD_PREFERRED',
    attempts,
    duration_ms: ms,
    warnings: [],
  }
  return { ...record, envelope: envelopeOf(meta, data, error) }
}

function envelopeOf(
  meta: Meta,
  data: unknown,
  error: Partial<EnvelopeError> | undefined,
): Envelope {
  if (!error) return { ok: true, data, error: null, meta }
  return { ok: false, data: null, error: { ...FAILURE, ...error }, meta }
}

export const SUCCESS: Attempt = {
  route: 'rest',
  status: 'success',
  started_ms: 1,
  duration_ms: 12.4,
  upstream_status: 200,
}

export const CREATED: Attempt = { ...SUCCESS, upstream_status: 201 }

/** A read that checked on a write. */
export const VERIFYING: Attempt = { ...SUCCESS, purpose: 'verify', capability_id: 'issue.list' }

export const FAILED: Attempt = {
  route: 'rest',
  status: 'error',
  error_code: 'SERVER',
  started_ms: 1,
  duration_ms: 20.5,
  upstream_status: 503,
  next: 'next_route',
}

const FAILURE: EnvelopeError = {
  code: 'SERVER',
  message: 'The upstream answered 503.',
  retryable: true,
  retry_after_ms: null,
  source: 'upstream',
  write_outcome: null,
  hint_id: 'hint_server_001',
  next: { action: 'retry' },
  details: {},
}

export const GRAPHQL = { ...SUCCESS, route: 'graphql' } as const satisfies Attempt

export const SKIPPED = {
  route: 'cli',
  status: 'skipped',
  error_code: 'ADAPTER_UNSUPPORTED',
  reason: 'CLI_NOT_AVAILABLE',
} as const satisfies Attempt

/** Records a success `a`, a fallback `b` of another caller, and a failure `c` of another capability. */
export async function appendThree(journal: Journal): Promise<void> {
  await journal.append(recordOf({ request_id: 'a', time: 1000 }))
  await journal.append(
    recordOf({ request_id: 'b', time: 2000, caller: 'ci', attempts: [FAILED, GRAPHQL] }),
  )
  await journal.append(
    recordOf({
      request_id: 'c',
      time: 3000,
      capability_id: 'pr.list',
      attempts: [SKIPPED],
      error: {},
    }),
  )
}
