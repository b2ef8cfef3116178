import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadSettings } from '../../src/gateway/config.ts'
import { assertClosedToStrangers } from '../../src/gateway/strangers.ts'
import { VARIABLES } from '../../src/gateway/variables.ts'
import { SettingsError } from '../../src/model/settings-error.ts'
import { signalbox } from './support/signalbox.ts'

/** All times in milliseconds; an approval has no timer. */
const TIMES = Object.values(VARIABLES)
  .map(([variable]) => variable)
  .filter(variable => variable.endsWith('_MS') && variable !== 'SIGNALBOX_APPROVAL_MS')

const SECRET = 'a-secret-of-some-length'

describe('an invalid setting is named, with what it must be:', () => {
  test.for([
    {
      env: { HOST: '127.0.0.1:8080' },
      message: 'HOST is not usable: it must not have ":".',
    },
    {
      env: { SIGNALBOX_PUBLIC_URL: 'https://gateway.example.com/api/' },
      message:
        "SIGNALBOX_PUBLIC_URL is not usable: it does not have the right form: The gateway's own address behind a TLS proxy, such as https://gateway.example.com.",
    },
    {
      env: { SIGNALBOX_ALLOWED_ORIGINS: 'https://app.example.com,*' },
      message:
        'SIGNALBOX_ALLOWED_ORIGINS is not usable: entry 2 must have a form such as "https://app.example.com".',
    },
    {
      env: { PORT: 'tcp://10.0.0.1:8080' },
      message: 'PORT is not usable: it must be a number from 0 to 65535.',
    },
    {
      env: { SIGNALBOX_RETRIES: 'two' },
      message: 'SIGNALBOX_RETRIES is not usable: it must be a number from 0 to 10.',
    },
    {
      env: { SIGNALBOX_MAX_CALLS: '1.5' },
      message: 'SIGNALBOX_MAX_CALLS is not usable: it must be a number of calls.',
    },
    {
      env: { SIGNALBOX_RETRIES: '99' },
      message: 'SIGNALBOX_RETRIES is not usable: it must be at most 10.',
    },
    {
      env: { SIGNALBOX_JOURNAL_PAYLOADS: 'all' },
      message: 'SIGNALBOX_JOURNAL_PAYLOADS is not usable: it must be one of off, redacted.',
    },
    {
      env: { SIGNALBOX_DRAIN_MS: '5s' },
      message:
        'SIGNALBOX_DRAIN_MS is not usable: it must be a number of milliseconds without a unit, such as 5000.',
    },
    {
      env: { SIGNALBOX_JOURNAL_DAYS: '7d' },
      message:
        'SIGNALBOX_JOURNAL_DAYS is not usable: it must be a number of days without a unit, such as 7.',
    },
    {
      env: { SIGNALBOX_MAX_HELD_BYTES: '64MB' },
      message:
        'SIGNALBOX_MAX_HELD_BYTES is not usable: it must be a number of bytes without a unit, such as 67108864.',
    },
    {
      env: { SIGNALBOX_WORKERS: 'many' },
      message: 'SIGNALBOX_WORKERS is not usable: it must be auto, or a number from 1 to 64.',
    },
    {
      env: { SIGNALBOX_OIDC: '{' },
      message: 'SIGNALBOX_OIDC is not usable: it is not valid JSON.',
    },
    {
      env: { SIGNALBOX_OIDC: '"[]"' },
      message: 'SIGNALBOX_OIDC is not usable: it is JSON in quotes: leave them out.',
    },
    {
      env: { SIGNALBOX_OIDC: '{"issuer": "https://login.example.com"}' },
      message: 'SIGNALBOX_OIDC is not usable: it must be a list of identity providers.',
    },
    {
      env: { SIGNALBOX_CREDENTIALS: '[]' },
      message:
        'SIGNALBOX_CREDENTIALS is not usable: it must name upstreams, each with its credentials.',
    },
    {
      env: { SIGNALBOX_CREDENTIALS: '{"a"' },
      message: 'SIGNALBOX_CREDENTIALS is not usable: it is not valid JSON.',
    },
    {
      env: { SIGNALBOX_KEYS: `agent:${SECRET},other:short` },
      message:
        'SIGNALBOX_KEYS is not usable: key 2 must be name:secret, name:secret:operator, name:secret:graphql or name:secret:metrics, the name in lower case, the secret 16 characters or more.',
    },
  ])('$message', ({ env, message }) => {
    expect(() => loadSettings(env, null)).toThrow(new SettingsError(message))
  })

  test.for([
    '127.0.0.1',
    '0.0.0.0',
    '::',
    '::1',
    'fe80::1%eth0',
    '::ffff:10.0.0.1',
    'gateway.local',
  ])('HOST may be %s', HOST => {
    expect(loadSettings({ HOST }, null).host).toBe(HOST)
  })

  // Node fires a timer of more than 2^31-1 ms at once.
  test.for(TIMES)('%s is too long for a timer', variable => {
    const message = `${variable} is not usable: it must be at most 2000000000.`
    expect(() => loadSettings({ [variable]: '3000000000' }, null)).toThrow(
      new SettingsError(message),
    )
  })

  test('--port', () => {
    expect(() => loadSettings({}, null, { port: 70_000 })).toThrow(
      new SettingsError('--port is not usable: it must be at most 65535.'),
    )
  })
})

describe('the journal', () => {
  test.for([
    'postgresql//x',
    'postgres:/u:p@h/x',
    'postgres',
    'postgres@host/db',
    'Postgres://h/x',
    'postgre://h/x',
    'mysql://h/x',
  ])('is not at %s', journal => {
    expect(() => loadSettings({ SIGNALBOX_JOURNAL: journal }, null)).toThrow(
      /looks like the address of a database, but is none: write postgres:/,
    )
    expect(() => loadSettings({}, null, { journal })).toThrow(SettingsError)
  })

  test.for([
    'journal.sqlite-wal',
    'data/journal.sqlite-shm',
    'x.db-journal',
    'data/journal.sqlite.lock',
    'journal.sqlite-inbox',
    '/data/journal.sqlite-inbox.01JDK0A0B0C0D0E0F0G0H0J0K0.0',
    'journal.sqlite-spill.01JDK0A0B0C0D0E0F0G0H0J0K0',
    './journal.sqlite-audit-spill',
    'journal.sqlite-approvals-spill.01JDK0A0B0C0D0E0F0G0H0J0K0.part',
  ])('is not %s, which belongs to another journal', journal => {
    expect(() => loadSettings({ SIGNALBOX_JOURNAL: journal }, null)).toThrow(
      /belongs to the journal (journal\.sqlite|x\.db): name \1/,
    )
  })

  test('that a command reads is not a file that belongs to one', async () => {
    const { code, stderr } = await signalbox(['requests', '--journal', 'journal.sqlite.lock'])
    expect(code).toBe(1)
    expect(stderr).toContain('name journal.sqlite, or a file with another ending')
  })

  test.for([
    'postgres://u:p@h/x',
    'my-journal',
    'inbox.sqlite',
    'journal-wal.sqlite',
    '/var/lib/a.b/x-journal',
    'postgresql://h/x',
    'postgres.sqlite',
    './postgres/x',
    ':memory:',
    'data/journal.sqlite',
    '/data/postgres',
  ])('is at %s', journal => {
    expect(loadSettings({ SIGNALBOX_JOURNAL: journal }, null).journal).toBe(journal)
  })
})

describe('worker_silent_ms', () => {
  const load = (ms: number) => loadSettings({ SIGNALBOX_WORKER_SILENT_MS: String(ms) }, null)

  test.for([1, 30, 999])('%i is refused: it would kill each worker while it begins', ms => {
    expect(() => load(ms)).toThrow(/less than a second. Set SIGNALBOX_WORKER_SILENT_MS to 1000/)
    expect(() => loadSettings({}, null, { worker_silent_ms: ms })).toThrow(/less than a second/)
  })

  test.for([0, 1_000, 30_000])('%i is taken', ms => {
    expect(load(ms).worker_silent_ms).toBe(ms)
  })
})

describe('a misspelt variable stops the start, with the right name:', () => {
  test.for([
    ['SIGNALBOX_KEY', 'SIGNALBOX_KEYS'],
    ['SIGNALBOX_JOURNL', 'SIGNALBOX_JOURNAL'],
    ['signalbox_state', 'SIGNALBOX_STATE'],
    ['SIGNALBOX_TIMEOUT_S', 'SIGNALBOX_TIMEOUT_MS'],
    ['SIGNALBOX_KEYS_FILES', 'SIGNALBOX_KEYS_FILE'],
    ['SIGNALBOX_DRAIN', 'SIGNALBOX_DRAIN_MS'],
    ['SIGNALBOX_SHUTDOWN', 'SIGNALBOX_SHUTDOWN_MS'],
    [
      'SIGNALBOX_APPROVAL',
      'SIGNALBOX_APPROVAL_MS or SIGNALBOX_APPROVAL_WEBHOOK or SIGNALBOX_APPROVAL_WEBHOOK_SECRET',
    ],
    ['SIGNALBOX_STATE_URL', 'SIGNALBOX_STATE'],
    ['SIGNALBOX_TOKEN', 'SIGNALBOX_KEYS for callers, or GITHUB_TOKEN for GitHub'],
    ['SIGNALBOX_GITHUB_TOKEN', 'GITHUB_TOKEN, without SIGNALBOX_'],
    ['SIGNALBOX_GITHUB_TOKEN_FILE', 'GITHUB_TOKEN_FILE, without SIGNALBOX_'],
    ['SIGNALBOX_HOST', 'HOST, without SIGNALBOX_'],
    ['SIGNALBOX_OIDC_FILE', 'SIGNALBOX_OIDC, which takes no file'],
    ['SIGNALBOX_CREDENTIALS_FILE', 'SIGNALBOX_CREDENTIALS, which takes no file'],
    ['SIGNAL_BOX_KEYS', 'SIGNALBOX_KEYS'],
    ['SIGNAL_BOX_DRAIN', 'SIGNALBOX_DRAIN_MS'],
    ['SIGNALBOXKEYS', 'SIGNALBOX_KEYS'],
    ['SINGALBOX_KEYS', 'SIGNALBOX_KEYS'],
    ['SINGAL_BOX_KEYS', 'SIGNALBOX_KEYS'],
    ['SIGNALOBX_KYES', 'SIGNALBOX_KEYS'],
    ['SIGNLBX_KEYS_FILE', 'SIGNALBOX_KEYS_FILE'],
    ['signalbx_state', 'SIGNALBOX_STATE'],
    ['SIGNALBOXX_DRAIN', 'SIGNALBOX_DRAIN_MS'],
    ['SINGALBOX_HOST', 'HOST, without SIGNALBOX_'],
  ])('%s', ([name = '', meant]) => {
    const message = `${name} is no setting: write ${meant}, or unset it.`
    expect(() => loadSettings({ [name]: 'x' }, null)).toThrow(new SettingsError(message))
  })

  test('SIGNALBOX_PORT with a number', () => {
    expect(() => loadSettings({ SIGNALBOX_PORT: '9090' }, null)).toThrow(/write PORT, without/)
  })

  test.for([
    'SIGNALBOX_NPM_TOKEN',
    'SIGNALBOX_VERSION',
    'SIGNALBOX_INVENTORY_URL',
    'MY_KEYS',
    'SIGNAL_KEYS',
    'SIGNALFX_LOG_LEVEL',
    'SIGNALBOT_LOG_LEVEL',
    'SIGNLBX_TOKEN',
    'SINGALBOX_NPM_TOKEN',
    'SIGNALBOXES_SERVICE_HOST',
    // Set by Kubernetes.
    'SIGNALBOX_PORT',
    'SIGNALBOX_PORT_8080_TCP',
    'SIGNALBOX_PORT_8080_TCP_ADDR',
    'SIGNALBOX_SERVICE_HOST',
    'SIGNALBOX_SERVICE_PORT',
    'SIGNALBOX_SERVICE_PORT_HTTP',
    'SIGNALBOX_STATE_SERVICE_HOST',
    'SIGNALBOX_STATE_PORT',
    'SIGNALBOX_STATE_PORT_6379_TCP_PROTO',
  ])('%s is not ours', name => {
    expect(() => loadSettings({ [name]: 'tcp://10.0.0.1:8080' }, null)).not.toThrow()
  })
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
    'SIGNALBOX_KEYS_FILE',
    'SIGNALBOX_JOURNAL_FILE',
    'SIGNALBOX_STATE_FILE',
    'SIGNALBOX_APPROVAL_WEBHOOK_SECRET_FILE',
  ])('%s is refused if the file is empty', variable => {
    expect(() => loadSettings({ [variable]: fileOf(' \n') }, null)).toThrow(
      new RegExp(`${variable} names .*, which is empty`),
    )
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
    SIGNALBOX_APPROVAL_WEBHOOK: 'https://u:hunter2@chat.test/services/hunter2?token=hunter2',
    SIGNALBOX_TRACE_URL: 'https://traces.test/{trace_id}?token=hunter2',
  }
  const { code, stdout } = await signalbox(['config', '--port', '9'], env)
  expect(code).toBe(0)
  expect(stdout).toContain('retries: 7  # SIGNALBOX_RETRIES')
  expect(stdout).toContain('port: 9  # PORT')
  expect(stdout).toContain('"name":"agent"')
  expect(stdout).toContain('approval_webhook: "https://chat.test/[hidden]"')
  expect(stdout).toContain('trace_url: "https://traces.test/{trace_id}?token=[redacted]"')
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
