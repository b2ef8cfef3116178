import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { loadCapabilities } from '../../src/cards/load.ts'
import { createAdapters } from '../../src/gateway/adapters.ts'
import { startTestGateway } from '../support/gateway.ts'

const fixture = fileURLToPath(new URL('../fixtures/capabilities/inventory', import.meta.url))
const cleanups: (() => Promise<unknown> | void)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

test("a user's own REST service is served from two files", async () => {
  const seen: string[] = []
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url} ${request.headers.authorization}`)
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ id: 'a/b', quantity: 7, secret: 'not in the card' }))
  }).listen(0, '127.0.0.1')
  cleanups.push(() => void server.close())
  await new Promise(resolve => server.once('listening', resolve))
  await using gateway = await startTestGateway({
    settings: { capabilities: [fixture] },
    env: {
      INVENTORY_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      INVENTORY_TOKEN: 'shelf-42',
    },
  })
  const { body } = await gateway.call('part.view', { sku: 'a/b' })
  expect(body).toMatchObject({
    ok: true,
    data: { sku: 'a/b', stock: 7 },
    meta: { route_used: 'rest' },
  })
  expect(seen).toEqual(['GET /parts/a%2Fb Bearer shelf-42'])
  expect(JSON.stringify(body)).not.toContain('shelf-42')
})

const faults: readonly [string, string, string, number, RegExp, RegExp][] = [
  [
    'a misspelt key',
    'part.view.yaml',
    'effect: read|efect: read',
    4,
    /efect is not a known member/,
    /effect/,
  ],
  [
    'an effect that does not exist',
    'part.view.yaml',
    'effect: read|effect: maybe',
    4,
    /effect must be one of/,
    /read, idempotent, write/,
  ],
  [
    'an expression that does not compile',
    'part.view.yaml',
    'stock: quantity}|stock: quantity',
    21,
    /result does not compile/,
    /JMESPath/,
  ],
  ['a name out of scope', 'part.view.yaml', '"body.{sku|"bdy.{sku', 21, /reads "bdy"/, /JMESPath/],
  [
    'a function that does not exist',
    'part.view.yaml',
    'stock: quantity|stock: floor2(quantity)',
    21,
    /floor2/,
    /JMESPath/,
  ],
  [
    'a keyword that means nothing',
    'part.view.yaml',
    'maxLength: 40|maxLenght: 40',
    5,
    /maxLenght/,
    /refused/,
  ],
  [
    'a route without a connection',
    'part.view.yaml',
    'prefer: [rest]|prefer: [rest, cli]',
    16,
    /names cli/,
    /Add routes.cli/,
  ],
  [
    'a setting of the adapter that does not exist',
    'part.view.yaml',
    'method: GET|methd: GET',
    18,
    /methd|method/,
    /method/,
  ],
  [
    'a name of the upstream that does not exist',
    'upstream.yaml',
    'base_url|baseurl',
    7,
    /rest.baseurl is not/,
    /base_url/,
  ],
  [
    'YAML that does not parse',
    'part.view.yaml',
    'prefer: [rest]|prefer: [rest',
    17,
    /not valid YAML/,
    /syntax/,
  ],
]

test.each(faults)(
  'a fault is reported with file, line and fix: %s',
  async (_name, file, change, line, message, fix) => {
    const directory = await mkdtemp(join(tmpdir(), 'cards-'))
    cleanups.push(() => rm(directory, { recursive: true }))
    await cp(fixture, directory, { recursive: true })
    const [from = '', to = ''] = change.split('|')
    const text = await readFile(join(directory, file), 'utf8')
    expect(text).toContain(from)
    await writeFile(join(directory, file), text.replace(from, to))
    const loaded = loadCapabilities({
      directories: [directory],
      adapters: createAdapters(),
      env: { INVENTORY_URL: 'http://127.0.0.1:1' },
      now: Date.now,
    })
    await loaded.close()
    const problem = loaded.problems.find(({ message: text }) => message.test(text))
    expect(problem?.file).toBe(join(directory, file))
    expect(loaded.problems.map(({ fix: how }) => how).join('\n')).toMatch(fix)
    expect(problem?.line).toBe(line)
  },
)

test('a variable that is not set is named, with what to do', async () => {
  const loaded = loadCapabilities({
    directories: [fixture],
    adapters: createAdapters(),
    env: {},
    now: Date.now,
  })
  await loaded.close()
  expect(loaded.problems).toMatchObject([{ line: 7 }])
  expect(loaded.problems[0]?.message).toBe(
    'rest.base_url needs the variable INVENTORY_URL, which is not set',
  )
  expect(loaded.problems[0]?.fix).toBe(
    'Set INVENTORY_URL, or give it a default: ${INVENTORY_URL:-…}.',
  )
})

test("a card of one's own joins an upstream that is there already", async () => {
  const directory = await mkdtemp(join(tmpdir(), 'cards-'))
  cleanups.push(() => rm(directory, { recursive: true }))
  await writeFile(join(directory, 'upstream.yaml'), 'use: github\n')
  const card = await readFile(
    fileURLToPath(new URL('../../capabilities/github/viewer.view.yaml', import.meta.url)),
    'utf8',
  )
  await writeFile(join(directory, 'me.view.yaml'), card.replace('id: viewer.view', 'id: me.view'))
  await using gateway = await startTestGateway({ settings: { capabilities: [directory] } })
  const { body } = await gateway.call('me.view', {})
  expect(body).toMatchObject({ ok: true, data: { login: 'octocat' } })
})

test('a reference to an upstream that is not loaded is reported', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'cards-'))
  cleanups.push(() => rm(directory, { recursive: true }))
  await writeFile(join(directory, 'upstream.yaml'), 'use: gitlab\n')
  const loaded = loadCapabilities({
    directories: [directory],
    adapters: createAdapters(),
    env: {},
    now: Date.now,
  })
  expect(loaded.problems[0]).toMatchObject({
    line: 1,
    message: 'use names the upstream "gitlab", which is not loaded before this directory',
  })
})
