import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { launchOptions } from '../support/parts.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Chromium for one test file. Collects the complaints of all its pages. */
export interface TestBrowser extends AsyncDisposable {
  open(url: string, options?: BrowserContextOptions): Promise<Page>
  /** Console errors, uncaught errors, and violations of the content security policy. */
  readonly complaints: string[]
}

export async function launchBrowser(): Promise<TestBrowser> {
  const browser: Browser = await chromium.launch(launchOptions)
  const complaints: string[] = []
  return {
    complaints,
    async open(url, options = {}) {
      const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, ...options })
      page.setDefaultTimeout(60_000)
      page.on('pageerror', error => complaints.push(error.message))
      page.on('console', message => {
        if (message.type() === 'error') complaints.push(message.text())
      })
      // A string, not a function: the types of these tests do not include the globals of the page.
      await page.addInitScript(
        "addEventListener('securitypolicyviolation', e => console.error('policy', e.violatedDirective))",
      )
      await page.goto(url)
      return page
    },
    [Symbol.asyncDispose]: () => browser.close(),
  }
}

/** Starts a gateway and Chromium before the tests of the block that calls this, and ends both after them. */
export function gatewayAndBrowser(): {
  readonly gateway: TestGateway
  readonly browser: TestBrowser
} {
  let gateway: TestGateway
  let browser: TestBrowser
  beforeAll(async () => {
    gateway = await startTestGateway()
    browser = await launchBrowser()
  }, 120_000)
  afterAll(async () => {
    await browser[Symbol.asyncDispose]()
    await gateway[Symbol.asyncDispose]()
  })
  return {
    get gateway() {
      return gateway
    },
    get browser() {
      return browser
    },
  }
}

/** Goes to a path of the inspector as its links do. To load the page anew costs many times the CPU. */
export async function goTo(page: Page, path: string): Promise<void> {
  const url = JSON.stringify(`/inspector${path}`)
  await page.evaluate(
    `{ history.pushState(null, '', ${url}); dispatchEvent(new Event('popstate')) }`,
  )
}

/** Pastes a text where the focus is. */
export async function paste(page: Page, text: string): Promise<void> {
  const event = `new ClipboardEvent('paste', { clipboardData: data, bubbles: true })`
  await page.evaluate(
    `{ const data = new DataTransfer(); data.setData('text', ${JSON.stringify(text)}); document.activeElement.dispatchEvent(${event}) }`,
  )
}

/**
 * The issues that axe rates serious or critical, as `rule: element`.
 * @param rules the only rules to check, for a page whose others were checked before
 */
export async function seriousIssues(page: Page, rules?: readonly string[]): Promise<string[]> {
  await page.evaluate(`globalThis.axe === undefined && (() => { ${axe} })()`)
  const options = { resultTypes: ['violations'], ...(rules && { runOnly: rules }) }
  const { violations } = (await page.evaluate(`axe.run(${JSON.stringify(options)})`)) as {
    violations: { id: string; impact: string; nodes: { html: string }[] }[]
  }
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
}

/** The rules that a change of colours can break, and those that a change of the layout can. */
const COLOURS = ['color-contrast', 'link-in-text-block']
const LAYOUT = ['target-size', 'scrollable-region-focusable', ...COLOURS]

/** The issues of a page in both themes and on a phone, and whether it is wider than the phone. Leaves the page as it was. */
export async function issuesEverywhere(page: Page): Promise<string[]> {
  const light = await seriousIssues(page)
  await page.keyboard.press('d')
  const dark = await seriousIssues(page, COLOURS)
  await page.setViewportSize({ width: 390, height: 844 })
  const phone = await seriousIssues(page, LAYOUT)
  const isWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.keyboard.press('d')
  return [...light, ...dark, ...phone, ...(isWide ? ['wider than the screen'] : [])]
}
