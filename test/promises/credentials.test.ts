import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { postgres, redis } from '../support/parts.ts'
import { startPostgres, type TestPostgres } from '../support/postgres.ts'
import { startRedis, type TestRedis } from '../support/redis.ts'

type Env = Readonly<Record<string, string>>

const repo = { owner: 'octo-org', name: 'hello-world' }
const issue = { ...repo, title: 'Made once' }

const directories: string[] = []
let database: TestPostgres
let state: TestRedis
beforeAll(async () => {
  if (postgres.available) database = await startPostgres()
  if (redis.available) state = await startRedis()
})
afterAll(async () => {
  for (const one of directories) rmSync(one, { recursive: true, force: true })
  await Promise.all([postgres.available && database.remove(), redis.available && state.remove()])
})

function sqliteFile(): Env {
  const directory = mkdtempSync(join(tmpdir(), 'sb-'))
  directories.push(directory)
  return { SIGNALBOX_JOURNAL: join(directory, 'journal.sqlite') }
}

/** Each store, by the settings of a new one, and whether it outlives the gateway. */
const STORES = [
  ['memory', async () => ({ SIGNALBOX_JOURNAL: ':memory:' }), true, false],
  ['SQLite', async () => sqliteFile(), true, true],
  [
    'PostgreSQL',
    async () => ({ SIGNALBOX_JOURNAL: await database.createDatabase() }),
    postgres.available,
    true,
  ],
  [
    'Redis',
    async () => ({ ...sqliteFile(), SIGNALBOX_STATE: state.createDatabase() }),
    redis.available,
    true,
  ],
] satisfies [string, () => Promise<Env>, boolean, boolean][]

/** Starts a gateway whose GitHub knows the tokens. */
async function start(env: Env, ...tokens: string[]): Promise<TestGateway> {
  const gateway = await startTestGateway({ env })
  const { accounts, tokens: known } = gateway.sandbox.store
  const user = accounts.findUser('octocat')
  if (!user) throw new Error('the seed has octocat')
  for (const token of tokens) known.add({ token, user })
  return gateway
}

const passing = (token: string) => ({ 'x-upstream-authorization': `Bearer ${token}` })
const writesTo = ({ sandbox }: TestGateway) =>
  sandbox.log.rows().filter(({ method, applied }) => method === 'POST' && applied).length

const CREDENTIALS = [
  ['the own one', {}, {}, 'replayed'],
  ['one of a caller', passing('first-token'), passing('first-token'), 'replayed'],
  ['the own one, then one of a caller', {}, passing('first-token'), 'refused'],
  ['one of a caller, then the own one', passing('first-token'), {}, 'refused'],
  ['one of a caller, then another one', passing('first-token'), passing('second-token'), 'refused'],
] as const

describe.each(STORES)('an Idempotency-Key in %s', (_, settings, isAvailable, isDurable) => {
  describe.runIf(isAvailable)('with', () => {
    let gateway: TestGateway
    beforeAll(async () => {
      gateway = await start(await settings(), 'first-token', 'second-token')
    })
    afterAll(() => gateway[Symbol.asyncDispose]())

    test.each(CREDENTIALS)('%s', async (name, first, second, expected) => {
      const key = { 'idempotency-key': name.replaceAll(/\W+/g, '-') }
      const made = await gateway.call('issue.create', issue, { headers: { ...key, ...first } })
      expect(made.body.ok).toBe(true)
      const count = writesTo(gateway)
      const again = await gateway.call('issue.create', issue, { headers: { ...key, ...second } })
      expect(writesTo(gateway)).toBe(count)
      if (expected === 'replayed') {
        expect(again.body).toMatchObject({ ok: true, meta: { reason: 'IDEMPOTENT_REPLAY' } })
        expect(again.body.data).toEqual(made.body.data)
        return
      }
      expect(again.status).toBe(422)
      expect(again.body).toMatchObject({
        data: null,
        error: { code: 'VALIDATION', write_outcome: 'not_applied' },
      })
      expect(JSON.stringify(again.body)).not.toContain(made.body.data.url)
    })
  })

  test.runIf(isAvailable && isDurable)('survives a renewed token', async () => {
    const env = await settings()
    const options = { headers: { 'idempotency-key': 'renewed' } }
    const before = await start(env)
    const made = await before.call('issue.create', issue, options)
    await before[Symbol.asyncDispose]()
    await using after = await start({ ...env, GITHUB_TOKEN: 'renewed-token' }, 'renewed-token')
    const again = await after.call('issue.create', issue, options)
    expect(again.body).toMatchObject({ ok: true, meta: { reason: 'IDEMPOTENT_REPLAY' } })
    expect(again.body.data).toEqual(made.body.data)
    expect(writesTo(after)).toBe(0)
  })
})

test('quotas and ETags belong to a credential and not to its token', async () => {
  await using gateway = await start({ SIGNALBOX_JOURNAL: ':memory:' }, 'first-token')
  const reasonOf = async (headers: Record<string, string>) =>
    (await gateway.call('repo.view', repo, { headers, query: { route: 'rest' } })).body.meta.reason
  expect(await reasonOf({})).not.toBe('REVALIDATED')
  expect(await reasonOf({})).toBe('REVALIDATED')
  expect(await reasonOf(passing('first-token'))).not.toBe('REVALIDATED')
  const owners = gateway.engine.state.pools.all().map(({ credential }) => credential)
  expect(new Set(owners)).toEqual(
    new Set(['github:default', expect.stringMatching(/^[0-9a-f]{12}$/)]),
  )
})
