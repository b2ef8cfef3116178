import { redactValue } from '../../src/lib/redact.ts'
import { createFailure, type Failure } from '../../src/model/failure.ts'
import type { Reply } from '../../src/model/reply.ts'
import { answerExpressionFailure } from '../http/judge/expression-failure.ts'
import { exchangeOf } from '../http/read/exchange.ts'
import type { HttpAnswer, HttpBreak } from '../http/wire/answer.ts'
import { followJob, type JobContext, type JobEnd } from './job.ts'
import { type RestCircumstances, readRestReply } from './reply.ts'

export interface JobCircumstances extends RestCircumstances {
  readonly brokenReply: (broken: HttpBreak) => Reply
}

/** Waits for the job that an answer may have begun, and turns its end into a reply. */
export async function replyOfJob(
  first: HttpAnswer,
  job: JobContext,
  circumstances: JobCircumstances,
): Promise<Reply> {
  try {
    if (!job.poll.isPending(first, job.scope)) return finished(first, job, circumstances)
    const end = await followJob(first, job)
    return accepted(replyOfEnd(end, job, circumstances), circumstances)
  } catch (error) {
    const failure = answerExpressionFailure(error)
    return accepted(failed(failure, first, circumstances), circumstances)
  }
}

function replyOfEnd(end: JobEnd, job: JobContext, circumstances: JobCircumstances): Reply {
  switch (end.kind) {
    case 'answered':
      return finished(end.answer, job, { ...circumstances, method: 'GET', path: end.path })
    case 'broken':
      return circumstances.brokenReply(end.broken)
    case 'not_ready':
      return failed(notReady(end, job, circumstances), end.last, circumstances)
  }
}

function finished(answer: HttpAnswer, job: JobContext, circumstances: JobCircumstances): Reply {
  const fault = job.poll.faultOf(answer, job.scope)
  if (fault === null) return readRestReply(answer, circumstances)
  const known = { retryable: false, fallback: false, writeOutcome: 'unknown' } as const
  return failed(createFailure('SERVER', `The job failed: ${fault}`, known), answer, circumstances)
}

function notReady(
  { reason, last, statusUrl, wait }: Extract<JobEnd, { kind: 'not_ready' }>,
  { poll, scope }: JobContext,
  { secrets }: JobCircumstances,
): Failure {
  const continueWith = poll.continueWith(last, scope)
  const message = `The service has accepted the request and still works on it; ${reason}.`
  const details = statusUrl === null ? {} : { status_url: statusUrl }
  return createFailure('NOT_READY', message, {
    fallback: false,
    writeOutcome: 'unknown',
    retryAfterMs: Math.round(wait.ms),
    retryAfterSource: wait.source,
    details: redactValue(details, secrets) as Record<string, unknown>,
    ...(continueWith === null ? {} : { continueWith }),
  })
}

function failed(failure: Failure, answer: HttpAnswer, { now }: JobCircumstances): Reply {
  return { ok: false, failure, exchange: exchangeOf(answer, now) }
}

/** The service took the request, so a failure behind that never proves that nothing happened, nor does another route help. */
function accepted(reply: Reply, { effect }: JobCircumstances): Reply {
  if (reply.ok || effect === 'read') return reply
  const { failure } = reply
  const writeOutcome = failure.writeOutcome === 'not_applied' ? 'unknown' : failure.writeOutcome
  return { ...reply, failure: { ...failure, writeOutcome, fallback: false } }
}
