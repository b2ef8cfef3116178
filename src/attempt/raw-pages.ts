import { FULL_PAGE } from '../model/card.ts'
import type { Expression } from '../model/expression.ts'
import type { GoodReply } from '../model/reply.ts'

/** One item as the upstream gave it, and the cursor that stands behind it. */
export interface RawItem {
  readonly item: unknown
  readonly end: string
}

/** One of the upstream's pages, from where the list goes on. */
export interface RawPage {
  readonly items: readonly RawItem[]
  readonly isLast: boolean
}

/** Walks through an upstream's pages: what to ask for next, and what the answer holds. */
export interface RawPages {
  /** `page` of the next request's expressions. */
  request(): Readonly<Record<string, unknown>>
  /** Null when the answer holds no list. The next request goes on behind it. */
  read(reply: GoodReply): RawPage | null
}

/**
 * Numbered pages. The cursor is the count of raw items read so far. Pages of the wanted size line up as
 * long as the list does; otherwise full ones are read, and what was had before is left out.
 * Null when the cursor is none of these.
 */
export function byNumber(
  items: Expression,
  cursor: unknown,
  wanted: number | null,
  largest: number = FULL_PAGE,
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
      const isLast = raw.length < size || saysLast(reply.headers.link)
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

/** A full page may be the last one; the Link header (RFC 8288) knows without another request. */
function saysLast(link: string | undefined): boolean {
  return link !== undefined && !/rel="?next"?/.test(link)
}

function parseOffset(cursor: unknown): number | null {
  if (cursor === undefined || cursor === null) return 0
  const offset = Number(cursor)
  return Number.isSafeInteger(offset) && offset >= 0 ? offset : null
}

/** A list that the upstream gives whole, of which callers get pages all the same. */
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

/** How a list with the upstream's own cursors is read. */
export interface CursorPages {
  readonly items: Expression
  /** The upstream's cursor behind one raw item. */
  readonly cursor: Expression
  /** Whether there is more behind the page. */
  readonly more: Expression
}

/**
 * The upstream's own cursors, one for each raw item, so that a page can end behind any of them. The
 * first request is for as many as may be enough, further ones for full pages: a filter is at work.
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
