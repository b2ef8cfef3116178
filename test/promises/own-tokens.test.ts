import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { SettingsFile } from '../../src/gateway/config.ts'
import { parseSource } from '../../src/lib/yaml-source.ts'
import type { Route } from '../../src/model/route.ts'
import { SIGNALBOX, signalbox, temporaryDirectory } from '../commands/support/signalbox.ts'
import { blocks, readPage } from '../docs/pages.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { githubEnv } from '../support/github.ts'
import { APP_ID, installApp, keyPair } from '../support/github-app.ts'
import { gh } from '../support/parts.ts'

// The tests start whole processes, which is slow on a busy machine.
vi.setConfig({ testTimeout: 180_000 })

const routes: readonly Route[] = gh.available ? ['rest', 'graphql', 'cli'] : ['rest', 'graphql']
const hello = { owner: 'octo-org', name: 'hello-world' }
const secretOf = (name: string) => `gateway-key-of-${name}`

/** The settings of a recipe, with keys that have secrets, and the file of the private key. */
function recipe(section: string, keyFile: string): SettingsFile {
  const [text = ''] = blocks(readPage('docs/trust.md'), 'yaml', section)
  const source = parseSource('trust.md', text.replaceAll('/run/secrets/app.pem', keyFile))
  if (!('value' in source)) throw new Error(source.message)
  const settings = source.value as SettingsFile
  const keys = (settings.keys ?? []).map(key => ({
    ...key,
    secret_sha256: undefined,
    secret: secretOf(key.name),
  }))
  return JSON.parse(
    JSON.stringify({ ...settings, keys }).replaceAll('12345', `${APP_ID}`),
  ) as SettingsFile
}

interface Call {
  readonly key: string
  readonly route: Route
  readonly title: string
  /** The token that the caller sends. */
  readonly token?: string
}

const headersOf = ({ key, token }: Call) => ({
  authorization: `Bearer ${secretOf(key)}`,
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  ...(token === undefined ? {} : { 'x-upstream-authorization': `Bearer ${token}` }),
})

async function post(path: string, call: Call, body: unknown): Promise<string> {
  const answer = await fetch(`${started.gateway.url}${path}`, {
    method: 'POST',
    headers: headersOf(call),
    body: JSON.stringify(body),
  })
  return await answer.text()
}

const inputOf = ({ title }: Call) => ({ ...hello, title })
const CAPABILITY = 'issue.create'

async function byMcp(call: Call) {
  const args = { capability: CAPABILITY, input: inputOf(call), route: call.route }
  const params = { name: 'call', arguments: args }
  const answer = await post('/mcp?profile=default', call, {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params,
  })
  const [, json = '{}'] = /^(?:data: )?(\{.*\})$/m.exec(answer) ?? []
  return JSON.parse(JSON.parse(json).result.content[0].text)
}

async function byStdio({ key, route, ...call }: Call) {
  const client = new Client({ name: 'tester', version: '1.0.0' })
  const args = [SIGNALBOX, 'mcp', '--key', key, '--profile', 'default']
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args, env: started.env }),
  )
  onTestFinished(() => client.close())
  const input = inputOf({ key, route, ...call })
  const { content } = await client.callTool({
    name: 'call',
    arguments: { capability: CAPABILITY, input, route },
  })
  return JSON.parse(content[0]?.type === 'text' ? content[0].text : '')
}

/** The doors by which a caller may send a token of its own, and those where the gateway's key is named. */
const HTTP = {
  HTTP: async (call: Call) =>
    JSON.parse(
      await post(`/v1/capabilities/${CAPABILITY}?route=${call.route}`, call, inputOf(call)),
    ),
  batch: async (call: Call) => {
    const calls = [{ capability: CAPABILITY, input: inputOf(call), route: call.route }]
    return JSON.parse(await post('/v1/batch', call, { calls })).data.results[0].envelope
  },
  'MCP over HTTP': byMcp,
}
const ALL = {
  ...HTTP,
  'MCP over stdio': byStdio,
  'command line': async ({ key, route, title }: Call) => {
    const words = Object.entries({ ...hello, title }).map(([name, value]) => `${name}=${value}`)
    const { stdout } = await signalbox(
      ['call', CAPABILITY, ...words, '--route', route, '--key', key],
      started.env,
    )
    return JSON.parse(stdout)
  },
}

interface Started {
  readonly gateway: TestGateway
  readonly env: Record<string, string>
  readonly said: string[]
}
let started: Started

async function start(section: string): Promise<Started> {
  const directory = await temporaryDirectory()
  const keyFile = join(directory.path, 'app.pem')
  await writeFile(keyFile, keyPair().privateKey)
  const settings = recipe(section, keyFile)
  const file = join(directory.path, 'signalbox.yaml')
  await writeFile(file, JSON.stringify(settings))
  const said: string[] = []
  const gateway = await startTestGateway({
    settings: { ...settings, journal_payloads: 'redacted' },
    env: { GITHUB_TOKEN: undefined },
    onLog: line => said.push(JSON.stringify(line)),
  })
  installApp(gateway.sandbox)
  const env = {
    PATH: process.env.PATH ?? '',
    ...githubEnv(gateway.sandbox.url),
    GITHUB_TOKEN: '',
    GH_CONFIG_DIR: dirname(gateway.sandbox.socketPath ?? ''),
    SIGNALBOX_CONFIG: file,
    SIGNALBOX_JOURNAL: join(directory.path, 'journal.sqlite'),
  }
  return { gateway, env, said }
}

/** The author of the issue with a title; null when nobody has made it. */
function authorOf(title: string): string | null {
  const { items } = started.gateway.sandbox.store.repositories.find('octo-org', 'hello-world') ?? {}
  return [...(items?.values() ?? [])].find(item => item.title === title)?.author.login ?? null
}

/** Everything that the gateway keeps and shows. */
async function everything(key: string): Promise<string> {
  const headers = { authorization: `Bearer ${secretOf(key)}` }
  const read = async (path: string) =>
    await (await fetch(`${started.gateway.url}${path}`, { headers })).text()
  const list = await read('/v1/requests?limit=100')
  const { data } = JSON.parse(list) as { data: { items: { request_id: string }[] } }
  const whole = await Promise.all(
    data.items.map(({ request_id: id }) => read(`/v1/requests/${id}`)),
  )
  return [
    list,
    ...whole,
    await read('/v1/upstreams'),
    await read('/v1/stats'),
    ...started.said,
  ].join('\n')
}

describe('a team with a GitHub App', () => {
  beforeAll(async () => {
    started = await start('A team with a GitHub App')
  })
  afterAll(() => started.gateway[Symbol.asyncDispose]())

  const cells = Object.keys(ALL).flatMap(door =>
    routes.map(route => [door as keyof typeof ALL, route] as const),
  )
  test.each(cells)('the reviewer writes and the reader does not: %s by %s', async (door, route) => {
    const title = `By ${door} and ${route}`
    expect(await ALL[door]({ key: 'reviewer', route, title })).toMatchObject({
      ok: true,
      meta: { route_used: route },
    })
    expect(authorOf(title)).toBe('reviewer-app[bot]')
    const label = await fetch(`${started.gateway.url}/v1/capabilities/label.create?route=rest`, {
      method: 'POST',
      headers: headersOf({ key: 'reader', route, title }),
      body: JSON.stringify({ ...hello, label: 'x', color: 'd73a4a' }),
    })
    expect(label.ok).toBe(false)
  })

  test('ops sees which credentials work, and nobody sees a key, a JWT or a token', async () => {
    const all = await everything('ops')
    const { credentials } = JSON.parse(
      await (
        await fetch(`${started.gateway.url}/v1/upstreams`, {
          headers: { authorization: `Bearer ${secretOf('ops')}` },
        })
      ).text(),
    ).data.items[0]
    expect(credentials).toContainEqual(
      expect.objectContaining({ credential: 'github:reviewer-app@octo-org', status: 'works' }),
    )
    const secrets = started.gateway.engine
      .upstreams()
      .flatMap(({ upstream }) => upstream.credentials.secrets())
    expect(secrets.some(secret => secret.startsWith('ghs_'))).toBe(true)
    expect(secrets.some(secret => secret.split('.').length === 3)).toBe(true)
    const lines = keyPair()
      .privateKey.split('\n')
      .filter(line => line.length > 40)
    expect([...secrets, ...lines].filter(secret => all.includes(secret))).toEqual([])
  })
})

describe('users with their own tokens', () => {
  const TOKENS = {
    ann: 'github_pat_canary_of_ann_0123456789',
    bob: 'github_pat_canary_of_bob_0123456789',
  }
  beforeAll(async () => {
    started = await start('Users with their own tokens')
    const { accounts, tokens } = started.gateway.sandbox.store
    for (const [key, login] of [
      ['ann', 'octocat'],
      ['bob', 'hubot'],
    ] as const) {
      const user = accounts.findUser(login)
      if (user) tokens.add({ token: TOKENS[key], user })
    }
  })
  afterAll(() => started.gateway[Symbol.asyncDispose]())

  const cells = Object.keys(HTTP).flatMap(door =>
    routes.map(route => [door as keyof typeof HTTP, route] as const),
  )
  test.each(cells)(
    'GitHub sees each person, and nothing without a token: %s by %s',
    async (door, route) => {
      const title = (name: string) => `${name} by ${door} and ${route}`
      for (const [key, login] of [
        ['ann', 'octocat'],
        ['bob', 'hubot'],
      ] as const) {
        const call = { key, route, title: title(key), token: TOKENS[key] }
        expect(await HTTP[door](call)).toMatchObject({ ok: true, meta: { route_used: route } })
        expect(authorOf(title(key))).toBe(login)
      }
      expect(await HTTP[door]({ key: 'ann', route, title: title('nobody') })).toMatchObject({
        ok: false,
        error: { code: 'AUTH' },
      })
      const forbidden = await HTTP[door]({
        key: 'ci',
        route,
        title: title('ci'),
        token: TOKENS.ann,
      })
      expect(forbidden).toMatchObject({ ok: false, error: { code: 'FORBIDDEN' } })
      expect([authorOf(title('nobody')), authorOf(title('ci'))]).toEqual([null, null])
    },
  )

  test('no token stands in what the gateway keeps or shows', async () => {
    const all = `${await everything('ann')}\n${await everything('bob')}`
    expect(all).toContain(CAPABILITY)
    expect(Object.values(TOKENS).filter(token => all.includes(token))).toEqual([])
  })
})
