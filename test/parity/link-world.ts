import type { Store } from '../../sandbox/index.ts'
import { repositoryIn, userIn } from './worlds.ts'

const HARD = 'odd #%2F+ 🚂?ref=x'

export function addFolderLinks(store: Store): void {
  const link = { link: '../src' }
  const changes = { 'docs/folder': link, [`docs/${HARD}`]: link }
  store.git.commit(repositoryIn(store), { author: userIn(store, 'hubot'), message: 'L', changes })
}

/** Paths that lead through a link to a folder, or through a file. */
export const pathsBelowLinks: readonly string[] = [
  'docs/folder/new.md',
  'docs/folder/greet.ts',
  'docs/folder/deep/er/new.md',
  `docs/${HARD}/new.md`,
  `docs/${HARD}/deep/new.md`,
  'VERSION/new.md',
  'VERSION/deep/new.md',
]
