import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { createInProcessRunner } from '../../../adapters/cli/run-process.ts'
import { createHelperRunner } from '../../../adapters/cli/spawn-client.ts'
import { GatewayError } from '../../../src/model/errors.ts'
import type { Failure } from '../../../src/model/failure.ts'
import type { Reply } from '../../../src/model/reply.ts'
import { tokenCredential } from '../../support/credentials.ts'
import { compiler, connectTo, fixture, processesWith, type TestConnection } from './connected.ts'

const RUNNERS = [
  ['in this process', createInProcessRunner],
  ['by a helper process', createHelperRunner],
] as const

describe.each(RUNNERS)('a program run %s', (_, createRunner) => {
  /** `mark` is in the environment of every process of the connection, so that the test can find them. */
  function connect(name: string, section = {}): TestConnection & { mark: string } {
    const mark = randomUUID()
    return {
      mark,
      ...connectTo(fixture(name), { env: { MARK: mark }, ...section }, createRunner),
    }
  }

  async function expectRunning(mark: string): Promise<void> {
    await expect.poll(() => processesWith(mark)).not.toEqual([])
  }

  async function expectNoneLeft(mark: string): Promise<void> {
    await expect.poll(() => processesWith(mark)).toEqual([])
  }

  it('that never ends gets its reply at the deadline and is killed', async () => {
    await using test = connect('forever')
    const started = performance.now()
    const failure = failureOf(await test.call({}, { signal: AbortSignal.timeout(200) }))
    expect(failure).toMatchObject({ code: 'TIMEOUT', retryable: true, writeOutcome: 'unknown' })
    expect(performance.now() - started).toBeLessThan(2000)
    await expectNoneLeft(test.mark)
  })

  it('that ignores SIGTERM gets its reply at the deadline and is killed after the grace period', async () => {
    await using test = connect('ignores-sigterm', { grace_ms: 100 })
    const failure = failureOf(await test.call({}, { signal: AbortSignal.timeout(200) }))
    expect(failure.code).toBe('TIMEOUT')
    await expectNoneLeft(test.mark)
  })

  it('whose caller leaves is CANCELLED', async () => {
    await using test = connect('forever')
    const caller = new AbortController()
    const reply = test.call({}, { signal: caller.signal, effect: 'write' })
    await expectRunning(test.mark)
    caller.abort(new Error('the caller left'))
    expect(failureOf(await reply)).toMatchObject({ code: 'CANCELLED', writeOutcome: 'unknown' })
    await expectNoneLeft(test.mark)
  })

  it('that is aborted with a gateway error of code TIMEOUT is TIMEOUT', async () => {
    await using test = connect('forever')
    const deadline = new AbortController()
    const reply = test.call({}, { signal: deadline.signal })
    await expectRunning(test.mark)
    deadline.abort(new GatewayError('TIMEOUT', 'time is up'))
    expect(failureOf(await reply).code).toBe('TIMEOUT')
  })

  it('is not started if the caller has already left, so nothing was applied', async () => {
    await using test = connect('forever')
    const failure = failureOf(await test.call({}, { signal: AbortSignal.abort(), effect: 'write' }))
    expect(failure).toMatchObject({ code: 'CANCELLED', writeOutcome: 'not_applied' })
  })

  it('has its grandchildren killed, although they hold the pipe', async () => {
    await using test = connect('leaves-grandchild')
    const reply = await test.call({}, { signal: AbortSignal.timeout(5000) })
    expect(bodyOf(reply)).toEqual({ left: true })
    await expectNoneLeft(test.mark)
  })

  it('gets its reply although a process that escaped its group holds the pipe', async () => {
    await using test = connect('escapes')
    const reply = await test.call({}, { signal: AbortSignal.timeout(2500) })
    expect(bodyOf(reply)).toEqual({ escaped: true })
  })

  it('that prints too much is stopped at the limit, and memory stays bounded', async () => {
    await using test = connect('floods', { max_output_bytes: 1_000_000 })
    const before = process.memoryUsage().rss
    const failure = failureOf(await test.call({ parse: 'text' }))
    expect(failure).toMatchObject({ code: 'TOO_LARGE', writeOutcome: 'unknown', fallback: true })
    expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000)
    await expectNoneLeft(test.mark)
  })

  it('has no terminal and no input to prompt on', async () => {
    await using test = connect('prompts')
    expect(bodyOf(await test.call())).toEqual({ terminal: false, input: false })
  })

  it('that crashes is reported with its signal', async () => {
    await using test = connect('prints')
    const options = { signal: "'SEGV'" }
    expect(failureOf(await test.call({ options }))).toMatchObject({
      code: 'UNKNOWN',
      retryable: false,
      message: 'prints crashed (SIGSEGV).',
    })
  })

  it('that does not read its input is judged by its exit code, not by the broken pipe', async () => {
    await using test = connect('prints')
    const card = { options: { err: "'release not found'", exit: '`1`' }, stdin: 'input.text' }
    const failure = failureOf(await test.call(card, { input: { text: 'x'.repeat(2_000_000) } }))
    expect(failure).toMatchObject({ code: 'NOT_FOUND', message: 'release not found' })
  })

  it("has a private home and only PATH of the gateway's environment", async () => {
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'leak')
    vi.stubEnv('GH_FORCE_TTY', '1')
    await using test = connect('prints-environment')
    const { environment, directory } = bodyOf(await test.call()) as {
      environment: Record<string, string>
      directory: string
    }
    expect(Object.keys(environment).toSorted()).toEqual(ENVIRONMENT)
    expect(environment).toMatchObject({ HOME: directory, TMPDIR: directory, MARK: test.mark })
    vi.unstubAllEnvs()
  })

  it('gets the credential only in the variables that name it, and those only with a credential', async () => {
    const env = { TOKEN: '${credential}', HEADER: 'Bearer ${credential}', EMPTY: '' }
    await using test = connect('prints-environment', { env })
    const credential = tokenCredential('$&key')
    expect(environmentOf(await test.call({}, { credential }))).toMatchObject({
      TOKEN: '$&key',
      HEADER: 'Bearer $&key',
    })
    const without = Object.keys(environmentOf(await test.call()))
    expect(without.filter(name => ['TOKEN', 'HEADER', 'EMPTY'].includes(name))).toEqual([])
  })

  it('leaves no home behind when the connection is closed', async () => {
    const test = connect('prints-environment')
    const { HOME } = environmentOf(await test.call())
    await test.connection.close()
    expect(existsSync(HOME ?? '/')).toBe(false)
  })

  it('is killed when the connection is closed', async () => {
    const test = connect('forever')
    const reply = test.call()
    await vi.waitFor(() => expect(processesWith(test.mark)).not.toEqual([]), 10_000)
    await test.connection.close()
    expect(failureOf(await reply).code).toBe('CANCELLED')
    await expectNoneLeft(test.mark)
  })

  it('is not started after a cut, also if it waited for its turn', async () => {
    await using test = connect('forever', { max_processes: 1, max_queue: 2 })
    const write = () => test.call({}, { effect: 'write', signal: AbortSignal.timeout(2000) })
    const replies = [write(), write()]
    await expectRunning(test.mark)
    test.connection.cut?.()
    replies.push(write())
    const [first, ...others] = await Promise.all(replies)
    expect(failureOf(first as Reply).writeOutcome).toBe('unknown')
    for (const reply of others)
      expect(failureOf(reply)).toMatchObject({ code: 'CANCELLED', writeOutcome: 'not_applied' })
    await expectNoneLeft(test.mark)
  })

  it('waits for its turn, and is refused when too many wait', async () => {
    await using test = connect('forever', { max_processes: 1, max_queue: 1 })
    const caller = new AbortController()
    const replies = [1, 2, 3].map(() => test.call({}, { signal: caller.signal, effect: 'write' }))
    expect(failureOf(await (replies[2] as Promise<Reply>))).toMatchObject({
      code: 'SERVER',
      retryable: true,
      writeOutcome: 'not_applied',
      retryAfterMs: 1000,
    })
    caller.abort()
    const [first, second] = await Promise.all(replies)
    expect(failureOf(first as Reply).code).toBe('CANCELLED')
    expect(failureOf(second as Reply)).toMatchObject({
      code: 'CANCELLED',
      writeOutcome: 'not_applied',
    })
  })
})

describe('availability', () => {
  it('names the missing program and how to get it', async () => {
    await using test = connectTo('no-such-program')
    const call = test.connection.compile({ command: [] }, compiler)
    expect(await call.unavailable()).toMatchObject({
      reason: 'CLI_NOT_AVAILABLE',
      fix: expect.stringContaining('Install no-such-program'),
    })
    expect(failureOf(await test.call())).toMatchObject({
      code: 'ADAPTER_UNSUPPORTED',
      fallback: true,
      writeOutcome: 'not_applied',
    })
  })

  it('asks for the version once for any number of cards', async () => {
    const asked = join(await mkdtemp(join(tmpdir(), 'asked-')), 'asked')
    await using test = connectTo(fixture('has-version'), { env: { ASKED: asked } })
    const needs = (min_version: string) =>
      test.connection.compile({ command: [], min_version }, compiler)
    const [good, bad] = [needs('2.20.0'), needs('2.24')]
    expect(await Promise.all([good.unavailable(), bad.unavailable()])).toMatchObject([
      null,
      { reason: 'ADAPTER_UNSUPPORTED', message: expect.stringContaining('≥ 2.24, found 2.23.0') },
    ])
    expect(good.unavailable()).toBeNull()
    expect(await readFile(asked, 'utf8')).toBe('asked\n')
  })
})

const ENVIRONMENT = [
  'CLICOLOR_FORCE',
  'GH_NO_UPDATE_NOTIFIER',
  'GH_PROMPT_DISABLED',
  'GIT_TERMINAL_PROMPT',
  'HOME',
  'LANG',
  'LC_ALL',
  'MARK',
  'NO_COLOR',
  'PAGER',
  'PATH',
  'TERM',
  'TMPDIR',
  'XDG_CACHE_HOME',
  'XDG_CONFIG_HOME',
  'XDG_DATA_HOME',
  'XDG_RUNTIME_DIR',
  'XDG_STATE_HOME',
]

function failureOf(reply: Reply): Failure {
  if (reply.ok) throw new Error(`unexpected success: ${JSON.stringify(reply.body)}`)
  return reply.failure
}

function bodyOf(reply: Reply): unknown {
  if (!reply.ok) throw new Error(`unexpected failure: ${JSON.stringify(reply.failure)}`)
  return reply.body
}

function environmentOf(reply: Reply): Record<string, string> {
  return (bodyOf(reply) as { environment: Record<string, string> }).environment
}
