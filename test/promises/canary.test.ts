import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { startCollector } from '../observe/tracing/collector.ts'
import { startWithApp } from '../support/app-gateway.ts'
import type { TestGateway } from '../support/gateway.ts'
import { keyPair } from '../support/github-app.ts'
import { gh, postgres } from '../support/parts.ts'
import { startPostgres, type TestPostgres } from '../support/postgres.ts'
import { startService } from '../support/service.ts'
import { AUDIENCE, startTokenIssuer, type TokenIssuer } from '../support/token-issuer.ts'
import { KEYED_DOORS } from './support/keyed-doors.ts'
import { headersOf, secretOf } from './support/six-keys.ts'

// One test makes many calls, some of them by programs.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })

const REPO = { owner: 'octo-org', name: 'hello-world' }
const WEBHOOK = randomBytes(32).toString('base64')
const OWN = 'ghp_0wnT0kenOfACaller0123456789abcd'
const NAMES = ['agent', 'boss']
/** A line in the middle of the PEM. */
const PRIVATE = keyPair().privateKey.split('\n')[5] ?? ''

/** The secrets, which must stand nowhere: texts, and the forms of those that are made meanwhile. */
const SECRETS: Readonly<Record<string, RegExp>> = {
  'the private key of the app': literally(PRIVATE),
  'a JWT of the app, or the token of a caller': /eyJ[\w-]{8,}\.eyJ[\w-]{8,}\./,
  'a token of an installation': /ghs_[A-Za-z0-9]{20,}/,
  "a caller's token for GitHub": literally(OWN),
  'the secret of the webhook': literally(WEBHOOK),
  'a gateway key': new RegExp(NAMES.map(secretOf).join('|')),
  'a new gateway key': /sbx_[\w-]{20,}/,
}

function literally(text: string): RegExp {
  return new RegExp(text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
}

let databases: TestPostgres | null = null
let issuer: TokenIssuer
beforeAll(async () => {
  databases = postgres.available ? await startPostgres() : null
  issuer = await startTokenIssuer()
})
afterAll(async () => {
  await databases?.remove()
  await issuer.close()
})

/** Everything that could carry a secret away, as text. */
type Carriers = Record<string, string[]>

async function start(journal: string | null) {
  const collector = await startCollector()
  const receiver = await startService((_request, response) => void response.writeHead(204).end())
  // The exporter of spans reads the variables of its process.
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', collector.url)
  onTestFinished(async () => {
    vi.unstubAllEnvs()
    await collector[Symbol.asyncDispose]()
  })
  const log: string[] = []
  const made = await startWithApp({
    on: ['octo-org', 'octocat'],
    settings: {
      keys: [
        { name: 'agent', secret: secretOf('agent'), approve: ['issue.create'] },
        { name: 'boss', secret: secretOf('boss'), operator: true },
      ],
      oidc: [
        {
          issuer: issuer.issuer,
          audience: AUDIENCE,
          claims: { role: 'role' },
          roles: [{ name: 'staff' }],
        },
      ],
      approval_webhook: receiver.url,
      approval_webhook_secret: WEBHOOK,
      journal_payloads: 'redacted',
    },
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      ...(journal === null ? {} : { SIGNALBOX_JOURNAL: journal }),
    },
    onLog: line => log.push(JSON.stringify(line)),
  })
  return { ...made, collector, receiver, log }
}

const ROUTES = gh.available ? ['rest', 'graphql', 'cli'] : ['rest', 'graphql']

/** Calls that end well and calls that fail, at each door and on each route. */
async function useEverything({ gateway, app }: Awaited<ReturnType<typeof start>>) {
  const said: string[] = []
  const say = (body: unknown) => void said.push(JSON.stringify(body))
  const read = async (headers: Record<string, string>, query: Record<string, string> = {}) =>
    say((await gateway.call('repo.view', REPO, { headers, query })).body)
  for (const route of ROUTES) await read(headersOf('agent'), { route })
  for (const door of Object.values(KEYED_DOORS)) {
    say(await door(gateway, { key: 'agent', id: 'repo.view', input: REPO }))
    say(await door(gateway, { key: 'agent', id: 'repo.view', input: { ...REPO, name: 'none' } }))
    say(await door(gateway, { key: 'agent', id: 'issue.create', input: quoting() }))
  }
  await read({ authorization: `Bearer ${await issuer.sign({ role: 'staff' })}` })
  await read({ authorization: `Bearer ${await issuer.sign({ aud: 'elsewhere' })}` })
  await read({ authorization: `Bearer ${secretOf('agent')}x` })
  await read({ ...headersOf('agent'), 'x-upstream-authorization': `Bearer ${OWN}` })
  await decide(gateway)
  say((await gateway.call('issue.create', quoting(), { headers: headersOf('agent') })).body)
  await fail(gateway, read)
  app.publicKeys = []
  gateway.sandbox.store.apps.tokenLifeMs = 1
  await gateway.engine.reload()
  for (const route of ROUTES) await read(headersOf('agent'), { route })
  return said
}

/** An agent that quotes what it knows. */
function quoting() {
  const body = `My key is ${secretOf('agent')}, and I found sbx_${'k'.repeat(43)} and ${OWN}.`
  return { ...REPO, title: 'Look', body }
}

async function decide({ url }: TestGateway) {
  const headers = headersOf('boss')
  const list = await fetch(`${url}/v1/approvals?status=waiting`, { headers })
  const { data } = (await list.json()) as { data: { items: { approval_id: string }[] } }
  for (const { approval_id } of data.items) {
    const body = JSON.stringify({ decision: 'approve', note: `Said ${secretOf('boss')}.` })
    await fetch(`${url}/v1/approvals/${approval_id}`, { method: 'POST', headers, body })
  }
}

/** Refusals, breaks and garbage, each on all routes. */
async function fail(
  { sandbox }: TestGateway,
  read: (headers: Record<string, string>, query?: Record<string, string>) => Promise<void>,
) {
  const faults = [
    { do: { status: 401, body: { message: 'Bad credentials' } }, times: 2 },
    { do: { status: 502, body: 'no' }, times: 3 },
    { do: { reset: 'before' as const }, times: 3 },
    { do: { truncate: 10 }, times: 3 },
  ]
  for (const fault of faults) {
    for (const route of ROUTES) {
      sandbox.faults.set([fault])
      await read(headersOf('agent'), { route })
    }
  }
  sandbox.faults.clear()
}

/** The command lines of all processes while a program runs. */
async function readCommandLines({ gateway }: Awaited<ReturnType<typeof start>>): Promise<string[]> {
  if (!gh.available) return []
  gateway.sandbox.faults.set([{ do: { delay_ms: 1_500 }, times: 9 }])
  const query = { route: 'cli' }
  const running = gateway.call('repo.view', REPO, { headers: headersOf('agent'), query })
  const seen: string[] = []
  const isOfGh = (text: string) => /(^|\/)gh\0/.test(text)
  await expect
    .poll(async () => seen.push(...(await commandLines())) > 0 && seen.some(isOfGh), {
      timeout: 10_000,
      interval: 20,
    })
    .toBe(true)
  await running
  gateway.sandbox.faults.clear()
  return seen
}

async function commandLines(): Promise<string[]> {
  const pids = (await readdir('/proc')).filter(name => /^\d+$/.test(name))
  return await Promise.all(
    pids.map(pid => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
  )
}

const PATHS = [
  '/v1/audit?limit=200',
  '/v1/audit/export',
  '/v1/approvals',
  '/v1/approvals?status=approved',
  '/v1/requests?limit=200',
  '/v1/attempts?limit=200',
  '/v1/requests/export',
  '/v1/requests/export?format=csv',
  '/v1/attempts/export?format=csv',
  '/v1/stats',
  '/v1/upstreams',
  '/metrics',
  '/readyz',
  '/inspector',
  '/openapi.json',
  '/.well-known/oauth-protected-resource',
]

async function readPages({ url }: TestGateway): Promise<string[]> {
  const headers = headersOf('boss')
  const textAt = async (path: string) => await (await fetch(url + path, { headers })).text()
  const pages = await Promise.all(PATHS.map(textAt))
  const { data } = JSON.parse(await textAt('/v1/requests?limit=200')) as {
    data: { items: { request_id: string }[] }
  }
  const ids = data.items.map(({ request_id }) => request_id)
  const paths = ids.flatMap(id => [`/v1/requests/${id}`, `/v1/requests/${id}/export`])
  return [...pages, ...(await Promise.all(paths.map(textAt)))]
}

async function dump(url: string): Promise<string[]> {
  const client = new pg.Client(url)
  await client.connect()
  const { rows } = await client.query<{ name: string }>(
    `SELECT quote_ident(table_schema) || '.' || quote_ident(table_name) AS name
     FROM information_schema.tables WHERE table_schema NOT IN ('pg_catalog', 'information_schema')`,
  )
  const texts: string[] = []
  for (const { name } of rows) {
    const found = await client.query<{ text: string }>(`SELECT t::text AS text FROM ${name} t`)
    texts.push(...found.rows.map(({ text }) => text))
  }
  await client.end()
  return texts
}

async function readFiles(directory: string): Promise<string[]> {
  const names = (await readdir(directory)).filter(name => name.startsWith('journal'))
  return await Promise.all(
    names.map(async name => (await readFile(join(directory, name))).toString('latin1')),
  )
}

const JOURNALS = [
  { name: 'SQLite', isThere: true },
  { name: 'PostgreSQL', isThere: postgres.available },
]

describe.each(JOURNALS)('with a journal in $name', ({ name, isThere }) => {
  test.skipIf(!isThere)('no secret leaves its place, whether calls end well or fail', async () => {
    const url = name === 'SQLite' ? null : ((await databases?.createDatabase()) ?? '')
    const made = await start(url)
    const { gateway, collector, receiver, log } = made
    const carriers: Carriers = { argv: await readCommandLines(made) }
    carriers.envelopes = await useEverything(made)
    await expect.poll(() => receiver.received.length).toBeGreaterThan(0)
    carriers.pages = await readPages(gateway)
    await gateway.engine.tracing?.[Symbol.asyncDispose]()
    carriers.spans = [collector.received()]
    carriers.webhook = receiver.received.map(
      ({ body, headers }) => `${body.toString()} ${JSON.stringify(headers)}`,
    )
    carriers.log = log
    carriers.journal =
      url === null ? await readFiles(dirname(gateway.sandbox.socketPath ?? '')) : await dump(url)
    const empty = Object.entries(carriers).filter(([, texts]) => texts.join('') === '')
    expect(empty.map(([carrier]) => carrier)).toEqual(gh.available ? [] : ['argv'])
    expect(leaksIn(carriers)).toEqual([])
  })
})

function leaksIn(carriers: Carriers): string[] {
  return Object.entries(carriers).flatMap(([carrier, texts]) =>
    Object.entries(SECRETS).flatMap(([secret, form]) => {
      const found = texts.find(text => form.test(text))
      if (found === undefined) return []
      const at = found.search(form)
      return [`${secret} in ${carrier}: …${found.slice(Math.max(0, at - 100), at + 20)}…`]
    }),
  )
}
