import { Webhook } from 'standardwebhooks'
import { expect, onTestFinished, test } from 'vitest'
import { announceApprovals } from '../../src/gateway/approval-webhook.ts'
import { startTestGateway } from '../support/gateway.ts'
import { startService } from '../support/service.ts'

const SECRET = Buffer.from('a secret of at least 24 bytes').toString('base64')
const keys = [{ name: 'agent', secret: 'agent-secret-0123456789', approve: ['write:*'] }]
const headers = { authorization: 'Bearer agent-secret-0123456789' }
const ISSUE = { owner: 'octo-org', name: 'hello-world', title: 'Announced' }

async function startGateway(webhook: string) {
  const settings = {
    keys,
    approval_webhook: webhook,
    approval_webhook_secret: SECRET,
    public_url: 'https://gateway.example.com',
  }
  const gateway = await startTestGateway({ settings })
  onTestFinished(() => gateway[Symbol.asyncDispose]())
  return gateway
}

test('a call that begins to wait is announced once, with a signature', async () => {
  const service = await startService((_request, response) => void response.writeHead(204).end())
  const gateway = await startGateway(`${service.url}/hooks?team=1`)
  const create = () => gateway.call('issue.create', ISSUE, { headers })
  const { body } = await create()
  await create()
  await expect.poll(() => service.received.length).toBe(1)
  const [announced] = service.received
  const text = announced?.body.toString() ?? ''
  const signed = announced?.headers as Record<string, string>
  expect(new Webhook(SECRET).verify(text, signed)).toMatchObject({
    type: 'approval.waiting',
    data: {
      approval_id: body.error.next.approval_id,
      capability_id: 'issue.create',
      caller: 'agent',
      url: `https://gateway.example.com/inspector/approvals/${body.error.next.approval_id}`,
    },
  })
  expect(text).not.toContain('Announced')
})

test('the announcement is sent again until somebody takes it', async () => {
  let tries = 0
  const service = await startService((_request, response) => {
    response.writeHead(++tries < 3 ? 503 : 200).end()
  })
  const warnings: unknown[] = []
  await announce(service.url, warnings, [1, 1, 1])
  await expect.poll(() => service.received.length).toBe(3)
  expect(warnings).toEqual([])
})

test('a receiver that is away costs a line of the log, and the call nothing', async () => {
  const warnings: unknown[] = []
  await announce('http://127.0.0.1:1/', warnings, [1])
  await expect.poll(() => warnings).toEqual([expect.objectContaining({ approval_id: 'one' })])
})

/** Announces one approval, of which only the id matters. */
async function announce(url: string, warnings: unknown[], pauses: readonly number[]) {
  const logger = { warn: (facts: unknown) => warnings.push(facts) }
  const kept = { ask: async () => ({ approval_id: 'one', request_id: 'first' }) }
  const page = (id: string) => `/${id}`
  const store = announceApprovals(
    kept as never,
    { url, secret: SECRET, page, logger, pauses } as never,
  )
  await store.ask({ requestId: 'first' } as never)
}

test('a webhook without a secret is refused', async () => {
  const settings = { approval_webhook: 'https://hooks.example.com/' }
  await expect(startTestGateway({ settings })).rejects.toThrow(/approval_webhook_secret/)
})
