import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PROFILE_NAMES } from '../../src/model/profile-name.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'

const HERE = fileURLToPath(new URL('.', import.meta.url))
/** Where the documents and the types made from them are; the client imports them from here. */
const GENERATED = join(HERE, 'generated')
/** The whole document of a gateway without keys, from which the client is made. */
const CLIENT = join(GENERATED, 'client.yaml')
const TOOLS = join(HERE, 'node_modules/.bin')
const KEYS = [
  { name: 'all', secret: 'a-key-of-16-characters', scopes: ['graphql' as const] },
  { name: 'reader', secret: 'another-key-of-16-characters', read_only: true },
]
const INVENTORY = fileURLToPath(new URL('../fixtures/capabilities/inventory', import.meta.url))

let locked: TestGateway
let open: TestGateway

const SOME_GITHUB = 'capabilities=repo.view,pr.*'
const SOME = 'capabilities=repo.view,pr.*,forest.*,part.*'

/** The query of a document, and its caller. Linting all capabilities takes long, so most are of some. */
const DOCUMENTS: Readonly<Record<string, readonly [query: string, key: string | null]>> = {
  all: ['', 'a-key-of-16-characters'],
  reader: ['?capabilities=*.view', 'another-key-of-16-characters'],
  stranger: ['', null],
  some: [`?${SOME}`, 'a-key-of-16-characters'],
  ...Object.fromEntries(
    PROFILE_NAMES.slice(1).map(name => [
      name,
      [`?${SOME}&profile=${name}`, 'a-key-of-16-characters'],
    ]),
  ),
}

beforeAll(async () => {
  await rm(GENERATED, { recursive: true, force: true })
  await mkdir(GENERATED)
  // Cards of a user's own have schemas as the user writes them.
  const capabilities = [INVENTORY, join(HERE, 'cards')]
  const env = { INVENTORY_URL: 'http://127.0.0.1:9' }
  locked = await startTestGateway({ settings: { keys: KEYS, capabilities }, env })
  open = await startTestGateway()
  for (const [name, [query, key]] of Object.entries(DOCUMENTS)) {
    await save(name, `${locked.url}/openapi.json${query}`, key)
  }
  await save('keyless', `${open.url}/openapi.json?${SOME_GITHUB}`, null)
  await writeFile(CLIENT, await (await fetch(`${open.url}/openapi.json`)).text())
})
afterAll(async () => {
  await locked[Symbol.asyncDispose]()
  await open[Symbol.asyncDispose]()
})

async function save(name: string, url: string, key: string | null): Promise<void> {
  const answer = await fetch(
    url,
    key === null ? {} : { headers: { authorization: `Bearer ${key}` } },
  )
  expect([name, answer.status]).toEqual([name, 200])
  await writeFile(join(GENERATED, `${name}.json`), await answer.text())
}

async function documents(): Promise<string[]> {
  const files = await readdir(GENERATED)
  return files.filter(file => file.endsWith('.json')).map(file => join(GENERATED, file))
}

interface Finished {
  readonly code: number
  readonly output: string
}

/** Runs a tool without a shell. The linters must not call home. */
async function run(program: string, args: readonly string[]): Promise<Finished> {
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const options = { cwd: HERE, env, maxBuffer: 64 * 1024 * 1024, timeout: 500_000 }
  return await promisify(execFile)(program, [...args], options).then(
    ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
    (error: { code: number; stdout: string; stderr: string }) => ({
      code: error.code,
      output: error.stdout + error.stderr,
    }),
  )
}

const redocly = async (files: readonly string[]) =>
  await run(join(TOOLS, 'redocly'), ['lint', '--config', join(HERE, 'redocly.yaml'), ...files])

const spectral = async (files: readonly string[]) =>
  await run(join(TOOLS, 'spectral'), [
    'lint',
    '--ruleset',
    join(HERE, 'spectral.yaml'),
    '--fail-severity=hint',
    ...files,
  ])

test('redocly finds nothing in any document', async () => {
  const { code, output } = await redocly(await documents())
  expect([code, output.slice(0, 4000)]).toEqual([0, expect.stringContaining('Woohoo!')])
})

test('spectral finds nothing in any document', async () => {
  const { code, output } = await spectral(await documents())
  expect([code, output.slice(0, 4000)]).toEqual([0, expect.stringContaining('No results')])
})

test('both find what is wrong', async () => {
  const text = await readFile(join(GENERATED, 'some.json'), 'utf8')
  const file = join(GENERATED, 'broken.txt')
  await writeFile(file, text.replace('"hello-world"', '42'))
  for (const lint of [redocly, spectral]) {
    const { code, output } = await lint([file])
    expect([code, output]).toEqual([1, expect.stringMatching(/example/)])
  }
})

test('every dialect of every document generates types', async () => {
  for (const file of await documents()) {
    const types = file.replace('.json', '.d.ts')
    const { code, output } = await run(join(TOOLS, 'openapi-typescript'), [file, '-o', types])
    expect([code, output]).toEqual([0, expect.stringContaining(types.slice(-10))])
  }
})

test('a client with generated types compiles without tricks, and works', async () => {
  const api = join(GENERATED, 'api.d.ts')
  const generated = await run(join(TOOLS, 'openapi-typescript'), [CLIENT, '-o', api])
  expect(generated.code).toBe(0)
  expect(await run('tsc', ['-p', HERE])).toEqual({ code: 0, output: '' })
  const { code, output } = await run('node', [join(HERE, 'client.ts'), open.url])
  expect([code, code === 0 ? (JSON.parse(output) as unknown) : output]).toEqual([
    0,
    {
      number: expect.any(Number),
      hasTitle: true,
      code: 'NOT_FOUND',
      batch: { status: 'success', oks: [true, true] },
      found: ['repo.blame.view'],
      attempts: ['success'],
    },
  ])
})

/** Faults that a client in another language would only see at run time. */
const WRONG: Readonly<Record<string, readonly [from: string, to: string]>> = {
  'an unknown capability': ["'/v1/capabilities/issue.list'", "'/v1/capabilities/issues.list'"],
  'a member of another type': ['...place, title }', '...place, title: 1 }'],
  'a member left out': ['body: { ...place, title }', 'body: { ...place }'],
  'a route that the capability has not': ["route: 'rest'", "route: 'soap'"],
  'an unknown code': ['response.status === 404', "error?.error.code === 'MISSING'"],
  'an unknown member of the data': ['({ title }) => title', '({ titel }) => titel'],
}

test('the compiler finds what is wrong', async () => {
  const program = await readFile(join(HERE, 'client.ts'), 'utf8')
  const folder = join(GENERATED, 'wrong')
  await mkdir(folder)
  const names = Object.keys(WRONG)
  for (const [at, name] of names.entries()) {
    const [from, to] = WRONG[name] ?? ['', '']
    expect(program.split(from)).toHaveLength(2)
    const wrong = program.replace(from, to).replace('./generated/api.d.ts', '../api.d.ts')
    await writeFile(join(folder, `wrong-${at}.ts`), wrong)
  }
  const config = { extends: '../../tsconfig.json', include: ['*.ts'] }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config))
  const { output } = await run('tsc', ['-p', folder])
  const found = names.filter((_, at) => output.includes(`wrong-${at}.ts(`))
  expect(found).toEqual(names)
})
