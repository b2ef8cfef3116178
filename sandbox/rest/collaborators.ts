import { may, permissionOf, requireAdmin, requirePermission } from '../store/access.ts'
import type { Invitation } from '../store/administration.ts'
import type { Permission, Repository, User } from '../store/entities.ts'
import { fullName } from '../store/repositories.ts'
import { pageUrl } from '../urls.ts'
import { optionalText } from './body.ts'
import {
  type Answer,
  created,
  noContent,
  numberIn,
  type RestCall,
  type RouteTable,
  repositoryOf,
} from './call.ts'
import { notFound, validationFailed } from './errors.ts'
import { accountJson } from './json/account.ts'
import { repositoryJson } from './json/repository.ts'
import { paged } from './paging.ts'

const collaborator = '/repos/:owner/:repo/collaborators/:login'

export const collaboratorRoutes: RouteTable = {
  'GET /repos/:owner/:repo/collaborators': listCollaborators,
  [`PUT ${collaborator}`]: addCollaborator,
  [`DELETE ${collaborator}`]: removeCollaborator,
  'GET /repos/:owner/:repo/invitations': call =>
    paged(call, invitationsTo(call), it => invitationJson(it, call)),
  'DELETE /repos/:owner/:repo/invitations/:invitation': call => {
    call.store.administration.decline(oneOf(call, invitationsTo(call)))
    return noContent()
  },
  'GET /user/repository_invitations': call =>
    paged(call, call.store.administration.invitationsOf(call.viewer), it =>
      invitationJson(it, call),
    ),
  'PATCH /user/repository_invitations/:invitation': call => {
    call.store.administration.accept(invitationOf(call))
    return noContent()
  },
  'DELETE /user/repository_invitations/:invitation': call => {
    call.store.administration.decline(invitationOf(call))
    return noContent()
  },
}

function listCollaborators(call: RestCall): Answer {
  const repository = repositoryOf(call)
  requirePermission(call.principal, 'write', repository)
  const { owner, collaborators } = repository
  const isOutside = (user: User) => owner.kind !== 'Organization' || !owner.members.has(user)
  const { affiliation = 'all' } = call.query
  const own = owner.kind !== 'Organization' && affiliation !== 'outside' ? [owner] : []
  const found = [...new Set([...own, ...collaborators.keys()])].filter(
    user => affiliation !== 'outside' || isOutside(user),
  )
  return paged(call, found, user => collaboratorJson(user, repository, call.origin))
}

function collaboratorJson(user: User, repository: Repository, origin: string) {
  const caller = { user, scopes: ['repo'] }
  return {
    ...accountJson(user, origin),
    permissions: {
      admin: may(caller, 'admin', repository),
      maintain: may(caller, 'maintain', repository),
      push: may(caller, 'write', repository),
      triage: may(caller, 'triage', repository),
      pull: may(caller, 'read', repository),
    },
    role_name: permissionOf(caller, repository),
  }
}

const permissions: Readonly<Record<string, Permission>> = {
  pull: 'read',
  triage: 'triage',
  push: 'write',
  maintain: 'maintain',
  admin: 'admin',
}

function userIn({ store, params }: RestCall): User {
  const user = store.accounts.findUser(params.login ?? '')
  if (!user) throw notFound()
  return user
}

/** Members of the organization, and collaborators, need no invitation. */
function addCollaborator(call: RestCall): Answer {
  const repository = repositoryOf(call)
  requireAdmin(call.principal, repository)
  const invitee = userIn(call)
  const permission = permissions[optionalText(call.body, 'permission') ?? 'push']
  if (!permission || invitee === repository.owner) {
    throw validationFailed({ resource: 'Repository', field: 'permission', code: 'invalid' })
  }
  const { owner, collaborators } = repository
  const isMember = owner.kind === 'Organization' && owner.members.has(invitee)
  const { administration } = call.store
  if (isMember || collaborators.has(invitee)) {
    administration.setCollaborator(repository, invitee, permission)
    return noContent()
  }
  const fields = { repository, invitee, inviter: call.viewer, permission }
  return created(invitationJson(administration.invite(fields), call))
}

function removeCollaborator(call: RestCall): Answer {
  const repository = repositoryOf(call)
  requireAdmin(call.principal, repository)
  const user = userIn(call)
  if (repository.collaborators.has(user)) {
    call.store.administration.setCollaborator(repository, user, null)
  }
  return noContent()
}

function invitationsTo(call: RestCall): Invitation[] {
  const repository = repositoryOf(call)
  requireAdmin(call.principal, repository)
  return call.store.administration.invitationsTo(repository)
}

function invitationOf(call: RestCall): Invitation {
  return oneOf(call, call.store.administration.invitationsOf(call.viewer))
}

function oneOf({ params }: RestCall, invitations: readonly Invitation[]): Invitation {
  const wanted = numberIn(params.invitation)
  const invitation = invitations.find(({ databaseId }) => databaseId === wanted)
  if (!invitation) throw notFound()
  return invitation
}

function invitationJson(invitation: Invitation, { origin, principal }: RestCall) {
  const { databaseId, repository, invitee, inviter, permission, createdAt } = invitation
  return {
    id: databaseId,
    node_id: `RI_${databaseId}`,
    repository: repositoryJson(repository, origin, principal),
    invitee: accountJson(invitee, origin),
    inviter: accountJson(inviter, origin),
    permissions: permission,
    created_at: createdAt,
    expired: false,
    url: `${origin}/user/repository_invitations/${databaseId}`,
    html_url: pageUrl(`/${fullName(repository)}/invitations`),
  }
}
