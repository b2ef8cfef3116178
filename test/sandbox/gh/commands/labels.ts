import type { Store } from '../../../../sandbox/index.ts'
import { hello, issueIn, repositoryIn } from '../../../parity/worlds.ts'
import type { GhCommand } from '../command.ts'

const label = (name: string) => (store: Store) =>
  store.labels.find(repositoryIn(store, hello), name)

export const commands: readonly GhCommand[] = [
  { run: 'label list --search=bug --json=name,color', json: [{ name: 'bug', color: 'd73a4a' }] },
  {
    run: 'label list --sort=name --order=desc --limit=2 --json=name',
    json: [{ name: 'question' }, { name: 'good first issue' }],
  },
  {
    run: 'label create urgent --color=ff0000 --description=Soon',
    leaves: [label('urgent'), { color: 'ff0000', description: 'Soon' }],
  },
  { run: 'label create Bug --color=ff0000', prints: 'already exists', code: 1 },
  {
    run: 'label create bug --color=ff0000 --description=Broken --force',
    leaves: [label('bug'), { color: 'ff0000', description: 'Broken' }],
  },
  {
    run: 'label edit bug --name=defect --color=00ff00',
    leaves: [label('defect'), { color: '00ff00', description: "Something isn't working" }],
  },
  { run: 'label edit bug --name=question', prints: 'already', code: 1 },
  {
    run: 'label delete question --yes',
    leaves: [store => [label('question')(store), issueIn(store, 1).labels.length], [undefined, 0]],
  },
  {
    run: 'label clone octocat/spoon-knife',
    given: store =>
      void store.labels.add(repositoryIn(store, { owner: 'octocat', name: 'spoon-knife' }), {
        name: 'fork',
        color: '123456',
      }),
    leaves: [label('fork'), { color: '123456' }],
  },
]
