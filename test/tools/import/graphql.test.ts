import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildSchema, GraphQLError, graphql, introspectionFromSchema } from 'graphql'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { readGraphql } from '../../../src/tools/import/graphql.ts'
import { signalbox, temporaryDirectory } from '../../commands/support/signalbox.ts'
import { openService, sendJson } from '../../support/service.ts'
import { type Imported, importAndServe } from './support/imported.ts'

// The command runs as its own process, which is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const DOCUMENT = fileURLToPath(new URL('../../fixtures/import/workshop.graphql', import.meta.url))
const GITHUB = fileURLToPath(
  new URL('./schema.graphql', import.meta.resolve('@octokit/graphql-schema')),
)
const CARDS = [
  'node.view.yaml',
  'order.list.yaml',
  'part.create.yaml',
  'part.delete.yaml',
  'part.list.yaml',
  'part.view.yaml',
  'reserve.run.yaml',
  'shelf.list.yaml',
  'stock.view.yaml',
]

const BOLT = {
  id: 'P1',
  title: 'Bolt, M4',
  kind: 'SCREW',
  stock: 12,
  madeAt: '2026-01-02T03:04:05Z',
  tags: ['steel'],
  shelf: { row: 3, place: null },
}
const NUT = { ...BOLT, id: 'P2', title: 'Nut', kind: null, madeAt: null, shelf: null }

interface ListArguments {
  readonly first: number
  readonly after?: string
}

function refuse(what: string): null {
  if (what !== 'refused') return null
  throw new GraphQLError('No.', { extensions: { code: 'FORBIDDEN' } })
}

/** Serves the schema with graphql-js. */
async function startWorkshop() {
  const schema = buildSchema(await readFile(DOCUMENT, 'utf8'))
  const seen: { variables?: unknown; authorization?: unknown }[] = []
  const rootValue = {
    part: ({ id }: { id: string }) =>
      refuse(id) ?? [BOLT, NUT].find(part => part.id === id) ?? null,
    parts: ({ first, after }: ListArguments) => {
      const start = after === undefined ? 0 : Number(after)
      const nodes = [BOLT, NUT].slice(start, start + first)
      const end = start + nodes.length
      return {
        nodes,
        totalCount: 2,
        pageInfo: { hasNextPage: end < 2, hasPreviousPage: start > 0, endCursor: String(end) },
      }
    },
    shelves: ({ row }: { row: number }) => refuse(row === 99 ? 'refused' : ''),
    stock: () => 24,
    node: ({ id }: { id: string }) => ({ __typename: 'Part', id }),
    createPart: ({ input }: { input: { title: string } }) =>
      refuse(input.title) ?? { part: { ...NUT, ...input } },
    deletePart: () => true,
    reserve: ({ id }: { id: string }) => refuse(id) ?? {},
  }
  const service = await openService(async (request, response) => {
    const { query, variables } = JSON.parse(request.body.toString()) as {
      query: string
      variables: Record<string, unknown>
    }
    seen.push({ variables, authorization: request.headers.authorization })
    const answer = await graphql({ schema, source: query, variableValues: variables, rootValue })
    sendJson(response, answer)
  })
  return {
    url: `${service.url}/graphql`,
    last: () => seen.at(-1),
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  }
}

let service: Awaited<ReturnType<typeof startWorkshop>>
let imported: Imported

beforeAll(async () => {
  service = await startWorkshop()
  imported = await importAndServe(DOCUMENT, 'workshop', {
    args: ['--url', service.url],
    env: { WORKSHOP_TOKEN: 'a-token' },
  })
})
afterAll(async () => {
  await imported?.[Symbol.asyncDispose]()
  await service?.[Symbol.asyncDispose]()
})

test.each([
  ['closeOrder', 'order.close'],
  ['createOrder', 'order.create'],
  ['orderCreate', 'order.create'],
  // Some services put the verb last.
  ['orderClose', 'order.close'],
  ['orderMarkAsPaid', 'order.mark_as_paid'],
  ['orderLineHold', 'order_line.hold'],
  ['reserve', 'reserve.run'],
  ['order', 'order.run'],
])('the mutation %s becomes %s', (field, id) => {
  const sdl = `type Order { id: ID! } type OrderLine { id: ID! } type Query { order: Order }
    type Mutation { ${field}: Boolean }`
  const { operations } = readGraphql(buildSchema(sdl), sdl, 'orders')
  expect(operations.find(({ name, effect }) => name === field && effect === 'write')?.id).toBe(id)
})

describe('a GraphQL schema', () => {
  test('becomes a card for each field of Query and Mutation that a card can express', async () => {
    expect(imported.ended).toMatchObject({ code: 0, stderr: '' })
    expect((await readdir(imported.folder)).toSorted()).toEqual(
      ['.import.json', ...CARDS, 'schema.graphql', 'upstream.yaml'].toSorted(),
    )
  })

  test.each([
    ['the result of the check', '9 capabilities, 0 problems'],
    ['a union', 'query search: it answers with Found'],
    ['an upload', 'mutation setPhoto: it takes a file (Upload)'],
  ])('import reports %s', (_what, line) => {
    expect(imported.ended.stdout).toContain(line)
  })

  test('may also be the JSON of an introspection', async () => {
    await using place = await temporaryDirectory()
    const file = join(place.path, 'workshop.json')
    const data = introspectionFromSchema(buildSchema(await readFile(DOCUMENT, 'utf8')))
    await writeFile(file, JSON.stringify({ data }))
    const out = join(place.path, 'out')
    const { code, stdout } = await signalbox(['import', file, '--out', out])
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('9 capabilities, 0 problems'),
    })
    expect(stdout).toContain('export OUT_URL=https://')
  })

  test('of GitHub gives valid cards', async () => {
    await using place = await temporaryDirectory()
    const out = join(place.path, 'hub')
    const { code, stdout, stderr } = await signalbox([
      'import',
      GITHUB,
      '--out',
      out,
      '--only',
      '*',
    ])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const [, cards] = /^(\d+) capabilities, 0 problems$/m.exec(stdout) ?? []
    expect(Number(cards)).toBeGreaterThan(250)
  })
})

describe('a call of these cards', () => {
  test.each([
    ['reads one thing', 'part.view', { id: 'P1' }, BOLT],
    ['reads a leaf', 'stock.view', {}, { value: 24 }],
    ['reads an interface', 'node.view', { id: 'P1' }, { __typename: 'Part', id: 'P1' }],
    ['reads a null list as an empty one', 'shelf.list', {}, { items: [] }],
    ['deletes', 'part.delete', { id: 'P1' }, { value: true }],
    ['reports that a mutation without fields is done', 'reserve.run', { id: 'P1' }, { done: true }],
    [
      'creates, with the fields of the input object',
      'part.create',
      { title: 'Nut', stock: 1 },
      { part: { ...NUT, stock: 1 } },
    ],
  ])('%s', async (_what, id, input, data) => {
    const { body } = await imported.gateway.call(id, input)
    expect(body.error).toBeNull()
    expect(body.data).toEqual(data)
  })

  test('pages through a connection', async () => {
    const first = await imported.gateway.call('part.list', { first: 1, filter: { kind: 'SCREW' } })
    expect(service.last()).toEqual({
      variables: { first: 1, filter: { kind: 'SCREW' } },
      authorization: 'Bearer a-token',
    })
    expect(first.body.data).toMatchObject({ items: [BOLT], pageInfo: { hasNextPage: true } })
    const { endCursor } = first.body.data.pageInfo
    const second = await imported.gateway.call('part.list', { first: 1, after: endCursor })
    expect(second.body.data).toMatchObject({ items: [NUT], pageInfo: { hasNextPage: false } })
  })

  test('answers NOT_FOUND if the service answers null', async () => {
    const { body } = await imported.gateway.call('part.view', { id: 'P9' })
    expect(body.error).toMatchObject({ code: 'NOT_FOUND' })
  })

  test.each([
    ['part.view', { id: 'refused' }],
    ['part.create', { title: 'refused' }],
    ['reserve.run', { id: 'refused' }],
    ['shelf.list', { row: 99 }],
  ])('of %s fails with the error of the service', async (id, input) => {
    const { body } = await imported.gateway.call(id, input)
    expect(body.error).toMatchObject({ code: 'FORBIDDEN' })
  })

  test('leaves defaults to the service', async () => {
    await imported.gateway.call('part.create', { title: 'Nut' })
    expect(service.last()).toMatchObject({ variables: { input: { title: 'Nut' } } })
  })
})
