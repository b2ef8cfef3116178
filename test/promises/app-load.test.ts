import { expect, test } from 'vitest'
import { startWithApp } from '../support/app-gateway.ts'
import { load } from '../support/app-load.ts'

const SECONDS = Number(process.env.LOAD_SECONDS ?? 25)
const LIFE_MS = 5000
/** A token is renewed after four fifths of its life. */
const RENEWED_MS = LIFE_MS * 0.8

test('under load with tokens of five seconds, no call fails and each token is renewed once', {
  timeout: SECONDS * 1000 + 60_000,
}, async () => {
  const started = await startWithApp({ tokenLifeMs: LIFE_MS })
  const { failures, asked, made, calls } = await load(started, { seconds: SECONDS, perSecond: 50 })
  const times = started.gateway.sandbox.log
    .rows()
    .filter(({ path }) => path.endsWith('/access_tokens'))
    .map(({ time }) => Date.parse(time))
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0))
  console.log(
    `${calls} calls, ${failures.length} failed, ${times.length} tokens, shortest gap ${Math.min(...gaps)} ms`,
  )
  expect(failures).toEqual([])
  expect(made).toBe(asked)
  expect(times.length).toBeGreaterThanOrEqual(Math.floor((SECONDS * 1000) / LIFE_MS))
  expect(times.length).toBeLessThanOrEqual(Math.ceil((SECONDS * 1000) / RENEWED_MS) + 1)
})
