import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  FAILED,
  GRAPHQL,
  type RecordOptions,
  recordOf,
  SKIPPED,
  SUCCESS,
  VERIFYING,
} from '../journal/records.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { chromium } from '../support/parts.ts'
import { goTo, launchBrowser, type TestBrowser } from './browser.ts'

/** A browser is slow on a busy machine. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const MINUTE = 60_000
/** The middle of a minute, so that no request changes its bar while the tests run. */
const minutesAgo = (minutes: number) =>
  Math.floor(Date.now() / MINUTE) * MINUTE - minutes * MINUTE + MINUTE / 2

const LOST = { route: 'rest', status: 'error', error_code: 'NETWORK', duration_ms: 31 } as const

/** Each kind of thing that the pages count, some more than once. */
const KINDS: readonly RecordOptions[] = [
  {},
  {},
  { capability_id: 'issue.list', attempts: [{ ...SUCCESS, duration_ms: 900 }], ms: 950 },
  { capability_id: 'issue.list', attempts: [FAILED, GRAPHQL], reason: 'CARD_FALLBACK' },
  { capability_id: 'issue.list', attempts: [FAILED, GRAPHQL], reason: 'CARD_FALLBACK', ms: 80 },
  { capability_id: 'issue.list', attempts: [SKIPPED, GRAPHQL], reason: 'CARD_FALLBACK' },
  { capability_id: 'issue.list', attempts: [FAILED], error: {}, reason: 'ROUTE_FAILED' },
  {
    capability_id: 'issue.list',
    attempts: [
      { ...FAILED, next: 'retry_same' },
      { ...SUCCESS, retry: 1 },
    ],
  },
  {
    capability_id: 'issue.create',
    effect: 'write',
    attempts: [{ ...LOST, next: 'verify' }, VERIFYING, { ...VERIFYING, route: 'graphql' }],
    reason: 'RECOVERED',
  },
  {
    capability_id: 'issue.create',
    effect: 'write',
    attempts: [
      { ...LOST, next: 'verify' },
      { ...FAILED, purpose: 'verify', capability_id: 'issue.list', next: 'next_route' },
    ],
    error: { code: 'NETWORK', write_outcome: 'unknown' },
  },
  { attempts: [], error: { code: 'VALIDATION' }, reason: 'INPUT_VALIDATION' },
  ...[1, 2].map(() => ({
    capability_id: null,
    upstream: null,
    effect: null,
    attempts: [],
    error: { code: 'AUTH' } as const,
    reason: 'KEY_FORBIDDEN' as const,
    http_status: 401,
  })),
]

/** Numbers that no link holds, but for zeros and for shares; `was` compares with the time before. */
const LOOSE_NUMBERS = `
  [...document.querySelectorAll('main .outcomes, main .breakdown, main table.stats')].flatMap(part => {
    const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT)
    const found = []
    while (walker.nextNode()) {
      const { parentElement: at, data } = walker.currentNode
      const text = data.trim()
      if (!/\\d/.test(text) || at.closest('a, svg, code, summary, thead, .bar, .name')) continue
      if (/^0( ms)?$/.test(text) || /^[\\d.,]+\\s%$/.test(text) || at.closest('small')?.textContent.startsWith('was')) continue
      found.push(at.closest('td, li').className + ' ' + text)
    }
    return found
  })`

const LINKS = "[...document.querySelectorAll('a.count')].map(a => [a.textContent.trim(), a.href])"

describe.skipIf(!chromium.available)('in Chromium', () => {
  let gateway: TestGateway
  let browser: TestBrowser
  let page: Page

  beforeAll(async () => {
    gateway = await startTestGateway()
    await Promise.all(
      KINDS.map((kind, n) =>
        gateway.engine.journal.append(recordOf({ time: minutesAgo(2 + (n % 5)), ...kind })),
      ),
    )
    browser = await launchBrowser()
    page = await browser.open(`${gateway.url}/inspector/overview`)
  })
  afterAll(async () => {
    await browser[Symbol.asyncDispose]()
    await gateway[Symbol.asyncDispose]()
  })

  async function rowsBehind(address: string) {
    const { pathname, search, searchParams } = new URL(address)
    const list = pathname === '/inspector/attempts' ? 'attempts' : 'requests'
    const { body } = await gateway.get(`/v1/${list}${search}&limit=200`)
    const rows: { duration_ms: number }[] | undefined = body.data?.items
    return { rows: rows ?? body.error.message, least: Number(searchParams.get('min_duration_ms')) }
  }

  test.each([
    ['/overview', 30, ['(none)', 'moved_on']],
    ['/capabilities/issue.list', 30, ['moved_on', 'verify']],
    ['/capabilities/issue.create', 15, ['attempts']],
    ['/upstreams/github', 30, ['moved_on']],
  ])(
    'each number of %s leads to as many rows, and each duration to those that took as long',
    async (path, least, kinds) => {
      await goTo(page, path)
      await page.locator('.worst tbody tr, .capability-stats tbody tr').first().waitFor()
      const links = (await page.evaluate(LINKS)) as [text: string, address: string][]
      expect(links.length).toBeGreaterThan(least)
      for (const kind of kinds)
        expect(links.map(([, address]) => decodeURIComponent(address)).join()).toContain(kind)
      for (const [text, address] of links) {
        const { rows, least: ms } = await rowsBehind(address)
        const isDuration = !/^[\d,]+$/.test(text)
        const expected = isDuration ? expect.any(Array) : { length: Number(text.replace(',', '')) }
        expect({ address, rows }).toMatchObject({ address, rows: expected })
        if (isDuration) {
          expect([address, rows.length > 0]).toEqual([address, true])
          for (const row of rows) expect(row.duration_ms).toBeGreaterThanOrEqual(ms)
        }
      }
      expect(await page.evaluate(LOOSE_NUMBERS)).toEqual([])
    },
  )

  test('a number of attempts opens their list', async () => {
    await goTo(page, '/capabilities/issue.list')
    const fallbacks = page.locator('.capability-stats a[href*=moved_on]').first()
    const count = Number(await fallbacks.textContent())
    await fallbacks.click()
    await page.getByRole('heading', { name: 'Attempts' }).waitFor()
    await expect.poll(() => page.locator('.requests tbody tr.request').count()).toBe(count)
    await page.getByText('fall back to the next route').first().waitFor()
    expect(browser.complaints).toEqual([])
  })
})
