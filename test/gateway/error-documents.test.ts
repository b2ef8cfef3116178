import { describe, expect, test } from 'vitest'
import { startTestGateway } from '../support/gateway.ts'
import { writePack } from '../support/packs.ts'
import { sendJson, startService } from '../support/service.ts'

/** A card that writes and reads no member of an error document, and one that reads all of them. */
const PACK = {
  'upstream.yaml': 'id: shop\nrest: { base_url: "${SHOP_URL}" }\n',
  'order.create.yaml': card(
    'order.create',
    'write',
    'POST',
    'body.{number: number}',
    'number: { type: integer }',
  ),
  'check.run.yaml': card(
    'check.run',
    'write',
    'POST',
    'body.{success: success, error: error}',
    'success: { type: boolean }, error: { type: string }',
  ),
}

describe('an error document under a 200', () => {
  test.each([
    [{ success: false, error: { code: 'OUT_OF_STOCK_SEATS', message: 'No seats left.' } }],
    [{ status: 'fail', message: 'No seats left.', code: 'seat_limit_reached' }],
    [{ errcode: 61, errmsg: 'No seats left.' }],
  ])('refuses a change in the words of the service: %j', async refusal => {
    await using shop = await open(refusal)
    const { body } = await shop.gateway.call('order.create', {})
    expect(body).toMatchObject({ ok: false, error: { write_outcome: 'not_applied' } })
    expect(body.error?.code).not.toBe('OUTPUT_INVALID')
    expect(body.error?.message).toContain('No seats left.')
  })

  test('is data where the card asks for its members', async () => {
    const answer = { success: false, error: 'step 3 timed out' }
    await using shop = await open(answer)
    expect((await shop.gateway.call('check.run', {})).body).toMatchObject({
      ok: true,
      data: answer,
    })
  })
})

async function open(answer: object) {
  const service = await startService((_request, response) => sendJson(response, answer))
  const gateway = await startTestGateway({
    settings: { capabilities: [await writePack(PACK)] },
    env: { SHOP_URL: service.url },
  })
  return { gateway, [Symbol.asyncDispose]: () => gateway[Symbol.asyncDispose]() }
}

function card(
  id: string,
  effect: string,
  method: string,
  result: string,
  properties: string,
): string {
  return `id: ${id}
version: 1.0.0
description: For a test.
effect: ${effect}
input: { type: object, properties: {}, additionalProperties: false }
output: { type: object, properties: { ${properties} }, additionalProperties: false }
prefer: [rest]
routes:
  rest:
    method: ${method}
    path: /things
    result: "${result}"
`
}
