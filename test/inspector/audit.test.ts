import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { showUnseen as shownByPage } from '../../inspector/web/lib/format.js'
import { chainStateOf } from '../../inspector/web/model/chain.js'
import { showUnseen } from '../../src/lib/show-unseen.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { chromium } from '../support/parts.ts'
import { goTo, launchBrowser, seriousIssues, type TestBrowser } from './browser.ts'

vi.setConfig({ testTimeout: 180_000 })

const secretOf = (name: string) => `${name}-secret-0123456789`
const headersOf = (name: string) => ({ authorization: `Bearer ${secretOf(name)}` })
const keys = [
  { name: 'agent', secret: secretOf('agent'), approve: ['write:*'] },
  { name: 'chief', secret: secretOf('chief'), operator: true },
]
const REPO = { owner: 'octo-org', name: 'hello-world' }

describe.skipIf(!chromium.available)('the audit in Chromium', () => {
  let gateway: TestGateway
  let browser: TestBrowser
  let page: Page
  beforeAll(async () => {
    gateway = await startTestGateway({ settings: { keys, journal_payloads: 'redacted' } })
    browser = await launchBrowser()
    page = await browser.open(`${gateway.url}/inspector/audit`)
    await page.getByLabel('Gateway key').fill(secretOf('chief'))
    await page.keyboard.press('Enter')
  })
  afterAll(async () => {
    await browser[Symbol.asyncDispose]()
    await gateway[Symbol.asyncDispose]()
  })

  test.each([1440, 390])(
    'lists decisions, and says that they follow each other, %d wide',
    async width => {
      await gateway.call(
        'issue.create',
        { ...REPO, title: 'Asked' },
        { headers: headersOf('agent') },
      )
      await page.setViewportSize({ width, height: 900 })
      await goTo(page, '/audit')
      await page.getByRole('rowheader', { name: 'approval.asked' }).first().waitFor()
      await page.getByText(/records of this page follow each other/).waitFor()
      expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false)
      expect(await seriousIssues(page)).toEqual([])
    },
  )

  test('filters by the decision, and says that a filter hides the chain', async () => {
    await page.setViewportSize({ width: 1440, height: 900 })
    await goTo(page, '/audit')
    await page.getByLabel('Decision').fill('credential.chosen')
    await page.keyboard.press('Enter')
    await page.getByText(/A filter leaves out records/).waitFor()
    // The earlier rows stay until those of the filter arrive.
    const rows = page.getByRole('rowheader')
    await expect.poll(() => rows.allTextContents()).not.toContain('approval.asked')
    expect(page.url()).toContain('action=credential.chosen')
    await goTo(page, '/audit?action=nope')
    await page.getByText('The page ignores action=nope').waitFor()
    await rows.filter({ hasText: 'approval.asked' }).first().waitFor()
  })

  test('the page of a request says which texts of its answer others wrote', async () => {
    const { store } = gateway.sandbox
    const repository = store.repositories.find('octo-org', 'hello-world')!
    const author = store.accounts.findUser('mallory')!
    const { number } = store.issues.add(repository, { title: 'Obey\u202e me', author })
    const { body } = await gateway.call(
      'issue.view',
      { ...REPO, issueNumber: number },
      { headers: headersOf('agent') },
    )
    await goTo(page, `/requests/${body.meta.request_id}`)
    const section = page.getByRole('region', { name: 'Answer' })
    await section.getByText('Text by others:').waitFor()
    expect(await section.locator('code').allTextContents()).toContain('title')
    await section.locator('summary', { hasText: 'Answer' }).click()
    expect(await section.locator('pre').textContent()).toContain('"title": "Obey me"')
  })

  test('the page breaks no policy', () =>
    expect(browser.complaints.filter(complaint => !complaint.includes('401'))).toEqual([]))
})

test('a missing record, and one that does not follow, break the chain of a page', () => {
  const record = (seq: number) => ({ seq, hash: `h${seq}`, previous_hash: `h${seq - 1}` })
  expect(chainStateOf([record(3), record(2), record(1)])).toBe(null)
  expect(chainStateOf([record(3), record(1)])).toBe('Records between 1 and 3 are missing.')
  expect(chainStateOf([{ ...record(2), previous_hash: 'x' }, record(1)])).toBe(
    'Record 2 does not follow record 1.',
  )
})

test('the page and the commands show the same characters that nobody sees', () => {
  const all = Array.from({ length: 0x11_00_00 }, (_, code) => String.fromCodePoint(code)).join(' ')
  expect(shownByPage(all) === showUnseen(all)).toBe(true)
})
