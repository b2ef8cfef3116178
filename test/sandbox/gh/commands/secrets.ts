import type { Store } from '../../../../sandbox/index.ts'
import { hello, repositoryIn } from '../../../parity/worlds.ts'
import type { GhCommand } from '../command.ts'

const names = (store: Store) => store.secrets.of(repositoryIn(store, hello)).map(({ name }) => name)

function keeping(...secrets: string[]) {
  return (store: Store) => {
    for (const name of secrets) store.secrets.set(repositoryIn(store, hello), name, 'c2VjcmV0')
  }
}

export const commands: readonly GhCommand[] = [
  { run: 'secret list', given: keeping('TOKEN', 'API_KEY'), prints: 'API_KEY\t' },
  { run: 'secret set token --body=x', leaves: [names, ['TOKEN']] },
  { run: 'secret set TOKEN', stdin: 'x', given: keeping('TOKEN'), leaves: [names, ['TOKEN']] },
  { run: 'secret delete TOKEN', given: keeping('TOKEN', 'API_KEY'), leaves: [names, ['API_KEY']] },
  { run: 'secret delete NONE', prints: 'HTTP 404', code: 1 },
]
