import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { basename, join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { root } from '../docs/pages.ts'
import { chromium } from '../support/parts.ts'
import { gatewayAndBrowser } from './browser.ts'

/** A browser is slow on a busy machine. */
vi.setConfig({ testTimeout: 180_000 })

const WORK = `
  const { createClient, paginate, retrying, unwrap } = await import('/client/client.ts')
  const client = retrying(createClient({ url: location.origin }))
  const repo = { owner: 'octo-org', name: 'hello-world' }
  const made = await unwrap(client.call('issue.create', { ...repo, title: 'From a page' }))
  const { results } = await client.batch(plan => {
    const list = plan.call('issue.list', { ...repo, first: 2 })
    return { all: plan.each('issue.view', list.data.items, item => ({ ...repo, issueNumber: item.number })) }
  })
  for await (const issue of paginate(client, 'issue.list', repo)) {
    var first = issue.title
    break
  }
  return { title: made.title, first, viewed: results.all.map(one => one.ok) }`

const EXPECTED = { title: 'From a page', first: 'From a page', viewed: [true, true] }

const IN_WORKER = `new Promise((resolve, reject) => {
  const worker = new Worker('/client/worker.js', { type: 'module' })
  worker.onmessage = ({ data }) => resolve(data)
  worker.onerror = ({ message }) => reject(new Error(message))
})`

describe.skipIf(!chromium.available)('the typed client in Chromium', () => {
  const started = gatewayAndBrowser()

  test.each([
    ['a page', `(async () => {${WORK}})()`],
    ['a worker', IN_WORKER],
  ])('works in %s', async (_name, script) => {
    started.gateway.sandbox.reset()
    const page = await started.browser.open(`${started.gateway.url}/livez`)
    await page.context().route('**/client/*', route => {
      const name = basename(new URL(route.request().url()).pathname)
      const body =
        name === 'worker.js'
          ? `const work = async () => {${WORK}}
work().then(postMessage, error => postMessage(String(error)))`
          : stripTypeScriptTypes(readFileSync(join(root, 'client', name), 'utf8'))
      return route.fulfill({ contentType: 'text/javascript', body })
    })
    expect(await page.evaluate(script)).toEqual(EXPECTED)
  })
})
