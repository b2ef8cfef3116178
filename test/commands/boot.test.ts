import { once } from 'node:events'
import { cp, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test, vi } from 'vitest'
import { serve, signalbox, temporaryDirectory, type Variables } from './support/signalbox.ts'

// Each test starts whole processes, which are slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

const GITHUB = fileURLToPath(new URL('../../capabilities/github', import.meta.url))
const INVENTORY = fileURLToPath(new URL('../fixtures/capabilities/inventory', import.meta.url))
const KEYS = { SIGNALBOX_KEYS: 'agent:a-secret-of-some-length' }

interface Refusal {
  readonly name: string
  readonly args: readonly string[]
  readonly env?: Variables
  readonly message: RegExp
}

const refusals: readonly Refusal[] = [
  {
    name: 'an open address without keys',
    args: ['serve', '--host', '0.0.0.0'],
    message: /HOST 0\.0\.0\.0 is open to other machines.* Set SIGNALBOX_KEYS=/,
  },
  {
    name: 'an address of another machine',
    args: ['serve', '--host', '203.0.113.9'],
    env: { ...KEYS, SIGNALBOX_JOURNAL: ':memory:' },
    message: /203\.0\.113\.9:8080 is not an address of this machine: set HOST/,
  },
  {
    name: 'a settings file that does not exist',
    args: ['serve', '--config', 'nowhere.yaml'],
    message: /the settings file nowhere\.yaml cannot be read .* Name a YAML file that exists/,
  },
  {
    name: 'a journal below a file',
    args: ['serve'],
    env: { SIGNALBOX_JOURNAL: join(process.execPath, 'journal.sqlite') },
    message: /the journal .* cannot be opened: .* Set SIGNALBOX_JOURNAL to another file/,
  },
  {
    name: 'a journal in a file system that makes no directories',
    args: ['serve'],
    env: { SIGNALBOX_JOURNAL: '/proc/nobody/journal.sqlite' },
    message: /the journal .* cannot be opened: .* Set SIGNALBOX_JOURNAL to another file/,
  },
]

describe('serve refuses to start, with one line that says what to do:', () => {
  test.for(refusals)('$name', async ({ args, env, message }) => {
    const { code, stderr } = await signalbox(args, env)
    expect(stderr).toMatch(message)
    expect(stderr.trimEnd().split('\n')).toHaveLength(1)
    expect(code).toBe(1)
  })

  test('a port in use', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as AddressInfo
    const { code, stderr } = await signalbox(['serve', '--port', String(port)], {
      SIGNALBOX_JOURNAL: ':memory:',
    })
    taken.close()
    expect(stderr).toBe(
      `signalbox: 127.0.0.1:${port} is in use: stop the process that listens there (process ${process.pid}), or set another PORT (0 picks a free one).\n`,
    )
    expect(code).toBe(1)
  })

  test('the journal of a running gateway', async () => {
    await using directory = await temporaryDirectory()
    const env = { SIGNALBOX_JOURNAL: join(directory.path, 'shared.sqlite') }
    await using _running = await serve(env)
    const { code, stderr } = await signalbox(['serve', '--port', '0'], env)
    expect(stderr).toMatch(
      /^signalbox: the journal .* is in use by another gateway \(process \d+\): stop that one/,
    )
    expect(stderr.trimEnd().split('\n')).toHaveLength(1)
    expect(code).toBe(1)
  })
})

test('a faulty address in a variable is one problem, which names the variable', async () => {
  const { code, stderr } = await signalbox(['serve', '--port', '0'], {
    SIGNALBOX_JOURNAL: ':memory:',
    GITHUB_API_URL: 'nonsense',
  })
  expect(stderr).toContain('1 problem(s) in capabilities')
  expect(stderr).toContain(
    'rest.base_url does not have the right form with the value of GITHUB_API_URL',
  )
  expect(stderr).toContain('fix: Correct GITHUB_API_URL, or unset it.')
  expect(code).toBe(1)
})

test('a start warns of a credential whose file cannot be read', async () => {
  await using running = await serve({
    SIGNALBOX_JOURNAL: ':memory:',
    GITHUB_TOKEN_FILE: '/nonexistent',
  })
  const message = 'GITHUB_TOKEN_FILE names /nonexistent, which cannot be read (ENOENT)'
  await vi.waitFor(() => expect(running.log()).toContain(message), { timeout: 30_000 })
})

describe('a faulty card', () => {
  const broken = async (path: string) => {
    const pack = join(path, 'inventory')
    await cp(INVENTORY, pack, { recursive: true })
    const card = join(pack, 'part.view.yaml')
    const source = await readFile(card, 'utf8')
    await writeFile(card, source.replace(/^effect: read$/m, 'effect: sometimes'))
    const line = source.split('\n').indexOf('effect: read') + 1
    return { pack, place: `${card}:${line}: effect` }
  }

  test('stops serve, which names file, line and fix', async () => {
    await using directory = await temporaryDirectory()
    const { pack, place } = await broken(directory.path)
    const args = ['serve', '--port', '0', '--capabilities', pack]
    const { code, stderr } = await signalbox(args, { INVENTORY_URL: 'http://127.0.0.1:1' })
    expect(stderr).toContain(place)
    expect(stderr).toMatch(/fix: Use one of: read, /)
    expect(stderr).not.toMatch(/^ +at /m)
    expect(code).toBe(1)
  })

  test('fails check, which counts cards and problems', async () => {
    await using directory = await temporaryDirectory()
    const { pack, place } = await broken(directory.path)
    const { code, stdout, stderr } = await signalbox(['check', pack])
    // Paths are relative to the directory of the command.
    expect(stderr).toContain(relative(tmpdir(), place))
    expect(stderr).not.toContain(place)
    expect(stdout).toMatch(/^\d+ capabilities, [1-9]\d* problems?\n$/)
    expect(code).toBe(1)
  })

  test('is found by check even if its upstream is faulty too', async () => {
    await using directory = await temporaryDirectory()
    const upstream = join(directory.path, 'upstream.yaml')
    await writeFile(upstream, 'id: parts\nrest: { base_url: 7 }\n')
    await writeFile(join(directory.path, 'part.view.yaml'), 'id: part.view\neffect: sometimes\n')
    const { stdout, stderr } = await signalbox(['check', directory.path])
    expect(stderr).toMatch(/upstream\.yaml:2: rest\.base_url/)
    expect(stderr).toMatch(/part\.view\.yaml:2: effect/)
    expect(stdout).toMatch(/^0 capabilities, [2-9] problems\n$/)
  })
})

test('check passes the shipped cards, even with an open address', async () => {
  const { code, stdout, stderr } = await signalbox(['check'], { HOST: '0.0.0.0' })
  expect(stderr).toBe('')
  expect(stdout).toMatch(/^[1-9]\d* capabilities, 0 problems\n$/)
  expect(code).toBe(0)
})

test('check uses the singular for one capability', async () => {
  const env = { INVENTORY_URL: 'http://127.0.0.1:1' }
  expect((await signalbox(['check', INVENTORY], env)).stdout).toBe('1 capability, 0 problems\n')
})

test('check loads the shipped pack that a folder adds to, and counts only the cards of the folder', async () => {
  await using directory = await temporaryDirectory()
  await writeFile(join(directory.path, 'upstream.yaml'), 'use: github\n')
  const card = await readFile(join(GITHUB, 'user.view.yaml'), 'utf8')
  await writeFile(join(directory.path, 'own.yaml'), card.replace('id: user.view', 'id: own.view'))
  const { code, stdout } = await signalbox(['check', directory.path])
  expect(stdout).toBe('1 capability, 0 problems\n')
  expect(code).toBe(0)
  const both = await signalbox(['check', GITHUB, directory.path])
  expect(both.stdout).toMatch(/^\d{3} capabilities, 0 problems\n$/)
})
