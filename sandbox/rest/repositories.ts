import { isGiven } from '../given.ts'
import { canSee, requirePermission, requireUnarchived, visibleTo } from '../store/access.ts'
import type { Account, Organization, Repository, User } from '../store/entities.ts'
import { sortedBy } from '../store/order.ts'
import { Refusal } from '../store/refusal.ts'
import { fullName, invalidTopics, type NewRepository } from '../store/repositories.ts'
import { optionalFlag, optionalNames, optionalText, requiredText } from './body.ts'
import {
  type Answer,
  created,
  numberIn,
  ok,
  type RestCall,
  type RouteTable,
  repositoryOf,
} from './call.ts'
import { invalidRequest, notFound, RestError, validationFailed } from './errors.ts'
import { fullRepositoryJson, repositoryJson } from './json/repository.ts'
import { paged } from './paging.ts'

export const repositoryRoutes: RouteTable = {
  'GET /repos/:owner/:repo': call => repositoryAnswer(call, repositoryOf(call)),
  'GET /repositories/:id': call =>
    repositoryAnswer(call, call.store.repositories.findById(numberIn(call.params.id))),
  'GET /user/repos': listOwn,
  'GET /users/:owner/repos': call => list(call, it => it.visibility === 'public'),
  'GET /orgs/:owner/repos': call => list(call, () => true, organizationOf(call)),
  'POST /user/repos': call => create(call, call.viewer),
  'POST /orgs/:owner/repos': call => create(call, organizationOf(call)),
  'GET /repos/:owner/:repo/forks': listForks,
  'POST /repos/:owner/:repo/forks': fork,
  'GET /repos/:owner/:repo/topics': call => ok({ names: repositoryOf(call).topics }),
  'PUT /repos/:owner/:repo/topics': setTopics,
}

function repositoryAnswer(call: RestCall, repository: Repository | undefined): Answer {
  if (!repository || !canSee(call.principal, repository)) throw notFound()
  return ok(fullRepositoryJson(repository, call.origin, call.principal))
}

function organizationOf({ store, params }: RestCall): Organization {
  const account = store.accounts.find(params.owner ?? '')
  if (account?.kind !== 'Organization') throw notFound()
  return account
}

/** The repositories of an owner. For users GitHub lists only public ones, even to the owner. */
function list(
  call: RestCall,
  isListed: (repository: Repository) => boolean,
  owner: Account | undefined = call.store.accounts.find(call.params.owner ?? ''),
): Answer {
  if (!owner) throw notFound()
  return page(call, call.store.repositories.ownedBy(owner).filter(isListed))
}

/** The caller's repositories: as owner, collaborator or organization member. */
function listOwn(call: RestCall): Answer {
  const { visibility, affiliation = 'owner,collaborator,organization_member' } = call.query
  const wanted = affiliation.split(',')
  const listed = call.store.repositories
    .all()
    .filter(repository => wanted.includes(affiliationOf(call.viewer, repository)))
    .filter(it => !visibility || visibility === 'all' || it.visibility === visibility)
  return page(call, listed)
}

function affiliationOf(viewer: User, { owner, collaborators }: Repository): string {
  if (owner === viewer) return 'owner'
  if (owner.kind === 'Organization' && owner.members.has(viewer)) return 'organization_member'
  return collaborators.has(viewer) ? 'collaborator' : 'none'
}

const sortKeys = {
  created: it => it.createdAt,
  updated: it => it.updatedAt,
  pushed: it => it.pushedAt,
  full_name: it => fullName(it).toLowerCase(),
} satisfies Record<string, (repository: Repository) => string>

function page(call: RestCall, repositories: Repository[]): Answer {
  const name = (call.query.sort ?? 'full_name') as keyof typeof sortKeys
  const key = sortKeys[name] ?? sortKeys.full_name
  const { direction = name === 'full_name' ? 'asc' : 'desc' } = call.query
  const visible = visibleTo(call.principal, repositories)
  const order = direction === 'asc' ? 'asc' : 'desc'
  const sorted = sortedBy(visible, key, order, ({ databaseId }) => databaseId)
  return paged(call, sorted, it => repositoryJson(it, call.origin, call.principal))
}

function create(call: RestCall, owner: Account): Answer {
  if (owner.kind === 'Organization' && !owner.members.has(call.viewer)) {
    throw new RestError(
      403,
      'You need admin access to the organization before adding a repository to it.',
    )
  }
  const fields = fieldsIn(call, owner)
  const isInitialized = optionalFlag(call.body, 'auto_init') ?? false
  const repository = asCreationFailure(() => call.store.repositories.create(fields, isInitialized))
  const answer = fullRepositoryJson(repository, call.origin, call.principal)
  return created(answer, answer.url)
}

function fieldsIn({ body, viewer }: RestCall, owner: Account): NewRepository {
  const isPrivate = optionalFlag(body, 'private') ?? body.visibility === 'private'
  return {
    owner,
    name: requiredText(body, 'name'),
    description: optionalText(body, 'description') ?? null,
    homepageUrl: optionalText(body, 'homepage') ?? null,
    visibility: isPrivate ? 'private' : 'public',
    hasIssues: optionalFlag(body, 'has_issues') ?? true,
    hasWiki: optionalFlag(body, 'has_wiki') ?? true,
    collaborators: owner === viewer ? [] : [[viewer, 'admin']],
  }
}

/** GitHub has its own message for a refused creation, with the usual list of errors. */
function asCreationFailure(work: () => Repository): Repository {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof Refusal) || error.reason !== 'invalid') throw error
    throw new RestError(422, 'Repository creation failed.', { errors: error.problems })
  }
}

function listForks(call: RestCall): Answer {
  const forks = call.store.repositories.forksOf(repositoryOf(call)).toReversed()
  return paged(call, visibleTo(call.principal, forks), it =>
    repositoryJson(it, call.origin, call.principal),
  )
}

/** GitHub forks in the background; the sandbox forks at once. */
function fork(call: RestCall): Answer {
  const parent = repositoryOf(call)
  const organization = optionalText(call.body, 'organization')
  const owner = isGiven(organization) ? call.store.accounts.find(organization) : call.viewer
  if (owner?.kind === 'Organization' && !owner.members.has(call.viewer)) {
    throw new RestError(403, 'You do not have permission to fork into this organization.')
  }
  if (!owner || (isGiven(organization) && owner.kind !== 'Organization')) {
    throw new RestError(
      422,
      `'${organization}' is the login for a user account. You must use an organization.`,
    )
  }
  if (owner === parent.owner) {
    throw new RestError(403, 'You cannot fork a repository into the account that owns it.')
  }
  const forked = asCreationFailure(() =>
    call.store.repositories.fork(parent, {
      owner,
      by: call.viewer,
      name: optionalText(call.body, 'name') ?? undefined,
      onlyDefaultBranch: optionalFlag(call.body, 'default_branch_only') ?? false,
    }),
  )
  return { status: 202, body: fullRepositoryJson(forked, call.origin, call.principal) }
}

function setTopics(call: RestCall): Answer {
  const repository = repositoryOf(call)
  requireUnarchived(repository)
  requirePermission(call.principal, 'maintain', repository)
  const names = optionalNames(call.body, 'names')
  if (!names) throw invalidRequest('"names" wasn\'t supplied.')
  const wanted = names.map(name => name.toLowerCase())
  if (invalidTopics(wanted).length > 0) {
    const message =
      'Topics must start with a lowercase letter or number, consist of 50 characters or less, and can include hyphens.'
    throw validationFailed({ resource: 'Repository', code: 'custom', field: 'topics', message })
  }
  call.store.repositories.setTopics(repository, wanted)
  return ok({ names: repository.topics })
}
