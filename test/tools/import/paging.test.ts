import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { recognizePaging } from '../../../src/tools/import/paging.ts'
import { temporaryDirectory } from '../../commands/support/signalbox.ts'
import { openService, type Received, sendJson } from '../../support/service.ts'
import { importAndServe } from './support/imported.ts'

vi.setConfig({ testTimeout: 120_000 })

type Json = Readonly<Record<string, unknown>>

const integer = { type: 'integer' }
const string = { type: 'string' }
const parts = { type: 'array', items: { type: 'object', properties: { id: integer } } }
const query = (name: string, schema: Json = integer) => ({ name, in: 'query', schema })

interface Paged {
  readonly name: string
  readonly parameters: readonly Json[]
  /** Members of the answer; a list alone without any. */
  readonly answer?: Json
  readonly headers?: Json
  /** Answers a request with the items from `start`, as the service would. */
  readonly respond: (
    parameters: URLSearchParams,
    url: string,
  ) => readonly [unknown, Record<string, string>?]
}

const ALL = Array.from({ length: 5 }, (_, id) => ({ id }))
const cut = (start: number, size: unknown) => ALL.slice(start, start + Number(size))

const kinds: readonly Paged[] = [
  {
    name: 'numbered pages',
    parameters: [query('page'), query('per_page', { ...integer, maximum: 50 })],
    respond: of => [
      cut((Number(of.get('page')) - 1) * Number(of.get('per_page')), of.get('per_page')),
    ],
  },
  {
    name: 'an offset',
    parameters: [query('offset'), query('limit')],
    answer: { total: integer, results: parts },
    respond: of => [{ total: 5, results: cut(Number(of.get('offset')), of.get('limit')) }],
  },
  {
    name: 'a cursor in the answer',
    parameters: [query('cursor', string), query('limit')],
    answer: { data: parts, meta: { type: 'object', properties: { next_cursor: string } } },
    respond: of => {
      const start = Number(of.get('cursor') ?? 0)
      const end = start + Number(of.get('limit'))
      return [
        { data: cut(start, of.get('limit')), meta: { next_cursor: end < 5 ? String(end) : '' } },
      ]
    },
  },
  {
    name: 'the id of the last item',
    parameters: [query('starting_after', string), query('ending_before', string), query('limit')],
    answer: { data: parts, has_more: { type: 'boolean' } },
    respond: of => {
      const start = Number(of.get('starting_after') ?? -1) + 1
      return [{ data: cut(start, of.get('limit')), has_more: start + Number(of.get('limit')) < 5 }]
    },
  },
  {
    name: 'the address of the next page',
    parameters: [query('page_token', string), query('page_size')],
    answer: { items: parts, next: string },
    respond: (of, url) => {
      const start = Number(of.get('page_token') ?? 0)
      const end = start + Number(of.get('page_size'))
      return [
        {
          items: cut(start, of.get('page_size')),
          next: end < 5 ? `${url}?page_token=${end}` : null,
        },
      ]
    },
  },
  {
    name: 'the header Link',
    parameters: [query('after', string), query('per_page')],
    headers: { Link: { schema: string } },
    respond: (of, url) => {
      const start = Number(of.get('after') ?? 0)
      const end = start + Number(of.get('per_page'))
      return [
        cut(start, of.get('per_page')),
        end < 5 ? { link: `<${url}?after=${end}>; rel="next"` } : {},
      ]
    },
  },
  {
    name: 'a token under the name offset',
    parameters: [query('offset', string), query('limit')],
    answer: { data: parts, next_page: { type: 'object', properties: { offset: string } } },
    respond: of => {
      const start = Number(of.get('offset')?.slice(1) ?? 0)
      const end = start + Number(of.get('limit'))
      return [
        { data: cut(start, of.get('limit')), next_page: end < 5 ? { offset: `t${end}` } : null },
      ]
    },
  },
]

function responsesOf({ answer, headers = {} }: Paged) {
  const schema = answer ? { type: 'object', properties: answer } : parts
  return { 200: { description: 'Parts.', headers, content: { 'application/json': { schema } } } }
}

test('a list of each kind is read to its end, page by page', async () => {
  await using directory = await temporaryDirectory()
  await using service = await openService(({ url }: Received, response) => {
    const address = new URL(url, 'http://127.0.0.1')
    const kind = kinds[Number(address.pathname.slice('/list-'.length))]
    const [body, headers = {}] = kind?.respond(
      address.searchParams,
      address.origin + address.pathname,
    ) ?? [{}]
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    sendJson(response, body)
  })
  const paths = Object.fromEntries(
    kinds.map((kind, n) => [
      `/list-${n}`,
      {
        get: {
          operationId: `listThing${n}s`,
          parameters: kind.parameters,
          responses: responsesOf(kind),
        },
      },
    ]),
  )
  const file = join(directory.path, 'lists.json')
  await writeFile(file, JSON.stringify({ openapi: '3.1.0', info: { title: 'Lists' }, paths }))
  await using imported = await importAndServe(file, 'lists', { env: { LISTS_URL: service.url } })
  for (const [n, { name }] of kinds.entries()) {
    const ids: number[] = []
    let after: string | null = null
    do {
      const input = { first: 2, ...(after === null ? {} : { after }) }
      const { body } = await imported.gateway.call(`thing${n}.list`, input)
      expect({ name, ...body }).toMatchObject({ ok: true })
      ids.push(...body.data.items.map(({ id }: { id: number }) => id))
      after = body.data.pageInfo.hasNextPage ? body.data.pageInfo.endCursor : null
    } while (after !== null && ids.length < 20)
    expect({ name, ids }).toEqual({ name, ids: [0, 1, 2, 3, 4] })
  }
})

const [numbered] = kinds
test.each<[string, readonly Json[]]>([
  ['has no size', [query('page')]],
  ['counts pages from 0', [query('page', { ...integer, default: 0 }), query('size')]],
  ['names its pages', [query('page', string), query('size')]],
  ['gives no next cursor', [query('cursor', string), query('size')]],
])('a list that %s is left to the author', (_what, parameters) => {
  expect(recognizePaging(parameters, numbered && responsesOf(numbered), {})).toBeNull()
})
