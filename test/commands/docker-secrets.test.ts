import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { parseKeys } from '../../src/access/parse-keys.ts'

const SCRIPT = fileURLToPath(new URL('../../docker/secrets.sh', import.meta.url))
const run = promisify(execFile)

async function secrets() {
  const folder = await mkdtemp(join(tmpdir(), 'secrets-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const env = { PATH: process.env.PATH, SIGNALBOX_SECRETS: folder }
  return {
    folder,
    make: (more: Record<string, string> = {}) => run('sh', [SCRIPT], { env: { ...env, ...more } }),
    read: async (name: string) => await readFile(join(folder, name), 'utf8'),
  }
}

test('docker/secrets.sh makes keys for an agent, an operator and Prometheus', async () => {
  const { make, read } = await secrets()
  await make({ GITHUB_TOKEN: 'a-token' })
  expect(parseKeys(await read('keys'))).toEqual([
    { name: 'agent', secret: await read('agent-key') },
    { name: 'ops', secret: await read('operator-key'), operator: true },
    { name: 'prometheus', secret: await read('metrics-key'), scopes: ['metrics'] },
  ])
  expect(await read('github-token')).toBe('a-token')
})

test('a second run needs no token, and leaves what is there', async () => {
  const { folder, make, read } = await secrets()
  await make({ GITHUB_TOKEN: 'a-token' })
  const all = async () => Promise.all((await readdir(folder)).map(read))
  const before = await all()
  const { stderr } = await make()
  expect(await all()).toEqual(before)
  expect(stderr).toBe('')
})

test('without a token, the first run makes nothing', async () => {
  const { folder, make } = await secrets()
  await expect(make()).rejects.toThrow(/name a token for GitHub/)
  expect(await readdir(folder)).toEqual([])
})

test('keys of an earlier version stay, and the script says how to add the operator', async () => {
  const { folder, make, read } = await secrets()
  await writeFile(join(folder, 'keys'), 'agent:a-secret-of-some-length')
  const { stderr } = await make({ GITHUB_TOKEN: 'a-token' })
  expect(await read('keys')).toBe('agent:a-secret-of-some-length')
  expect(stderr).toContain('has no key of an operator')
})
