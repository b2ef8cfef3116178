import { expect, test } from 'vitest'
import { sendBatch } from '../support/batch.ts'
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

test('each call of a batch has a line, with its step and its item', async () => {
  const lines: Readonly<Record<string, unknown>>[] = []
  await using gateway = await startTestGateway({ onLog: line => lines.push(line) })
  const repo = { owner: 'octo-org', name: 'hello-world' }
  const { body, results } = await sendBatch(gateway, {
    calls: [
      { id: 'pulls', capability: 'pr.list', input: { ...repo, first: 2 } },
      {
        capability: 'pr.view',
        for_each: { $from: 'pulls', path: 'data.items' },
        input: { ...repo, prNumber: { $item: 'number' } },
      },
      { id: 'a\u0000b', capability: 'nothing' },
    ],
  })

  const own = lines.filter(({ msg }) => msg === 'batch call')
  expect(new Set(own.map(line => line.batch_id))).toEqual(new Set([body.meta.request_id]))
  const ids = results.map(row => row.request_id)
  expect(new Set(own.map(line => line.request_id))).toEqual(new Set(ids))
  const shown = own.map(line => [line.batch_step, line.batch_item, line.capability, line.code])
  expect(shown).toHaveLength(4)
  expect(shown).toEqual(
    expect.arrayContaining([
      ['pulls', undefined, 'pr.list', undefined],
      ['calls[1]', 0, 'pr.view', undefined],
      ['calls[1]', 1, 'pr.view', undefined],
      ['a\uFFFDb', undefined, undefined, 'NOT_FOUND'],
    ]),
  )
})
