import { expect, test } from 'vitest'
import { startTestGateway } from '../support/gateway.ts'
import { loadPacks, writePack } from '../support/packs.ts'
import { sendJson, startService } from '../support/service.ts'

const card = (expression: string) => `id: echo.view
version: 1.0.0
description: Send a constant.
effect: read
input: { type: object, properties: {} }
output: { type: object, required: [sent, url], properties: { sent: { type: string }, url: { type: string } } }
prefer: [rest]
routes:
  rest: { method: GET, path: /echo, query: { site: ${expression} }, result: "{sent: ${expression}, url: body.url}" }
`
const upstream = (url: string) => `id: echo
constants: { site: "\${ECHO_SITE:-main}" }
rest: { base_url: "${url}" }
`

test('expressions of requests and results see the constants of upstream.yaml', async () => {
  const service = await startService((request, response) => sendJson(response, request))
  const pack = await writePack({
    'upstream.yaml': upstream(service.url),
    'echo.view.yaml': card('constants.site'),
  })
  for (const [env, site] of [
    [{}, 'main'],
    [{ ECHO_SITE: "it's" }, "it's"],
  ] as const) {
    await using gateway = await startTestGateway({ settings: { capabilities: [pack] }, env })
    const { body } = await gateway.call('echo.view', {})
    expect(body.data).toEqual({
      sent: site,
      url: `/echo?${new URLSearchParams({ site }).toString()}`,
    })
  }
})

test('a constant that upstream.yaml lacks is a fault', async () => {
  const pack = await writePack({
    'upstream.yaml': upstream('http://127.0.0.1'),
    'echo.view.yaml': card('constants.sites'),
  })
  const [problem] = (await loadPacks([pack])).problems
  expect(problem?.message).toContain('reads constants.sites, but upstream.yaml has only site')
})
