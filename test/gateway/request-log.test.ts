import { expect, test } from 'vitest'
import { startTestGateway } from '../support/gateway.ts'

const KEYS = [{ name: 'agent', secret: 'agent-secret-0123456789' }]

test('a log line has the caller, the capability and the result', async () => {
  const lines: Readonly<Record<string, unknown>>[] = []
  const settings = { keys: KEYS }
  await using gateway = await startTestGateway({ settings, onLog: line => lines.push(line) })
  const headers = { authorization: 'Bearer agent-secret-0123456789' }
  await gateway.call('repo.view', { owner: 'octo-org', name: 'hello-world' }, { headers })
  await gateway.call('repo.view', { owner: 'octo-org', name: 'nothing' }, { headers })
  await gateway.call('repo.view', {})

  const requests = lines.filter(({ msg }) => msg === 'request')
  expect(
    requests.map(({ caller, capability, code, route, status }) => [
      caller,
      capability,
      code,
      route,
      status,
    ]),
  ).toEqual([
    ['agent', 'repo.view', undefined, 'rest', 200],
    ['agent', 'repo.view', 'NOT_FOUND', 'rest', 404],
    [undefined, undefined, 'AUTH', undefined, 401],
  ])
})
