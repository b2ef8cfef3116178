import type { Card } from './card.ts'

/** The selected members of a value, or all of it. */
export type Selection = 'all' | Map<string, Selection>

/** The context of a call's answer: rendering needs it, but it is never stored with the answer. */
export interface Subject {
  /** Null when the request never reached a capability. */
  readonly card: Card | null
  /** The caller's input, with defaults; null when it did not pass the check. */
  readonly input: Readonly<Record<string, unknown>> | null
  /** Epoch milliseconds at which the request began. */
  readonly time: number
  /** Epoch milliseconds; the change was sent no earlier. Before `time` if another request sent it. */
  readonly sentAfter: number
  /** Start of the page in the answer; null when the call read no page. */
  readonly page: PageStart | null
  /** The members of `data` that the caller wants. */
  readonly selection: Selection
}

/** A place in a list: `skip` items after the beginning of one of the route's own pages. */
export interface PageStart {
  /** The route's own cursor; null for the first page. */
  readonly value: string | null
  readonly skip: number
}

/** For answers to requests that reached no capability, but for their time. */
export const NO_SUBJECT: Subject = {
  card: null,
  input: null,
  time: 0,
  sentAfter: 0,
  page: null,
  selection: 'all',
}
