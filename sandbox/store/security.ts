import type { Repository, User } from './entities.ts'
import type { Registry } from './registry.ts'
import type {
  AnyAlert,
  Closing,
  CodeScanningAlert,
  DependabotAlert,
  SecretAlert,
} from './security-entities.ts'

type Made = 'repository' | 'number' | 'state' | 'fixedAt' | 'closing' | 'updatedAt'
type New<Kind, Defaulted extends keyof Kind> = Omit<Kind, Made | Defaulted> &
  Partial<Pick<Kind, Defaulted>>

export type NewCodeScanningAlert = New<CodeScanningAlert, 'createdAt'>
export type NewDependabotAlert = Omit<
  New<DependabotAlert, 'createdAt' | 'scope' | 'relationship'>,
  'kind' | 'nodeId' | 'databaseId'
>
export type NewSecretAlert = New<
  SecretAlert,
  'createdAt' | 'validity' | 'isPubliclyLeaked' | 'isMultiRepo' | 'bypassedBy'
>

/** Alerts of code scanning, Dependabot and secret scanning. Only Dependabot's are nodes. */
export class Security {
  readonly #registry: Registry
  readonly #codeScanning: CodeScanningAlert[] = []
  readonly #dependabot: DependabotAlert[] = []
  readonly #secrets: SecretAlert[] = []
  /** Repositories whose owners switched Dependabot and secret scanning off. */
  readonly #disabled = new Set<Repository>()

  constructor(registry: Registry) {
    this.#registry = registry
  }

  disable(repository: Repository): void {
    this.#disabled.add(repository)
  }

  isEnabled(repository: Repository): boolean {
    return !this.#disabled.has(repository)
  }

  addCodeScanning(repository: Repository, fields: NewCodeScanningAlert): CodeScanningAlert {
    const base = this.#begin(this.#codeScanning, repository, fields.createdAt)
    return this.#push(this.#codeScanning, { ...fields, ...base, state: 'open', fixedAt: null })
  }

  addDependabot(repository: Repository, fields: NewDependabotAlert): DependabotAlert {
    const alert = this.#push(this.#dependabot, {
      kind: 'RepositoryVulnerabilityAlert',
      ...this.#registry.identify('RepositoryVulnerabilityAlert', repository),
      scope: 'runtime',
      relationship: 'direct',
      ...fields,
      ...this.#begin(this.#dependabot, repository, fields.createdAt),
      state: 'open',
      fixedAt: null,
    })
    return this.#registry.register(alert)
  }

  addSecret(repository: Repository, fields: NewSecretAlert): SecretAlert {
    return this.#push(this.#secrets, {
      validity: 'unknown',
      isPubliclyLeaked: false,
      isMultiRepo: false,
      bypassedBy: null,
      ...fields,
      ...this.#begin(this.#secrets, repository, fields.createdAt),
      state: 'open',
    })
  }

  codeScanningOf(repository: Repository): CodeScanningAlert[] {
    return alertsOf(this.#codeScanning, repository)
  }

  dependabotOf(repository: Repository): DependabotAlert[] {
    return alertsOf(this.#dependabot, repository)
  }

  secretsOf(repository: Repository): SecretAlert[] {
    return alertsOf(this.#secrets, repository)
  }

  /** Closes an alert. Closing it again for the same reason changes nothing. */
  close(alert: AnyAlert, by: User, reason: string, comment: string | null): void {
    const { closing } = alert
    if (closing?.reason === reason && closing.comment === comment) return
    const at = this.#registry.timestamp()
    const state = 'secret' in alert ? 'resolved' : 'dismissed'
    this.#change(alert, { state, closing: { by, at, reason, comment } })
  }

  reopen(alert: AnyAlert): void {
    if (alert.closing) this.#change(alert, { state: 'open', closing: null })
  }

  /** A new analysis, or a new version of a package, no longer shows the fault. */
  fix(alert: CodeScanningAlert | DependabotAlert): void {
    this.#change(alert, { state: 'fixed', closing: null })
    alert.fixedAt = alert.updatedAt
  }

  all(): readonly AnyAlert[] {
    return [...this.#codeScanning, ...this.#dependabot, ...this.#secrets]
  }

  #begin(known: readonly AnyAlert[], repository: Repository, at = this.#registry.timestamp()) {
    const number = known.filter(alert => alert.repository === repository).length + 1
    return { repository, number, createdAt: at, updatedAt: at, closing: null }
  }

  #push<Kind extends AnyAlert>(alerts: Kind[], alert: Kind): Kind {
    alerts.push(alert)
    this.#registry.recordWrite()
    return alert
  }

  #change(alert: AnyAlert, fields: { state: string; closing: Closing | null }): void {
    Object.assign(alert, fields, { updatedAt: this.#registry.timestamp() })
    this.#registry.recordWrite()
  }
}

function alertsOf<Kind extends AnyAlert>(alerts: readonly Kind[], repository: Repository): Kind[] {
  return alerts.filter(alert => alert.repository === repository)
}
