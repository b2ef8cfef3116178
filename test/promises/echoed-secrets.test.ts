import { expect, test } from 'vitest'
import { startTestGateway } from '../support/gateway.ts'
import { writePack } from '../support/packs.ts'
import { startService } from '../support/service.ts'

const OWN = 'own-token-0123456789'
const GIVEN = 'given-token-9876543210'
const KEY = 'gateway-key-abcdefghij'

const card = (id: string, path: string) => `
id: ${id}
version: 1.0.0
description: Echo what was sent.
effect: read
input: { type: object, additionalProperties: false, properties: { text: { type: string } } }
output: { type: object }
prefer: [rest]
routes:
  rest:
    method: GET
    path: ${path}
    result: '{said: body.said, header: headers."x-said"}'
`

const upstream = (url: string) => `
id: echo
description: Echoes.
credential: { env: [ECHO_TOKEN], passthrough: true }
rest: { base_url: "${url}", headers: { Authorization: "Bearer \${credential}" } }
`

const CASES = [
  ['the own token', {}, OWN],
  ['the token of a caller', { 'x-upstream-authorization': `Bearer ${GIVEN}` }, GIVEN],
  ['the key of the gateway', {}, KEY],
] as const

test.each(CASES)(
  'the journal does not keep %s that a service echoes',
  async (_, headers, secret) => {
    const service = await startService((request, response) => {
      const said = `${request.headers.authorization} ${secret}`
      const status = request.url.startsWith('/fail') ? 422 : 200
      response.writeHead(status, { 'content-type': 'application/json', 'x-said': said })
      response.end(JSON.stringify({ said, message: `not ${said}`, deep: [{ said }] }))
    })
    const pack = await writePack({
      'upstream.yaml': upstream(service.url),
      'echo.view.yaml': card('echo.view', '/view').replace(
        'output: { type: object }',
        'output: { type: object, properties: { said: {}, header: {} } }',
      ),
      'echo.fail.yaml': card('echo.fail', '/fail'),
    })
    await using gateway = await startTestGateway({
      settings: {
        capabilities: [pack],
        journal_payloads: 'redacted',
        keys: [{ name: 'agent', secret: KEY }],
      },
      env: { ECHO_TOKEN: OWN },
    })
    const authorization = { authorization: `Bearer ${KEY}` }
    for (const id of ['echo.view', 'echo.fail']) {
      const { body } = await gateway.call(
        id,
        { text: secret },
        { headers: { ...authorization, ...headers } },
      )
      const kept = await gateway.get(`/v1/requests/${body.meta.request_id}`, authorization)
      const text = JSON.stringify(kept.body)
      expect(kept.status).toBe(200)
      expect(text).toContain('[redacted]')
      expect(text).not.toContain(secret)
    }
  },
)

const SECTION = `
id: echo.view
version: 1.0.0
description: Echo what was sent.
effect: read
input: { type: object, additionalProperties: false, properties: { text: { type: string } } }
output: { type: object, properties: { n: {} } }
prefer: [rest]
routes:
  rest:
    method: GET
    path: /view
`

/** Where an answer can quote an echoed credential beside its data, and the card's part of it. */
const QUOTES = [
  ['the id in a header', "result: '{n: `1`}'"],
  ['the age of a stale answer', "result: '{n: `1`}'"],
  ['a message of the service', "result: '{n: `1`}'"],
  ['a sentence about the route', "unsupported: body.said\n    result: '{n: `1`}'"],
  [
    'a sentence about a lookup',
    "lookup: { first: { method: GET, path: /first, invalid: body.said } }\n    result: '{n: `1`}'",
  ],
] as const

test.each(QUOTES.flatMap(quote => CASES.slice(0, 2).map(secret => [...quote, ...secret] as const)))(
  '%s quotes no credential (%#)',
  async (place, section, _name, headers, secret) => {
    const service = await startService(({ headers: { authorization } }, response) => {
      const failed = place === 'a message of the service'
      response.writeHead(failed ? 422 : 200, {
        'content-type': 'application/json',
        'x-request-id': place === 'the id in a header' ? authorization : '1',
        warning: '110 - "Response is Stale"',
        age: place === 'the age of a stale answer' ? authorization : '1',
      })
      response.end(JSON.stringify({ said: `not ${authorization}`, message: authorization }))
    })
    const pack = await writePack({
      'upstream.yaml': upstream(service.url),
      'echo.view.yaml': `${SECTION}    ${section}\n`,
    })
    await using gateway = await startTestGateway({
      settings: { capabilities: [pack] },
      env: { ECHO_TOKEN: OWN },
    })
    const { body } = await gateway.call('echo.view', {}, { headers })
    const text = JSON.stringify(body)
    expect(service.received[0]?.headers.authorization).toBe(`Bearer ${secret}`)
    expect(text).toContain('[redacted]')
    expect(text).not.toContain(secret)
  },
)
