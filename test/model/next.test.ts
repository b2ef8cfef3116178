import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { ERROR_CODES } from '../../src/model/errors.ts'
import { adviseNext, type Situation } from '../../src/model/next.ts'

const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null })

const situation: fc.Arbitrary<Situation> = fc.record({
  code: fc.constantFrom(...ERROR_CODES),
  retryable: fc.boolean(),
  writeOutcome: maybe(fc.constantFrom('not_applied', 'unknown', 'applied')),
  retryAfterMs: maybe(fc.nat()),
  fields: fc.array(fc.string()),
  verify: maybe(fc.record({ capability: fc.string(), input: fc.jsonValue() })),
  shows: maybe(fc.record({ capability: fc.string(), input: fc.jsonValue() })),
})

const mayHaveHappened = situation.map(facts => ({
  ...facts,
  writeOutcome: facts.writeOutcome === 'applied' ? ('applied' as const) : ('unknown' as const),
}))

test('never advises to repeat a change that may have been made', () => {
  fc.assert(
    fc.property(mayHaveHappened, facts => {
      const { action } = adviseNext(facts)
      expect(action).toBe(facts.verify ? 'verify' : 'ask_human')
    }),
    { numRuns: 2_000 },
  )
})

test('never advises to repeat a call that would fail again', () => {
  fc.assert(
    fc.property(situation, facts => {
      expect(adviseNext({ ...facts, retryable: false }).action).not.toMatch(/^(retry|wait)$/)
    }),
    { numRuns: 2_000 },
  )
})

test('advises to wait exactly as long as the upstream asks', () => {
  const repeated = situation.filter(facts => /^(retry|wait)$/.test(adviseNext(facts).action))
  fc.assert(
    fc.property(repeated, facts => {
      expect(adviseNext(facts)).toMatchObject(
        facts.retryAfterMs === null
          ? { action: 'retry', after_ms: expect.any(Number) }
          : { action: 'wait', after_ms: facts.retryAfterMs },
      )
    }),
  )
})

test('has an advice for every code', () => {
  fc.assert(
    fc.property(situation, facts => {
      expect(adviseNext(facts).action).toMatch(
        /^(retry|wait|fix_input|reauth|verify|ask_human|give_up)$/,
      )
    }),
  )
})

test('names a member when it advises to fix the input', () => {
  fc.assert(
    fc.property(situation, facts => {
      const next = adviseNext(facts)
      expect(next.action === 'fix_input' ? next.fields : ['-']).not.toEqual([])
    }),
  )
})
