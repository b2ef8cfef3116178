import { expect, test } from 'vitest'
import { stopsOf } from '../../inspector/web/model/trail.js'
import type { TrailStep } from '../../src/journal/row-schemas.ts'
import type { Reason } from '../../src/model/reasons.ts'

function step(route: TrailStep['route'], status: TrailStep['status'], code?: 'SERVER'): TrailStep {
  return { route, status, code: code ?? null, reason: null, duration_ms: 1, purpose: null }
}
const ANSWERED = step('rest', 'success')
const FAILED = step('rest', 'error', 'SERVER')
const SKIPPED = { ...step('cli', 'skipped'), reason: 'CIRCUIT_OPEN' } as const
const CHECKED = { ...ANSWERED, purpose: 'verify' } as const

test.each<[Reason, TrailStep[], string[]]>([
  ['CARD_PREFERRED', [ANSWERED, SKIPPED], ['rest: answered']],
  [
    'CARD_FALLBACK',
    [SKIPPED, FAILED, FAILED, step('graphql', 'success')],
    ['cli: skipped, CIRCUIT_OPEN', 'rest: failed, SERVER ×2', 'graphql: answered'],
  ],
  [
    'IDEMPOTENT_REPLAY',
    [ANSWERED],
    ['replayed repeated: the stored answer of the same Idempotency-Key'],
  ],
  ['COALESCED', [FAILED, ANSWERED], ['coalesced shared: the answer of an identical read']],
  [
    'REVALIDATED',
    [FAILED, step('graphql', 'success')],
    ['rest: failed, SERVER', 'revalidated graphql: confirmed the kept answer'],
  ],
  ['CACHE_HIT', [], ['memory memory: a kept answer']],
  ['CACHE_HIT', [FAILED], ['rest: failed, SERVER', 'memory memory: a kept answer']],
  [
    'RECOVERED',
    [FAILED, CHECKED],
    ['rest: failed, SERVER', 'recovered found: a check found the write'],
  ],
  ['INPUT_VALIDATION', [], []],
])('the list shows the stops of %s', (reason, trail, shown) => {
  const borrowed = reason === 'IDEMPOTENT_REPLAY' || reason === 'COALESCED'
  const stops = stopsOf({ reason, borrowed, trail }).map(
    ({ form, text, word, times }) =>
      `${form ? `${form} ` : ''}${text}: ${word}${times > 1 ? ` ×${times}` : ''}`,
  )
  expect(stops).toEqual(shown)
})
