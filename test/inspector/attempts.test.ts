import { text } from 'node:stream/consumers'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { chromium } from '../support/parts.ts'
import { goTo, issuesEverywhere } from './browser.ts'
import { type FilledList, openFilledList } from './filled-list.ts'
import { CALLER, RECORDS } from './filter-cases.ts'

/** A browser is slow on a busy machine. */
vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 })
const PATIENCE = { timeout: 30_000 }

const ROWS = 600
/** More than the list draws at a time. */
const MANY = 300

describe.skipIf(!chromium.available)('the list of attempts in Chromium', () => {
  let list: FilledList
  let page: Page

  beforeAll(async () => {
    list = await openFilledList(ROWS)
    page = list.page
    await Promise.all(RECORDS.map(record => list.gateway.engine.journal.append(record)))
    await list.rows().first().waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('t')
    await page.getByRole('heading', { name: 'Attempts' }).waitFor()
    await list.rows().first().waitFor()
  })
  afterAll(() => list[Symbol.asyncDispose]())

  const drawn = async () =>
    await list
      .rows()
      .locator('a')
      .evaluateAll(links => links.map(link => link.getAttribute('href') ?? ''))
  const listed = async (query: string) => {
    const { body } = await list.gateway.get(`/v1/attempts?${query}&limit=200`)
    return body.data.items.map(
      (row: { request_id: string; index: number }) =>
        `/inspector/requests/${row.request_id}?attempt=${row.index}`,
    ) as string[]
  }

  test('is on the navigation, and its address holds no filter', async () => {
    expect(page.url()).toBe(list.at('/attempts'))
    const current = page.locator('.masthead [aria-current=page]')
    expect(await current.textContent()).toBe('Attempts')
  })

  test.each([
    ['route', 'graphql'],
    ['status', 'skipped'],
    ['status', 'error'],
    ['code', 'SERVER'],
    ['capability', 'issue.*'],
    ['upstream_status', '5xx'],
    ['retried', 'true'],
  ])('finds by %s=%s', async (name, value) => {
    await goTo(page, `/attempts?caller=${CALLER}`)
    await page.locator('.filters details.more').evaluate(one => one.setAttribute('open', ''))
    const field = page.locator(`.filters [name="${name}"]`)
    if (await field.evaluate(one => one.matches('select'))) await field.selectOption(value)
    else await field.fill(value)
    if (await field.evaluate(one => one.matches('input'))) await field.press('Enter')
    await expect.poll(() => new URL(page.url()).searchParams.get(name)).toBe(value)
    const found = await listed(new URL(page.url()).search.slice(1))
    expect(found.length).toBeGreaterThan(0)
    await expect.poll(drawn, PATIENCE).toEqual(found)
  })

  test('has a field for each filter of the API, and names those that only requests have', async () => {
    const { body } = await list.gateway.get('/openapi.json')
    const { parameters } = (body as never as { paths: Record<string, never> }).paths[
      '/v1/attempts'
    ]?.['get'] ?? { parameters: [] }
    const names = (parameters as { name: string }[]).map(({ name }) => name)
    const filters = names.filter(name => !['limit', 'after', 'before'].includes(name))
    const fields = await page
      .locator('.filters [name]')
      .evaluateAll(all => all.map(one => one.getAttribute('name') ?? ''))
    expect(fields.toSorted()).toEqual(filters.toSorted())
    await goTo(page, '/attempts?tried=rest')
    await page.getByText('tried=rest').waitFor()
  })

  test('opens the request at the attempt, and Esc returns to the row', async () => {
    await goTo(page, `/attempts?caller=${CALLER}&route=graphql`)
    const found = await listed(`caller=${CALLER}&route=graphql`)
    const [first = ''] = found
    await expect.poll(drawn, PATIENCE).toEqual(found)
    // Leaves the field of the test before.
    await page.keyboard.press('Escape')
    await page.keyboard.press('j')
    await page.keyboard.press('o')
    await page.waitForURL(`**${first}`)
    await page.locator('.waterfall tbody tr:focus').waitFor()
    const focused = page.locator('.waterfall tbody tr:focus th')
    expect(await focused.textContent()).toContain('graphql')
    await page.getByRole('link', { name: '← Attempts' }).waitFor()
    await page.keyboard.press('Escape')
    await page.waitForURL('**/inspector/attempts?*')
    const active = () => page.evaluate('document.activeElement?.getAttribute("href")')
    await expect.poll(active, PATIENCE).toBe(first)
  })

  test('loads older attempts while the user scrolls, and draws few of them', async () => {
    await goTo(page, '/attempts')
    const count = async () =>
      Number(await page.locator('.requests').getAttribute('aria-rowcount', { timeout: 5000 }))
    await expect
      .poll(async () => {
        await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
        return await count()
      }, PATIENCE)
      .toBeGreaterThan(MANY)
    expect(await list.rows().count()).toBeLessThan(100)
  })

  test.each([
    ['JSON lines', 'attempts.jsonl', 0],
    ['CSV', 'attempts.csv', 1],
  ])('exports the filtered list as %s', async (format, name, heads) => {
    await goTo(page, `/attempts?caller=${CALLER}&status=error`)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: `Export as ${format}` }).click(),
    ])
    expect(download.suggestedFilename()).toBe(name)
    const lines = (await text(await download.createReadStream())).trim().split('\n').slice(heads)
    expect(lines).toHaveLength((await listed(`caller=${CALLER}&status=error`)).length)
  })

  test('is accessible in light, dark and on a phone, also when nothing is found', async () => {
    await goTo(page, `/attempts?caller=${CALLER}`)
    await list.rows().first().waitFor()
    expect(await issuesEverywhere(page)).toEqual([])
    await goTo(page, '/attempts?caller=nobody')
    await page.getByText('No attempt matches these filters').waitFor()
    expect(await issuesEverywhere(page)).toEqual([])
  })

  test('violates no content security policy and logs no error', () => {
    expect(list.browser.complaints).toEqual([])
  })
})
