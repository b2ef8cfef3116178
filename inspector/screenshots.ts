/**
 * Takes the pictures of docs/inspector.md: `node inspector/screenshots.ts [directory]`. A gateway and a
 * sandbox of its own make them, broken in ways that make the routes fall back.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium } from 'playwright-core'
import { startTestGateway } from '../test/support/gateway.ts'
import { chromium as part, launchOptions } from '../test/support/parts.ts'
import { makeTraffic } from './traffic.ts'

const WIDTHS = [1440, 390]
const HEIGHTS = { 1440: 900, 390: 844 } as Readonly<Record<number, number>>

interface Picture {
  readonly name: string
  readonly path: string
}

async function takeScreenshots(directory: string): Promise<void> {
  if (!part.available) throw new Error(`needs ${part.name}: ${part.install}`)
  await mkdir(directory, { recursive: true })
  await using gateway = await startTestGateway()
  const { telling } = await makeTraffic(gateway)
  const browser = await chromium.launch(launchOptions)
  try {
    const pictures = [
      { name: 'list', path: '/inspector' },
      { name: 'request', path: `/inspector/requests/${telling}` },
      { name: 'routes', path: '/inspector/routes' },
    ]
    for (const picture of pictures) {
      for (const width of WIDTHS) {
        for (const theme of ['light', 'dark'] as const) {
          await takePicture(browser, gateway.url, picture, { width, theme, directory })
        }
      }
    }
  } finally {
    await browser.close()
  }
}

interface Look {
  readonly width: number
  readonly theme: 'light' | 'dark'
  readonly directory: string
}

async function takePicture(
  browser: Browser,
  gateway: string,
  { name, path }: Picture,
  { width, theme, directory }: Look,
): Promise<void> {
  const viewport = { width, height: HEIGHTS[width] ?? 900 }
  const page = await browser.newPage({ viewport, colorScheme: theme })
  await page.goto(`${gateway}${path}`)
  await page.locator('table').first().waitFor()
  // The list fills in the routes of each request a moment after its rows.
  await page.waitForTimeout(400)
  await page.screenshot({ path: join(directory, `inspector-${name}-${width}-${theme}.png`) })
  await page.close()
}

const images = fileURLToPath(new URL('../docs/images/', import.meta.url))
await takeScreenshots(process.argv[2] ?? images)
