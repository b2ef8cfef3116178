import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OpenIssuer, openIssuers } from '../../src/access/issuers.ts'
import { createKeyRing } from '../../src/access/key-ring.ts'
import { openKeys } from '../../src/access/open-keys.ts'
import { mayCall, needsApproval, requirePermission } from '../../src/access/permission.ts'
import type { Caller } from '../../src/model/caller.ts'
import { AUDIENCE, startTokenIssuer, type TokenIssuer } from '../support/token-issuer.ts'

let idp: TokenIssuer
beforeAll(async () => {
  idp = await startTokenIssuer()
})
afterAll(() => idp.close())

const KEYS = [{ name: 'agent', secret: 'agent-secret-0123456789' }]
const READ = { id: 'issue.list', effect: 'read', destructive: false, scope: null } as const
const WRITE = { id: 'issue.create', effect: 'write', destructive: false, scope: null } as const
const MERGE = { id: 'pr.merge', effect: 'write', destructive: false, scope: null } as const

const open = (settings: object): readonly OpenIssuer[] =>
  openIssuers([{ issuer: idp.issuer, audience: AUDIENCE, ...settings }])

async function callerOf(settings: object, claims: Record<string, unknown> = {}) {
  const ring = createKeyRing(openKeys(KEYS), { issuers: open(settings) })
  return await ring.identify(`Bearer ${await idp.sign(claims)}`)
}

describe('the name of a caller', () => {
  const allow = "['*']"
  test.each([
    ['sub, where the settings do not say', {}, {}, 'ann'],
    [
      'the value of the expression',
      { name: 'email' },
      { email: 'ann@example.com' },
      'ann@example.com',
    ],
    ['a value with one space', { name: 'name' }, { name: 'Ann Öz' }, 'Ann Öz'],
  ])('is %s', async (_title, named, claims, name) => {
    expect(await callerOf({ claims: { ...named, allow } }, claims)).toMatchObject({ name })
  })

  test.each([
    ['nothing', { email: null }],
    ['the empty text', { email: '' }],
    ['a number', { email: 7 }],
    ['a text with a line break', { email: 'ann\nroot' }],
    ['a text with an invisible character', { email: 'ann\u200b' }],
    ['a text with turned letters', { email: '\u202eann' }],
    ['a text with a space at its end', { email: 'ann ' }],
    ['a long text', { email: 'a'.repeat(201) }],
  ])('is not %s', async (_title, claims) => {
    expect(await callerOf({ claims: { name: 'email', allow } }, claims)).toMatchObject({
      code: 'FORBIDDEN',
      status: 403,
      message: expect.stringMatching(/claims.name gives no name/),
    })
  })

  test.each(['agent', 'local', 'cli', 'mcp'])(
    'is not that of a key or a command: %s',
    async sub => {
      expect(await callerOf({ claims: { allow } }, { sub })).toMatchObject({ code: 'FORBIDDEN' })
      const prefixed = { claims: { allow }, prefix: 'sso:' }
      expect(await callerOf(prefixed, { sub })).toMatchObject({ name: `sso:${sub}` })
    },
  )

  test.each(['root@localhost', '(gateway)', '(anonymous)', '(client of ann)'])(
    'is not one of the audit and of people at the machine: %s',
    async sub => {
      expect(await callerOf({ claims: { allow } }, { sub })).toMatchObject({ code: 'FORBIDDEN' })
    },
  )

  test('begins with its issuer, where there are several', async () => {
    const other = { issuer: 'https://login.example.com/realms/a', audience: AUDIENCE }
    const own = { issuer: idp.issuer, audience: AUDIENCE }
    const ring = createKeyRing([], { issuers: openIssuers([own, other]) })
    expect(await ring.identify(`Bearer ${await idp.sign()}`)).toMatchObject({
      name: `${idp.issuer.slice('http://'.length)}#ann`,
    })
    expect(ring.issuers[1]?.mapping.prefix).toBe('login.example.com/realms/a#')
    const joined = openIssuers([{ ...own, prefix: '' }, other])
    expect(joined[0]?.mapping.prefix).toBe('')
  })
})

describe('a caller may do', () => {
  const decide = (caller: Caller) => [READ, WRITE, MERGE].map(card => mayCall(caller, card))
  const roles = [
    { name: 'maintainers', approve: ['pr.merge'], operator: true, concurrency: 8 },
    { name: 'staff', read_only: true, requests_per_minute: 60, credentials: { github: 'reader' } },
  ]

  test.each([
    ['nothing without a mapping', {}, {}, [false, false, false]],
    ['nothing when allow gives null', { allow: 'permissions' }, {}, [false, false, false]],
    [
      'nothing when allow fails',
      { allow: "contains(groups, 'x') && ['*']" },
      {},
      [false, false, false],
    ],
    ['nothing when allow gives an object', { allow: '@' }, {}, [false, false, false]],
    ['nothing when allow gives an empty list', { allow: '`[]`' }, {}, [false, false, false]],
    [
      'what a list allows',
      { allow: 'permissions' },
      { permissions: ['read:*', 'pr.merge'] },
      [true, false, true],
    ],
    [
      'what a text allows',
      { allow: 'scope' },
      { scope: 'openid read:* Bad:Pattern' },
      [true, false, false],
    ],
    [
      'nothing when an entry could take something away',
      { allow: 'permissions' },
      { permissions: ['*', '-pr.*'] },
      [false, false, false],
    ],
    [
      'nothing when an entry is no text',
      { allow: 'permissions' },
      { permissions: ['*', 5] },
      [false, false, false],
    ],
    ['what a constant allows', { allow: "['read:*']" }, {}, [true, false, false]],
    [
      'nothing when credentials give null',
      { allow: "['*']", credentials: 'tenant' },
      {},
      [false, false, false],
    ],
    [
      'nothing when a credential is missing',
      { allow: "['*']", credentials: '{github: tenant}' },
      {},
      [false, false, false],
    ],
  ])('%s', async (_title, mapping, claims, may) => {
    expect(decide((await callerOf({ claims: mapping }, claims)) as Caller)).toEqual(may)
  })

  test.each([
    ['the first role that it has', ['staff', 'maintainers'], [true, true, true]],
    ['its only role', ['staff', 'others'], [true, false, false]],
    ['its role as a text', 'staff', [true, false, false]],
    ['nothing without a role', ['others'], [false, false, false]],
    ['nothing without the claim', null, [false, false, false]],
  ])('%s', async (_title, groups, may) => {
    const caller = await callerOf({ claims: { role: 'groups' }, roles }, { groups })
    expect(decide(caller as Caller)).toEqual(may)
  })

  test('whatever else its role says', async () => {
    const of = async (group: string) =>
      (await callerOf({ claims: { role: 'groups' }, roles }, { groups: [group] })) as Caller
    const maintainer = await of('maintainers')
    expect(maintainer).toMatchObject({ name: 'ann', operator: true, limits: { concurrency: 8 } })
    expect(needsApproval(maintainer, MERGE)).toBe(true)
    expect(await of('staff')).toMatchObject({
      operator: false,
      limits: { requestsPerMinute: 60 },
      credentials: { github: 'reader' },
    })
    expect(await of('others')).toMatchObject({ operator: false, name: 'ann' })
  })

  test('what claims.allow gives, under the rest of its role', async () => {
    const limited = [{ name: 'staff', deny: ['issue.create'], approve: ['pr.merge'] }]
    const settings = { claims: { role: 'groups', allow: 'can' }, roles: limited }
    const caller = (await callerOf(settings, {
      groups: ['staff'],
      can: ['issue.*', 'pr.*'],
    })) as Caller
    expect(decide(caller)).toEqual([true, false, true])
    expect(needsApproval(caller, MERGE)).toBe(true)
  })

  test('nothing more than an error that says what is missing', async () => {
    const caller = (await callerOf({ claims: { allow: 'permissions' } })) as Caller
    expect(() => requirePermission(caller, READ)).toThrow(
      'The caller "ann" may not call issue.list: claims.allow gives nothing for its token.',
    )
  })
})

describe('the scopes that a token needs', () => {
  const settings = { claims: { allow: "['*']" }, required_scopes: ['signalbox', 'openid'] }
  test.each([
    ['scope', { scope: 'openid signalbox' }],
    ['scp, a list', { scp: ['openid', 'signalbox'] }],
    ['scp, a text', { scp: 'openid signalbox' }],
  ])('are in %s', async (_title, claims) => {
    expect(await callerOf(settings, claims)).toMatchObject({ name: 'ann' })
  })

  test.each([[{}], [{ scope: 'openid' }], [{ scope: { openid: true } }]])(
    'are not in %j',
    async claims => {
      expect(await callerOf(settings, claims)).toMatchObject({
        code: 'FORBIDDEN',
        status: 403,
        fault: 'insufficient_scope',
      })
    },
  )
})

test.each([
  ['twice the same issuer', [{}, {}], /stands there twice/],
  ['an address without https', [{ issuer: 'http://login.example.com' }], /with https/],
  ['keys without https', [{ jwks_uri: 'http://login.example.com/keys' }], /with https/],
  [
    'an expression that does not compile',
    [{ claims: { allow: 'a.' } }],
    /claims.allow does not compile/,
  ],
  ['a function that does not exist', [{ claims: { name: 'lower(sub)x' } }], /claims.name/],
  ['roles without claims.role', [{ roles: [{ name: 'a' }] }], /go together/],
  ['claims.role without roles', [{ claims: { role: 'groups' } }], /go together/],
  [
    'one role twice',
    [{ claims: { role: 'groups' }, roles: [{ name: 'a' }, { name: 'a' }] }],
    /role "a": its name stands there twice/,
  ],
  [
    'two lists of what callers may call',
    [{ claims: { role: 'groups', allow: 'can' }, roles: [{ name: 'a', read_only: true }] }],
    /claims.allow says what callers may call/,
  ],
  [
    'two choices of credentials',
    [{ claims: { role: 'groups', credentials: 'c' }, roles: [{ name: 'a', credentials: {} }] }],
    /claims.credentials chooses/,
  ],
  [
    'a role with read_only beside allow',
    [{ claims: { role: 'groups' }, roles: [{ name: 'a', read_only: true, allow: [] }] }],
    /role "a": read_only is allow/,
  ],
])('settings with %s are refused', (_title, entries, message) => {
  const usual = { issuer: 'https://login.example.com', audience: AUDIENCE }
  expect(() => openIssuers(entries.map(entry => ({ ...usual, ...entry }) as never))).toThrow(
    message,
  )
})
