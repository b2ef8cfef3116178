import { randomUUID } from 'node:crypto'
import { createCliAdapter } from '../../../adapters/cli/index.ts'
import { type AdapterWorld, adapterContract } from '../../contract/adapter.ts'
import { fixture, processesWith } from './connected.ts'

adapterContract('CLI', async (): Promise<AdapterWorld> => {
  const mark = randomUUID()
  /** Processes seen so far. An aborted one may still be ending. */
  const seen = new Set<number>()
  return {
    adapter: createCliAdapter(),
    upstream: {
      command: fixture('answers'),
      env: { TOKEN: '${credential}', MARK: mark },
      max_output_bytes: 4_000_000,
    },
    answerLimit: 4_000_000,
    cards: {
      echo: { command: ['echo'], stdin: { value: 'input.value' } },
      whoami: { command: ['whoami'] },
      hang: { command: ['hang'] },
      flood: { command: ['flood'], parse: 'text' },
      blab: { command: ['blab'] },
      dies: { command: ['dies'], stdin: 'input.value' },
      absent: { upstream: { command: 'no-such-program' }, card: { command: ['echo'] } },
    },
    hanging: () => {
      for (const id of processesWith(mark)) seen.add(id)
      return seen.size
    },
    alive: () => processesWith(mark).length,
    async [Symbol.asyncDispose]() {},
  }
})
