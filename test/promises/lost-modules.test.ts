import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { launchBrowser, seriousIssues, type TestBrowser } from '../inspector/browser.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { chromium } from '../support/parts.ts'

/** A browser is slow on a busy machine. */
vi.setConfig({ testTimeout: 180_000 })

describe.skipIf(!chromium.available)('a module that the gateway does not send', () => {
  let gateway: TestGateway
  let browser: TestBrowser
  beforeAll(async () => {
    gateway = await startTestGateway()
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser[Symbol.asyncDispose]()
    await gateway[Symbol.asyncDispose]()
  })

  async function openWithout(module: string): Promise<Page> {
    const page = await browser.open('about:blank')
    await page.route(`**/assets/${module}`, route => route.abort())
    await page.goto(`${gateway.url}/inspector`)
    return page
  }

  test.each([
    ['the page itself', 'pages/audit.js'],
    ['a part of the page', 'model/chain.js'],
    ['a part of all pages but the list', 'parts/wrong-query.js'],
  ])('is reported on its page, and can be asked for again: %s', async (_what, module) => {
    const page = await openWithout(module)
    await page.getByText('No requests yet').waitFor()
    await page.getByRole('link', { name: 'Audit' }).click()
    await page.getByText('The gateway did not send this page.').waitFor()
    expect(await seriousIssues(page)).toEqual([])
    // The other pages go on.
    await page.getByRole('link', { name: 'Requests', exact: true }).click()
    await page.getByText('No requests yet').waitFor()
    expect(await page.getByText('The gateway did not send').count()).toBe(0)
    await page.getByRole('link', { name: 'Audit' }).click()
    await page.getByText('The gateway did not send this page.').waitFor()
    await page.unroute(`**/assets/${module}`)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'Audit' }).waitFor()
    await page.close()
  })

  test.each([
    ['the first', 'main.js'],
    ['one that the first imports', 'app.js'],
    ['a library', 'vendor/preact.js'],
  ])('is reported instead of an empty page: %s', async (_what, module) => {
    const page = await openWithout(module)
    await page.getByText('The gateway did not send this page.').waitFor()
    expect(await page.getByRole('alert').count()).toBe(1)
    await page.unroute(`**/assets/${module}`)
    await page.getByRole('link', { name: 'Try again' }).click()
    await page.getByText('No requests yet').waitFor()
    expect(await page.getByText('The gateway did not send').count()).toBe(0)
    await page.close()
  })
})
