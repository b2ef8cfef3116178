import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { recordOf } from '../journal/records.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { chromium } from '../support/parts.ts'
import { goTo, launchBrowser, seriousIssues, type TestBrowser } from './browser.ts'

const SECRETS = {
  agent: 'agent-secret-0123456789',
  chief: 'chief-secret-0123456789',
  careful: 'careful-secret-0123456789',
}
const keys = [
  { name: 'agent', secret: SECRETS.agent },
  { name: 'chief', secret: SECRETS.chief, operator: true, read_only: true },
  { name: 'careful', secret: SECRETS.careful, operator: true, approve: ['issue.close'] },
]
const REPO = { owner: 'octo-org', name: 'hello-world' }
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

describe.skipIf(!chromium.available)('the actions on a request, in Chromium', () => {
  let gateway: TestGateway
  let browser: TestBrowser

  beforeAll(async () => {
    const settings = {
      keys,
      journal_payloads: 'redacted',
      trace_url: 'https://traces.example.com/t/{trace_id}',
    } as const
    gateway = await startTestGateway({ settings })
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]()
    await gateway?.[Symbol.asyncDispose]()
  })

  async function make(id: string, input: object, headers = {}): Promise<string> {
    const authorization = `Bearer ${SECRETS.agent}`
    const options = { headers: { authorization, ...headers } }
    return (await gateway.call(id, input, options)).body.meta.request_id
  }

  const pages = new Map<string, Page>()
  /** Goes to a request in the tab of a key, which stays open. */
  async function open(id: string, secret = SECRETS.agent): Promise<Page> {
    const page =
      pages.get(secret) ?? (await browser.open(`${gateway.url}/inspector/requests/${id}`))
    if (pages.has(secret)) await goTo(page, `/requests/${id}`)
    else {
      await page.getByLabel('Gateway key').fill(secret)
      await page.keyboard.press('Enter')
    }
    pages.set(secret, page)
    await page.locator('article.request', { hasText: id }).waitFor()
    return page
  }

  const press = (page: Page, name: string) => page.getByRole('button', { name }).click()
  const count = async () =>
    (await gateway.get('/v1/requests?limit=200', bearer(SECRETS.chief))).body.data.items.length

  test('input and answer are folded, and can be searched', async () => {
    const page = await open(await make('issue.list', { ...REPO, first: 3 }))
    expect(await page.locator('.payload pre').count()).toBe(0)
    await page.getByText('Answer', { exact: true }).click()
    await page.getByLabel('Find in the answer').fill('ITEMS[1].TITLE')
    await expect.poll(() => page.locator('.found dt').allTextContents()).toEqual(['items[1].title'])
    expect(await seriousIssues(page)).toEqual([])
  })

  test('a read runs again at once, a change after a question and with a new key', async () => {
    const page = await open(await make('repo.view', REPO))
    await press(page, 'Run again')
    await page.getByText('It ran.').waitFor()

    const input = { ...REPO, title: 'Once more' }
    const first = await make('issue.create', input, { 'idempotency-key': 'first-1' })
    const change = await open(first)
    const before = await count()
    change.once('dialog', dialog => void dialog.dismiss())
    await press(change, 'Run again')
    await change.getByText('Nothing was sent.').waitFor()
    expect(await count()).toBe(before)
    change.once('dialog', dialog => void dialog.accept())
    await press(change, 'Run again')
    await change.getByText('It ran.').waitFor()
    await change.getByRole('link', { name: 'Open the request' }).click()
    await change.locator('.waterfall .bar').waitFor()
    expect(change.url()).not.toContain(first)
  })

  test('a call of a credential or a key that the page lacks says so, before and after', async () => {
    const credential = { 'x-upstream-authorization': 'Bearer sandbox-token' }
    const page = await open(await make('repo.view', REPO, credential))
    const before = await count()
    const asked: string[] = []
    page.once('dialog', dialog => {
      asked.push(dialog.message())
      void dialog.dismiss()
    })
    await press(page, 'Run again')
    await page.getByText('Nothing was sent.').waitFor()
    expect(asked).toEqual([expect.stringMatching(/^agent .* a credential of its own.* Run it\?$/)])
    expect(await count()).toBe(before)
    page.once('dialog', dialog => void dialog.accept())
    await press(page, 'Run again')
    await page.getByText("It had the gateway's credential").waitFor()
    await press(page, 'Explain now')
    await page.getByText("with the gateway's credential instead").waitFor()
    await page.getByText('Quotas and circuits are as the gateway knows them now.').waitFor()

    const foreign = await open(await make('repo.view', REPO), SECRETS.chief)
    await press(foreign, 'Run again')
    await foreign.getByText('It had the rights of chief, and not those of agent.').waitFor()
  })

  test.each([
    ['unknown', { action: 'ask_human' }, 'Ask a person', 'issue.list shows whether'],
    ['applied', { action: 'verify', capability: 'issue.list' }, 'do not send it again', null],
  ] as const)('a write that is %s has a next step', async (write_outcome, next, advice, look) => {
    const request_id = `01KB7Z5M3Q8V4T6W2X9Y0${write_outcome.slice(0, 5).toUpperCase()}`
    const error = { code: 'UNKNOWN', write_outcome, next, details: {} } as const
    const capability_id = 'issue.create'
    await gateway.engine.journal.append(recordOf({ request_id, capability_id, error } as never))
    const page = await open(request_id)
    await page.getByText(advice).waitFor()
    const places = page.locator('.advice', { hasText: look ?? 'Where to look' })
    await expect.poll(() => places.count()).toBe(look === null ? 0 : 1)
  })

  test('a key that may not call the capability gets a refusal, and nothing is sent', async () => {
    const id = await make('issue.create', { ...REPO, title: 'Not by the chief' })
    const page = await open(id, SECRETS.chief)
    const sent = gateway.sandbox.log.rows().length
    for (const action of ['Explain now', "Replay with today's cards", 'Run again']) {
      page.once('dialog', dialog => void dialog.accept())
      const [refusal] = await Promise.all([
        page.waitForResponse(response => response.request().url().includes('/v1/')),
        press(page, action),
      ])
      expect(refusal.status()).toBe(403)
      await expect.poll(() => page.locator('.outcome').textContent()).toMatch(/^Not done.*may not/)
      page.removeAllListeners('dialog')
    }
    expect(gateway.sandbox.log.rows()).toHaveLength(sent)
  })

  test('explain and replay show a plan and decisions, and send nothing', async () => {
    const id = await make('repo.view', REPO)
    const page = await open(id)
    const sent = gateway.sandbox.log.rows().length
    await press(page, 'Explain now')
    await page.getByRole('heading', { name: 'Plan now' }).waitFor()
    await page.getByText('with the key of this page.').waitFor()
    expect(await seriousIssues(page)).toEqual([])
    await press(page, "Replay with today's cards")
    await page.getByText("The same decisions with today's cards.").waitFor()
    expect(gateway.sandbox.log.rows()).toHaveLength(sent)
    const replayed = await gateway.get(`/v1/requests/${id}/replay`, bearer(SECRETS.agent))
    expect(replayed.body.data).toEqual({ same: true, capability_id: 'repo.view', differences: [] })
  })

  test('an explained call that memory would answer says so', async () => {
    const kept = { 'cache-control': 'max-age=600' }
    await make('issue.view', { ...REPO, issueNumber: 2 }, kept)
    const page = await open(await make('issue.view', { ...REPO, issueNumber: 2 }, kept))
    await press(page, 'Explain now')
    const said = page.locator('.outcome p', { hasText: /^Memory .* instead, .* would be sent\.$/ })
    await expect.poll(() => said.count()).toBe(1)
  })

  test('an explained call that a person would have to approve says so', async () => {
    const id = await make('issue.close', { ...REPO, issueNumber: 3 })
    const page = await open(id, SECRETS.careful)
    await press(page, 'Explain now')
    const said = page.locator('.outcome p', { hasText: /^A person would have to approve it/ })
    await expect.poll(() => said.count()).toBe(1)
  })

  test('numbers keep their digits on the page and in what it sends', async () => {
    const digits = '12345678901234567890'
    const page = await open(
      await make('issue.view', { ...REPO, issueNumber: JSON.rawJSON(digits) }),
    )
    await page.getByText('Input', { exact: true }).click()
    expect(await page.locator('.payload pre').textContent()).toContain(`"issueNumber": ${digits}`)
    await page.getByText('Raw record').click()
    expect(await page.locator('.raw pre').textContent()).toContain(`"issueNumber": ${digits}`)
    for (const name of ['Explain now', 'Run again']) {
      const [sent] = await Promise.all([
        page.waitForRequest(request => request.method() === 'POST'),
        press(page, name),
      ])
      expect(sent.postData()).toContain(`"issueNumber":${digits}`)
    }
  })

  test('the trace opens at the address of the setting', async () => {
    const traceparent = `00-${TRACE}-00f067aa0ba902b7-01`
    const page = await open(await make('viewer.view', {}, { traceparent }))
    const link = page.getByRole('link', { name: 'Open the trace' })
    expect(await link.getAttribute('href')).toBe(`https://traces.example.com/t/${TRACE}`)
  })

  test.each([1440, 390])('two requests stand side by side at %d px', async width => {
    const a = await make('issue.view', { ...REPO, issueNumber: 1 })
    const recent = { 'cache-control': 'max-age=60' }
    const b = await make('issue.view', { ...REPO, issueNumber: 99_999 }, recent)
    const page = await open(a)
    await page.setViewportSize({ width, height: 900 })
    await page.getByLabel('Compare with request').fill(b)
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/inspector/compare?a=${a}&b=${b}`)
    const differing = (part: string) =>
      page.locator(`section[aria-labelledby=compare-${part}] .differs`)
    await differing('input').waitFor()
    const cells = (part: string) => differing(part).locator('th, td').allTextContents()
    expect(await cells('input')).toEqual(['issueNumber', '1', '99999'])
    expect(await cells('options')).toEqual(['max_age_ms', '–', '60000'])
    for (const part of ['error', 'answer']) {
      expect(await differing(part).count()).toBeGreaterThan(1)
      expect(await cells(part)).not.toContain('all')
    }
    expect(await seriousIssues(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false)
  })

  test('the pages break no policy', () => {
    const others = browser.complaints.filter(complaint => !/status of 4\d\d/.test(complaint))
    expect(others).toEqual([])
  })
})

function bearer(secret: string) {
  return { authorization: `Bearer ${secret}` }
}
