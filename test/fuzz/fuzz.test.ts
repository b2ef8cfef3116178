import { expect, test } from 'vitest'
import { runFuzz } from './run-fuzz.ts'

test('hostile requests get envelopes, no bugs and no secrets', async () => {
  await expect(runFuzz({ seed: 13, runs: 400 })).resolves.toBeUndefined()
}, 60_000)
