import { may } from '../store/access.ts'
import type { CodeScanningAlert } from '../store/security-entities.ts'
import { pageUrl, paths } from '../urls.ts'
import { alertIn, changedAlert, DISMISSAL, dismissalJson, sortedAlerts } from './alerts.ts'
import { type Answer, ok, type RestCall, type RouteTable, repositoryOf } from './call.ts'
import { choiceIn } from './choice.ts'
import { RestError } from './errors.ts'
import { repositoryUrl } from './json/api-urls.ts'
import { paged } from './paging.ts'

const alert = '/repos/:owner/:repo/code-scanning/alerts/:alert'

export const codeScanningRoutes: RouteTable = {
  'GET /repos/:owner/:repo/code-scanning/alerts': listAlerts,
  [`GET ${alert}`]: call => ok(alertJson(alertIn(call, alertsOf(call)), call)),
  [`PATCH ${alert}`]: updateAlert,
}

function alertsOf(call: RestCall): CodeScanningAlert[] {
  const repository = repositoryOf(call)
  if (!may(call.principal, 'write', repository)) {
    throw new RestError(403, 'You are not authorized to read code scanning alerts.')
  }
  const alerts = call.store.security.codeScanningOf(repository)
  if (alerts.length === 0) throw new RestError(404, 'no analysis found')
  return alerts
}

/** Without a ref, the alerts of the default branch. */
function listAlerts(call: RestCall): Answer {
  const alerts = alertsOf(call)
  const { ref = repositoryOf(call).defaultBranch, tool_name } = call.query
  const states = ['open', 'dismissed', 'fixed'] as const
  const state = call.query.state && choiceIn(call.query, 'Alert', 'state', states)
  const found = alerts.filter(
    it =>
      [ref, `refs/heads/${ref}`].includes(it.ref) &&
      it.state === (state ?? it.state) &&
      it.tool === (tool_name ?? it.tool),
  )
  return paged(call, sortedAlerts(call, found), it => alertJson(it, call))
}

const closings = {
  ...DISMISSAL,
  reasons: ['false positive', "won't fix", 'used in tests', 'mitigated'],
  fixed: new RestError(400, 'Alert is fixed and cannot be updated.'),
}

function updateAlert(call: RestCall): Answer {
  return ok(alertJson(changedAlert(call, alertIn(call, alertsOf(call)), closings), call))
}

function alertJson(it: CodeScanningAlert, call: RestCall) {
  const url = `${repositoryUrl(it.repository, call.origin)}/code-scanning/alerts/${it.number}`
  return {
    number: it.number,
    created_at: it.createdAt,
    updated_at: it.updatedAt,
    url,
    html_url: pageUrl(`${paths.repository(it.repository)}/security/code-scanning/${it.number}`),
    state: it.state,
    fixed_at: it.fixedAt,
    ...dismissalJson(it.closing, call),
    rule: ruleJson(it),
    tool: { name: it.tool, guid: null, version: '2.20.1' },
    most_recent_instance: instanceJson(it),
    instances_url: `${url}/instances`,
  }
}

function ruleJson({ rule }: CodeScanningAlert) {
  return {
    id: rule.id,
    name: rule.id,
    severity: rule.severity,
    security_severity_level: rule.securitySeverity,
    description: rule.description,
    full_description: rule.description,
    tags: rule.tags,
    help: rule.help,
    help_uri: null,
  }
}

function instanceJson({ ref, tool, place, state, message }: CodeScanningAlert) {
  return {
    ref,
    analysis_key: `.github/workflows/scan.yml:${tool}`,
    environment: '{}',
    category: tool,
    state,
    commit_sha: place.sha,
    message: { text: message },
    location: {
      path: place.path,
      start_line: place.startLine,
      end_line: place.endLine,
      start_column: 1,
      end_column: 20,
    },
    classifications: [],
  }
}
