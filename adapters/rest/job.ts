import { systemClock } from '../../src/lib/clock.ts'
import type { Signal } from '../../src/lib/signal.ts'
import type { ExpressionScope } from '../../src/model/expression.ts'
import { announcedWait, type Wait } from '../failures/vocabulary/waits.ts'
import type { HttpAnswer, HttpResult } from '../http/wire/answer.ts'
import type { HttpClient, HttpRequest } from '../http/wire/client.ts'
import { readJson } from '../http/wire/json.ts'
import { keepsEncryption } from '../http/wire/redirect.ts'
import type { Poll } from './poll.ts'

/** The parts of a call that its job needs. */
export interface JobContext {
  readonly client: HttpClient
  readonly poll: Poll
  /** The request that was accepted. */
  readonly request: HttpRequest
  readonly scope: ExpressionScope
  readonly signal: Signal
  /** Monotonic milliseconds at which the time of the attempt is over. */
  readonly endsAt: number
  readonly now: () => number
}

export type JobEnd =
  /** The last answer, with all requests that led to it; `path` is where it came from. */
  | { readonly kind: 'answered'; readonly answer: HttpAnswer; readonly path: string }
  | { readonly kind: 'broken'; readonly broken: Extract<HttpResult, { ok: false }> }
  /** The job goes on, or nobody can say: `reason` ends a sentence. */
  | {
      readonly kind: 'not_ready'
      readonly reason: string
      readonly last: HttpAnswer
      readonly statusUrl: string | null
      readonly wait: Wait
    }

/** Looks at a job until it is done or the time is up. */
export async function followJob(first: HttpAnswer, job: JobContext): Promise<JobEnd> {
  let last = first
  let target = initialTarget(job)
  for (;;) {
    target = targetOf(job.poll.urlOf(last, job.scope), target, job)
    const wait = waitAfter(last, job)
    if (target === null) return notReady(NO_PLACE, last, null, wait)
    const obstacle = await waitToLook(target, wait.ms, job)
    if (obstacle !== null) return notReady(obstacle, last, target, wait)
    const result = await visit(target, last.requests, job)
    if (!result.ok) {
      const isOver = isTimeUp(result.error)
      return isOver ? notReady(TIME_UP, last, target, wait) : { kind: 'broken', broken: result }
    }
    const isUpset = mayPass(result)
    if (!isUpset && !job.poll.isPending(result, job.scope)) return await finish(result, target, job)
    last = isUpset ? { ...last, requests: result.requests, headers: result.headers } : result
  }
}

const NO_WAIT: Wait = { ms: 0, source: 'default' }
const NO_PLACE = 'the service names no place to look for its result'
const TIME_UP = 'the time of this call is over'

/** Waits, and returns the reason if the job cannot be looked at then. */
async function waitToLook(target: URL, waitMs: number, job: JobContext): Promise<string | null> {
  if (!mayVisit(target, job)) return 'its status is at another origin'
  if (performance.now() + waitMs >= job.endsAt) return TIME_UP
  return (await slept(waitMs, job.signal)) ? null : TIME_UP
}

/** Whether the status says nothing about the job. */
function mayPass({ status }: HttpAnswer): boolean {
  return status === 429 || status >= 500
}

/** Fetches the result if it is somewhere else than the status. */
async function finish(answer: HttpAnswer, at: URL, job: JobContext): Promise<JobEnd> {
  const url =
    job.poll.faultOf(answer, job.scope) === null ? job.poll.resultUrlOf(answer, job.scope) : null
  const target = url === null ? null : targetOf(url, at, job)
  if (target === null) return { kind: 'answered', answer, path: at.pathname }
  if (!mayVisit(target, job))
    return notReady('its result is at another origin', answer, target, NO_WAIT)
  const result = await visit(target, answer.requests, job)
  if (!result.ok) return { kind: 'broken', broken: result }
  return { kind: 'answered', answer: result, path: target.pathname }
}

/** A read that is accepted is asked again at the same place, unless the service names another. */
function initialTarget({ client, request }: JobContext): URL | null {
  return request.method === 'GET' ? URL.parse(request.path, client.origin) : null
}

function targetOf(url: string | null, before: URL | null, { client, request }: JobContext) {
  if (url === null) return before
  return URL.parse(url, before?.href ?? client.origin + request.path)
}

/** The rules are those of redirects: another origin only where the card allows it, and never without encryption. */
function mayVisit(target: URL, { client, request }: JobContext): boolean {
  if (target.origin === client.origin) return true
  const isAllowed = request.anywhere === true && target.username === ''
  return isAllowed && keepsEncryption(client.origin, target)
}

const BODY_HEADERS = ['content-type', 'if-none-match', 'idempotency-key']

async function visit(target: URL, before: number, job: JobContext): Promise<HttpResult> {
  const { client, request, signal } = job
  const isOwn = target.origin === client.origin
  const asked: HttpRequest = {
    ...request,
    method: 'GET',
    path: target.pathname + target.search,
    headers: withoutHeaders(request.headers, BODY_HEADERS),
    body: null,
    once: false,
    ...(isOwn ? {} : { foreign: target }),
  }
  const result = await client.send(asked, signal)
  return { ...result, requests: before + result.requests }
}

function withoutHeaders(headers: readonly string[], names: readonly string[]): string[] {
  return headers.filter((_, index) => !names.includes(headers[index - (index % 2)] ?? ''))
}

function waitAfter({ text, headers }: HttpAnswer, { poll, now }: JobContext): Wait {
  const json = readJson(text)
  const announced = announcedWait(headers, json.ok ? json.value : null, now())
  return announced ?? { ms: poll.intervalMs, source: 'default' }
}

/** False if the time is up, or the caller has gone. */
async function slept(ms: number, signal: Signal): Promise<boolean> {
  try {
    await systemClock.sleep(ms, signal)
    return true
  } catch {
    return false
  }
}

function isTimeUp(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError'
}

function notReady(reason: string, last: HttpAnswer, target: URL | null, wait: Wait): JobEnd {
  // A query may hold a signature.
  const statusUrl = target === null ? null : target.origin + target.pathname
  return { kind: 'not_ready', reason, last, statusUrl, wait }
}
