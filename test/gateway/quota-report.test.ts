import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { gh } from '../support/parts.ts'

const REPOSITORY = { owner: 'octo-org', name: 'hello-world' }

let gateway: TestGateway
beforeEach(async () => {
  gateway = await startTestGateway()
  onTestFinished(() => gateway[Symbol.asyncDispose]())
})

async function useUpCore(): Promise<void> {
  const quota = { token: 'sandbox-token', resource: 'core', remaining: 0 }
  await fetch(`${gateway.sandbox.url}/_sandbox/quota`, {
    method: 'PUT',
    body: JSON.stringify(quota),
  })
}

async function restOfView() {
  const { body } = await gateway.call('repo.view', REPOSITORY)
  return body.meta.attempts.find(({ route }) => route === 'rest')
}

describe.each(['rest', 'cli'])('rate_limit.view by %s', route => {
  const isPossible = route === 'rest' || gh.available
  const read = () => gateway.call('rate_limit.view', {}, { query: { route } })

  test.runIf(isPossible)('fills in the quotas of an upstream that nobody has called', async () => {
    await read()
    const { body } = await gateway.get('/v1/upstreams')
    const { pools } = body.data.items.find(({ id }: { id: string }) => id === 'github')
    expect(pools).toMatchObject(
      ['code_search', 'core', 'graphql', 'search'].map(name => ({
        pool: `github:${name}`,
        remaining: expect.any(Number),
        reset_at: expect.any(String),
      })),
    )
  })

  test.runIf(isPossible)('spares the next call a request that would be refused', async () => {
    await useUpCore()
    await read()
    expect(await restOfView()).toMatchObject({ status: 'skipped', reason: 'QUOTA_EXHAUSTED' })
  })

  test.runIf(isPossible)('opens a pool that has more left than was known', async () => {
    gateway.sandbox.faults.set([{ on: { route: 'rest' }, do: { rate_limit: 'primary' }, times: 1 }])
    await gateway.call('repo.view', REPOSITORY)
    expect(await restOfView()).toMatchObject({ status: 'skipped', reason: 'QUOTA_EXHAUSTED' })
    await read()
    expect(await restOfView()).toMatchObject({ status: 'success' })
  })
})
