import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Locator, Page } from 'playwright-core'
import { seriousIssues, type TestBrowser } from './browser.ts'

/** What a person on call needs at most from an alert or an id to the cause. */
const MOST_ACTIONS = 3

const DOCS = new URL('../../docs/', import.meta.url)
/** The file names of the pictures in the docs. */
export const PICTURES: readonly string[] = [
  ...readFileSync(new URL('inspector.md', DOCS), 'utf8').matchAll(/\(images\/([^)]+)\)/g),
].map(([, name = '']) => name)

const HEIGHTS = { 1440: 900, 390: 844 } as const

export interface Screen {
  readonly width: keyof typeof HEIGHTS
  readonly theme: 'light' | 'dark'
}

/** A person in the browser. Each click and each key counts, but not the letters of a text. */
export interface Visitor extends AsyncDisposable {
  readonly page: Page
  /** The pages that the person has looked at, as the docs name their pictures. */
  readonly seen: readonly string[]
  click(target: Locator): Promise<void>
  press(key: string): Promise<void>
  type(text: string): Promise<void>
  /** Waits for the page, and finds what keeps people from using it. With `SCREENSHOTS` it takes the picture for the docs. */
  look(name: string, awaited: Locator): Promise<readonly string[]>
}

export async function visit(
  browser: TestBrowser,
  url: string,
  { width, theme }: Screen,
): Promise<Visitor> {
  const viewport = { width, height: HEIGHTS[width] }
  const page = await browser.open(url, { viewport, colorScheme: theme })
  const actions: string[] = []
  const seen: string[] = []
  const count = (action: string) => {
    actions.push(action)
    if (actions.length > MOST_ACTIONS) {
      throw new Error(`more than ${MOST_ACTIONS} clicks and keys: ${actions.join(', ')}`)
    }
  }
  return {
    page,
    seen,
    async click(target) {
      count(`click on ${String(target)}`)
      await target.click()
    },
    async press(key) {
      count(key)
      await page.keyboard.press(key)
    },
    type: text => page.keyboard.insertText(text),
    async look(name, awaited) {
      await awaited.waitFor()
      const picture = `inspector-${name}-${width}-${theme}.png`
      seen.push(picture)
      await takePicture(page, picture)
      return [...(await seriousIssues(page)), ...(await overflow(page))]
    },
    [Symbol.asyncDispose]: () => page.close(),
  }
}

async function takePicture(page: Page, name: string): Promise<void> {
  if (!process.env.SCREENSHOTS || !PICTURES.includes(name)) return
  // Leave time for the data that arrives after the first element.
  await page.waitForTimeout(1000)
  await page.screenshot({ path: fileURLToPath(new URL(`images/${name}`, DOCS)) })
}

async function overflow(page: Page): Promise<string[]> {
  const isTooWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
  return isTooWide ? ['wider than the screen'] : []
}
