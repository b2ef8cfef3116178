import { afterAll, beforeAll, expect, test } from 'vitest'
import { hello } from '../parity/worlds.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway({ settings: { retries: 0 } })
})
afterAll(() => gateway[Symbol.asyncDispose]())

const titleNow = async () =>
  (await gateway.call('pr.view', { ...hello, prNumber: 16 })).body.data.title

test.each(['graphql', 'cli'])(
  'one of two mutations was carried out, and %s says so',
  async route => {
    gateway.sandbox.reset()
    const input = { ...hello, prNumber: 16, draft: true, title: `By ${route}` }
    const { body } = await gateway.call('pr.update', input, { query: { route } })
    expect(await titleNow()).toBe(`By ${route}`)
    expect(body.error).toMatchObject({
      code: 'CONFLICT',
      write_outcome: 'applied',
      retryable: false,
      next: { action: 'verify', capability: 'pr.view' },
    })
  },
)

test.each(['graphql', 'cli'])('the only mutation was refused, and %s says so', async route => {
  gateway.sandbox.reset()
  const input = { ...hello, prNumber: 16, draft: true }
  const { body } = await gateway.call('pr.update', input, { query: { route } })
  expect(body.error).toMatchObject({ code: 'CONFLICT', write_outcome: 'not_applied' })
})
