/** `npm run fuzz -- --seed N --runs M`: hostile requests to every endpoint and capability. */
import { parseArgs } from 'node:util'
import { runFuzz } from './run-fuzz.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    runs: { type: 'string', default: '100000' },
  },
})
const [seed, runs] = [Number(values.seed), Number(values.runs)]
try {
  await runFuzz({ seed, runs })
  console.log(`seed ${seed}: ${runs} requests, no rule broken`)
} catch (error) {
  const { message, cause } = error as Error
  console.log(`seed ${seed}: ${message.slice(0, 5000)}\n${String(cause).slice(0, 2000)}`)
  process.exitCode = 1
}
process.exit()
