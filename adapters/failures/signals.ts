import type { Headers } from '../../src/model/headers.ts'
import type { Meaning } from './vocabulary/meaning.ts'

/** The place from which a signal was read. */
export type Origin =
  | 'status line'
  | 'header'
  | 'body'
  | 'graphql error'
  | 'stdout'
  | 'stderr'
  | 'exit code'
  | 'error chain'

export interface Signal<T> {
  readonly value: T
  readonly origin: Origin
}

/** Everything that a failure says of itself, read once, in the same form from every route. */
export interface Signals {
  /** The HTTP status, also one that a program printed or a body repeats. */
  readonly status: Signal<number> | null
  readonly headers: Headers
  /** Machine codes in the service's spelling: names of errors, reasons, errno names, gRPC names, exception names. */
  readonly codes: readonly Signal<string>[]
  /** The meaning of the exit code for this program. */
  readonly exit: Meaning | null
  /** Messages in which the words that users chose are hidden. */
  readonly messages: readonly string[]
}

export function signal<T>(value: T, origin: Origin): Signal<T> {
  return { value, origin }
}
