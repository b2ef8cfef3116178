import { expect, onTestFinished, test } from 'vitest'
import { createSandbox } from '../../sandbox/index.ts'
import { openCredentials } from '../../src/credentials/open.ts'
import type { ServiceApi } from '../../src/credentials/source.ts'
import { NEVER } from '../../src/lib/signal.ts'
import { startWithApp } from '../support/app-gateway.ts'
import { load } from '../support/app-load.ts'
import { APP_ID, installApp, keyPair } from '../support/github-app.ts'

test('tokens of an app are renewed under load before they end, once each', {
  timeout: 60_000,
}, async () => {
  const started = await startWithApp({ tokenLifeMs: 2000 })
  const { failures, asked, made } = await load(started, { seconds: 4, perSecond: 10 })
  expect(failures).toEqual([])
  expect(made).toBe(asked)
  expect(started.renewals()).toBeLessThanOrEqual(5)
  const { credentials } = (await started.gateway.get('/v1/upstreams')).body.data.items[0]
  expect(credentials).toEqual([
    {
      credential: 'github:default@octo-org',
      status: 'works',
      message: null,
      expires_at: expect.stringMatching(/^\d{4}-/),
      scopes: ['contents:write', 'issues:write', 'metadata:read'],
      issued: started.renewals(),
    },
  ])
})

/** The credentials of an app whose gateway has a clock that is wrong. */
async function wrongBy(ms: number) {
  const sandbox = await createSandbox()
  onTestFinished(sandbox.close)
  installApp(sandbox)
  const api: ServiceApi = {
    origin: sandbox.url,
    async ask({ path, ...request }) {
      const answer = await fetch(`${sandbox.url}${path}`, request)
      const headers = Object.fromEntries(answer.headers)
      return { ok: true, status: answer.status, headers, text: await answer.text() }
    },
  }
  const env = { KEY: keyPair().privateKey.replaceAll('\n', String.raw`\n`) }
  const app = { app_id: APP_ID, private_key: { env: 'KEY' }, installation: 'octo-org' }
  const declared = {
    upstream: 'github',
    credentials: { default: { token: { github_app: app } } },
    passthrough: null,
  }
  return openCredentials(declared, { env, now: () => Date.now() + ms, directory: () => '.', api })
}

test.each([
  [3_600_000, /3[56]\d\d s ahead of/],
  [-3_600_000, /3[56]\d\d s behind/],
])('a clock that is wrong by %i ms is corrected, and reported', async (ms, words) => {
  const credentials = await wrongBy(ms)
  onTestFinished(() => credentials.close())
  const credential = await credentials.choose(null)?.open([['token']], NEVER)
  expect(credential?.token).toMatch(/^ghs_/)
  const [status] = credentials.statuses()
  expect(status?.standing?.note).toMatch(words)
  const end = (status?.standing?.expiresAt ?? 0) - (Date.now() + ms)
  expect(Math.round(end / 60_000)).toBe(60)
})
