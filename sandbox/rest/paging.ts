import { type Answer, numberIn, type RestCall } from './call.ts'

const DEFAULT_PAGE = 30
const MAX_PAGE = 100

/** One page of a list, with GitHub's `Link` header if there are more. */
export function paged<Item>(
  call: RestCall,
  items: readonly Item[],
  serialize: (item: Item) => unknown,
  maxPage = MAX_PAGE,
): Answer {
  return {
    status: 200,
    body: sliceOf(items, pageOf(call, maxPage)).map(serialize),
    headers: linkHeader(call, items.length, maxPage),
  }
}

/** One page of a list inside an object, with the total count. */
export function pagedIn<Item>(
  call: RestCall,
  member: string,
  items: readonly Item[],
  serialize: (item: Item) => unknown,
): Answer {
  const { body, ...answer } = paged(call, items, serialize)
  return { ...answer, body: { total_count: items.length, [member]: body } }
}

interface PageNumber {
  /** Counted from 1. */
  readonly page: number
  readonly perPage: number
}

export function sliceOf<Item>(items: readonly Item[], { page, perPage }: PageNumber): Item[] {
  return items.slice((page - 1) * perPage, page * perPage)
}

export function pageOf({ query }: RestCall, maxPage = MAX_PAGE): PageNumber {
  return {
    page: numberIn(query.page) || 1,
    perPage: Math.min(numberIn(query.per_page) || DEFAULT_PAGE, maxPage),
  }
}

/** Links use the caller's own scheme and host, so that the caller can follow them. */
export function linkHeader(
  call: RestCall,
  total: number,
  maxPage = MAX_PAGE,
): Record<string, string> {
  const { page, perPage } = pageOf(call, maxPage)
  const last = Math.max(1, Math.ceil(total / perPage))
  const links = [
    ...(page > 1 ? [['prev', Math.min(page - 1, last)] as const] : []),
    ...(page < last ? [['next', page + 1] as const, ['last', last] as const] : []),
    ...(page > 1 ? [['first', 1] as const] : []),
  ]
  if (links.length === 0) return {}
  return {
    link: links
      .map(([rel, target]) => `<${urlWith(call, { page: String(target) })}>; rel="${rel}"`)
      .join(', '),
  }
}

function urlWith({ origin, path, query }: RestCall, changes: Record<string, string>): string {
  const url = new URL(path, origin)
  for (const [name, value] of Object.entries({ ...query, ...changes })) {
    if (value !== undefined) url.searchParams.set(name, value)
  }
  return url.href
}

/** One page of a list whose `Link` header has a cursor, not a page number. */
export function pagedByCursor<Item extends { nodeId: string }>(
  call: RestCall,
  items: readonly Item[],
  serialize: (item: Item) => unknown,
): Answer {
  const { perPage } = pageOf(call)
  const { after } = call.query
  const start = after === undefined ? 0 : items.findIndex(item => cursorOf(item) === after) + 1
  const page = items.slice(start, start + perPage)
  const last = page.at(-1)
  const hasNext = start + perPage < items.length
  return {
    status: 200,
    body: page.map(serialize),
    headers:
      hasNext && last ? { link: `<${urlWith(call, { after: cursorOf(last) })}>; rel="next"` } : {},
  }
}

function cursorOf({ nodeId }: { nodeId: string }): string {
  return Buffer.from(`cursor:${nodeId}`).toString('base64url')
}
