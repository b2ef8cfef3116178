import { replaceAt, valueAt } from '../lib/value-path.ts'
import type { Card } from '../model/card.ts'
import { decodeCursor } from '../model/cursor.ts'
import type { Outcome } from '../model/outcome.ts'
import type { Route } from '../model/route.ts'
import type { PageStart } from '../model/subject.ts'

type Input = Readonly<Record<string, unknown>>

/** The input of a list call as its route sees it. */
export interface Resumed {
  readonly input: Input
  /** The route that made the cursor and must continue; null for a first page. */
  readonly cursorRoute: Route | null
  /** Null when the card has no pages. */
  readonly page: PageStart | null
}

/**
 * Unwraps a list cursor, so that expressions see the route's own. If the cursor skips items, asks the upstream
 * for that many more, so that the page still has as many as the caller wants.
 * @throws {GatewayError} VALIDATION when it is not a cursor of this gateway.
 */
export function resumePage(card: Card, input: Input): Resumed {
  if (!card.page) return { input, cursorRoute: null, page: null }
  const { cursor: name, size } = card.page
  const given = input[name]
  if (typeof given !== 'string') {
    return { input, cursorRoute: null, page: { value: null, skip: 0 } }
  }
  const { route, value, skip } = decodeCursor(given, name)
  const { [name]: _, ...rest } = input
  const wanted = input[size]
  return {
    input: {
      ...rest,
      ...(value === null ? {} : { [name]: value }),
      ...(typeof wanted === 'number' ? { [size]: Math.min(wanted + skip, largestPage(card)) } : {}),
    },
    cursorRoute: route,
    page: { value, skip },
  }
}

/** Drops the items that the caller received with the page before. */
export function dropSkipped<T extends Outcome>(
  { list }: Card,
  page: PageStart | null,
  outcome: T,
): T {
  if (!outcome.ok || !list || !page || page.skip === 0) return outcome
  const items = valueAt(outcome.data, list.path)
  if (!Array.isArray(items)) return outcome
  return { ...outcome, data: replaceAt(outcome.data, list.path, items.slice(page.skip)) }
}

/** A page that a budget cut was at most this long, so a page of this size still holds what was cut. */
function largestPage({ page, input }: Card): number {
  const properties = input.properties as Readonly<Record<string, { maximum?: number }>> | undefined
  return properties?.[page?.size ?? '']?.maximum ?? Number.MAX_SAFE_INTEGER
}
