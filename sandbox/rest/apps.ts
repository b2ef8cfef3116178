import type { FastifyInstance, FastifyRequest, HTTPMethods } from 'fastify'
import { exchangeOf } from '../exchange.ts'
import { readJsonObject } from '../json.ts'
import { type App, type AppPermissions, endOf, type Installation } from '../store/apps.ts'
import type { Account, Repository } from '../store/entities.ts'
import type { Principal } from '../store/tokens.ts'
import { pageUrl } from '../urls.ts'
import { type Answer, created, noContent, numberIn, ok, type RouteTable } from './call.ts'
import { notFound, RestError } from './errors.ts'
import { accountJson } from './json/account.ts'
import { repositoryJson } from './json/repository.ts'
import { pagedIn } from './paging.ts'

interface AppCall {
  readonly request: FastifyRequest
  readonly app: App
  readonly params: Readonly<Record<string, string>>
  readonly origin: string
}

/** The endpoints for an app as itself. */
const endpoints: Readonly<Record<string, (call: AppCall) => Answer>> = {
  'GET /app': ({ app, origin }) => ok(appJson(app, origin)),
  'GET /app/installations': listInstallations,
  'GET /app/installations/:id': call => ok(installationJson(installationIn(call), call.origin)),
  'DELETE /app/installations/:id': call => {
    storeOf(call).apps.uninstall(installationIn(call))
    return noContent()
  },
  'PUT /app/installations/:id/suspended': call => suspend(call, true),
  'DELETE /app/installations/:id/suspended': call => suspend(call, false),
  'POST /app/installations/:id/access_tokens': issueToken,
  'GET /repos/:owner/:repo/installation': call => {
    const { owner = '', repo = '' } = call.params
    const repository = storeOf(call).repositories.find(owner, repo)
    return showInstallation(call, one => repository !== undefined && reaches(one, repository))
  },
  'GET /orgs/:login/installation': call =>
    showInstallation(call, ({ account }) => isOf(call, account) && account.kind !== 'User'),
  // GitHub answers for organizations here too.
  'GET /users/:login/installation': call =>
    showInstallation(call, ({ account }) => isOf(call, account)),
}

export function appEndpoints(server: FastifyInstance): void {
  for (const [endpoint, handle] of Object.entries(endpoints)) {
    const [method, url] = endpoint.split(' ') as [HTTPMethods, string]
    server.route({
      method,
      url,
      handler(request, reply) {
        const { app } = exchangeOf(request)
        if (!app) throw new Error('an endpoint was reached without an app')
        const origin = `${request.protocol}://${request.host}`
        const params = request.params as AppCall['params']
        const answer = handle({ request, app, params, origin })
        reply.code(answer.status).send(answer.body)
      },
    })
  }
}

/** The endpoints for the token of an installation. */
export const installationRoutes: RouteTable = {
  'GET /installation/repositories': call => {
    const { account, repositories } = ofInstallation(call.principal)
    const all = repositories ?? call.store.repositories.ownedBy(account)
    return pagedIn(call, 'repositories', all, one =>
      repositoryJson(one, call.origin, call.principal),
    )
  },
  'DELETE /installation/token': call => {
    ofInstallation(call.principal)
    call.store.tokens.revoke(principal => principal === call.principal)
    return noContent()
  },
}

function ofInstallation({ installation }: Principal): Installation {
  if (!installation) throw new RestError(403, 'You must authenticate with an installation token.')
  return installation
}

function storeOf({ request }: AppCall) {
  return exchangeOf(request).store
}

function isOf({ params: { login = '' } }: AppCall, account: Account): boolean {
  return account.login.toLowerCase() === login.toLowerCase()
}

function reaches({ account, repositories }: Installation, repository: Repository): boolean {
  return repository.owner === account && (repositories?.includes(repository) ?? true)
}

function showInstallation(call: AppCall, isWanted: (one: Installation) => boolean): Answer {
  const found = storeOf(call).apps.installationsOf(call.app).find(isWanted)
  if (!found) throw notFound()
  return ok(installationJson(found, call.origin))
}

function listInstallations(call: AppCall): Answer {
  const query = call.request.query as Readonly<Record<string, string | undefined>>
  const size = Math.min(100, Number(query.per_page ?? 30))
  const from = (Number(query.page ?? 1) - 1) * size
  const all = storeOf(call).apps.installationsOf(call.app)
  return ok(all.slice(from, from + size).map(one => installationJson(one, call.origin)))
}

function installationIn(call: AppCall): Installation {
  const id = numberIn(call.params.id)
  const found = storeOf(call)
    .apps.installationsOf(call.app)
    .find(one => one.id === id)
  if (!found) throw notFound()
  return found
}

function suspend(call: AppCall, isSuspended: boolean): Answer {
  storeOf(call).apps.suspend(installationIn(call), isSuspended)
  return noContent()
}

function issueToken(call: AppCall): Answer {
  const installation = installationIn(call)
  const { permissions, repositories } = readJsonObject(call.request.body) as {
    readonly permissions?: AppPermissions
    readonly repositories?: readonly string[]
  }
  const chosen = repositories?.map(name => repositoryNamed(call, installation, name))
  const principal = storeOf(call).apps.issue(installation, { permissions, repositories: chosen })
  const { installation: reach } = principal
  return created({
    token: principal.token,
    expires_at: endOf(principal),
    permissions: reach?.permissions,
    repository_selection: reach?.repositories === null ? 'all' : 'selected',
  })
}

function repositoryNamed(call: AppCall, installation: Installation, name: string): Repository {
  const found = storeOf(call).repositories.find(installation.account.login, name)
  if (found && reaches(installation, found)) return found
  throw new RestError(
    422,
    'There is at least one repository that does not exist or is not accessible to the parent installation.',
  )
}

function appJson({ id, clientId, slug, owner, bot, permissions, createdAt }: App, origin: string) {
  return {
    id,
    client_id: clientId,
    slug,
    node_id: bot.nodeId,
    owner: accountJson(owner, origin),
    name: slug,
    description: null,
    external_url: 'https://example.test',
    html_url: pageUrl(`/apps/${slug}`),
    created_at: createdAt,
    updated_at: createdAt,
    permissions,
    events: [],
  }
}

function installationJson(installation: Installation, origin: string) {
  const { id, app, account, permissions, repositories, suspendedAt, createdAt } = installation
  return {
    id,
    client_id: app.clientId,
    account: accountJson(account, origin),
    repository_selection: repositories === null ? 'all' : 'selected',
    access_tokens_url: `${origin}/app/installations/${id}/access_tokens`,
    repositories_url: `${origin}/installation/repositories`,
    html_url: pageUrl(`/organizations/${account.login}/settings/installations/${id}`),
    app_id: app.id,
    app_slug: app.slug,
    target_id: account.databaseId,
    target_type: account.kind,
    permissions,
    events: [],
    created_at: createdAt,
    updated_at: createdAt,
    single_file_name: null,
    has_multiple_single_files: false,
    single_file_paths: [],
    suspended_by: suspendedAt === null ? null : accountJson(app.owner, origin),
    suspended_at: suspendedAt,
  }
}
