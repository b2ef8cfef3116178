import type { Card } from '../../src/model/card.ts'
import type { Route } from '../../src/model/route.ts'
import type { ManyItems } from './case.ts'
import { differences } from './differences.ts'
import type { Place } from './place.ts'
import type { Findings } from './run-case.ts'

/** One way to page through a list: the route, the page size and the maximum number of pages. */
export interface Walk {
  readonly route: Route
  /** `even`: the largest that fills the last page too. */
  readonly size: number | 'even'
  /** @default all */
  readonly pages?: number
}

/** A run of `gh` takes as long as ten calls, so it reads the first pages of the small sizes. */
export const allWalks: readonly Walk[] = [
  ...(['rest', 'graphql'] as const).flatMap(route => [
    { route, size: 100 },
    { route, size: 'even' as const },
    { route, size: 7 },
    { route, size: 1, pages: 40 },
  ]),
  { route: 'cli', size: 100 },
  { route: 'cli', size: 'even' },
  { route: 'cli', size: 7, pages: 8 },
  { route: 'cli', size: 1, pages: 8 },
]

/** Fewer calls, and few runs of `gh`. */
export const shortWalks: readonly Walk[] = [
  ...(['rest', 'graphql'] as const).flatMap(route => [
    { route, size: 100 },
    { route, size: 'even' as const },
    { route, size: 7 },
    { route, size: 1, pages: 20 },
  ]),
  { route: 'cli', size: 100 },
  { route: 'cli', size: 1, pages: 2 },
]

interface Page {
  readonly items: readonly unknown[]
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }
}

/** Pages through a long list. All walks must return the same list, with each item once. */
export async function runPages(
  place: Place,
  card: Card,
  many: ManyItems,
  walks: readonly Walk[],
): Promise<Findings> {
  const findings: Record<string, readonly string[]> = {}
  let list: readonly unknown[] | null = null
  for (const walk of walks) {
    if (
      !place.routes.includes(walk.route) ||
      !card.routes.some(({ route }) => route === walk.route)
    ) {
      continue
    }
    const { items, faults } = await walkThrough(place, card, many, walk)
    const found: string[] = list
      ? [...faults, ...differences(list.slice(0, items.length), items)]
      : [...faults, ...countFaults(items, many.count)]
    list ??= items
    const named = found.map(fault => `${walk.size} a page: ${fault}`)
    findings[walk.route] = [...(findings[walk.route] ?? []), ...named]
  }
  return findings
}

async function walkThrough(
  place: Place,
  card: Card,
  { given, input, count }: ManyItems,
  { route, size: asked, pages = Number.POSITIVE_INFINITY }: Walk,
): Promise<{ items: unknown[]; faults: string[] }> {
  const size = asked === 'even' ? evenSize(count) : asked
  const store = place.begin(given)
  const start = typeof input === 'function' ? input(store) : input
  const names = card.page ?? { cursor: 'after', size: 'first' }
  const most = Math.min(pages, Math.ceil(count / size))
  const items: unknown[] = []
  let after: string | null = null
  for (let number = 1; number <= most; number += 1) {
    const page = {
      ...start,
      [names.size]: size,
      ...(after === null ? {} : { [names.cursor]: after }),
    }
    const { envelope } = await place.call(card.id, page, route)
    if (!envelope.ok) {
      return {
        items,
        faults: [`page ${number}: ${envelope.error.code} (${envelope.error.message})`],
      }
    }
    const found = envelope.data as Page
    items.push(...found.items)
    const fault = pageFault(found, number, Math.ceil(count / size), size)
    if (fault) return { items, faults: [fault] }
    after = found.pageInfo.endCursor
  }
  return { items, faults: [] }
}

function evenSize(count: number): number {
  let size = LARGEST
  while (count % size !== 0) size -= 1
  return size
}

const LARGEST = 100

function pageFault(
  { items, pageInfo }: Page,
  number: number,
  last: number,
  size: number,
): string | null {
  const { hasNextPage, endCursor } = pageInfo
  if (hasNextPage !== number < last)
    return `page ${number} of ${last} has hasNextPage: ${hasNextPage}`
  if (hasNextPage && endCursor === null) return `page ${number} has no cursor`
  if (hasNextPage && items.length !== size) return `page ${number} has ${items.length} items`
  return null
}

function countFaults(items: readonly unknown[], count: number): string[] {
  const different = new Set(items.map(item => JSON.stringify(item))).size
  return [
    ...(items.length === count ? [] : [`${items.length} items in all, instead of ${count}`]),
    ...(different === items.length ? [] : [`${items.length - different} items are repeated`]),
  ]
}
