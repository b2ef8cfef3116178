import { setImmediate as nextTurn } from 'node:timers/promises'
import { inParallel } from '../../src/lib/in-parallel.ts'
import { Aborter, type Signal } from '../../src/lib/signal.ts'
import type { Batch, CallContext } from '../../src/model/adapter.ts'
import type { Failure } from '../../src/model/failure.ts'
import type { Exchange, Reply } from '../../src/model/reply.ts'
import type { HttpResult } from '../http/wire/answer.ts'
import { abortError } from '../http/wire/collector.ts'
import { type Mergeable, mergeQueries, prefixOf } from './merge.ts'
import { type Split, splitAnswer } from './split.ts'

/** Concurrent requests when the calls of a batch must be sent one by one. */
const MAX_SEPARATE = 8

/** One call, ready to be sent alone or merged with others. */
export interface SharedCall {
  /** Null if the call must be sent alone. */
  readonly query: Mergeable | null
  /** The JSON body for a request of its own. */
  readonly body: string
  readonly context: CallContext
  /** Reads the result; `body` replaces the result's own body if that answers several calls. */
  readonly read: (result: HttpResult, body?: unknown) => Reply
}

/** Makes one request. */
export type Post = (body: string, context: CallContext, signal: Signal) => PromiseLike<HttpResult>

/** A call without a reply yet. Only its first reply counts: an aborted call does not wait for the rest. */
interface PendingCall extends SharedCall {
  readonly settle: (reply: Reply) => void
  readonly fail: (error: unknown) => void
}

/**
 * Sends the reads of one batch with one credential as one request, if they arrive in the same turn of the
 * event loop. If the upstream refuses the merged request, sends each read alone: repeating reads is safe.
 */
export class SharedRequests {
  readonly #post: Post
  readonly #open = new WeakMap<Batch, Map<string, SharedRequest>>()

  constructor(post: Post) {
    this.#post = post
  }

  send(batch: Batch, call: SharedCall): Promise<Reply> {
    const credential = ownerOf(call)
    let requests = this.#open.get(batch)
    if (!requests) this.#open.set(batch, (requests = new Map()))
    const request = requests.get(credential) ?? new SharedRequest(this.#post)
    if (!requests.has(credential)) {
      requests.set(credential, request)
      // One turn is enough: the engine awaits nothing external before a call's first request.
      void nextTurn().then(() => {
        requests.delete(credential)
        return request.send()
      })
    }
    return request.add(call)
  }
}

/** Calls with one credential may need different secrets of it. */
function ownerOf({ context: { credential } }: SharedCall): string {
  return credential === null ? '' : [credential.id, ...Object.keys(credential.values)].join(' ')
}

/** The calls that share a request. Aborts the request when all of its calls are aborted. */
class SharedRequest {
  readonly #post: Post
  readonly #calls: PendingCall[] = []
  readonly #aborter = new Aborter()
  #pending = 0

  constructor(post: Post) {
    this.#post = post
  }

  async add(call: SharedCall): Promise<Reply> {
    const { signal } = call.context
    const { promise, resolve: settle, reject: fail } = Promise.withResolvers<Reply>()
    const pending = { ...call, settle, fail }
    const onAbort = () => {
      const sharing = isMergeable(pending) ? this.#calls.filter(isMergeable) : [pending]
      settle(withShare(call.read(abortedResult(signal)), pending, sharing))
      if (--this.#pending === 0) this.#aborter.abort(signal.reason)
    }
    this.#pending++
    this.#calls.push(pending)
    signal.addEventListener('abort', onAbort)
    if (signal.aborted) onAbort()
    try {
      return await promise
    } finally {
      signal.removeEventListener('abort', onAbort)
    }
  }

  /** Sends the collected calls. Settles every call, also when sending throws. */
  async send(): Promise<void> {
    const calls = this.#calls.filter(({ context }) => !context.signal.aborted)
    try {
      const single = calls.filter(call => !isMergeable(call))
      await Promise.all([
        this.#sendTogether(calls.filter(isMergeable)),
        inParallel(single, MAX_SEPARATE, call => this.#sendAlone(call, 0)),
      ])
    } catch (error) {
      for (const { fail } of calls) fail(error)
    }
  }

  async #sendTogether(calls: readonly MergeableCall[]): Promise<void> {
    const [first] = calls
    if (!first) return
    // Calls with the same body share one place in the merged query.
    const places = [...new Map(calls.map(call => [call.body, call])).values()]
    const placeOf = (call: MergeableCall) => places.findIndex(({ body }) => body === call.body)
    const body = places.length === 1 ? first.body : mergedBody(places)
    const result = await this.#post(body, first.context, this.#aborter)
    const split: Split =
      places.length === 1
        ? { kind: 'whole' }
        : splitAnswer(result, () => failureIn(first.read(result)))
    if (split.kind === 'separate') {
      await inParallel(calls, MAX_SEPARATE, call => this.#sendAlone(call, result.requests))
      return
    }
    for (const call of calls) {
      const reply =
        split.kind === 'parts' ? call.read(result, split.bodyOf(placeOf(call))) : call.read(result)
      call.settle(withShare(reply, call, calls))
    }
  }

  /** @param before requests already made for this call */
  async #sendAlone(call: PendingCall, before: number): Promise<void> {
    const { body, context } = call
    const reply = call.read(await this.#post(body, context, context.signal))
    const upstreamRequests = reply.exchange.upstreamRequests + before
    call.settle(withExchange(reply, { upstreamRequests }))
  }
}

type MergeableCall = PendingCall & { readonly query: Mergeable }

function isMergeable(call: PendingCall): call is MergeableCall {
  return call.query !== null
}

function mergedBody(calls: readonly MergeableCall[]): string {
  const variables = calls.flatMap(({ body }, place) => {
    const own = (JSON.parse(body) as { variables: object }).variables
    return Object.entries(own).map(([name, value]) => [prefixOf(place) + name, value] as const)
  })
  const query = mergeQueries(calls.map(call => call.query))
  return JSON.stringify({ query, variables: Object.fromEntries(variables) })
}

function failureIn(reply: Reply): Failure | null {
  return reply.ok ? reply.partialFailure : reply.failure
}

/** Notes in the exchange that several calls shared the request, if they did. */
function withShare(reply: Reply, call: PendingCall, calls: readonly PendingCall[]): Reply {
  if (calls.length === 1) return reply
  return withExchange(reply, { shared: { calls: calls.length, isFirst: call === calls[0] } })
}

function withExchange(reply: Reply, changes: Partial<Exchange>): Reply {
  return { ...reply, exchange: { ...reply.exchange, ...changes } }
}

/** The result for a call that is aborted before the shared request ends. */
function abortedResult(signal: Signal): HttpResult {
  const error = abortError(signal)
  return { ok: false, phase: 'headers', error, status: null, headers: {}, requests: 1 }
}
