import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { allowedOf, headersOf, KEYS, settings } from './support/six-keys.ts'

// Each key reads the page of every capability.
vi.setConfig({ testTimeout: 120_000 })

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway({ settings })
})
afterAll(() => gateway[Symbol.asyncDispose]())

interface Page {
  readonly next: readonly { readonly capability: string }[]
  readonly verify?: { readonly capability: string }
  readonly touches?: readonly string[]
}

const idsIn = ({ next, verify, touches = [] }: Page) => [
  ...next.map(({ capability }) => capability),
  ...(verify ? [verify.capability] : []),
  ...touches.filter(text => !text.includes('*')),
]

test.each(KEYS)(
  'the page of a capability names none that the key $key.name may not call',
  async ({ key, may }) => {
    const cards = gateway.engine.catalog.all()
    const allowed = new Set(allowedOf(cards, may))
    const forbidden = new Set(cards.map(({ id }) => id).filter(id => !allowed.has(id)))
    const named: string[] = []
    let shown = 0
    for (const id of allowed) {
      const { body } = await gateway.get(`/v1/capabilities/${id}`, headersOf(key.name))
      const ids = idsIn(body.data as Page)
      shown += ids.length
      named.push(...ids.filter(other => forbidden.has(other)).map(other => `${id} names ${other}`))
    }
    expect(named).toEqual([])
    expect(shown > 0).toBe(allowed.size > 0)
  },
)
