import type { Repository, Timestamp, User } from '../store/entities.ts'
import { toTimestamp } from '../store/registry.ts'
import type { Advisory, ScanRule } from '../store/security-entities.ts'
import type { Store } from '../store/store.ts'

/** Not a real token. Tests look for it wherever a secret must not be. */
export const LEAKED_SECRET = 'ghp_sandbox0000leaked0000secret0000abcdef'

/**
 * Adds alerts to octo-org/hello-world. Code scanning and Dependabot have 1 open, 2 dismissed, 3 fixed, 4 open. Secret
 * scanning has 1 open, 2 resolved.
 */
export function seedSecurity(store: Store, hello: Repository, octocat: User, hubot: User): void {
  const sha = store.git.of(hello).head as string
  seedCodeScanning(store, hello, octocat, sha)
  seedDependabot(store, hello, octocat)
  const found = (hours: number) => ({ createdAt: date(hours), secret: LEAKED_SECRET })
  const place = { path: 'src/greet.ts', startLine: 3, endLine: 3, sha }
  store.security.addSecret(hello, {
    ...found(20),
    secretType: 'github_personal_access_token',
    secretTypeName: 'GitHub Personal Access Token',
    provider: 'github',
    place,
    validity: 'active',
    isPubliclyLeaked: true,
    bypassedBy: hubot,
  })
  const old = store.security.addSecret(hello, {
    ...found(21),
    secretType: 'npm_access_token',
    secretTypeName: 'npm Access Token',
    provider: 'npm',
    place: { ...place, path: '.npmrc', startLine: 1, endLine: 1 },
    validity: 'inactive',
  })
  store.security.close(old, octocat, 'revoked', 'Turned off the same day.')
  backdate(old, 22)
}

const rule = (id: string, description: string, about: Partial<ScanRule>): ScanRule => ({
  id,
  description,
  severity: 'error',
  securitySeverity: null,
  tags: ['security'],
  help: `# ${description}\n\nDo not.`,
  ...about,
})

function seedCodeScanning(store: Store, hello: Repository, octocat: User, sha: string): void {
  const injection = rule('js/sql-injection', 'Query built from user input', {
    securitySeverity: 'high',
  })
  const unused = rule('js/unused-local-variable', 'Unused variable', {
    severity: 'note',
    tags: ['maintainability'],
  })
  const add = (hours: number, tool: string, what: ScanRule, line: number) =>
    store.security.addCodeScanning(hello, {
      createdAt: date(hours),
      rule: what,
      tool,
      ref: 'refs/heads/main',
      place: { path: 'src/greet.ts', startLine: line, endLine: line + 1, sha },
      message: `${what.description} in line ${line}.`,
    })
  add(1, 'CodeQL', injection, 3)
  const dismissed = add(2, 'CodeQL', unused, 5)
  store.security.close(dismissed, octocat, "won't fix", 'It will be used soon.')
  backdate(dismissed, 5)
  const fixed = add(3, 'CodeQL', injection, 9)
  store.security.fix(fixed)
  backdate(fixed, 6)
  add(4, 'octo-scan', unused, 11)
}

function seedDependabot(store: Store, hello: Repository, octocat: User): void {
  const add = (hours: number, advisory: Advisory, manifestPath = 'package-lock.json') =>
    store.security.addDependabot(hello, { createdAt: date(hours), advisory, manifestPath })
  add(10, advisory('lodash', 'high', '4.17.21'))
  const dismissed = add(11, advisory('minimist', 'critical', '1.2.6'))
  store.security.close(dismissed, octocat, 'not_used', 'Only in a script.')
  backdate(dismissed, 15)
  const fixed = add(12, advisory('@octo/spoon', 'low', '2.0.1'))
  store.security.fix(fixed)
  backdate(fixed, 16)
  add(13, { ...advisory('pillow', 'medium', null), ecosystem: 'pip' }, 'tools/requirements.txt')
}

function advisory(
  packageName: string,
  severity: Advisory['severity'],
  firstPatched: string | null,
): Advisory {
  const code = packageName.replaceAll(/\W/g, '').slice(0, 4)
  return {
    ghsaId: `GHSA-${code}-2026-0001`,
    cveId: firstPatched === null ? null : `CVE-2026-1${packageName.length}`,
    summary: `A fault in ${packageName}`,
    severity,
    score: { low: 2.1, medium: 5.3, high: 7.2, critical: 9.8 }[severity],
    vector: 'CVSS:3.1/AV:N/AC:L/PR:H/UI:N/S:U/C:H/I:H/A:H',
    cwe: 'CWE-1321',
    ecosystem: 'npm',
    packageName,
    range: firstPatched === null ? '>= 0' : `< ${firstPatched}`,
    firstPatched,
  }
}

interface Closed {
  updatedAt: Timestamp
  fixedAt?: Timestamp | null
  closing: { readonly by: User; readonly reason: string; readonly comment: string | null } | null
}

/** The store knows only the present time. */
function backdate(alert: Closed, hours: number): void {
  const at = date(hours)
  alert.updatedAt = at
  if (alert.fixedAt) alert.fixedAt = at
  if (alert.closing) alert.closing = { ...alert.closing, at } as Closed['closing']
}

/** Five days after the seed begins, one hour apart. */
function date(hours: number): Timestamp {
  return toTimestamp(Date.UTC(2026, 0, 7, 3, 4, 5) + hours * 3_600_000)
}
