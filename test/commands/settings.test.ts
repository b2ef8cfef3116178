import { describe, expect, test } from 'vitest'
import { assertClosedToStrangers, loadSettings } from '../../src/gateway/config.ts'
import { SettingsError } from '../../src/model/settings-error.ts'

const SECRET = 'a-secret-of-some-length'

describe('an invalid setting is named, with what it must be:', () => {
  test.for([
    { env: { PORT: 'eighty' }, message: 'PORT is not usable: it must be integer.' },
    {
      env: { SIGNALBOX_RETRIES: '99' },
      message: 'SIGNALBOX_RETRIES is not usable: it must be <= 10.',
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
      new SettingsError('--port is not usable: it must be <= 65535.'),
    )
  })
})

describe('a gateway that listens on', () => {
  const keys = [{ name: 'agent', secret: SECRET }]

  test.for(['0.0.0.0', '::', '192.0.2.1', 'localhost.example'])('%s needs keys', host => {
    expect(() => assertClosedToStrangers({ host, keys: [] })).toThrow(/Set SIGNALBOX_KEYS=/)
    expect(() => assertClosedToStrangers({ host, keys })).not.toThrow()
  })

  test.for(['127.0.0.1', '127.8.9.10', 'localhost', '::1'])('%s needs none', host => {
    expect(() => assertClosedToStrangers({ host, keys: [] })).not.toThrow()
  })
})
