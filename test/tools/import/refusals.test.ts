import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { type ImportOptions, importDocument } from '../../../src/commands/import.ts'
import { ImportError } from '../../../src/tools/import/errors.ts'
import { runHere } from '../../commands/support/run-here.ts'
import { temporaryDirectory } from '../../commands/support/signalbox.ts'

vi.setConfig({ testTimeout: 120_000 })

const INFO = { title: 'Inventory', version: '1' }
const OPERATION = { operationId: 'getPart', responses: {} }
const GOOD = { openapi: '3.1.0', info: INFO, paths: { '/part': { get: OPERATION } } }
const many = Array.from({ length: 51 }, (_, n) => [`/part-${n}`, { get: { responses: {} } }])
const withRemoteBody = { requestBody: { $ref: 'common.yaml#/body' }, responses: {} }

interface Bad {
  readonly name: string
  /** Name of the document. */
  readonly file: string
  /** Its text, or its JSON; undefined if the file does not exist. */
  readonly content?: unknown
  readonly options?: ImportOptions
  readonly message: RegExp
}

const bad: readonly Bad[] = [
  {
    name: 'a missing file',
    file: 'none.yaml',
    message: /none\.yaml does not exist\. Name an OpenAPI/,
  },
  {
    name: 'an address',
    file: 'https://example.com/openapi.json',
    message: /import fetches nothing: save it/,
  },
  {
    name: 'invalid YAML',
    file: 'a.yaml',
    content: 'a: [1,\nb: ]',
    message: /a\.yaml:2 is neither JSON nor YAML: /,
  },
  {
    name: 'invalid JSON',
    file: 'a.json',
    content: '{"openapi": "3.1.0",\n "info" 1}',
    message: /a\.json:2 is neither/,
  },
  {
    name: 'an empty file',
    file: 'a.yaml',
    content: '',
    message: /a\.yaml is neither JSON nor YAML: expected a document, but the input is empty/,
  },
  {
    name: 'another kind of document',
    file: 'a.json',
    content: { name: 'x' },
    message: /import cannot read a\.json\. Give it a document of OpenAPI/,
  },
  {
    name: 'an earlier version of Swagger',
    file: 'a.json',
    content: { swaggerVersion: '1.2' },
    message: /is Swagger 1\.2, and import reads OpenAPI 3\.0/,
  },
  {
    name: 'a later version of OpenAPI',
    file: 'a.json',
    content: { openapi: '4.0.0' },
    message: /is OpenAPI 4\.0\.0, and import reads OpenAPI 3\.0/,
  },
  {
    name: 'a schema with a syntax error',
    file: 'a.graphql',
    content: 'type Query {\n  part(: Int\n}',
    message: /a\.graphql:2 is not a valid GraphQL schema: Syntax Error: Expected Name/,
  },
  {
    name: 'a schema with an unknown type',
    file: 'a.graphql',
    content: 'type Query { part: Part }',
    message: /a\.graphql is not a valid GraphQL schema: Unknown type: "Part"/,
  },
  {
    name: 'queries instead of a schema',
    file: 'a.graphql',
    content: 'query Part { part { id } }',
    message: /the schema has neither a Query nor a Mutation with fields/,
  },
  {
    name: 'an invalid introspection',
    file: 'a.json',
    content: { data: { __schema: {} } },
    message: /a\.json is not a valid GraphQL schema: /,
  },
  {
    name: 'a document without paths',
    file: 'a.json',
    content: { openapi: '3.1.0', info: INFO },
    message: /has no "paths"/,
  },
  {
    name: 'Swagger 2.0 without paths',
    file: 'a.json',
    content: { swagger: '2.0', info: INFO },
    message: /has no "paths"/,
  },
  {
    name: 'paths without operations',
    file: 'a.json',
    content: { ...GOOD, paths: {} },
    message: /no card can express any of them/,
  },
  {
    name: 'a document that no card can express',
    file: 'a.json',
    content: { ...GOOD, paths: { '/part': { post: withRemoteBody } } },
    message: /no card can express any of them/,
  },
  {
    name: 'too many operations without --only',
    file: 'a.json',
    content: { ...GOOD, paths: Object.fromEntries(many) },
    message: /has 51 operations\. Choose some.*--dry-run lists them/,
  },
  {
    name: 'a pattern that matches nothing',
    file: 'a.json',
    content: GOOD,
    options: { only: ['GET /nowhere'] },
    message: /--only 'GET \/nowhere' matches none of the 1 operations/,
  },
  {
    name: 'an invalid id',
    file: 'a.json',
    content: GOOD,
    options: { id: 'My Shop' },
    message: /--id My Shop is not a valid id: use/,
  },
  {
    name: 'the id of a shipped upstream',
    file: 'a.json',
    content: GOOD,
    options: { id: 'github' },
    message: /"github" is the id of a shipped upstream; choose another with --id/,
  },
  {
    name: 'an invalid address',
    file: 'a.json',
    content: GOOD,
    options: { url: 'localhost' },
    message: /--url localhost is not an address/,
  },
]

let place: Awaited<ReturnType<typeof temporaryDirectory>>
beforeAll(async () => {
  place = await temporaryDirectory()
})
afterAll(() => place[Symbol.asyncDispose]())

test.for(bad)(
  'refuses $name, in one line, and writes nothing',
  async ({ file, content, options = {}, message }) => {
    const path = file.startsWith('https:') ? file : join(place.path, file)
    const text = typeof content === 'string' ? content : JSON.stringify(content)
    if (content !== undefined) await writeFile(path, text)
    // Some refusals follow a listing.
    const stdout = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
    onTestFinished(() => stdout.mockRestore())
    const refused = importDocument(path, { out: join(place.path, 'out'), ...options })
    const error = await refused.catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(ImportError)
    expect((error as ImportError).message).toMatch(message)
    expect((error as ImportError).message).not.toContain('\n')
    expect(await readdir(place.path)).not.toContain('out')
  },
)

test('prints a refusal on standard error, and exits with 1', async () => {
  const { code, stdout, stderr } = await runHere(['import', join(place.path, 'none.yaml')])
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/^signalbox: \S+none\.yaml does not exist\. Name an OpenAPI.*\n$/)
})

test('refuses a folder below a file', async () => {
  const file = join(place.path, 'good.json')
  await writeFile(file, JSON.stringify(GOOD))
  const { code, stderr } = await runHere(['import', file, '--out', join(file, 'out')])
  expect({ code, stderr }).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/is not writable: .* Use another --out$/m),
  })
})

test('accepts a version that YAML reads as a number, and skips a path from another file', async () => {
  const file = join(place.path, 'number.yaml')
  const paths =
    'paths: { /a: { $ref: other.yaml }, /part: { get: { responses: { 204: { description: None } } } } }'
  await writeFile(file, `openapi: 3.1\ninfo: { title: Numbers }\n${paths}\n`)
  const { code, stdout } = await runHere(['import', file, '--dry-run'])
  expect(code).toBe(0)
  expect(stdout).toContain('  part.view  GET /part\n')
  expect(stdout).toContain('  * /a: it refers to other.yaml, which is outside this document')
})

test('overwrites a card with --force only', async () => {
  const out = join(place.path, 'mine')
  const file = join(place.path, 'good.json')
  await writeFile(file, JSON.stringify(GOOD))
  await mkdir(out)
  await writeFile(join(out, 'part.view.yaml'), 'mine')
  const refused = await runHere(['import', file, '--out', out])
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/part\.view\.yaml exists already\. Nothing was written/),
  })
  expect(await readdir(out)).toEqual(['part.view.yaml'])
  const forced = await runHere(['import', file, '--out', out, '--force'])
  expect(forced).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('1 capability, 0 problems'),
  })
})
