import { text } from 'node:stream/consumers'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { recordAt } from '../../bench/support/journal-load.ts'
import { CODES } from '../../src/model/errors.ts'
import { REASONS } from '../../src/model/reasons.ts'
import { recordOf } from '../journal/records.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { chromium } from '../support/parts.ts'
import { goTo, launchBrowser, paste, seriousIssues, type TestBrowser } from './browser.ts'
import { CALLER, FILTER_CASES, RECORDS, VIEW_CASES } from './filter-cases.ts'

/** A browser is slow on a busy machine. */
vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 })

const ROWS = 2500
const BATCH = '01KB7Z5M3Q8V4T6W2X9Y0ABCDE'
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const MOST_DRAWN = 100

describe.skipIf(!chromium.available)('the list of requests in Chromium', () => {
  let gateway: TestGateway
  let browser: TestBrowser
  let page: Page
  let ids: string[]
  const at = (path: string) => `${gateway.url}/inspector${path}`

  beforeAll(async () => {
    gateway = await startTestGateway()
    browser = await launchBrowser()
    const began = Date.now() - ROWS * 1000
    const records = Array.from({ length: ROWS }, (_, n) => recordAt(began + n * 1000, n))
    await Promise.all(records.map(record => gateway.engine.journal.append(record)))
    for (const [n, step] of ['one', 'two'].entries()) {
      const place = { batch_id: BATCH, batch_step: step }
      const time = began - 1000 * (n + 1)
      const traced = recordOf({ request_id: `old-${n}`, time, traceId: TRACE, place })
      await gateway.engine.journal.append(traced)
    }
    ids = records.map(record => record.request_id).toReversed()
    page = await browser.open(at(''))
  })
  afterAll(async () => {
    await browser[Symbol.asyncDispose]()
    await gateway[Symbol.asyncDispose]()
  })

  const rows = (of: Page) => of.locator('.requests tbody tr.request')
  const focused = () => page.evaluate('document.activeElement?.getAttribute("href")')
  const scrolled = () => page.evaluate('scrollY') as Promise<number>
  const linkTo = (index: number) => `/inspector/requests/${ids[index]}`

  test('loads all requests while the user scrolls, and draws few of them', async () => {
    await rows(page).first().waitFor()
    const drawn: number[] = []
    await expect
      .poll(
        async () => {
          await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
          drawn.push(await rows(page).count())
          return await page.locator(`a[href="${linkTo(ROWS - 1)}"]`).count()
        },
        { timeout: 50_000 },
      )
      .toBe(1)
    expect(Math.max(...drawn)).toBeLessThan(MOST_DRAWN)
    expect(await page.locator('.requests').getAttribute('aria-rowcount')).toBe(String(ROWS + 3))
  })

  test('returns from a request to the same row, by the browser and by Esc', async () => {
    await page.evaluate('scrollTo(0, 40_000)')
    await expect.poll(() => rows(page).count()).toBeGreaterThan(20)
    const link = rows(page).nth(20).locator('a')
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
    await page.goto(at(''))
    await rows(page).first().waitFor()
    await page.evaluate(
      `for (let n = 0; n < 10; n++) dispatchEvent(new KeyboardEvent('keydown', { key: 'j' }))`,
    )
    await expect.poll(focused).toBe(linkTo(9))
  })

  test('moves through rows that are not drawn yet, and keeps the row when the user scrolls away', async () => {
    await page.goto(at(''))
    await rows(page).first().waitFor()
    for (let row = 0; row < 60; row++) await page.keyboard.press('j')
    await expect.poll(focused).toBe(linkTo(59))
    await page.evaluate('scrollTo(0, 0)')
    await page.keyboard.press('k')
    await expect.poll(focused).toBe(linkTo(58))
    await page.keyboard.press('o')
    await page.waitForURL(`**${linkTo(58)}`)
    await page.locator('.waterfall').waitFor()
    await page.keyboard.press(']')
    expect(await page.evaluate('document.activeElement.closest("tr").rowIndex')).toBe(1)
    await page.keyboard.press('Escape')
    await expect.poll(focused).toBe(linkTo(58))
  })

  test('pauses and resumes by key and button, and says so', async () => {
    await goTo(page, '')
    await page.keyboard.press('Escape')
    await page.evaluate('scrollTo(0, 0)')
    await page.getByText('Live', { exact: true }).waitFor()
    await page.keyboard.press('p')
    await page.getByText('Paused', { exact: true }).waitFor()
    await gateway.call('viewer.view', {})
    await page.getByRole('button', { name: '1 new' }).waitFor()
    expect(await page.locator('a', { hasText: 'viewer.view' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Resume' }).click()
    await rows(page).locator('a', { hasText: 'viewer.view' }).waitFor()
    await page.getByText('Live', { exact: true }).waitFor()
  })

  test('keeps what the user types while requests arrive', async () => {
    const field = page.getByLabel('Capability', { exact: true })
    await field.fill('issue')
    await gateway.call('rate_limit.view', {})
    await rows(page).locator('a', { hasText: 'rate_limit.view' }).waitFor()
    expect(await field.inputValue()).toBe('issue')
    await field.fill('')
  })

  test('opens a request whose id is pasted on any page, but not in another field', async () => {
    await goTo(page, '/audit')
    await page.getByRole('heading', { name: 'Audit' }).waitFor()
    await paste(page, `the log says ${ids[7]} failed`)
    await page.waitForURL(`**${linkTo(7)}`)
    await goTo(page, '')
    await page.getByLabel('Capability').focus()
    await paste(page, ids[8] ?? '')
    await page.keyboard.press('Escape')
    expect(new URL(page.url()).pathname).toBe('/inspector')
    await page.keyboard.press('/')
    await page.keyboard.type(ids[9] ?? '')
    await page.waitForURL(`**${linkTo(9)}`)
    expect(await page.locator('.facts code').first().textContent()).toBe(ids[9])
  })

  const SMALL = () => (ids[10] ?? '').toLowerCase()
  /** Each text, and the end of the address to which it leads; null if it stays a text. */
  const PASTED: readonly (readonly [string, () => string, () => string | null])[] = [
    ['an id in small letters', SMALL, () => linkTo(10)],
    ['an id in quotes, with a space', () => ` "${ids[11]}",`, () => linkTo(11)],
    ['the id of a batch', () => BATCH.toLowerCase(), () => `/inspector?batch_id=${BATCH}`],
    ['a trace id in capitals', () => TRACE.toUpperCase(), () => `/inspector?q=${TRACE}`],
    ['an ordinary text', () => 'thing.action', () => null],
    ['a text with an id in it', () => `id ${ids[12]}`, () => null],
  ]

  test.each(PASTED)(
    '%s, pasted into the search box, opens or stays',
    async (_what, text, target) => {
      await goTo(page, '?caller=nobody')
      await page.waitForURL('**/inspector?caller=nobody')
      const box = page.getByRole('searchbox', { name: 'Search' })
      await box.click()
      await page.keyboard.insertText(text())
      const found = target()
      if (found !== null) return await page.waitForURL(`**${found}`)
      await page.waitForTimeout(200)
      expect(await box.inputValue()).toBe(text())
      expect(page.url()).toBe(at('?caller=nobody'))
      await box.fill('')
    },
  )

  test.each(PASTED.slice(0, 4))('%s, pasted anywhere, opens', async (_what, text, target) => {
    await goTo(page, '/audit')
    await page.getByRole('heading', { name: 'Audit' }).waitFor()
    await page.keyboard.press('?')
    await page.getByRole('dialog').waitFor()
    await paste(page, text())
    await page.waitForURL(`**${target()}`)
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  })

  test('no code and no reason is cut off at 1440 px', async () => {
    const codes = Object.keys(CODES).map(code => ({
      caller: 'codes',
      attempts: [],
      error: { code },
    }))
    const reasons = REASONS.map(reason => ({ caller: 'codes', reason }))
    await Promise.all(
      [...codes, ...reasons].map(kind => gateway.engine.journal.append(recordOf(kind as never))),
    )
    await goTo(page, '?caller=codes')
    await expect.poll(() => rows(page).count()).toBeGreaterThan(25)
    const cut = new Set<string>()
    for (let at = 0; at < 4; at++) {
      const cells = rows(page).locator('.result, .reason')
      const texts = await cells.evaluateAll(all =>
        all.filter(one => one.scrollWidth > one.clientWidth).map(one => one.textContent ?? ''),
      )
      for (const text of texts) cut.add(text)
      await page.mouse.wheel(0, 400)
      await page.waitForTimeout(100)
    }
    expect([...cut]).toEqual([])
  })

  describe('with the filters open', () => {
    const shown = async () =>
      (
        await rows(page)
          .locator('a')
          .evaluateAll(links => links.map(link => link.getAttribute('href')))
      ).map(href => href?.split('/').at(-1))
    const has = (name: string) => new URL(page.url()).searchParams.get(name)

    beforeAll(async () => {
      await Promise.all(RECORDS.map(record => gateway.engine.journal.append(record)))
      await page.goto(at(''))
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
    await rows(page).first().waitFor()
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
    const { body } = await gateway.get(`/v1/requests?${filters}&limit=200`)
    await goTo(page, `?${filters}`)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: `Export as ${format}` }).click(),
    ])
    expect(download.suggestedFilename()).toBe(name)
    const lines = (await text(await download.createReadStream())).trim().split('\n').slice(heads)
    const listed = body.data.items.map((row: { request_id: string }) => row.request_id)
    expect(listed.length).toBeGreaterThan(3)
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

  test('shows times in the zone of the browser with its name, or in UTC, also after a reload', async () => {
    const abroad = await browser.open(at(linkTo(5).replace('/inspector', '')), {
      timezoneId: 'Asia/Kolkata',
    })
    const time = abroad.locator('.facts time')
    await time.waitFor()
    expect(await time.textContent()).toMatch(/GMT\+5:30$/)
    await abroad.keyboard.press('z')
    await expect.poll(() => time.textContent()).toMatch(/ UTC$/)
    await abroad.reload()
    await time.waitFor()
    const shown = (await time.textContent()) ?? ''
    expect(new Date(shown).toISOString()).toBe(await time.getAttribute('datetime'))
    await abroad.close()
  })

  test('a wrong address gets a page with a way back', async () => {
    await page.goto(at('/nowhere'))
    await page.getByRole('heading', { name: 'No such page' }).waitFor()
    await page.getByRole('link', { name: 'Show the requests' }).click()
    await rows(page).first().waitFor()
    expect(page.url()).toBe(at(''))
  })

  test('violates no content security policy and logs no error', () => {
    expect(browser.complaints.filter(text => !text.includes('404'))).toEqual([])
  })
})
