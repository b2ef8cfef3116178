import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { readOpenApi } from '../../../src/tools/import/openapi.ts'
import { temporaryDirectory } from '../../commands/support/signalbox.ts'
import { openService, sendJson } from '../../support/service.ts'
import { importAndServe } from './support/imported.ts'

vi.setConfig({ testTimeout: 120_000 })

type Json = Readonly<Record<string, unknown>>

const string = { type: 'string' }
const object = (properties: Json, ...required: string[]) => ({
  type: 'object',
  required,
  properties,
})

function documentOf(paths: Readonly<Record<string, Json>>) {
  const operations = Object.entries(paths).map(([path, content]) => [
    path,
    { post: { requestBody: { required: true, content }, responses: {} } },
  ])
  return { openapi: '3.0.3', info: { title: 'Post' }, paths: Object.fromEntries(operations) }
}

test.each<[string, Json]>([
  ['without a type', {}],
  ['of a kind that no card can send', { 'multipart/mixed': {} }],
])('an optional body %s is left out', (_what, content) => {
  const post = { requestBody: { content }, responses: {} }
  const { operations } = readOpenApi({ ...documentOf({}), paths: { '/parts': { post } } })
  expect(operations[0]?.draft().section).not.toHaveProperty('body')
})

const sectionOf = (content: Json) =>
  readOpenApi(documentOf({ '/parts': content })).operations[0]?.draft().section

test.each<[string, Json, Json]>([
  ['JSON', { 'application/json': {} }, { body: 'input.body' }],
  [
    'JSON before a form',
    { 'application/x-www-form-urlencoded': {}, 'application/json': {} },
    { body: 'input.body' },
  ],
  [
    'a JSON patch',
    { 'application/json-patch+json': { schema: { type: 'array' } } },
    { body: 'input.body', content_type: 'application/json-patch+json' },
  ],
  [
    'a merge patch before a JSON patch',
    {
      'application/json-patch+json': {},
      'application/merge-patch+json': { schema: object({ a: string }) },
    },
    { body: 'input', content_type: 'application/merge-patch+json' },
  ],
  ['a text', { 'text/plain; charset=utf-8': {} }, { encoding: 'text', body: 'input.body' }],
  ['XML', { 'application/xml': {} }, { encoding: 'text', content_type: 'application/xml' }],
  ['bytes', { 'application/octet-stream': {} }, { encoding: 'binary', body: 'input.body' }],
  ['a picture', { 'image/png': {} }, { encoding: 'binary', content_type: 'image/png' }],
  [
    'any picture',
    { 'image/*': {} },
    { encoding: 'binary', headers: { 'content-type': 'input.contentType' } },
  ],
])('a body of %s is sent as such', (_what, content, section) => {
  expect(sectionOf(content)).toMatchObject(section)
})

test('a body of a type that no card can send is named', () => {
  expect(() => sectionOf({ 'multipart/mixed': {} })).toThrow(/takes a body of multipart\/mixed/)
})

test('forms, their styles, and files arrive as the document says', async () => {
  await using directory = await temporaryDirectory()
  await using service = await openService((_request, response) => sendJson(response, {}))
  const charge = object({
    amount: { type: 'integer' },
    metadata: object({ a: string }),
    expand: { type: 'array', items: string },
    note: object({ b: string }),
  })
  const deep = { style: 'deepObject', explode: true }
  const binary = { type: 'string', format: 'binary' }
  const file = join(directory.path, 'post.json')
  const document = documentOf({
    '/charges': {
      'application/x-www-form-urlencoded': {
        schema: charge,
        encoding: { metadata: deep, expand: deep },
      },
    },
    '/uploads': {
      'multipart/form-data': {
        schema: object(
          { title: string, photo: binary, pages: { type: 'array', items: binary } },
          'title',
          'photo',
        ),
        // The type of a file, unless the caller names another.
        encoding: {
          photo: { contentType: 'image/jpeg' },
          pages: { contentType: 'text/markdown' },
        },
      },
    },
  })
  await writeFile(file, JSON.stringify(document))
  await using imported = await importAndServe(file, 'post', { env: { POST_URL: service.url } })
  const form = { amount: 7, metadata: { a: 'x&y' }, expand: ['m', 'n'], note: { b: 'z' } }
  expect((await imported.gateway.call('charge.create', form)).body).toMatchObject({ ok: true })
  const last = () => service.received.at(-1)
  expect(last()?.headers['content-type']).toBe('application/x-www-form-urlencoded')
  expect(new URLSearchParams(last()?.body.toString())).toEqual(
    new URLSearchParams([
      ['amount', '7'],
      ['metadata[a]', 'x&y'],
      ['expand[]', 'm'],
      ['expand[]', 'n'],
      ['note', '{"b":"z"}'],
    ]),
  )
  const photo = { base64: 'iVBORw==', filename: 'a.png', media_type: 'image/png' }
  const upload = { title: 'Bolt', photo, pages: [{ text: 'one' }, { text: 'two' }] }
  expect((await imported.gateway.call('upload.create', upload)).body).toMatchObject({ ok: true })
  const parts = await new Response(new Uint8Array(last()?.body ?? []), {
    headers: { 'content-type': String(last()?.headers['content-type']) },
  }).formData()
  expect(parts.get('title')).toBe('Bolt')
  const sent = parts.get('photo') as File
  expect([sent.name, sent.type, Buffer.from(await sent.arrayBuffer()).toString('base64')]).toEqual([
    'a.png',
    'image/png',
    'iVBORw==',
  ])
  const pages = parts.getAll('pages') as File[]
  expect(await Promise.all(pages.map(page => page.text()))).toEqual(['one', 'two'])
  expect(pages.map(({ type }) => type)).toEqual(['text/markdown', 'text/markdown'])
})

test.each([
  ['none', {}, null, { type: 'string' }],
  ['one', { contentMediaType: 'image/png' }, null, { default: 'image/png' }],
  ['one of the encoding', { format: 'binary' }, 'image/png', { default: 'image/png' }],
  ['any of a kind', { format: 'binary' }, 'image/*', { description: 'Such as image/*.' }],
  ['several', { format: 'binary' }, 'a/b, c/d', { description: 'Such as a/b, c/d.' }],
  ['that of any bytes', { contentMediaType: 'application/octet-stream' }, null, { type: 'string' }],
])('a file has the media type that the document says: %s', (_what, own, contentType, member) => {
  const encoding = contentType === null ? {} : { encoding: { file: { contentType } } }
  const schema = object({ file: { type: 'string', format: 'binary', ...own } })
  const content = { 'multipart/form-data': { schema, ...encoding } }
  const input = readOpenApi(documentOf({ '/parts': content })).operations[0]?.draft().input
  expect(input).toMatchObject({ properties: { file: { properties: { media_type: member } } } })
})
