import { readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { runHere } from '../../commands/support/run-here.ts'
import { temporaryDirectory } from '../../commands/support/signalbox.ts'
import { type Imported, importAndServe } from './support/imported.ts'
import { BOLT, startInventory } from './support/inventory.ts'

// The command runs as its own process, which is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const DOCUMENT = fileURLToPath(new URL('../../fixtures/import/inventory.yaml', import.meta.url))

let service: Awaited<ReturnType<typeof startInventory>>
let imported: Imported

beforeAll(async () => {
  service = await startInventory()
  imported = await importAndServe(DOCUMENT, 'inventory', {
    env: { INVENTORY_URL: service.url, INVENTORY_TOKEN: 'a-key' },
  })
})
afterAll(async () => {
  await imported?.[Symbol.asyncDispose]()
  await service?.[Symbol.asyncDispose]()
})

/** The document has a member with a hyphen, which some models cannot send. */
const ONE_WARNING =
  /^\S+part\.reserve\.yaml:\d+: warning: \S+part-number is no name that all models take.*\n {4}fix: .*\n$/

describe('an OpenAPI document', () => {
  test('becomes an upstream, and a card for each operation that a card can express', async () => {
    expect(imported.ended).toMatchObject({ code: 0, stderr: expect.stringMatching(ONE_WARNING) })
    expect((await readdir(imported.folder)).toSorted()).toEqual([
      '.import.json',
      'category.list.yaml',
      'export.view.yaml',
      'part.create.yaml',
      'part.delete.yaml',
      'part.list.yaml',
      'part.photo.set.yaml',
      'part.reserve.yaml',
      'part.update.yaml',
      'part.view.yaml',
      'session.view.yaml',
      'upstream.yaml',
    ])
  })

  test.each([
    ['the result of the check', '10 capabilities, 0 problems'],
    ['a reference to another file', 'it refers to https://example.com/orders.json#/Order'],
    ['a credential of another kind', 'POST /login: it needs the credential certificate, of a kind'],
    ['the next call to try', 'npx signalbox call part.list --capabilities '],
  ])('import reports %s', (_what, line) => {
    expect(imported.ended.stdout).toContain(line)
  })

  test('gives cards that pass the check', async () => {
    expect(await runHere(['check', imported.folder])).toEqual({
      code: 0,
      stdout: '10 capabilities, 0 problems, 1 warning\n',
      stderr: expect.stringMatching(ONE_WARNING),
    })
  })

  test('puts no path of this machine into the files', async () => {
    const names = await readdir(imported.folder)
    const texts = await Promise.all(
      names.map(name => readFile(join(imported.folder, name), 'utf8')),
    )
    expect(
      texts.filter(text => text.includes(dirname(imported.folder)) || text.includes(DOCUMENT)),
    ).toEqual([])
    const made = texts.filter(text =>
      text.startsWith('# Made by "signalbox import" from inventory'),
    )
    expect(made).toHaveLength(names.filter(name => name !== '.import.json').length)
  })
})

interface Call {
  readonly name: string
  readonly id: string
  readonly input: Record<string, unknown>
  readonly request: string
  readonly body?: unknown
  readonly data: unknown
}

const PART_INPUT = { sku: 'm4-bolt', title: 'Bolt, M4', stock: 12 }

describe('a call of these cards', () => {
  test.each<Call>([
    {
      name: 'reads a list with parameters in each style',
      id: 'part.list',
      input: { kind: 'screw', tags: ['new', 'a,b'], filter: { minStock: 3 } },
      request: 'GET /api/parts?kind=screw&tags=new,a%2Cb&filter%5BminStock%5D=3',
      data: { items: [BOLT] },
    },
    {
      name: 'reads one thing by a parameter with an odd name',
      id: 'part.view',
      input: { partNumber: 'm4-bolt' },
      request: 'GET /api/parts/m4-bolt',
      data: BOLT,
    },
    {
      name: 'creates, and sends the given members',
      id: 'part.create',
      input: PART_INPUT,
      request: 'POST /api/parts',
      body: PART_INPUT,
      data: BOLT,
    },
    {
      name: 'clears a value with null, and sends no other member',
      id: 'part.update',
      input: { partNumber: 'm4-bolt', note: null },
      request: 'PATCH /api/parts/m4-bolt',
      body: { note: null },
      data: BOLT,
    },
    {
      name: 'sends a body as one member if names collide',
      id: 'part.reserve',
      input: { partNumber: 'm4-bolt', body: { 'part-number': 'o-1', amount: 3 } },
      request: 'POST /api/parts/m4-bolt/reserve',
      body: { 'part-number': 'o-1', amount: 3 },
      data: { value: 9 },
    },
    {
      name: 'deletes, with an answer without a body',
      id: 'part.delete',
      input: { partNumber: 'm4-bolt' },
      request: 'DELETE /api/parts/m4-bolt',
      data: { done: true },
    },
    {
      name: 'reads a table',
      id: 'export.view',
      input: {},
      request: 'GET /api/export',
      data: { items: [{ sku: 'm4-bolt', stock: '12' }] },
    },
  ])('$name', async ({ id, input, request, body = null, data }) => {
    const answer = await imported.gateway.call(id, input)
    expect(answer.body).toMatchObject({ ok: true, data })
    expect(service.last()).toMatchObject({ request, body })
  })

  test('sends the credential in the header that the document names', async () => {
    await imported.gateway.call('part.view', { partNumber: 'm4-bolt', xTraceTag: 'a-tag' })
    expect(service.last()?.headers).toMatchObject({
      'x-inventory-key': 'a-key',
      'x-trace-tag': 'a-tag',
    })
  })

  test.each([
    ['an unknown member', 'part.view', { partNumber: 'm4-bolt', sku: 'x' }, 'sku'],
    ['a readOnly member', 'part.create', { ...PART_INPUT, number: 1 }, 'number'],
    [
      'a value out of bounds',
      'part.reserve',
      { partNumber: 'm4', body: { 'part-number': 'o', amount: 0 } },
      'body.amount',
    ],
  ])('refuses %s', async (_what, id, input, path) => {
    const { body } = await imported.gateway.call(id, input)
    expect(body.error).toMatchObject({ code: 'VALIDATION', details: { fields: [{ path }] } })
  })
})

describe('the option', () => {
  test.each([
    ['a method and a path', 'DELETE /parts/*', ['part.delete']],
    ['a path', '/parts', ['part.list', 'part.create']],
    ['an operationId', 'getCategories', ['category.list']],
    ['an id', 'part.v*', ['part.view']],
  ])('--only chooses by %s', async (_what, pattern, ids) => {
    const { stdout } = await runHere(['import', DOCUMENT, '--dry-run', '--only', pattern])
    expect([...stdout.matchAll(/^ {2}([a-z]+\.[a-z]+) /gm)].map(([, id]) => id)).toEqual(ids)
  })

  test('--dry-run writes nothing', async () => {
    await using place = await temporaryDirectory()
    const out = join(place.path, 'out')
    const { code, stdout } = await runHere(['import', DOCUMENT, '--dry-run', '--out', out])
    expect({ code, last: stdout.trimEnd().split('\n').at(-1) }).toEqual({
      code: 0,
      last: 'Wrote nothing, because of --dry-run.',
    })
    expect(await readdir(place.path)).toEqual([])
  })

  test('--out may name an existing folder, whose upstream stays as it is', async () => {
    await using place = await temporaryDirectory()
    const out = join(place.path, 'inventory')
    await runHere(['import', DOCUMENT, '--out', out, '--only', 'part.view'])
    await writeFile(
      join(out, 'upstream.yaml'),
      'id: inventory\nrest: { base_url: http://127.0.0.1 }\n',
    )
    const { code, stdout } = await runHere([
      'import',
      DOCUMENT,
      '--out',
      out,
      '--only',
      'part.list',
    ])
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('kept upstream.yaml'),
    })
    expect(stdout).toContain('2 capabilities, 0 problems')
  })

  test('--url is optional, even if the document has no address', async () => {
    await using place = await temporaryDirectory()
    const file = join(place.path, 'bare.json')
    const paths = { '/issues': { get: { operationId: 'listIssues', responses: {} } } }
    await writeFile(file, JSON.stringify({ openapi: '3.1.0', info: { title: 'My Desk' }, paths }))
    const { code, stdout } = await runHere(['import', file, '--out', join(place.path, 'my-desk')])
    expect(code).toBe(0)
    expect(stdout).toContain('export MY_DESK_URL=https://')
    // A shipped capability already has the id issue.list.
    expect(stdout).toContain('npx signalbox call my_desk.issue.list ')
  })
})
