import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { loadSettings } from '../../src/gateway/config.ts'
import { unknownVariables } from '../../src/gateway/unknown-variables.ts'
import { launch, signalbox, type Variables } from '../commands/support/signalbox.ts'

// Each test starts whole processes, which are slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

const NAME = 'SIGNALBOX_WIDGETS'
const LINE = `warning: ${NAME} is not a setting of Signalbox, and no upstream reads it.\n`

const env = (more: Variables = {}): Variables => ({
  PATH: process.env.PATH ?? '',
  SIGNALBOX_JOURNAL: ':memory:',
  PORT: '0',
  SANDBOX_PORT: '0',
  [NAME]: '7',
  ...more,
})

describe('a variable that is like no setting and that nothing reads is one line on standard error:', () => {
  test.each([
    ['config', ['config']],
    ['call', ['call', 'repo.view', 'owner=octo-org', 'name=hello-world', '--timeout-ms', '1']],
    // Its standard input is at its end.
    ['mcp', ['mcp']],
  ])('%s', async (_, args) => {
    const { stderr } = await signalbox(args, env())
    expect(stderr.split(LINE)).toHaveLength(2)
  })

  test.each([
    ['serve', ['serve']],
    ['serve with workers', ['serve', '--workers', '2']],
    ['demo', ['demo']],
  ])('%s', async (_, args) => {
    const SIGNALBOX_JOURNAL = join(temporary(), 'journal.sqlite')
    const child = launch(args, env({ SIGNALBOX_JOURNAL }))
    onTestFinished(() => void child.kill('SIGKILL'))
    let [stdout, stderr] = ['', '']
    child.stdout.on('data', chunk => (stdout += String(chunk)))
    child.stderr.on('data', chunk => (stderr += String(chunk)))
    await expect.poll(() => stdout, { timeout: 60_000 }).toMatch(/http:\/\/127/)
    child.kill('SIGTERM')
    await expect.poll(() => child.exitCode ?? child.signalCode, { timeout: 60_000 }).not.toBe(null)
    expect(stderr.split(LINE)).toHaveLength(2)
  })

  test('doctor', async () => {
    const { stdout, stderr } = await signalbox(['doctor'], env())
    expect(stdout).toMatch(
      new RegExp(`^warn  variables: ${NAME} is not a setting of Signalbox`, 'm'),
    )
    expect(stderr).toBe('')
  })
})

describe('a slip in the prefix of a setting stops', () => {
  test.each([
    ['config', ['config']],
    ['call', ['call', 'repo.view', 'owner=octo-org', 'name=hello-world']],
    ['mcp', ['mcp']],
    ['serve', ['serve']],
    ['serve with workers', ['serve', '--workers', '2']],
    ['demo', ['demo']],
    ['doctor', ['doctor']],
  ])('%s', async (_, args) => {
    const { code, stdout, stderr } = await signalbox(args, env({ SINGALBOX_KEYS: 'a:b' }))
    expect(code).toBe(1)
    expect(stdout + stderr).toContain('SINGALBOX_KEYS is no setting: write SIGNALBOX_KEYS')
  })
})

test('a variable is not named that an upstream, a credential, Docker or Kubernetes reads', () => {
  const directory = temporary()
  mkdirSync(join(directory, 'own'))
  writeFileSync(
    join(directory, 'own', 'upstream.yaml'),
    'id: own\nrest: { base_url: "${SIGNALBOX_INVENTORY_URL:-http://127.0.0.1}" }\n',
  )
  const settings = loadSettings({}, null, {
    capabilities: [directory],
    credentials: { github: { ci: { env: ['SIGNALBOX_NPM_TOKEN'] } } },
  })
  const given = {
    SIGNALBOX_INVENTORY_URL: 'x',
    SIGNALBOX_NPM_TOKEN: 'x',
    SIGNALBOX_SECRETS: 'x',
    SIGNALBOX_VERSION: 'x',
    SIGNALBOX_SERVICE_HOST: 'x',
    SIGNALBOX_RETRIES: '1',
    SIGNALBOX_INVENTORY: 'x',
    OTHER_VARIABLE: 'x',
    SINGALBOX_WIDGETS: 'x',
    SIGNALFX_WIDGETS: 'x',
  }
  const named = ['SIGNALBOX_INVENTORY', 'SINGALBOX_WIDGETS']
  expect(unknownVariables(given, settings)).toEqual(named)
})

function temporary(): string {
  const directory = mkdtempSync(join(tmpdir(), 'signalbox-variables-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}
