import { text } from 'node:stream/consumers'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { chromium } from '../support/parts.ts'
import { goTo, seriousIssues } from './browser.ts'
import { type FilledList, openFilledList } from './filled-list.ts'
import { CALLER, FILTER_CASES, RECORDS, VIEW_CASES } from './filter-cases.ts'

/** A browser is slow on a busy machine. */
vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 })

const ROWS = 2500

describe.skipIf(!chromium.available)('the filters of the list in Chromium', () => {
  let list: FilledList
  let page: Page

  beforeAll(async () => {
    list = await openFilledList(ROWS)
    page = list.page
  })
  afterAll(() => list[Symbol.asyncDispose]())

  describe('with the filters open', () => {
    const shown = async () =>
      (
        await list
          .rows()
          .locator('a')
          .evaluateAll(links => links.map(link => link.getAttribute('href')))
      ).map(href => href?.split('/').at(-1))
    const has = (name: string) => new URL(page.url()).searchParams.get(name)

    beforeAll(async () => {
      await Promise.all(RECORDS.map(record => list.gateway.engine.journal.append(record)))
      await page.goto(list.at(''))
      await page.keyboard.press('z')
      await page.getByText('More filters').click()
    })

    test('is accessible', async () => {
      await page.locator('.time-filter summary').click()
      expect(await seriousIssues(page)).toEqual([])
      await page.keyboard.press('Escape')
    })

    test.each(FILTER_CASES)('finds by %s=%s', async (name, value, found) => {
      await goTo(page, name === 'caller' ? '' : `?caller=${CALLER}`)
      await expect.poll(() => has(name)).toBe(null)
      const field = page.locator(`.filters [name="${name}"]`)
      const isTime = (await field.getAttribute('type')) === 'datetime-local'
      if (isTime)
        await page.locator('.time-filter').evaluate(details => details.setAttribute('open', ''))
      if (await field.evaluate(one => one.matches('select'))) await field.selectOption(value)
      else await field.fill(value)
      if (isTime) await field.blur()
      else await field.press('Enter')
      await expect.poll(() => has(name)).toBe(isTime ? `${value}:00.000Z` : value)
      await expect.poll(shown).toEqual(found)
    })

    test('leads back to the list before a search, and before a filter', async () => {
      await goTo(page, `?caller=${CALLER}`)
      await page.locator('select[name=ok]').selectOption('false')
      await expect.poll(() => has('ok')).toBe('false')
      await page.getByRole('searchbox').fill('repo')
      await page.getByRole('searchbox').press('Enter')
      await expect.poll(() => has('q')).toBe('repo')
      await page.goBack()
      await expect.poll(() => [has('q'), has('ok')]).toEqual([null, 'false'])
      expect(await page.getByRole('searchbox').inputValue()).toBe('')
      await page.goBack()
      await expect.poll(() => [has('caller'), has('ok')]).toEqual([CALLER, null])
      expect(await page.locator('select[name=ok]').inputValue()).toBe('')
    })

    test.each(VIEW_CASES)('shows the view %s', async (name, found) => {
      await goTo(page, `?caller=${CALLER}`)
      await page.getByRole('link', { name, exact: true }).click()
      await expect.poll(shown).toEqual(found)
    })

    test('knows a case of each filter and of each view', async () => {
      const names = 'import("/inspector/assets/model/filters.js").then(m => Object.keys(m.FILTERS))'
      expect(FILTER_CASES.map(([name]) => name)).toEqual(await page.evaluate(names))
      const views = page.locator('.views li:not(.saved, .elsewhere) > a')
      const waiting = page.getByRole('link', { name: 'Waiting for approval' })
      expect(await waiting.getAttribute('href')).toBe('/inspector/approvals')
      expect(VIEW_CASES.map(([name]) => name)).toEqual(await views.allTextContents())
      await page.keyboard.press('z')
    })
  })

  test('says which filters of an address it cannot use, and lists by the others', async () => {
    await goTo(page, '?code=NOPE&capabilty=a.b&caller=caller-0&since=2026-02-30T99:00Z')
    await page.getByRole('alert').waitFor()
    const said = await page.getByRole('alert').locator('li').allTextContents()
    expect(said).toEqual([
      expect.stringMatching(/^The list ignores code=NOPE: it must be one of AUTH, /),
      'The list ignores since=2026-02-30T99:00Z: it must be a time that exists.',
      'The list ignores capabilty=a.b: it is no filter of this list.',
    ])
    await list.rows().first().waitFor()
    await page.getByRole('link', { name: 'Remove from the address' }).click()
    await page.waitForURL('**/inspector?caller=caller-0')
  })

  test('saves a view in the browser, opens it within another time, and deletes it', async () => {
    await goTo(page, '?caller=caller-1&ok=false')
    await page.getByRole('button', { name: 'Save as view' }).click()
    await page.getByLabel('Name of the view').fill('Mine')
    await page.keyboard.press('Enter')
    await goTo(page, '?since=2026-01-01')
    await page.getByRole('link', { name: 'Mine' }).click()
    await page.waitForURL('**/inspector?ok=false&caller=caller-1&since=2026-01-01')
    await page.getByRole('button', { name: 'Delete the view Mine' }).click()
    await expect.poll(() => page.getByRole('link', { name: 'Mine' }).count()).toBe(0)
    await page.reload()
    await page.getByRole('link', { name: 'Failed', exact: true }).waitFor()
    expect(await page.getByRole('link', { name: 'Mine' }).count()).toBe(0)
  })

  test.each([
    ['JSON lines', 'requests.jsonl', 0],
    ['CSV', 'requests.csv', 1],
  ])('exports the filtered list as %s', async (format, name, heads) => {
    const filters = 'code=SERVER&caller=caller-0'
    const { body } = await list.gateway.get(`/v1/requests?${filters}&limit=200`)
    await goTo(page, `?${filters}`)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: `Export as ${format}` }).click(),
    ])
    expect(download.suggestedFilename()).toBe(name)
    const lines = (await text(await download.createReadStream())).trim().split('\n').slice(heads)
    const listed = body.data.items.map((row: { request_id: string }) => row.request_id)
    expect(listed.length).toBeGreaterThan(0)
    expect(lines.map(line => line.match(/01[0-9A-Z]{24}/)?.[0])).toEqual(listed)
  })

  test('removes one filter, or all', async () => {
    await goTo(page, '?code=SERVER&caller=caller-0')
    await page.getByRole('link', { name: 'Remove the filter Code: SERVER' }).click()
    await page.waitForURL('**/inspector?caller=caller-0')
    await page.getByRole('link', { name: 'Clear' }).click()
    await page.waitForURL('**/inspector')
    await expect.poll(() => page.getByRole('list', { name: 'Active filters' }).count()).toBe(0)
  })

  test('violates no content security policy and logs no error', () => {
    expect(list.browser.complaints).toEqual([])
  })
})
