import { may } from '../store/access.ts'
import type { DependabotAlert } from '../store/security-entities.ts'
import { pageUrl, paths } from '../urls.ts'
import { alertIn, changedAlert, DISMISSAL, dismissalJson, isAmong, sortedAlerts } from './alerts.ts'
import { type Answer, ok, type RestCall, type RouteTable, repositoryOf } from './call.ts'
import { RestError } from './errors.ts'
import { repositoryUrl } from './json/api-urls.ts'
import { pagedByCursor } from './paging.ts'

const alert = '/repos/:owner/:repo/dependabot/alerts/:alert'

export const dependabotRoutes: RouteTable = {
  'GET /repos/:owner/:repo/dependabot/alerts': listAlerts,
  [`GET ${alert}`]: call => ok(alertJson(alertIn(call, alertsOf(call)), call)),
  [`PATCH ${alert}`]: updateAlert,
}

function alertsOf(call: RestCall): DependabotAlert[] {
  const repository = repositoryOf(call)
  if (!may(call.principal, 'write', repository)) {
    throw new RestError(403, 'You are not authorized to perform this operation.')
  }
  if (!call.store.security.isEnabled(repository)) {
    throw new RestError(403, 'Dependabot alerts are disabled for this repository.')
  }
  return call.store.security.dependabotOf(repository)
}

function listAlerts(call: RestCall): Answer {
  const { query } = call
  const found = alertsOf(call).filter(
    ({ advisory, state, manifestPath, scope, relationship }) =>
      isAmong(query.state, state) &&
      isAmong(query.severity, advisory.severity) &&
      isAmong(query.ecosystem, advisory.ecosystem) &&
      isAmong(query.package, advisory.packageName) &&
      isAmong(query.manifest, manifestPath) &&
      isAmong(query.scope, scope) &&
      isAmong(query.relationship, relationship) &&
      (query.has !== 'patch' || advisory.firstPatched !== null),
  )
  return pagedByCursor(call, sortedAlerts(call, found), it => alertJson(it, call))
}

const closings = {
  ...DISMISSAL,
  reasons: ['fix_started', 'inaccurate', 'no_bandwidth', 'not_used', 'tolerable_risk'],
  fixed: new RestError(409, 'The alert is fixed.'),
}

function updateAlert(call: RestCall): Answer {
  return ok(alertJson(changedAlert(call, alertIn(call, alertsOf(call)), closings), call))
}

function alertJson(it: DependabotAlert, call: RestCall) {
  const { repository, number } = it
  return {
    number,
    state: it.state,
    dependency: {
      package: packageJson(it),
      manifest_path: it.manifestPath,
      scope: it.scope,
      relationship: it.relationship,
    },
    security_advisory: advisoryJson(it),
    security_vulnerability: vulnerabilityJson(it),
    url: `${repositoryUrl(repository, call.origin)}/dependabot/alerts/${number}`,
    html_url: pageUrl(`${paths.repository(repository)}/security/dependabot/${number}`),
    created_at: it.createdAt,
    updated_at: it.updatedAt,
    ...dismissalJson(it.closing, call),
    fixed_at: it.fixedAt,
    auto_dismissed_at: it.state === 'auto_dismissed' ? it.updatedAt : null,
    assignees: [],
  }
}

function packageJson({ advisory }: DependabotAlert) {
  return { ecosystem: advisory.ecosystem, name: advisory.packageName }
}

function vulnerabilityJson(it: DependabotAlert) {
  const { severity, range, firstPatched } = it.advisory
  return {
    package: packageJson(it),
    severity,
    vulnerable_version_range: range,
    first_patched_version: firstPatched === null ? null : { identifier: firstPatched },
  }
}

function advisoryJson(it: DependabotAlert) {
  const { ghsaId, cveId, summary, severity, score, vector, cwe } = it.advisory
  const cve = cveId === null ? [] : [{ type: 'CVE', value: cveId }]
  return {
    ghsa_id: ghsaId,
    cve_id: cveId,
    summary,
    description: `${summary}\n\nUpdate it.`,
    severity,
    cvss: { score, vector_string: vector },
    cvss_severities: { cvss_v3: { score, vector_string: vector }, cvss_v4: null },
    cwes: [{ cwe_id: cwe, name: `Weakness ${cwe}` }],
    identifiers: [{ type: 'GHSA', value: ghsaId }, ...cve],
    references: [{ url: `https://github.com/advisories/${ghsaId}` }],
    published_at: it.createdAt,
    updated_at: it.createdAt,
    withdrawn_at: null,
    vulnerabilities: [vulnerabilityJson(it)],
  }
}
