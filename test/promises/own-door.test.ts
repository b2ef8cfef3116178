import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { doorOf, connect as offer, toolName } from '../../routes/support/mcp-tools.ts'
import { createHints } from '../../src/hints/registry.ts'
import { COMMAND_DOOR, type Door, HTTP_DOOR } from '../../src/model/door.ts'
import { PROFILE_NAMES } from '../../src/model/profile-name.ts'
import { parseToolSelection } from '../../src/model/tool-selection.ts'
import { signalbox } from '../commands/support/signalbox.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { readFailure } from '../support/read-failure.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway({ env: { PATH: '' }, settings: { retries: 0 } })
})
afterAll(() => gateway[Symbol.asyncDispose]())

const comment = { owner: 'octo-org', name: 'hello-world', issueNumber: 1, body: 'Lost.' }

async function connect(query: string): Promise<Client> {
  const client = new Client({ name: 'tester', version: '1.2.3' })
  const transport = new StreamableHTTPClientTransport(new URL(`${gateway.url}/mcp${query}`))
  await client.connect(transport)
  onTestFinished(() => client.close())
  return client
}

async function answerTo(client: Client, name: string, input: unknown) {
  const result = await client.callTool({ name, arguments: input as Record<string, unknown> })
  return JSON.parse((result.content as { text: string }[])[0]?.text ?? '')
}

/** Fails everything after the comment was made, so that the gateway cannot find out by itself. */
function loseComment(): void {
  gateway.sandbox.reset()
  const on = { method: 'POST', route: 'rest' } as const
  const next = [{ do: { status: 502 }, times: 1000 }]
  gateway.sandbox.faults.set([{ on, do: { reset: 'after' }, next }])
}

async function recover(): Promise<void> {
  gateway.sandbox.faults.clear()
  await fetch(`${gateway.url}/v1/upstreams/github/reset`, { method: 'POST' })
}

describe('over MCP, an error names a tool that the client has', () => {
  test.each(PROFILE_NAMES)('in %s', async profile => {
    const client = await connect(`?tools=all&profile=${profile}`)
    loseComment()
    const answer = await answerTo(client, 'issue_comments_create', comment)
    await recover()
    const next = readFailure(profile, answer)?.next
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toContain(next?.tool)
    const plain = await connect('?tools=all&profile=default')
    const found = await answerTo(plain, next?.tool ?? '', next?.input)
    expect(JSON.stringify(found.data)).toContain('Lost.')
  })

  test('and no call that the address leaves out', async () => {
    const client = await connect('?tools=issue.comments.create&profile=default')
    loseComment()
    const { error } = await answerTo(client, 'issue_comments_create', comment)
    await recover()
    expect(error).toMatchObject({ write_outcome: 'unknown', next: { action: 'ask_human' } })
    expect(error.next).not.toHaveProperty('capability')
  })
})

describe('over MCP, a success suggests tools that the client has', () => {
  test.each([
    ['?tools=all&profile=default', ['issue_comments_list']],
    ['?tools=issue.view&profile=default', undefined],
  ])('with the address %j', async (query, expected) => {
    const client = await connect(query)
    const { meta } = await answerTo(client, 'issue_view', { ...comment, body: undefined })
    expect(meta.next?.map(({ tool }: { tool: string }) => tool)).toEqual(expected)
  })

  test.each([
    ['codegraph', 'issue_comments_list'],
    ['dotbot', 'issue_comments_list'],
  ])('in %s', async (profile, tool) => {
    const client = await connect(`?tools=all&profile=${profile}`)
    const answer = await answerTo(client, 'issue_view', { ...comment, body: undefined })
    expect(JSON.stringify(answer)).toContain(`"tool":"${tool}"`)
  })
})

const mcpDoor = (words: readonly string[]) =>
  doorOf(gateway.engine.catalog, offer(LOCAL, parseToolSelection(words)))

const LOCAL = { name: 'local', operator: true }

/** The names at a door that a caller can follow. */
const FOLLOWS: Readonly<Record<Door['kind'], (name: string) => boolean>> = {
  http: name => /^(GET|POST) \/v1\//.test(name) || gateway.engine.catalog.get(name) !== undefined,
  mcp: name =>
    name === 'tools/list' || gateway.engine.catalog.all().some(({ id }) => toolName(id) === name),
  mcp_search: name => name === 'describe' || name === 'call',
  command: name => /^signalbox (capabilities|explain|call) /.test(name),
}

describe('a hint names what its reader can call', () => {
  const own = new Map([
    ['hint_own_001', { action: 'Look.', tool: 'repo.view' }],
    ['hint_own_002', { action: 'Look.', tool: 'POST /v1/upstreams/{id}/reset' }],
  ])
  const doors = (): readonly Door[] => [
    HTTP_DOOR,
    mcpDoor(['all']),
    mcpDoor(['issue.*']),
    mcpDoor(['search']),
    COMMAND_DOOR,
  ]
  test.each([0, 1, 2, 3, 4])('at door %i', index => {
    const door = doors()[index] as Door
    const { hints } = createHints(own).find(null, 'en', door)
    const tools = Object.values(hints).flatMap(({ tool }) => tool ?? [])
    expect(tools.filter(tool => !FOLLOWS[door.kind](tool))).toEqual([])
    expect(tools.length).toBeGreaterThan(0)
  })

  test('by get_hints, and by the command', async () => {
    const client = await connect('?tools=all')
    const ids = ['hint_validation_001', 'hint_unknown_001']
    const { data } = await answerTo(client, 'get_hints', { hintIds: ids })
    const { hints } = data
    expect(hints.hint_validation_001.tool).toBe('tools/list')
    expect(hints.hint_unknown_001).not.toHaveProperty('tool')
    const { stdout } = await signalbox(['hints', ...ids])
    const printed = JSON.parse(stdout).hints
    expect(printed.hint_validation_001.tool).toBe('signalbox capabilities {id}')
    expect(printed.hint_unknown_001).not.toHaveProperty('tool')
    const shown = await signalbox(['capabilities', 'repo.view'])
    expect(JSON.parse(shown.stdout)).toMatchObject({ id: 'repo.view', input: { type: 'object' } })
  })
})
