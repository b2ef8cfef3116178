import { describe, expect, test } from 'vitest'
import { explanationOf } from '../../inspector/web/model/explained.js'
import { ExplainedPlan, Plan } from '../../src/model/plan.ts'

type Given = Parameters<typeof explanationOf>[0]
type Options = Parameters<typeof explanationOf>[1]

const memory = (answers: 'yes' | 'if_routes_fail' | 'no', age_ms: number | null): Given => ({
  memory: { answers, age_ms },
})
const upload = { step: 'assets', purpose: 'upload a file', subjects: ['a.zip', 'b.zip'] }

/** Sentences beside the plan, after the first. */
const SAID: Readonly<Record<string, readonly [Given, Options, string | null]>> = {
  'nothing more': [{}, null, null],
  'a person': [{ needs_approval: true }, null, 'A person would have to approve it'],
  'an answer in memory': [
    memory('yes', 4200),
    {},
    'Memory would answer instead, .* 4.2 s old: noth',
  ],
  'an answer for a failure': [memory('if_routes_fail', 9000), {}, 'If the routes fail, .* 9 s old'],
  'no answer in memory': [memory('no', null), {}, 'Memory has no answer that it may use'],
  'memory alone, which has one': [memory('yes', 10), { only_if_cached: true }, 'would answer'],
  'memory alone, which has none': [memory('no', null), { only_if_cached: true }, 'be refused'],
  'memory alone, for a change': [{}, { only_if_cached: true }, 'be refused'],
  'memory alone, too old': [memory('if_routes_fail', 1), { only_if_cached: true }, 'be refused'],
  'a later request': [
    { follow_ups: [{ step: 'branch', purpose: 'delete the branch' }] },
    null,
    'also delete the branch\\.$',
  ],
  'several later requests': [{ follow_ups: [upload] }, null, 'file, for each of: a.zip, b.zip\\.$'],
}

describe('what is said of a call that is explained', () => {
  test.each(Object.entries(SAID))('beside the plan: %s', (_, [plan, options, said]) => {
    const [, ...more] = explanationOf(plan, options, false)
    expect(more).toEqual(said === null ? [] : [expect.stringMatching(said)])
  })

  test.each([
    [false, null, 'now.'],
    [true, null, 'now, with the key of this page.'],
    [false, { own_credential: true }, "now, with the gateway's credential instead"],
    [true, { own_credential: true }, "page and with the gateway's credential instead"],
  ] as const)('whose rights count: key %s, options %o', (hasKey, options, said) => {
    expect(explanationOf({}, options, hasKey)[0]).toContain(said)
  })

  test('every member that an explained plan has beside its routes is read', () => {
    const own = Object.keys(ExplainedPlan.properties).filter(name => !(name in Plan.properties))
    const read = new Set(Object.values(SAID).flatMap(([plan]) => Object.keys(plan)))
    expect([...read].sort()).toEqual(own.sort())
  })
})
