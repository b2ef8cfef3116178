/** `npm run chaos -- --seed N --runs M`: makes the upstream, clients and gateway fail at random. */
import { parseArgs } from 'node:util'
import { gh } from '../support/parts.ts'
import { describeFinding, runChaos } from './lanes.ts'
import { runToolChaos } from './tools.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    runs: { type: 'string', default: '1000' },
    lanes: { type: 'string', default: '12' },
    // Calls of a tool that makes several requests and dies. Each starts a process.
    'tool-runs': { type: 'string', default: '200' },
  },
})
const seed = Number(values.seed)
const { runs, findings, tally } = await runChaos({
  seed,
  runs: Number(values.runs),
  lanes: Number(values.lanes),
  cli: gh.available,
})
console.log(
  `seed ${seed}${gh.available ? '' : '; gh is not installed, so the cli route did not run'}\n`,
)
console.log(`${tally.format()}\n`)
for (const finding of findings) console.log(describeFinding(finding))
console.log(`${runs} runs, ${findings.length} violations`)
const tools = await runToolChaos({ seed, runs: Number(values['tool-runs']), width: 4 })
for (const violation of tools.violations) console.log(`VIOLATION ${violation}`)
console.log(`${tools.runs} runs of a tool that dies, ${tools.doubled} doubled`)
process.exitCode = findings.length + tools.violations.length > 0 ? 1 : 0
