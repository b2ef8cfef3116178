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
  /** Null while the answer is pending. It stays null when the connection is cut. */
  status: number | null
  /** Whether the request changed the store. */
  applied: boolean
  request_id: string
  /** The caller's `traceparent` header. */
  traceparent?: string
  /** The fault that was applied to this request. */
  fault?: FaultAction
}

/** All requests that arrived. It shows, for example, whether something was sent twice. */
export class RequestLog {
  readonly #rows: LogRow[] = []

  /** Adds a row. The row is updated in place while the request is processed. */
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
