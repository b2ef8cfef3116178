/** A gateway with many made-up requests, and its list of requests in Chromium. */
import type { Locator, Page } from 'playwright-core'
import { recordAt } from '../../bench/support/journal-load.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { launchBrowser, type TestBrowser } from './browser.ts'

export interface FilledList extends AsyncDisposable {
  readonly gateway: TestGateway
  readonly browser: TestBrowser
  readonly page: Page
  /** When the oldest request began. */
  readonly began: number
  /** The ids of the requests, the newest first. */
  readonly ids: readonly string[]
  /** The whole address of a path below `/inspector`. */
  at(path: string): string
  /** The path of the page of a request, by its index in `ids`. */
  linkTo(index: number): string
  /** The rows that the page draws. */
  rows(page?: Page): Locator
}

/** @param count how many requests, one a second, the last of them now */
export async function openFilledList(count: number): Promise<FilledList> {
  const gateway = await startTestGateway()
  const browser = await launchBrowser()
  const began = Date.now() - count * 1000
  const records = Array.from({ length: count }, (_, n) => recordAt(began + n * 1000, n))
  await Promise.all(records.map(record => gateway.engine.journal.append(record)))
  const ids = records.map(record => record.request_id).toReversed()
  const at = (path: string) => `${gateway.url}/inspector${path}`
  const page = await browser.open(at(''))
  return {
    gateway,
    browser,
    page,
    began,
    ids,
    at,
    linkTo: index => `/inspector/requests/${ids[index]}`,
    rows: (of = page) => of.locator('.requests tbody tr.request'),
    async [Symbol.asyncDispose]() {
      await browser[Symbol.asyncDispose]()
      await gateway[Symbol.asyncDispose]()
    },
  }
}
