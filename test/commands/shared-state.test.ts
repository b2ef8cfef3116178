import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { githubEnv } from '../support/github.ts'
import { redis } from '../support/parts.ts'
import { startRedis, type TestRedis } from '../support/redis.ts'
import { runHere } from './support/run-here.ts'
import { temporaryDirectory } from './support/signalbox.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const repo = { owner: 'octo-org', name: 'hello-world' }
const issue = { ...repo, issueNumber: 3 }
const change = (title: string) => ({ capability: 'issue.update', input: { ...issue, title } })

/** A way to make a call by a command, without an Idempotency-Key. */
type Make = (
  run: (args: readonly string[]) => Promise<string>,
  call: { readonly capability: string; readonly input: object; readonly max_age_ms?: number },
) => Promise<{ readonly meta: { readonly reason: string } }>

const COMMANDS: Readonly<Record<string, Make>> = {
  call: async (run, { capability, input, max_age_ms }) => {
    const words = Object.entries(input).map(([name, value]) => `${name}=${value}`)
    const age = max_age_ms === undefined ? [] : ['--max-age-ms', String(max_age_ms)]
    return JSON.parse(await run(['call', capability, ...words, ...age]))
  },
  batch: async (run, call) => {
    await using directory = await temporaryDirectory()
    const file = join(directory.path, 'batch.json')
    await writeFile(file, JSON.stringify({ calls: [call] }))
    return JSON.parse(await run(['batch', file])).data.results[0].envelope
  },
}

describe.runIf(redis.available)('a command shares the Redis of the settings', () => {
  let server: TestRedis
  let gateway: TestGateway
  let env: Readonly<Record<string, string>>
  beforeAll(async () => {
    server = await startRedis()
    const state = { SIGNALBOX_STATE: server.createDatabase() }
    gateway = await startTestGateway({ env: state })
    env = { ...githubEnv(gateway.sandbox.url), SIGNALBOX_JOURNAL: ':memory:', ...state }
  })
  afterAll(async () => {
    await gateway[Symbol.asyncDispose]()
    await server.remove()
  })

  const run = async (args: readonly string[]) => (await runHere(args, env)).stdout
  const read = async () =>
    (await gateway.call('issue.view', issue, { query: { max_age_ms: '600000' } })).body

  test.each(Object.keys(COMMANDS))('%s takes an answer that a gateway has kept', async command => {
    await read()
    const kept = { capability: 'issue.view', input: issue, max_age_ms: 600_000 }
    expect((await COMMANDS[command]?.(run, kept))?.meta.reason).toBe('CACHE_HIT')
  })

  test.each(Object.keys(COMMANDS))(
    'a change by %s drops what gateways have kept',
    async command => {
      await read()
      expect((await read()).meta.reason).toBe('CACHE_HIT')
      await COMMANDS[command]?.(run, change(`By ${command}`))
      expect((await read()).data.title).toBe(`By ${command}`)
    },
  )

  test('explain says that a gateway has kept the answer', async () => {
    await read()
    const words = Object.entries(issue).map(([name, value]) => `${name}=${value}`)
    const plan = JSON.parse(
      await run(['explain', 'issue.view', ...words, '--max-age-ms', '600000']),
    )
    expect(plan.memory).toMatchObject({ answers: 'yes' })
  })
})
