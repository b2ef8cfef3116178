import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { FAILED, GRAPHQL, type RecordOptions, recordOf, SKIPPED } from '../journal/records.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { chromium } from '../support/parts.ts'
import { goTo, issuesEverywhere, launchBrowser, type TestBrowser } from './browser.ts'

const MINUTE = 60_000
/** The middle of a minute, so that no request changes its bar while the tests run. */
const minutesAgo = (minutes: number) =>
  Math.floor(Date.now() / MINUTE) * MINUTE - minutes * MINUTE + MINUTE / 2
/** A browser is slow on a busy machine. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })
const PATIENCE = { timeout: 30_000 }

const FALLBACK = { attempts: [FAILED, GRAPHQL], reason: 'CARD_FALLBACK' } as const
const FAILURE = { attempts: [FAILED], error: {}, reason: 'ROUTE_FAILED' } as const
const REFUSAL = { attempts: [], error: { code: 'VALIDATION' }, reason: 'INPUT_VALIDATION' } as const
const SKIP = { attempts: [SKIPPED, GRAPHQL], reason: 'CARD_FALLBACK' } as const

const OLD = '01KB7Z5M3Q8V4T6W2X9Y0ABCDE'

/** Twenty healthy capabilities, one that fails now and then, and one whose route over rest is broken since 12 minutes. */
const TRAFFIC: readonly RecordOptions[] = [
  ...Array.from({ length: 20 }, (_, n) => ({
    capability_id: `healthy${n}.view`,
    upstream: 'other',
    time: minutesAgo(5 + n),
  })),
  { capability_id: 'rare.view', upstream: 'other', time: minutesAgo(3), ...FAILURE },
  ...Array.from({ length: 10 }, (_, n) => ({
    capability_id: 'issue.list',
    time: minutesAgo(2 + n),
    ...(n < 7 ? FAILURE : FALLBACK),
  })),
  { capability_id: 'issue.list', time: minutesAgo(30), ...SKIP },
  { capability_id: 'issue.list', time: minutesAgo(90), request_id: OLD },
  { capability_id: 'repo.view', time: minutesAgo(40), ...REFUSAL },
]

describe.skipIf(!chromium.available)('the overview in Chromium', () => {
  let gateway: TestGateway
  let browser: TestBrowser
  let page: Page
  const at = (path: string) => `${gateway.url}/inspector${path}`

  beforeAll(async () => {
    gateway = await startTestGateway()
    await Promise.all(TRAFFIC.map(record => gateway.engine.journal.append(recordOf(record))))
    browser = await launchBrowser()
    page = await browser.open(at('/overview'))
    page.setDefaultTimeout(60_000)
    await page.locator('#capabilities').waitFor()
  })
  afterAll(async () => {
    await browser[Symbol.asyncDispose]()
    await gateway[Symbol.asyncDispose]()
  })

  const names = (table: string) =>
    texts(page.locator(`.worst:has(#${table}) tbody th`)).then(all => all.slice(0, 2))
  const requests = () => texts(page.locator('.outcomes li')).then(([all]) => all)

  test('shows what is broken first, in sight without scrolling, and a rare failure after it', async () => {
    expect(await names('capabilities')).toEqual(['issue.list', 'rare.view'])
    expect(await names('routes')).toEqual(['issue.list rest', 'rare.view rest'])
    const place = await page.locator('.worst tbody tr').first().boundingBox()
    expect((place?.y ?? Infinity) + (place?.height ?? 0)).toBeLessThan(900)
    const [broken = ''] = await texts(page.locator('.worst:has(#capabilities) tbody tr').first())
    expect(broken).toContain('63.6 %was 0 %')
  })

  test('opens the list behind a number', async () => {
    await page.locator('.worst:has(#routes) tbody tr').first().locator('.failed a').click()
    await page.waitForURL('**/inspector?*failed_on=rest*')
    await expect.poll(() => page.locator('.requests tbody tr').count(), PATIENCE).toBe(10)
    await page.goBack()
    await page.locator('#capabilities').waitFor()
  })

  test('selects a time by dragging, and the address holds it', async () => {
    expect(await requests()).toBe('33 requests')
    const bars = await page.locator('.histogram .bars').boundingBox()
    if (!bars) throw new Error('there is no histogram')
    const y = bars.y + bars.height / 2
    const x = (minute: number) => bars.x + ((60 - minute + 0.5) / 60) * bars.width
    await page.mouse.move(x(45), y)
    await page.mouse.down()
    await page.mouse.move(x(36), y, { steps: 4 })
    await page.mouse.up()
    await page.waitForURL('**/overview?*since=*until=*')
    await expect.poll(requests, PATIENCE).toBe('1 request')
    await page.reload()
    await expect.poll(() => names('capabilities'), PATIENCE).toEqual(['repo.view'])
    await page.getByRole('button', { name: 'Show the whole time' }).click()
    await expect.poll(requests, PATIENCE).toBe('33 requests')
    await page.goBack()
    await expect.poll(requests, PATIENCE).toBe('1 request')
    await page.keyboard.press('Escape')
    await expect.poll(requests, PATIENCE).toBe('33 requests')
    await page.mouse.move(x(45), y)
    await page.mouse.down()
    await page.mouse.move(x(36), y, { steps: 2 })
    await page.keyboard.press('Escape')
    await page.mouse.up()
    expect(page.url()).not.toContain('since=')
  })

  test('selects a time by keyboard, and Escape drops it', async () => {
    const start = page.getByRole('slider', { name: 'Start of the selected time' })
    await start.focus()
    for (let n = 0; n < 4; n++) await page.keyboard.press('PageUp')
    await page.waitForURL('**/overview?*since=*until=*')
    await expect.poll(requests, PATIENCE).not.toBe('33 requests')
    await start.focus()
    await page.keyboard.press('Escape')
    await expect.poll(requests, PATIENCE).toBe('33 requests')
  })

  test('searches and sorts, and the address holds both', async () => {
    const entries = Number(await page.evaluate('history.length'))
    await page.keyboard.press('/')
    await page.keyboard.type('healthy1.')
    await expect.poll(() => names('capabilities'), PATIENCE).toEqual(['healthy1.view'])
    expect(await page.evaluate('history.length')).toBe(entries + 1)
    await page.getByRole('searchbox').fill('')
    const sort = page.locator('.worst:has(#capabilities)').getByRole('button', { name: 'Requests' })
    await sort.click()
    await expect.poll(() => page.url(), PATIENCE).toContain('sort=count')
    expect(await page.locator('.worst:has(#capabilities) [aria-sort]').textContent()).toContain(
      'Requests',
    )
    await goTo(page, '/overview')
  })

  test('leads from a capability to its page, with its routes', async () => {
    await page.locator('.worst').getByRole('link', { name: 'issue.list' }).first().click()
    await page.getByRole('heading', { name: 'issue.list' }).waitFor()
    await expect.poll(() => page.locator('.capability-stats tbody tr').count(), PATIENCE).toBe(4)
    expect(await requests()).toBe('11 requests')
    expect(await texts(page.locator('.capability-stats tbody th'))).toEqual([
      'requests',
      'rest',
      'graphql',
      expect.stringMatching(/^cli/),
    ])
  })

  test('shows quotas and circuits of an upstream over time', async () => {
    const { breakers, pools } = gateway.engine.state
    for (let n = 0; n < 5; n++) breakers.report('github:rest', 'SERVER', Date.now())
    const reading = { pool: 'core', limit: 5000, remaining: 41, resetAt: Date.now() + 30 * MINUTE }
    pools.observe('github:core', 'github:default', reading, Date.now())
    await expect
      .poll(() => gateway.get('/v1/upstreams/github/history').then(({ body }) => body.data), {
        timeout: 20_000,
      })
      .toMatchObject({ quotas: [{ pool: 'github:core' }], circuits: [{ route: 'rest' }] })
    await goTo(page, '/overview')
    await page.getByText('circuit of rest open').waitFor()
    await page.getByRole('list', { name: 'Upstreams' }).getByRole('link').click()
    await page.getByRole('heading', { name: 'github', exact: true }).waitFor()
    await page.getByText('at least 41 left, last 41 of 5,000').waitFor()
    await page.getByText('not closed in 1 minute').waitFor()
    expect(await page.locator('.circuit .open').count()).toBe(1)
    const [now = ''] = await texts(page.getByRole('list', { name: 'Routes of github' }))
    expect(now).toMatch(/^rest ?breaker (half )?open/)
  })

  test.each([
    ['/overview', '.worst:has(#capabilities) th a', '/capabilities/issue.list'],
    ['/overview', '.worst:has(#routes) th a', '/capabilities/issue.list'],
    ['/overview', '.upstream-links a', '/upstreams/github'],
    ['/upstreams/github', '.worst:has(#capabilities) th a', '/capabilities/issue.list'],
    ['/upstreams/github', '.worst:has(#routes) th a', '/capabilities/issue.list'],
  ])('the selected time of %s stays on the way by %s to %s', async (path, link, to) => {
    const [since, until] = [minutesAgo(10), minutesAgo(1)].map(time => new Date(time).toISOString())
    const time = { span: '6h', since: String(since), until: String(until) }
    await goTo(page, `${path}?${new URLSearchParams({ ...time, sort: 'count' })}`)
    const href = page.locator(link, { hasText: to.split('/').at(-1) ?? '' }).first()
    await href.waitFor()
    const url = new URL((await href.getAttribute('href')) ?? '', gateway.url)
    expect(url.pathname).toBe(`/inspector${to}`)
    expect(Object.fromEntries(url.searchParams)).toEqual(time)
  })

  test.each([
    ['capability', 'article.request h1 a', '/capabilities/issue.list'],
    ['upstream', 'article.request .facts a[href*="/upstreams/"]', '/upstreams/github'],
  ])('the page of an old request leads to its %s at that time', async (_what, link, to) => {
    await goTo(page, `/requests/${OLD}`)
    const url = new URL((await page.locator(link).getAttribute('href')) ?? '', gateway.url)
    expect(url.pathname).toBe(`/inspector${to}`)
    const [since, until] = ['since', 'until'].map(name =>
      Date.parse(String(url.searchParams.get(name))),
    )
    expect(since).toBeLessThan(minutesAgo(90))
    expect(until).toBeGreaterThan(minutesAgo(90))
  })

  describe.each(['/overview', '/capabilities/issue.list', '/upstreams/github'])('%s', path => {
    beforeAll(async () => {
      await goTo(page, path)
      await page.locator('.outcomes').waitFor()
      await page.locator('.worst tbody tr, .capability-stats tbody tr').first().waitFor()
    })

    test('is accessible in light, dark and on a phone, and fits the phone screen', async () => {
      expect(await issuesEverywhere(page)).toEqual([])
    })
  })

  test.each(['/overview', '/capabilities/issue.list', '/upstreams/github'])(
    'says on %s that it ignores times that are no range, and removes them',
    async path => {
      await goTo(page, `${path}?since=yesterday`)
      const notice = page.getByRole('alert')
      await notice.waitFor()
      expect(await notice.textContent()).toContain('ignores since and until')
      await notice.getByRole('button').click()
      await page.waitForURL(`**/inspector${path}`)
      await notice.waitFor({ state: 'detached' })
      await goTo(page, '/overview')
    },
  )

  test('violates no content security policy and logs no error', () => {
    expect(browser.complaints).toEqual([])
  })
})

async function texts(locator: ReturnType<Page['locator']>): Promise<string[]> {
  const found = await locator.allTextContents()
  return found.map(text => text.replace(/\s+/g, ' ').trim())
}
