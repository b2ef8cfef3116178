import { hello, repositoryIn } from '../worlds.ts'
import type { HostileUse } from './cases.ts'
import { addBranches, everyName } from './world.ts'

export const ruleUses: readonly HostileUse[] = [
  {
    capability: 'repo.branch.rules.list',
    kind: 'ref',
    member: 'branch',
    all: true,
    input: branch => ({ ...hello, branch }),
    given: (store, one) => {
      for (const [index, name] of everyName(one).entries()) {
        const rules = [{ type: 'max_file_size', parameters: { max_file_size: index + 1 } }]
        store.rulesets.add(repositoryIn(store), { name, include: [`refs/heads/${name}`], rules })
      }
    },
    answers: () => ({
      look: data => data.items.map(({ parameters }: { parameters: unknown }) => parameters),
      see: [{ max_file_size: 1 }],
    }),
  },
  {
    capability: 'repo.branch.protection.view',
    kind: 'ref',
    member: 'branch',
    all: true,
    input: branch => ({ ...hello, branch }),
    given: (store, one) => {
      addBranches(store, everyName(one))
      for (const [index, pattern] of everyName(one).entries()) {
        const required = [{ context: `check ${index}`, app: null }]
        store.rulesets.protect(repositoryIn(store), {
          pattern,
          checks: { isStrict: false, required },
        })
      }
    },
    answers: () => ({
      look: data => data.requiredStatusChecks,
      see: [{ context: 'check 0', appId: null }],
    }),
  },
]
