import type { Card } from './card.ts'

/** What a call was about; needed to tell its answer, and never stored with it. */
export interface Subject {
  /** Null when the request never reached a capability. */
  readonly card: Card | null
  /** As the caller gave it, with defaults; null when it did not pass the check. */
  readonly input: Readonly<Record<string, unknown>> | null
  /** Epoch milliseconds at which the request began. */
  readonly time: number
  /** Where the page that was read began; null when no page was. */
  readonly page: PageStart | null
}

/** A place in a list: so many items after where one of the route's own pages begins. */
export interface PageStart {
  /** The route's own cursor; null for the first page. */
  readonly value: string | null
  readonly skip: number
}
