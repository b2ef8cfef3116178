import { describe, expect, test, vi } from 'vitest'
import { chromium } from '../support/parts.ts'
import { gatewayAndBrowser } from './browser.ts'

/** A browser is slow on a busy machine. */
vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 })

/** Opens the help in the moment in which a heading appears, before anything that waits for the browser to paint. */
const openHelpAt = (heading: string) => `
  new MutationObserver((_changes, observer) => {
    if (document.querySelector('h1')?.textContent !== '${heading}') return
    observer.disconnect()
    document.dispatchEvent(new KeyboardEvent('keydown', { key: '?', bubbles: true }))
  }).observe(document, { childList: true, subtree: true })`

describe.skipIf(!chromium.available)('in the first moment of a page', () => {
  const started = gatewayAndBrowser()

  test('the help works on a page to which the user has returned', async () => {
    const page = await started.browser.open(`${started.gateway.url}/inspector/audit`)
    const goTo = async (name: string) => {
      await page.getByRole('link', { name }).click()
      await page.getByRole('heading', { name }).waitFor()
    }
    await goTo('Overview')
    await goTo('Audit')
    const link = `document.querySelector('nav a[href$="/overview"]').click()`
    await page.evaluate(`{ ${openHelpAt('Overview')}; ${link} }`)
    await page.waitForTimeout(300)
    expect(await page.getByRole('dialog').count()).toBe(1)
    expect(page.url()).toBe(`${started.gateway.url}/inspector/overview`)
  })
})
