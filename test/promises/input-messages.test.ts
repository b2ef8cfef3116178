import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { GatewayError } from '../../src/model/errors.ts'
import { problemsOf } from '../../src/model/failed-envelope.ts'
import { collectCases } from '../parity/collect.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { DOOR_NAMES, DOORS } from './support/sandbox-doors.ts'

const { cases } = await collectCases()
const LONGEST = 300

let gateway: TestGateway
beforeAll(async () => {
  const settings = { packs: ['github', 'npm', 'prometheus'] }
  gateway = await startTestGateway({ settings, env: { NPM_REGISTRY_URL: 'http://127.0.0.1:1' } })
})
afterAll(() => gateway[Symbol.asyncDispose]())

/** Values that few members take. */
const WRONG: readonly unknown[] = [
  '',
  ' ',
  '-x',
  '..',
  'a/../b',
  '/a',
  'a\u0000',
  'a\u001Bb',
  'A B?*[~^:\\',
  '@@@',
  'é😀',
  'x'.repeat(500),
  'no-such-thing',
  0,
  -1,
  1.5,
  1e300,
  true,
  null,
  [],
  [''],
  ['a', 'a'],
  [{}],
  Array.from({ length: 200 }, (_, index) => `a${index}`),
  {},
  { '': '' },
  { a: {} },
]

/** Signs of a regular expression, and of Ajv's own wording. */
const NOT_WORDS = /\(\?|\[\^|\\x|\\u|\\s|\{\d+,|schema in|be valid|NOT have|must match/

function inputOf(id: string): Readonly<Record<string, unknown>> {
  const good = cases.get(id)?.find(({ fails }) => fails === undefined)
  if (!good) return {}
  gateway.sandbox.reset()
  good.given?.(gateway.sandbox.store)
  return typeof good.input === 'function' ? good.input(gateway.sandbox.store) : good.input
}

/** The faults of the message about one member of an input. */
function faultsOf(error: unknown, member: string): string[] {
  if (!(error instanceof GatewayError)) return ['is no error of the gateway']
  const { message } = error
  const short = message.replace(/ Members: .*$/s, '')
  const fields = problemsOf(error)
  return [
    ...(short.length > LONGEST ? ['is too long'] : []),
    ...(NOT_WORDS.test(short) ? ['is not in words'] : []),
    ...(fields.some(problem => problem.message.length > LONGEST) ? ['has a long field'] : []),
    ...(fields.some(problem => NOT_WORDS.test(problem.message))
      ? ['has a field without words']
      : []),
    ...(message.includes(member) ? [] : ['does not name the member']),
  ].map(fault => `${member} ${fault}: ${short}`)
}

test('whatever is wrong with a member, the message names it in words', () => {
  let refused = 0
  const faults = new Set<string>()
  for (const card of gateway.engine.catalog.all()) {
    const input = inputOf(card.id)
    for (const member of Object.keys((card.input.properties ?? {}) as object)) {
      for (const value of WRONG) {
        try {
          card.parseInput({ ...input, [member]: value })
        } catch (error) {
          refused += 1
          for (const fault of faultsOf(error, member)) faults.add(`${card.id}: ${fault}`)
        }
      }
    }
  }
  expect([...faults]).toEqual([])
  expect(refused).toBeGreaterThan(10_000)
}, 120_000)

const SLIPS = [
  ['issue.view', { owner: 'a/b', name: 'x', issueNumber: 1 }, /"owner" must not have "\/"/],
  [
    'repo.branch.delete',
    { owner: 'a', name: 'x', branch: '-x' },
    /"branch" must not begin with "-"/,
  ],
  [
    'repo.contents.view',
    { owner: 'a', name: 'x', path: 'a/../b' },
    /"path" must not have the segment/,
  ],
  [
    'pr.reviews.request',
    { owner: 'a', name: 'x', prNumber: 1 },
    /needs at least one of reviewers, /,
  ],
] as const

describe('every door gives the same words', () => {
  test.each(
    SLIPS.flatMap(([id, input, words]) => DOOR_NAMES.map(door => ({ id, input, words, door }))),
  )(
    '$id at $door',
    async ({ id, input, words, door }) => {
      const { error } = await DOORS[door](gateway, id, input)
      expect(error).toMatchObject({ code: 'VALIDATION', message: expect.stringMatching(words) })
    },
    60_000,
  )
})
