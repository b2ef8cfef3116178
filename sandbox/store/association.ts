import type { Repository, User } from './entities.ts'

export type AuthorAssociation = 'OWNER' | 'MEMBER' | 'COLLABORATOR' | 'NONE'

/** An author's relation to a repository. Both APIs print it in upper case. */
export function associationOf(author: User, repository: Repository): AuthorAssociation {
  const { owner } = repository
  if (owner === author) return 'OWNER'
  if (owner.kind === 'Organization' && owner.members.has(author)) return 'MEMBER'
  return repository.collaborators.has(author) ? 'COLLABORATOR' : 'NONE'
}
