import { execFileSync, spawnSync } from 'node:child_process'
import { stripTypeScriptTypes } from 'node:module'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { DIRECTIVES, PARAMETERS } from '../../client/options.ts'
import { parseExact } from '../../inspector/web/lib/exact-json.js'
import { asClientCode, asCurl, OF_CLIENT } from '../../inspector/web/model/copied-call.js'
import { reasonNotKept, reasonNotToSend } from '../../inspector/web/model/copied-input.js'
import { AskedOptions } from '../../src/model/asked-options.ts'

const HOSTILE: readonly [string, string][] = [
  ['single quotes', `it's '; rm -rf / #'`],
  ['double quotes', 'say "hello" \\"'],
  ['line breaks', 'one\ntwo\r\nthree'],
  ['a command', '$(touch /tmp/hacked) `id` ${HOME} $HOME !! ~ *'],
  ['backslashes', '\\ \\\\ \\n \\u0041 \\'],
  ['other scripts', '日本語 é \u202e \u2028 \u2029 😀'],
  ['the end of a script', '</script><!--'],
  ['a dash', '--upload-file /etc/passwd @/etc/passwd'],
]
/** Nothing but line ends may be unseen in a text that a person pastes. */
const UNSEEN = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u
const call = {
  origin: 'http://127.0.0.1:8080',
  capability: 'issue.create',
  effect: 'write',
  options: {},
  hadKey: false,
  hasKey: true,
}

/** The words that the shell passes to curl. */
function wordsOf(command: string): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }\nSIGNALBOX_KEY=the-key NEW_KEY=the-new-key\n${command}`
  return execFileSync('sh', ['-c', script]).toString().split('\0').slice(0, -1)
}

const VARIABLES = {
  SIGNALBOX_KEY: 'the-key',
  IDEMPOTENCY_KEY: 'again',
  UPSTREAM_CREDENTIAL: 'Bearer own',
}

/** The text of what the code passes to the client. */
function textPassedBy(code: string, env: Record<string, string> = VARIABLES): string {
  const script = stripTypeScriptTypes(code)
    .replace(/^import .*$/m, '')
    .replace('await ', '')
  const passed = runInNewContext(
    `const calls = []
     const createClient = options => ({ call: (...all) => calls.push([options, ...all]) })
     ${script}
     JSON.stringify(calls[0])`,
    { process: { env }, crypto: { randomUUID: () => 'new' } },
  )
  return passed as string
}

function passedBy(code: string): unknown {
  return JSON.parse(textPassedBy(code))
}

describe.each(HOSTILE)('an input with %s', (_kind, text) => {
  const input = { title: text, [text]: [text] }

  test('is one word of the shell, as it is', () => {
    const words = wordsOf(asCurl({ ...call, input }))
    expect(words.at(-2)).toBe('--data-raw')
    expect(JSON.parse(words.at(-1) ?? '')).toEqual(input)
    expect(words.at(-1)).not.toMatch(UNSEEN)
    expect(words).toHaveLength(10)
  })

  test('is a literal of the client code, as it is', () => {
    expect(asClientCode({ ...call, input })).not.toMatch(UNSEEN)
    expect(passedBy(asClientCode({ ...call, input }))).toEqual([
      { url: call.origin, key: 'the-key' },
      'issue.create',
      input,
      { idempotencyKey: 'new' },
    ])
  })
})

test('a member that would set the prototype stays a member', () => {
  const input = JSON.parse('{"__proto__": {"a": "\\"__proto__\\":"}}')
  const [, , passed] = passedBy(asClientCode({ ...call, input })) as [unknown, unknown, object]
  expect(Object.entries(passed)).toEqual(Object.entries(input))
})

test('the command holds the key and a new Idempotency-Key as variables', () => {
  const command = asCurl({ ...call, input: {} })
  expect(command).toContain('${SIGNALBOX_KEY:?')
  expect(wordsOf(command)).toEqual([
    '-s',
    `${call.origin}/v1/capabilities/issue.create`,
    '-H',
    'content-type: application/json',
    '-H',
    'authorization: Bearer the-key',
    '-H',
    'idempotency-key: the-new-key',
    '--data-raw',
    '{}',
  ])
})

test('the options of the call become parameters, headers and variables', () => {
  const options = {
    route: 'rest',
    timeout_ms: 5000,
    max_age_ms: 1000,
    stale_if_error_ms: 2000,
    max_stale: true,
    only_if_cached: true,
    no_store: true,
    fields: 'items.title,pageInfo',
    token_budget: 500,
    profile: 'brief',
    own_credential: true,
  } as const
  const given = { ...call, effect: 'read', options, hadKey: true, input: {} }
  const script = `UPSTREAM_CREDENTIAL='Bearer own' IDEMPOTENCY_KEY=again\n${asCurl(given)}`
  const words = wordsOf(script)
  const { searchParams } = new URL(words[1] ?? '')
  const {
    max_stale: _any,
    only_if_cached: _only,
    no_store: _no,
    own_credential: _own,
    ...parameters
  } = options
  expect(Object.fromEntries(searchParams)).toEqual(
    Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, String(value)])),
  )
  expect(words.filter(word => /^(cache|idem|x-up)/.test(word))).toEqual([
    'x-upstream-authorization: Bearer own',
    'cache-control: max-stale, only-if-cached, no-store',
    'idempotency-key: again',
  ])
  expect(passedBy(asClientCode(given))).toEqual([
    { url: call.origin, key: 'the-key', upstreamAuthorization: 'Bearer own' },
    'issue.create',
    {},
    {
      route: 'rest',
      timeoutMs: 5000,
      maxAgeMs: 1000,
      staleIfErrorMs: 2000,
      maxStale: true,
      onlyIfCached: true,
      noStore: true,
      fields: 'items.title,pageInfo',
      tokenBudget: 500,
      profile: 'brief',
      idempotencyKey: 'again',
    },
  ])
})

test('the client has each option that the journal keeps, under the name that the copy uses', () => {
  const kept = Object.keys(AskedOptions.properties).filter(name => name !== 'own_credential')
  expect(Object.keys(OF_CLIENT).toSorted()).toEqual(kept.toSorted())
  const theirs = { ...PARAMETERS, ...DIRECTIVES }
  for (const [name, option] of Object.entries(OF_CLIENT)) {
    expect(theirs[option].replaceAll('-', '_')).toBe(name)
  }
})

test('an explain call has no Idempotency-Key, and a pinned route goes along', () => {
  const words = wordsOf(
    asCurl(
      { ...call, options: { route: 'rest', fields: 'id' }, hasKey: false, input: {} },
      'explain',
    ),
  )
  expect(words.filter(word => word.startsWith('http'))).toEqual([
    `${call.origin}/v1/capabilities/issue.create/explain?route=rest`,
  ])
  expect(words.filter(word => /key|authorization/.test(word))).toEqual([])
})

test.each([
  [{ title: 'x' }, null],
  [{}, null],
  [null, /has not kept the input/],
  [{ token: '[redacted]' }, /removed parts/],
  [{ truncated: true, length: 99_999, head: '{"a' }, /only the beginning/],
])('the input %j can be sent again unless a part is missing', (input, reason) => {
  const told = reasonNotToSend(input)
  if (reason === null) expect(told).toBeNull()
  else expect(told).toMatch(reason)
})

test.each([
  ['it was interrupted', { meta: null }, /interrupted before/],
  ['a call before it failed', { error: { details: { need_request_id: 'a' } } }, /before its input/],
  ['its key was refused', { error: { code: 'AUTH', details: {} } }, /before its input/],
  ['its input was wrong', { error: { code: 'VALIDATION', details: {} } }, null],
  ['its credential was refused', { plan: {}, error: { code: 'AUTH', details: {} } }, null],
])('the page knows why no input was kept: %s', (_why, request, reason) => {
  const whole = { meta: {}, plan: null, error: null, ...request }
  const told = reasonNotKept(whole as unknown as Parameters<typeof reasonNotKept>[0])
  if (reason === null) expect(told).toBeNull()
  else expect(told).toMatch(reason)
})

describe('a copy whose variables are not set sends nothing', () => {
  const input = { title: 'Once' }
  const removed = { title: 'a [redacted] b', 'x [redacted]': ['[redacted]'] }
  const all = ['SIGNALBOX_KEY=a', 'NEW_KEY=a', 'IDEMPOTENCY_KEY=a']
  test.each([
    ['a removed text', { ...call, input: removed }, all, 'REDACTED_1'],
    ['the second of them', { ...call, input: removed }, [...all, 'REDACTED_1=a'], 'REDACTED_2'],
    [
      'the rest of a long input',
      { ...call, input: { truncated: true, length: 99_999, head: '{"a' } },
      all,
      'INPUT',
    ],
    [
      'the key of a call that had one',
      { ...call, input, hadKey: true },
      ['SIGNALBOX_KEY=a', 'NEW_KEY=a'],
      'IDEMPOTENCY_KEY',
    ],
    [
      'the key of a read that had one',
      { ...call, input, effect: 'read', hadKey: true },
      ['SIGNALBOX_KEY=a', 'NEW_KEY=a'],
      'IDEMPOTENCY_KEY',
    ],
    [
      'the credential',
      { ...call, input, options: { own_credential: true as const } },
      all,
      'UPSTREAM_CREDENTIAL',
    ],
    ['the key', { ...call, input }, ['NEW_KEY=a'], 'SIGNALBOX_KEY'],
    ['the Idempotency-Key', { ...call, input }, ['SIGNALBOX_KEY=a'], 'NEW_KEY'],
    [
      'the Idempotency-Key of a write of unknown effect',
      { ...call, input, effect: null },
      ['SIGNALBOX_KEY=a'],
      'NEW_KEY',
    ],
    [
      'an input that was not kept',
      { ...call, input: null },
      ['SIGNALBOX_KEY=a', 'NEW_KEY=a'],
      'INPUT',
    ],
  ])('for lack of %s', (_missing, given, variables, name) => {
    const script = `curl() { echo sent; }\n${variables.join(' ')}\n${asCurl(given)}`
    const { stdout, stderr, status } = spawnSync('sh', ['-c', script], {
      encoding: 'utf8',
      env: {},
    })
    expect([stdout, status === 0]).toEqual(['', false])
    expect(stderr).toContain(name)
    if (name === 'NEW_KEY') return
    const env = Object.fromEntries(variables.map(one => one.split('=')))
    const lacking = name === 'INPUT' ? 'input is not defined' : `Nothing was sent: set ${name}`
    expect(() => textPassedBy(asClientCode(given), env)).toThrow(lacking)
  })
})

test('removed texts are put in where they stood', () => {
  const input = { title: `it's [redacted] b`, 'x [redacted]': ['[redacted]'] }
  const whole = { title: `it's one b`, 'x two': ['three'] }
  const parts = { REDACTED_1: 'one', REDACTED_2: 'two', REDACTED_3: 'three' }
  const set = Object.entries(parts).map(([name, value]) => `${name}=${value}`)
  const command = asCurl({ ...call, input })
  expect(command).toMatch(/^# The journal has removed .* Set REDACTED_1, REDACTED_2, REDACTED_3/)
  const sent = wordsOf(`${set.join(' ')}\n${command}`).at(-1) ?? ''
  expect(JSON.parse(sent)).toEqual(whole)
  const code = asClientCode({ ...call, input })
  expect(code).toMatch(/^\/\/ The journal has removed /m)
  const passed = JSON.parse(textPassedBy(code, { ...VARIABLES, ...parts }))
  expect(passed[2]).toEqual(whole)
})

test.each(['12345678901234567890', '1.0', '-0', '1e400', '0.10000000000000000001', '7', '-1.5'])(
  'the number %s keeps its digits in each copy',
  number => {
    const text = `{"n":${number},"all":[${number}],"text":"${number}"}`
    const input = parseExact(text)
    expect(wordsOf(asCurl({ ...call, input })).at(-1)).toBe(text)
    expect(wordsOf(asCurl({ ...call, input }, 'explain')).at(-1)).toBe(text)
    expect(textPassedBy(asClientCode({ ...call, input }))).toContain(text)
  },
)

test('an input that was not kept is given as it is known later', () => {
  const script = `curl() { for last; do :; done; printf %s "$last"; }\nSIGNALBOX_KEY=k NEW_KEY=n INPUT='{"a": "b c"}'\n`
  const sent = execFileSync('sh', ['-c', script + asCurl({ ...call, input: null })]).toString()
  expect(sent).toBe('{"a": "b c"}')
  expect(asClientCode({ ...call, input: null })).toContain(', input /*')
})
