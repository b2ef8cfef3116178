import { may } from '../store/access.ts'
import type { SecretAlert } from '../store/security-entities.ts'
import { pageUrl, paths } from '../urls.ts'
import {
  alertIn,
  changedAlert,
  isAmong,
  RESOLUTION,
  resolutionJson,
  sortedAlerts,
} from './alerts.ts'
import { type Answer, ok, type RestCall, type RouteTable, repositoryOf } from './call.ts'
import { choiceIn } from './choice.ts'
import { notFound, RestError } from './errors.ts'
import { accountOrNull } from './json/account.ts'
import { repositoryUrl } from './json/api-urls.ts'
import { paged } from './paging.ts'

const alert = '/repos/:owner/:repo/secret-scanning/alerts/:alert'

export const secretScanningRoutes: RouteTable = {
  'GET /repos/:owner/:repo/secret-scanning/alerts': listAlerts,
  [`GET ${alert}`]: call => ok(alertJson(alertIn(call, alertsOf(call)), call)),
  [`PATCH ${alert}`]: updateAlert,
}

/** For all but administrators, the alerts do not exist. */
function alertsOf(call: RestCall): SecretAlert[] {
  const repository = repositoryOf(call)
  if (!may(call.principal, 'admin', repository)) throw notFound()
  if (!call.store.security.isEnabled(repository)) {
    throw new RestError(404, 'Secret scanning is disabled on this repository.')
  }
  return call.store.security.secretsOf(repository)
}

function listAlerts(call: RestCall): Answer {
  const state = call.query.state && choiceIn(call.query, 'Alert', 'state', ['open', 'resolved'])
  const found = alertsOf(call).filter(
    it => it.state === (state ?? it.state) && hasKind(it, call.query) && hasFlags(it, call.query),
  )
  return paged(call, sortedAlerts(call, found), it => alertJson(it, call))
}

function hasKind(it: SecretAlert, query: RestCall['query']): boolean {
  return (
    isAmong(query.secret_type, it.secretType) &&
    isAmong(query.providers, it.provider) &&
    isAmong(query.resolution, it.closing?.reason ?? 'none') &&
    isAmong(query.validity, it.validity)
  )
}

function hasFlags(it: SecretAlert, query: RestCall['query']): boolean {
  return (
    isAmong(query.is_publicly_leaked, String(it.isPubliclyLeaked)) &&
    isAmong(query.is_multi_repo, String(it.isMultiRepo)) &&
    isAmong(query.is_bypassed, String(it.bypassedBy !== null))
  )
}

const closings = {
  ...RESOLUTION,
  reasons: ['false_positive', 'wont_fix', 'revoked', 'used_in_tests'],
}

function updateAlert(call: RestCall): Answer {
  return ok(alertJson(changedAlert(call, alertIn(call, alertsOf(call)), closings), call))
}

/** The answer to a change has the secret in it, since `hide_secret` is a parameter of reads only. */
function alertJson(it: SecretAlert, call: RestCall) {
  const { repository, number } = it
  const url = `${repositoryUrl(repository, call.origin)}/secret-scanning/alerts/${number}`
  return {
    number,
    created_at: it.createdAt,
    updated_at: it.updatedAt,
    url,
    html_url: pageUrl(`${paths.repository(repository)}/security/secret-scanning/${number}`),
    locations_url: `${url}/locations`,
    state: it.state,
    ...resolutionJson(it.closing, call),
    secret_type: it.secretType,
    secret_type_display_name: it.secretTypeName,
    provider: it.provider,
    provider_slug: it.provider,
    ...(call.query.hide_secret !== 'true' && { secret: it.secret }),
    validity: it.validity,
    publicly_leaked: it.isPubliclyLeaked,
    multi_repo: it.isMultiRepo,
    push_protection_bypassed: it.bypassedBy !== null,
    push_protection_bypassed_by: accountOrNull(it.bypassedBy, call.origin),
    push_protection_bypassed_at: it.bypassedBy && it.createdAt,
    first_location_detected: placeJson(it, call),
    has_more_locations: false,
  }
}

function placeJson({ repository, place }: SecretAlert, { origin }: RestCall) {
  const git = `${repositoryUrl(repository, origin)}/git`
  return {
    path: place.path,
    start_line: place.startLine,
    end_line: place.endLine,
    start_column: 1,
    end_column: 40,
    blob_sha: place.sha,
    blob_url: `${git}/blobs/${place.sha}`,
    commit_sha: place.sha,
    commit_url: `${git}/commits/${place.sha}`,
    html_url: pageUrl(`${paths.repository(repository)}/blob/${place.sha}/README.md`),
  }
}
