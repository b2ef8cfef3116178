import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PROFILE_NAMES } from '../../src/model/profile-name.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { DOOR_NAMES, DOORS } from './support/sandbox-doors.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway({ settings: { retries: 0 } })
})
afterAll(() => gateway[Symbol.asyncDispose]())

const repo = { owner: 'octo-org', name: 'hello-world' }

/** The capability, an input with a slip, its name, and what every door says about it. */
const SLIPS = [
  ['issue.view', { ...repo, number: 1 }, 'number', 'Did you mean issueNumber?'],
  ['issue.view', { owner: 'octo-org', repo: 'x', issueNumber: 1 }, 'repo', 'Did you mean name?'],
  [
    'issue.view',
    { repo: 'octo-org/hello-world', issueNumber: 1 },
    'repo',
    'Send what stands before the slash as owner, and the rest as name.',
  ],
  ['issue.create', { ...repo, titel: 'x' }, 'titel', 'Did you mean title?'],
  [
    'issue.view',
    { input: { ...repo, issueNumber: 1 } },
    'input',
    'Send its members without "input" around them.',
  ],
] as const

describe.each(DOOR_NAMES)('a slip is named with the right word at the door %s', door => {
  test.each(SLIPS)('%s %j', async (id, input, slip, advice) => {
    const { error } = await DOORS[door](gateway, id, input)
    expect(error).toMatchObject({
      code: 'VALIDATION',
      next: { action: 'fix_input', fields: expect.arrayContaining([slip]) },
    })
    const fields = error.details.fields as { path: string; message: string }[]
    expect(fields.find(({ path }) => path === slip)?.message).toBe(
      `is not a known member. ${advice}`,
    )
  })
})

/** A call with a slip, its options, and the right word. */
const WORDS = [
  ['repo.veiw', repo, {}, 'repo.view'],
  ['issue.view', { ...repo, number: 1 }, {}, 'issueNumber'],
  ['issue.create', { ...repo, titel: 'x' }, {}, 'title'],
  ['repo.view', repo, { fields: 'nmae' }, 'name'],
  ['issue.list', repo, { fields: 'titel' }, 'items.title'],
  ['issue.list', repo, { fields: 'items.nubmer' }, 'items.number'],
] as const

describe.each(PROFILE_NAMES)('the right word for a slip is in the dialect %s', profile => {
  test.each(WORDS)('%s %j %j', async (id, input, options, word) => {
    const { body } = await gateway.call(id, input, { query: { ...options, profile } })
    expect(JSON.stringify(body)).toMatch(new RegExp(`(?<![\\w.])${RegExp.escape(word)}(?![\\w.])`))
  })
})
