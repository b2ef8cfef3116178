import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
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
      page.setDefaultTimeout(20_000)
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

/** The issues that axe rates serious or critical, as `rule: element`. */
export async function seriousIssues(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  const { violations } = (await page.evaluate("axe.run({ resultTypes: ['violations'] })")) as {
    violations: { id: string; impact: string; nodes: { html: string }[] }[]
  }
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
}
