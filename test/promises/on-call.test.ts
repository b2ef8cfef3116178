import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { prometheus } from '../support/parts.ts'
import { type PrometheusServer, startPrometheus } from '../support/prometheus.ts'
import { until } from '../support/until.ts'

interface Panel {
  readonly title: string
  readonly type: string
  readonly targets?: readonly { readonly expr: string }[]
}

const OBSERVABILITY = new URL('../../docker/observability/', import.meta.url)
const { panels } = JSON.parse(
  readFileSync(new URL('grafana/signalbox.json', OBSERVABILITY), 'utf8'),
) as { readonly panels: readonly Panel[] }
const QUERIES = panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr }) => [title, expr] as const),
)

const AGENT = { authorization: 'Bearer agent-key-of-no-value' }
const SCRAPER = 'prometheus-key-of-no-value'
const REPOSITORY = { owner: 'octo-org', name: 'hello-world' }

/** From the first failure of a route to the alert. */
const SHOWN_WITHIN_MS = 60_000

describe.skipIf(!prometheus.available)(
  'a Prometheus that watches a gateway with a broken route',
  () => {
    let gateway: TestGateway
    let server: PrometheusServer
    const stopped = new AbortController()
    let traffic: Promise<void>
    let brokenAt = 0

    beforeAll(async () => {
      gateway = await startTestGateway({
        env: { SIGNALBOX_KEYS: `agent:agent-key-of-no-value,prometheus:${SCRAPER}:metrics` },
      })
      server = await startPrometheus({
        job: 'signalbox',
        target: new URL(gateway.url).host,
        key: SCRAPER,
        rules: readFileSync(new URL('alert-rules.yaml', OBSERVABILITY), 'utf8'),
      })
      endTokensInAWeek(gateway)
      await readTwice(gateway)
      await loseAWrite(gateway)
      gateway.sandbox.faults.set([
        { on: { route: 'rest' }, do: { status: 503 }, times: 10_000 },
        { on: { route: 'graphql' }, do: { status: 503 }, times: 1 },
      ])
      brokenAt = Date.now()
      traffic = sendTraffic(gateway, stopped.signal)
      await until(
        () => server.query('sum(rate(signalbox_retries_total[10s]))'),
        found => found.length > 0,
      )
    })
    afterAll(async () => {
      stopped.abort()
      await traffic
      await server[Symbol.asyncDispose]()
      await gateway[Symbol.asyncDispose]()
    })

    test.each(QUERIES)(
      'the dashboard has data for "%s": %s',
      async (_title, expr) => {
        const query = expr.replaceAll('$__rate_interval', '20s').replaceAll('$instance', '.*')
        const found = await until(
          () => server.query(query),
          result => result.some(({ value: [, value] }) => Number.isFinite(Number(value))),
        )
        expect(found.length).toBeGreaterThan(0)
      },
      40_000,
    )

    test('the alert says within a minute which route it is', async () => {
      const firing = await until(
        () => server.query('ALERTS{alertname="RouteFails", alertstate="firing"}'),
        found => found.length > 0,
        SHOWN_WITHIN_MS,
      )
      expect(Date.now() - brokenAt).toBeLessThan(SHOWN_WITHIN_MS)
      expect(firing.map(({ metric }) => `${metric.upstream} ${metric.route}`)).toEqual([
        'github rest',
      ])
    })
  },
)

/** As on GitHub, each answer then says when. */
function endTokensInAWeek({ sandbox }: TestGateway): void {
  const token = sandbox.store.tokens.find('sandbox-token')
  if (token) token.expiresAt = Date.now() + 7 * 86_400_000
}

/** The second time from memory. A write of unknown outcome keeps reads out of it for a while, so this comes first. */
async function readTwice(gateway: TestGateway): Promise<void> {
  for (const query of [1, 2].map(() => ({ max_age_ms: '600000' }))) {
    await gateway.call('repo.view', REPOSITORY, { headers: AGENT, query })
  }
}

/** An issue whose answer is lost, while nothing can be asked about it. */
async function loseAWrite(gateway: TestGateway): Promise<void> {
  gateway.sandbox.faults.set([
    { on: { route: 'rest' }, do: { reset: 'after' }, times: 1 },
    { on: { route: 'rest' }, do: { status: 503 }, times: 50 },
    { on: { route: 'graphql' }, do: { status: 503 }, times: 50 },
  ])
  const input = { ...REPOSITORY, title: 'Lost' }
  const { body } = await gateway.call('issue.create', input, {
    headers: AGENT,
    query: { route: 'rest' },
  })
  expect(body.error).toMatchObject({ write_outcome: 'unknown' })
}

async function sendTraffic(gateway: TestGateway, signal: AbortSignal): Promise<void> {
  const issue = { ...REPOSITORY, issueNumber: 1 }
  for (let n = 0; !signal.aborted; n++) {
    await gateway.call('repo.view', REPOSITORY, { headers: AGENT })
    if (n % 5 === 0) {
      await gateway.call('issue.list', REPOSITORY, { headers: AGENT, query: { route: 'cli' } })
      await gateway.call('issue.view', issue, { headers: AGENT, query: { route: 'graphql' } })
    }
    await delay(200)
  }
}
