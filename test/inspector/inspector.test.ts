import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { sendBatch } from '../support/batch.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { chromium } from '../support/parts.ts'
import { goTo, issuesEverywhere, launchBrowser, type TestBrowser } from './browser.ts'

const REPO = { owner: 'octo-org', name: 'hello-world' }
/** A browser is slow on a busy machine. */
vi.setConfig({ testTimeout: 180_000 })

describe.skipIf(!chromium.available)('the inspector in Chromium', () => {
  let gateway: TestGateway
  let browser: TestBrowser
  let page: Page
  const at = (path: string) => `${gateway.url}/inspector${path}`

  beforeAll(async () => {
    gateway = await startTestGateway()
    browser = await launchBrowser()
    page = await browser.open(at(''))
  })
  afterAll(async () => {
    await browser[Symbol.asyncDispose]()
    await gateway[Symbol.asyncDispose]()
  })

  async function control(what: string, body: object): Promise<void> {
    const url = `${gateway.sandbox.url}/_sandbox/${what}`
    await fetch(url, { method: 'PUT', body: JSON.stringify(body) })
  }

  const rows = (of: Page) => of.locator('.requests tbody tr')

  test('shows a command to send the first request', async () => {
    await page.getByText('No requests yet').waitFor()
    await page.getByText('Live', { exact: true }).waitFor()
    expect(await page.locator('pre').textContent()).toContain(
      `curl -s ${gateway.url}/v1/capabilities/repo.view`,
    )
  })

  test('shows a new call that fell back, with its routes', async () => {
    await control('faults', [{ on: { route: 'rest' }, do: { status: 503 }, times: 1 }])
    await gateway.call('repo.view', REPO)
    const trail = rows(page).first().locator('.trail li')
    await trail.nth(1).waitFor()
    expect(await texts(trail)).toEqual(['rest failed, SERVER', 'graphql answered'])
    expect(await texts(rows(page).first().locator('.result'))).toEqual(['OK'])
  })

  test('opens a request by keyboard and shows its attempts', async () => {
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'repo.view' }).waitFor()
    expect(page.url()).toMatch(/\/inspector\/requests\/\w+$/)
    expect(await page.locator('.story').textContent()).toMatch(
      /^rest failed with SERVER, HTTP 503\. graphql answered after [\d.]+ m?s\.$/,
    )
    const attempts = page.locator('.waterfall tbody tr')
    expect(await texts(attempts.locator('th'))).toEqual(['rest', 'graphql'])
    expect(await texts(attempts.first().locator('.result strong, .next'))).toEqual([
      'SERVER',
      '→ fall back to the next route',
    ])
    expect(await attempts.first().locator('.bar').count()).toBe(1)
    await page.keyboard.press('Escape')
    await rows(page).first().waitFor()
    // The row has the focus again, so the list waits until the user leaves it.
    await page.keyboard.press('Escape')
  })

  test('opens and closes the keyboard help by keyboard', async () => {
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard' }).waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  })

  test('shows why a route was skipped, in the attempts and in the plan', async () => {
    await control('quota', {
      token: 'sandbox-token',
      resource: 'core',
      remaining: 0,
      reset_in_s: 600,
    })
    await gateway.call('issue.list', { ...REPO, first: 2 })
    const { body } = await gateway.call('issue.list', { ...REPO, first: 3 })
    await goTo(page, `/requests/${body.meta.request_id}`)
    const skipped = page.locator('.waterfall tr.skipped').first()
    await skipped.waitFor()
    expect(await texts(skipped.locator('th, strong'))).toEqual(['rest', 'Skipped: QUOTA_EXHAUSTED'])
    const plan = await page.locator('.plan tr.skipped').first().textContent()
    expect(plan).toContain('QUOTA_EXHAUSTED')
    expect(plan).toContain('The quota github:core is used up')
    await goTo(page, '')
    await rows(page).first().waitFor()
    await page.keyboard.press('Escape')
  })

  test('filters by code, and a link to the filtered list shows the same', async () => {
    await gateway.call('repo.view', { owner: 'octo-org' })
    await page.locator('tr.failed').waitFor()
    // A sign has a shape too, for those who do not see its colour.
    const [mark, circle] = ['.mark', 'circle'].map(part => `tr.failed .lamp ${part}`)
    const isSeen = `getComputedStyle(document.querySelector('${mark}')).stroke !== getComputedStyle(document.querySelector('${circle}')).fill`
    expect(await page.evaluate(isSeen)).toBe(true)
    await page.locator('select[name=code]').selectOption('VALIDATION')
    await page.waitForURL('**/inspector?code=VALIDATION')
    await expect.poll(() => rows(page).count()).toBe(1)
    const linked = await browser.open(page.url())
    await rows(linked).first().waitFor()
    expect(await texts(rows(linked).locator('.result'))).toEqual(['VALIDATION'])
    expect(await linked.locator('select[name=code]').inputValue()).toBe('VALIDATION')
    await linked.getByRole('link', { name: 'repo.view' }).click()
    await linked.locator('.error-details').waitFor()
    expect(await linked.locator('.error-details .advice').textContent()).toContain(
      'Change the call.',
    )
    await linked.close()
    await page.getByRole('link', { name: 'Clear' }).click()
  })

  test("finds requests by the caller's own id, and a request links to the others with it", async () => {
    const headers = { 'x-request-id': 'order/4711' }
    for (const name of ['hello-world', 'no-such']) {
      await gateway.call('repo.view', { owner: 'octo-org', name }, { headers })
    }
    await page.getByText('More filters').click()
    await page.getByLabel('Correlation id').fill('order/4711')
    await page.keyboard.press('Enter')
    await expect.poll(() => rows(page).count()).toBe(2)
    await page.getByRole('link', { name: 'repo.view' }).first().click()
    await page.getByRole('link', { name: 'order/4711' }).click()
    await expect.poll(() => rows(page).count()).toBe(2)
    await page.getByRole('link', { name: 'Clear' }).click()
  })

  test('holds new rows back while the user reads, and shows their number', async () => {
    await page.mouse.move(0, 0)
    await expect.poll(() => rows(page).count()).toBeGreaterThan(2)
    const before = await rows(page).count()
    await rows(page).nth(1).hover()
    await gateway.call('viewer.view', {})
    await page.getByRole('button', { name: '1 new' }).waitFor()
    expect(await rows(page).count()).toBe(before)
    await page.keyboard.press('n')
    await expect.poll(() => rows(page).count()).toBe(before + 1)
    await page.mouse.move(0, 0)
  })

  test('switches to the dark theme and keeps it after a reload', async () => {
    const theme = () => page.evaluate('document.documentElement.dataset.theme')
    expect(await theme()).toBe('light')
    await page.keyboard.press('d')
    expect(await theme()).toBe('dark')
    await page.reload()
    expect(await theme()).toBe('dark')
    await page.keyboard.press('d')
  })

  test.each(['', '/requests/FAILED'])(
    'is accessible in light, dark and on a phone, and fits the phone screen: %s',
    async path => {
      const { body } = await gateway.get('/v1/requests?ok=false')
      const failed = body.data.items[0].request_id
      await goTo(page, path.replace('FAILED', failed))
      await page.locator('.requests, .error-details').first().waitFor()
      expect(await issuesEverywhere(page)).toEqual([])
      await page.setViewportSize({ width: 390, height: 844 })
      const lines =
        'new Set([...document.querySelectorAll(".masthead nav a")].map(a => a.offsetTop)).size'
      expect(await page.evaluate(lines)).toBe(1)
      await page.setViewportSize({ width: 1440, height: 900 })
    },
  )

  test('violates no content security policy and logs no error', () => {
    expect(browser.complaints).toEqual([])
  })

  test('shows that a batch call shared its request, the step, and the other calls of the batch', async () => {
    const calls = [1, 2].map(issueNumber => ({
      capability: 'issue.relations.view',
      input: { ...REPO, issueNumber },
      id: `issue-${issueNumber}`,
    }))
    const { body, results } = await sendBatch(gateway, { calls })
    const own = page
    await goTo(own, `/requests/${results[0]?.request_id}`)
    await own.getByText('one request for 2 calls').waitFor()
    expect(await texts(own.locator('.facts'))).toEqual([
      expect.stringContaining(`${body.meta.request_id}Stepissue-1`),
    ])
    await own.getByText(body.meta.request_id).click()
    await own.locator('.requests tbody tr').nth(1).waitFor()
    expect(await own.locator('.requests tbody tr').count()).toBe(2)
  })
})

describe.skipIf(!chromium.available)('a gateway with keys', () => {
  test('asks for a key and shows the requests that it may see', async () => {
    const env = { SIGNALBOX_KEYS: 'agent:agent-secret-0001,chief:chief-secret-0001:operator' }
    await using gateway = await startTestGateway({ env })
    await using browser = await launchBrowser()
    await gateway.call('repo.view', REPO, {
      headers: { authorization: 'Bearer chief-secret-0001' },
    })
    const page = await browser.open(`${gateway.url}/inspector`)
    await page.getByLabel('Gateway key').fill('wrong-secret-00001')
    await page.keyboard.press('Enter')
    await page.getByText('does not know that key').waitFor()
    await page.getByLabel('Gateway key').fill('chief-secret-0001')
    await page.keyboard.press('Enter')
    await page.locator('.requests tbody tr').waitFor()
    await page.getByText('Live', { exact: true }).waitFor()
    expect(await page.locator('.requests .caller').last().textContent()).toBe('chief')
  })
})

async function texts(locator: ReturnType<Page['locator']>): Promise<string[]> {
  const found = await locator.allTextContents()
  return found.map(text => text.replace(/\s+/g, ' ').trim())
}
