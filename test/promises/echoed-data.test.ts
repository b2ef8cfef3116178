import { expect, test } from 'vitest'
import { PROFILE_NAMES } from '../../src/model/profile-name.ts'
import { startTestGateway } from '../support/gateway.ts'
import { writePack } from '../support/packs.ts'
import { sendJson, startService } from '../support/service.ts'

/** Each character has another spelling in addresses, forms, JSON, or JSON of some services. */
const KEY = 'canary key/0\'123&456<789=+"~'
const SPELLINGS = [
  KEY,
  encodeURIComponent(KEY),
  new URLSearchParams({ k: KEY }).toString().slice(2),
]

const ECHO = `'{said: body.said, next: body.next, link: headers.link}'`
const card = (route: string, section: string) => `
id: echo.view
version: 1.0.0
description: Echo what was sent.
effect: read
input: { type: object, properties: {} }
output: { type: object, properties: { said: {}, next: {}, link: {}, token: {} } }
prefer: [${route}]
routes:
  ${route}:
${section}
`

const REST = `    method: GET\n    path: /view\n    result: ${ECHO}`
const SCRIPT = 'printf %s "{\\"said\\": \\"$KEY_AS_JSON\\", \\"next\\": \\"$KEY_AS_URI\\"}"'

interface Case {
  readonly name: string
  /** Keys of the upstream, with the address of the service. */
  readonly upstream: (url: string) => string
  readonly route: string
  readonly section: string
}

const upstreamOf = (scheme: string, connection: string) => `
id: echo
schemes: { key: ${scheme} }
credentials: { default: { key: { env: ECHO_KEY } } }
${connection}
`

const CASES: readonly Case[] = [
  {
    name: 'rest, with a key in the query',
    upstream: url => upstreamOf('{ type: query, name: api_key }', `rest: { base_url: "${url}" }`),
    route: 'rest',
    section: REST,
  },
  {
    name: 'rest, with a password',
    upstream: url => `
id: echo
schemes: { login: { type: basic } }
credentials: { default: { login: { username: { env: ECHO_USER }, password: { env: ECHO_KEY } } } }
rest: { base_url: "${url}" }
`,
    route: 'rest',
    section: REST,
  },
  {
    name: 'graphql, with a key in the query',
    upstream: url =>
      upstreamOf('{ type: query, name: api_key }', `graphql: { url: "${url}/graphql" }`),
    route: 'graphql',
    section: `    document: "query Echo { said next }"\n    result: ${ECHO}`,
  },
  {
    name: 'cli, with a key in the environment',
    upstream: () =>
      upstreamOf(
        '{ type: bearer }',
        `cli:\n  command: sh\n  env: { KEY: "\${credential.key}", KEY_AS_JSON: "\${AS_JSON}", KEY_AS_URI: "\${AS_URI}" }`,
      ),
    route: 'cli',
    section: `    command: ["-c", '${SCRIPT}']\n    result: '{said: body.said, next: body.next}'`,
  },
]

test.each(CASES)(
  'data shows no secret that a service echoes, in any dialect: $name',
  async ({ upstream, route, section }) => {
    const service = await startService((request, response) => {
      const next = `http://x/next?page=2&api_key=${encodeURIComponent(KEY)}`
      response.setHeader('link', `<${next}>; rel="next"`)
      const said = SPELLINGS.join(' ') + (request.headers.authorization ?? '')
      const answer = { said, next, token: 'another-token-0123' }
      const body = request.url.startsWith('/graphql') ? { data: answer } : answer
      response.setHeader('content-type', 'application/json')
      // Some services escape slashes too.
      response.end(JSON.stringify(body).replaceAll('/', '\\/'))
    })
    const pack = await writePack({
      'upstream.yaml': upstream(service.url),
      'echo.view.yaml': card(route, section),
    })
    const env = {
      ECHO_USER: 'ann',
      ECHO_KEY: KEY,
      AS_JSON: JSON.stringify(KEY).slice(1, -1),
      AS_URI: encodeURIComponent(KEY),
    }
    const log: string[] = []
    await using gateway = await startTestGateway({
      settings: { capabilities: [pack], journal_payloads: 'redacted' },
      env,
      onLog: line => log.push(JSON.stringify(line)),
    })
    const texts: string[] = []
    for (const profile of PROFILE_NAMES) {
      const response = await fetch(`${gateway.url}/v1/capabilities/echo.view?profile=${profile}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{}',
      })
      const text = await response.text()
      expect(response.status).toBe(200)
      expect(text).toContain('[redacted]')
      texts.push(text)
    }
    const records = await fetch(new URL('/v1/requests', gateway.url))
    texts.push(await records.text(), ...log)
    const secrets = [...SPELLINGS, Buffer.from(`ann:${KEY}`).toString('base64')]
    const all = [...secrets, ...secrets.map(secret => JSON.stringify(secret).slice(1, -1))]
    expect(all.filter(secret => texts.some(text => text.includes(secret)))).toEqual([])
  },
)

test.each([
  ['a word', 'password'],
  ['a number', '12345678'],
])('a secret that could be data stays data: %s', async (_what, secret) => {
  const service = await startService((_, response) => sendJson(response, { said: `x ${secret}` }))
  const pack = await writePack({
    'upstream.yaml': upstreamOf('{ type: bearer }', `rest: { base_url: "${service.url}" }`),
    'echo.view.yaml': card('rest', REST),
  })
  await using gateway = await startTestGateway({
    settings: { capabilities: [pack] },
    env: { ECHO_KEY: secret },
  })
  const { body } = await gateway.call('echo.view', {})
  expect(body.data.said).toBe(`x ${secret}`)
})
