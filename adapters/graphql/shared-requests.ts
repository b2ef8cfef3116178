import { setImmediate as nextTurn } from 'node:timers/promises'
import { inParallel } from '../../src/lib/in-parallel.ts'
import { Aborter, type Signal } from '../../src/lib/signal.ts'
import type { Batch, CallContext } from '../../src/model/adapter.ts'
import type { Exchange, Reply } from '../../src/model/reply.ts'
import type { HttpResult } from '../http/wire/answer.ts'
import { abortError } from '../http/wire/collector.ts'
import { type Mergeable, mergeQueries, prefixOf } from './merge.ts'
import { type Split, splitAnswer } from './split.ts'

/** Requests at once, when those of a batch have to be made one by one. */
const MOST_APART = 8

/** One call, ready to be sent by itself or with others. */
export interface SharedCall {
  /** Null when it has to go by itself. */
  readonly query: Mergeable | null
  /** The JSON body of a request of its own. */
  readonly body: string
  readonly context: CallContext
  /** Reads what came; `body` in place of the answer's own, where that was for several. */
  readonly read: (result: HttpResult, body?: unknown) => Reply
}

const WHOLE: Split = { kind: 'whole' }

/** Makes one request. */
export type Post = (body: string, context: CallContext, signal: Signal) => Promise<HttpResult>

/** A call whose reply is due. The first reply counts: who leaves does not wait for the others. */
interface Waiting extends SharedCall {
  readonly settle: (reply: Reply) => void
  readonly fail: (error: unknown) => void
}

/**
 * Sends the reads that come in the same turn of the event loop as one request: those of one batch, with
 * one credential. If the upstream refuses that as it stands, each is sent by itself, which is safe as they read.
 */
export class SharedRequests {
  readonly #post: Post
  readonly #open = new WeakMap<Batch, Map<string, Company>>()

  constructor(post: Post) {
    this.#post = post
  }

  send(batch: Batch, call: SharedCall): Promise<Reply> {
    const credential = call.context.credential?.id ?? ''
    let companies = this.#open.get(batch)
    if (!companies) this.#open.set(batch, (companies = new Map()))
    const company = companies.get(credential) ?? new Company(this.#post)
    if (!companies.has(credential)) {
      companies.set(credential, company)
      // All that the engine does before a first request takes no turn of the event loop.
      void nextTurn().then(() => {
        companies.delete(credential)
        return company.leave()
      })
    }
    return company.join(call)
  }
}

/** The calls of one request. It is given up only when none of them waits any more. */
class Company {
  readonly #post: Post
  readonly #calls: Waiting[] = []
  readonly #aborter = new Aborter()
  #waiting = 0

  constructor(post: Post) {
    this.#post = post
  }

  async join(call: SharedCall): Promise<Reply> {
    const { signal } = call.context
    const { promise, resolve: settle, reject: fail } = Promise.withResolvers<Reply>()
    const waiting = { ...call, settle, fail }
    const onAbort = () => {
      const company = isJoint(waiting) ? this.#calls.filter(isJoint) : [waiting]
      settle(withShare(call.read(broken(signal)), waiting, company))
      if (--this.#waiting === 0) this.#aborter.abort(signal.reason)
    }
    this.#waiting++
    this.#calls.push(waiting)
    signal.addEventListener('abort', onAbort)
    if (signal.aborted) onAbort()
    try {
      return await promise
    } finally {
      signal.removeEventListener('abort', onAbort)
    }
  }

  /** Sends what has been gathered. Every call gets its reply, whatever happens. */
  async leave(): Promise<void> {
    const calls = this.#calls.filter(({ context }) => !context.signal.aborted)
    try {
      const joint = calls.filter(isJoint)
      const single = calls.filter(call => !isJoint(call))
      await Promise.all([
        this.#sendTogether(joint),
        inParallel(single, MOST_APART, call => this.#sendAlone(call, 0)),
      ])
    } catch (error) {
      for (const { fail } of calls) fail(error)
    }
  }

  async #sendTogether(calls: readonly JointCall[]): Promise<void> {
    const [first] = calls
    if (!first) return
    const places = [...new Map(calls.map(call => [call.body, call])).values()]
    const placeOf = (call: JointCall) => places.findIndex(({ body }) => body === call.body)
    const body = places.length === 1 ? first.body : commonBody(places)
    const result = await this.#post(body, first.context, this.#aborter)
    const whole = () => readFailure(first, result)
    const split = places.length === 1 ? WHOLE : splitAnswer(result, whole)
    if (split.kind === 'apart') {
      await inParallel(calls, MOST_APART, call => this.#sendAlone(call, result.requests))
      return
    }
    for (const call of calls) {
      const reply =
        split.kind === 'parts' ? call.read(result, split.bodyOf(placeOf(call))) : call.read(result)
      call.settle(withShare(reply, call, calls))
    }
  }

  /** @param before requests that have been made for it already. */
  async #sendAlone(call: Waiting, before: number): Promise<void> {
    const { body, context } = call
    const reply = call.read(await this.#post(body, context, context.signal))
    const upstreamRequests = reply.exchange.upstreamRequests + before
    call.settle(withExchange(reply, { upstreamRequests }))
  }
}

type JointCall = Waiting & { readonly query: Mergeable }

function isJoint(call: Waiting): call is JointCall {
  return call.query !== null
}

function commonBody(calls: readonly JointCall[]): string {
  const variables = calls.flatMap(({ body }, place) => {
    const own = (JSON.parse(body) as { variables: object }).variables
    return Object.entries(own).map(([name, value]) => [prefixOf(place) + name, value] as const)
  })
  const query = mergeQueries(calls.map(call => call.query))
  return JSON.stringify({ query, variables: Object.fromEntries(variables) })
}

function readFailure(call: SharedCall, result: HttpResult) {
  const reply = call.read(result)
  return reply.ok ? reply.partialFailure : reply.failure
}

/** Says of a reply that the request was for several, if it was. */
function withShare(reply: Reply, call: Waiting, calls: readonly Waiting[]): Reply {
  if (calls.length === 1) return reply
  return withExchange(reply, { shared: { calls: calls.length, isFirst: call === calls[0] } })
}

function withExchange(reply: Reply, known: Partial<Exchange>): Reply {
  return { ...reply, exchange: { ...reply.exchange, ...known } }
}

/** What somebody gets who does not wait for the end of the request. */
function broken(signal: Signal): HttpResult {
  const error = abortError(signal)
  return { ok: false, phase: 'headers', error, status: null, headers: {}, requests: 1 }
}
