import type * as G from '@octokit/graphql-schema'
import { canSee, canSeeNode } from '../store/access.ts'
import type { Node, Repository } from '../store/entities.ts'
import { toTimestamp } from '../store/registry.ts'
import { remaining } from '../store/tokens.ts'
import { notFound } from './errors.ts'
import type { Context, Fields } from './fields.ts'
import { findResource } from './resource.ts'
import { search } from './search.ts'

export const queryFields: Fields<unknown, G.Query> = {
  viewer: (_root, _args, { viewer }) => viewer,
  repository: (_root, { owner, name }: G.QueryRepositoryArgs, context) =>
    repositoryNamed(context, owner, name),
  repositoryOwner: (_root, { login }: G.QueryRepositoryOwnerArgs, { store }) =>
    store.accounts.find(login) ?? null,
  user: (_root, { login }: G.QueryUserArgs, { store }) => {
    const user = store.accounts.findUser(login)
    if (!user) throw notFound(`a User with the login of '${login}'`)
    return user
  },
  organization: (_root, { login }: G.QueryOrganizationArgs, { store }) => {
    const account = store.accounts.find(login)
    if (account?.kind !== 'Organization') {
      throw notFound(`an Organization with the login of '${login}'`)
    }
    return account
  },
  node: (_root, { id }: G.QueryNodeArgs, context) => findNode(id, context),
  nodes: (_root, { ids }: G.QueryNodesArgs, context) => ids.map(id => nodeOrError(id, context)),
  resource: findResource,
  search,
  rateLimit,
}

/** A repository by name. Throws GitHub's error if the caller may not see it. */
export function repositoryNamed(
  { store, principal }: Context,
  owner: string,
  name: string,
): Repository {
  const repository = store.repositories.find(owner, name)
  if (repository && canSee(principal, repository)) return repository
  throw notFound(`a Repository with the name '${owner}/${name}'`)
}

function findNode(id: string, { store, principal }: Context): Node {
  const node = store.node(id)
  if (node && canSeeNode(principal, node)) return node
  throw notFound(`a node with the global id of '${id}'`)
}

/** Returns an error instead of throwing, so that one invalid id fails only its own place in the list. */
function nodeOrError(id: string, context: Context): Node | Error {
  try {
    return findNode(id, context)
  } catch (error) {
    return error as Error
  }
}

function rateLimit(_root: unknown, _args: unknown, { quota, cost }: Context) {
  return {
    limit: quota.limit,
    used: quota.used,
    remaining: remaining(quota),
    resetAt: toTimestamp(quota.resetAt),
    cost: cost.cost,
    nodeCount: cost.nodeCount,
  }
}
