import { expect, test } from 'vitest'
import { RenewingSource } from '../../src/credentials/renewing-source.ts'
import { NEVER } from '../../src/lib/signal.ts'

/** A source whose secrets live for so long, at a time that the test sets. */
function sourceOf(lifeMs: number | null) {
  let now = 1_000_000
  const issued: string[] = []
  let fails = false
  const source = new RenewingSource({
    issue: async () => {
      if (fails) throw new Error('out of order')
      issued.push(`secret-${issued.length + 1}`)
      const value = issued.at(-1) ?? ''
      return { value, expiresAt: lifeMs === null ? null : now + lifeMs }
    },
    timeoutMs: 1000,
    found: 'it has a secret',
    now: () => now,
    remember: () => {},
  })
  return {
    get: async () => await source.get(NEVER),
    renew: (refused: string) => source.renew(refused, NEVER),
    issued,
    pass: (ms: number) => {
      now += ms
    },
    break: () => {
      fails = true
    },
  }
}

/** The life, the time after which the secret is still new, and the one after which it is renewed. */
const LIVES = [
  [10_000, 7_999, 8_000],
  [100_000, 79_999, 80_000],
  [3_600_000, 3_539_999, 3_540_000],
] as const

test.each(LIVES)('a life of %i ms: new until %i, renewed at %i', async (life, before, after) => {
  const source = sourceOf(life)
  expect(await source.get()).toBe('secret-1')
  source.pass(before)
  expect(await source.get()).toBe('secret-1')
  expect(source.issued).toHaveLength(1)
  source.pass(after - before)
  // Nobody waits: the old one still holds.
  expect(await source.get()).toBe('secret-1')
  await expect.poll(() => source.get()).toBe('secret-2')
  expect(source.issued).toHaveLength(2)
})

test('if an early renewal fails, the old secret serves until its end', async () => {
  const source = sourceOf(10_000)
  await source.get()
  source.break()
  source.pass(9_999)
  expect(await source.get()).toBe('secret-1')
  source.pass(1)
  await expect(source.get()).rejects.toThrow('out of order')
})

test('a secret without an end is not renewed before it is refused', async () => {
  const source = sourceOf(null)
  await source.get()
  source.pass(1e12)
  expect(await source.get()).toBe('secret-1')
  expect(await source.renew('secret-1')).toBe('secret-2')
  // A call that was refused with the old one, but comes later.
  expect(await source.renew('secret-1')).toBe('secret-2')
  expect(source.issued).toHaveLength(2)
})
