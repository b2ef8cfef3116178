import { expect, test } from 'vitest'
import { gh } from '../support/parts.ts'
import { describeFinding, runChaos } from './lanes.ts'

test('no failure makes a write happen twice, or a report about a write false', async () => {
  const { findings } = await runChaos({ seed: 1, runs: 120, lanes: 8, cli: gh.available })
  expect(findings.map(describeFinding)).toEqual([])
}, 240_000)
