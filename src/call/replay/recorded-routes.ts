import type { Fixture } from '../../journal/fixture.ts'
import type { CallContext, RouteCall } from '../../model/adapter.ts'
import type { Card, CardRoute } from '../../model/card.ts'
import type { Reply } from '../../model/reply.ts'
import { NO_EXCHANGE } from '../../model/reply.ts'
import type { Route } from '../../model/route.ts'
import type { TraceStep } from '../../model/trace.ts'
import type { VirtualClock } from './virtual-clock.ts'

type AttemptStep = Extract<TraceStep, { kind: 'attempt' }>

/** The replay decided on a call that the recording lacks, so its result is unknown. */
export class UnrecordedError extends Error {
  override readonly name = 'UnrecordedError'
  readonly route: Route | null

  constructor(route: Route | null) {
    super(route === null ? 'no verdict is recorded' : `no further attempt by ${route} is recorded`)
    this.route = route
  }
}

/** A card whose routes give the recorded answers, in the recorded time. It maps and checks nothing. */
export function withRecordedRoutes(
  card: Card,
  { plan, trace: { steps } }: Pick<Fixture, 'plan' | 'trace'>,
  clock: VirtualClock,
): Card {
  const notServed = new Map(
    plan.skipped
      .filter(({ reason }) => reason === 'INPUT_NOT_SERVED')
      .map(({ route, message }) => [route, message]),
  )
  const routes = card.routes.map((route): CardRoute => {
    const own = steps.filter(
      (step): step is AttemptStep =>
        step.kind === 'attempt' && step.route === route.route && step.capability_id === card.id,
    )
    return {
      ...route,
      when: recordedWhen(notServed.get(route.route)),
      call: recordedCall(route.route, own, clock),
      lookups: [],
      followUps: [],
      missing: null,
      unsupported: null,
      pages: null,
      result: () => null,
    }
  })
  return { ...card, routes, page: null, checkOutput: () => [] }
}

/** Repeats the recorded decision on `when`, because the recording may lack the input. */
function recordedWhen(reason: string | undefined): CardRoute['when'] {
  return reason === undefined ? null : { test: () => false, reason }
}

function recordedCall(route: Route, steps: readonly AttemptStep[], clock: VirtualClock): RouteCall {
  let calls = 0
  return {
    unavailable: () => null,
    call: async (_scope: unknown, _context: CallContext): Promise<Reply> => {
      const step = steps[calls++]
      if (!step) throw new UnrecordedError(route)
      clock.reach(step.started_ms)
      clock.pass(step.duration_ms)
      return replyOf(step)
    },
  }
}

function replyOf({ failure, upstream_status }: AttemptStep): Reply {
  const exchange = { ...NO_EXCHANGE, upstreamStatus: upstream_status }
  if (failure) return { ok: false, failure: { ...failure, message: '', details: {} }, exchange }
  return {
    ok: true,
    body: null,
    status: upstream_status,
    headers: {},
    warnings: [],
    partialFailure: null,
    exchange,
  }
}
