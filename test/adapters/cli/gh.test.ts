import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CliCardSection } from '../../../adapters/cli/schema.ts'
import { createSandbox, type Fault, SANDBOX_TOKEN, type Sandbox } from '../../../sandbox/index.ts'
import type { Failure } from '../../../src/model/failure.ts'
import type { Reply } from '../../../src/model/reply.ts'
import { tokenCredential } from '../../support/credentials.ts'
import { gh } from '../../support/parts.ts'
import { type CallOptions, connectTo, type TestConnection } from './connected.ts'

/** One REST request with status and headers, as the GitHub cards make it. */
const API: Partial<CliCardSection> = {
  command: ['api'],
  options: { include: true, method: 'input.method' },
  positionals: ["uri('{+path}', {path: input.path})"],
  stdin: 'input.body',
  parse: 'http',
}

describe.skipIf(!gh.available)('the real gh', () => {
  let sandbox: Sandbox
  let test: TestConnection
  let directory: string

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'gh-'))
    const socketPath = join(directory, 'gh.sock')
    sandbox = await createSandbox({ socketPath })
    await writeFile(join(directory, 'config.yml'), `http_unix_socket: ${socketPath}\n`)
    const env = { GH_TOKEN: '${credential}', GH_CONFIG_DIR: directory }
    test = connectTo('gh', { env, min_version: '2.20.0' })
  })
  afterAll(async () => {
    await test.connection.close()
    await sandbox.close()
    await rm(directory, { recursive: true })
  })
  beforeEach(() => sandbox.reset())

  const api = (path: string, options: CallOptions = {}): Promise<Reply> =>
    test.call(API, {
      input: { method: 'GET', path },
      credential: tokenCredential(SANDBOX_TOKEN),
      ...options,
    })
  const failureOf = async (reply: Promise<Reply>): Promise<Failure> => {
    const settled = await reply
    if (settled.ok) throw new Error('unexpected success')
    return settled.failure
  }
  const fault = (action: Fault['do'], times = 1) =>
    sandbox.faults.set([{ on: { route: 'rest' }, do: action, times }])

  it('answers with status, headers and quota', async () => {
    const reply = await api('user')
    expect(reply).toMatchObject({
      ok: true,
      status: 200,
      headers: { 'x-github-request-id': expect.any(String) },
      body: { login: expect.any(String) },
      exchange: { upstreamStatus: 200, quota: { pool: 'core', remaining: expect.any(Number) } },
    })
  })

  it('reports a missing repository as NOT_FOUND, with the message of the API', async () => {
    expect(await failureOf(api('repos/nobody/nothing'))).toMatchObject({
      code: 'NOT_FOUND',
      message: 'gh answered 404: Not Found',
    })
  })

  it('reports a wrong token as a failure of every route, and a missing one as its own', async () => {
    const credential = tokenCredential('a-wrong-token')
    expect(await failureOf(api('user', { credential }))).toMatchObject({
      code: 'AUTH',
      fallback: false,
      sharedFate: 'credential',
    })
    expect(await failureOf(api('user', { credential: null }))).toMatchObject({
      code: 'AUTH',
      fallback: true,
      writeOutcome: 'not_applied',
    })
  })

  it('reads the wait from rate limit headers', async () => {
    fault({ rate_limit: 'primary' })
    const limited = await failureOf(api('user'))
    expect(limited).toMatchObject({ code: 'RATE_LIMIT', fallback: true, sharedFate: 'pool' })
    expect(limited.retryAfterSource).toBe('reset')
    fault({ rate_limit: 'secondary' })
    expect(await failureOf(api('user'))).toMatchObject({ code: 'RATE_LIMIT', fallback: false })
  })

  it.each([
    ['a bad gateway', { status: 502 }, 'SERVER', 'unknown'],
    ['a connection that is reset', { reset: 'before' }, 'NETWORK', 'unknown'],
    ['a success that is cut off', { truncate: 20 }, 'OUTPUT_INVALID', 'applied'],
  ] as const)(
    'knows the outcome of a write that meets %s',
    async (_, action, code, writeOutcome) => {
      fault(action)
      const reply = api('user', { effect: 'write' })
      expect(await failureOf(reply)).toMatchObject({ code, writeOutcome })
    },
  )

  it('is stopped at the deadline when the API hangs', async () => {
    fault({ hang: true })
    const signal = AbortSignal.timeout(700)
    expect(await failureOf(api('user', { signal }))).toMatchObject({ code: 'TIMEOUT' })
  })

  it('classifies a GraphQL error by its type', async () => {
    const query = '{ repository(owner: "nobody", name: "rate-limit") { id } }'
    const card = { ...API, options: { include: true, 'raw-field': 'input.field' } }
    const reply = test.call(card, {
      input: { path: 'graphql', field: `query=${query}` },
      credential: tokenCredential(SANDBOX_TOKEN),
    })
    expect(await failureOf(reply)).toMatchObject({ code: 'NOT_FOUND', retryable: false })
  })
})
