import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway[Symbol.asyncDispose]())

test('of reads that come at once when a circuit may be tried, one tries it', async () => {
  const { breakers } = gateway.engine.state
  const longAgo = Date.now() - 10_000
  for (let n = 0; n < 5; n++) breakers.report('github:rest', 'SERVER', longAgo)
  expect(breakers.kindOf('github:rest', Date.now())).toBe('half_open')
  gateway.sandbox.faults.set([{ on: { route: 'rest' }, do: { delay_ms: 300 }, times: 9 }])

  const names = ['hello-world', 'tools', 'nothing-here', 'empty', 'archive']
  const answers = await Promise.all(
    names.map(name => gateway.call('repo.view', { owner: 'octo-org', name })),
  )

  const byRest = gateway.sandbox.log.rows().filter(({ route }) => route === 'rest')
  expect(byRest).toHaveLength(1)
  const skipped = answers.filter(({ body }) => body.meta.attempts[0]?.reason === 'CIRCUIT_OPEN')
  expect(skipped).toHaveLength(names.length - 1)
  expect(breakers.kindOf('github:rest', Date.now())).toBe('closed')
})
