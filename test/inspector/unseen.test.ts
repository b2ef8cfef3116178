import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { RequestRecord } from '../../src/journal/journal.ts'
import { FAILED, recordOf, SUCCESS } from '../journal/records.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { chromium } from '../support/parts.ts'
import { goTo, launchBrowser, type TestBrowser } from './browser.ts'

/** A browser is slow on a busy machine. */
vi.setConfig({ testTimeout: 180_000 })

/** Turns the order of a text, has no width, is a tag, and clears a terminal. */
const ODD = 'a\u202eb\u200bc\u{e0041}d\u001b[2Je'
const MARKED = String.raw`a\u202eb\u200bc\udb40\udc41d\u001b[2Je`
const UNSEEN = /(?![\n\t\r])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u
const ID = '01KB7Z5M3Q8V4T6W2X9Y0ABCDE'
const PLAN = {
  capability_id: ODD,
  candidates: [],
  skipped: [
    {
      route: 'cli',
      code: 'ADAPTER_UNSUPPORTED',
      reason: 'CLI_NOT_AVAILABLE',
      message: ODD,
      fix: ODD,
      retry_after_ms: null,
    },
  ],
} as const

/** Every text of the record that somebody else may have chosen is odd. */
function oddRecord(): RequestRecord {
  const record = recordOf({
    request_id: ID,
    caller: ODD,
    capability_id: ODD,
    upstream: ODD,
    correlationId: ODD,
    place: { batch_id: ODD, batch_step: ODD },
    plan: PLAN as never,
    input: { [ODD]: ODD },
    data: { [ODD]: [ODD] },
    options: { fields: ODD, profile: ODD },
    attempts: [
      { ...FAILED, message: ODD, upstream_request_id: ODD, capability_id: ODD, purpose: 'verify' },
      SUCCESS,
    ],
    error: { message: ODD, details: { [ODD]: ODD, decided_by: ODD } },
  })
  const { envelope } = record
  const warnings = [{ code: 'STALE_ANSWER', message: ODD }]
  return { ...record, envelope: { ...envelope, meta: { ...envelope.meta, warnings } } as never }
}

describe.skipIf(!chromium.available)('characters that nobody sees, in Chromium', () => {
  let gateway: TestGateway
  let browser: TestBrowser
  let page: Page
  beforeAll(async () => {
    gateway = await startTestGateway({ settings: { journal_payloads: 'redacted' } })
    await gateway.engine.journal.append(oddRecord())
    browser = await launchBrowser()
    page = await browser.open(`${gateway.url}/inspector`)
  })
  afterAll(async () => {
    await browser[Symbol.asyncDispose]()
    await gateway[Symbol.asyncDispose]()
  })

  const caller = `caller=${encodeURIComponent(ODD)}`
  test.each([
    ['the list', '', '.requests tr.request'],
    ['a filtered list', `?${caller}&capability=${encodeURIComponent(ODD)}`, '.chips'],
    ['a list that ignores a filter', `?colour=${encodeURIComponent(ODD)}`, '.wrong-filters'],
    ['a request', `/requests/${ID}`, 'article.request'],
    ['a comparison', `/compare?a=${ID}&b=${ID}`, '.differences'],
    ['the overview', '/overview', '.worst tbody tr'],
    ['a capability', `/capabilities/${encodeURIComponent(ODD)}`, '.capability-stats'],
    ['an upstream', `/upstreams/${encodeURIComponent(ODD)}`, 'h1'],
    ['an unknown upstream', `/upstreams/x${encodeURIComponent(ODD)}`, '[role=alert]'],
    ['an unknown capability', `/capabilities/x${encodeURIComponent(ODD)}`, '[role=alert]'],
  ])('are marked on the page of %s', async (_what, path, awaited) => {
    await goTo(page, path)
    await page.locator(awaited).first().waitFor()
    for (const details of await page.locator('main details').all())
      await details.evaluate(one => one.setAttribute('open', ''))
    await page.waitForTimeout(200)
    const texts = await textsOf(page)
    expect(texts.filter(text => UNSEEN.test(text))).toEqual([])
    expect(texts.some(text => text.includes(MARKED) || text.includes('\\u202e'))).toBe(true)
  })

  test.each(['Copy as curl', 'Copy as client code', 'Copy explain call as curl', 'Copy JSON'])(
    'are escaped in what "%s" copies',
    async name => {
      await goTo(page, `/requests/${ID}`)
      await page.locator('article.request').waitFor()
      await page.locator('details.raw').evaluate(one => one.setAttribute('open', ''))
      await page.evaluate(
        'navigator.clipboard.writeText = async text => void (globalThis.copied = text)',
      )
      await page.getByRole('button', { name, exact: true }).click()
      await expect.poll(() => page.evaluate('globalThis.copied')).toContain(String.raw`\u202e`)
      expect(await page.evaluate('globalThis.copied')).not.toMatch(UNSEEN)
    },
  )

  test.each(['jsonl', 'csv'])('are escaped in the export as %s', async format => {
    for (const list of ['requests', 'attempts']) {
      const url = `${gateway.url}/v1/${list}/export?format=${format}`
      const text = await (await fetch(url)).text()
      expect(text).toContain(String.raw`\u202e`)
      expect(text).not.toMatch(UNSEEN)
      if (format === 'jsonl') {
        const [row] = text.trim().split('\n')
        expect(JSON.parse(row ?? '').caller).toBe(ODD)
      }
    }
  })
})

/** Texts, titles and labels, which a person or a screen reader gets. */
function textsOf(page: Page): Promise<string[]> {
  return page.evaluate(`(() => {
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const texts = [document.title]
    while (walk.nextNode()) texts.push(walk.currentNode.textContent)
    for (const one of document.querySelectorAll('[title], [aria-label]'))
      texts.push(one.getAttribute('title') ?? '', one.getAttribute('aria-label') ?? '')
    return texts
  })()`) as Promise<string[]>
}
