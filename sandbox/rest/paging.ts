import { type Answer, numberIn, type RestCall } from './call.ts'

const DEFAULT_PAGE = 30
const MAX_PAGE = 100

/** One page of a list, with GitHub's `Link` header when there are others. */
export function paged<Item>(
  call: RestCall,
  items: readonly Item[],
  serialize: (item: Item) => unknown,
): Answer {
  const { page, perPage } = pageOf(call)
  const slice = items.slice((page - 1) * perPage, page * perPage)
  return { status: 200, body: slice.map(serialize), headers: linkHeader(call, items.length) }
}

/** One page of a list that stands in an object, beside the count of all. */
export function pagedIn<Item>(
  call: RestCall,
  member: string,
  items: readonly Item[],
  serialize: (item: Item) => unknown,
): Answer {
  const { body, ...answer } = paged(call, items, serialize)
  return { ...answer, body: { total_count: items.length, [member]: body } }
}

export function pageOf({ query }: RestCall): { page: number; perPage: number } {
  return {
    page: numberIn(query.page) || 1,
    perPage: Math.min(numberIn(query.per_page) || DEFAULT_PAGE, MAX_PAGE),
  }
}

/** Built from the caller's own scheme and host, so that following it works whichever way it came. */
export function linkHeader(call: RestCall, total: number): Record<string, string> {
  const { page, perPage } = pageOf(call)
  const last = Math.max(1, Math.ceil(total / perPage))
  const links = [
    ...(page > 1 ? [['prev', Math.min(page - 1, last)] as const] : []),
    ...(page < last ? [['next', page + 1] as const, ['last', last] as const] : []),
    ...(page > 1 ? [['first', 1] as const] : []),
  ]
  if (links.length === 0) return {}
  return {
    link: links.map(([rel, target]) => `<${urlOfPage(call, target)}>; rel="${rel}"`).join(', '),
  }
}

function urlOfPage({ origin, path, query }: RestCall, page: number): string {
  const url = new URL(path, origin)
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, value)
  }
  url.searchParams.set('page', String(page))
  return url.href
}
