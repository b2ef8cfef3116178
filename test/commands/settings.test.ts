import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { assertClosedToStrangers, loadSettings } from '../../src/gateway/config.ts'
import { SettingsError } from '../../src/model/settings-error.ts'
import { signalbox } from './support/signalbox.ts'

const SECRET = 'a-secret-of-some-length'

describe('an invalid setting is named, with what it must be:', () => {
  test.for([
    { env: { PORT: 'eighty' }, message: 'PORT is not usable: it must be integer.' },
    {
      env: { SIGNALBOX_RETRIES: '99' },
      message: 'SIGNALBOX_RETRIES is not usable: it must be at most 10.',
    },
    {
      env: { SIGNALBOX_JOURNAL_PAYLOADS: 'all' },
      message: 'SIGNALBOX_JOURNAL_PAYLOADS is not usable: it must be one of off, redacted.',
    },
    {
      env: { SIGNALBOX_KEYS: `agent:${SECRET},other:short` },
      message:
        'SIGNALBOX_KEYS is not usable: key 2 must be name:secret, name:secret:operator, name:secret:graphql or name:secret:metrics, the name in lower case, the secret 16 characters or more.',
    },
  ])('$message', ({ env, message }) => {
    expect(() => loadSettings(env, null)).toThrow(new SettingsError(message))
  })

  test('--port', () => {
    expect(() => loadSettings({}, null, { port: 70_000 })).toThrow(
      new SettingsError('--port is not usable: it must be at most 65535.'),
    )
  })
})

describe('a misspelt variable stops the start, with the right name:', () => {
  test.for([
    ['SIGNALBOX_KEY', 'SIGNALBOX_KEYS'],
    ['SIGNALBOX_JOURNL', 'SIGNALBOX_JOURNAL'],
    ['signalbox_state', 'SIGNALBOX_STATE'],
    ['SIGNALBOX_TIMEOUT_S', 'SIGNALBOX_TIMEOUT_MS'],
    ['SIGNALBOX_KEYS_FILES', 'SIGNALBOX_KEYS_FILE'],
  ])('%s', ([name = '', meant]) => {
    const message = `${name} is no setting: write ${meant}, or unset it.`
    expect(() => loadSettings({ [name]: 'x' }, null)).toThrow(new SettingsError(message))
  })

  test.for(['SIGNALBOX_NPM_TOKEN', 'SIGNALBOX_PORT', 'SIGNALBOX_VERSION', 'MY_KEYS'])(
    '%s is not ours',
    name => {
      expect(() => loadSettings({ [name]: 'x' }, null)).not.toThrow()
    },
  )
})

describe('a variable with a secret can be a file:', () => {
  const fileOf = (text: string) => {
    const file = join(mkdtempSync(join(tmpdir(), 'settings-')), 'secret')
    writeFileSync(file, text)
    return file
  }

  test('its text counts, without white space around it', () => {
    const env = { SIGNALBOX_KEYS_FILE: fileOf(`agent:${SECRET}\n`) }
    expect(loadSettings(env, null).keys).toEqual([{ name: 'agent', secret: SECRET }])
    const state = { SIGNALBOX_STATE_FILE: fileOf('redis://:secret@host:6379') }
    expect(loadSettings(state, null).state).toBe('redis://:secret@host:6379')
  })

  test.for([
    [
      { SIGNALBOX_KEYS_FILE: '/nonexistent' },
      /SIGNALBOX_KEYS_FILE names .*cannot be read \(ENOENT\)/,
    ],
    [
      { SIGNALBOX_KEYS_FILE: '/nonexistent', SIGNALBOX_KEYS: `agent:${SECRET}` },
      /Set one of SIGNALBOX_KEYS and SIGNALBOX_KEYS_FILE/,
    ],
  ] as const)('%j is refused', ([env, message]) => {
    expect(() => loadSettings(env, null)).toThrow(message)
  })
})

test('config prints the settings in effect, without secrets', async () => {
  const env = {
    SIGNALBOX_KEYS: `agent:${SECRET}`,
    SIGNALBOX_STATE: 'redis://user:hunter2hunter2@host:6379',
    SIGNALBOX_RETRIES: '7',
  }
  const { code, stdout } = await signalbox(['config', '--port', '9'], env)
  expect(code).toBe(0)
  expect(stdout).toContain('retries: 7  # SIGNALBOX_RETRIES')
  expect(stdout).toContain('port: 9  # PORT')
  expect(stdout).toContain('"name":"agent"')
  expect(stdout).not.toContain(SECRET)
  expect(stdout).not.toContain('hunter2')
})

describe('a gateway that listens on', () => {
  const keys = [{ name: 'agent', secret: SECRET }]
  const oidc = [{ issuer: 'https://login.example.com', audience: 'gateway' }]

  test.for(['0.0.0.0', '::', '192.0.2.1', 'localhost.example'])('%s needs keys', host => {
    expect(() => assertClosedToStrangers({ host, keys: [], oidc: [] })).toThrow(
      /Set SIGNALBOX_KEYS=/,
    )
    expect(() => assertClosedToStrangers({ host, keys, oidc: [] })).not.toThrow()
    expect(() => assertClosedToStrangers({ host, keys: [], oidc })).not.toThrow()
  })

  test.for(['127.0.0.1', '127.8.9.10', 'localhost', '::1'])('%s needs none', host => {
    expect(() => assertClosedToStrangers({ host, keys: [], oidc: [] })).not.toThrow()
  })
})
