import { expect, test } from 'vitest'
import { createSandbox } from '../../sandbox/index.ts'
import { startGate } from '../support/gate.ts'
import { startTestGateway } from '../support/gateway.ts'

test('of several reads at the moment when a circuit may be probed, one probes it', async () => {
  await using sandbox = await createSandbox()
  const gate = await startGate(sandbox.url, 'GET')
  await using gateway = await startTestGateway({ env: { GITHUB_API_URL: gate.url } })
  const { breakers } = gateway.engine.state
  const longAgo = Date.now() - 10_000
  for (let n = 0; n < 5; n++) breakers.report('github:rest', 'SERVER', longAgo)
  expect(breakers.kindOf('github:rest', Date.now())).toBe('half_open')

  const names = ['hello-world', 'tools', 'nothing-here', 'empty', 'archive']
  let answered = 0
  const calls = names.map(async name => {
    const answer = await gateway.call('repo.view', { owner: 'octo-org', name })
    answered++
    return answer
  })
  await expect.poll(() => answered).toBe(names.length - 1)
  gate.open()
  const answers = await Promise.all(calls)

  expect(gate.held()).toBe(1)
  const skipped = answers.filter(({ body }) => body.meta.attempts[0]?.reason === 'CIRCUIT_OPEN')
  expect(skipped).toHaveLength(names.length - 1)
  expect(breakers.kindOf('github:rest', Date.now())).toBe('closed')
})
