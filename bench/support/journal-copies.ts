/**
 * SQL that copies a block of a journal's rows to later times, in either database: a large journal in minutes. The copies
 * come after the block in each order, as real rows would.
 */

/** Tables with a row or more for each request. Counters for statistics grow with time, not with requests. */
export const TABLES = ['requests', 'request_details', 'attempts'] as const

export interface Copy {
  /** The number of the copy, from 1. */
  readonly n: number
  /** The time that a block spans. */
  readonly ms: number
  /** The block has the keys below. */
  readonly below: number
}

const KEYS_PER_MS = 1000
const PREFIX = 6

export function copySql(table: string, columns: readonly string[], { n, ms, below }: Copy): string {
  const changed: Readonly<Record<string, string>> = {
    key: `key + ${n * ms * KEYS_PER_MS}`,
    time: `time + ${n * ms}`,
    request_id: `'${String(n).padStart(PREFIX, '0')}' || substr(request_id, ${PREFIX + 1})`,
  }
  const values = columns.map(name => changed[name] ?? name)
  return `INSERT INTO ${table} (${columns.join(', ')}) SELECT ${values.join(', ')} FROM ${table} WHERE key < ${below}`
}
