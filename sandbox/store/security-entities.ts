import type { Entity, Repository, Timestamp, User } from './entities.ts'

/** The common members of security alerts. Each kind counts on its own, from 1 in each repository. */
interface Alert {
  readonly repository: Repository
  readonly number: number
  readonly createdAt: Timestamp
  updatedAt: Timestamp
}

/** The end of an alert: its user, time and reason. */
export interface Closing {
  readonly by: User
  readonly at: Timestamp
  readonly reason: string
  readonly comment: string | null
}

/** A place in a file. */
export interface Place {
  readonly path: string
  readonly startLine: number
  readonly endLine: number
  readonly sha: string
}

export interface ScanRule {
  readonly id: string
  readonly description: string
  readonly severity: 'none' | 'note' | 'warning' | 'error'
  readonly securitySeverity: Severity | null
  readonly tags: readonly string[]
  readonly help: string
}

export type Severity = 'low' | 'medium' | 'high' | 'critical'

export interface CodeScanningAlert extends Alert {
  readonly rule: ScanRule
  readonly tool: string
  /** Full name, such as `refs/heads/main`. */
  readonly ref: string
  readonly place: Place
  readonly message: string
  state: 'open' | 'dismissed' | 'fixed'
  fixedAt: Timestamp | null
  closing: Closing | null
}

/** A vulnerability of a package, as GitHub's advisory database has it. */
export interface Advisory {
  readonly ghsaId: string
  readonly cveId: string | null
  readonly summary: string
  readonly severity: Severity
  readonly score: number
  readonly vector: string
  readonly cwe: string
  readonly ecosystem: string
  readonly packageName: string
  readonly range: string
  readonly firstPatched: string | null
}

export interface DependabotAlert extends Alert, Entity<'RepositoryVulnerabilityAlert'> {
  readonly advisory: Advisory
  readonly manifestPath: string
  readonly scope: 'development' | 'runtime'
  readonly relationship: 'direct' | 'transitive'
  state: 'open' | 'dismissed' | 'fixed' | 'auto_dismissed'
  fixedAt: Timestamp | null
  closing: Closing | null
}

export interface SecretAlert extends Alert {
  readonly secretType: string
  readonly secretTypeName: string
  readonly provider: string
  /** The leaked text itself. */
  readonly secret: string
  readonly place: Place
  readonly validity: 'active' | 'inactive' | 'unknown'
  readonly isPubliclyLeaked: boolean
  readonly isMultiRepo: boolean
  /** The user who pushed it although GitHub had warned of it. */
  readonly bypassedBy: User | null
  state: 'open' | 'resolved'
  closing: Closing | null
}

export type AnyAlert = CodeScanningAlert | DependabotAlert | SecretAlert
