import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { CODES } from '../../src/model/errors.ts'
import { REASONS } from '../../src/model/reasons.ts'
import { recordOf } from '../journal/records.ts'
import { chromium } from '../support/parts.ts'
import { goTo } from './browser.ts'
import { type FilledList, openFilledList } from './filled-list.ts'

/** A browser is slow on a busy machine. */
vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 })

const ROWS = 2500
const MOST_DRAWN = 100

describe.skipIf(!chromium.available)('the list of requests in Chromium', () => {
  let list: FilledList
  let page: Page
  const focused = () => page.evaluate('document.activeElement?.getAttribute("href")')
  const scrolled = () => page.evaluate('scrollY') as Promise<number>

  beforeAll(async () => {
    list = await openFilledList(ROWS)
    page = list.page
  })
  afterAll(() => list[Symbol.asyncDispose]())

  test('loads all requests while the user scrolls, and draws few of them', async () => {
    await list.rows().first().waitFor()
    const drawn: number[] = []
    await expect
      .poll(
        async () => {
          await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
          drawn.push(await list.rows().count())
          return await page.locator(`a[href="${list.linkTo(ROWS - 1)}"]`).count()
        },
        { timeout: 50_000 },
      )
      .toBe(1)
    expect(Math.max(...drawn)).toBeLessThan(MOST_DRAWN)
    expect(await page.locator('.requests').getAttribute('aria-rowcount')).toBe(String(ROWS + 1))
  })

  test('returns from a request to the same row, by the browser and by Esc', async () => {
    await page.evaluate('scrollTo(0, 40_000)')
    await expect.poll(() => list.rows().count()).toBeGreaterThan(20)
    const link = list.rows().nth(20).locator('a')
    const href = await link.getAttribute('href')
    const before = await scrolled()
    for (const back of [() => page.goBack(), () => page.keyboard.press('Escape')]) {
      await page.locator(`a[href="${href}"]`).click()
      await page.locator('.waterfall').waitFor()
      expect(await scrolled()).toBe(0)
      await back()
      await expect.poll(focused).toBe(href)
      expect(Math.abs((await scrolled()) - before)).toBeLessThan(40)
    }
  })

  test('counts each key of several that come before the page is drawn again', async () => {
    await page.goto(list.at(''))
    await list.rows().first().waitFor()
    await page.evaluate(
      `for (let n = 0; n < 10; n++) dispatchEvent(new KeyboardEvent('keydown', { key: 'j' }))`,
    )
    await expect.poll(focused).toBe(list.linkTo(9))
  })

  test('moves through rows that are not drawn yet, and keeps the row when the user scrolls away', async () => {
    await page.goto(list.at(''))
    await list.rows().first().waitFor()
    for (let row = 0; row < 45; row++) await page.keyboard.press('j')
    // At the last row of the first page, a key would have nowhere to go until the next page has come.
    const table = page.locator('table.requests')
    await expect
      .poll(async () => Number(await table.getAttribute('aria-rowcount')))
      .toBeGreaterThan(60)
    for (let row = 45; row < 60; row++) await page.keyboard.press('j')
    await expect.poll(focused).toBe(list.linkTo(59))
    await page.evaluate('scrollTo(0, 0)')
    await page.keyboard.press('k')
    await expect.poll(focused).toBe(list.linkTo(58))
    await page.keyboard.press('o')
    await page.waitForURL(`**${list.linkTo(58)}`)
    await page.locator('.waterfall').waitFor()
    await page.keyboard.press(']')
    expect(await page.evaluate('document.activeElement.closest("tr").rowIndex')).toBe(1)
    await page.keyboard.press('Escape')
    await expect.poll(focused).toBe(list.linkTo(58))
  })

  test('pauses and resumes by key and button, and says so', async () => {
    await goTo(page, '')
    await page.keyboard.press('Escape')
    await page.evaluate('scrollTo(0, 0)')
    await page.getByText('Live', { exact: true }).waitFor()
    await page.keyboard.press('p')
    await page.getByText('Paused', { exact: true }).waitFor()
    await list.gateway.call('viewer.view', {})
    await page.getByRole('button', { name: '1 new' }).waitFor()
    expect(await page.locator('a', { hasText: 'viewer.view' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Resume' }).click()
    await list.rows().locator('a', { hasText: 'viewer.view' }).waitFor()
    await page.getByText('Live', { exact: true }).waitFor()
  })

  test('keeps what the user types while requests arrive', async () => {
    const field = page.getByLabel('Capability', { exact: true })
    await field.fill('issue')
    await list.gateway.call('rate_limit.view', {})
    await list.rows().locator('a', { hasText: 'rate_limit.view' }).waitFor()
    expect(await field.inputValue()).toBe('issue')
    await field.fill('')
  })

  test('no code and no reason is cut off at 1440 px', async () => {
    const codes = Object.keys(CODES).map(code => ({
      caller: 'codes',
      attempts: [],
      error: { code },
    }))
    const reasons = REASONS.map(reason => ({ caller: 'codes', reason }))
    await Promise.all(
      [...codes, ...reasons].map(kind =>
        list.gateway.engine.journal.append(recordOf(kind as never)),
      ),
    )
    await goTo(page, '?caller=codes')
    await expect.poll(() => list.rows().count()).toBeGreaterThan(25)
    const cut = new Set<string>()
    for (let at = 0; at < 4; at++) {
      const cells = list.rows().locator('.result, .reason')
      const texts = await cells.evaluateAll(all =>
        all.filter(one => one.scrollWidth > one.clientWidth).map(one => one.textContent ?? ''),
      )
      for (const text of texts) cut.add(text)
      await page.mouse.wheel(0, 400)
      await page.waitForTimeout(100)
    }
    expect([...cut]).toEqual([])
  })

  test('shows times in the zone of the browser with its name, or in UTC, also after a reload', async () => {
    const abroad = await list.browser.open(list.at(list.linkTo(5).replace('/inspector', '')), {
      timezoneId: 'Asia/Kolkata',
    })
    const time = abroad.locator('.facts time')
    await time.waitFor()
    expect(await time.textContent()).toMatch(/UTC\+5:30$/)
    await abroad.keyboard.press('z')
    await expect.poll(() => time.textContent()).toMatch(/ UTC$/)
    await abroad.reload()
    await time.waitFor()
    const shown = (await time.textContent()) ?? ''
    expect(new Date(shown).toISOString()).toBe(await time.getAttribute('datetime'))
    await abroad.close()
  })

  test('a wrong address gets a page with a way back', async () => {
    await page.goto(list.at('/nowhere'))
    await page.getByRole('heading', { name: 'No such page' }).waitFor()
    await page.getByRole('link', { name: 'Show the requests' }).click()
    await list.rows().first().waitFor()
    expect(page.url()).toBe(list.at(''))
  })

  test('violates no content security policy and logs no error', () => {
    expect(list.browser.complaints.filter(text => !text.includes('404'))).toEqual([])
  })
})
