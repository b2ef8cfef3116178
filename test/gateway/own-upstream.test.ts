import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { startTestGateway } from '../support/gateway.ts'
import { copyPack, loadPacks, writePack } from '../support/packs.ts'
import { sendJson, startService } from '../support/service.ts'

const fixture = fileURLToPath(new URL('../fixtures/capabilities/inventory', import.meta.url))

test("a user's own REST service is served from two files", async () => {
  const service = await startService((_request, response) =>
    sendJson(response, { id: 'a/b', quantity: 7, secret: 'not in the card' }),
  )
  await using gateway = await startTestGateway({
    settings: { capabilities: [fixture] },
    env: { INVENTORY_URL: service.url, INVENTORY_TOKEN: 'shelf-42' },
  })
  const { body } = await gateway.call('part.view', { sku: 'a/b' })
  expect(body).toMatchObject({
    ok: true,
    data: { sku: 'a/b', stock: 7 },
    meta: { route_used: 'rest' },
  })
  expect(service.lines()).toEqual(['GET /parts/a%2Fb'])
  expect(service.received[0]?.headers.authorization).toBe('Bearer shelf-42')
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
    'an unknown effect',
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
    'an unknown function',
    'part.view.yaml',
    'stock: quantity|stock: floor2(quantity)',
    21,
    /floor2/,
    /JMESPath/,
  ],
  [
    'an unknown keyword',
    'part.view.yaml',
    'maxLength: 40|maxLenght: 40',
    9,
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
    'an unknown setting of the adapter',
    'part.view.yaml',
    'method: GET|methd: GET',
    18,
    /methd|method/,
    /method/,
  ],
  [
    'an unknown setting of the upstream',
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
    const [from = '', to = ''] = change.split('|')
    const directory = await copyPack(fixture, { file, from, to })
    const loaded = await loadPacks([directory], { INVENTORY_URL: 'http://127.0.0.1:1' })
    const problem = loaded.problems.find(({ message: text }) => message.test(text))
    expect(problem?.file).toBe(join(directory, file))
    expect(loaded.problems.map(({ fix: how }) => how).join('\n')).toMatch(fix)
    expect(problem?.line).toBe(line)
  },
)

test('a variable that is not set is named, with the fix', async () => {
  const loaded = await loadPacks([fixture])
  expect(loaded.problems).toMatchObject([{ line: 7 }])
  expect(loaded.problems[0]?.message).toBe(
    'rest.base_url needs the variable INVENTORY_URL, which is not set',
  )
  expect(loaded.problems[0]?.fix).toBe(
    'Set INVENTORY_URL, or give it a default: ${INVENTORY_URL:-…}.',
  )
})

test("a user's own card can join a shipped upstream", async () => {
  const shipped = new URL('../../capabilities/github/viewer.view.yaml', import.meta.url)
  const card = (await readFile(shipped, 'utf8')).replace('id: viewer.view', 'id: me.view')
  const pack = await writePack({ 'upstream.yaml': 'use: github\n', 'me.view.yaml': card })
  await using gateway = await startTestGateway({ settings: { capabilities: [pack] } })
  const { body } = await gateway.call('me.view', {})
  expect(body).toMatchObject({ ok: true, data: { login: 'octocat' } })
})

test('a reference to an upstream that is not loaded is reported', async () => {
  const pack = await writePack({ 'upstream.yaml': 'use: gitlab\n' })
  const { problems } = await loadPacks([pack])
  expect(problems[0]).toMatchObject({
    line: 1,
    message: 'use names the upstream "gitlab", which is not loaded before this directory',
  })
})
