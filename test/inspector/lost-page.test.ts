import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { chromium } from '../support/parts.ts'
import { gatewayAndBrowser, issuesEverywhere } from './browser.ts'

/** A browser is slow on a busy machine. */
vi.setConfig({ testTimeout: 180_000 })

const OF_BROWSERS = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
const VISIT = { accept: OF_BROWSERS, 'sec-fetch-mode': 'navigate' }

/** Each wrong address, with the method by which it is asked. */
const LOST = [
  ['an unknown path', 'GET', '/nope', 404],
  ['an unknown path with a query', 'GET', '/nope?token_budget=500&q=%E0%A4%A', 404],
  ['a path with a broken encoding', 'GET', '/%E0%A4%A', 400],
  ['a method that a path has not', 'POST', '/inspector', 404],
  ['a method that no path has', 'PUT', '/nope', 404],
  ['a file of the inspector that is not there', 'GET', '/inspector/assets/nothing.js', 404],
  ['a path that only begins like the API', 'GET', '/v1x', 404],
] as const

/** Clients that are no person in a browser. */
const OTHERS = [
  ['an agent', { accept: 'application/json' }],
  ['curl', { accept: '*/*' }],
  ['a tool that reads pages', { accept: 'text/html, */*' }],
  ['a script of a page', { accept: OF_BROWSERS, 'sec-fetch-mode': 'cors' }],
  ['an image of a page', { accept: 'image/avif,*/*', 'sec-fetch-mode': 'no-cors' }],
] as const

const KEYS = [{ name: 'root', secret: 'a-secret-of-the-operator' }]

describe.each([
  ['without keys', {}, 0],
  ['with keys', { keys: KEYS }, 401],
])('a gateway %s', (_kind, settings, refusal) => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startTestGateway({ settings })
  })
  afterAll(() => gateway[Symbol.asyncDispose]())

  async function ask(path: string, method: string, headers: Record<string, string>) {
    // `fetch` of Node.js would set Sec-Fetch-Mode to `cors`.
    const response = await request(gateway.url + path, { method: method as 'GET', headers })
    const { statusCode: status, body } = response
    const type = String(response.headers['content-type']).split(';')[0]
    return { status, type, headers: response.headers, text: await body.text() }
  }

  test.each(LOST)('answers a person with a page: %s', async (_what, method, path, status) => {
    for (const headers of [VISIT, { accept: OF_BROWSERS }]) {
      const found = await ask(path, method, headers)
      expect(found).toMatchObject({ status, type: 'text/html' })
      expect(found.text).toContain('href="/docs"')
      expect(found.text).toContain('href="/inspector"')
      expect(found.headers['content-security-policy']).toContain("default-src 'none'")
      expect(found.headers['cache-control']).toBe('no-store')
      expect(found.headers['x-request-id']).toMatch(/^\w+$/)
    }
  })

  test.each(OTHERS)('answers %s with an envelope', async (_who, headers) => {
    for (const [, method, path, status] of LOST) {
      const found = await ask(path, method, headers)
      expect([status, refusal]).toContain(found.status)
      expect(found.type).toBe('application/json')
      expect(Object.keys(JSON.parse(found.text))).toEqual(['ok', 'data', 'error', 'meta'])
    }
  })

  test.each(['/v1', '/v1/', '/v1/nope', '/v1/batch', '/v1/requests/%E0%A4%A', '/v1?q=1'])(
    'answers a person at %s, which is the API, with an envelope',
    async path => {
      expect((await ask(path, 'GET', VISIT)).type).toBe('application/json')
    },
  )

  test('shows a path as text, with what nobody sees as escapes', async () => {
    const { text } = await ask('/<script>alert(1)</script>&%E2%80%AE', 'GET', VISIT)
    expect(text).not.toContain('<script>alert')
    const { text: long } = await ask(`/${'a'.repeat(5000)}`, 'GET', VISIT)
    expect(long.length).toBeLessThan(2000)
  })
})

describe.skipIf(!chromium.available)('the page at a wrong address in Chromium', () => {
  const started = gatewayAndBrowser()

  test('leads on, is accessible, and fits a phone', async () => {
    const page = await started.browser.open(`${started.gateway.url}/nope`)
    await page.getByRole('heading', { name: 'No such page' }).waitFor()
    await page.getByText('/nope').waitFor()
    expect(await issuesEverywhere(page)).toEqual([])
    const targets = await page
      .locator('main a')
      .evaluateAll(links => links.map(link => link.getAttribute('href') ?? ''))
    for (const target of targets)
      expect((await fetch(started.gateway.url + target)).status).toBe(200)
    await page.getByRole('link', { name: 'Inspector' }).click()
    await page.waitForURL('**/inspector')
    expect(started.browser.complaints.filter(text => !text.includes('404'))).toEqual([])
  })
})
