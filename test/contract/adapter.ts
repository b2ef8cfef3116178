import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSectionCompiler } from '../../src/cards/section.ts'
import type { Problem } from '../../src/lib/problem.ts'
import type { Adapter, CallContext, Connection, SectionCompiler } from '../../src/model/adapter.ts'
import type { Failure } from '../../src/model/failure.ts'
import type { Reply } from '../../src/model/reply.ts'
import type { Effect } from '../../src/model/route.ts'
import { SHORT_FORM, tokenCredential } from '../support/credentials.ts'

/**
 * The contract of every adapter. A suite names the adapter and starts a world for it: an upstream that
 * really runs (a server on port 0, an executable), the section of `upstream.yaml` that points at it, and
 * card sections that make it behave in the ways listed below.
 *
 *     adapterContract('rest', startRestWorld)
 */
export interface AdapterWorld extends AsyncDisposable {
  readonly adapter: Adapter
  /** Section of `upstream.yaml`; it caps answers at `answerLimit` bytes and sends `${credential}`. */
  readonly upstream: unknown
  readonly answerLimit: number
  readonly cards: {
    /** Sends `input.value` as data and answers `{"value": <input.value>}`. */
    readonly echo: unknown
    /** Answers `{"credential": <the credential it received, or null>}`. */
    readonly whoami: unknown
    /** Accepts the call and never answers. */
    readonly hang: unknown
    /** Answers with more than `answerLimit` bytes. */
    readonly flood: unknown
    /** Fails with a message that contains the credential. */
    readonly blab: unknown
    /** Takes a change and dies, with `input.value` as its last words if it can say any. */
    readonly dies: unknown
    /** An upstream that does not exist: nothing listens, or no such program. Null if tested elsewhere. */
    readonly absent: { readonly upstream: unknown; readonly card: unknown } | null
  }
  /** A count that grows when a call of `hang` reaches the upstream. */
  hanging(): number | Promise<number>
  /** Sockets or processes that the upstream of this world still has open. */
  alive(): number | Promise<number>
}

const TOKEN = 'contract-secret-0123456789abcdef'

/** Values that become a flag, a path, a header or a program if an adapter does not send them as data. */
export const HOSTILE_VALUES: readonly (readonly [string, string])[] = [
  ['a flag', '--help'],
  ['a short flag', '-X'],
  ['a command', '; rm -rf / #'],
  ['a substitution', '$(id) `id`'],
  ['a path', '../../admin'],
  ['a header', 'a\r\nX-Injected: y'],
  ['a prototype', '__proto__'],
  ['a query', 'a?b=c&d=e#f'],
  ['a JSON text', '"},{"x":"'],
  ['a template', '${credential} {owner} %2e%2e'],
  ['a NUL', 'a\u0000b'],
  ['half a surrogate pair', 'a\ud800b'],
  ['other scripts', 'žluťoučký 🚂 駅'],
  ['2 MB', 'x'.repeat(2 * 1024 * 1024)],
]

/** Words that sound as if nothing had happened. */
const LAST_WORDS = [
  'dial tcp 127.0.0.1:443: connect: connection refused',
  '[Errno 104] Connection reset by peer',
  'HTTP 422: Validation Failed (https://api.test/things)',
  'error: not logged in',
  'unknown flag: --value',
  'rate limit exceeded, try again in 3 seconds',
  'read-only file system',
]

export function adapterContract(name: string, start: () => Promise<AdapterWorld>): void {
  describe(`the ${name} adapter, like every adapter`, () => {
    let world: AdapterWorld
    let connection: Connection
    beforeAll(async () => {
      world = await start()
      connection = connect(world.adapter, world.upstream)
    })
    afterAll(async () => {
      await connection.close()
      await world[Symbol.asyncDispose]()
    })

    const call = (
      card: keyof AdapterWorld['cards'],
      input: Record<string, unknown> = {},
      context: Partial<CallContext> = {},
    ) => compile(connection, world.cards[card]).call({ input }, { ...callContext(), ...context })

    test('maps an answer to its body and reports the exchange', async () => {
      const reply = await call('echo', { value: 'hello' })
      expect(reply).toMatchObject({ ok: true, body: { value: 'hello' }, partialFailure: null })
      expect(reply.exchange.upstreamRequests).toBe(1)
    })

    test('gives each concurrent call its own answer', async () => {
      const values = Array.from({ length: 8 }, (_, index) => `value ${index}`)
      const replies = await Promise.all(values.map(value => call('echo', { value })))
      expect(replies.map(valueOf)).toEqual(values)
    })

    test.each(HOSTILE_VALUES)('sends %s as data, or refuses it', async (_, value) => {
      const reply = await call('echo', { value })
      expect(reply.ok ? valueOf(reply) : refusalOf(reply.failure)).toBe(
        reply.ok ? value : 'refused, unsent',
      )
    })

    /** Aborts a call that has reached the upstream. Returns its reply and how long that took. */
    const abortHanging = async (reason: unknown) => {
      const controller = new AbortController()
      const before = await world.hanging()
      const hanging = call('hang', {}, { signal: controller.signal })
      await expect.poll(() => world.hanging()).toBeGreaterThan(before)
      const aborted = performance.now()
      controller.abort(reason)
      return { reply: await hanging, tookMs: performance.now() - aborted }
    }

    test('stops when the caller goes away', async () => {
      const { reply } = await abortHanging(undefined)
      expect(reply).toMatchObject({
        ok: false,
        failure: { code: 'CANCELLED', retryable: false, fallback: false, writeOutcome: 'unknown' },
      })
    })

    test('sends nothing if the caller has already gone', async () => {
      const reply = await call('echo', { value: 'x' }, { signal: AbortSignal.abort() })
      expect(reply).toMatchObject({
        ok: false,
        failure: { code: 'CANCELLED', writeOutcome: 'not_applied' },
      })
    })

    test('stops at the deadline, and reports the outcome as unknown', async () => {
      const { reply, tookMs } = await abortHanging(timeUp())
      expect(reply).toMatchObject({
        ok: false,
        failure: { code: 'TIMEOUT', retryable: true, fallback: true, writeOutcome: 'unknown' },
      })
      expect(tookMs).toBeLessThan(2500)
    })

    test('stops reading at the answer limit', async () => {
      expect(await call('flood')).toMatchObject({ ok: false, failure: { code: 'TOO_LARGE' } })
    })

    test('sends the credential of the call, and none if the call has none', async () => {
      const reply = await call('whoami', {}, { credential: tokenCredential(TOKEN) })
      expect(JSON.stringify(reply.ok && reply.body)).toContain('[redacted]')
      expect(await call('whoami')).toMatchObject({ ok: true, body: { credential: null } })
    })

    test('keeps the credential out of failures', async () => {
      const credential = tokenCredential(TOKEN)
      const reply = await call('blab', {}, { credential })
      expect(reply.ok).toBe(false)
      expect(JSON.stringify(reply)).not.toContain(TOKEN)
    })

    test.each(LAST_WORDS)('leaves a write unknown if the upstream dies, saying %s', async value => {
      const reply = await call('dies', { value }, { effect: 'write' })
      expect(reply).toMatchObject({ ok: false, failure: { writeOutcome: 'unknown' } })
    })

    test('reports a write as not applied if the upstream does not exist', async () => {
      const { absent } = world.cards
      if (absent === null) return
      const nowhere = connect(world.adapter, absent.upstream)
      const reply = await compile(nowhere, absent.card).call({ input: {} }, callContext('write'))
      expect(reply).toMatchObject({ ok: false, failure: { writeOutcome: 'not_applied' } })
      await nowhere.close()
    })

    test('leaves nothing open after it is closed, even twice', async () => {
      const own = connect(world.adapter, world.upstream)
      await compile(own, world.cards.echo).call({ input: { value: 'x' } }, callContext())
      await connection.close()
      await own.close()
      await expect.poll(() => world.alive()).toBe(0)
    })
  })
}

/** A compiler that fails the test on any problem. */
export function testCompiler(effect: Effect | null = null): SectionCompiler {
  const problems: Problem[] = []
  const source = { file: import.meta.filename, value: {}, lineOf: () => null }
  const compiler = createSectionCompiler({ source, base: [], effect, names: null, problems })
  return {
    ...compiler,
    problem: (path, message, fix) => {
      throw new Error(`${path.join('.')} ${message} (${fix})`)
    },
  }
}

export function connect(adapter: Adapter, section: unknown): Connection {
  return adapter.connect(section, {
    upstream: 'test',
    rules: [],
    compiler: testCompiler(),
    now: () => Date.now(),
    schemes: SHORT_FORM,
    searchPath: process.env.PATH ?? '',
  })
}

export function callContext(effect: Effect = 'write'): CallContext {
  return {
    signal: new AbortController().signal,
    timeoutMs: 10_000,
    effect,
    credential: null,
    requestId: 'test',
  }
}

/** Aborts as the engine's deadline does. */
export function timeoutSignal(ms: number): AbortSignal {
  const controller = new AbortController()
  setTimeout(() => controller.abort(timeUp()), ms)
  return controller.signal
}

export function timeUp(): DOMException {
  return new DOMException('time is up', 'TimeoutError')
}

function compile(connection: Connection, card: unknown) {
  return connection.compile(card, testCompiler('write'))
}

/** An adapter that cannot send a value refuses it as the caller's fault, before it sends anything. */
function refusalOf({ code, writeOutcome }: Failure): string {
  const refused = code === 'VALIDATION' || code === 'TOO_LARGE'
  return refused && writeOutcome === 'not_applied' ? 'refused, unsent' : code
}

function valueOf(reply: Reply): unknown {
  return reply.ok ? (reply.body as { value: unknown }).value : reply
}
