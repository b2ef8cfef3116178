import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { goTo, launchBrowser, seriousIssues, type TestBrowser } from '../inspector/browser.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { chromium } from '../support/parts.ts'

/** A browser is slow on a busy machine. */
vi.setConfig({ testTimeout: 180_000 })

const LONG = 'a'.repeat(3000)
const ID = '01KB7Z5M3Q8V4T6W2X9Y0ABCDE'
const IDS = [
  ['a broken encoding', '%E0%A4%A'],
  ['a broken escape', '%zz'],
  ['another part', 'a/b'],
  ['a long id', LONG],
] as const
const PAGES = [
  '',
  '/overview',
  '/approvals',
  '/audit',
  '/attempts',
  '/compare',
  `/requests/${ID}`,
  `/approvals/${ID}`,
  '/capabilities/repo.view',
  '/upstreams/github',
] as const
const OF_ONE = ['/requests', '/approvals', '/capabilities', '/upstreams'] as const

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway[Symbol.asyncDispose]())

interface Got {
  readonly status: number
  readonly type: string
  readonly to: string | null
}

async function ask(path: string, method = 'GET'): Promise<Got> {
  const response = await fetch(`${gateway.url}/inspector${path}`, { method, redirect: 'manual' })
  await response.arrayBuffer()
  const { status, headers } = response
  const type = (headers.get('content-type') ?? '').split(';')[0] ?? ''
  return { status, type, to: headers.get('location') }
}

const PAGE = { status: 200, type: 'text/html', to: null }
const NO_PAGE = { ...PAGE, status: 404 }

describe('the gateway answers an address of the inspector', () => {
  test.each(PAGES)('%s with the page, whatever its query', async path => {
    expect(await ask(path)).toEqual(PAGE)
    expect(await ask(`${path}?nothing=1&q=%E0%A4%A`)).toEqual(PAGE)
    expect(await ask(path, 'HEAD')).toEqual(PAGE)
  })

  test.each(PAGES)('%s with a slash at its end by the address without it', async path => {
    const found = await ask(`${path}//?q=1`)
    expect(found).toMatchObject({ status: 302, to: `/inspector${path}?q=1` })
  })

  test.each(OF_ONE.flatMap(path => IDS.map(([kind, id]) => [path, kind, id] as const)))(
    '%s and %s with a page, not with JSON',
    async (path, _kind, id) => {
      expect(await ask(`${path}/${id}`)).toEqual(NO_PAGE)
    },
  )

  test.each([
    ['/requests', '/inspector'],
    ['/requests/', '/inspector'],
    ['/capabilities', '/inspector/overview'],
    ['/upstreams/?span=6h', '/inspector/overview?span=6h'],
  ])('%s, which lacks an id, by the page where ids are', async (path, to) => {
    expect(await ask(path)).toMatchObject({ status: 302, to })
  })

  test.each(['/nothing', '/Overview', '/requests/x/y', '//requests/x'])(
    '%s with a page that leads on',
    async path => {
      expect(await ask(path)).toEqual(NO_PAGE)
    },
  )

  test.each(['/assets/nothing.js', '/assets/%E0%A4%A'])('%s with an envelope', async path => {
    expect((await ask(path)).type).toBe('application/json')
  })

  test.each(['POST', 'PUT', 'PATCH', 'DELETE'])('with an envelope to %s', async method => {
    for (const path of PAGES)
      expect(await ask(path, method)).toMatchObject({ status: 404, type: 'application/json' })
  })
})

describe.skipIf(!chromium.available)('in Chromium', () => {
  let browser: TestBrowser
  let page: Page
  beforeAll(async () => {
    browser = await launchBrowser()
    page = await browser.open(`${gateway.url}/inspector`)
  })
  afterAll(() => browser[Symbol.asyncDispose]())

  test.each([
    ['/requests/%E0%A4%A', 'The inspector has no page'],
    ['/capabilities/%zz', 'The inspector has no page'],
    ['/requests/', 'No requests yet'],
    [`/requests/${ID.toLowerCase()}`, 'There is no request with this id'],
    [`/approvals/${ID}`, 'There is no approval'],
    [`/requests/${LONG}`, 'is too long'],
    ['/capabilities/repo.veiw', 'There is no capability repo.veiw that this key may see'],
    ['/capabilities/repo.view', 'No calls in this time.'],
    ['/upstreams/githbu', 'No card uses an upstream githbu'],
    ['/upstreams/github', 'in service'],
    ['/compare', 'The address names no first request: it lacks a=ID.'],
    ['/compare?a=x', 'The address names no second request: it lacks b=ID.'],
    [`/compare?a=x&b=${ID}`, `The second request, ${ID}: There is no request`],
    ['/overview?span=1h', 'requests'],
    ['/overview?span=2y', 'The page ignores span=2y: it must be one of 1h, 6h, 24h, 7d.'],
    ['/overview?colour=red', 'The page ignores colour=red: it is no parameter of this page.'],
    ['/upstreams/github?sort=luck', 'The page ignores sort=luck: it must be one of name,'],
    ['/capabilities/repo.view?q=x', 'The page ignores q=x: it is no parameter of this page.'],
    ['/approvals?status=lost', 'The page ignores status=lost: it must be one of waiting,'],
    ['/audit?who=me', 'The page ignores who=me: it is no parameter of this page.'],
    [`/requests/${ID}?tab=2`, 'The page ignores tab=2: it is no parameter of this page.'],
    ['/compare?a=x&b=y&a=z', 'The page ignores a=z: it is there twice.'],
    ['?colour=red', 'The list ignores colour=red: it is no filter of this list.'],
  ])('the address %j says: %s', async (path, words) => {
    await page.goto(`${gateway.url}/inspector${path}`)
    await expect.poll(() => page.locator('main').innerText()).toContain(words)
    expect(await seriousIssues(page)).toEqual([])
    // The same address, reached by a link.
    await goTo(page, '/audit')
    await page.getByRole('heading', { name: 'Audit' }).waitFor()
    await goTo(page, path)
    await expect.poll(() => page.locator('main').innerText()).toContain(words)
  })

  test('an unknown capability leads to those that were meant', async () => {
    await goTo(page, '/capabilities/repo.veiw')
    await page.getByRole('link', { name: 'repo.view', exact: true }).click()
    await page.waitForURL('**/inspector/capabilities/repo.view')
    await page.getByText('No calls in this time.').waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  test('an unknown upstream leads to those that there are', async () => {
    await goTo(page, '/upstreams/githbu')
    await page.getByRole('link', { name: 'github', exact: true }).click()
    await page.waitForURL('**/inspector/upstreams/github')
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  test('a wrong parameter is removed by its link', async () => {
    await goTo(page, '/overview?span=6h&colour=red')
    await page.getByRole('link', { name: 'Remove from the address' }).click()
    await page.waitForURL('**/inspector/overview?span=6h')
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  test('no page fails, and none violates the policy', () => {
    const loaded = (text: string) => text.includes('Failed to load resource')
    expect(browser.complaints.filter(text => !loaded(text))).toEqual([])
  })
})
