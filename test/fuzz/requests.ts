import * as fc from 'fast-check'
import type { Catalog } from '../../src/cards/catalog.ts'
import type { Card, JsonSchema } from '../../src/model/card.ts'
import { PROFILE_NAMES } from '../../src/model/profile-name.ts'

/** One HTTP request to a gateway. */
export interface FuzzRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** Texts that some part of a gateway could take for something else. */
const HOSTILE = [
  '',
  ' ',
  '#',
  '?',
  '%',
  '%2F',
  '%00',
  '..',
  '../..',
  '.',
  '/',
  '\\',
  ':',
  '+',
  ';',
  '-',
  '--help',
  '-X',
  '@/etc/passwd',
  '$(id)',
  '`id`',
  '; id',
  '\0',
  '\r\nX-Injected: 1',
  '\n',
  '\t',
  '"',
  "'",
  '{}',
  '{owner}',
  '[]',
  'null',
  'true',
  '__proto__',
  'constructor',
  'toString',
  'ｆｕｌｌ',
  'e\u0301',
  '\u202e',
  '\u200b',
  '\ud83d',
  '🙂',
  '12345678901234567890',
  '-9007199254740993',
  '1e400',
  'NaN',
  'rate limit',
  'timeout-lib',
  '404',
  'Bearer abcdefghijklmnop',
  'https://example.test/x?y#z',
  'x'.repeat(300),
  'ab '.repeat(3000),
  '('.repeat(500),
]

const text = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...HOSTILE) },
  { weight: 2, arbitrary: fc.string({ unit: 'grapheme', maxLength: 40 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 2, arbitrary: fc.constantFrom('octo-org', 'hello-world', 'main', 'octocat', 'v1.0.0') },
)
const anything: fc.Arbitrary<unknown> = fc.oneof(text, fc.jsonValue({ maxDepth: 3 }), fc.integer())

/** A value that fits the schema more often than not. */
function valueFor(name: string, schema: JsonSchema): fc.Arbitrary<unknown> {
  const known: Readonly<Record<string, unknown>> = {
    owner: 'octo-org',
    name: 'hello-world',
    number: 1,
    issueNumber: 1,
    prNumber: 4,
    branch: 'main',
    ref: 'main',
  }
  const fitting = name in known ? [fc.constant(known[name])] : []
  return fc.oneof(
    { weight: 4, arbitrary: fc.oneof(...fitting, byType(schema)) },
    { weight: 1, arbitrary: anything },
  )
}

function byType(schema: JsonSchema): fc.Arbitrary<unknown> {
  if (Array.isArray(schema.enum)) return fc.constantFrom(...(schema.enum as unknown[]))
  switch ([schema.type].flat()[0]) {
    case 'integer':
    case 'number':
      return fc.oneof(fc.integer({ min: -2, max: 120 }), fc.constantFrom(0, 2 ** 31, 1e300))
    case 'boolean':
      return fc.boolean()
    case 'array':
      return fc.array(byType((schema.items as JsonSchema | undefined) ?? {}), { maxLength: 3 })
    case 'object':
      return fc.dictionary(text, anything, { maxKeys: 3 })
    default:
      return text
  }
}

function inputFor(card: Card): fc.Arbitrary<unknown> {
  const properties = (card.input.properties ?? {}) as Readonly<Record<string, JsonSchema>>
  const required = (card.input.required ?? []) as string[]
  const members = Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, valueFor(name, schema)]),
  )
  const whole = fc.record(members, { requiredKeys: required })
  return fc.oneof(
    { weight: 8, arbitrary: whole },
    {
      weight: 1,
      arbitrary: fc
        .tuple(whole, fc.dictionary(text, anything, { maxKeys: 2 }))
        .map(([own, more]) => ({ ...own, ...more })),
    },
    { weight: 1, arbitrary: anything },
  )
}

const query = fc.oneof(
  { weight: 6, arbitrary: fc.constant({}) },
  {
    weight: 3,
    arbitrary: fc.record(
      {
        route: fc.constantFrom('rest', 'graphql'),
        profile: fc.constantFrom(...PROFILE_NAMES),
        token_budget: fc.constantFrom('0', '100', '2000', '999999999'),
        fields: fc.oneof(text, fc.constantFrom('items.number', 'number', 'id')),
        timeout_ms: fc.constantFrom('1', '500', '30000'),
      },
      { requiredKeys: [] },
    ),
  },
  { weight: 1, arbitrary: fc.dictionary(text, text, { maxKeys: 2 }) },
)

const headers = fc.record(
  {
    'idempotency-key': fc.constantFrom('k1', 'k2', 'x'.repeat(300), 'a b'),
    'x-request-id': fc.constantFrom('mine', 'a/b', 'x'.repeat(500)),
    accept: fc.constantFrom('*/*', 'application/json; profile="compact"', 'text/html', ';;'),
    traceparent: fc.constantFrom('00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', 'x'),
  },
  { requiredKeys: [] },
)

const json = { 'content-type': 'application/json' }

/** Requests to every endpoint and capability of a gateway, with hostile parts. */
export function fuzzRequests(
  catalog: Catalog,
  endpoints: readonly string[],
): fc.Arbitrary<FuzzRequest> {
  const cards = catalog.all()
  const call = fc
    .constantFrom(...cards)
    .chain(card => fc.tuple(fc.constant(card), inputFor(card), query, headers))
  const run = call.map(([card, input, asked, given]) => ({
    method: 'POST',
    path: `/v1/capabilities/${card.id}${search(asked)}`,
    headers: { ...given, ...json },
    body: write(input),
  }))
  const explain = call.map(([card, input]) => ({
    method: 'POST',
    path: `/v1/capabilities/${card.id}/explain`,
    headers: json,
    body: write(input),
  }))
  const batched = call.map(([card, input]) => ({ capability: card.id, input }))
  const batch = fc.array(fc.oneof(batched, anything), { maxLength: 4 }).map(calls => ({
    method: 'POST',
    path: '/v1/batch',
    headers: json,
    body: write({ calls }),
  }))
  const raw = fc
    .tuple(fc.constantFrom('/v1/batch', '/mcp', '/v1/capabilities/repo.view'), text)
    .map(([path, body]) => ({
      method: 'POST',
      path,
      headers: json,
      body: body.toWellFormed(),
    }))
  const useTool = fc.record({
    name: fc.constantFrom('search', 'describe', 'call', 'batch', 'get_hints', 'issue_view'),
    arguments: fc.oneof(
      anything,
      fc.record({ calls: fc.array(fc.oneof(batched, anything), { maxLength: 4 }) }),
      fc.oneof(batched, fc.record({ capability: text, input: anything })),
      fc.record({ query: text, ids: fc.array(text), hintIds: anything }),
    ),
  })
  const rpc = fc
    .tuple(
      fc.constantFrom('tools/list', 'tools/call', 'initialize', 'nothing'),
      fc.oneof(anything, useTool),
      fc.constantFrom('', '?tools=all', '?tools=search,read:*'),
    )
    .map(([method, params, tools]) => ({
      method: 'POST',
      path: `/mcp${tools}`,
      headers: { ...json, accept: 'application/json, text/event-stream' },
      body: write({ jsonrpc: '2.0', id: 1, method, params }),
    }))
  const get = fc.tuple(fc.constantFrom(...endpoints), text, query).map(([path, part, asked]) => ({
    method: 'GET',
    path: `${path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(part.toWellFormed()))}${path.startsWith('/v1/') ? search(asked) : ''}`,
    headers: {},
    body: null,
  }))
  const path = fc
    .tuple(fc.constantFrom('GET', 'POST', 'PUT', 'DELETE'), fc.array(text, { maxLength: 3 }))
    .map(([method, parts]) => ({
      method,
      path: `/${parts.map(part => encodeURIComponent(part.toWellFormed())).join('/')}`,
      headers: {},
      body: null,
    }))
  return fc.oneof(
    { weight: 12, arbitrary: run },
    { weight: 2, arbitrary: explain },
    { weight: 2, arbitrary: batch },
    { weight: 1, arbitrary: raw },
    { weight: 1, arbitrary: rpc },
    { weight: 3, arbitrary: get },
    { weight: 1, arbitrary: path },
  )
}

function search(asked: Readonly<Record<string, unknown>>): string {
  const entries = Object.entries(asked).map(([name, value]) => [
    name.toWellFormed(),
    String(value).toWellFormed(),
  ])
  return entries.length === 0
    ? ''
    : `?${new URLSearchParams(entries as [string, string][]).toString()}`
}

function write(value: unknown): string {
  return JSON.stringify(value) ?? ''
}
