/**
 * Takes the screenshots of docs/inspector.md: `node inspector/screenshots.ts [directory]`. Starts its own
 * gateway and sandbox, and injects faults that make routes fall back.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium } from 'playwright-core'
import { startTestGateway } from '../test/support/gateway.ts'
import { chromium as chromiumPart, launchOptions } from '../test/support/parts.ts'
import { makeTraffic } from './traffic.ts'

const SCREENS = {
  1440: { width: 1440, height: 900 },
  390: { width: 390, height: 844 },
}

interface Picture {
  readonly name: string
  readonly screen: keyof typeof SCREENS
  readonly theme: 'light' | 'dark'
}

const PICTURES: readonly Picture[] = [
  { name: 'list', screen: 1440, theme: 'light' },
  { name: 'request', screen: 1440, theme: 'light' },
  { name: 'routes', screen: 1440, theme: 'dark' },
  { name: 'list', screen: 390, theme: 'light' },
  { name: 'request', screen: 390, theme: 'dark' },
  { name: 'routes', screen: 390, theme: 'light' },
]

async function takeScreenshots(directory: string): Promise<void> {
  const { available, name, install } = chromiumPart
  if (!available) throw new Error(`${name} is missing: ${install}`)
  await mkdir(directory, { recursive: true })
  await using gateway = await startTestGateway()
  const { showcase } = await makeTraffic(gateway)
  const urls: Readonly<Record<string, string>> = {
    list: `${gateway.url}/inspector`,
    request: `${gateway.url}/inspector/requests/${showcase}`,
    routes: `${gateway.url}/inspector/routes`,
  }
  const browser = await chromium.launch(launchOptions)
  try {
    for (const picture of PICTURES) {
      await takePicture(browser, urls[picture.name] ?? '', picture, directory)
    }
  } finally {
    await browser.close()
  }
}

async function takePicture(
  browser: Browser,
  url: string,
  { name, screen, theme }: Picture,
  directory: string,
): Promise<void> {
  const page = await browser.newPage({ viewport: SCREENS[screen], colorScheme: theme })
  await page.goto(url)
  await page.locator('.trail, .waterfall, .stats').first().waitFor()
  // Leave time for the data that arrives after the first element.
  await page.waitForTimeout(1000)
  await page.screenshot({ path: join(directory, `inspector-${name}-${screen}-${theme}.png`) })
  await page.close()
}

const images = fileURLToPath(new URL('../docs/images/', import.meta.url))
await takeScreenshots(process.argv[2] ?? images)
