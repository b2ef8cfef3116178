import type { CallContext, RouteCall } from '../model/adapter.ts'
import type { Expression } from '../model/expression.ts'
import { createFailure } from '../model/failure.ts'
import type { Reply } from '../model/reply.ts'

/** What both GitHub's APIs, and most others, give at most on one page. */
const PAGE_SIZE = 100
/** A longer list is an error: half a list that passes for the whole is worse than none. */
const MOST_PAGES = 30

type Scope = Readonly<Record<string, unknown>>

export interface AllPages {
  /** Where a page's items are; sees body. */
  readonly items: Expression
  /** The cursor of the next page or null; sees body and headers. Null for numbered pages. */
  readonly next: Expression | null
}

/** One page as the request sees it. */
interface Page {
  readonly number: number
  readonly size: number
  readonly after: unknown
}

/** Makes one call out of as many as the list has pages; its `body` is the list of all items. */
export function readingAll(call: RouteCall, pages: AllPages): RouteCall {
  return {
    unavailable: () => call.unavailable(),
    call: (scope, context) => readAll(call, pages, scope, context),
  }
}

async function readAll(
  call: RouteCall,
  pages: AllPages,
  scope: Scope,
  asked: CallContext,
): Promise<Reply> {
  // The tag of one page says nothing of the list.
  const { etag: _, ...context } = asked
  const all: unknown[] = []
  let requests = 0
  let page: Page = { number: 1, size: PAGE_SIZE, after: null }
  for (;;) {
    const reply = await call.call({ ...scope, page }, context)
    requests += reply.exchange.upstreamRequests
    const exchange = { ...reply.exchange, upstreamRequests: requests }
    if (!reply.ok) return { ...reply, exchange }
    const { etag: __, ...headers } = reply.headers
    const items = pages.items({ body: reply.body })
    if (!Array.isArray(items)) {
      return { ok: false, failure: unreadable('something that is no list'), exchange }
    }
    all.push(...items)
    const cursor = pages.next?.({ body: reply.body, headers }) ?? null
    const hasNext = pages.next ? cursor !== null : followsPage(items, headers.link)
    if (!hasNext) return { ...reply, headers, body: all, exchange }
    if (cursor === page.after && pages.next) {
      return { ok: false, failure: unreadable('the same page again'), exchange }
    }
    if (page.number === MOST_PAGES) return { ok: false, failure: tooLong(all.length), exchange }
    page = { ...page, number: page.number + 1, after: cursor }
  }
}

/** A full page may be the last one; the Link header (RFC 8288) knows without another request. */
function followsPage(items: readonly unknown[], link: string | undefined): boolean {
  return link === undefined ? items.length >= PAGE_SIZE : /rel="?next"?/.test(link)
}

function unreadable(what: string) {
  return createFailure('OUTPUT_INVALID', `The upstream answered with ${what}.`, {
    writeOutcome: 'applied',
  })
}

function tooLong(count: number) {
  return createFailure(
    'TOO_LARGE',
    `The upstream has more than ${count} of these; this capability needs all of them at once.`,
    { fallback: false },
  )
}
