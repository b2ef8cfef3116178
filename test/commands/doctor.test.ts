import { cp, mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test, vi } from 'vitest'
import { freePort } from '../support/free-port.ts'
import {
  directory,
  doctor,
  doctorProcess,
  goodSetup,
  startSilence,
  TOKEN,
} from './support/doctor.ts'
import { signalbox } from './support/signalbox.ts'

// Some tests start whole processes, which are slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

const INVENTORY = fileURLToPath(new URL('../fixtures/capabilities/inventory', import.meta.url))
describe('a good setup', () => {
  test('has no warnings', async () => {
    const { env } = await goodSetup()
    const { code, findings, of } = await doctorProcess(env)
    expect(findings.filter(({ level }) => level === 'warn' || level === 'fail')).toEqual([])
    expect(findings.map(({ part }) => part).filter(part => part !== 'tests')).toEqual([
      'node',
      'cards',
      'address',
      'journal',
      'state',
      'temporary files',
      'github credential',
      'github rest',
      'github graphql',
      'github cli',
    ])
    expect(of('github credential')).toMatch(/^ok GITHUB_TOKEN is set/)
    expect(of('github rest')).toBe(`ok ${env.GITHUB_API_URL} answers (404)`)
    expect(of('github cli')).toMatch(/^ok gh /)
    expect(code).toBe(0)
  })

  test('is printed in lines, with a summary at the end', async () => {
    const { env } = await goodSetup()
    const { stdout } = await signalbox(['doctor'], env)
    const lines = stdout.trimEnd().split('\n')
    expect(lines.at(-1)).toBe('The gateway would start: 0 failures, 0 warnings.')
    for (const line of lines.slice(0, -1))
      expect(line).toMatch(/^(ok {2}|warn|fail|hint) {2}\S.*: /)
  })

  test('is not changed', async () => {
    const { env, path } = await goodSetup()
    await doctor(env)
    expect(await readdir(path)).toEqual(['gh'])
  })

  test('is reached without any credential, which goes only where it is tried', async () => {
    const { env, service } = await goodSetup()
    await doctor(env)
    const tried = service.received.filter(({ url }) => url === '/rate_limit')
    expect(tried.map(({ method, headers }) => [method, headers.authorization])).toEqual([
      ['GET', `Bearer ${env.GITHUB_TOKEN}`],
    ])
    const others = service.received.filter(({ url }) => url !== '/rate_limit')
    expect(others.map(({ method, url }) => [method, url])).toEqual([
      ['HEAD', '/'],
      ['HEAD', '/'],
    ])
    for (const { headers } of others) {
      expect(Object.keys(headers).toSorted()).toEqual(['connection', 'host', 'user-agent'])
    }
  })
})

describe('a program', () => {
  test('that is missing is a warning that says how to install it', async () => {
    const { env } = await goodSetup()
    const { code, of } = await doctor({ ...env, PATH: await directory() })
    expect(of('github cli')).toMatch(/^warn gh is not installed here, .* — Install gh \(apt-get/)
    expect(code).toBe(0)
  })

  test('that is too old is a warning with the version that the cards need', async () => {
    const { env, path } = await goodSetup()
    await writeFile(join(path, 'gh'), '#!/bin/sh\necho gh version 2.1.0\n')
    const { of } = await doctor(env)
    expect(of('github cli')).toMatch(
      /^warn This needs gh ≥ 2\.\d+\.0, found 2\.1\.0\. — Install gh/,
    )
  })
})

describe('an upstream', () => {
  test('where nothing listens is a warning with the network error', async () => {
    const { env } = await goodSetup()
    const url = `http://127.0.0.1:${await freePort()}`
    const { code, of } = await doctor({ ...env, GITHUB_API_URL: url })
    expect(of('github rest')).toContain(`warn ${url} cannot be reached`)
    expect(of('github rest')).toMatch(/\(ECONNREFUSED\) — Check the address/)
    expect(of('github graphql')).toMatch(/^ok /)
    expect(code).toBe(0)
  })

  test('that never answers is a warning after a timeout', async () => {
    const { env } = await goodSetup()
    const { of } = await doctor({
      ...env,
      GITHUB_API_URL: `http://127.0.0.1:${await startSilence()}`,
    })
    expect(of('github rest')).toMatch(/^warn .* cannot be reached: .* in time/)
  })

  test('without its credential is a warning that names the variable to set', async () => {
    const { env } = await goodSetup()
    const { code, of } = await doctor({ ...env, GITHUB_TOKEN: '' })
    expect(of('github credential')).toMatch(
      /^warn GITHUB_TOKEN or GH_TOKEN is not set — .*set GITH/,
    )
    expect(code).toBe(0)
  })

  test('with its credential in a file that is not there names the variable and the file', async () => {
    const { env } = await goodSetup()
    const { of } = await doctor({ ...env, GITHUB_TOKEN: '', GITHUB_TOKEN_FILE: '/nosuch' })
    expect(of('github credential')).toMatch(
      /^warn GITHUB_TOKEN_FILE names \/nosuch, which cannot be read \(ENOENT\)/,
    )
  })

  test('from the settings is checked too', async () => {
    const { env, service } = await goodSetup()
    const own = { ...env, INVENTORY_URL: service.url }
    const { of } = await doctor(own, { capabilities: [INVENTORY] })
    expect(of('inventory credential')).toBe('ok not needed, and INVENTORY_TOKEN is not set')
    expect(of('inventory rest')).toMatch(/^ok /)
  })
})

test('a port in use by something else fails', async () => {
  const { env, service } = await goodSetup()
  const { code, of } = await doctor({ ...env, PORT: String(service.port) })
  expect(of('address')).toMatch(/^fail 127\.0\.0\.1:\d+ is in use: .* set another PORT/)
  expect(code).toBe(1)
})

test('an open address without keys fails', async () => {
  const { env } = await goodSetup()
  const { code, of } = await doctor(env, { host: '0.0.0.0' })
  expect(of('address')).toMatch(/^fail HOST 0\.0\.0\.0 is open to other machines.* SIGNALBOX_KEYS=/)
  expect(code).toBe(1)
})

test('an invalid setting fails', async () => {
  const { of } = await doctorProcess({ PORT: 'eighty' })
  expect(of('settings')).toMatch(/^fail PORT is not usable/)
})

test('a faulty card fails in one line, and does not stop the other checks', async () => {
  const { env, path, service } = await goodSetup()
  const pack = join(path, 'inventory')
  await cp(INVENTORY, pack, { recursive: true })
  await writeFile(join(pack, 'broken.view.yaml'), 'id: broken.view\neffect: sometimes\n')
  const { code, of } = await doctor(
    { ...env, INVENTORY_URL: service.url },
    { capabilities: [pack] },
  )
  expect(of('cards')).toMatch(/^fail \d problems, .*broken\.view\.yaml:\d.* — Run signalbox check/)
  expect(of('cards')).not.toContain('\n')
  expect(of('inventory rest')).toMatch(/^ok /)
  expect(code).toBe(1)
})

test('a temporary directory that is not writable is a warning', async () => {
  const { env, path } = await goodSetup()
  const { of } = await doctorProcess({ ...env, TMPDIR: join(path, 'gh', 'nowhere') })
  expect(of('temporary files')).toMatch(/^warn .* is not writable \(ENOTDIR\).* — Set TMPDIR/)
})

test.each(['PWD', 'OLDPWD', 'GITHUB_TOKEN_FILE', 'PRIVATE_KEY_PATH', 'CREDENTIALS_DIR'])(
  'a path is shown, also if %s has it',
  async name => {
    const { env, path } = await goodSetup()
    const { of } = await doctor({ ...env, [name]: path })
    expect(of('journal')).toContain(env.SIGNALBOX_JOURNAL)
  },
)

test('no output contains a secret', async () => {
  const { env, path, service } = await goodSetup()
  const closed = await freePort()
  const own = {
    ...env,
    GITHUB_API_URL: service.url.replace('//', '//user:secret-of-the-url@'),
    SIGNALBOX_KEYS: 'agent:secret-of-the-gateway',
    SIGNALBOX_JOURNAL: `postgres://u:secret-of-the-journal@127.0.0.1:${closed}/journal`,
    SIGNALBOX_STATE: `redis://u:secret-of-the-state@127.0.0.1:${closed}`,
  }
  await mkdir(join(path, 'data'))
  for (const args of [['doctor'], ['doctor', '--json']]) {
    const { stdout, stderr } = await signalbox(args, own)
    expect(stdout + stderr).not.toMatch(/secret-of/)
    expect(stdout + stderr).not.toContain(TOKEN)
    expect(stdout).toContain('journal')
  }
})
