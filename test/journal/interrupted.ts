import { expect } from 'vitest'
import type { IntentRecord, JournalReader } from '../../src/journal/journal.ts'
import { keyHashOf } from '../../src/journal/key-hash.ts'

const NAMES = { correlation_id: 'mine', batch_id: 'b', batch_step: 'reply', batch_item: 1 } as const

/** A write that was in flight when its gateway died. */
export const INTENT = {
  request_id: 'lost',
  ...NAMES,
  time: Date.parse('2026-01-02T03:04:05.678Z'),
  caller: 'agent',
  capability_id: 'issue.create',
  route: 'rest',
  upstream: 'github',
  effect: 'write',
  keyHash: keyHashOf('once'),
} as const satisfies IntentRecord

/** Its record, in any database: it names the route, and has neither an answer nor numbers that nobody measured. */
export async function expectInterrupted(journal: JournalReader): Promise<void> {
  expect(await journal.request('lost')).toEqual({
    request_id: 'lost',
    trace_id: null,
    ...NAMES,
    time: '2026-01-02T03:04:05.678Z',
    caller: 'agent',
    capability_id: 'issue.create',
    ok: false,
    code: 'UNKNOWN',
    route_used: 'rest',
    reason: 'WRITE_OUTCOME_UNKNOWN',
    http_status: null,
    duration_ms: null,
    attempts: 1,
    write_outcome: 'unknown',
    answer_from: null,
    borrowed: false,
    idempotency_key_hash: keyHashOf('once'),
    trail: [
      {
        route: 'rest',
        status: 'error',
        code: 'UNKNOWN',
        reason: null,
        duration_ms: null,
        purpose: null,
      },
    ],
    upstream: 'github',
    effect: 'write',
    options: null,
    plan: null,
    error: expect.objectContaining({
      code: 'UNKNOWN',
      source: 'gateway',
      write_outcome: 'unknown',
      next: { action: 'ask_human' },
      details: { interrupted: true },
    }),
    meta: null,
    input: null,
    data: null,
    trace: null,
  })
  for (const filter of [{ upstream: 'github' }, { q: 'once' }, { caller: 'agent', ok: false }]) {
    const { items } = await journal.requests({ ...filter, write_outcome: 'unknown' }, { limit: 10 })
    expect(items).toMatchObject([{ request_id: 'lost', http_status: null, duration_ms: null }])
  }
  // Neither the status nor the duration is known, so no value of a filter matches it.
  const unknown = [
    { http_status: '5xx' },
    { min_duration_ms: 0 },
    { min_duration_ms: 0, caller: 'agent', ok: false },
    { min_duration_ms: 0, request_id: 'lost' },
  ]
  for (const filter of unknown) {
    const requests = await journal.requests(filter, { limit: 10 })
    const attempts = await journal.attempts(filter, { limit: 10 })
    const found = [...requests.items, ...attempts.items].map(row => row.request_id)
    expect({ filter, found }).not.toMatchObject({ found: expect.arrayContaining(['lost']) })
  }
  expect((await journal.attempts({ code: 'UNKNOWN' }, { limit: 10 })).items).toMatchObject([
    { request_id: 'lost', route: 'rest', status: 'error', duration_ms: null },
  ])
}
