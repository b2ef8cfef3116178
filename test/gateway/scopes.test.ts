import { expect, test } from 'vitest'
import { startTestGateway } from '../support/gateway.ts'

test('a capability with a scope needs a key that has it', async () => {
  await using gateway = await startTestGateway({
    env: { SIGNALBOX_KEYS: 'plain:plain-secret-0123456789,asks:asks-secret-0123456789:graphql' },
  })
  const input = { query: '{ viewer { login } }' }
  const callAs = async (secret: string, id: string) => {
    const headers = { authorization: `Bearer ${secret}` }
    return (await gateway.call(id, id === 'graphql.query' ? input : {}, { headers })).body
  }
  const refused = await callAs('plain-secret-0123456789', 'graphql.query')
  expect(refused.error).toMatchObject({ code: 'FORBIDDEN', source: 'caller' })
  expect((await callAs('plain-secret-0123456789', 'viewer.view')).ok).toBe(true)
  const served = await callAs('asks-secret-0123456789', 'graphql.query')
  expect(served.data).toEqual({ data: { viewer: { login: 'octocat' } } })
})

test('only a query reaches the service', async () => {
  await using gateway = await startTestGateway()
  const { body } = await gateway.call('graphql.query', {
    query:
      'query A { viewer { id } } mutation B { addStar(input: {starrableId: "x"}) { clientMutationId } }',
  })
  expect(body.error).toMatchObject({
    code: 'VALIDATION',
    details: {
      fields: [
        { path: 'query', message: 'must be a GraphQL document with one operation, a query' },
      ],
    },
  })
  expect(gateway.sandbox.log.rows()).toEqual([])
})
