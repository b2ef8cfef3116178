import { describe, expect, onTestFinished, test } from 'vitest'
import { createRestAdapter } from '../../../adapters/rest/index.ts'
import { callContext, connect, testCompiler } from '../../contract/adapter.ts'
import { type Received, sendJson, startService } from '../../support/service.ts'

const PNG = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10, 0, 255, 254])

/** Starts a service, and returns a function that sends a card's body to it. */
async function start(upstream: object = {}) {
  const service = await startService((_, response) => sendJson(response, { fine: true }))
  const connection = connect(createRestAdapter(), { base_url: service.url, ...upstream })
  onTestFinished(() => connection.close())
  const compile = (card: object) =>
    connection.compile({ method: 'POST', path: '/', ...card }, testCompiler())
  const send = async (card: object, input: object = {}) => {
    const reply = await compile(card).call({ input }, callContext('write'))
    return { reply, request: service.received.at(-1) as Received }
  }
  return { compile, send, service }
}

const typeOf = (request: Received) => request.headers['content-type']
const formIn = async ({ headers, body }: Received) =>
  await new Response(new Uint8Array(body), {
    headers: { 'content-type': String(headers['content-type']) },
  }).formData()

describe('a body', () => {
  test.each([
    { encoding: 'json' },
    { encoding: 'json', keep_nulls: true },
    { encoding: 'json', keep_nulls: true, body: 'input.other.body' },
    { encoding: 'form' },
    { encoding: 'multipart' },
    { encoding: 'text' },
    { encoding: 'binary' },
  ])('that the caller leaves out is not sent: %o', async card => {
    const { send } = await start()
    const { request } = await send({ body: 'input.body', ...card })
    expect(request.body.toString()).toBe('')
    expect(request.headers).not.toHaveProperty('content-type')
    expect(request.headers['content-length'] ?? '0').toBe('0')
  })

  test.each([
    ['sent', { keep_nulls: true }, 'null'],
    ['sent by a quoted name', { keep_nulls: true, body: 'input."body"' }, 'null'],
    ['left out without keep_nulls', {}, ''],
  ])('that the caller gives as null is %s', async (_what, card, sent) => {
    const { send } = await start()
    const { request } = await send({ body: 'input.body', ...card }, { body: null })
    expect(request.body.toString()).toBe(sent)
  })

  test('is a form, with the styles of the card', async () => {
    const { send } = await start()
    const card = {
      encoding: 'form',
      body: {
        amount: 'input.amount',
        expand: 'input.expand',
        metadata: 'input.metadata',
        items: 'input.items',
        tags: 'input.tags',
        none: 'input.none',
        empty: 'input.empty',
      },
      styles: {
        body: { expand: 'brackets', metadata: 'brackets', items: 'indexed', tags: 'comma' },
      },
      keep_empty: ['empty'],
    }
    const { request } = await send(card, {
      amount: JSON.rawJSON('9007199254740993'),
      expand: ['customer', 'a&b'],
      metadata: { order: 'ö 1', 'a=b': '+' },
      items: [{ price: 'p1', quantity: 2 }],
      tags: ['a', 'b,c'],
      empty: [],
    })
    expect(typeOf(request)).toBe('application/x-www-form-urlencoded')
    expect(request.body.toString()).toContain('tags=a,b%2Cc')
    expect([...new URLSearchParams(request.body.toString())]).toEqual([
      ['amount', '9007199254740993'],
      ['expand[]', 'customer'],
      ['expand[]', 'a&b'],
      ['metadata[order]', 'ö 1'],
      ['metadata[a=b]', '+'],
      ['items[0][price]', 'p1'],
      ['items[0][quantity]', '2'],
      ['tags', 'a,b,c'],
      ['empty', ''],
    ])
  })

  test('is a form of all that the caller gives, if the body is one expression', async () => {
    const { send } = await start()
    const { request } = await send({ encoding: 'form', body: 'input' }, { a: 'x y', b: [1, 2] })
    expect(request.body.toString()).toBe('a=x%20y&b=1&b=2')
  })

  test('is multipart with fields and files, whose bytes arrive unchanged', async () => {
    const { send } = await start()
    const card = {
      encoding: 'multipart',
      body: { title: 'input.title', tags: 'input.tags', meta: 'input.meta', none: 'input.none' },
      files: {
        image: { base64: 'input.image', filename: 'input.name', media_type: "'image/png'" },
        note: { text: 'input.note' },
        more: 'input.more',
        absent: { base64: 'input.absent' },
      },
    }
    const { request } = await send(card, {
      title: 'Grüße 🚂',
      tags: ['a', 'b'],
      meta: { id: JSON.rawJSON('12345678901234567890') },
      image: PNG.toString('base64'),
      name: 'naïve.png',
      note: 'one\ntwo',
      more: [
        { base64: 'AA==', filename: '1' },
        { text: '2', media_type: 'text/plain' },
      ],
    })
    expect(typeOf(request)).toMatch(/^multipart\/form-data; boundary=/)
    const form = await formIn(request)
    expect(form.get('title')).toBe('Grüße 🚂')
    expect(form.getAll('tags')).toEqual(['a', 'b'])
    expect(form.get('meta')).toBe('{"id":12345678901234567890}')
    expect([...form.keys()]).not.toContain('absent')
    const image = form.get('image') as File
    expect([image.name, image.type]).toEqual(['naïve.png', 'image/png'])
    expect(Buffer.from(await image.arrayBuffer())).toEqual(PNG)
    const note = form.get('note') as File
    expect([note.name, note.type]).toEqual(['note', 'application/octet-stream'])
    expect(await note.text()).toBe('one\ntwo')
    const more = form.getAll('more') as File[]
    expect(more.map(({ name, type }) => [name, type])).toEqual([
      ['1', 'application/octet-stream'],
      ['more', 'text/plain'],
    ])
  })

  test.each([
    ['a filename', { name: 'a"; filename="b.html"\r\nContent-Type: text/html\r\n\r\nx' }],
    [
      'a field',
      { title: 'x\r\n--boundary\r\nContent-Disposition: form-data; name="admin"\r\n\r\n1' },
    ],
    ['a file', { note: '\r\n--x--\r\nContent-Disposition: form-data; name="admin"\r\n\r\n1' }],
  ])('%s of a caller adds no part and no header', async (_, input) => {
    const { send } = await start()
    const card = {
      encoding: 'multipart',
      body: { title: 'input.title' },
      files: { note: { text: 'input.note', filename: 'input.name' } },
    }
    const { request } = await send(card, { title: 't', note: 'n', name: 'f', ...input })
    const form = await formIn(request)
    expect([...form.keys()]).toEqual(['title', 'note'])
    expect((form.get('note') as File).type).toBe('application/octet-stream')
    expect(request.body.toString()).not.toContain('\r\nContent-Type: text/html')
  })

  test.each([
    [{ encoding: 'text', body: 'input.a' }, 'text/plain; charset=utf-8'],
    [{ encoding: 'text', content_type: 'application/sql', body: 'input.a' }, 'application/sql'],
  ])('is text: %o', async (card, type) => {
    const { send } = await start({ headers: { 'content-type': 'application/json' } })
    const { request } = await send(card, { a: 'Größe: "1"\r\n' })
    expect([typeOf(request), request.body.toString()]).toEqual([type, 'Größe: "1"\r\n'])
    expect((await send(card)).request.body).toHaveLength(0)
  })

  test('is bytes from Base64, with the media type that the caller gives', async () => {
    const { send } = await start()
    const card = { encoding: 'binary', body: 'input.a', headers: { 'Content-Type': 'input.type' } }
    const { request } = await send(card, { a: PNG.toString('base64'), type: 'image/png' })
    expect([typeOf(request), request.body]).toEqual(['image/png', PNG])
    const other = await send(card, { a: '' })
    expect(typeOf(other.request)).toBe('application/octet-stream')
  })

  test('is JSON of another media type', async () => {
    const { send } = await start()
    const patch = [{ op: 'add', path: '/a', value: null }]
    const card = { content_type: 'application/json-patch+json', body: 'input.patch' }
    const { request } = await send(card, { patch })
    expect([typeOf(request), request.body.toString()]).toEqual([
      'application/json-patch+json',
      JSON.stringify(patch),
    ])
  })

  test.each([
    [{ encoding: 'binary', body: 'input.a' }, { a: 'no Base64!' }, /a must be Base64/],
    [{ encoding: 'binary', body: 'input.a' }, { a: 'AAA' }, /a must be Base64/],
    [{ encoding: 'binary', body: 'input.a' }, { a: 'AA-_' }, /a must be Base64/],
    [{ encoding: 'binary', body: 'input.a' }, { a: 7 }, /must be Base64/],
    [{ encoding: 'text', body: 'input.a' }, { a: {} }, /must be a single value/],
    [{ encoding: 'form', body: 'input.a' }, { a: 'x' }, /must be an object/],
    [{ encoding: 'form', body: { f: 'input.a' } }, { a: { $ne: 1 } }, /f must be a single value/],
    [{ encoding: 'form', body: { f: 'input.a' } }, { a: 'x\0' }, /a contains a NUL/],
    [{ encoding: 'multipart', files: { f: 'input.a' } }, { a: 'x' }, /must be a file/],
    [{ encoding: 'multipart', files: { f: 'input.a' } }, { a: { path: '/etc' } }, /must be a file/],
    [{ encoding: 'multipart', files: { f: { base64: 'input.a' } } }, { a: '#' }, /must be Base64/],
    [
      { encoding: 'multipart', files: { f: { text: "'x'", media_type: 'input.a' } } },
      { a: 'text/html\r\nX: y' },
      /media_type/,
    ],
    [
      { encoding: 'binary', body: "''", headers: { 'content-type': 'input.a' } },
      { a: 'multipart/form-data' },
      /must be a media type/,
    ],
  ])('%o refuses %o before anything is sent', async (card, input, message) => {
    const { send, service } = await start()
    const { reply } = await send(card, input)
    expect(reply).toMatchObject({
      ok: false,
      failure: { code: 'VALIDATION', writeOutcome: 'not_applied' },
    })
    expect(reply.ok ? '' : reply.failure.message).toMatch(message)
    expect(service.received).toEqual([])
  })

  test.each([
    [
      { body: { a: 1 }, headers: { 'content-type': "'application/x-www-form-urlencoded'" } },
      /says application\/x-www-form-urlencoded, but the body is sent as json.*encoding: form/,
    ],
    [{ body: 'input.a', content_type: 'text/csv' }, /sent as json.*encoding: text/],
    [{ body: 'input.a', content_type: 'json' }, /is not a media type/],
    [{ body: 'input.a', headers: { 'Content-Type': 'input.t' } }, /depends on the call/],
    [{ encoding: 'form', body: {}, content_type: 'application/json' }, /encoding: json/],
    [{ encoding: 'text', body: "''", content_type: 'application/json' }, /encoding: json/],
    [{ encoding: 'text', body: "''", content_type: 'text/plain; charset=latin1' }, /charset=utf-8/],
    [{ encoding: 'binary', body: "''", content_type: 'multipart/mixed' }, /encoding: multipart/],
    [
      { body: {}, content_type: 'application/json', headers: { 'content-type': "'text/json'" } },
      /is set twice/,
    ],
    [{ encoding: 'form' }, /no effect without a body/],
    [{ body: {}, files: { a: { text: "''" } } }, /cannot be sent as json/],
    [{ encoding: 'multipart', files: { a: {} } }, /needs either base64 or text/],
    [
      { encoding: 'multipart', body: { a: 1 }, files: { a: { text: "''" } } },
      /also a member of body/,
    ],
    [{ body: {}, styles: { body: { a: 'comma' } } }, /no effect on json/],
    [
      { encoding: 'form', body: { a: 1 }, styles: { body: { b: 'comma' } } },
      /style of no parameter/,
    ],
    [{ encoding: 'form', body: { a: 1 }, keep_empty: ['b'] }, /b is no parameter/],
    [
      { query: { a: 1 }, styles: { query: { b: 'comma' } } },
      /style of no parameter.*Write one of: a/,
    ],
    [{ headers: { a: '1' }, styles: { headers: { b: 'comma' } } }, /style of nothing/],
    [{ cookies: { 'a b': 'input.a' } }, /not a valid name of a cookie/],
    [{ cookies: { session: 'input.a' } }, /is set in upstream.yaml/],
  ])('%o is a fault of the card', async (card, message) => {
    const { compile } = await start({ headers: { Cookie: 'session=${credential}; b=1' } })
    expect(() => compile(card)).toThrow(message)
  })
})

describe('a request', () => {
  test('writes lists and objects in query, headers and cookies by their styles', async () => {
    const { send } = await start({ headers: { cookie: 'fixed=1' } })
    const card = {
      path: '/find/{ids*}',
      query: { tags: 'input.tags', filter: 'input.filter', q: 'input.q' },
      headers: { 'x-list': 'input.tags', 'x-object': 'input.filter', 'x-json': 'input.json' },
      cookies: { session: 'input.cookie', none: 'input.none', list: 'input.ids' },
      styles: {
        query: { tags: 'comma', filter: 'brackets' },
        headers: { 'x-list': 'comma', 'x-object': 'members', 'x-json': 'json' },
        cookies: { list: 'comma' },
      },
    }
    const { request } = await send(card, {
      ids: ['a/b', 'c'],
      tags: ['green', 'red'],
      filter: { color: 'x,y'.slice(0, 1), size: 3 },
      q: 'a,b',
      json: { text: 'größe 🚂' },
      cookie: 'a==; admin=1\r\n',
    })
    expect(request.url).toBe(
      '/find/a%2Fb,c?tags=green,red&filter%5Bcolor%5D=x&filter%5Bsize%5D=3&q=a%2Cb',
    )
    expect(request.headers).toMatchObject({
      'x-list': 'green,red',
      'x-object': 'color=x,size=3',
      'x-json': '{"text":"gr\\u00f6\\u00dfe \\ud83d\\ude82"}',
      cookie: 'fixed=1; session=a==%3B%20admin=1%0D%0A; list=a/b%2Cc',
    })
  })

  test.each([
    [{ headers: { 'x-a': 'input.a' } }, { a: ['b'] }],
    [{ headers: { 'x-a': 'input.a' }, styles: { headers: { 'x-a': 'comma' } } }, { a: ['b,c'] }],
    [{ headers: { 'x-a': 'input.a' }, styles: { headers: { 'x-a': 'comma' } } }, { a: ['b\r\n'] }],
    [{ cookies: { c: 'input.a' } }, { a: ['b'] }],
    [{ cookies: { c: 'input.a' } }, { a: '\ud800' }],
    [{ query: { c: 'input.a' } }, { a: { $ne: 1 } }],
  ])('%o refuses %o', async (card, input) => {
    const { send, service } = await start()
    const { reply } = await send(card, input)
    expect(reply).toMatchObject({ ok: false, failure: { code: 'VALIDATION' } })
    expect(service.received).toEqual([])
  })
})

test('an object whose members are parameters cannot name another parameter or a credential', async () => {
  const service = await startService((_, response) => sendJson(response, {}))
  const connection = createRestAdapter().connect(
    { base_url: service.url },
    {
      upstream: 'test',
      rules: [],
      compiler: testCompiler(),
      now: Date.now,
      searchPath: '',
      schemes: { key: { type: 'query', name: 'api_key' } },
    },
  )
  onTestFinished(() => connection.close())
  const card = { query: { q: "'x'", more: 'input.more' }, styles: { query: { more: 'members' } } }
  const call = connection.compile({ method: 'GET', path: '/', ...card }, testCompiler())
  const send = (more: object) => call.call({ input: { more } }, callContext('read'))
  expect(await send({ page: 2 })).toMatchObject({ ok: true })
  for (const name of ['q', 'api_key']) {
    expect(await send({ [name]: 'mine' })).toMatchObject({ failure: { code: 'VALIDATION' } })
  }
  expect(service.lines()).toEqual(['GET /?q=x&page=2'])
})
