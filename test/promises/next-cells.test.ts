import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ROUTES, type Route } from '../../src/model/route.ts'
import type { ParityCase } from '../parity/case.ts'
import { collectCases } from '../parity/collect.ts'
import { sendBatch } from '../support/batch.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { until } from '../support/until.ts'
import { type AnyEnvelope, callTool } from './support/sandbox-doors.ts'

const { cases } = await collectCases()

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway({ env: { PATH: '' }, settings: { retries: 0 } })
})
afterAll(() => gateway[Symbol.asyncDispose]())

/** Resets the sandbox for the first case of a capability that succeeds, and returns its input. */
function validInput(id: string): Record<string, unknown> {
  gateway.sandbox.reset()
  const own = (cases.get(id) ?? []).find(({ fails }) => !fails) as ParityCase
  own.given?.(gateway.sandbox.store)
  return { ...(typeof own.input === 'function' ? own.input(gateway.sandbox.store) : own.input) }
}

/** Makes a call on one route only. */
const pinned = {
  HTTP: async (id, input, route) => (await gateway.call(id, input, { query: { route } })).body,
  batch: async (id, input, route) => {
    const { results } = await sendBatch(gateway, { calls: [{ capability: id, input, route }] })
    return results[0]?.envelope as AnyEnvelope
  },
  MCP: async (id, input, route) => await callTool(gateway, id, input, { 'signalbox/route': route }),
} satisfies Record<string, (id: string, input: Input, route: Route) => Promise<AnyEnvelope>>

type Input = Readonly<Record<string, unknown>>

function hasRoute(id: string, route: Route): boolean {
  return gateway.engine.catalog.get(id)?.routes.some(one => one.route === route) ?? false
}

describe('NOT_FOUND names the member that does not exist', () => {
  /** Members that name something on GitHub, with a name of nothing. */
  const NOTHING: Readonly<Record<string, unknown>> = {
    owner: 'no-such-owner',
    name: 'no-such-name',
    issueNumber: 987_654,
    prNumber: 987_654,
    projectNumber: 987_654,
    milestoneNumber: 987_654,
    releaseId: 987_654_321,
    runId: 987_654_321,
    jobId: 987_654_321,
    gistId: 'aaaaaaaaaaaaaaaaaaaa',
    branch: 'no-such-branch',
    ref: 'no-such-ref',
    from: 'no-such-ref',
    base: 'no-such-base',
    head: 'no-such-head',
    path: 'no/such/path',
    tagName: 'no-such-tag',
    threadId: 'PRRT_kwDOAAAD7c4AAAAA',
    issueId: 'I_kwDOAAAD7c4AAAAA',
    username: 'no-such-user',
  }
  const succeeding = [...cases].flatMap(([id, own]) => (own.some(one => !one.fails) ? [id] : []))
  /** Each capability with each member of its input that names something. */
  const cellsOf = (id: string) => {
    const input = validInput(id)
    return Object.keys(NOTHING).flatMap(name =>
      input[name] === undefined ? [] : [[id, name] as const],
    )
  }

  test.each(['rest', 'graphql'] as const)(
    'by %s',
    async route => {
      let found = 0
      let told = 0
      const faults: string[] = []
      const cells = succeeding.filter(id => hasRoute(id, route)).flatMap(cellsOf)
      for (const [id, member] of cells) {
        const input = validInput(id)
        input[member] = NOTHING[member]
        const { error } = (await gateway.call(id, input, { query: { route } })).body
        if (error?.code !== 'NOT_FOUND') continue
        found += 1
        const fields: readonly string[] = error.next.fields ?? []
        // Where the message has the value, the members that it does not mention are not at fault.
        const tells = error.message.includes(String(input[member]))
        if (tells) told += 1
        const others = fields.filter(name => !error.message.includes(String(input[name])))
        if (!fields.includes(member) || (tells && others.length > 0)) {
          faults.push(`${id} ${member}: ${error.message} → ${JSON.stringify(error.next)}`)
        }
      }
      expect(faults).toEqual([])
      expect(found).toBeGreaterThan(100)
      expect(told).toBeGreaterThan(route === 'graphql' ? 100 : 0)
    },
    240_000,
  )
})

describe('a call in flight under the same key is waited for', () => {
  const input = { owner: 'octo-org', name: 'hello-world', title: 'Made once' }
  const id = 'issue.create'

  /** Sends the call with a key at one door. */
  const send = {
    HTTP: async key =>
      (await gateway.call(id, input, { headers: { 'idempotency-key': key } })).body,
    batch: async key => {
      const calls = [{ capability: id, input, idempotency_key: key }]
      return (await sendBatch(gateway, { calls })).results[0]?.envelope as AnyEnvelope
    },
    MCP: async key => await callTool(gateway, id, input, { 'signalbox/idempotency_key': key }),
  } satisfies Record<string, (key: string) => Promise<AnyEnvelope>>

  test.each(Object.keys(send) as (keyof typeof send)[])('by %s', async door => {
    gateway.sandbox.reset()
    gateway.sandbox.log.clear()
    gateway.sandbox.faults.set([{ on: { method: 'POST' }, do: { delay_ms: 3000 } }])
    const first = send[door](`in-flight-${door}`)
    await until(
      () => gateway.sandbox.faults.list()[0]?.times,
      times => times === 0,
    )
    const { error } = await send[door](`in-flight-${door}`)
    expect(error).toMatchObject({
      code: 'CONFLICT',
      write_outcome: null,
      retryable: true,
      retry_after_ms: expect.any(Number),
      next: { action: 'wait', after_ms: error.retry_after_ms },
    })
    const { data } = await first
    const again = await send[door](`in-flight-${door}`)
    expect(again).toMatchObject({ data, meta: { reason: 'IDEMPOTENT_REPLAY' } })
  })
})

describe('a pinned route that cannot serve the call says to leave it out', () => {
  test.each(Object.keys(pinned) as (keyof typeof pinned)[])(
    'by %s',
    async door => {
      let served = 0
      for (const id of cases.keys()) {
        for (const route of ROUTES.filter(name => name === 'cli' || !hasRoute(id, name))) {
          const input = validInput(id)
          const { error } = await pinned[door](id, input, route)
          expect(error, `${id} by ${route}`).toMatchObject({
            code: 'ADAPTER_UNSUPPORTED',
            next: { action: 'fix_input', fields: ['route'] },
          })
          // The same call without the member works, whatever door the caller came by.
          if (door === 'HTTP') {
            const { body } = await gateway.call(id, input)
            expect([id, body.error?.code]).not.toContain('ADAPTER_UNSUPPORTED')
          }
          served += 1
        }
      }
      expect(served).toBeGreaterThan(100)
    },
    240_000,
  )
})
