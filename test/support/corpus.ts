import { toAnswer } from '../../src/answer/to-answer.ts'
import { createCatalog } from '../../src/cards/catalog.ts'
import { beginExecution } from '../../src/engine/execution.ts'
import { systemClock } from '../../src/lib/clock.ts'
import type { Answer, Attempt } from '../../src/model/envelope.ts'
import type { Failure } from '../../src/model/failure.ts'
import { createFailure } from '../../src/model/failure.ts'
import { CORPORA, type FailureCase, readCases } from '../failures/case.ts'
import { RUNNERS } from '../failures/runners.ts'
import { fakeCard } from './cards.ts'

/** A case of the failure corpus, and the gateway's answer to a call that fails in this way. */
export interface CorpusAnswer {
  readonly failureCase: FailureCase
  readonly answer: Answer
}

/** Runs the failures of these routes through the real adapters, and makes an answer of each. */
export async function corpusAnswers(
  routes: readonly FailureCase['route'][],
): Promise<readonly CorpusAnswer[]> {
  const answers: CorpusAnswer[] = []
  for (const failureCase of CORPORA.flatMap(readCases)) {
    if (failureCase.expect.ok || !routes.includes(failureCase.route)) continue
    const failure = await failureOf(failureCase)
    if (failure) answers.push({ failureCase, answer: answerFailure(failureCase, failure) })
  }
  return answers
}

async function failureOf(failureCase: FailureCase): Promise<Failure | null> {
  const [outcome] = (await RUNNERS[failureCase.route]?.(failureCase)) ?? []
  if (!outcome) return null
  return (JSON.parse(outcome.shown) as { failure?: Failure }).failure ?? null
}

function answerFailure({ route, upstream, observed }: FailureCase, failure: Failure): Answer {
  const clock = systemClock
  const policy = {
    timeoutMs: 30_000,
    maxTimeoutMs: 30_000,
    attemptTimeoutMs: 10_000,
    reserveMs: 20,
    retries: 0,
  }
  const caller = { name: 'corpus', operator: false }
  const execution = beginExecution(
    { clock, policy, createRequestId: () => '01JE5YVJ3M8Q4W6Z9X2C7B1N0P' },
    { capability: 'thing.call', input: {}, caller },
  )
  const used = route === 'transport' ? 'rest' : route
  const attempt: Attempt = {
    route: used,
    status: 'error',
    error_code: failure.code,
    message: failure.message,
    duration_ms: 12.3,
    started_ms: 0.4,
    retry: 0,
    next: 'give_up',
  }
  execution.attempts.push(attempt)
  execution.card = fakeCard({ id: `${upstream}.call`, effect: observed.operation })
  execution.input = {}
  execution.asked = {}
  const whole = createFailure(failure.code, failure.message, failure)
  return toAnswer({ catalog: createCatalog(new Map()) }, execution, {
    ok: false,
    failure: whole,
    route: used,
    reason: 'ROUTE_FAILED',
  })
}
