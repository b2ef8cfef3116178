import { randomUUID } from 'node:crypto'
import { createCliAdapter } from '../../../adapters/cli/index.ts'
import { type AdapterWorld, adapterContract } from '../../contract/adapter.ts'
import { fixture, processesWith } from './connected.ts'

adapterContract('CLI', async (): Promise<AdapterWorld> => {
  const mark = randomUUID()
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
      absent: { upstream: { command: 'no-such-program' }, card: { command: ['echo'] } },
    },
    alive: () => processesWith(mark).length,
    async [Symbol.asyncDispose]() {},
  }
})
