import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { chromium } from '../support/parts.ts'
import { goTo, launchBrowser, paste, seriousIssues, type TestBrowser } from './browser.ts'

const AGENT = { authorization: 'Bearer agent-secret-0123456789', 'signalbox-reason': 'It is due.' }
const OPERATOR = 'chief-secret-0123456789'
const keys = [
  { name: 'agent', secret: 'agent-secret-0123456789', approve: ['write:*'] },
  { name: 'chief', secret: OPERATOR, operator: true },
]
vi.setConfig({ testTimeout: 180_000 })

describe.skipIf(!chromium.available)('approvals in Chromium', () => {
  let gateway: TestGateway
  let browser: TestBrowser
  beforeAll(async () => {
    gateway = await startTestGateway({ settings: { keys } })
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser[Symbol.asyncDispose]()
    await gateway[Symbol.asyncDispose]()
  })
  const create = (title: string) =>
    gateway.call(
      'issue.create',
      { owner: 'octo-org', name: 'hello-world', title },
      { headers: AGENT },
    )

  const pages = new Map<string, Page>()
  /** Goes to a page in the tab of a key, which stays open. */
  async function open(path: string, secret = OPERATOR): Promise<Page> {
    const known = pages.get(secret)
    if (known) await goTo(known, path)
    const page = known ?? (await browser.open(`${gateway.url}/inspector${path}`))
    if (!known) {
      await page.getByLabel('Gateway key').fill(secret)
      await page.keyboard.press('Enter')
    }
    pages.set(secret, page)
    return page
  }

  test('the id of an approval, pasted anywhere or typed into a search box, opens the approval', async () => {
    const { body } = await create('Pasted')
    const id = body.error.details.approval_id as string
    const page = await open('/audit')
    await page.getByRole('heading', { name: 'Audit' }).waitFor()
    await paste(page, `approval: ${id.toLowerCase()}`)
    await page.waitForURL(`**/inspector/approvals/${id}`)
    await page.getByText('wants to make this call').waitFor()
    for (const path of ['', '/overview']) {
      await goTo(page, path)
      await page.getByRole('searchbox').click()
      await page.keyboard.insertText(id)
      await page.waitForURL(`**/inspector/approvals/${id}`)
    }
    await page.getByRole('button', { name: 'Refuse' }).click()
    const story = page.getByText(/chief refused it at .* The same call is refused until/)
    await expect.poll(() => story.count()).toBe(1)
  })

  test('a person finds a waiting call, reads it and approves it', async () => {
    await create('By the inspector')
    const page = await open('/approvals')
    await page.getByRole('link', { name: 'issue.create' }).click()
    await page.getByText('It is due.').waitFor()
    expect(await page.locator('pre').first().textContent()).toContain('"title": "By the inspector"')
    expect(await seriousIssues(page)).toEqual([])
    await page.getByRole('button', { name: 'Approve once' }).click()
    await page.getByText('chief approved it. It has not run yet.').waitFor()
    const done = await create('By the inspector')
    expect(done.body.ok).toBe(true)
    await page.reload()
    await page.getByText('chief approved it, and it ran.').waitFor()
    await page.getByRole('link', { name: done.body.meta.request_id }).click()
    await page.getByRole('heading', { name: 'issue.create' }).waitFor()
  })

  test('a person refuses a call from its link, on a phone, with a note', async () => {
    const { body } = await create('By the link')
    const { url } = body.error.next
    const page = await open(url.replace('/inspector', ''))
    await page.setViewportSize({ width: 390, height: 900 })
    await page.getByLabel(/^Note/).fill('Not in a freeze.')
    await page.getByRole('button', { name: 'Refuse' }).click()
    await page.getByText(/chief refused it at .*“Not in a freeze.”/).waitFor()
    expect(await seriousIssues(page)).toEqual([])
    await goTo(page, '/approvals?status=refused')
    await page.getByText(/^by chief, .*: “Not in a freeze.”$/).waitFor()
    expect(await seriousIssues(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false)
    await page.setViewportSize({ width: 1440, height: 900 })
    expect((await create('By the link')).body.error.message).toContain('Not in a freeze.')
  })

  test('an operator resets an upstream whose circuit is open, and other keys cannot', async () => {
    const { breakers } = gateway.engine.state
    const fail = () => {
      for (let n = 0; n < 5; n++) breakers.report('github:rest', 'SERVER', Date.now())
    }
    fail()
    const refused = await open('/upstreams/github', 'agent-secret-0123456789')
    const button = { name: 'Reset quotas and circuits of github' }
    await refused.getByRole('button', button).click()
    await refused.getByText('may not reset an upstream').waitFor()
    const page = await open('/upstreams/github')
    await page.getByRole('button', button).waitFor()
    expect(await seriousIssues(page)).toEqual([])
    await page.getByRole('button', button).click()
    await page.getByRole('button', button).waitFor({ state: 'detached' })
    expect(breakers.kindOf('github:rest', Date.now())).toBe('closed')
    await page.getByText(/^1, the last .* by chief$/).waitFor()
    expect(await page.locator('.history rect.reset').count()).toBe(1)
  })

  test('the page breaks no policy', () =>
    expect(browser.complaints.filter(isNoRefusal)).toEqual([]))
})

/** The page asks for the key after a first answer of 401, and a key may lack a right. The browser reports both. */
function isNoRefusal(complaint: string): boolean {
  return !/401|403/.test(complaint)
}
