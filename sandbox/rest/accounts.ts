import type { Account } from '../store/entities.ts'
import { type Answer, ok, type RestCall, type RouteTable } from './call.ts'
import { notFound } from './errors.ts'
import { organizationJson, ownProfileJson, type PublicCounts, profileJson } from './json/account.ts'
import { teamJson } from './json/team.ts'
import { paged } from './paging.ts'

export const accountRoutes: RouteTable = {
  'GET /user': getSelf,
  'GET /users/:login': getAccount,
  'GET /orgs/:org': getOrganization,
  'GET /orgs/:org/teams/:team': getTeam,
  // The sandbox has no events.
  'GET /users/:login/received_events': call => paged(call, [], it => it),
}

function getSelf({ store, viewer, origin }: RestCall): Answer {
  const counts = publicCounts(viewer, store)
  const owned = store.repositories.ownedBy(viewer).length
  return ok(ownProfileJson(viewer, origin, counts, owned - counts.repositories))
}

function getAccount({ store, params, origin }: RestCall): Answer {
  const account = store.accounts.find(params.login ?? '')
  if (!account) throw notFound()
  return ok(profileJson(account, origin, publicCounts(account, store)))
}

function getOrganization({ store, params, origin }: RestCall): Answer {
  const account = store.accounts.find(params.org ?? '')
  if (account?.kind !== 'Organization') throw notFound()
  return ok(organizationJson(account, origin, publicCounts(account, store).repositories))
}

function publicCounts(account: Account, { repositories, gists }: RestCall['store']): PublicCounts {
  const owned = repositories.ownedBy(account).filter(it => it.visibility === 'public')
  const own = account.kind === 'Organization' ? [] : gists.of(account).filter(it => it.isPublic)
  return { repositories: owned.length, gists: own.length }
}

function getTeam({ store, params, origin }: RestCall): Answer {
  const organization = store.accounts.find(params.org ?? '')
  const team = organization && store.accounts.findTeam(organization, params.team ?? '')
  if (!team) throw notFound()
  const repositories = publicCounts(team.organization, store).repositories
  return ok({
    ...teamJson(team, origin),
    // The sandbox's teams have no members.
    members_count: 0,
    repos_count: store.repositories.ownedBy(team.organization).length,
    organization: organizationJson(team.organization, origin, repositories),
    created_at: team.organization.createdAt,
    updated_at: team.organization.createdAt,
  })
}
