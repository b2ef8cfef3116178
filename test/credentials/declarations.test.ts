import { expect, test } from 'vitest'
import { startTestGateway } from '../support/gateway.ts'
import { loadPacks } from '../support/packs.ts'
import { echoPack, readCard } from './service-pack.ts'

const TWO = 'schemes: { a: { type: bearer }, b: { type: header, name: X-B } }'
const QUERY = 'schemes: { q: { type: query, name: key } }'

/** The texts of upstream.yaml and of the card, and the problem with its cure. */
const FAULTY = [
  [TWO, '', 'schemes are several', /Add needs .*needs: \[a, b\]/],
  [`${TWO}\nneeds: c`, '', 'needs names "c", which is no scheme', /Use one of a, b/],
  [`${TWO}\nneeds: a`, 'needs: [a, c]', 'routes.rest.needs names "c"', /Use one of a, b/],
  ['', 'needs: a', 'routes.rest.needs names "a"', /Declare it under schemes/],
  [
    'schemes: { a: { type: bearer }, b: { type: basic } }\nneeds: [a, b]',
    '',
    'needs puts two secrets into the header authorization',
    /any: \[first, second\]/,
  ],
  [`${QUERY}\ncredential: { env: [A] }`, '', 'credential is the short form', /Remove it/],
  ['credentials: { default: { a: { env: A } } }', '', 'credentials has no schemes', /Declare them/],
  ['schemes: { q: { type: query } }', '', 'schemes.q has no name', /the name of the query/],
  ['schemes: { q: { type: bearer, name: x } }', '', 'schemes.q.name has no effect', /Remove/],
  ['schemes: { q: { type: header, name: "a b" } }', '', 'its name is not a valid', /schemes.q/],
  ['schemes: { q: { type: header, name: Host } }', '', 'is set by the HTTP client', /schemes.q/],
  [`${QUERY}\ncredentials: { default: { x: { env: A } } }`, '', 'x names no scheme', /one of q/],
  [`${QUERY}\ncredentials: { default: { q: { env: A, file: b } } }`, '', 'one text', /exactly one/],
  [
    'schemes: { l: { type: basic } }\ncredentials: { default: { l: { env: A } } }',
    '',
    'credentials.default.l is the source of basic',
    /username and password/,
  ],
  [
    `${QUERY}\ncredentials: { default: { q: { oauth2: { token_url: "https://a.test", grant: refresh_token, client_id: { env: A } } } } }`,
    '',
    'oauth2 has no refresh_token',
    /Add refresh_token/,
  ],
  [
    'schemes: { a: { type: bearer, passthrough: true }, b: { type: header, name: X-B, passthrough: true } }\nneeds: a',
    '',
    'schemes.b.passthrough is set at another scheme too',
    /one X-Upstream-Authorization/,
  ],
  [QUERY, 'query: { key: input.text }', 'routes.rest.query.key carries a credential', /Remove it/],
  [
    'schemes: { b: { type: header, name: X-B } }',
    'headers: { x-b: input.text }',
    'x-b carries',
    /schemes/,
  ],
  [
    'schemes: { c: { type: cookie, name: sid } }',
    'cookies: { sid: input.text }',
    'is set in',
    /remove/,
  ],
  [
    `${QUERY}\ncli: { command: env, env: { A: "\${credential.p}" } }`,
    '',
    'has ${credential.p}, which is no scheme',
    /Name a scheme/,
  ],
  // Nobody could ever have the secret, so the request would always go without it.
  [
    'graphql: { url: "https://a.test", headers: { authorization: "Bearer ${credential}" } }',
    '',
    'graphql.headers.authorization has ${credential}, but the file declares no credential',
    /credential: \{ env: \[NAME\] \}/,
  ],
  [
    'cli: { command: env, env: { A: "${credential}" } }',
    '',
    'cli.env.A has ${credential}, but the file declares no credential',
    /credential: \{ env: \[NAME\] \}/,
  ],
  // A text that only looks like a variable would be sent as it is written.
  [
    'graphql: { url: "https://a.test", headers: { x-a: "${token}" } }',
    '',
    'graphql.headers.x-a has ${token}, which is no variable',
    /in capitals/,
  ],
  [
    'cli: { command: env, env: { A: "a ${credentials.x}" } }',
    '',
    'cli.env.A has ${credentials.x}, which is no variable',
    /in capitals/,
  ],
  ['cli: { command: "${home}/run" }', '', 'cli.command has ${home}, which is no', /in capitals/],
] as const

test.each(FAULTY)('%s, with the route %s: %s', async (credentials, route, message, fix) => {
  const own = route.startsWith('query:') ? '' : 'query: { text: input.text }'
  const card = readCard('echo.view').replace('query: { text: input.text }', own)
  const pack = await echoPack('http://127.0.0.1:1', credentials, {
    'echo.view': card.replace('result:', `${route}\n    result:`),
  })
  const { problems } = await loadPacks([pack])
  const found = problems.find(problem => problem.message.includes(message))
  expect(problems.map(problem => problem.message)).toContainEqual(expect.stringContaining(message))
  expect(found?.fix).toMatch(fix)
  expect(found?.line).not.toBeNull()
})

test('one scheme needs no needs', async () => {
  const pack = await echoPack('http://127.0.0.1:1', QUERY)
  const { problems, cards } = await loadPacks([pack])
  expect(problems).toEqual([])
  expect(cards.get('echo.view')?.routes[0]?.needs).toEqual([['q']])
})

const LOGIN = (username: string) => `
schemes: { l: { type: basic } }
credentials: { default: { l: { username: ${username}, password: { env: PASSWORD } } } }
`

test('a user name with a colon is a fault', async () => {
  const pack = await echoPack('http://127.0.0.1:1', LOGIN('{ env: [NONE, LOGIN] }'))
  const { problems } = await loadPacks([pack], { LOGIN: 'ann:pass-word', PASSWORD: 'x' })
  expect(problems).toMatchObject([
    {
      message: expect.stringMatching(/^credentials\.default\.l\.username reads LOGIN, .* colon/),
      fix: expect.stringMatching(/^Set LOGIN to the part before the colon/),
    },
  ])
  expect(JSON.stringify(problems)).not.toContain('pass-word')
})

test('a user name with a colon from a program fails the call', async () => {
  const pack = await echoPack('http://127.0.0.1:1', LOGIN('{ command: { run: [echo, "ann:b"] } }'))
  await using gateway = await startTestGateway({
    settings: { capabilities: [pack] },
    env: { PASSWORD: 'pass-word' },
  })
  const { body } = await gateway.call('echo.view', {})
  expect(body.error).toMatchObject({
    code: 'AUTH',
    message:
      'The credential echo:default fails: The user name of echo:default.l has a colon, which ends a user name of basic.',
  })
})
