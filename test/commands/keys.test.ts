import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { openKeys } from '../../src/access/open-keys.ts'
import { serve, signalbox, temporaryDirectory } from './support/signalbox.ts'

// The tests start whole processes, which is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

const SECRET = 'agent-secret-0123456789'
const OTHER = 'other-secret-0123456789'
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

async function temporary(): Promise<string> {
  const directory = await temporaryDirectory()
  onTestFinished(() => directory[Symbol.asyncDispose]())
  return directory.path
}

describe('a running gateway', () => {
  const statusOf = async (url: string, secret: string) =>
    (await fetch(`${url}/v1/profiles`, { headers: { authorization: `Bearer ${secret}` } })).status
  const start = async (keys: readonly object[]) => {
    const file = join(await temporary(), 'signalbox.yaml')
    const write = (next: readonly object[]) => writeFile(file, JSON.stringify({ keys: next }))
    await write(keys)
    const gateway = await serve({ SIGNALBOX_CONFIG: file, SIGNALBOX_PACKS: 'none' })
    onTestFinished(() => gateway[Symbol.asyncDispose]())
    return { gateway, file, write }
  }
  const agent = { name: 'agent', secret: SECRET }
  const other = { name: 'other', secret_sha256: sha256(OTHER) }

  // The promise of one second has a test of its own: test/promises/removed-key.test.ts.
  test('refuses a key that was taken out of its file', async () => {
    const { gateway, write } = await start([agent, other])
    expect(await statusOf(gateway.url, SECRET)).toBe(200)
    await write([other])
    const poll = () => statusOf(gateway.url, SECRET)
    await expect.poll(poll, { interval: 50, timeout: 10_000 }).toBe(401)
    expect(await statusOf(gateway.url, OTHER)).toBe(200)
  })

  test('stays closed when its last key is taken out', async () => {
    const { gateway, write } = await start([agent])
    await write([])
    await expect.poll(() => statusOf(gateway.url, SECRET), { interval: 50 }).toBe(401)
    expect((await fetch(`${gateway.url}/v1/profiles`)).status).toBe(401)
  })

  test('keeps its keys when the file is faulty, and says why', async () => {
    const { gateway, file, write } = await start([agent])
    await writeFile(file, 'keys: [')
    await expect.poll(() => gateway.log()).toMatch(/the gateway keys are faulty/)
    expect(await statusOf(gateway.url, SECRET)).toBe(200)
    await write([agent, other])
    await expect.poll(() => statusOf(gateway.url, OTHER)).toBe(200)
  })

  test('reads the file of a secret again', async () => {
    const secretFile = join(await temporary(), 'secret')
    await writeFile(secretFile, `${SECRET}\n`)
    const { gateway } = await start([{ name: 'agent', secret_file: secretFile }])
    expect(await statusOf(gateway.url, SECRET)).toBe(200)
    await writeFile(secretFile, `${OTHER}\n`)
    await expect.poll(() => statusOf(gateway.url, OTHER)).toBe(200)
    expect(await statusOf(gateway.url, SECRET)).toBe(401)
  })

  test('refuses an expired key by name, and asks for another', async () => {
    const { gateway } = await start([{ ...agent, expires: '2020-01-01T00:00:00Z' }])
    const headers = { authorization: `Bearer ${SECRET}` }
    const response = await fetch(`${gateway.url}/v1/profiles`, { headers })
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toBe('Bearer realm="signalbox"')
    expect(JSON.stringify(await response.json())).toMatch(/"agent\\" expired at 2020-01-01/)
  })
})

test('keys create prints a secret and the entry that knows only its digest', async () => {
  const { code, stdout } = await signalbox(['keys', 'create', 'reviewer'])
  expect(code).toBe(0)
  const [, secret = ''] = /^ {2}(sbx_[\w-]{43})$/m.exec(stdout) ?? []
  expect(stdout).toContain(`  - name: reviewer\n    secret_sha256: ${sha256(secret)}`)
  expect((await signalbox(['keys', 'create', 'No Name'])).code).toBe(1)
})

test.each(['local', 'cli', 'mcp'])('keys create refuses the reserved name %s', async name => {
  const { code, stdout, stderr } = await signalbox(['keys', 'create', name])
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain('commands and the audit use it')
})

test.each(['local', 'cli', 'mcp'])('the settings refuse the reserved name %s', name => {
  expect(() => openKeys([{ name, secret: SECRET }])).toThrow(
    `"${name}" is not usable: commands and the audit use this name`,
  )
})

test.each([
  [
    'one name twice',
    [
      { name: 'a', secret: SECRET },
      { name: 'a', secret: OTHER },
    ],
    /"a" is not usable: the key "a" has the same name/,
  ],
  [
    'one secret twice, once as a digest',
    [
      { name: 'a', secret: SECRET },
      { name: 'b', secret_sha256: sha256(SECRET) },
    ],
    /"b" is not usable: the key "a" has the same secret/,
  ],
  ['no secret', [{ name: 'a' }], /set one of secret, secret_sha256 and secret_file/],
  [
    'two secrets',
    [{ name: 'a', secret: SECRET, secret_sha256: sha256(OTHER) }],
    /set one of secret, secret_sha256 and secret_file/,
  ],
  [
    'a file that does not exist',
    [{ name: 'a', secret_file: '/nonexistent/secret' }],
    /secret_file cannot be read \(ENOENT\)/,
  ],
  [
    'read_only beside allow',
    [{ name: 'a', secret: SECRET, read_only: true, allow: ['issue.*'] }],
    /read_only is allow: \[read:\*\]/,
  ],
])('keys with %s are refused, without the secret', (_title, keys, message) => {
  const open = () => openKeys(keys)
  expect(open).toThrow(message)
  expect(open).not.toThrow(SECRET)
})
