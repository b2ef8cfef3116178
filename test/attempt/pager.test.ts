import { describe, expect, test } from 'vitest'
import { callPaged } from '../../src/attempt/pager.ts'
import { compileExpression } from '../../src/expressions/expression.ts'
import type { CardRoute } from '../../src/model/card.ts'
import { NO_EXCHANGE } from '../../src/model/reply.ts'
import { fakeCard } from '../support/cards.ts'

const card = fakeCard({ page: { cursor: 'after', size: 'first' } })

/** A route whose upstream has cursors, and whose card filters. */
const route = {
  route: 'graphql',
  pages: {
    items: compileExpression('body.edges'),
    keep: compileExpression('!(input.oddOnly && isEven)'),
    keepWhen: null,
    after: { cursor: compileExpression('cursor'), more: compileExpression('body.more') },
  },
} as unknown as CardRoute

/** An upstream with items 1 to `total`. Cursor `c7` points behind item 7. */
function upstream(total: number) {
  const sizes: number[] = []
  const call = async (scope: Readonly<Record<string, unknown>>) => {
    const { after, size } = scope.page as { after: string | null; size: number }
    sizes.push(size)
    const start = after === null ? 0 : Number(after.slice(1))
    const count = Math.min(size, total - start)
    const edges = Array.from({ length: count }, (_, index) => {
      const id = start + index + 1
      return { cursor: `c${id}`, id, isEven: id % 2 === 0 }
    })
    const body = { edges, more: start + count < total }
    const exchange = { ...NO_EXCHANGE, upstreamRequests: 1 }
    const reply = { status: 200, headers: {}, warnings: [], partialFailure: null }
    return { ok: true as const, body, ...reply, exchange }
  }
  return { sizes, call }
}

async function page(total: number, input: Record<string, unknown>) {
  const { sizes, call } = upstream(total)
  const { items, pageInfo, scan } = await callPaged(card, route, { input }, call)
  return { ids: items.map(item => (item as { id: number }).id), pageInfo, scan, sizes }
}

describe('pages with cursors of the upstream', () => {
  test('a filter does not shorten a page, and the cursor points behind its last item', async () => {
    const first = await page(230, { oddOnly: true, first: 4 })
    expect(first).toEqual({
      ids: [1, 3, 5, 7],
      pageInfo: { hasNextPage: true, endCursor: 'c7' },
      scan: { pages: 2, items: 7, truncated: false },
      sizes: [5, 100],
    })
  })

  test('all pages together are the list, and their scans add up to all raw items', async () => {
    const ids: number[] = []
    let scanned = 0
    let after: string | null = null
    do {
      const next = await page(230, { oddOnly: true, first: 30, ...(after && { after }) })
      ids.push(...next.ids)
      scanned += next.scan.items
      after = next.pageInfo.endCursor
      expect(next.pageInfo.hasNextPage).toBe(after !== null)
    } while (after !== null)
    expect(ids).toEqual(Array.from({ length: 115 }, (_, index) => 2 * index + 1))
    expect(scanned).toBe(230)
  })

  test('a page without a filter takes one request', async () => {
    const { ids, pageInfo, sizes } = await page(230, { first: 3 })
    expect({ ids, pageInfo, sizes }).toEqual({
      ids: [1, 2, 3],
      pageInfo: { hasNextPage: true, endCursor: 'c3' },
      sizes: [4],
    })
  })

  test('a list whose last items are filtered out has no next page', async () => {
    const { ids, pageInfo, scan } = await page(4, { oddOnly: true, first: 2 })
    expect({ ids, pageInfo, scan }).toEqual({
      ids: [1, 3],
      pageInfo: { hasNextPage: false, endCursor: null },
      scan: { pages: 2, items: 4, truncated: false },
    })
  })

  test('a page is short, marked as truncated, and continued if too many items are filtered out', async () => {
    const none = { ...route, pages: { ...route.pages, keep: compileExpression('`false`') } }
    const { call } = upstream(5000)
    const input = { first: 99 }
    const { items, pageInfo, scan } = await callPaged(card, none as CardRoute, { input }, call)
    expect({ items, pageInfo, scan }).toEqual({
      items: [],
      pageInfo: { hasNextPage: true, endCursor: 'c1000' },
      scan: { pages: 10, items: 1000, truncated: true },
    })
  })
})

describe('numbered pages', () => {
  test('a page that is larger than those of the upstream is made of several', async () => {
    const asked: string[] = []
    const numbered = {
      route: 'rest',
      pages: {
        items: compileExpression('body'),
        keep: null,
        keepWhen: null,
        after: null,
        largest: 50,
      },
    } as unknown as CardRoute
    const call = async (scope: Readonly<Record<string, unknown>>) => {
      const { number, size } = scope.page as { number: number; size: number }
      asked.push(`${size} of page ${number}`)
      const start = (number - 1) * size
      const body = Array.from({ length: Math.min(size, 50, 130 - start) }, (_, at) => start + at)
      const exchange = { ...NO_EXCHANGE, upstreamRequests: 1 }
      const reply = { status: 200, headers: {}, warnings: [], partialFailure: null }
      return { ok: true as const, body, ...reply, exchange }
    }
    const { items, pageInfo } = await callPaged(card, numbered, { input: { first: 80 } }, call)
    expect(items).toEqual(Array.from({ length: 80 }, (_, index) => index))
    expect(pageInfo).toEqual({ hasNextPage: true, endCursor: '80' })
    expect(asked).toEqual(['50 of page 1', '50 of page 2'])
  })
})
