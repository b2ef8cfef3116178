import { expect, test } from 'vitest'
import { startTestGateway } from '../support/gateway.ts'
import { writePack } from '../support/packs.ts'
import { sendJson, startService } from '../support/service.ts'

/** The sizes are on both sides of the length from which the gateway sends bytes. */
test.each([1, 100, 20_000])(
  'an answer with %i items arrives whole, in every dialect',
  async count => {
    const items = Array.from({ length: count }, (_, at) => ({ at, text: `π "${at}" 😀\u2028` }))
    const service = await startService((_, response) => sendJson(response, { items }))
    const pack = await writePack({
      'upstream.yaml': `id: reports\nrest: { base_url: "${service.url}" }\n`,
      'report.list.yaml': `
id: report.list
version: 1.0.0
description: List the reports.
effect: read
input: { type: object, properties: {} }
output: { type: object, properties: { items: { type: array, items: { type: object, properties: { at: { type: integer }, text: { type: string } } } } } }
prefer: [rest]
routes: { rest: { method: GET, path: /, result: body } }
`,
    })
    await using gateway = await startTestGateway({ settings: { capabilities: [pack] } })
    for (const profile of ['default', 'compact']) {
      const { body } = await gateway.call('report.list', {}, { query: { profile } })
      expect(body.data).toEqual({ items })
    }
  },
)
