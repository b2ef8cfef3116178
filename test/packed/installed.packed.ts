import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { version } from '../../src/lib/version.ts'
import { root } from '../docs/pages.ts'
import { demoAddresses } from '../support/demo.ts'
import { gh } from '../support/parts.ts'
import { clean, type Installed, installPacked } from './installed.ts'

const REPOSITORY = { owner: 'octo-org', name: 'hello-world' }

let installed: Installed
let demo: { readonly gateway: string; readonly sandbox: string; stop(): Promise<unknown> }

beforeAll(async () => {
  installed = await installPacked()
  demo = await startDemo(installed.folder)
})
afterAll(async () => {
  await demo?.stop()
  await installed?.[Symbol.asyncDispose]()
})

test('packing leaves the checkout as it was', () => {
  expect(installed.changed).toBe('')
  expect(existsSync(join(root, 'dist'))).toBe(false)
})

test('the tarball holds the compiled program, its data and the types of its client, and nothing else', () => {
  const kinds = installed.files.map(file =>
    file
      .replace(/^dist\/(src|routes|adapters|sandbox|client)\/.+\.js$/, 'dist/code.js')
      .replace(/^dist\/(src|adapters|client)\/.+\.d\.ts$/, 'dist/code.d.ts')
      .replace(/^dist\/capabilities\/(.+\.(yaml|graphql)|npm\/npmrc)$/, 'dist/capabilities')
      .replace(/^dist\/inspector\/web\/.+\.(js|css|html|svg)$/, 'dist/inspector'),
  )
  expect([...new Set(kinds)].toSorted()).toEqual([
    'LICENSE',
    'README.md',
    'bin/signalbox.js',
    'dist/capabilities',
    'dist/code.d.ts',
    'dist/code.js',
    'dist/inspector',
    'dist/package.json',
    'dist/src/render/budget/vocabulary.json',
    'package.json',
  ])
})

test('npx signalbox prints its version', async () => {
  const { code, stdout } = await installed.run('npx', ['signalbox', '--version'])
  expect({ code, stdout }).toEqual({ code: 0, stdout: `${version}\n` })
})

test('check finds the shipped cards, and nothing wrong with them', async () => {
  const { code, stdout } = await installed.run('npx', ['signalbox', 'check'])
  expect(code).toBe(0)
  expect(stdout).toMatch(/^[1-9]\d* capabilities, 0 problems$/m)
})

test('the other packs come with it', async () => {
  const { stdout } = await installed.run('npx', ['signalbox', 'check', '--packs', 'npm,prometheus'])
  expect(stdout).toMatch(/^[1-9]\d* capabilities, 0 problems$/m)
})

test('doctor looks at this machine, and at nothing that only a checkout has', async () => {
  const { code, stdout } = await installed.run('npx', ['signalbox', 'doctor', '--json'], {
    PORT: '0',
    GITHUB_API_URL: demo.sandbox,
    GITHUB_GRAPHQL_URL: `${demo.sandbox}/graphql`,
    GITHUB_UPLOAD_URL: `${demo.sandbox}`,
  })
  expect(code).toBe(0)
  const { findings } = JSON.parse(stdout) as { findings: { part: string; level: string }[] }
  expect(findings).toContainEqual(expect.objectContaining({ part: 'github rest', level: 'ok' }))
  expect(findings.map(({ part }) => part)).not.toContain('tests')
})

test.each(['rest', 'graphql', ...(gh.available ? ['cli'] : [])])(
  'the demo answers a call by %s',
  async route => {
    const answer = await fetch(`${demo.gateway}/v1/capabilities/repo.view?route=${route}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(REPOSITORY),
    })
    expect(await answer.json()).toMatchObject({
      ok: true,
      data: { nameWithOwner: 'octo-org/hello-world' },
      meta: { route_used: route },
    })
  },
)

test.each([
  '/openapi.json',
  '/docs/',
  '/inspector',
  '/inspector/assets/inspector.js',
  '/v1/requests',
])('the demo serves %s', async path => {
  expect((await fetch(demo.gateway + path)).status).toBe(200)
})

test('call makes one call without a server', async () => {
  const input = Object.entries(REPOSITORY).map(([field, value]) => `${field}=${value}`)
  const { code, stdout } = await installed.run(
    'npx',
    ['signalbox', 'call', 'repo.view', ...input],
    {
      GITHUB_API_URL: demo.sandbox,
      GITHUB_TOKEN: 'sandbox-token',
    },
  )
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ ok: true, meta: { route_used: 'rest' } })
})

test('import makes cards of a document, and finds nothing wrong with them', async () => {
  const document = join(root, 'test/fixtures/import/inventory.yaml')
  const { code, stdout } = await installed.run('npx', ['signalbox', 'import', document])
  expect(code).toBe(0)
  expect(stdout).toContain('10 capabilities, 0 problems')
})

test('the checks of envelopes can be imported, and have their types', async () => {
  const program = `import { checkEnvelope, type ProfileName } from 'signalbox/envelope'
const profile: ProfileName = 'default'
// @ts-expect-error -- no dialect has this name
const none: ProfileName = 'none'
console.log(checkEnvelope(profile, { none }).length > 0)
`
  await writeFile(join(installed.folder, 'program.ts'), program)
  const options = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'esnext']
  const tsc = join(root, 'node_modules/.bin/tsc')
  const compiled = await installed.run(tsc, [...options, '--lib', 'esnext,dom', 'program.ts'])
  expect(compiled).toMatchObject({ code: 0, stdout: '' })
  expect((await installed.run('node', ['program.ts'])).stdout).toBe('true\n')
})

test('the typed client can be imported, and has its types', async () => {
  const program = `import { createClient, unwrap } from 'signalbox/client'
const client = createClient({ url: '${demo.gateway}' })
// @ts-expect-error -- a repository has an owner
void (() => client.call('repo.view', { name: 'hello-world' }))
const { defaultBranch } = await unwrap(client.call('repo.view', ${JSON.stringify(REPOSITORY)}))
console.log(defaultBranch)
`
  await writeFile(join(installed.folder, 'client.mts'), program)
  const options = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'esnext']
  const tsc = join(root, 'node_modules/.bin/tsc')
  const compiled = await installed.run(tsc, [...options, '--lib', 'esnext,dom', 'client.mts'])
  expect(compiled).toMatchObject({ code: 0, stdout: '' })
  expect((await installed.run('node', ['client.mts'])).stdout).toBe('main\n')
})

/** Starts it on free ports; its addresses are those that it prints. */
async function startDemo(folder: string) {
  // Not by npx: the signal that ends it is for the program itself.
  const signalbox = join(folder, 'node_modules/.bin/signalbox')
  const child = spawn(signalbox, ['demo'], {
    cwd: folder,
    env: clean({ PORT: '0', SANDBOX_PORT: '0' }),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const addresses = await demoAddresses(child)
  const stop = () => {
    child.kill('SIGTERM')
    return exited
  }
  return { ...addresses, stop }
}
