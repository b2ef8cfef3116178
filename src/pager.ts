import type { CallContext } from './adapter.ts'
import type { Card, CardRoute } from './cards/card.ts'
import { createFailure } from './failure.ts'
import type { Exchange, Reply } from './outcome.ts'

/** The upstream's largest page, asked for when a page of the caller's size would not line up. */
const FULL_PAGE = 100
/** Pages read for one attempt at most: a filter may leave out nearly everything. */
const MOST_PAGES = 10

type Scope = Readonly<Record<string, unknown>>

/** A page of items, and the raw reply they came with. */
export interface PagedReply {
  readonly reply: Reply
  readonly items: readonly unknown[]
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }
}

/**
 * Makes an exact list out of an upstream's numbered pages. The cursor is the count of raw items read so
 * far, so a list goes on where it stopped even when the caller changes the page size, and items that
 * the card's filter leaves out never make a page short.
 */
export async function callPaged(
  card: Card,
  route: CardRoute,
  scope: Scope,
  context: CallContext,
): Promise<PagedReply> {
  const { cursor = '', size = '' } = card.page ?? {}
  const input = scope.input as Scope
  const wanted = Number(input[size] ?? FULL_PAGE)
  const start = parseOffset(input[cursor])
  if (start === null) return { reply: badCursor(cursor), items: [], pageInfo: NO_MORE }
  // A filter means looking ahead for one more item that passes it; without one, the sizes can match.
  const pageSize = !route.pages?.keep && start % wanted === 0 ? wanted : FULL_PAGE
  const kept: { item: unknown; offset: number }[] = []
  let offset = start
  let more = true
  let reply: Reply | null = null
  let exchange: Exchange | null = null
  for (let page = 0; page < MOST_PAGES && more && kept.length <= wanted; page++) {
    const number = Math.floor(offset / pageSize) + 1
    const next = await route.call.call({ ...scope, page: { number, size: pageSize } }, context)
    exchange = addExchange(exchange, next.exchange)
    if (!next.ok) return { reply: { ...next, exchange }, items: [], pageInfo: NO_MORE }
    reply = { ...next, exchange }
    const raw = rawItems(route, next.body)
    if (raw === null) return { reply: noItems(exchange), items: [], pageInfo: NO_MORE }
    const skip = offset - (number - 1) * pageSize
    raw.slice(skip).forEach((item, index) => {
      if (keeps(route, item)) kept.push({ item, offset: offset + index + 1 })
    })
    offset = (number - 1) * pageSize + raw.length
    more = raw.length === pageSize
    // A full page may be the last one; the Link header knows without another request.
    if (more && next.headers.link !== undefined) more = /rel="?next"?/.test(next.headers.link)
    if (!route.pages?.keep && kept.length >= wanted) break
  }
  if (!reply) throw new Error('a paged call makes at least one request')
  const hasNextPage = kept.length > wanted || (more && kept.length > 0)
  const items = kept.slice(0, wanted)
  const end = items.at(-1)?.offset ?? offset
  return {
    reply,
    items: items.map(({ item }) => item),
    pageInfo: { hasNextPage, endCursor: hasNextPage ? String(end) : null },
  }
}

const NO_MORE = { hasNextPage: false, endCursor: null } as const

function parseOffset(cursor: unknown): number | null {
  if (cursor === undefined || cursor === null) return 0
  const offset = Number(cursor)
  return Number.isSafeInteger(offset) && offset >= 0 ? offset : null
}

function rawItems(route: CardRoute, body: unknown): readonly unknown[] | null {
  const items = route.pages?.items({ body })
  return Array.isArray(items) ? items : null
}

function keeps(route: CardRoute, item: unknown): boolean {
  const keep = route.pages?.keep
  return !keep || Boolean(keep(item as Scope))
}

function addExchange(before: Exchange | null, now: Exchange): Exchange {
  return { ...now, upstreamRequests: (before?.upstreamRequests ?? 0) + now.upstreamRequests }
}

function badCursor(field: string): Reply {
  const failure = createFailure('VALIDATION', `"${field}" is not a cursor of this list.`, {
    details: { fields: [{ path: field, message: 'is not a cursor of this list' }] },
  })
  return { ok: false, failure, exchange: NOTHING_SENT }
}

function noItems(exchange: Exchange): Reply {
  const failure = createFailure(
    'OUTPUT_INVALID',
    'The upstream answered with something that is no list.',
    {
      fallback: true,
      writeOutcome: 'applied',
    },
  )
  return { ok: false, failure, exchange }
}

const NOTHING_SENT: Exchange = {
  upstreamStatus: null,
  upstreamRequestId: null,
  upstreamRequests: 0,
  quota: null,
}
