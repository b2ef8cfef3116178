import { describe, expect, test } from 'vitest'
import { redactText, redactValue } from '../../src/lib/redact.ts'

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
