import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkEnvelope } from '../../../client/envelope.ts'
import type { Card } from '../../../src/model/card.ts'
import type { Answer, EnvelopeError } from '../../../src/model/envelope.ts'
import { CODES, ERROR_CODES, WRITE_OUTCOMES } from '../../../src/model/errors.ts'
import { PROFILE_NAMES, type ProfileName } from '../../../src/model/profile-name.ts'
import { codeIn } from '../../../src/render/profiles/codes.ts'
import { leastBudgetOf } from '../../../src/render/profiles/index.ts'
import { renderAnswer } from '../../../src/render/render.ts'
import { fakeCard, knowing } from '../../support/cards.ts'
import { readFailure } from '../../support/read-failure.ts'

const card = fakeCard()
const name = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 200 })
const failure = fc.record({
  code: fc.constantFrom(...ERROR_CODES),
  message: fc.string({ unit: 'grapheme', maxLength: 500 }),
  capability: fc.option(name),
  requestId: fc.stringMatching(/^[A-Za-z0-9._-]{1,128}$/),
  wait: fc.option(fc.nat(86_400_000)),
  written: fc.option(fc.constantFrom(...WRITE_OUTCOMES)),
  retryable: fc.boolean(),
})

test('every failure fits into the smallest budget with its code, outcome, wait and retry flag, in every dialect', () => {
  fc.assert(
    fc.property(failure, fc.constantFrom(...PROFILE_NAMES), (facts, profile) => {
      const { code, message, capability, requestId, wait, written, retryable } = facts
      const answer: Answer = {
        envelope: {
          ok: false,
          data: null,
          error: {
            code,
            message,
            retryable,
            retry_after_ms: wait,
            source: 'upstream',
            write_outcome: written,
            hint_id: CODES[code].hint,
            next: { action: 'fix_input', fields: [capability ?? 'x'] },
            details: { reason: message },
          },
          meta: {
            capability_id: capability,
            request_id: requestId,
            route_used: 'graphql',
            reason: 'WRITE_OUTCOME_UNKNOWN',
            attempts: [{ route: 'graphql', status: 'error', error_code: code, message }],
            duration_ms: 123_456.7,
            warnings: [],
          },
        },
        status: CODES[code].status,
        subject: { card, input: {}, time: 0, sentAfter: 0, page: null, selection: 'all' },
      }
      const how = { profile, tokenBudget: 100, fields: null, host: 'a-client' }
      const { body } = renderAnswer(knowing(card), answer, how)
      expect(Buffer.byteLength(body) / 4).toBeLessThanOrEqual(leastBudgetOf(profile))
      expect(checkEnvelope(profile, JSON.parse(body))).toEqual([])
      const { error } = answer.envelope as { error: EnvelopeError }
      expect(body).toContain(codeOf(profile, error, card))
      const said = readFailure(profile, JSON.parse(body))
      expect(said).toMatchObject({ retry: retryable, outcome: written, waitMs: wait })
    }),
    { numRuns: 2000 },
  )
})

function codeOf(profile: ProfileName, error: EnvelopeError, card: Card): string {
  if (profile === 'ghx') return CODES[error.code].base
  const isCoded = profile === 'codegraph' || profile === 'dotbot' || profile === 'budgeted'
  return isCoded ? codeIn(profile, error, card) : error.code
}
