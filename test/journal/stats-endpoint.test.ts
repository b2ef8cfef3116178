import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { authorize, KEYS } from './callers.ts'
import { FAILED, recordOf } from './records.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** The beginning of an hour of yesterday. */
const BASE = Math.floor(Date.now() / HOUR - 20) * HOUR

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway({ settings: { keys: KEYS } })
  const { journal } = gateway.engine
  for (const record of [
    { time: BASE - 50 * MINUTE },
    { time: BASE - 10 * MINUTE, caller: 'alice' },
    { time: BASE + MINUTE, attempts: [FAILED], error: {} },
    { time: BASE + 7 * MINUTE, capability_id: 'gone.list' },
    { time: BASE + 2 * HOUR, caller: 'alice' },
  ]) {
    await journal.append(recordOf(record))
  }
})
afterAll(() => gateway[Symbol.asyncDispose]())

const read = async (query: string, caller = 'root') => {
  const { status, body } = await gateway.get(`/v1/stats?${query}`, authorize(caller))
  expect(status).toBe(200)
  return body.data
}
const between = (since: number, until: number) => `since=${since}&until=${until}`
const countsOf = (totals: { capability_id: string; route: string | null; count: number }[]) =>
  totals.filter(({ route }) => route === null).map(row => `${row.capability_id} ${row.count}`)

test.each([
  ['an hour with the hour before', BASE, BASE + HOUR, BASE - HOUR, 2],
  ['a few minutes with the hour before', BASE, BASE + 5 * MINUTE, BASE - HOUR, 2],
  ['more than an hour with as much time', BASE, BASE + 3 * HOUR, BASE - 3 * HOUR, 2],
  ['an empty time', BASE - 10 * HOUR, BASE - 9 * HOUR, BASE - 11 * HOUR, 0],
])('compares %s', async (_what, since, until, from, count) => {
  const { before } = await read(`${between(since, until)}&compare=true`)
  expect(before.since).toBe(new Date(from).toISOString())
  expect(before.until).toBe(new Date(since).toISOString())
  expect(countsOf(before.totals)).toEqual(count === 0 ? [] : [`repo.view ${count}`])
})

test('compares only when asked to', async () => {
  expect(await read(between(BASE, BASE + HOUR))).not.toHaveProperty('before')
})

test('counts the capabilities of an upstream, as the cards say now', async () => {
  const hour = between(BASE, BASE + HOUR)
  expect(countsOf((await read(hour)).totals)).toEqual(['gone.list 1', 'repo.view 1'])
  expect(countsOf((await read(`${hour}&upstream=github`)).totals)).toEqual(['repo.view 1'])
  expect(countsOf((await read(`${hour}&upstream=no-such`)).totals)).toEqual([])
})

test('leaves out the buckets of series', async () => {
  const { timeline, buckets } = await read(`${between(BASE, BASE + HOUR)}&buckets=false`)
  expect(buckets).toEqual([])
  expect(timeline).toMatchObject([{ failed: 1 }, { first_try: 1 }])
})

test('shows a key its own requests only, before too', async () => {
  const hour = `${between(BASE, BASE + 3 * HOUR)}&compare=true`
  const { timeline, totals, before } = await read(hour, 'alice')
  expect(timeline).toMatchObject([{ first_try: 1, failed: 0 }])
  expect(countsOf(totals)).toEqual(['repo.view 1'])
  expect(countsOf(before.totals)).toEqual(['repo.view 1'])
  expect((await read(`${hour}&caller=agent`, 'alice')).timeline).toEqual([])
})

test.each([
  ['outcome=failed', 1],
  ['outcome=first_try', 4],
  ['failed_on=rest', 1],
  ['tried=rest&capability=repo.view', 4],
  ['skipped_on=rest', 0],
])('a number leads to its requests: %s', async (filter, count) => {
  const { body } = await gateway.get(`/v1/requests?${filter}`, authorize('root'))
  expect(body.data.items).toHaveLength(count)
})
