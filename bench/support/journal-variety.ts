import type { RequestRecord } from '../../src/journal/journal.ts'
import type { Attempt, Envelope } from '../../src/model/envelope.ts'
import { recordAt } from './journal-load.ts'

/** Two values that are as common as each other, and that no request has both of. */
export const APART = { caller: 'apart', capability: 'thing.apart' } as const

/** Values that one request in a thousand has. */
export const RARE = {
  correlation: 'rare-correlation',
  batch: 'rare-batch',
  reason: 'CIRCUIT_OPEN',
  upstream: 'gitlab',
  upstreamStatus: '418',
  soleStatus: '202',
  slowMs: 30_000,
} as const

/** A record of a load that has each fact that a filter can ask for, most of them rarely. */
export function variedRecordAt(time: number, n: number): RequestRecord {
  const record = recordAt(time, n)
  const { ok } = record.envelope
  if (n % 10 === 3) return { ...record, caller: APART.caller }
  if (n % 10 === 6) return { ...record, capability_id: APART.capability }
  switch (n % 1000) {
    case 1:
      return withMeta(record, { correlation_id: RARE.correlation })
    case 2:
      return withMeta(record, { batch_id: RARE.batch })
    case 4:
      return { ...record, upstream: RARE.upstream, capability_id: 'project.view' }
    case 5:
      return withMeta(record, { reason: RARE.reason, duration_ms: RARE.slowMs })
    case 7:
      return withFirstAttempt(record, { next: 'retry_same', upstream_status: 418 })
    case 8:
      return ok ? withFirstAttempt(record, { upstream_status: 202 }) : record
    case 9:
      return withFirstAttempt(record, { status: 'skipped', reason: 'NO_CREDENTIAL' })
    case 100:
      return { ...record, effect: 'write', http_status: 504, envelope: unknownWrite(record) }
    default:
      return record
  }
}

function withMeta(record: RequestRecord, facts: Partial<Envelope['meta']>): RequestRecord {
  const { envelope } = record
  return { ...record, envelope: { ...envelope, meta: { ...envelope.meta, ...facts } } }
}

function withFirstAttempt(record: RequestRecord, facts: Partial<Attempt>): RequestRecord {
  const [first, ...more] = record.envelope.meta.attempts
  return first
    ? withMeta(record, { attempts: [{ ...first, ...facts } as Attempt, ...more] })
    : record
}

function unknownWrite({ envelope }: RequestRecord): Envelope {
  if (envelope.error === null) return envelope
  return { ...envelope, error: { ...envelope.error, write_outcome: 'unknown' } }
}
