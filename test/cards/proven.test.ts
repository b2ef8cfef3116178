import { expect, test } from 'vitest'
import { describeCard } from '../../src/cards/describe.ts'
import { loadCapabilities } from '../../src/cards/load.ts'
import { SHIPPED_DIRECTORIES } from '../../src/cards/packs.ts'
import { createAdapters } from '../../src/gateway/adapters.ts'
import { writePack } from '../support/packs.ts'

async function load(directories: readonly string[], proven: readonly string[]) {
  const adapters = createAdapters()
  const loaded = loadCapabilities({ directories, proven, adapters, env: {}, now: Date.now })
  await loaded.close()
  return loaded
}

test('the shipped cards are the same whether their parts are made late or at once', async () => {
  const late = await load(SHIPPED_DIRECTORIES, SHIPPED_DIRECTORIES)
  const whole = await load(SHIPPED_DIRECTORIES, [])
  expect(late.problems).toEqual([])
  expect(late.cards.size).toBe(whole.cards.size)
  for (const [id, card] of late.cards) {
    const { routes, ...others } = { ...card }
    const expected = whole.cards.get(id)
    expect(Object.keys(card).toSorted()).toEqual(Object.keys(expected ?? {}).toSorted())
    // Parts with a fault throw when they are read.
    const parts = routes.map(route => Object.keys({ ...route }).toSorted())
    expect(parts).toEqual(expected?.routes.map(route => Object.keys(route).toSorted()))
    expect(describeCard({ ...others, routes }, () => true)).toEqual(
      expected && describeCard(expected, () => true),
    )
  }
})

test('a fault in a card that counts as faultless is reported by its first use', async () => {
  const pack = await writePack({
    'upstream.yaml': 'id: echo\nrest: { base_url: "http://127.0.0.1:1" }\n',
    'echo.view.yaml': `id: echo.view
version: 1.0.0
description: Read.
effect: read
input: { type: object, properties: {} }
output: { type: object, properties: {} }
prefer: [rest]
routes:
  rest: { method: GET, path: /, result: "body.[" }
`,
  })
  const { cards, problems } = await load([pack], [pack])
  expect(problems).toEqual([])
  const [route] = cards.get('echo.view')?.routes ?? []
  expect(() => route?.result).toThrow(/echo\.view\.yaml:9: routes\.rest\.result/)
})
