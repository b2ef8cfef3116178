import type { Repository, User } from './entities.ts'

export type AuthorAssociation = 'OWNER' | 'MEMBER' | 'COLLABORATOR' | 'NONE'

/** How an author stands to a repository; both APIs print it in capitals. */
export function associationOf(author: User, repository: Repository): AuthorAssociation {
  const { owner } = repository
  if (owner === author) return 'OWNER'
  if (owner.kind === 'Organization' && owner.members.has(author)) return 'MEMBER'
  return repository.collaborators.has(author) ? 'COLLABORATOR' : 'NONE'
}
