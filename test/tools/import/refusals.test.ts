import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { signalbox, temporaryDirectory } from '../../commands/support/signalbox.ts'

vi.setConfig({ testTimeout: 120_000 })

const INFO = { title: 'Inventory', version: '1' }
const OPERATION = { operationId: 'getPart', responses: {} }
const GOOD = { openapi: '3.1.0', info: INFO, paths: { '/part': { get: OPERATION } } }
const many = Array.from({ length: 51 }, (_, n) => [`/part-${n}`, { get: { responses: {} } }])
const remote = { requestBody: { $ref: 'common.yaml#/body' }, responses: {} }

interface Bad {
  readonly name: string
  /** Name and text of the document; without a text there is none. */
  readonly file: string
  readonly content?: unknown
  readonly args?: readonly string[]
  readonly told: RegExp
}

const bad: readonly Bad[] = [
  {
    name: 'a file that is not there',
    file: 'none.yaml',
    told: /none\.yaml does not exist\. Name an OpenAPI/,
  },
  {
    name: 'an address',
    file: 'https://example.com/openapi.json',
    told: /nothing is fetched: save it/,
  },
  {
    name: 'no YAML',
    file: 'a.yaml',
    content: 'a: [1,\nb: ]',
    told: /a\.yaml:2 is neither JSON nor YAML: /,
  },
  {
    name: 'broken JSON',
    file: 'a.json',
    content: '{"openapi": "3.1.0",\n "info" 1}',
    told: /a\.json:2 is neither/,
  },
  {
    name: 'an empty file',
    file: 'a.yaml',
    content: '',
    told: /a\.yaml is neither JSON nor YAML: expected a document, but the input is empty/,
  },
  {
    name: 'another kind of document',
    file: 'a.json',
    content: { name: 'x' },
    told: /not a document that can be imported/,
  },
  {
    name: 'Swagger 2',
    file: 'a.json',
    content: { swagger: '2.0' },
    told: /is Swagger 2\.0; only OpenAPI 3 is read\. Convert/,
  },
  {
    name: 'an OpenAPI to come',
    file: 'a.json',
    content: { openapi: '4.0.0' },
    told: /is OpenAPI 4\.0\.0; 3\.0/,
  },
  {
    name: 'a schema with a fault of syntax',
    file: 'a.graphql',
    content: 'type Query {\n  part(: Int\n}',
    told: /a\.graphql:2 is no GraphQL schema: Syntax Error: Expected Name/,
  },
  {
    name: 'a schema with a type that is not there',
    file: 'a.graphql',
    content: 'type Query { part: Part }',
    told: /a\.graphql is no GraphQL schema: Unknown type: "Part"/,
  },
  {
    name: 'queries in place of a schema',
    file: 'a.graphql',
    content: 'query Part { part { id } }',
    told: /the schema has neither a Query nor a Mutation with fields/,
  },
  {
    name: 'an introspection that is broken',
    file: 'a.json',
    content: { data: { __schema: {} } },
    told: /a\.json is no GraphQL schema: /,
  },
  {
    name: 'a document without paths',
    file: 'a.json',
    content: { openapi: '3.1.0', info: INFO },
    told: /has no "paths"/,
  },
  {
    name: 'paths without operations',
    file: 'a.json',
    content: { ...GOOD, paths: {} },
    told: /none of them can be a card/,
  },
  {
    name: 'only what no card can express',
    file: 'a.json',
    content: { ...GOOD, paths: { '/part': { post: remote } } },
    told: /none of them can be a card/,
  },
  {
    name: 'more than anybody asked for',
    file: 'a.json',
    content: { ...GOOD, paths: Object.fromEntries(many) },
    told: /has 51 operations\. Name those that you want.*--dry-run lists them/,
  },
  {
    name: 'a choice of nothing',
    file: 'a.json',
    content: GOOD,
    args: ['--only', 'GET /nowhere'],
    told: /--only 'GET \/nowhere' names none of the 1 operations/,
  },
  {
    name: 'an id that is none',
    file: 'a.json',
    content: GOOD,
    args: ['--id', 'My Shop'],
    told: /--id My Shop is no id: use/,
  },
  {
    name: 'an id that is shipped',
    file: 'a.json',
    content: GOOD,
    args: ['--id', 'github'],
    told: /"github" is the id of an upstream that is shipped; choose another with --id/,
  },
  {
    name: 'an address that is none',
    file: 'a.json',
    content: GOOD,
    args: ['--url', 'localhost'],
    told: /--url localhost is no address/,
  },
]

let place: Awaited<ReturnType<typeof temporaryDirectory>>
beforeAll(async () => {
  place = await temporaryDirectory()
})
afterAll(() => place[Symbol.asyncDispose]())

test.for(bad)(
  'refuses $name, in one line, and writes nothing',
  async ({ file, content, args = [], told }) => {
    const out = join(place.path, 'out')
    const path = file.startsWith('https:') ? file : join(place.path, file)
    const text = typeof content === 'string' ? content : JSON.stringify(content)
    if (content !== undefined) await writeFile(path, text)
    const { code, stderr } = await signalbox(['import', path, '--out', out, ...args])
    expect({ code, lines: stderr.trimEnd().split('\n').length }).toEqual({ code: 1, lines: 1 })
    expect(stderr).toMatch(told)
    expect(await readdir(place.path)).not.toContain('out')
  },
)

test('refuses a folder that cannot be one', async () => {
  const file = join(place.path, 'good.json')
  await writeFile(file, JSON.stringify(GOOD))
  const { code, stderr } = await signalbox(['import', file, '--out', join(file, 'out')])
  expect({ code, stderr }).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/cannot be written: .* Use another --out$/m),
  })
})

test('takes a version that YAML reads as a number, and leaves out a path from elsewhere', async () => {
  const file = join(place.path, 'number.yaml')
  const paths =
    'paths: { /a: { $ref: other.yaml }, /part: { get: { responses: { 204: { description: None } } } } }'
  await writeFile(file, `openapi: 3.1\ninfo: { title: Numbers }\n${paths}\n`)
  const { code, stdout } = await signalbox(['import', file, '--dry-run'])
  expect(code).toBe(0)
  expect(stdout).toContain('  part.view  GET /part\n')
  expect(stdout).toContain('  * /a: it refers to other.yaml, which is outside of this document')
})

test('never writes over a card, unless --force says so', async () => {
  const out = join(place.path, 'mine')
  const file = join(place.path, 'good.json')
  await writeFile(file, JSON.stringify(GOOD))
  await mkdir(out)
  await writeFile(join(out, 'part.view.yaml'), 'mine')
  const refused = await signalbox(['import', file, '--out', out])
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/part\.view\.yaml is there already\. Nothing was written/),
  })
  expect(await readdir(out)).toEqual(['part.view.yaml'])
  const forced = await signalbox(['import', file, '--out', out, '--force'])
  expect(forced).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('1 capability, 0 problems'),
  })
})
