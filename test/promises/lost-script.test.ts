import type { Page } from 'playwright-core'
import { describe, expect, test, vi } from 'vitest'
import { gatewayAndBrowser, seriousIssues } from '../inspector/browser.ts'
import { chromium } from '../support/parts.ts'

/** A browser is slow on a busy machine. */
vi.setConfig({ testTimeout: 180_000 })

describe.skipIf(!chromium.available)('a script that the gateway does not send', () => {
  const started = gatewayAndBrowser()

  async function openWithout(script: string): Promise<Page> {
    const page = await started.browser.open('about:blank')
    await page.route(`**/assets/${script}`, route => route.abort())
    await page.goto(`${started.gateway.url}/inspector`)
    return page
  }

  test('is reported instead of an empty page', async () => {
    const page = await openWithout('inspector.js')
    await page.getByText('The gateway did not send this page.').waitFor()
    expect(await page.getByRole('alert').count()).toBe(1)
    expect(await seriousIssues(page)).toEqual([])
    await page.unroute('**/assets/inspector.js')
    await page.getByRole('link', { name: 'Try again' }).click()
    await page.getByText('No requests yet').waitFor()
    expect(await page.getByText('The gateway did not send').count()).toBe(0)
    await page.close()
  })
})
