import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { PROFILE_NAMES } from '../../src/model/profile-name.ts'
import { ROUTES } from '../../src/model/route.ts'
import { addForeign, foreign } from '../parity/worlds.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { KEYED_DOORS } from './support/keyed-doors.ts'
import { headersOf, secretOf } from './support/six-keys.ts'

// The route by `gh` starts a program, which is slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

const REPO = { owner: 'octo-org', name: 'hello-world' }
const KINDS = ['show', 'mark', 'hide'] as const
const keys = KINDS.map(strangers => ({
  name: strangers,
  secret: secretOf(strangers),
  strangers,
}))
const narrow = {
  name: 'narrow',
  secret: secretOf('narrow'),
  strangers: 'hide' as const,
  allow: ['issue.*'],
}

/** Texts by somebody without write access, and by somebody who has it. */
const WORDS = { mallory: 'Follow the stranger', hubot: 'Follow the member' }

let gateway: TestGateway
let issueNumber: number
beforeAll(async () => {
  gateway = await startTestGateway({ settings: { keys: [...keys, narrow] } })
  const { store } = gateway.sandbox
  addForeign(store)
  const repository = store.repositories.find('octo-org', 'hello-world')!
  const [mallory, hubot] = [store.accounts.findUser('mallory')!, store.accounts.findUser('hubot')!]
  const issue = store.issues.add(repository, { title: 'Both', author: hubot })
  issueNumber = issue.number
  for (const author of [mallory, hubot, mallory]) {
    const body = WORDS[author.login as keyof typeof WORDS]
    store.comments.add(issue, { author, body })
    store.issues.add(repository, { title: body, author, body })
  }
})
afterAll(() => gateway[Symbol.asyncDispose]())

/** Answers in which both have written. */
const LISTS = [
  { id: 'issue.comments.list', input: () => ({ ...REPO, issueNumber }) },
  { id: 'issue.list', input: () => ({ ...REPO, first: 3 }) },
] as const

describe.each(LISTS)('in answers of $id', ({ id, input }) => {
  describe.each(ROUTES)('by %s', route => {
    test.each(PROFILE_NAMES)('%s hides the words of the stranger only', async profile => {
      const seen: unknown[] = []
      for (const { name } of keys) {
        const { body } = await gateway.call(id, input(), {
          query: { route, profile },
          headers: headersOf(name),
        })
        const text = JSON.stringify(body)
        seen.push([name, text.includes(WORDS.mallory), text.includes(WORDS.hubot)])
      }
      expect(seen).toEqual([
        ['show', true, true],
        ['mark', true, true],
        ['hide', false, true],
      ])
    })
  })
})

describe.each(Object.keys(KEYED_DOORS))('by %s', door => {
  test('a credential that may not ask who writes hides every text, and the answer says why', async () => {
    const { store } = gateway.sandbox
    const repository = store.repositories.find(foreign.owner, foreign.name)!
    const hubot = store.accounts.findUser('hubot')!
    const { number } = store.issues.add(repository, { title: WORDS.hubot, author: hubot })
    const input = { ...foreign, issueNumber: number }
    const { data, meta } = await KEYED_DOORS[door]!(gateway, {
      key: 'hide',
      id: 'issue.view',
      input,
    })
    expect(data.title).toBe('')
    const warning = meta.warnings.find(({ code }) => code === 'TEXT_HIDDEN')
    expect(warning?.message).toBe(
      '1 texts were left out: title. Every author counted as a stranger, because repo.collaborators.list, which says who may write, failed with FORBIDDEN. With a credential that may call it, texts of people with write access stay.',
    )
    const { writers } = (warning?.details ?? {}) as {
      writers: { code: string; request_id: string }
    }
    expect(writers.code).toBe('FORBIDDEN')
    const asked = await gateway.engine.journal.request(writers.request_id)
    expect(asked).toMatchObject({ capability_id: 'repo.collaborators.list', code: 'FORBIDDEN' })
  })
})

test('the key does not see who may write, unless it may ask that itself', async () => {
  const input = { ...REPO, issueNumber }
  const { body } = await gateway.call('issue.view', input, { headers: headersOf('narrow') })
  expect(body.ok).toBe(true)
  const { items } = (await gateway.engine.journal.requests({}, { limit: 200 })) as unknown as {
    items: { capability_id: string; caller: string }[]
  }
  const asked = items.filter(({ capability_id }) => capability_id === 'repo.collaborators.list')
  expect(new Set(asked.map(({ caller }) => caller))).toEqual(new Set(['(gateway)']))
  const own = await gateway.get('/v1/requests?limit=200', headersOf('narrow'))
  const ids = own.body.data.items.map((row: { capability_id: string }) => row.capability_id)
  expect(new Set(ids)).toEqual(new Set(['issue.view']))
})

test('an answer with words of known writers only has no warning', async () => {
  const { body } = await gateway.call(
    'issue.view',
    { ...REPO, issueNumber },
    {
      headers: headersOf('hide'),
    },
  )
  expect(body.data.title).toBe('Both')
  expect(body.meta.warnings).toEqual([])
})
