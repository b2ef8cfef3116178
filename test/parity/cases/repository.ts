import type { ParityCases } from '../case.ts'
import { hello } from '../worlds.ts'

export const cases: ParityCases = {
  'repo.view': [
    { input: hello },
    { input: { owner: 'octo-org', name: 'secret-plans' }, title: 'a private repository' },
    { input: { owner: 'octo-org', name: 'attic' }, title: 'an archived repository' },
    { input: { owner: 'octo-org', name: 'nothing-here' }, fails: 'NOT_FOUND' },
    { input: { owner: 'mallory', name: 'hidden' }, fails: 'NOT_FOUND' },
  ],
}
