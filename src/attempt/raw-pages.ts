import { linkTarget } from '../lib/link-header.ts'
import { FULL_PAGE, type Pages } from '../model/card.ts'
import type { Expression } from '../model/expression.ts'
import type { GoodReply, Reply } from '../model/reply.ts'

/** One item as the upstream sent it, and the cursor that points behind it. */
export interface RawItem {
  readonly item: unknown
  readonly end: string
}

/** One of the upstream's pages, without the items that an earlier page already returned. */
export interface RawPage {
  readonly items: readonly RawItem[]
  readonly isLast: boolean
}

/** Walks through an upstream's pages: builds the next request and reads its answer. */
export interface RawPages {
  /** The value of `page` in the next request's expressions. */
  request(): Readonly<Record<string, unknown>>
  /** Null when the answer holds no list. The next request continues after this page. */
  read(reply: GoodReply): RawPage | null
}

export interface NumberedPages {
  readonly items: Expression
  /** Items on the largest page. @default FULL_PAGE */
  readonly largest?: number
  /** The upstream links to the next page whenever there is one. @default false */
  readonly linksNext?: boolean
}

/**
 * Numbered pages. The cursor is the count of raw items read so far. If the wanted size divides it, read pages of
 * that size; otherwise read full pages and drop the items of earlier ones. Null when the cursor is not a count.
 */
export function byNumber(
  { items, largest = FULL_PAGE, linksNext = false }: NumberedPages,
  cursor: unknown,
  wanted: number | null,
): RawPages | null {
  const start = parseOffset(cursor)
  if (start === null) return null
  const fits = wanted !== null && wanted <= largest && start % wanted === 0
  const size = fits ? wanted : largest
  let offset = start
  return {
    request: () => ({ number: Math.floor(offset / size) + 1, size }),
    read(reply) {
      const raw = items({ body: reply.body })
      if (!Array.isArray(raw)) return null
      const isLast = raw.length < size || saysLast(reply, linksNext)
      const first = offset
      const rest = raw.slice(offset % size)
      offset += rest.length
      return {
        items: rest.map((item, index) => ({ item, end: String(first + index + 1) })),
        isLast,
      }
    },
  }
}

/**
 * A full page may be the last one; the Link header (RFC 8288) says so without another request. The headers of a kept
 * answer are old: since then a page may have come after it. Output of a program without headers says nothing.
 */
function saysLast({ status, headers }: GoodReply, linksNext: boolean): boolean {
  if (status === 304) return false
  const { link } = headers
  if (link === undefined) return linksNext && Object.keys(headers).length > 0
  return linkTarget(link, 'next') === null
}

/**
 * Takes the ETag from a full page that only its Link header shows to be the last. The body stays the same when another
 * page follows, so a service that answers 304 would hide that page.
 */
export function withoutFragileEtag(pages: Pages, scope: Scope, reply: Reply): Reply {
  const { items, after, whole, linksNext } = pages
  if (!reply.ok || reply.headers.etag === undefined || after || whole) return reply
  const raw = items({ body: reply.body })
  const { size } = scope.page as { readonly size: number }
  if (!Array.isArray(raw) || raw.length < size || !saysLast(reply, linksNext)) return reply
  const { etag: _, ...headers } = reply.headers
  return { ...reply, headers }
}

type Scope = Readonly<Record<string, unknown>>

function parseOffset(cursor: unknown): number | null {
  if (cursor === undefined || cursor === null) return 0
  const offset = Number(cursor)
  return Number.isSafeInteger(offset) && offset >= 0 ? offset : null
}

/** A list that the upstream sends whole; callers still get it in pages. */
export function ofWhole(items: Expression, cursor: unknown): RawPages | null {
  const start = parseOffset(cursor)
  if (start === null) return null
  return {
    request: () => ({}),
    read(reply) {
      const raw = items({ body: reply.body })
      if (!Array.isArray(raw)) return null
      const rest = raw.slice(start)
      return {
        items: rest.map((item, index) => ({ item, end: String(start + index + 1) })),
        isLast: true,
      }
    },
  }
}

/** How to read a list that has cursors of its own. */
export interface CursorPages {
  readonly items: Expression
  /** The upstream's cursor that points behind one raw item. */
  readonly cursor: Expression
  /** Whether more items follow the page. */
  readonly more: Expression
}

/**
 * The upstream's own cursors, one per raw item, so that a page can end behind any item. The first request asks
 * for as many items as may suffice; if a filter drops too many, further requests ask for full pages.
 */
export function byCursor(pages: CursorPages, cursor: unknown, enough: number): RawPages {
  let after = cursor ?? null
  let size = Math.min(enough, FULL_PAGE)
  return {
    request: () => ({ after, size }),
    read(reply) {
      const raw = pages.items({ body: reply.body })
      if (!Array.isArray(raw)) return null
      const items = raw.map(item => ({ item, end: String(pages.cursor(item)) }))
      after = items.at(-1)?.end ?? after
      size = FULL_PAGE
      return { items, isLast: items.length === 0 || pages.more({ body: reply.body }) !== true }
    },
  }
}
