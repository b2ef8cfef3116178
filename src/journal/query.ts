/** The reading SQL, with `?` for values. Filters, order and paging are the same for every database. */
import { decodeCursor, encodeCursor } from './cursor.ts'
import type { JournalFilter, Page, PageRequest } from './journal.ts'
import { firstKeyAt } from './keys.ts'
import { ATTEMPT_COLUMNS, REQUEST_COLUMNS } from './rows.ts'

export interface Query {
  readonly sql: string
  readonly values: readonly (string | number)[]
}

export function requestsQuery(filter: JournalFilter, page: PageRequest): Query {
  const where = new Where()
    .equal('capability_id', filter.capability)
    .equal('caller', filter.caller)
    .equal('code', filter.code)
    .equal('route_used', filter.route)
    .equal('ok', filter.ok === undefined ? undefined : Number(filter.ok))
    .between(filter)
  if (page.after !== undefined) {
    where.add('key < ?', decodeCursor('requests', page.after).key)
  }
  return where.query(
    `SELECT key, ${REQUEST_COLUMNS.join(', ')} FROM requests`,
    'key DESC',
    page.limit + 1,
  )
}

export function attemptsQuery(filter: JournalFilter, page: PageRequest): Query {
  const where = new Where()
    .equal('capability_id', filter.capability)
    .equal('caller', filter.caller)
    .equal('code', filter.code)
    .equal('route', filter.route)
    .equal('status', filter.ok === undefined ? undefined : filter.ok ? 'success' : 'error')
    .between(filter)
  if (page.after !== undefined) {
    const { key, position } = decodeCursor('attempts', page.after)
    where.add('(key, position) < (?, ?)', key, position)
  }
  const order = 'key DESC, position DESC'
  return where.query(
    `SELECT key, ${ATTEMPT_COLUMNS.join(', ')} FROM attempts`,
    order,
    page.limit + 1,
  )
}

/** Ids that callers chose can occur more than once: the newest that this caller may see counts. */
export function requestQuery(requestId: string, caller?: string): Query {
  return new Where()
    .equal('request_id', requestId)
    .equal('caller', caller)
    .query('SELECT * FROM requests JOIN request_details USING (key)', 'key DESC', 1)
}

/** A row as a list query gives it. */
interface Positioned {
  readonly key: number
  readonly position?: number
}

/** The rows asked for tell, by one that is too many, whether there is a next page. */
export function toPage<Row extends Positioned, Item>(
  rows: readonly Row[],
  limit: number,
  toItem: (row: Row) => Item,
): Page<Item> {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    items: shown.map(toItem),
    pageInfo: {
      hasNextPage: rows.length > limit,
      endCursor: last === undefined ? null : encodeCursor(last),
    },
  }
}

/** Conditions that all hold, with their values in order. */
class Where {
  readonly #conditions: string[] = []
  readonly #values: (string | number)[] = []

  add(condition: string, ...values: (string | number)[]): this {
    this.#conditions.push(condition)
    this.#values.push(...values)
    return this
  }

  equal(column: string, value: string | number | undefined): this {
    return value === undefined ? this : this.add(`${column} = ?`, value)
  }

  /** A key begins with the time, so a span of time is a range of keys. */
  between({ since, until }: JournalFilter): this {
    if (since !== undefined) this.add('key >= ?', firstKeyAt(since))
    if (until !== undefined) this.add('key < ?', firstKeyAt(until))
    return this
  }

  query(select: string, order: string, limit: number): Query {
    const where = this.#conditions.length === 0 ? '' : ` WHERE ${this.#conditions.join(' AND ')}`
    return {
      sql: `${select}${where} ORDER BY ${order} LIMIT ?`,
      values: [...this.#values, limit],
    }
  }
}
