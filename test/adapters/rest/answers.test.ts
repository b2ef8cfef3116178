import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createRestAdapter } from '../../../adapters/rest/index.ts'
import { ByteBudget } from '../../../src/lib/byte-budget.ts'
import type { CallContext } from '../../../src/model/adapter.ts'
import { callContext, connect, testCompiler } from '../../contract/adapter.ts'
import { startService } from '../../support/service.ts'

const PNG = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10, 0, 255, 254])

/** Starts a service with one answer, and returns a function that reads it with a card. */
async function start(answer: (response: ServerResponse) => unknown, upstream: object = {}) {
  const service = await startService((_, response) => void answer(response))
  const connection = connect(createRestAdapter(), { base_url: service.url, ...upstream })
  onTestFinished(() => connection.close())
  const read = (card: object, context: Partial<CallContext> = {}) =>
    connection
      .compile({ method: 'GET', path: '/', ...card }, testCompiler())
      .call({ input: {} }, { ...callContext('read'), ...context })
  return { read, service, connection }
}

/** A service that answers with this body. */
const answering =
  (body: string | Buffer, type: string, status = 200, headers = {}) =>
  (response: ServerResponse) =>
    response.writeHead(status, { 'content-type': type, ...headers }).end(body)

const bodyOf = async (body: string | Buffer, type: string, card: object) => {
  const { read } = await start(answering(body, type))
  const reply = await read(card)
  return reply.ok ? reply.body : reply.failure
}

const CSV = 'text/csv'
const XML = 'application/xml'

describe.each([
  ['csv', CSV, (n: number) => `sku\n${'A\n'.repeat(n)}`],
  ['xml', XML, (n: number) => `<a>${'<b/>'.repeat(n)}</a>`],
])('a large answer as %s', (parse, type, textOf) => {
  test.each([
    ['the limit', 'read', {}, 2_200_000],
    ['the limit of the upstream', 'write', { max_parsed_bytes: 1000 }, 1000],
  ] as const)('is TOO_LARGE above %s', async (_what, effect, upstream, count) => {
    const { read } = await start(answering(textOf(count), type), upstream)
    const format = parse.toUpperCase()
    expect(await read({ parse }, { effect })).toMatchObject({
      ok: false,
      failure: {
        code: 'TOO_LARGE',
        writeOutcome: 'applied',
        message: expect.stringContaining(`the ${format} is larger than max_parsed_bytes`),
      },
    })
  })

  test('is read below it', async () => {
    const { read } = await start(answering(textOf(900), type), { max_parsed_bytes: 4000 })
    expect(await read({ parse })).toMatchObject({ ok: true })
  })

  test('is a text with parse: text', async () => {
    const { read } = await start(answering(textOf(1000), type), { max_parsed_bytes: 1000 })
    expect(await read({ parse: 'text' })).toMatchObject({ ok: true })
  })
})

describe('CSV', () => {
  test.each([
    [
      'sku,stock\nA,3\n"B,2","4\n5"\n',
      {},
      [
        { sku: 'A', stock: '3' },
        { sku: 'B,2', stock: '4\n5' },
      ],
    ],
    [
      '\ufeffsku;n\r\nA;9007199254740993\r\n',
      { delimiter: ';' },
      [{ sku: 'A', n: '9007199254740993' }],
    ],
    ['A\t1\n', { delimiter: '\t', columns: ['sku', 'n'] }, [{ sku: 'A', n: '1' }]],
    ['a,a,\n1,2,3\n', {}, [{ a: '1', a_2: '2', column_3: '3' }]],
    ['__proto__\nx\n', {}, [JSON.parse('{"__proto__":"x"}')]],
    ['sku\n\nA\n', {}, [{ sku: 'A' }]],
    ['', {}, []],
  ])('%j is a list of rows', async (text, csv, rows) => {
    expect(await bodyOf(text, CSV, { parse: 'csv', csv })).toEqual(rows)
  })

  test('in Latin-1 keeps its characters', async () => {
    const text = Buffer.from('name\nGrößenordnung é\n', 'latin1')
    expect(await bodyOf(text, 'text/csv; charset=iso-8859-1', { parse: 'csv' })).toEqual([
      { name: 'Größenordnung é' },
    ])
  })
})

describe('XML', () => {
  test.each([
    ['<parts/>', [], { parts: '' }],
    [
      '<?xml version="1.0"?><!-- c --><parts><part sku="A"><stock>3</stock></part></parts>',
      [],
      { parts: { part: { _sku: 'A', stock: '3' } } },
    ],
    [
      '<parts><part>1</part><part>9007199254740993</part></parts>',
      [],
      { parts: { part: ['1', '9007199254740993'] } },
    ],
    ['<parts><part>1</part></parts>', ['parts.part'], { parts: { part: ['1'] } }],
    ['<a b="1">x &lt;&#65;<![CDATA[<y>]]></a>', [], { a: { _b: '1', _text: 'x <A<y>' } }],
    [
      '<s:E xmlns:s="u" xmlns="v"><s:B xsi:nil="true" xmlns:xsi="w"/><c s:d="1"/></s:E>',
      [],
      { E: { B: null, c: { _d: '1' } } },
    ],
    ['<!DOCTYPE plist PUBLIC "a" "b"><plist><x> y </x></plist>', [], { plist: { x: ' y ' } }],
    ['<a><__proto__>1</__proto__></a>', [], JSON.parse('{"a":{"__proto__":"1"}}')],
  ])('%s is an object', async (text, lists, value) => {
    expect(await bodyOf(text, XML, { parse: 'xml', xml: { lists } })).toEqual(value)
  })

  const bomb = `<!DOCTYPE a [<!ENTITY x "${'y'.repeat(100)}"><!ENTITY z "&x;&x;">]><a>&z;</a>`
  const file = '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>'
  test.each([
    ['an entity of its own', bomb],
    ['a file as entity', file],
    ['a missing end', '<a><b></a>'],
    ['600 levels', `${'<a>'.repeat(600)}${'</a>'.repeat(600)}`],
    ['a million levels', '<a>'.repeat(1_000_000)],
    ['a web page', '<!doctype html><html><body>Log in<br></body></html>'],
    ['no element', '  '],
  ])('with %s is refused', async (_, text) => {
    expect(await bodyOf(text, XML, { parse: 'xml' })).toMatchObject({ code: 'OUTPUT_INVALID' })
  })
})

describe('lines of JSON', () => {
  test('are a list, with every digit', async () => {
    const body = await bodyOf('{"a":9007199254740993}\r\n\n[1]\n', 'application/x-ndjson', {
      parse: 'ndjson',
    })
    expect(JSON.stringify(body)).toBe('[{"a":9007199254740993},[1]]')
    expect(await bodyOf('', 'application/x-ndjson', { parse: 'ndjson' })).toEqual([])
  })

  test.each([
    ['{"a":1}\n{"a":', true],
    ['{"a":1}\nx\n', false],
    [`${'['.repeat(501)}${']'.repeat(501)}\n`, false],
  ])('%j are refused', async (text, retryable) => {
    expect(await bodyOf(text, 'application/x-ndjson', { parse: 'ndjson' })).toMatchObject({
      code: 'OUTPUT_INVALID',
      retryable,
    })
  })
})

describe('bytes', () => {
  test('arrive unchanged, as Base64', async () => {
    expect(await bodyOf(PNG, 'image/png', { parse: 'binary' })).toEqual({
      base64: PNG.toString('base64'),
      media_type: 'image/png',
      size: PNG.length,
    })
  })

  test('arrive unpacked', async () => {
    const { read } = await start(
      answering(gzipSync(PNG), 'image/png', 200, { 'content-encoding': 'gzip' }),
    )
    expect(await read({ parse: 'binary' })).toMatchObject({
      body: { base64: PNG.toString('base64') },
    })
  })

  test('count against the budget as they are kept', async () => {
    const { read } = await start(answering(Buffer.alloc(1000), 'image/png'))
    const budget = new ByteBudget(1500)
    const held = budget.open({ mayFail: true, mayWait: false })
    expect(await read({ parse: 'binary' }, { held })).toMatchObject({
      failure: { code: 'TOO_LARGE' },
    })
    held.release()
    const roomy = new ByteBudget(5000).open({ mayFail: true, mayWait: false })
    expect(await read({ parse: 'binary' }, { held: roomy })).toMatchObject({ ok: true })
  })

  test('are never decoded as text', async () => {
    expect(await bodyOf(PNG, 'image/png', { parse: 'text' })).toMatchObject({
      code: 'OUTPUT_INVALID',
    })
  })
})

describe('a stream of events', () => {
  const TYPE = 'text/event-stream'
  test('is a list of events', async () => {
    const text =
      ': ping\n\nid: 7\nevent: part\ndata: {"n":9007199254740993}\n\ndata: a\ndata: b\n\ndata: [DONE]\n\ndata: late\n\n'
    const body = await bodyOf(text, TYPE, { parse: 'sse', sse: { until_data: '[DONE]' } })
    expect(JSON.stringify(body)).toBe(
      JSON.stringify([
        { event: 'part', id: '7', data: { n: JSON.rawJSON('9007199254740993') } },
        { event: 'message', id: null, data: 'a\nb' },
        { event: 'message', id: null, data: '[DONE]' },
      ]),
    )
  })

  /** A stream that never ends. */
  const endless = (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': TYPE })
    let sent = 0
    const timer = setInterval(() => {
      sent++
      response.write(`event: ${sent === 3 ? 'third' : 'tick'}\ndata: é${sent}\n\n`)
    }, 5)
    response.on('close', () => clearInterval(timer))
  }

  test.each([
    ['after a number of events', { events: 2 }, ['é1', 'é2'], ['PARTIAL_RESULTS']],
    ['at an event', { until_event: 'third' }, ['é1', 'é2', 'é3'], []],
    ['at its data', { until_data: 'é2' }, ['é1', 'é2'], []],
  ])('that never ends is read until its limit: %s', async (_, sse, data, warnings) => {
    const { read, service } = await start(endless)
    const reply = await read({ parse: 'sse', sse })
    expect(reply).toMatchObject({ ok: true, body: data.map(text => ({ data: text })) })
    expect(reply.ok && reply.warnings.map(({ code }) => code)).toEqual(warnings)
    expect(service.received).toHaveLength(1)
  })

  test('is read for a time', async () => {
    const { read } = await start(response => {
      response.writeHead(200, { 'content-type': TYPE }).write('data: 1\n\ndata: half')
    })
    expect(await read({ parse: 'sse', sse: { wait_ms: 50 } })).toMatchObject({
      ok: true,
      body: [{ data: '1' }],
      warnings: [{ code: 'PARTIAL_RESULTS' }],
    })
  })

  test('is not taken from another type', async () => {
    expect(await bodyOf('{"a":1}', 'application/json', { parse: 'sse' })).toMatchObject({
      code: 'OUTPUT_INVALID',
    })
  })
})

const FORMATS = [
  ['csv', CSV],
  ['xml', XML],
  ['ndjson', 'application/x-ndjson'],
  ['binary', 'image/png'],
  ['sse', 'text/event-stream'],
] as const

describe.each(FORMATS)('an answer read as %s', (parse, type) => {
  test('may be empty for a change', async () => {
    const { read } = await start(answering('', type))
    expect(await read({ parse }, { effect: 'write' })).toMatchObject({ ok: true, body: null })
    const silent = await start(answering('', type, 204))
    expect(await silent.read({ parse })).toMatchObject({ ok: true, body: null })
  })

  test('that failed is read by its own type', async () => {
    const { read } = await start(answering('{"message":"no such part"}', 'application/json', 404))
    expect(await read({ parse })).toMatchObject({
      ok: false,
      failure: { code: 'NOT_FOUND', message: expect.stringContaining('no such part') },
    })
  })

  test('asks for its type, unless the upstream or the card says otherwise', async () => {
    const { read, service } = await start(answering('', type, 204))
    await read({ parse })
    await read({ parse, headers: { accept: "'text/x'" } })
    const other = await start(answering('', type, 204), { headers: { Accept: 'text/y' } })
    await other.read({ parse })
    const accepted = [...service.received, ...other.service.received].map(
      ({ headers }) => headers.accept,
    )
    expect(accepted.slice(1)).toEqual(['text/x', 'text/y'])
    expect(accepted[0]).toMatch(parse === 'binary' ? /^\*\/\*$/ : new RegExp(`^${type}`))
  })
})

test.each(['csv', 'xml', 'sse'])(
  'a failure that a service reports with 200 is seen where %s is expected',
  async parse => {
    const body = await bodyOf('{"ok":false,"error":"not_found"}', 'application/json', { parse })
    expect(body).toMatchObject({ code: 'NOT_FOUND' })
  },
)

test.each([
  ['sku,stock\nA\n', CSV, 'csv', /not CSV/],
  ['a,"b\n', CSV, 'csv', /not CSV/],
  ['<html>Log in</html>', 'text/html', 'csv', /web page, not CSV/],
  ['<a>', XML, 'xml', /not XML/],
  ['sku,stock\nA,3\n', CSV, 'json', /is text\/csv, not JSON; a card reads that with parse: csv$/],
  ['<a/>', XML, 'json', /is [a-z]+\/xml, not JSON; a card reads that with parse: xml$/],
  ['{"a":1}\n{"a":2}\n', 'application/x-ndjson', 'json', /with parse: ndjson$/],
  ['data: 1\n\n', 'text/event-stream', 'json', /with parse: sse$/],
  ['[1]', 'application/json', 'csv', /is application\/json, not CSV; .* parse: json$/],
  ['{"a"', 'application/json', 'json', /the JSON is cut off$/],
  ['%PDF-1.7', 'application/pdf', 'json', /is application\/pdf, not JSON; .* parse: binary$/],
  [PNG, 'image/png', 'json', /\(image\/png\), a card reads that with parse: binary\.$/],
  [PNG, 'image/png', 'text', /\(image\/png\), a card reads that with parse: binary\.$/],
  [PNG, 'image/png', 'csv', /\(image\/png\), a card reads that with parse: binary\.$/],
])('%j is refused', async (text, type, parse, message) => {
  const failure = await bodyOf(text, type, { parse })
  expect(failure).toMatchObject({
    code: 'OUTPUT_INVALID',
    message: expect.stringMatching(message),
  })
})

test.each(['csv', 'xml', 'sse'])('%s without its parse is a fault of the card', async key => {
  const { connection } = await start(answering('', 'text/plain'))
  const card = { method: 'GET', path: '/', [key]: key === 'xml' ? { lists: [] } : {} }
  expect(() => connection.compile(card, testCompiler())).toThrow(`Write parse: ${key}`)
})
