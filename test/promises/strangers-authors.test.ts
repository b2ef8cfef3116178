import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { PROFILE_NAMES } from '../../src/model/profile-name.ts'
import { ROUTES } from '../../src/model/route.ts'
import { addForeign, foreign } from '../parity/worlds.ts'
import { sendBatch } from '../support/batch.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { KEYED_DOORS, textsOf } from './support/keyed-doors.ts'
import { headersOf, secretOf } from './support/six-keys.ts'

// The route by `gh` starts a program, which is slow on a busy machine.
vi.setConfig({ testTimeout: 180_000 })

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
/** All of it is by the stranger. */
let strangersIssue: number
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
    const own = store.issues.add(repository, { title: body, author, body })
    if (author === mallory) strangersIssue = own.number
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

describe.each(PROFILE_NAMES)('an answer in %s', profile => {
  const input = () => ({ ...REPO, issueNumber: strangersIssue })
  const hides = (text: string) => /TEXT_HIDDEN|left out/.test(text)

  test('over HTTP names the places of hidden texts in a header', async () => {
    const { headers } = await gateway.call('issue.view', input(), {
      query: { profile },
      headers: headersOf('hide'),
    })
    expect(headers.get('signalbox-hidden')).toBe('["title","body"]')
  })

  test.each(['?tools=all&profile=', '?profile='])(
    'over MCP%s says that texts are hidden',
    async query => {
      const use = query.startsWith('?tools')
        ? { name: 'issue_view', arguments: input() }
        : { name: 'call', arguments: { capability: 'issue.view', input: input() } }
      const texts = await textsOf(gateway, 'hide', `${query}${profile}`, use)
      expect(texts.some(hides)).toBe(true)
    },
  )

  test('in a batch says it in the result', async () => {
    const { results } = await sendBatch(
      gateway,
      { calls: [{ capability: 'issue.view', input: input(), profile }] },
      { headers: headersOf('hide'), query: { profile } },
    )
    expect(hides(JSON.stringify(results[0])) || 'hidden' in (results[0] ?? {})).toBe(true)
  })
})

test('dotbot names its summary among the texts of others if it repeats one', async () => {
  const input = { ...REPO, issueNumber: strangersIssue }
  const query = { profile: 'dotbot' }
  const as = async (key: string) =>
    (await gateway.call('issue.view', input, { query, headers: headersOf(key) }))
      .body as unknown as {
      summary: string
      audit: { untrusted?: string[] }
    }
  const marked = await as('mark')
  expect(marked.summary).toContain(WORDS.mallory)
  expect(marked.audit.untrusted).toContain('summary')
  expect((await as('hide')).summary).not.toContain(WORDS.mallory)
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
