import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { recordOf } from '../journal/records.ts'
import { chromium } from '../support/parts.ts'
import { goTo, paste } from './browser.ts'
import { type FilledList, openFilledList } from './filled-list.ts'

/** A browser is slow on a busy machine. */
vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 })

const ROWS = 20
const BATCH = '01KB7Z5M3Q8V4T6W2X9Y0ABCDE'
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'

describe.skipIf(!chromium.available)('ids in the inspector in Chromium', () => {
  let list: FilledList
  let page: Page

  beforeAll(async () => {
    list = await openFilledList(ROWS)
    page = list.page
    for (const [n, step] of ['one', 'two'].entries()) {
      const place = { batch_id: BATCH, batch_step: step }
      const time = list.began - 1000 * (n + 1)
      const traced = recordOf({ request_id: `old-${n}`, time, traceId: TRACE, place })
      await list.gateway.engine.journal.append(traced)
    }
  })
  afterAll(() => list[Symbol.asyncDispose]())

  test('opens a request whose id is pasted on any page, but not in another field', async () => {
    await goTo(page, '/audit')
    await page.getByRole('heading', { name: 'Audit' }).waitFor()
    await paste(page, `the log says ${list.ids[7]} failed`)
    await page.waitForURL(`**${list.linkTo(7)}`)
    await goTo(page, '')
    await page.getByLabel('Capability').focus()
    await paste(page, list.ids[8] ?? '')
    await page.keyboard.press('Escape')
    expect(new URL(page.url()).pathname).toBe('/inspector')
    await page.keyboard.press('/')
    await page.keyboard.type(list.ids[9] ?? '')
    await page.waitForURL(`**${list.linkTo(9)}`)
    expect(await page.locator('.facts code').first().textContent()).toBe(list.ids[9])
  })

  const SMALL = () => (list.ids[10] ?? '').toLowerCase()
  /** Each text, and the end of the address to which it leads; null if it stays a text. */
  const PASTED: readonly (readonly [string, () => string, () => string | null])[] = [
    ['an id in small letters', SMALL, () => list.linkTo(10)],
    ['an id in quotes, with a space', () => ` "${list.ids[11]}",`, () => list.linkTo(11)],
    ['the id of a batch', () => BATCH.toLowerCase(), () => `/inspector?batch_id=${BATCH}`],
    ['a trace id in capitals', () => TRACE.toUpperCase(), () => `/inspector?q=${TRACE}`],
    ['an ordinary text', () => 'thing.action', () => null],
    ['a text with an id in it', () => `id ${list.ids[12]}`, () => null],
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
      expect(page.url()).toBe(list.at('?caller=nobody'))
      await box.fill('')
    },
  )

  const LINE = () => `{"host":"${'gateway '.repeat(40)}","request_id":"${list.ids[13]}"}`
  test.each([
    ['', 'a text with an id in it', () => `id ${list.ids[12]}`, () => list.linkTo(12)],
    ['', 'a long line of a log', LINE, () => list.linkTo(13)],
    ['/attempts', 'a long line of a log', LINE, () => list.linkTo(13)],
    ['/overview', 'a long line of a log', LINE, () => list.linkTo(13)],
  ] as const)('on the page %j, %s opens with Enter in the search box', async (at, _, text, to) => {
    await goTo(page, at)
    await page.getByRole('searchbox').click()
    await page.keyboard.insertText(text())
    await page.keyboard.press('Enter')
    await page.waitForURL(`**${to()}`)
    expect(await page.locator('.facts code').first().textContent()).toBe(to().split('/').at(-1))
  })

  test('of a text that is too long for a search, whole words are searched', async () => {
    await goTo(page, '')
    await page.getByRole('searchbox').fill(`${'semaphores '.repeat(25)}end`)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/inspector?q=**')
    const words = 'semaphores '.repeat(18).trim()
    expect(new URL(page.url()).searchParams.get('q')).toBe(words)
  })

  test.each(PASTED.slice(0, 4))('%s, pasted anywhere, opens', async (_what, text, target) => {
    await goTo(page, '/audit')
    await page.getByRole('heading', { name: 'Audit' }).waitFor()
    await page.keyboard.press('?')
    await page.getByRole('dialog').waitFor()
    await paste(page, text())
    await page.waitForURL(`**${target()}`)
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  })

  test('violates no content security policy and logs no error', () => {
    expect(list.browser.complaints).toEqual([])
  })
})
