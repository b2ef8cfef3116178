import { setTimeout as delay } from 'node:timers/promises'
import { ulid } from 'ulid'
import { parseJson } from '../lib/exact-json.ts'
import type {
  Approval,
  ApprovalDecision,
  ApprovalStatus,
  ApprovedCall,
  Asked,
} from '../model/approval.ts'

/** A page of approvals, newest first. */
export interface ApprovalPage {
  readonly items: readonly Approval[]
  /** Null on the last page. */
  readonly next: string | null
}

export interface ApprovalFilter {
  readonly status: ApprovalStatus | null
  readonly limit: number
  /** An id: only older ones. */
  readonly before: string | null
  /** Epoch milliseconds. */
  readonly now: number
}

/** An approval with what only the pipeline compares. */
export interface KeptApproval {
  readonly approval: Approval
  readonly call: ApprovedCall
}

/** Keeps who asked a person for what, and what the person decided, across restarts. Each method rejects if its database fails. */
export interface ApprovalStore {
  /** The approval of the same call that still holds, or else a new one that waits. */
  ask(asked: Asked): Promise<Approval>
  find(id: string, now: number): Promise<KeptApproval | null>
  /** Uses an approved one for a request. Exactly one of several requests at once gets a single approval. */
  use(id: string, requestId: string, now: number): Promise<boolean>
  /** Makes an approval good again whose request has changed nothing. */
  giveBack(id: string, requestId: string): Promise<void>
  /** Null if it no longer waits. */
  decide(id: string, decision: ApprovalDecision): Promise<Approval | null>
  list(filter: ApprovalFilter): Promise<ApprovalPage>
  /** How many wait for a person. */
  waiting(now: number): Promise<number>
  /** Marks those whose time is over. */
  expire(now: number): Promise<void>
  /** Writes without a change. Rejects as long as the database cannot write, for example on a full disk. */
  tryToWrite(): Promise<void>
}

/** Runs a statement with `$1`, `$2` … for values, and returns its rows. */
export type Query = (text: string, values: readonly unknown[]) => Promise<readonly object[]>

/** A row of the table `approvals`. Times are epoch milliseconds. */
interface Row {
  readonly id: string
  readonly caller: string
  readonly capability: string
  readonly fingerprint: string
  readonly key: string
  readonly status: ApprovalStatus
  readonly created: number
  readonly expires: number
  readonly request_id: string
  readonly reason: string | null
  readonly input: string
  readonly plan: string
  readonly decided_by: string | null
  readonly decided: number | null
  readonly note: string | null
  /** 1 or 0: SQLite has no booleans. */
  readonly repeatable: number
  readonly used_by: string | null
}

const OF_CALL = 'caller = $1 AND capability = $2 AND fingerprint = $3 AND key = $4'
/** Reports and the unique index see only what still waits. */
const EXPIRE = `UPDATE approvals SET status = 'expired' WHERE status IN ('waiting', 'approved') AND expires <= $1`
const FIND_LIVE = `SELECT * FROM approvals WHERE ${OF_CALL} AND status IN ('waiting', 'approved', 'refused') AND expires > $5 ORDER BY id DESC LIMIT 1`
const INSERT = `
  INSERT INTO approvals (id, caller, capability, fingerprint, key, status, created, expires, request_id, reason, input, plan)
  VALUES ($1, $2, $3, $4, $5, 'waiting', $6, $7, $8, $9, $10, $11)
  ON CONFLICT DO NOTHING RETURNING *`
const USE = `
  UPDATE approvals SET status = CASE WHEN repeatable = 1 THEN status ELSE 'used' END, used_by = $2
  WHERE id = $1 AND status = 'approved' AND expires > $3 RETURNING id`
const GIVE_BACK = `
  UPDATE approvals SET status = 'approved', used_by = NULL WHERE id = $1 AND status = 'used' AND used_by = $2`
const DECIDE = `
  UPDATE approvals SET status = $2, decided_by = $3, decided = $4, note = $5, expires = $6, repeatable = $7
  WHERE id = $1 AND status = 'waiting' AND expires > $4 RETURNING *`
const LIST = `
  SELECT * FROM approvals
  WHERE (CAST($1 AS text) IS NULL OR status = $1) AND (CAST($2 AS text) IS NULL OR id < $2)
  ORDER BY id DESC LIMIT $3`
const COUNT = `SELECT count(*) AS number FROM approvals WHERE status = 'waiting' AND expires > $1`
const FORGET = 'DELETE FROM approvals WHERE expires < $1'

/** The table may be empty; the head of the audit, in the same database, is one row always. No trigger records either. */
const TRY_TO_WRITE = [
  'UPDATE approvals SET note = note WHERE id = (SELECT max(id) FROM approvals)',
  'UPDATE audit_head SET seq = seq',
]

const KEPT_MS = 30 * 24 * 60 * 60 * 1000
/** A row that another request has just inserted is visible after its transaction. */
const LOOKS = 5
const PAUSE_MS = 20

/** The approvals in a table of the journal's database. */
export class SqlApprovals implements ApprovalStore {
  readonly #query: Query

  constructor(query: Query) {
    this.#query = query
  }

  async ask(asked: Asked): Promise<Approval> {
    const { now } = asked
    const call = valuesOf(asked)
    await this.expire(now)
    for (let look = 1; look <= LOOKS; look++) {
      const [live] = await this.#rows(FIND_LIVE, [...call, now])
      if (live) return toApproval(live, now)
      const [made] = await this.#rows(INSERT, [
        ulid(now),
        ...call,
        now,
        asked.expires,
        asked.requestId,
        asked.reason,
        asked.input,
        asked.plan,
      ])
      if (made) {
        await this.#query(FORGET, [now - KEPT_MS])
        return toApproval(made, now)
      }
      await delay(PAUSE_MS)
    }
    throw new Error('the approval that another request asked for cannot be found')
  }

  async find(id: string, now: number): Promise<KeptApproval | null> {
    const [row] = await this.#rows('SELECT * FROM approvals WHERE id = $1', [id])
    if (!row) return null
    const { caller, capability, fingerprint, key } = row
    return { approval: toApproval(row, now), call: { caller, capability, fingerprint, key } }
  }

  async use(id: string, requestId: string, now: number): Promise<boolean> {
    return (await this.#query(USE, [id, requestId, now])).length > 0
  }

  async giveBack(id: string, requestId: string): Promise<void> {
    await this.#query(GIVE_BACK, [id, requestId])
  }

  async decide(id: string, decision: ApprovalDecision): Promise<Approval | null> {
    const { approve, by, now, note, expires, repeatable } = decision
    const status = approve ? 'approved' : 'refused'
    const values = [id, status, by, now, note, expires, repeatable ? 1 : 0]
    const [row] = await this.#rows(DECIDE, values)
    return row ? toApproval(row, now) : null
  }

  async list({ status, limit, before, now }: ApprovalFilter): Promise<ApprovalPage> {
    await this.expire(now)
    const rows = await this.#rows(LIST, [status, before, limit + 1])
    const shown = rows.slice(0, limit)
    const last = rows.length > limit ? shown.at(-1) : undefined
    return { items: shown.map(row => toApproval(row, now)), next: last?.id ?? null }
  }

  async waiting(now: number): Promise<number> {
    const [row] = (await this.#query(COUNT, [now])) as readonly { readonly number: unknown }[]
    return Number(row?.number ?? 0)
  }

  async expire(now: number): Promise<void> {
    await this.#query(EXPIRE, [now])
  }

  async tryToWrite(): Promise<void> {
    for (const statement of TRY_TO_WRITE) await this.#query(statement, [])
  }

  async #rows(text: string, values: readonly unknown[]): Promise<readonly Row[]> {
    return (await this.#query(text, values)) as readonly Row[]
  }
}

function valuesOf({ caller, capability, fingerprint, key }: ApprovedCall): readonly string[] {
  return [caller, capability, fingerprint, key]
}

function toApproval(row: Row, now: number): Approval {
  const { id, capability, created, expires, decided } = row
  const { caller, reason, request_id, decided_by, note, used_by } = row
  return {
    approval_id: id,
    status: statusAt(row, now),
    capability_id: capability,
    caller,
    reason,
    input: parseJson(row.input),
    plan: parseJson(row.plan),
    request_id,
    created_at: toTime(created),
    expires_at: toTime(expires),
    decided_by,
    decided_at: decided === null ? null : toTime(decided),
    note,
    repeatable: row.repeatable === 1,
    used_by,
  }
}

function statusAt({ status, expires }: Row, now: number): ApprovalStatus {
  const isOver = expires <= now && (status === 'waiting' || status === 'approved')
  return isOver ? 'expired' : status
}

function toTime(epoch: number): string {
  return new Date(epoch).toISOString()
}
