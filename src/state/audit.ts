import { canonicalJson } from '../lib/canonical.ts'
import {
  type AuditAction,
  type AuditHead,
  type AuditRecord,
  type Decision,
  GATEWAY,
} from '../model/audit.ts'
import { chain, GENESIS, type Unchained } from './audit-chain.ts'

/** A decision with its time, epoch milliseconds. */
export interface NotedDecision extends Decision {
  readonly time: number
}

export interface AuditFilter {
  readonly action?: AuditAction
  readonly actor?: string
  readonly subject?: string
  /** Epoch milliseconds, inclusive. */
  readonly since?: number
  /** Epoch milliseconds, exclusive. */
  readonly until?: number
}

/** Records beyond a position: the newest first towards older ones, else the oldest first. */
export interface AuditSpan {
  readonly direction: 'older' | 'newer'
  /** Exclusive. */
  readonly from: number
  readonly limit: number
}

/**
 * Keeps the audit in the journal's database: one chain for all gateways that share it, because only a common order shows
 * that a whole gateway's records are missing. Each method rejects if the database fails.
 */
export interface AuditStore {
  /** Chains what the tables of approvals left, then these. */
  append(decisions: readonly NotedDecision[]): Promise<AuditHead>
  /** Deletes the records before a time, epoch milliseconds, and says so in a record. */
  prune(before: number, now: number): Promise<number>
  read(filter: AuditFilter, span: AuditSpan): Promise<readonly AuditRecord[]>
  /** The newest record, as the database keeps it beside the records. */
  head(): Promise<AuditHead>
}

/** The steps of a transaction: each yields a statement, and gets its rows. Both databases run the same ones. */
export type Steps<T> = Generator<
  readonly [text: string, values: readonly unknown[]],
  T,
  readonly object[]
>

/** Runs statements with `$1`, `$2` … for values. */
export interface AuditDatabase {
  query(text: string, values: readonly unknown[]): Promise<readonly object[]>
  /** Runs all steps in a transaction, while no other gateway runs any. */
  transaction<T>(steps: () => Steps<T>): Promise<T>
}

/** A row of the table `audit`. */
interface Row extends Omit<AuditRecord, 'time' | 'details'> {
  /** Epoch milliseconds. */
  readonly time: number
  /** JSON. */
  readonly details: string
}

/** A row of `audit_waiting`: the triggers of the approvals write it with the change that it is about. */
interface WaitingRow {
  readonly time: number
  readonly action: AuditAction
  readonly actor: string | null
  readonly subject: string
  readonly reason: string | null
  readonly details: string
}

const HEAD = 'SELECT seq, hash FROM audit_head'
const MOVE_HEAD = 'UPDATE audit_head SET seq = $1, hash = $2'
const TAKE_WAITING = `
  DELETE FROM audit_waiting WHERE id IN (SELECT id FROM audit_waiting ORDER BY id LIMIT 500) RETURNING *`
const INSERT = `
  INSERT INTO audit (seq, time, action, actor, subject, reason, details, gateway, previous_hash, hash)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`
const OLDEST_KEPT = 'SELECT min(seq) AS seq FROM audit WHERE time >= $1'
const LAST_PRUNED = 'SELECT seq, hash FROM audit WHERE seq < $1 ORDER BY seq DESC LIMIT 1'
const PRUNE = 'DELETE FROM audit WHERE seq <= $1'

const MATCHES = `
  (CAST($2 AS text) IS NULL OR action = $2) AND (CAST($3 AS text) IS NULL OR actor = $3) AND
  (CAST($4 AS text) IS NULL OR subject = $4) AND
  (CAST($5 AS bigint) IS NULL OR time >= $5) AND (CAST($6 AS bigint) IS NULL OR time < $6)`
const READ = {
  older: `SELECT * FROM audit WHERE seq < $1 AND ${MATCHES} ORDER BY seq DESC LIMIT $7`,
  newer: `SELECT * FROM audit WHERE seq > $1 AND ${MATCHES} ORDER BY seq LIMIT $7`,
} as const

/** The audit in tables of the journal's database. */
export class SqlAudit implements AuditStore {
  readonly #database: AuditDatabase
  readonly #gateway: string

  /** @param gateway the machine and process that writes */
  constructor(database: AuditDatabase, gateway: string) {
    this.#database = database
    this.#gateway = gateway
  }

  append(decisions: readonly NotedDecision[]): Promise<AuditHead> {
    return this.#database.transaction(() => appendSteps(decisions, this.#gateway))
  }

  prune(before: number, now: number): Promise<number> {
    return this.#database.transaction(() => pruneSteps(before, now, this.#gateway))
  }

  async read(filter: AuditFilter, { direction, from, limit }: AuditSpan) {
    const { action, actor, subject, since, until } = filter
    const values = [from, action, actor, subject, since, until, limit]
    const rows = await this.#database.query(
      READ[direction],
      values.map(value => value ?? null),
    )
    return (rows as readonly Row[]).map(toRecord)
  }

  async head(): Promise<AuditHead> {
    const [row] = await this.#database.query(HEAD, [])
    return (row as AuditHead | undefined) ?? GENESIS
  }
}

function* appendSteps(decisions: readonly NotedDecision[], gateway: string): Steps<AuditHead> {
  const [found] = yield [HEAD, []]
  let head = (found as AuditHead | undefined) ?? GENESIS
  const waiting = ((yield [TAKE_WAITING, []]) as readonly (WaitingRow & { id: number })[])
    .toSorted((one, other) => one.id - other.id)
    .map(fromWaiting)
  const added = [...waiting, ...decisions]
  for (const decision of added) {
    const record = chain(head, toUnchained(decision, gateway))
    const { seq, action, actor, subject, reason, details, previous_hash, hash } = record
    const texts = [action, actor, subject, reason, canonicalJson(details), gateway]
    yield [INSERT, [seq, Math.round(decision.time), ...texts, previous_hash, hash]]
    head = { seq, hash }
  }
  if (added.length > 0) yield [MOVE_HEAD, [head.seq, head.hash]]
  return head
}

/** Keeps at least the newest record, to which the next one is chained. */
function* pruneSteps(before: number, now: number, gateway: string): Steps<number> {
  const [kept] = (yield [OLDEST_KEPT, [before]]) as readonly { readonly seq: number | null }[]
  if (kept?.seq === undefined || kept.seq === null) return 0
  const [last] = (yield [LAST_PRUNED, [kept.seq]]) as readonly AuditHead[]
  if (last === undefined) return 0
  const details = { through: last.seq, hash: last.hash, before: new Date(before).toISOString() }
  const decision = { action: 'audit.pruned', actor: GATEWAY, subject: 'audit', details } as const
  yield* appendSteps([{ ...decision, time: now, reason: 'The retention is over.' }], gateway)
  yield [PRUNE, [last.seq]]
  return last.seq
}

function fromWaiting({ time, action, actor, subject, reason, details }: WaitingRow): NotedDecision {
  const parsed = JSON.parse(details) as Record<string, unknown>
  return { time, action, actor: actor ?? GATEWAY, subject, reason, details: parsed }
}

function toUnchained(decision: NotedDecision, gateway: string): Unchained {
  const { time, action, actor, subject, reason = null, details = {} } = decision
  // The record must be equal after it has been stored and read.
  const plain = JSON.parse(JSON.stringify(details)) as Record<string, unknown>
  return { time: toTime(time), action, actor, subject, reason, details: plain, gateway }
}

function toRecord({ seq, time, details, hash, ...row }: Row): AuditRecord {
  const { action, actor, subject, reason, gateway, previous_hash } = row
  const parsed = JSON.parse(details) as Record<string, unknown>
  return {
    seq,
    time: toTime(time),
    action,
    actor,
    subject,
    reason,
    details: parsed,
    gateway,
    previous_hash,
    hash,
  }
}

function toTime(epoch: number): string {
  return new Date(Math.round(epoch)).toISOString()
}
