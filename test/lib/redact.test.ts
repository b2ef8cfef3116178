import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { redactJson, redactText, redactValue } from '../../src/lib/redact.ts'

const LETTERS = 'abcdefghij0123456789ABCDEFGHIJ0123456789'

describe('in a text', () => {
  test.each([
    ['a classic token', `ghp_${LETTERS}`],
    ['an app token', `ghs_${LETTERS}`],
    ['a fine-grained token', `github_pat_${LETTERS}`],
    ['another forge', `glpat-${LETTERS}`],
    ['a chat', 'xoxb-1234567890-abcdef'],
    ['a model', `sk-${LETTERS}`],
    ['a registry', `npm_${LETTERS}`],
    ['a cloud key', 'AKIAABCDEFGHIJKLMNOP'],
    ['a JSON Web Token', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl'],
    ['a private key', '-----BEGIN RSA PRIVATE KEY-----\nMIIEow\n-----END RSA PRIVATE KEY-----'],
  ])('the shape of %s is recognised', (_name, secret) => {
    expect(redactText(`before ${secret} after`)).toBe('before [redacted] after')
  })

  test.each([
    ['Authorization: Bearer sandbox-token', 'Authorization: Bearer [redacted]'],
    ['authorization: token abc123', 'authorization: token [redacted]'],
    ['curl -H "Authorization: Basic dXNlcjpwYXNz"', 'curl -H "Authorization: Basic [redacted]"'],
    ['https://user:pass@example.test/x', 'https://[redacted]@example.test/x'],
    ['/cb?access_token=abc&state=1', '/cb?access_token=[redacted]&state=1'],
    ['https://h.test/x?token=hooktok', 'https://h.test/x?token=[redacted]'],
    ['https://h.test/x?a=1&sig=ab%2Fc&b=2', 'https://h.test/x?a=1&sig=[redacted]&b=2'],
    ['/maps?key=abc', '/maps?key=[redacted]'],
    ['/x?secret=abc#part', '/x?secret=[redacted]#part'],
    ['/x?auth_token=abc and more', '/x?auth_token=[redacted] and more'],
    ['/x?X-Amz-Signature=abc&X-Amz-Date=1', '/x?X-Amz-Signature=[redacted]&X-Amz-Date=1'],
    ['/x?X-Amz-Credential=abc/1', '/x?X-Amz-Credential=[redacted]'],
    ['{"password": "open sesame"}', '{"password": "[redacted] sesame"}'],
  ])('%s', (text, expected) => {
    expect(redactText(text)).toBe(expected)
  })

  test.each([
    'The token has expired.',
    'Use Bearer authentication.',
    'commit 4b825dc642cb6eb9a060e54bf8d69288fbee4904',
    'https://example.test/a@b',
    'token_budget=500',
    'GET /v1/requests?key_name=a&signed=true&monkey=banana',
    '/items?page_token=abc&next_page_token=def&pageToken=ghi',
    'key=value, token=5, sig=1',
  ])('an ordinary text stays: %s', text => {
    expect(redactText(text)).toBe(text)
  })

  test('known secrets are removed, also in their URL encoding, the longest first', () => {
    expect(
      redactText('a p@ss/word b p%40ss%2Fword c p@ss/word2', ['p@ss/word', 'p@ss/word2']),
    ).toBe('a [redacted] b [redacted] c [redacted]')
  })

  test('a known secret that is too short stays', () => {
    expect(redactText('an apple', ['a', ''])).toBe('an apple')
  })
})

describe('in a value', () => {
  test('members named like secrets lose their values, and others keep them', () => {
    const value = {
      name: 'demo',
      token: 'x',
      apiKey: 'x',
      'X-Api-Key': 'x',
      headers: { authorization: 'x', cookie: ['x'], accept: 'json' },
      credentials: { user: 'u', pass: 'p' },
      pwd: 1234,
    }
    expect(redactValue(value)).toEqual({
      name: 'demo',
      token: '[redacted]',
      apiKey: '[redacted]',
      'X-Api-Key': '[redacted]',
      headers: { authorization: '[redacted]', cookie: '[redacted]', accept: 'json' },
      credentials: '[redacted]',
      pwd: '[redacted]',
    })
  })

  test('names that only sound like secrets keep their values', () => {
    const value = { token_budget: 500, max_tokens: 20, has_token: false, token: null, secret: '' }
    expect(redactValue(value)).toEqual(value)
  })

  test('secrets in texts, lists and names are removed', () => {
    expect(redactValue([`see ghp_${LETTERS}`, { [`ghp_${LETTERS}`]: 1 }])).toEqual([
      'see [redacted]',
      { '[redacted]': 1 },
    ])
  })

  test('a member named __proto__ stays data', () => {
    const clean = redactValue(JSON.parse('{"__proto__": {"a": 1}}'))
    expect(JSON.stringify(clean)).toBe('{"__proto__":{"a":1}}')
  })

  test('values that are nested too deeply are removed', () => {
    let deep: unknown = 'end'
    for (let n = 0; n < 10_000; n++) deep = [deep]
    expect(JSON.stringify(redactValue(deep))).toContain('[[[["[redacted]"]]]]')
  })

  test('the original value is unchanged', () => {
    const value = { token: 'x' }
    redactValue(value)
    expect(value).toEqual({ token: 'x' })
  })
})

describe('the JSON of a value', () => {
  const SECRETS = ['s3cr3t-of-mine', 'a "quoted" one']
  /** Pieces from which texts with and without secrets are made. */
  const piece = fc.oneof(
    fc.constantFrom(...SECRETS, ...SECRETS.map(secret => encodeURIComponent(secret))),
    fc.constantFrom(
      `ghp_${LETTERS}`,
      `sk-${LETTERS}`,
      'Bearer abcdefgh',
      'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI',
    ),
    fc.constantFrom(
      'authorization: x1',
      'https://u:p@h.test/',
      'password=',
      'x',
      '_',
      '-',
      ' ',
      '.',
    ),
    fc.constantFrom('\n', '\t', '"', '\\', 'n', '\u2028', '\ud800', 'é'),
    fc.string({ maxLength: 6 }),
  )
  const text = fc.array(piece, { maxLength: 4 }).map(pieces => pieces.join(''))
  const name = fc.oneof(text, fc.constantFrom('token', 'has_token', 'token_count', 'name', 'id'))
  const value = fc.letrec<{ any: unknown; whole: object }>(tie => ({
    any: fc.oneof({ maxDepth: 4 }, text, fc.constantFrom(null, true, 0, -1.5), tie('whole')),
    whole: fc.oneof(
      fc.dictionary(name, tie('any'), { maxKeys: 4 }),
      fc.array(tie('any'), { maxLength: 4 }),
    ),
  })).whole

  test('is that of its copy without secrets', () => {
    fc.assert(
      fc.property(value, made => {
        expect(redactJson(made, SECRETS)).toBe(JSON.stringify(redactValue(made, SECRETS)))
      }),
      { numRuns: 3000 },
    )
  })

  test('is taken as it is where nothing can be a secret', () => {
    const text = '{ "name" : "demo" }'
    expect(redactJson({ name: 'demo' }, SECRETS, text)).toBe(text)
  })

  test('is made anew where the text has one', () => {
    const made = { see: `ghp_${LETTERS}` }
    expect(redactJson(made, [], JSON.stringify(made))).toBe('{"see":"[redacted]"}')
  })

  test('ends where it is nested too deeply', () => {
    const deep = Array.from({ length: 70 }).reduce<object>(inner => [inner], {})
    expect(redactJson(deep)).toBe(JSON.stringify(redactValue(deep)))
  })
})
