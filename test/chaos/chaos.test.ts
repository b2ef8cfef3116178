import { expect, test } from 'vitest'
import { gh } from '../support/parts.ts'
import { describeFinding, runChaos } from './lanes.ts'
import { runToolChaos } from './tools.ts'

// A few runs of each kind; `npm run chaos` makes many more.

test('no failure makes a write happen twice, or a report about a write false', async () => {
  const { findings } = await runChaos({ seed: 1, runs: 20, lanes: 5, cli: gh.available })
  expect(findings.map(describeFinding)).toEqual([])
}, 240_000)

test('no last words of a tool with several requests make its change happen twice', async () => {
  const { doubled, violations } = await runToolChaos({ seed: 1, runs: 20, width: 4 })
  expect({ doubled, violations }).toEqual({ doubled: 0, violations: [] })
}, 240_000)
