import type { Data } from '../case.ts'
import { addDeployment, addEnvironment } from '../deployment-world.ts'
import { hello } from '../worlds.ts'
import type { HostileUse } from './cases.ts'
import { everyName } from './world.ts'

const each = (data: Data, member: string) =>
  data.items.map((item: Record<string, unknown>) => item[member])

const filterBy = (
  member: 'environment' | 'ref' | 'task',
  kind: HostileUse['kind'],
): HostileUse => ({
  capability: 'repo.deployments.list',
  kind,
  member,
  all: true,
  input: name => ({ ...hello, [member]: name }),
  given: (store, one) => {
    for (const name of everyName(one)) addDeployment(store, { [member]: name })
  },
  answers: ({ name }) => ({ look: data => each(data, member), see: [name] }),
})

export const deploymentUses: readonly HostileUse[] = [
  {
    capability: 'repo.environment.view',
    kind: 'label',
    member: 'environment',
    all: true,
    input: environment => ({ ...hello, environment }),
    given: (store, one) => {
      for (const name of everyName(one)) addEnvironment(store, name)
    },
    answers: ({ name }) => ({
      look: data => [data.name, data.branchPatterns],
      see: [name, [`${name}/*`]],
    }),
  },
  filterBy('environment', 'label'),
  filterBy('ref', 'ref'),
  filterBy('task', 'label'),
]
