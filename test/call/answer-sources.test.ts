import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AnswerFrom } from '../../src/model/answer-from.ts'
import type { Reason } from '../../src/model/reasons.ts'
import type { CallResult } from '../support/gateway.ts'
import { sendJson } from '../support/service.ts'
import { until } from '../support/until.ts'
import { type MemoryPlace, MINUTE, openMemoryPlace } from './memory-place.ts'

let place: MemoryPlace
beforeAll(async () => {
  place = await openMemoryPlace({})
})
afterAll(() => place[Symbol.asyncDispose]())

/** Two reads at once, of which the second joins the first. The service answers when both wait. */
async function share(name: string, status: number, query = {}): Promise<CallResult> {
  const gate = Promise.withResolvers<void>()
  place.service.fault = {
    method: 'GET',
    respond: async response => {
      await gate.promise
      sendJson(response, { n: 1 }, status)
    },
  }
  const sent = place.service.lines().length
  const first = place.read(name, { query })
  await until(
    () => place.service.lines().length,
    count => count > sent,
  )
  const second = place.read(name, { query })
  await new Promise(resolve => setTimeout(resolve, 100))
  gate.resolve()
  await first
  return await second
}

/** A change and its repetition with the same key. */
async function repeat(name: string, status: number): Promise<CallResult> {
  place.service.fault = {
    method: 'POST',
    respond: response => sendJson(response, { n: 1 }, status),
  }
  const headers = { 'idempotency-key': name.replaceAll(' ', '-') }
  await place.change('any.change', { headers })
  return await place.change('any.change', { headers })
}

async function keep(name: string): Promise<void> {
  place.service.fault = null
  await place.read(name)
}

const STALE = { max_age_ms: '0', stale_if_error_ms: '60000', timeout_ms: '2000' }

/** A read that the service answers with a tag, and then with 304. */
async function confirm(name: string): Promise<CallResult> {
  const respond = (status: number) => ({
    method: 'GET',
    respond: (response: Parameters<typeof sendJson>[0]) => {
      response.setHeader('etag', '"1"')
      if (status === 200) return sendJson(response, { n: 1 })
      response.statusCode = status
      response.end()
    },
  })
  place.service.fault = respond(200)
  await place.read(name, { query: {} })
  place.service.fault = respond(304)
  return await place.read(name, { query: {} })
}

async function keepAndFail(name: string): Promise<CallResult> {
  await keep(name)
  place.service.fault = { method: 'GET', respond: response => sendJson(response, {}, 503) }
  return await place.read(name, { query: STALE })
}

test.each<
  [string, Reason, AnswerFrom['how'], boolean, boolean, (name: string) => Promise<CallResult>]
>([
  ['shared', 'COALESCED', 'coalesced', true, true, name => share(name, 200)],
  ['shared and failed', 'COALESCED', 'coalesced', true, false, name => share(name, 404)],
  ['shared and not valid', 'COALESCED', 'coalesced', true, false, name => share(name, 418)],
  [
    'kept',
    'CACHE_HIT',
    'memory',
    false,
    true,
    async name => keep(name).then(() => place.read(name, { query: MINUTE })),
  ],
  ['stale', 'CACHE_HIT', 'memory', false, true, keepAndFail],
  [
    'stale after a shared failure',
    'CACHE_HIT',
    'memory',
    true,
    true,
    async name => keep(name).then(() => share(name, 503, STALE)),
  ],
  ['confirmed', 'REVALIDATED', 'revalidated', false, true, confirm],
  // After a change of unknown outcome, nothing is kept for a minute.
  ['repeated', 'IDEMPOTENT_REPLAY', 'replay', true, true, name => repeat(name, 200)],
  ['repeated and failed', 'IDEMPOTENT_REPLAY', 'replay', true, false, name => repeat(name, 500)],
])('reason and source agree: %s', async (name, reason, how, borrowed, ok, make) => {
  const { body } = await make(name)
  place.service.fault = null
  const { request_id } = body.meta
  expect(body).toMatchObject({ ok, meta: { reason } })
  const { journal } = place.gateway.engine
  const { items } = await journal.requests({ reason, request_id }, { limit: 2 })
  expect(items).toMatchObject([{ request_id, borrowed }])
  expect((await journal.request(request_id))?.answer_from).toMatchObject({ how, borrowed })
})
