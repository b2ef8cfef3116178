import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { PROFILE_NAMES } from '../../src/model/profile-name.ts'
import { ROUTES } from '../../src/model/route.ts'
import { STRANGERS, type Strangers } from '../../src/model/texts.ts'
import { signalbox } from '../commands/support/signalbox.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { githubEnv } from '../support/github.ts'
import { openMcpStdio } from '../support/mcp.ts'

// Some doors are processes, which are slow on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })

interface Injected {
  readonly text: string
  /** The text without invisible characters. */
  readonly clean: string
}
const INJECTED = JSON.parse(
  readFileSync(new URL('../cases/injected.json', import.meta.url), 'utf8'),
) as readonly Injected[]

const KEYS = STRANGERS.map(strangers => ({
  name: strangers,
  secret: `the-secret-of-${strangers}`,
  strangers,
}))
const repo = { owner: 'octo-org', name: 'hello-world' }
const onOneLine = (text: string) => text.replaceAll('\n', ' ')

let gateway: TestGateway
let config: string
/** An issue on which a stranger, and then somebody who may write, made a comment with each of the texts. */
let issueNumber: number
let jobId: number

beforeAll(async () => {
  gateway = await startTestGateway({ settings: { keys: KEYS } })
  config = join(dirname(gateway.sandbox.socketPath ?? ''), 'keys.json')
  await writeFile(config, JSON.stringify({ keys: KEYS }))
  const { store } = gateway.sandbox
  const [repository, mallory, hubot] = [
    store.repositories.find('octo-org', 'hello-world'),
    store.accounts.findUser('mallory'),
    store.accounts.findUser('hubot'),
  ]
  if (!repository || !mallory || !hubot) throw new Error('the sandbox is another one')
  const issue = store.issues.add(repository, { title: 'Words', author: mallory })
  issueNumber = issue.number
  for (const author of [mallory, hubot]) {
    for (const { text } of INJECTED) store.comments.add(issue, { author, body: text })
  }
  for (const author of [mallory, hubot]) {
    for (const { text } of INJECTED) {
      store.issues.add(repository, { title: onOneLine(text), author })
    }
  }
  const runs = store.checks.suites(repository).flatMap(suite => suite.checkRuns)
  const job = runs.find(run => run.log !== null)
  if (!job) throw new Error('the sandbox has no log')
  job.log = INJECTED.map(({ text }) => onOneLine(text)).join('\n')
  jobId = job.databaseId
})
afterAll(() => gateway[Symbol.asyncDispose]())

interface Answer {
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of several capabilities
  readonly data: any
  readonly meta: {
    readonly untrusted?: readonly string[]
    readonly reason?: string
    readonly warnings: readonly { readonly code: string; readonly details: { count: number } }[]
  }
}
type Input = Readonly<Record<string, unknown>>
type Door = (key: Strangers, capability: string, input: Input) => Promise<Answer>

const headersOf = (key: Strangers) => ({ authorization: `Bearer the-secret-of-${key}` })

const DOORS: Readonly<Record<string, Door>> = {
  HTTP: async (key, id, input) =>
    (await gateway.call(id, input, { headers: headersOf(key) })).body as unknown as Answer,
  batch: async (key, capability, input) => {
    const response = await fetch(`${gateway.url}/v1/batch`, {
      method: 'POST',
      headers: { ...headersOf(key), 'content-type': 'application/json' },
      body: JSON.stringify({ calls: [{ capability, input }] }),
    })
    const { data } = (await response.json()) as { data: { results: { envelope: Answer }[] } }
    return data.results[0]?.envelope as Answer
  },
  'MCP over HTTP': async (key, id, input) =>
    await useTool(await overHttp(key, '?tools=all&profile=default'), id, input),
  'the tool batch of MCP': async (key, capability, input) => {
    const client = await overHttp(key, '?profile=default')
    const { data } = await useTool(client, 'batch', { calls: [{ capability, input }] })
    return data.results[0].envelope
  },
  'MCP over stdio': async (key, id, input) => {
    const args = ['--config', config, '--key', key, '--tools', 'all', '--profile', 'default']
    return await useTool(await openMcpStdio(gateway.sandbox.url, args), id, input)
  },
  'command line': async (key, id, input) => {
    const words = Object.entries(input).map(([name, value]) => `${name}=${String(value)}`)
    const { stdout } = await signalbox(['call', id, ...words, '--config', config, '--key', key], {
      ...githubEnv(gateway.sandbox.url),
      SIGNALBOX_JOURNAL: ':memory:',
    })
    return JSON.parse(stdout)
  },
}

async function overHttp(key: Strangers, query: string): Promise<Client> {
  const client = new Client({ name: 'tester', version: '1.2.3' })
  const address = new URL(`${gateway.url}/mcp${query}`)
  const requestInit = { headers: headersOf(key) }
  await client.connect(new StreamableHTTPClientTransport(address, { requestInit }))
  onTestFinished(() => client.close())
  return client
}

async function useTool(client: Client, name: string, input: Input): Promise<Answer> {
  const { content } = await client.callTool({ name, arguments: input })
  return JSON.parse((content as { text: string }[])[0]?.text ?? '')
}

const comments = () => ({ ...repo, issueNumber, first: 100 })

/** The texts that each key gets: those of the stranger, and then those of the writer. */
const EXPECTED = {
  show: [...INJECTED.map(({ text }) => text), ...INJECTED.map(({ text }) => text)],
  mark: [...INJECTED.map(({ clean }) => clean), ...INJECTED.map(({ clean }) => clean)],
  hide: [...INJECTED.map(() => ''), ...INJECTED.map(({ text }) => text)],
} as const satisfies Record<Strangers, readonly string[]>

/** `gh` itself writes the escape character as `^[` in JSON. */
const byGh = (text: string) => text.replaceAll('\u001b', '^[')
const asSent = (text: string) => text

/** The marks of an answer with the comments. */
function seenIn({ data, meta }: Answer) {
  const codes = meta.warnings.map(({ code }) => code)
  return {
    bodies: data.items.map(({ body }: { body: string }) => body),
    untrusted: meta.untrusted,
    hidden: meta.warnings.find(({ code }) => code === 'TEXT_HIDDEN')?.details.count,
    namesComments: codes.includes('HTML_COMMENT'),
  }
}

function expectedFor(key: Strangers, through = asSent): ReturnType<typeof seenIn> {
  return {
    bodies: EXPECTED[key].map(through),
    untrusted: key === 'mark' ? ['items[].body'] : undefined,
    hidden: key === 'hide' ? INJECTED.length : undefined,
    namesComments: key === 'mark',
  }
}

describe.each(Object.keys(DOORS))('by %s', door => {
  test.each(STRANGERS)('a key with strangers: %s gets comments as it says', async key => {
    const answer = await DOORS[door]!(key, 'issue.comments.list', comments())
    expect(seenIn(answer)).toEqual(expectedFor(key))
  })
})

describe.each(ROUTES)('on %s', route => {
  const call = async (key: Strangers, id: string, input: Input) => {
    const answer = await gateway.call(id, input, { query: { route }, headers: headersOf(key) })
    return answer.body as unknown as Answer
  }

  const through = route === 'cli' ? byGh : asSent

  test.each(STRANGERS)('a key with strangers: %s gets comments as it says', async key => {
    const answer = await call(key, 'issue.comments.list', comments())
    expect(seenIn(answer)).toEqual(expectedFor(key, through))
  })

  test.each(STRANGERS)('a key with strangers: %s gets names as it says', async key => {
    const { data } = await call(key, 'issue.list', { ...repo, first: 2 * INJECTED.length })
    const titles = data.items.map(({ title }: { title: string }) => title).toReversed()
    expect(titles).toEqual(EXPECTED[key].map(onOneLine).map(through))
  })

  test.runIf(route !== 'graphql').each(STRANGERS)(
    'a key with strangers: %s gets logs as it says',
    async key => {
      const { data, meta } = await call(key, 'workflow.job.logs.raw', { ...repo, jobId })
      const half = EXPECTED[key].slice(0, INJECTED.length).map(onOneLine)
      expect(data.log).toBe(key === 'hide' ? '' : half.join('\n'))
      expect(meta.untrusted).toEqual(key === 'mark' ? ['log'] : undefined)
    },
  )
})

describe.each(PROFILE_NAMES)('in %s', profile => {
  test.each(STRANGERS)('a key with strangers: %s gets comments as it says', async key => {
    const query = { profile, fields: 'items.body', token_budget: '10000' }
    const options = { query, headers: headersOf(key) }
    const { body, headers } = await gateway.call('issue.comments.list', comments(), options)
    const texts = JSON.stringify(body)
    const has = (text: string) => texts.includes(JSON.stringify(text))
    expect(EXPECTED[key].filter(text => text !== '' && !has(text))).toEqual([])
    const raw = INJECTED.filter(({ text, clean }) => text !== clean)
    if (key === 'mark') expect(raw.filter(({ text }) => has(text))).toEqual([])
    if (key === 'hide') expect(has(INJECTED[0]!.text)).toBe(true)
    const named = headers.get('signalbox-untrusted')
    expect(named).toBe(key === 'mark' ? '["items[].body"]' : null)
  })
})

test('fields and a budget that leave the texts out leave out their marks', async () => {
  const options = { query: { fields: 'items.author' }, headers: headersOf('mark') }
  const { body, headers } = await gateway.call('issue.comments.list', comments(), options)
  expect(body.meta.untrusted).toBeUndefined()
  expect(headers.get('signalbox-untrusted')).toBeNull()
})

test('over MCP a new number, which the data lacks, says where the words of strangers begin and end', async () => {
  const client = await overHttp('mark', '?tools=all')
  const marks = new Set<number>()
  for (let time = 0; time < 5; time++) {
    const { content } = await client.callTool({
      name: 'issue_comments_list',
      arguments: comments(),
    })
    const text = (content as { text: string }[])[0]?.text ?? ''
    const { others: mark, data, end } = JSON.parse(text)
    expect(end).toBe(mark)
    expect(JSON.stringify(data)).not.toContain(String(mark))
    expect(text.indexOf(String(mark))).toBeLessThan(text.indexOf('"data"'))
    marks.add(mark)
  }
  expect(marks.size).toBeGreaterThan(1)
})

test('answers without words of strangers are the same for every key', async () => {
  for (const key of STRANGERS) {
    const client = await overHttp(key, '?tools=all')
    const { content } = await client.callTool({ name: 'rate_limit_view', arguments: {} })
    const answer = JSON.parse((content as { text: string }[])[0]?.text ?? '')
    expect(Object.keys(answer)).toEqual(['ok', 'data'])
  }
})

test('a change sends what its caller wrote, and its answer repeats it', async () => {
  for (const key of STRANGERS) {
    for (const { text } of INJECTED.slice(0, 20)) {
      const input = { ...repo, issueNumber: 1, body: text }
      const { data, meta } = await DOORS.HTTP!(key, 'issue.comments.create', input)
      expect([data.body, meta.untrusted]).toEqual([text, undefined])
    }
  }
})

test('a call of a batch gets from another what its caller would see', async () => {
  const [tagged] = INJECTED.filter(({ text, clean }) => text !== clean)
  const at = INJECTED.indexOf(tagged!)
  const calls = [
    { id: 'read', capability: 'issue.comments.list', input: comments() },
    {
      capability: 'issue.comments.create',
      input: { ...repo, issueNumber: 1, body: { $from: 'read', path: `data.items[${at}].body` } },
    },
  ]
  for (const [key, sent] of [
    ['show', tagged?.text],
    ['mark', tagged?.clean],
    ['hide', undefined],
  ]) {
    const response = await fetch(`${gateway.url}/v1/batch`, {
      method: 'POST',
      headers: { ...headersOf(key as Strangers), 'content-type': 'application/json' },
      body: JSON.stringify({ calls }),
    })
    const { data } = (await response.json()) as { data: { results: { envelope: Answer }[] } }
    // A hidden text is empty, and no comment can be.
    expect(data.results[1]?.envelope.data?.body).toBe(sent)
  }
})

test('an answer from memory is treated for the caller that gets it', async () => {
  const query = { max_age_ms: '60000' }
  for (const key of ['show', 'hide', 'mark', 'show'] as const) {
    const options = { query, headers: headersOf(key) }
    const { body } = await gateway.call('issue.comments.list', comments(), options)
    expect(seenIn(body as unknown as Answer)).toEqual(expectedFor(key))
  }
  const options = { query, headers: headersOf('hide') }
  const { body } = await gateway.call('issue.comments.list', comments(), options)
  expect(body.meta.reason).toBe('CACHE_HIT')
})

test('if nobody can say who may write, every text is hidden', async () => {
  const on = { method: 'GET', path: '/collaborators$' }
  gateway.sandbox.faults.set([{ on, do: { status: 403, body: { message: 'No.' } }, times: 9 }])
  onTestFinished(() => gateway.sandbox.faults.clear())
  const token = { 'x-upstream-authorization': 'Bearer sandbox-token' }
  const options = { headers: { ...headersOf('hide'), ...token } }
  const { body } = await gateway.call('issue.comments.list', comments(), options)
  expect(new Set(body.data.items.map((item: { body: string }) => item.body))).toEqual(new Set(['']))
})
