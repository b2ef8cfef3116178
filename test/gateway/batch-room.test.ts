import { expect, onTestFinished, test } from 'vitest'
import { sendBatch } from '../support/batch.ts'
import { startTestGateway } from '../support/gateway.ts'
import { writePack } from '../support/packs.ts'
import { sendJson, startService } from '../support/service.ts'

const card = (id: string, effect: string, rest: string) => `
id: ${id}
version: 1.0.0
description: ${id}.
effect: ${effect}
input: { type: object, additionalProperties: true }
output: { type: object, additionalProperties: true }
prefer: [rest]
routes: { rest: { ${rest} } }
`

const ITEMS = Array.from({ length: 20_000 }, (_, n) => ({ n, title: `title ${n}`, note: '' }))
const FAULT = { code: 'VALIDATION', source: 'caller' }
const FULL = { code: 'TOO_LARGE', source: 'gateway', write_outcome: 'not_applied' }

async function startGateway(heldBytes: number) {
  const service = await startService(({ method }, response) =>
    sendJson(response, method === 'GET' ? { items: ITEMS } : { id: 1 }),
  )
  const pack = await writePack({
    'upstream.yaml': `id: thing\nrest: { base_url: ${service.url} }`,
    'thing.list.yaml': card('thing.list', 'read', "method: GET, path: /a, result: 'body'"),
    'thing.make.yaml': card(
      'thing.make',
      'write',
      "method: POST, path: /a, body: input, result: 'body'",
    ),
  })
  const env = { SIGNALBOX_CAPABILITIES: pack }
  const gateway = await startTestGateway({ env, settings: { max_held_bytes: heldBytes } })
  onTestFinished(async () => await gateway[Symbol.asyncDispose]())
  const made = () => service.lines().filter(line => line.startsWith('POST')).length
  return { gateway, made }
}

const list = { id: 'list', capability: 'thing.list', input: {}, token_budget: 200 }
const make = (count: number, path: (index: number) => string) => ({
  capability: 'thing.make',
  input: { values: Array.from({ length: count }, (_, n) => ({ $from: 'list', path: path(n) })) },
})
const calls = (count: number, call: object) => Array.from({ length: count }, () => call)

test.each([
  ['positions count nothing', [make(500, n => `data.items[${n}].title`)], [null]],
  ['searches of a large answer', [make(500, n => `data.items[?n==\`${n}\`]`)], [FAULT]],
  ['sorts of a large answer', [make(500, n => `sort_by(data.items, &title)[${n}]`)], [FAULT]],
  [
    'the whole answer, in texts',
    calls(
      49,
      make(30, () => 'to_string(data)'),
    ),
    calls(49, FULL),
  ],
  [
    'the whole answer, in each call',
    calls(
      49,
      make(30, () => '@'),
    ),
    calls(49, FULL),
  ],
])(
  'a small batch takes no more than its room: %s',
  async (_, others, errors) => {
    const { gateway, made } = await startGateway(16_000_000)
    const { results } = await sendBatch(gateway, { calls: [list, ...others] })
    const found = results.slice(1).map(({ envelope }) => envelope.error)
    // The first calls still have room.
    const last = found.slice(-5)
    expect(last).toMatchObject(errors.slice(-5))
    expect(made()).toBe(found.filter(error => error === null).length)
    expect(gateway.engine.answers.held).toBe(0)
  },
  60_000,
)

test('an input has at most 500 references', async () => {
  const { gateway } = await startGateway(16_000_000)
  const { status, body } = await sendBatch(gateway, { calls: [list, make(501, () => '@')] })
  expect(status).toBe(400)
  expect(body.error.message).toMatch(/"calls\.1\.input\.values\.500" is one reference too many/)
})
