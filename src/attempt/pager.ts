import { isTruthy } from '../expressions/truth.ts'
import type { Card, CardRoute, Pages } from '../model/card.ts'
import type { Failure } from '../model/failure.ts'
import { createFailure } from '../model/failure.ts'
import type { Exchange, GoodReply, Reply } from '../model/reply.ts'
import { NO_EXCHANGE } from '../model/reply.ts'
import {
  byCursor,
  byNumber,
  ofWhole,
  type RawItem,
  type RawPage,
  type RawPages,
} from './raw-pages.ts'

/** Upper bound of pages read in one attempt: a filter may drop nearly every item. */
const MOST_PAGES = 10
const DEFAULT_SIZE = 100

type Scope = Readonly<Record<string, unknown>>
/** Makes one request with this scope. */
type Call = (scope: Scope) => PromiseLike<Reply>

/** A page of items with the raw reply that held the last of them. */
export interface PagedReply {
  readonly reply: Reply
  readonly items: readonly unknown[]
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }
  readonly scan: Scan
}

/** How much of the upstream's list one page covers. The counts of all pages add up to the whole list. */
export interface Scan {
  readonly pages: number
  /** Raw items from the beginning of the page to its end, including those the filter dropped. */
  readonly items: number
  /** True when the attempt read as many pages as it may, and more are left. */
  readonly truncated: boolean
}

/**
 * Builds one exact page out of the upstream's pages. A cursor marks one raw item, so the list continues where it
 * stopped even when the caller changes the page size, and items that the card's filter drops never make a page
 * short.
 */
export async function callPaged(
  card: Card,
  route: CardRoute,
  scope: Scope,
  call: Call,
): Promise<PagedReply> {
  const { cursor = '', size = '' } = card.page ?? {}
  const input = scope.input as Scope
  const wanted = Number(input[size] ?? DEFAULT_SIZE)
  if (!route.pages) throw new Error(`${card.id} has no pages by ${route.route}`)
  const pages = pagesFor(route.pages, input)
  const raw = rawPages(pages, input[cursor], wanted)
  if (raw === null) return ended(refused(cursor))
  const collected = new Collected(wanted, pages.keep !== null, item => passes(item, pages, input))
  return await readPages(raw, collected, page => call({ ...scope, page }))
}

function pagesFor(pages: Pages, input: Scope): Pages {
  const { keepWhen } = pages
  return keepWhen && !isTruthy(keepWhen({ input })) ? { ...pages, keep: null } : pages
}

/** Reads pages until enough items are collected, the list ends, or a request fails. */
async function readPages(raw: RawPages, collected: Collected, call: Call): Promise<PagedReply> {
  for (let round = 0; round < MOST_PAGES && !collected.isComplete; round++) {
    const reply = await call(raw.request())
    collected.requests += reply.exchange.upstreamRequests
    if (!reply.ok) return ended(collected.counted(reply))
    const page = raw.read(reply)
    if (!page) return ended(collected.counted(noList(reply)))
    collected.add(reply, page)
  }
  return collected.result()
}

function rawPages(
  { items, keep, after, whole, largest, linksNext }: Pages,
  cursor: unknown,
  wanted: number,
): RawPages | null {
  if (whole) return ofWhole(items, cursor)
  if (after) return byCursor({ items, ...after }, cursor, keep ? wanted + 1 : wanted)
  return byNumber({ items, largest, linksNext }, cursor, keep ? null : wanted)
}

/** The filter's scope: the members of the raw item, and `input`. */
function passes({ item }: RawItem, { keep }: Pages, input: Scope): boolean {
  return !keep || isTruthy(keep({ ...(item as Scope), input }))
}

/** Gathers the items that pass the filter, and knows when there are enough. */
class Collected {
  readonly #wanted: number
  readonly #isFiltered: boolean
  readonly #passes: (item: RawItem) => boolean
  readonly #items: (RawItem & { readonly seen: number })[] = []
  #last: { readonly reply: GoodReply; readonly isLast: boolean } | null = null
  #end: string | null = null
  #seen = 0
  #pages = 0
  requests = 0

  constructor(wanted: number, isFiltered: boolean, passes: (item: RawItem) => boolean) {
    this.#wanted = wanted
    this.#isFiltered = isFiltered
    this.#passes = passes
  }

  add(reply: GoodReply, page: RawPage): void {
    for (const item of page.items) {
      this.#seen += 1
      this.#end = item.end
      if (this.#passes(item)) this.#items.push({ ...item, seen: this.#seen })
    }
    this.#pages += 1
    this.#last = { reply, isLast: page.isLast }
  }

  /** With a filter, only one item more than wanted proves that there is a next page. */
  get isComplete(): boolean {
    const enough = this.#isFiltered ? this.#wanted + 1 : this.#wanted
    return (this.#last?.isLast ?? false) || this.#items.length >= enough
  }

  counted(reply: Reply): Reply {
    const exchange: Exchange = { ...reply.exchange, upstreamRequests: this.requests }
    return { ...reply, exchange }
  }

  result(): PagedReply {
    if (!this.#last) throw new Error('a paged call reads at least one page')
    const items = this.#items.slice(0, this.#wanted)
    const more = this.#items.length > this.#wanted
    const hasNextPage = more || !this.#last.isLast
    const { end, seen } = (more && items.at(-1)) || { end: this.#end, seen: this.#seen }
    return {
      reply: this.counted(this.#last.reply),
      items: items.map(({ item }) => item),
      pageInfo: { hasNextPage, endCursor: hasNextPage ? end : null },
      scan: { pages: this.#pages, items: seen, truncated: !this.isComplete },
    }
  }
}

function ended(reply: Reply): PagedReply {
  return {
    reply,
    items: [],
    pageInfo: { hasNextPage: false, endCursor: null },
    scan: { pages: 0, items: 0, truncated: false },
  }
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
  'The upstream answered with something that is not a list.',
  { writeOutcome: 'applied' },
)

function noList(reply: GoodReply): Reply {
  return { ok: false, failure: NO_LIST, exchange: reply.exchange }
}
