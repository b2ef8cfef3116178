import { createHash } from 'node:crypto'
import { canonicalJson } from '../lib/canonical.ts'
import type { AuditHead, AuditRecord } from '../model/audit.ts'

/** The hash before the first record. */
export const GENESIS: AuditHead = { seq: 0, hash: '0'.repeat(64) }

export type Unchained = Omit<AuditRecord, 'seq' | 'previous_hash' | 'hash'>

/** The next record of a chain. */
export function chain(head: AuditHead, unchained: Unchained): AuditRecord {
  const record = { ...unchained, seq: head.seq + 1, previous_hash: head.hash }
  return { ...record, hash: hashOf(record) }
}

export function hashOf(record: Omit<AuditRecord, 'hash'>): string {
  return createHash('sha256').update(canonicalJson(record)).digest('hex')
}

/** A fault of a chain. */
export interface AuditFault {
  /** The record at which it shows. */
  readonly seq: number
  readonly message: string
}

export interface Verification {
  readonly faults: readonly AuditFault[]
  readonly records: number
  /** Null when there is no record. */
  readonly first: number | null
  readonly head: AuditHead | null
}

/** The most faults that a verification lists: after a rewrite, every record is one. */
const MOST_FAULTS = 100

/**
 * Checks records one by one, in the order in which they are stored. Whoever can write to the database can also write a
 * new chain: only a head that was kept elsewhere shows that.
 */
export class ChainCheck {
  readonly #faults: AuditFault[] = []
  readonly #keptHead: AuditHead | null
  #head: AuditHead | null = null
  #first: AuditRecord | null = null
  #records = 0
  #sawKeptHead = false
  /** The end of what the retention deleted, as records of the chain say. */
  #pruned: AuditHead | null = null

  /** @param keptHead a head that was kept elsewhere; null for none */
  constructor(keptHead: AuditHead | null = null) {
    this.#keptHead = keptHead
  }

  add(record: AuditRecord): void {
    const { hash, ...rest } = record
    const { seq } = record
    this.#first ??= record
    this.#records++
    if (this.#head !== null) this.#checkLink(this.#head, record)
    if (hashOf(rest) !== hash) this.#report(seq, 'was changed: its hash is that of other content')
    if (record.action === 'audit.pruned') this.#pruned = prunedBy(record)
    if (seq === this.#keptHead?.seq) {
      this.#sawKeptHead = true
      if (hash !== this.#keptHead.hash)
        this.#report(seq, 'is not the record of the head that was kept')
    }
    this.#head = { seq, hash }
  }

  /** @param stored the head that the database keeps beside the records; null where there is none */
  end(stored: AuditHead | null): Verification {
    this.#checkStart()
    this.#checkEnd(stored)
    const first = this.#first?.seq ?? null
    return { faults: this.#faults, records: this.#records, first, head: this.#head }
  }

  #checkLink(before: AuditHead, { seq, previous_hash }: AuditRecord): void {
    if (seq !== before.seq + 1) this.#report(seq, describeGap(before.seq, seq))
    else if (previous_hash !== before.hash) {
      this.#report(seq, `does not follow record ${before.seq}: it names the hash of another`)
    }
  }

  /** The oldest records are missing unless the retention deleted them, which a later record says. */
  #checkStart(): void {
    const first = this.#first
    if (first === null) return
    const { seq, hash } = this.#pruned ?? GENESIS
    if (first.seq === seq + 1 && first.previous_hash === hash) return
    this.#report(first.seq, describeGap(seq, first.seq))
  }

  #checkEnd(stored: AuditHead | null): void {
    const last = this.#head ?? GENESIS
    if (stored !== null && (stored.seq !== last.seq || stored.hash !== last.hash)) {
      this.#report(last.seq, `is not the newest: the database names record ${stored.seq}`)
    }
    const kept = this.#keptHead
    if (kept === null || this.#sawKeptHead || kept.seq <= (this.#pruned?.seq ?? 0)) return
    this.#report(last.seq, `is the last one, and the head that was kept is record ${kept.seq}`)
  }

  #report(seq: number, what: string): void {
    if (this.#faults.length < MOST_FAULTS) {
      this.#faults.push({ seq, message: `record ${seq} ${what}` })
    }
  }
}

function describeGap(before: number, seq: number): string {
  if (seq <= before) return `stands after record ${before}`
  const [from, to] = [before + 1, seq - 1]
  return `comes first or after a gap: ${from === to ? `record ${from} is` : `records ${from} to ${to} are`} missing`
}

function prunedBy({ details }: AuditRecord): AuditHead {
  return { seq: Number(details.through), hash: String(details.hash) }
}
