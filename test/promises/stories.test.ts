import { readFileSync } from 'node:fs'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { parse } from 'yaml'
import { launchBrowser, type TestBrowser } from '../inspector/browser.ts'
import { type Incidents, makeIncidents, TRACE_ID } from '../inspector/on-call-traffic.ts'
import { PICTURES, type Screen, type Visitor, visit } from '../inspector/visitor.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { chromium } from '../support/parts.ts'
import { until } from '../support/until.ts'

/** A browser is slow on a busy machine. */
vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 })

interface Story {
  readonly title: string
  /** The address that the person opens first. */
  readonly from: string
  readonly screens: readonly Screen[]
  /** Fails unless the page shows the cause. */
  play: (visitor: Visitor, incidents: Incidents) => Promise<void>
}

const DESK = {
  light: { width: 1440, theme: 'light' },
  dark: { width: 1440, theme: 'dark' },
} as const
const PHONE = {
  light: { width: 390, theme: 'light' },
  dark: { width: 390, theme: 'dark' },
} as const

const STORIES: readonly Story[] = [
  {
    title: 'the alert RouteFails leads to a failing request with its status',
    from: linkOf('RouteFails'),
    screens: [DESK.dark, PHONE.light],
    async play(visitor) {
      const { page } = visitor
      const worst = page.locator('.worst:has(#routes) tbody tr').first()
      await look(visitor, 'upstream', worst)
      expect(await textOf(worst.locator('th'))).toBe('issue.view rest')
      await visitor.click(worst.getByRole('link', { name: 'issue.view' }))
      const failed = page
        .locator('.capability-stats tr', { hasText: 'failed on it' })
        .locator('.codes a')
      await look(visitor, 'capability', failed.first())
      await visitor.click(failed.first())
      await look(visitor, 'found', rowsOf(page).first())
      expect(await rowsOf(page).count()).toBe(6)
      await visitor.click(rowsOf(page).first().getByRole('link'))
      await look(visitor, 'cause', page.locator('.waterfall'))
      expect(await textOf(page.locator('.story'))).toMatch(
        /^rest failed( \d times)? with SERVER, HTTP 503\. graphql answered/,
      )
    },
  },
  {
    title: 'the id of a slow call leads to what made it slow',
    from: '/inspector/overview',
    screens: [DESK.light, DESK.dark, PHONE.light, PHONE.dark],
    async play(visitor, { slow }) {
      const { page } = visitor
      await look(visitor, 'overview', page.locator('.worst tbody tr').first())
      if (isPhone(page)) await visitor.click(page.getByRole('searchbox'))
      else await visitor.press('/')
      await visitor.type(slow)
      await look(visitor, 'request', page.locator('.waterfall'))
      expect(page.url()).toContain(slow)
      expect(await textOf(page.locator('.story'))).toMatch(
        /^rest was skipped: .*quota.*\. graphql answered on attempt 2/,
      )
    },
  },
  {
    title: 'the alert WritesUnknown leads to the write and to what to do next',
    from: linkOf('WritesUnknown'),
    screens: [DESK.light, PHONE.dark],
    async play(visitor, { lost }) {
      const { page } = visitor
      await look(visitor, 'found', rowsOf(page).first())
      expect(await textOf(page.locator('.views [aria-current]'))).toBe('Unknown writes')
      expect(await rowsOf(page).count()).toBe(1)
      await visitor.click(rowsOf(page).first().getByRole('link'))
      await look(visitor, 'cause', page.locator('.error-details'))
      expect(page.url()).toContain(lost)
      expect(await textOf(page.locator('.story'))).toContain('the write may have been applied')
      expect(await textOf(page.locator('.advice'))).toMatch(/Call issue\.\w+\.$/)
    },
  },
  {
    title: 'the alert QuotaLow leads to the history of the quota and to the calls that met its end',
    from: linkOf('QuotaLow'),
    screens: [DESK.light, PHONE.dark],
    async play(visitor) {
      const { page } = visitor
      const met = page.getByRole('link', { name: /RATE_LIMIT/ })
      await look(visitor, 'upstream', met)
      await page.locator('.history', { hasText: 'github:core' }).waitFor()
      expect(await textOf(page.locator('.history'))).toContain('at least 0 left')
      await visitor.click(met)
      await look(visitor, 'found', rowsOf(page).first())
      expect(await rowsOf(page).count()).toBe(3)
      await visitor.click(rowsOf(page).first().getByRole('link'))
      await look(visitor, 'cause', page.locator('.error-details'))
      expect(await textOf(page.locator('.story'))).toMatch(/^rest was skipped: .*quota/)
    },
  },
  {
    title:
      'the id or the trace of an answer that is not new leads to the request that it came from',
    from: '/inspector',
    screens: [DESK.light, PHONE.dark],
    async play(visitor, { old, repeated }) {
      const { page } = visitor
      await look(visitor, 'list', rowsOf(page).first())
      const [pasted, made, form] = isPhone(page)
        ? ([TRACE_ID, repeated, 'replayed'] as const)
        : ([old.id, old, 'memory'] as const)
      if (isPhone(page)) await visitor.click(page.getByRole('searchbox', { name: 'Search' }))
      else await visitor.press('/')
      await visitor.type(pasted)
      await look(visitor, form, page.locator('.origin'))
      expect(page.url()).toContain(made.id)
      expect(await page.locator('.origin').getAttribute('data-form')).toBe(form)
      await visitor.click(page.locator('.origin .source a'))
      await page.waitForURL(`**/${made.source}`)
      await look(visitor, 'source', page.locator('.waterfall .bar').first())
    },
  },
]

describe.skipIf(!chromium.available)('a person on call in Chromium', () => {
  let gateway: TestGateway
  let browser: TestBrowser
  let incidents: Incidents
  const seen = new Set<string>()

  beforeAll(async () => {
    gateway = await startTestGateway()
    incidents = await makeIncidents(gateway)
    await until(
      () => gateway.get('/v1/upstreams/github/history').then(({ body }) => body.data.quotas),
      quotas => JSON.stringify(quotas).includes('"remaining":0'),
    )
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]()
    await gateway?.[Symbol.asyncDispose]()
  })

  const cases = STORIES.flatMap(story =>
    story.screens.map(screen => ({ ...story, ...screen, screen })),
  )
  test.each(cases)('$title, at $width in $theme', async ({ from, screen, play }) => {
    await using visitor = await visit(browser, `${gateway.url}${from}`, screen)
    await play(visitor, incidents)
    expect(visitor.seen.length).toBeGreaterThan(1)
    for (const picture of visitor.seen) seen.add(picture)
  })

  test('sees each page that the docs have a picture of', () => {
    expect(PICTURES.length).toBeGreaterThan(5)
    expect(PICTURES.filter(name => !seen.has(name))).toEqual([])
  })

  test('meets no violation of the content security policy and no error', () => {
    expect(browser.complaints).toEqual([])
  })
})

/** The path in the alert, as Prometheus makes it: promtool holds the rules to the same file. */
function linkOf(alert: string): string {
  const file = new URL('../../docker/observability/tests/alert-rules.test.yaml', import.meta.url)
  const { tests } = parse(readFileSync(file, 'utf8')) as { readonly tests: readonly AlertTest[] }
  const found = tests
    .flatMap(one => one.alert_rule_test ?? [])
    .filter(({ alertname }) => alertname === alert)
    .flatMap(({ exp_alerts }) => exp_alerts ?? [])
  const [link] = found.flatMap(({ exp_annotations }) => exp_annotations.inspector ?? [])
  if (link === undefined) throw new Error(`the alert ${alert} has no link to the inspector`)
  return link
}

interface AlertTest {
  readonly alert_rule_test?: readonly {
    readonly alertname: string
    readonly exp_alerts?: readonly { readonly exp_annotations: { readonly inspector?: string } }[]
  }[]
}

async function look(visitor: Visitor, name: string, awaited: Locator): Promise<void> {
  expect(await visitor.look(name, awaited)).toEqual([])
}

function rowsOf(page: Page): Locator {
  return page.locator('.requests tbody tr.request')
}

function isPhone(page: Page): boolean {
  return page.viewportSize()?.width === 390
}

async function textOf(locator: Locator): Promise<string> {
  return ((await locator.textContent()) ?? '').replace(/\s+/g, ' ').trim()
}
