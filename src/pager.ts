import type { Card, CardRoute } from './cards/card.ts'
import { createFailure, NO_EXCHANGE } from './failure.ts'
import type { Exchange, Failure, Reply } from './outcome.ts'

/** The upstream's largest page, asked for when a page of the caller's size would not line up. */
const FULL_PAGE = 100
/** Pages read for one attempt at most: a filter may leave out nearly everything. */
const MOST_PAGES = 10

type Scope = Readonly<Record<string, unknown>>
/** Makes one request with this scope. */
type Call = (scope: Scope) => Promise<Reply>
type GoodReply = Extract<Reply, { ok: true }>

/** A page of items, and the raw reply they came with. */
export interface PagedReply {
  readonly reply: Reply
  readonly items: readonly unknown[]
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }
}

/** One of the upstream's pages. `offset` counts the raw items before its first one that is of interest. */
interface RawPage {
  readonly reply: GoodReply
  readonly items: readonly unknown[]
  readonly offset: number
  readonly isLast: boolean
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
  call: Call,
): Promise<PagedReply> {
  const { cursor = '', size = '' } = card.page ?? {}
  const input = scope.input as Scope
  const wanted = Number(input[size] ?? FULL_PAGE)
  const start = parseOffset(input[cursor])
  if (start === null) return ended(refused(cursor))
  const collected = new Collected(route, wanted)
  for (let page = 0, offset = start; page < MOST_PAGES; page++) {
    const raw = await readPage(route, scope, offset, pageSize(route, start, wanted), call)
    collected.requests += raw.reply.exchange.upstreamRequests
    if (!isRawPage(raw)) return ended(collected.counted(raw.reply))
    collected.add(raw)
    if (collected.isComplete) break
    offset = collected.offset
  }
  return collected.result()
}

/** Without a filter, pages of the caller's size line up; with one, there is always a look ahead. */
function pageSize(route: CardRoute, start: number, wanted: number): number {
  return !route.pages?.keep && start % wanted === 0 ? wanted : FULL_PAGE
}

async function readPage(
  route: CardRoute,
  scope: Scope,
  offset: number,
  size: number,
  call: Call,
): Promise<RawPage | { reply: Reply }> {
  const number = Math.floor(offset / size) + 1
  const reply = await call({ ...scope, page: { number, size } })
  if (!reply.ok) return { reply }
  const items = route.pages?.items({ body: reply.body })
  if (!Array.isArray(items)) return { reply: { ...reply, ok: false, failure: NO_LIST } }
  const isLast = items.length < size || saysLast(reply.headers.link)
  return { reply, items: items.slice(offset % size), offset, isLast }
}

function isRawPage(page: RawPage | { reply: Reply }): page is RawPage {
  return page.reply.ok
}

/** A full page may be the last one; the Link header (RFC 8288) knows without another request. */
function saysLast(link: string | undefined): boolean {
  return link !== undefined && !/rel="?next"?/.test(link)
}

/** Gathers the items that pass the filter, and knows when there are enough. */
class Collected {
  readonly #route: CardRoute
  readonly #wanted: number
  readonly #items: { readonly item: unknown; readonly end: number }[] = []
  #last: RawPage | null = null
  offset = 0
  requests = 0

  constructor(route: CardRoute, wanted: number) {
    this.#route = route
    this.#wanted = wanted
  }

  add(page: RawPage): void {
    const keep = this.#route.pages?.keep
    page.items.forEach((item, index) => {
      if (!keep || keep(item as Scope)) this.#items.push({ item, end: page.offset + index + 1 })
    })
    this.offset = page.offset + page.items.length
    this.#last = page
  }

  /** With a filter, one item more than wanted is needed to know that there is a next page. */
  get isComplete(): boolean {
    const enough = this.#route.pages?.keep ? this.#wanted + 1 : this.#wanted
    return (this.#last?.isLast ?? false) || this.#items.length >= enough
  }

  counted(reply: Reply): Reply {
    const exchange: Exchange = { ...reply.exchange, upstreamRequests: this.requests }
    return { ...reply, exchange }
  }

  result(): PagedReply {
    if (!this.#last) throw new Error('a paged call reads at least one page')
    const items = this.#items.slice(0, this.#wanted)
    const hasNextPage = this.#items.length > this.#wanted || !this.#last.isLast
    const end = this.#items.length > this.#wanted ? items.at(-1)?.end : this.offset
    return {
      reply: this.counted(this.#last.reply),
      items: items.map(({ item }) => item),
      pageInfo: { hasNextPage, endCursor: hasNextPage ? String(end) : null },
    }
  }
}

function parseOffset(cursor: unknown): number | null {
  if (cursor === undefined || cursor === null) return 0
  const offset = Number(cursor)
  return Number.isSafeInteger(offset) && offset >= 0 ? offset : null
}

function ended(reply: Reply): PagedReply {
  return { reply, items: [], pageInfo: { hasNextPage: false, endCursor: null } }
}

function refused(field: string): Reply {
  const details = { fields: [{ path: field, message: 'is not a cursor of this list' }] }
  const message = `"${field}" is not a cursor of this list. Leave it out to start over.`
  return {
    ok: false,
    failure: createFailure('VALIDATION', message, { details }),
    exchange: NO_EXCHANGE,
  }
}

const NO_LIST: Failure = createFailure(
  'OUTPUT_INVALID',
  'The upstream answered with something that is no list.',
  { fallback: true, writeOutcome: 'applied' },
)
