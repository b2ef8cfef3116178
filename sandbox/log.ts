import type { FaultAction } from './faults.ts'

/** One request that arrived, as `GET /_sandbox/log` shows it. */
export interface LogRow {
  /** When it arrived, ISO 8601. */
  time: string
  route: 'rest' | 'graphql'
  via: 'tcp' | 'socket'
  method: string
  path: string
  /** The query string, without its question mark. */
  query: string
  /** The name of the GraphQL operation, if it has one. */
  operation: string | null
  /** Null while the answer is pending, and for ever when the connection was cut. */
  status: number | null
  /** Whether the request changed the store. */
  applied: boolean
  request_id: string
  /** As it came. */
  traceparent?: string
  /** The fault that struck it. */
  fault?: FaultAction
}

/** What reached this GitHub: the place to look when asking whether something was sent twice. */
export class RequestLog {
  readonly #rows: LogRow[] = []

  /** Adds a row that stays live: its later facts are filled in as the request goes on. */
  open(row: LogRow): LogRow {
    this.#rows.push(row)
    return row
  }

  rows(): readonly LogRow[] {
    return this.#rows
  }

  clear(): void {
    this.#rows.length = 0
  }
}
