import { exportSPKI } from 'jose'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { openIssuers } from '../../src/access/issuers.ts'
import { createKeyRing } from '../../src/access/key-ring.ts'
import { openKeys } from '../../src/access/open-keys.ts'
import {
  AUDIENCE,
  createSigningKey,
  type SigningKey,
  startTokenIssuer,
  type TokenIssuer,
} from '../support/token-issuer.ts'

let idp: TokenIssuer
beforeAll(async () => {
  idp = await startTokenIssuer()
})
afterAll(() => idp.close())

const KEYS = [{ name: 'agent', secret: 'agent-secret-0123456789' }]
const seconds = (from: number) => Math.floor(Date.now() / 1000) + from

function ringOf(settings: object = {}) {
  const claims = { allow: "['*']" }
  const entry = { issuer: idp.issuer, audience: AUDIENCE, claims, ...settings }
  return createKeyRing(openKeys(KEYS), { issuers: openIssuers([entry]) })
}

const identify = async (token: string, settings?: object) =>
  await ringOf(settings).identify(`Bearer ${token}`)

const unsigned = (claims: object) =>
  [{ alg: 'none', typ: 'JWT' }, claims]
    .map(part => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .concat('')
    .join('.')

describe('a token', () => {
  test('is good where issuer, audience, times and signature are', async () => {
    const found = await identify(await idp.sign())
    expect(found).toMatchObject({ name: 'ann', issuer: idp.issuer, operator: false })
  })

  test.each([
    ['expired', { exp: seconds(-60) }, {}, /expired at 20/],
    ['without an end', { exp: null }, {}, /no time at which it expires/],
    ['not valid yet', { nbf: seconds(600) }, {}, /not valid yet/],
    ['for another audience', { aud: 'https://other.example.com' }, {}, /not for this gateway/],
    ['for no audience', { aud: null }, {}, /not for this gateway/],
    ['of another issuer', { iss: 'https://other.example.com' }, {}, /its issuer is not/],
    ['of no issuer', { iss: null }, {}, /its issuer is not/],
    ['with an unknown kid', {}, { header: { kid: 'other' } }, /no key with its kid/],
    ['of a logout', {}, { header: { typ: 'logout+jwt' } }, /no access token/],
    ['bound to a key', { cnf: { jkt: 'abc' } }, {}, /bound to a key/],
  ])('is refused when it is %s', async (_title, claims, options, message) => {
    const found = await identify(await idp.sign(claims, options))
    expect(found).toMatchObject({
      code: 'AUTH',
      status: 401,
      fault: 'invalid_token',
      message: expect.stringMatching(message),
    })
  })

  test('is refused when it is signed by nobody, or with the public key as a secret', async () => {
    const claims = { iss: idp.issuer, aud: AUDIENCE, sub: 'ann', exp: seconds(600) }
    const [key] = idp.keys
    const secret = new TextEncoder().encode(await exportSPKI(key?.publicKey as never))
    const tokens = [unsigned(claims), await idp.sign({}, { key: secret, header: { kid: 'first' } })]
    for (const token of tokens) {
      expect(await identify(token)).toMatchObject({
        status: 401,
        message: expect.stringMatching(/algorithm is not one of/),
      })
    }
  })

  test('is refused when another key has signed it, or when it was changed', async () => {
    const other = await createSigningKey('first')
    const [head, , mark] = (await idp.sign()).split('.')
    const changed = [head, (await idp.sign({ sub: 'root' })).split('.')[1], mark].join('.')
    for (const token of [await idp.sign({}, { key: other }), changed]) {
      expect(await identify(token)).toMatchObject({
        status: 401,
        message: expect.stringMatching(/signature is wrong/),
      })
    }
  })

  test.each(['a.b.c', 'eyJhbGciOiJub25lIn0.e30.', 'agent-secret', `${'x'.repeat(15_000)}.y.z`])(
    'is refused when it is the text %#',
    async text => {
      expect(await identify(text)).toMatchObject({ code: 'AUTH', status: 401 })
    },
  )
})

describe('the keys of an issuer', () => {
  test('are found by its metadata, fetched once and kept', async () => {
    const ring = ringOf()
    const token = `Bearer ${await idp.sign()}`
    idp.asked.length = 0
    await Promise.all(Array.from({ length: 20 }, async () => await ring.identify(token)))
    await ring.identify(token)
    expect(idp.asked).toEqual(['/.well-known/openid-configuration', '/jwks'])
  })

  test('are those of jwks_uri where it is set', async () => {
    idp.asked.length = 0
    expect(await identify(await idp.sign(), { jwks_uri: `${idp.issuer}/jwks` })).toMatchObject({
      name: 'ann',
    })
    expect(idp.asked).toEqual(['/jwks'])
  })

  test('stay when the settings are read again, and its entry is the same', async () => {
    const entry = { issuer: idp.issuer, audience: AUDIENCE, claims: { allow: "['*']" } }
    const ring = createKeyRing([], { issuers: openIssuers([entry]) })
    const token = `Bearer ${await idp.sign()}`
    await ring.identify(token)
    idp.asked.length = 0
    ring.replace([], openIssuers([{ ...entry, audience: ['other', AUDIENCE] }], ring.issuers))
    expect(await ring.identify(token)).toMatchObject({ name: 'ann' })
    expect(idp.asked).toEqual([])
    ring.replace([], [])
    expect(await ring.identify(token)).toMatchObject({ status: 401 })
    expect(ring.isLocked).toBe(true)
  })

  test('are fetched again for a new one, and one that was taken away is refused', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => {
      vi.useRealTimers()
      idp.keys.splice(0, 2, ...idp.keys.slice(1, 2))
    })
    const ring = ringOf()
    const before = `Bearer ${await idp.sign()}`
    expect(await ring.identify(before)).toMatchObject({ name: 'ann' })
    idp.keys.unshift(await createSigningKey('second'))
    const [old] = idp.keys.splice(1, 1)
    const after = `Bearer ${await idp.sign()}`
    vi.advanceTimersByTime(6000)
    expect(await ring.identify(after)).toMatchObject({ name: 'ann' })
    expect(await ring.identify(before)).toMatchObject({ status: 401 })
    idp.keys.push(old as SigningKey)
  })

  test.each([
    ['answers 500', () => ({ status: 500, body: '{}' })],
    ['redirects', () => ({ status: 302, body: '' })],
    ['has no metadata', () => ({ status: 404, body: '{}' })],
    ['answers no JSON', () => ({ status: 200, body: '<html>' })],
    ['is another', () => ({ status: 200, body: '{"issuer":"https://other.example.com"}' })],
    [
      'names keys without https',
      // It is this machine, by a name that may be another.
      (path: string, usual: string) => ({
        status: 200,
        body:
          path === '/jwks'
            ? usual
            : usual.replace('"jwks_uri":"http://127.0.0.1', '"jwks_uri":"http://0.0.0.0'),
      }),
    ],
    [
      'has keys that are none',
      (path: string) => (path === '/jwks' ? { status: 200, body: '{"keys":"none"}' } : null),
    ],
    [
      'has too many keys',
      (_: string, usual: string) => ({ status: 200, body: usual + ' '.repeat(2_000_000) }),
    ],
  ])('are unavailable when it %s: try again', async (_title, fault) => {
    idp.fault = fault
    onTestFinished(() => {
      idp.fault = null
    })
    const ring = ringOf()
    const token = `Bearer ${await idp.sign()}`
    const refused = {
      code: 'SERVER',
      status: 503,
      source: 'gateway',
      retryable: true,
      retryAfterMs: expect.any(Number),
      writeOutcome: 'not_applied',
    }
    expect(await ring.identify(token)).toMatchObject(refused)
    idp.asked.length = 0
    expect(await ring.identify(token)).toMatchObject(refused)
    expect(idp.asked).toEqual([])
  })

  test('are fetched once the issuer answers again', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    idp.fault = () => ({ status: 503, body: '' })
    onTestFinished(() => {
      vi.useRealTimers()
      idp.fault = null
    })
    const ring = ringOf()
    const token = `Bearer ${await idp.sign()}`
    expect(await ring.identify(token)).toMatchObject({ status: 503 })
    idp.fault = null
    vi.advanceTimersByTime(1500)
    expect(await ring.identify(token)).toMatchObject({ status: 503 })
    vi.advanceTimersByTime(1000)
    expect(await ring.identify(token)).toMatchObject({ name: 'ann' })
  })

  test('that are known still count while it is down, and unknown ones are no pass', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => {
      vi.useRealTimers()
      idp.fault = null
    })
    const ring = ringOf()
    const token = `Bearer ${await idp.sign()}`
    await ring.identify(token)
    idp.fault = () => ({ status: 503, body: '' })
    vi.advanceTimersByTime(6000)
    const unknown = `Bearer ${await idp.sign({}, { header: { kid: 'unknown' } })}`
    expect(await ring.identify(unknown)).toMatchObject({ code: 'SERVER', status: 503 })
    expect(await ring.identify(token)).toMatchObject({ name: 'ann' })
  })
})
