import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createKeyRing } from '../../src/access/key-ring.ts'
import { openKeys } from '../../src/access/open-keys.ts'
import { loadSettings } from '../../src/gateway/config.ts'
import { GatewayError } from '../../src/model/errors.ts'

const file = (text: string) => {
  const path = join(mkdtempSync(join(tmpdir(), 'settings-')), 'signalbox.yaml')
  writeFileSync(path, text)
  return path
}

describe('settings', () => {
  test('the command line beats the environment, which beats the file', () => {
    const path = file('port: 1\nretries: 5\nlog_level: warn\n')
    const settings = loadSettings({ PORT: '2', SIGNALBOX_RETRIES: '6' }, path, { port: 3 })
    expect(settings).toMatchObject({ port: 3, retries: 6, log_level: 'warn', host: '127.0.0.1' })
  })

  test.each([
    [
      'a misspelt key',
      'prot: 1\n',
      /:1: prot is not a known member[\s\S]*Write port, or use one of: /,
    ],
    ['a key with hyphens', 'drain-ms: 5\n', /drain-ms is not[\s\S]*Write drain_ms, or use/],
    ['a key in camel case', 'shutdownMs: 5\n', /shutdownMs is not[\s\S]*Write shutdown_ms, or/],
    ['a key like no other', 'colour: red\n', /colour is not a known[\s\S]*Remove it, or use/],
    ['a wrong type', 'port: many\n', /:1: port must be a number from 0 to 65535\n.*port: 8080$/],
    ['a key without its list', 'keys: abc\n', /:1: keys must be a list of keys\n.*keys: \[\{ name/],
    ['keys by name', 'keys:\n  a: x\n', /:1: keys must be a list of keys\n/],
    ['an address of a provider', 'oidc: https://x\n', /:1: oidc must be a list of identity prov/],
    ['one pack', 'packs: github\n', /:1: packs must be a list of packs\n.*packs: \[github\]$/],
    ['one directory', 'capabilities: ./cards\n', /capabilities must be a list of directories\n/],
    ['one origin', 'allowed_origins: x\n', /allowed_origins must be a list of origins\n/],
    ['a list of credentials', 'credentials: []\n', /credentials must name upstreams, each with/],
    ['a list of settings', '- port: 3\n', /:1: the file must name settings\n.*port: 8080$/],
    ['a text', 'port 8080\n', /:1: the file must name settings\n/],
    [
      'a short secret',
      'keys:\n  - name: a\n    secret: short\n',
      /:3: keys\.0\.secret must have at least 16/,
    ],
    ['YAML that does not parse', 'port: [\n', /not valid YAML/],
    ['a text that only looks like a word', 'workers: "auto "\n', /:1: workers must be auto, or a/],
    ['too many workers', 'workers: 65\n', /:1: workers must be auto, or a number from 1 to 64/],
    ['a time with its unit', 'drain_ms: 5s\n', /:1: drain_ms must be a number of milliseconds/],
    [
      'a quoted number',
      'journal_days: "7"\n',
      /journal_days must be a number of days[\s\S]*quotes/,
    ],
  ])('%s is reported with its line', (_title, text, message) => {
    expect(() => loadSettings({}, file(text))).toThrow(message)
  })

  const keys = file('agent:hunter2')
  const state = file('http://a:hunter2@127.0.0.1')
  test.each([
    ['SIGNALBOX_KEYS', 'agent:hunter2', 'SIGNALBOX_KEYS is not usable: key 1 must be name:secret'],
    ['SIGNALBOX_KEYS_FILE', keys, `SIGNALBOX_KEYS_FILE (${keys}) is not usable: key 1 must be`],
    [
      'SIGNALBOX_STATE_FILE',
      state,
      `SIGNALBOX_STATE_FILE (${state}) is not usable: it does not have`,
    ],
  ])('a faulty variable is reported by name, without its value: %s', (name, value, message) => {
    const load = () => loadSettings({ [name]: value }, null)
    expect(load).toThrow(message)
    expect(load).not.toThrow(/hunter2/)
  })

  test.each([
    [
      'a variable',
      () => loadSettings({ SIGNALBOX_PACKS: 'github, promethius' }, null),
      /SIGNALBOX_PACKS is not usable: entry 2 must be one of github, .*prometheus/,
    ],
    [
      'a flag',
      () => loadSettings({}, null, { packs: ['promethius'] }),
      /--packs is not usable: entry 1 must be one of github, /,
    ],
    [
      'a file',
      () => loadSettings({}, file('packs: [github, promethius]\n')),
      /:1: packs.1 must be one of[\s\S]*github, /,
    ],
  ])(
    'an unknown pack in %s is refused, with the list of those there are',
    (_where, load, message) => {
      expect(load).toThrow(message)
    },
  )

  test('packs come from the flag, then the variable, then the file', () => {
    const path = file('packs: []\n')
    expect(loadSettings({}, null).packs).toEqual(['github'])
    expect(loadSettings({}, path).packs).toEqual([])
    expect(loadSettings({ SIGNALBOX_PACKS: 'none' }, null).packs).toEqual([])
    expect(loadSettings({ SIGNALBOX_PACKS: '' }, null).packs).toEqual(['github'])
    const env = { SIGNALBOX_PACKS: 'github, prometheus' }
    expect(loadSettings(env, path).packs).toEqual(['github', 'prometheus'])
    expect(loadSettings(env, path, { packs: ['prometheus'] }).packs).toEqual(['prometheus'])
  })
})

describe('gateway keys', () => {
  const ring = createKeyRing(
    openKeys([
      { name: 'agent', secret: 'agent-secret-0123' },
      { name: 'boss', secret: 'boss-secret-01234', operator: true },
    ]),
  )

  test('identify the caller', () => {
    expect(ring.identify('Bearer agent-secret-0123')).toMatchObject({
      name: 'agent',
      operator: false,
    })
    expect(ring.identify('bearer boss-secret-01234')).toMatchObject({
      name: 'boss',
      operator: true,
    })
  })

  test.each([undefined, 'Bearer nope', 'Basic agent-secret-0123', 'agent-secret-0123'])(
    '%s is refused',
    authorization => {
      const refused = ring.identify(authorization)
      expect(refused).toBeInstanceOf(GatewayError)
      expect(refused).toMatchObject({ code: 'AUTH', status: 401, source: 'caller' })
    },
  )

  test('without keys, only callers on this machine are served', () => {
    const open = createKeyRing([])
    expect(open.identify(undefined)).toMatchObject({ name: 'local', operator: true })
    for (const host of ['127.0.0.1:8080', 'localhost', '[::1]:8080']) {
      expect(open.checkHost(host)).toBe(null)
    }
    expect(open.checkHost('evil.example.test')).toMatchObject({ code: 'FORBIDDEN' })
    expect(ring.checkHost('gateway.example.test')).toBe(null)
  })
})
