import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { PROFILE_NAMES, type ProfileName } from '../../src/model/profile-name.ts'
import { runHere } from '../commands/support/run-here.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { githubEnv } from '../support/github.ts'

vi.setConfig({ testTimeout: 60_000 })

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway[Symbol.asyncDispose]())

const repo = { owner: 'octo-org', name: 'hello-world' }

/** A call whose answer needs a note, and the text of that note. */
interface Noted {
  readonly capability: string
  readonly input: object
  readonly options: Readonly<Record<string, number>>
  /** Matches the whole output. */
  readonly says: RegExp
}

let tags = 0
const NOTES = {
  'a text that a token budget has shortened': async () => {
    const input = { ...repo, title: 'Long', body: 'word '.repeat(2000) }
    const { body } = await gateway.call('issue.create', input)
    return {
      capability: 'issue.view',
      input: { ...repo, issueNumber: body.data.number },
      options: { token_budget: 900 },
      says: /characters|"truncated":\s*true/,
    }
  },
  'a step that was not done': async () => {
    const on = { route: 'rest', method: 'POST', path: 'assets' } as const
    gateway.sandbox.faults.set([{ on, do: { status: 500 }, times: 9 }])
    const assets = [{ name: 'notes.txt', content: 'YWJj' }]
    return {
      capability: 'release.create',
      input: { ...repo, tagName: `v9.${tags++}`, assets },
      options: {},
      says: /to upload a file \(notes\.txt\)/,
    }
  },
} satisfies Record<string, () => Promise<Noted>>

/** The body that a door sends, and what stands beside it. */
interface Sent {
  readonly body: unknown
  readonly beside: unknown
}
type Door = (noted: Noted, profile: ProfileName) => Promise<Sent>

interface Result {
  readonly envelope: unknown
  readonly dropped?: unknown
  readonly warnings?: unknown
}

function ofResult({ envelope, dropped, warnings }: Result): Sent {
  return { body: envelope, beside: [dropped, warnings].filter(Boolean) }
}

async function ofTool(query: string, name: string, args: object): Promise<Sent> {
  const params = { name, arguments: args }
  const response = await fetch(`${gateway.url}/mcp${query}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  })
  const { result } = (await response.json()) as { result: { content: { text: string }[] } }
  const [body = 'null', ...others] = result.content.map(({ text }) => text)
  const beside = others.filter(text => !text.startsWith('Text by others'))
  return { body: JSON.parse(body), beside }
}

const DOORS = {
  HTTP: async ({ capability, input, options }, profile) => {
    const query = { ...options, profile } as Record<string, string>
    const { body, headers } = await gateway.call(capability, input, { query })
    const lists = ['dropped', 'warnings'].map(name => headers.get(`signalbox-${name}`))
    return { body, beside: lists.filter(Boolean) }
  },
  batch: async ({ capability, input, options }, profile) => {
    const response = await fetch(`${gateway.url}/v1/batch`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ calls: [{ capability, input, ...options, profile }] }),
    })
    const { data } = (await response.json()) as { data: { results: [Result] } }
    return ofResult(data.results[0])
  },
  'a tool of MCP': ({ capability, input, options }, profile) =>
    ofTool(`?tools=all&profile=${profile}`, capability, { ...input, ...options }),
  'the tool call of MCP': ({ capability, input, options }, profile) =>
    ofTool(`?profile=${profile}`, 'call', { capability, input, ...options }),
  'the tool batch of MCP': async ({ capability, input, options }, profile) => {
    const calls = [{ capability, input, ...options }]
    const { body } = await ofTool(`?profile=${profile}`, 'batch', { calls })
    return ofResult((body as { data: { results: [Result] } }).data.results[0])
  },
  'command line': async ({ capability, input, options }, profile) => {
    const wanted = Object.entries({ ...options, profile }).flatMap(([name, value]) => [
      `--${name.replaceAll('_', '-')}`,
      String(value),
    ])
    const words = Object.entries(input).map(([name, value]) => `${name}=${wordOf(value)}`)
    const env = { ...githubEnv(gateway.sandbox.url), SIGNALBOX_JOURNAL: ':memory:' }
    const { stdout, stderr } = await runHere(['call', capability, ...words, ...wanted], env)
    const lines = stderr.split('\n').filter(line => !/^(?:Text by others|warning:|$)/.test(line))
    return { body: JSON.parse(stdout), beside: lines }
  },
} satisfies Record<string, Door>

function wordOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Dialects whose documents have no place for a note. */
const WITHOUT_PLACE: Readonly<Record<keyof typeof NOTES, readonly ProfileName[]>> = {
  'a text that a token budget has shortened': ['ghx', 'problem'],
  'a step that was not done': ['ghx', 'compact', 'codegraph', 'problem'],
}

beforeEach(() => gateway.sandbox.faults.set([]))

const cells = Object.keys(NOTES).flatMap(note =>
  Object.keys(DOORS).flatMap(door => PROFILE_NAMES.map(profile => ({ note, door, profile }))),
) as { note: keyof typeof NOTES; door: keyof typeof DOORS; profile: ProfileName }[]

test.each(cells)('$door says $note, in $profile or beside it', async ({ note, door, profile }) => {
  const noted = await NOTES[note]()
  const { body, beside } = await DOORS[door](noted, profile)
  const isBeside = WITHOUT_PLACE[note].includes(profile)
  // Headers have every note, because proxies do not read bodies.
  if (isBeside || door === 'HTTP') expect(JSON.stringify(beside)).toMatch(noted.says)
  else expect(beside).toEqual([])
  if (!isBeside) expect(JSON.stringify(body)).toMatch(noted.says)
})

test('the header with warnings stays small, however many and long they are', async () => {
  const on = { route: 'rest', method: 'POST', path: 'assets' } as const
  const body = { message: '\u6f22'.repeat(1000) }
  gateway.sandbox.faults.set([{ on, do: { status: 422, body }, times: 20 }])
  const assets = Array.from({ length: 9 }, (_, n) => ({ name: `${n}.txt`, content: 'YWJj' }))
  const input = { ...repo, tagName: `v9.${tags++}`, assets }
  const { headers, body: answer } = await gateway.call('release.create', input)
  const told = headers.get('signalbox-warnings') ?? ''
  expect(told.length).toBeLessThanOrEqual(2_000)
  expect(JSON.parse(told)[0]).toMatchObject({ code: 'STEP_NOT_DONE' })
  expect(answer.meta.warnings.length).toBeGreaterThan(JSON.parse(told).length)
})
