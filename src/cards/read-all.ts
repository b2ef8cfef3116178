import { linkTarget } from '../lib/link-header.ts'
import type { CallContext, RouteCall } from '../model/adapter.ts'
import { FULL_PAGE } from '../model/card.ts'
import type { Expression, ExpressionScope } from '../model/expression.ts'
import { createFailure, type Failure } from '../model/failure.ts'
import type { GoodReply, Reply } from '../model/reply.ts'

/** A longer list fails: half a list must not pass for the whole. */
const MOST_PAGES = 30

export interface AllPages {
  /** Finds the items of a page; sees body. */
  readonly items: Expression
  /** The cursor of the next page or null; sees body and headers. Null for numbered pages. */
  readonly next: Expression | null
}

/** A page as the request's expressions see it. */
interface Page {
  readonly number: number
  readonly size: number
  readonly after: unknown
}

/** Makes one call that requests every page of a list. Its `body` is the list of all items. */
export function readAllPages(call: RouteCall, pages: AllPages): RouteCall {
  return { ...call, call: (scope, context) => readAll(call, pages, scope, context) }
}

/** Sends no ETag: that of one page does not identify the list. */
async function readAll(
  call: RouteCall,
  pages: AllPages,
  scope: ExpressionScope,
  given: CallContext,
): Promise<Reply> {
  const { etag: _, ...context } = given
  const all: unknown[] = []
  let requests = 0
  let page: Page = { number: 1, size: FULL_PAGE, after: null }
  for (;;) {
    const reply = await call.call({ ...scope, page }, context)
    requests += reply.exchange.upstreamRequests
    const exchange = { ...reply.exchange, upstreamRequests: requests }
    if (!reply.ok) return { ...reply, exchange }
    const read = readPage(reply, pages, page, all.length)
    if ('failure' in read) return { ok: false, failure: read.failure, exchange }
    all.push(...read.items)
    if (!read.next) return { ...withoutEtag(reply), body: all, exchange }
    page = read.next
  }
}

function withoutEtag(reply: GoodReply): GoodReply {
  const { etag: _, ...headers } = reply.headers
  return { ...reply, headers }
}

type PageRead =
  | { readonly items: readonly unknown[]; readonly next: Page | null }
  | { readonly failure: Failure }

/** @param before how many items the earlier pages had. */
function readPage(
  { body, headers }: GoodReply,
  pages: AllPages,
  page: Page,
  before: number,
): PageRead {
  const items = pages.items({ body })
  if (!Array.isArray(items)) return { failure: unreadable('something that is not a list') }
  const after = pages.next?.({ body, headers }) ?? null
  const hasNext = pages.next ? after !== null : hasNextNumber(items, headers.link)
  if (!hasNext) return { items, next: null }
  if (pages.next && after === page.after) return { failure: unreadable('the same page again') }
  if (page.number === MOST_PAGES) return { failure: tooLong(before + items.length) }
  return { items, next: { ...page, number: page.number + 1, after } }
}

/** A full page may be the last one; the Link header says so without another request. */
function hasNextNumber(items: readonly unknown[], link: string | undefined): boolean {
  return link === undefined ? items.length >= FULL_PAGE : linkTarget(link, 'next') !== null
}

function unreadable(what: string): Failure {
  return createFailure('OUTPUT_INVALID', `The upstream answered with ${what}.`, {
    writeOutcome: 'applied',
  })
}

function tooLong(count: number): Failure {
  return createFailure(
    'TOO_LARGE',
    `The upstream has more than ${count} of these; this capability needs all of them at once.`,
    { fallback: false },
  )
}
