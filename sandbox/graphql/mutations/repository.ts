import type * as G from '@octokit/graphql-schema'
import { isGiven } from '../../given.ts'
import { may, requirePermission, requireUnarchived } from '../../store/access.ts'
import type { Account, User } from '../../store/entities.ts'
import { invalidTopics, type NewRepository } from '../../store/repositories.ts'
import { githubError } from '../errors.ts'
import type { Context, Fields } from '../fields.ts'
import { target } from './targets.ts'

export const repositoryMutations: Fields<unknown, G.Mutation> = {
  /** The new repository is always empty: this API cannot ask for a first commit. */
  createRepository(_root, { input }: G.MutationCreateRepositoryArgs, context) {
    const { viewer, store } = context
    const owner = input.ownerId ? target(context, input.ownerId, 'User', 'Organization') : viewer
    const isOwn = owner.kind === 'Organization' ? owner.members.has(viewer) : owner === viewer
    if (!isOwn) {
      throw githubError(
        'FORBIDDEN',
        `${viewer.login} cannot create a repository for ${owner.login}.`,
      )
    }
    if (store.repositories.find(owner.login, input.name)) {
      throw githubError('UNPROCESSABLE', 'Name already exists on this account')
    }
    const repository = store.repositories.create(fieldsOf(input, owner, viewer), false)
    return { repository }
  },

  /** An empty text clears a description or an address. */
  updateRepository(_root, { input }: G.MutationUpdateRepositoryArgs, context) {
    const repository = administered(context, input.repositoryId)
    requireUnarchived(repository)
    const { description, homepageUrl, hasIssuesEnabled, hasWikiEnabled } = input
    context.store.repositories.update(repository, {
      ...(isGiven(input.name) && { name: input.name }),
      ...(isGiven(description) && { description: description || null }),
      ...(isGiven(homepageUrl) && { homepageUrl: String(homepageUrl) || null }),
      ...(isGiven(hasIssuesEnabled) && { hasIssues: hasIssuesEnabled }),
      ...(isGiven(hasWikiEnabled) && { hasWiki: hasWikiEnabled }),
    })
    return { repository }
  },

  archiveRepository(_root, { input }: G.MutationArchiveRepositoryArgs, context) {
    const repository = administered(context, input.repositoryId)
    requireUnarchived(repository)
    context.store.repositories.update(repository, { isArchived: true })
    return { repository }
  },

  unarchiveRepository(_root, { input }: G.MutationUnarchiveRepositoryArgs, context) {
    const repository = administered(context, input.repositoryId)
    context.store.repositories.update(repository, { isArchived: false })
    return { repository }
  },

  updateTopics(_root, { input }: G.MutationUpdateTopicsArgs, context) {
    const repository = target(context, input.repositoryId, 'Repository')
    requireUnarchived(repository)
    if (!may(context.principal, 'maintain', repository)) {
      throw githubError('FORBIDDEN', 'You do not have permission to change the topics.')
    }
    const invalidTopicNames = invalidTopics(input.topicNames)
    if (invalidTopicNames.length > 0) {
      return { invalidTopicNames, repository: null }
    }
    context.store.repositories.setTopics(repository, input.topicNames)
    return { invalidTopicNames: null, repository }
  },
}

function fieldsOf(input: G.CreateRepositoryInput, owner: Account, viewer: User): NewRepository {
  return {
    owner,
    name: input.name,
    description: input.description ?? null,
    homepageUrl: input.homepageUrl ?? null,
    visibility: input.visibility === 'PUBLIC' ? 'public' : 'private',
    hasIssues: input.hasIssuesEnabled ?? true,
    hasWiki: input.hasWikiEnabled ?? false,
    collaborators: owner === viewer ? [] : [[viewer, 'admin']],
  }
}

function administered(context: Context, id: string) {
  const repository = target(context, id, 'Repository')
  requirePermission(context.principal, 'admin', repository)
  return repository
}
