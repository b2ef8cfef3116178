import { expect, test } from 'vitest'
import { compileInput } from '../../src/cards/validate.ts'
import { findSlowPatterns } from '../../src/tools/check/slow-patterns.ts'
import { writePack } from '../support/packs.ts'
import { superlinearUnit } from './support/growth.ts'
import { shippedPatterns } from './support/patterns.ts'

test('every shipped regular expression takes linear time', () => {
  const patterns = new Map(shippedPatterns().map(it => [String(it.regex), it]))
  expect(patterns.size).toBeGreaterThan(200)
  const slow = [...patterns.values()].flatMap(({ place, regex }) => {
    const unit = superlinearUnit(regex)
    return unit === null ? [] : [`${place}: ${regex} with ${JSON.stringify(unit)}`]
  })
  expect(slow).toEqual([])
}, 180_000)

test.each([/a.*b/, /\s+$/, /"(?:[^"\\]|\\.)*"/, /\beyJ[\w-]{8,}\./])(
  'that test fails for %s, which takes quadratic time',
  regex => {
    expect(superlinearUnit(regex)).not.toBeNull()
  },
  60_000,
)

const CARD = `
id: thing.view
version: 1.0.0
description: View a thing.
effect: read
input: { type: object, properties: { name: { type: string, maxLength: 40, pattern: '^(a+)+$' } } }
output: { type: object, properties: { ok: { type: boolean } } }
prefer: [rest]
routes:
  rest: { path: "'/'", result: "{ok: 'true'}" }
`

test('check names the patterns of a pack that are not linear', async () => {
  const pack = await writePack({
    'upstream.yaml': `
id: thing
rest: { base_url: http://127.0.0.1:9 }
failures:
  - when: { message: '\\s+$' }
    then: { code: RATE_LIMIT }
  - when: { message: 'limit$' }
    then: { code: RATE_LIMIT }
`,
    'thing.view.yaml': CARD,
  })
  const found = findSlowPatterns([pack]).map(({ line, message }) => `${line}: ${message}`)
  expect(found).toEqual([
    expect.stringMatching(/^5: failures\.0\.when\.message is not linear: .* polynomial$/),
    expect.stringMatching(/^6: input\.properties\.name\.pattern is not linear: .* exponential$/),
  ])
})

test('a text over its maxLength never meets its pattern', () => {
  const name = { type: 'string', maxLength: 40, pattern: '^(a+)+$' }
  const parse = compileInput('thing.view', { type: 'object', properties: { name } })
  // The pattern would need 2^60 steps for it.
  const hostile = { name: `${'a'.repeat(60)}!` }
  expect(() => parse(hostile)).toThrow(/"name" must have at most 40 characters/)
  expect(() => parse({ name: 'b' })).toThrow(/"name" must not have "b"/)
})
