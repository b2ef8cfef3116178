import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createSandbox, type Sandbox } from '../../sandbox/index.ts'
import type { RequestDetail, RequestRow, StatsTotal } from '../../src/journal/row-schemas.ts'
import { launchBrowser, seriousIssues, type TestBrowser } from '../inspector/browser.ts'
import { sendBatch } from '../support/batch.ts'
import { type CallOptions, startTestGateway, type TestGateway } from '../support/gateway.ts'
import { githubEnv } from '../support/github.ts'
import { chromium } from '../support/parts.ts'
import { startGatewayProcess } from '../support/process.ts'
import { until } from '../support/until.ts'
import { countedByHand, countsAtDoors, countsOnPages } from './support/attempt-counts.ts'

const SECRETS = {
  agent: 'agent-secret-0123456789',
  asking: 'asking-secret-0123456789',
  reader: 'reader-secret-0123456789',
  limited: 'limited-secret-0123456789',
  chief: 'chief-secret-0123456789',
}
const keys = [
  { name: 'agent', secret: SECRETS.agent },
  { name: 'asking', secret: SECRETS.asking, approve: ['write:*'] },
  { name: 'reader', secret: SECRETS.reader, read_only: true },
  { name: 'limited', secret: SECRETS.limited, requests_per_minute: 1 },
  { name: 'chief', secret: SECRETS.chief, operator: true },
]
/** No other test makes as many calls at once. */
const MAX_CALLS = 4
const REPO = { owner: 'octo-org', name: 'hello-world' }
const COMMENT = 'issue.comments.create'
const SAID = { ...REPO, issueNumber: 1, body: 'Killed before it arrived' }
const CHIEF = { authorization: `Bearer ${SECRETS.chief}` }

// A browser is slow on a busy machine, and a second gateway has to start.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

interface MakeOptions extends Pick<CallOptions, 'headers'> {
  readonly as?: keyof typeof SECRETS
  /** Whether the gateway chooses the route. */
  readonly isFree?: boolean
  readonly budget?: number
}

/** The signs in the list, whose rows do not tell how old a kept answer was. */
const SIGNS: Readonly<Record<string, string>> = {
  replayed: 'replayed',
  coalesced: 'coalesced',
  memory: 'memory',
  stale: 'memory',
  revalidated: 'revalidated',
  recovered: 'recovered',
}

/** The ids of a request, and of the one that its picture must link to; null if it stands for itself. */
type Made = readonly [id: string, source: string | null]

describe.skipIf(!chromium.available)('the picture of a request', () => {
  let directory: string
  let sandbox: Sandbox
  let gateway: TestGateway
  let browser: TestBrowser
  let page: Page
  let interrupted: string
  /** A write whose gateway stopped before the service got it. */
  let unapplied: string

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'pictures-'))
    sandbox = await createSandbox()
    const env = { ...githubEnv(sandbox.url), SIGNALBOX_JOURNAL: join(directory, 'journal.sqlite') }
    await killDuringWrite(sandbox, env)
    gateway = await startTestGateway({ settings: { keys, max_calls: MAX_CALLS }, env })
    const { body } = await gateway.get('/v1/requests?ok=false', CHIEF)
    const cut = body.data.items as RequestRow[]
    const idOf = (id: string) => cut.find(row => row.capability_id === id)?.request_id ?? ''
    interrupted = idOf('issue.create')
    unapplied = idOf(COMMENT)
    browser = await launchBrowser()
    page = await browser.open(`${gateway.url}/inspector`)
    await page.getByLabel('Gateway key').fill(SECRETS.chief)
    await page.keyboard.press('Enter')
    await page.locator('.requests').waitFor()
  })
  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]()
    await gateway?.[Symbol.asyncDispose]()
    await sandbox?.close()
    await rm(directory, { recursive: true, force: true })
  })

  /** Makes a call by REST, or by any route. Returns its request id, once the journal has it. */
  async function make(
    id: string,
    input: object,
    { headers = {}, as = 'agent', isFree = false, budget }: MakeOptions = {},
  ): Promise<string> {
    const authorization = `Bearer ${SECRETS[as]}`
    const query = {
      ...(isFree ? {} : { route: 'rest' }),
      ...(budget === undefined ? {} : { token_budget: String(budget) }),
    }
    const options = { headers: { authorization, ...headers }, query }
    const { body, headers: given } = await gateway.call(id, input, options)
    told.set(body.meta.request_id, Number(given.get('signalbox-attempts')))
    return body.meta.request_id
  }

  const write = (title: string, options: MakeOptions = {}) =>
    make('issue.create', { ...REPO, title }, options)

  const CASES: readonly [string, string, () => Promise<Made>][] = [
    ['a plain answer', 'none', async () => [await make('viewer.view', {}), null]],
    [
      'a fallback',
      'none',
      async () => {
        sandbox.faults.set([{ on: { route: 'rest' }, do: { status: 503 }, times: 9 }])
        const id = await make('repo.view', REPO, { isFree: true })
        sandbox.faults.clear()
        return [id, null]
      },
    ],
    [
      'an answer that was too large for its caller',
      'none',
      async () => {
        const id = await make('repo.view', REPO, { isFree: true, budget: 100 })
        expect(await recordOf(id)).toMatchObject({ code: 'TOO_LARGE', http_status: 413 })
        return [id, null]
      },
    ],
    [
      'a replay of an Idempotency-Key',
      'replayed',
      async () => {
        const headers = { 'idempotency-key': 'again-1' }
        const first = await write('Again', { headers })
        return [await write('Again', { headers }), first]
      },
    ],
    [
      'a read that joined another',
      'coalesced',
      async () => {
        sandbox.faults.set([{ on: { method: 'GET' }, do: { delay_ms: 4000 }, times: 1 }])
        sandbox.log.clear()
        const first = make('repo.labels.list', { ...REPO, first: 3 })
        await expect.poll(() => sandbox.log.rows().length, { timeout: 30_000 }).toBe(1)
        const second = make('repo.labels.list', { ...REPO, first: 3 })
        const [source, joined] = await Promise.all([first, second])
        sandbox.faults.clear()
        return [joined, source]
      },
    ],
    [
      'an answer from memory',
      'memory',
      async () => {
        const headers = { 'cache-control': 'max-age=600' }
        const first = await make('issue.list', { ...REPO, first: 2 }, { headers })
        return [await make('issue.list', { ...REPO, first: 2 }, { headers }), first]
      },
    ],
    [
      'an older answer after failures',
      'stale',
      async () => {
        const kept = { 'cache-control': 'max-age=600' }
        const first = await make('issue.list', { ...REPO, first: 4 }, { headers: kept })
        sandbox.faults.set([{ on: { method: 'GET' }, do: { status: 503 }, times: 9 }])
        const headers = { 'cache-control': 'max-age=0, stale-if-error=600' }
        const second = await make('issue.list', { ...REPO, first: 4 }, { headers })
        sandbox.faults.clear()
        return [second, first]
      },
    ],
    [
      'an answer that the upstream confirmed',
      'revalidated',
      async () => {
        const first = await make('repo.view', REPO)
        return [await make('repo.view', REPO), first]
      },
    ],
    [
      'a refusal of the input',
      'refused',
      async () => [await make('repo.view', { owner: 'octo-org' }), null],
    ],
    [
      'a refusal of the key',
      'refused',
      async () => [await write('Not allowed', { as: 'reader' }), null],
    ],
    [
      'a refusal by the limit of the key',
      'refused',
      async () => {
        await make('viewer.view', {}, { as: 'limited' })
        return [await make('viewer.view', {}, { as: 'limited' }), null]
      },
    ],
    ['a call that waits for a person', 'waiting', async () => [await ask('Waiting'), null]],
    [
      'a call that a person approved',
      'sent',
      async () => {
        await ask('Approved')
        await decideFirst({ decision: 'approve' })
        return [await ask('Approved'), null]
      },
    ],
    ['a write whose gateway stopped', 'interrupted', async () => [interrupted, null]],
    [
      'a write found after that',
      'recovered',
      async () => {
        const headers = { 'idempotency-key': 'killed-1' }
        return [await write('Killed', { headers }), interrupted]
      },
    ],
    [
      'a write sent again after that',
      'resent',
      async () => {
        const headers = { 'idempotency-key': 'killed-2' }
        return [await make(COMMENT, SAID, { headers }), unapplied]
      },
    ],
    [
      'a call whose key another request holds',
      'refused',
      async () => {
        const headers = { 'idempotency-key': 'held-1' }
        const first = await write('Held', { headers })
        return [await write('Another', { headers }), first]
      },
    ],
    [
      'a call that a person refused',
      'refused',
      async () => {
        await ask('Refused')
        await decideFirst({ decision: 'refuse', note: 'Not in a freeze.' })
        return [await ask('Refused'), null]
      },
    ],
    [
      'a write whose answer was lost',
      'recovered',
      async () => {
        sandbox.faults.set([{ on: { method: 'POST' }, do: { reset: 'after' }, times: 1 }])
        const lost = await write('Lost')
        sandbox.faults.clear()
        return [lost, null]
      },
    ],
    [
      'a call of a batch without the one that it needs',
      'refused',
      async () => {
        const calls = [
          { id: 'first', capability: 'issue.view', input: { ...REPO, issueNumber: 99_999 } },
          { id: 'then', capability: 'viewer.view', input: {}, needs: ['first'] },
        ]
        const headers = { authorization: `Bearer ${SECRETS.agent}` }
        const { results } = await sendBatch(gateway, { calls }, { headers })
        return [results[1]?.request_id ?? '', results[0]?.request_id ?? '']
      },
    ],
    [
      'a call that an overloaded gateway refused',
      'refused',
      async () => {
        sandbox.faults.set([{ on: { method: 'GET' }, do: { delay_ms: 4000 }, times: MAX_CALLS }])
        sandbox.log.clear()
        const running = Array.from({ length: MAX_CALLS }, (_, n) =>
          make('repo.labels.list', { ...REPO, first: 10 + n }),
        )
        await until(
          async () => sandbox.log.rows().length,
          count => count === MAX_CALLS,
        )
        const id = await make('viewer.view', {})
        await Promise.all(running)
        sandbox.faults.clear()
        return [id, null]
      },
    ],
    [
      'a call that no route had a quota for',
      'refused',
      async () => {
        await useUpQuotas()
        const id = await make('repo.view', REPO, { isFree: true })
        await resetQuotas()
        return [id, null]
      },
    ],
  ]
  /** Decides on the newest approval. */
  async function decideFirst(decision: object): Promise<void> {
    const { body } = await gateway.get('/v1/approvals?status=waiting', CHIEF)
    const url = `${gateway.url}/v1/approvals/${body.data.items[0].approval_id}`
    const headers = { 'content-type': 'application/json', ...CHIEF }
    await fetch(url, { method: 'POST', headers, body: JSON.stringify(decision) })
  }
  async function setQuota(resource: string, remaining: number): Promise<void> {
    const body = { token: 'sandbox-token', resource, remaining, reset_in_s: 600 }
    await fetch(`${sandbox.url}/_sandbox/quota`, { method: 'PUT', body: JSON.stringify(body) })
  }
  /** Uses up the quotas of the sandbox, and lets the gateway learn of each. */
  async function useUpQuotas(): Promise<void> {
    for (const resource of ['core', 'graphql']) {
      await setQuota(resource, 0)
      await make('issue.list', { ...REPO, first: 20 }, { isFree: true })
    }
  }
  async function resetQuotas(): Promise<void> {
    for (const resource of ['core', 'graphql']) await setQuota(resource, 5000)
    const headers = { 'content-type': 'application/json', ...CHIEF }
    const url = `${gateway.url}/v1/upstreams/github/reset`
    expect((await fetch(url, { method: 'POST', headers, body: '{}' })).status).toBe(200)
  }
  const made = new Map<string, string>()
  /** Numbers of attempts in the headers of the answers. */
  const told = new Map<string, number>()
  const ask = (title: string) => write(title, { as: 'asking' })

  test.each(CASES)(
    'of %s shows its form, and no bar for what was not sent',
    async (_, form, run) => {
      const [id, source] = await run()
      made.set(id, form)
      const record = await recordOf(id)
      await page.goto(`${gateway.url}/inspector/requests/${id}`)
      await page.locator('article.request').waitFor()

      expect(await formsOn(page)).toEqual(form === 'none' ? [] : [form])
      await expect.poll(() => linksOn(page)).toEqual(linksOf(record, source))
      const shown = page.locator('.waterfall tbody tr')
      expect(await shown.count()).toBe(record.meta?.attempts.length ?? 0)
      expect(await page.locator('.waterfall tbody .bar').count()).toBe(sentBy(record).length)
      const isBorrowed = record.answer_from?.borrowed === true
      expect(await page.locator('.track').count()).toBe(isBorrowed ? 0 : await shown.count())
      expect(await page.locator('.waterfall tr.verify').count()).toBe(checksOf(record).length)
      expect(await page.getByText('read that checked the write').count()).toBe(
        checksOf(record).length === 1 ? 1 : 0,
      )
      expect(await fatesOn(page)).toEqual(fatesOf(record))
      expect(await seriousIssues(page)).toEqual([])
      await page.setViewportSize({ width: 390, height: 844 })
      expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false)
      await page.setViewportSize({ width: 1440, height: 900 })
    },
  )

  test.each(CASES.map(([name], at) => [name, at] as const))(
    'of %s counts its attempts alike everywhere',
    async (_, at) => {
      const id = [...made.keys()][at] ?? ''
      const count = countedByHand(await recordOf(id))
      const header = told.get(id)
      const counts = {
        ...(await countsAtDoors(gateway, id, CHIEF)),
        ...(await countsOnPages(page, gateway.url, id)),
        // The answer of a call of a batch has no headers of its own, and a gateway that stopped gave none.
        ...(header === undefined ? {} : { 'Signalbox-Attempts': header }),
      }
      expect(counts).toEqual(Object.fromEntries(Object.keys(counts).map(place => [place, count])))
    },
  )

  test.each([
    ['recovered', 'a write that was found', () => interrupted],
    ['resent', 'a write that was sent again', () => unapplied],
  ])('an interrupted request links to the one that settled it: %s, %s', async (form, _, cut) => {
    const settler = [...made].find(([, other]) => other === form)?.[0] ?? ''
    await page.goto(`${gateway.url}/inspector/requests/${cut()}`)
    await page.getByText('The request that settled it').waitFor()
    expect(await linksOn(page)).toEqual([settler])
    expect((await recordOf(settler)).answer_from?.request_id).toBe(cut())
  })

  test('the statistics of the routes count the same attempts', async () => {
    const { body } = await gateway.get('/v1/requests?limit=200', CHIEF)
    // Counters know nothing of the writes that were in flight when their gateway stopped.
    const cut = [interrupted, unapplied]
    const rows = (body.data.items as RequestRow[]).filter(row => !cut.includes(row.request_id))
    const { body: stats } = await gateway.get('/v1/stats', CHIEF)
    const counted = (stats.data.totals as StatsTotal[]).filter(
      ({ route, purpose }) => route !== null && purpose === null,
    )
    const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0)
    const ids = [...new Set(rows.map(row => row.capability_id))]
    expect(ids.length).toBeGreaterThan(3)
    for (const id of ids) {
      const own = rows.filter(row => row.capability_id === id)
      const ofId = counted.filter(total => total.capability_id === id)
      expect([id, sum(ofId.map(total => total.count))]).toEqual([
        id,
        sum(own.map(row => row.attempts)),
      ])
    }
  })

  test('the list has the sign of each form that its rows tell', async () => {
    // Tall enough to draw all rows.
    await page.setViewportSize({ width: 1440, height: 3000 })
    await page.goto(`${gateway.url}/inspector`)
    await page.locator('.requests tbody tr').first().waitFor()
    const signs = await page
      .locator('.requests tr:has([data-form])')
      .evaluateAll(rows =>
        rows.map(row => [
          row.querySelector('a')?.getAttribute('href')?.split('/').at(-1) ?? '',
          row.querySelector('[data-form]')?.getAttribute('data-form') ?? '',
        ]),
      )
    const shown = new Map(signs as [string, string][])
    for (const [id, form] of made) {
      expect([id, shown.get(id)]).toEqual([id, SIGNS[form]])
    }
  })

  test('hides the request of another caller that an answer comes from', async () => {
    const input = { ...REPO, issueNumber: 1 }
    const first = await make('issue.view', input, { as: 'agent' })
    const second = await make('issue.view', input, { as: 'reader' })
    const read = async (name: keyof typeof SECRETS) => {
      const headers = { authorization: `Bearer ${SECRETS[name]}` }
      return (await gateway.get(`/v1/requests/${second}`, headers)).body.data.answer_from
    }
    expect(await read('chief')).toEqual({ how: 'revalidated', request_id: first, borrowed: false })
    expect(await read('reader')).toEqual({ how: 'revalidated', request_id: null, borrowed: false })
  })

  test('violates no policy', () => {
    // The page asks for the key after a first answer of 401.
    expect(browser.complaints.filter(complaint => !complaint.includes('401'))).toEqual([])
  })

  async function recordOf(id: string): Promise<RequestDetail> {
    return (await gateway.get(`/v1/requests/${id}`, CHIEF)).body.data
  }
})

/** Kills a gateway while two writes are on their way. Makes one of them after all, as a service would. */
async function killDuringWrite(sandbox: Sandbox, env: Record<string, string>): Promise<void> {
  const SIGNALBOX_KEYS = `agent:${SECRETS.agent}`
  const doomed = await startGatewayProcess({ ...env, SIGNALBOX_KEYS })
  sandbox.faults.set([
    { on: { method: 'POST', path: '/issues$' }, do: { reset: 'after' } },
    { on: { method: 'POST', path: '/comments$' }, do: { hang: true } },
    { on: { method: 'GET' }, do: { hang: true }, times: 9 },
  ])
  const send = (id: string, key: string, input: object) =>
    fetch(`${doomed.url}/v1/capabilities/${id}?route=rest`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${SECRETS.agent}`,
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      body: JSON.stringify(input),
    }).catch(() => 'cut off')
  const cut = [
    send('issue.create', 'killed-1', { ...REPO, title: 'Killed' }),
    send(COMMENT, 'killed-2', SAID),
  ]
  await until(
    async () => sandbox.log.rows().filter(({ method }) => method === 'POST').length,
    count => count > 1,
  )
  await doomed.end('SIGKILL')
  await Promise.all(cut)
  sandbox.faults.clear()
}

function formsOn(page: Page): Promise<string[]> {
  return page.locator('[data-form]').evaluateAll(all => all.map(one => one.dataset.form ?? ''))
}

/** The ids that the picture links to. */
function linksOn(page: Page): Promise<string[]> {
  return page.locator('.source a').allTextContents()
}

function linksOf({ meta, error }: RequestDetail, source: string | null): string[] {
  const approval = meta?.approval_id ?? (error?.details.approval_id as string | undefined)
  return [source, approval].flatMap(id => id ?? [])
}

function attemptsOf({ meta }: RequestDetail) {
  return meta?.attempts ?? []
}

/** The attempts by which this request sent anything. */
function sentBy(record: RequestDetail) {
  if (record.answer_from?.borrowed) return []
  return attemptsOf(record).filter(
    ({ status, upstream_requests }) => status !== 'skipped' && upstream_requests !== 0,
  )
}

function checksOf(record: RequestDetail) {
  return attemptsOf(record).filter(({ purpose }) => purpose === 'verify')
}

function fatesOn(page: Page): Promise<string[]> {
  return page.locator('.plan tbody tr:not(.skipped) td:nth-child(2)').allTextContents()
}

/** The candidates that the record has no attempt of were not needed, or were given up. */
function fatesOf(record: RequestDetail): string[] {
  const own = record.answer_from?.borrowed
    ? []
    : attemptsOf(record).filter(({ purpose }) => purpose === undefined)
  return (record.plan?.candidates ?? []).map(({ route }, at) => {
    if (own.some(attempt => attempt.route === route))
      return at === 0 ? 'tried first' : 'fell back to'
    return record.ok || record.code === 'TOO_LARGE' ? 'not needed' : 'not tried'
  })
}
