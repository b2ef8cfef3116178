import type { Fixture, FixtureAttempt } from '../../journal/fixture.ts'
import type { Outcome } from '../../model/outcome.ts'
import type { Plan } from '../../model/plan.ts'
import type { UnrecordedError } from './recorded-routes.ts'

/** What was decided now. */
export interface Decisions {
  readonly plan: Plan
  readonly attempts: readonly FixtureAttempt[]
  /** Null without a route to try, or where the recording ends. */
  readonly outcome: Outcome | null
  readonly unrecorded: UnrecordedError | null
}

/** One decision that is not what it was. */
export interface Difference {
  readonly what: 'candidates' | 'skipped' | 'attempt' | 'result' | 'unrecorded'
  readonly recorded: string
  readonly now: string
}

/** Where the decisions differ, in the order in which they are made. */
export function compare(fixture: Fixture, now: Decisions): Difference[] {
  return [
    ...differing('candidates', describeCandidates(fixture.plan), describeCandidates(now.plan)),
    ...differing('skipped', describeSkips(fixture.plan), describeSkips(now.plan)),
    ...compareAttempts(ranIn(fixture), now.attempts),
    ...compareEnd(fixture, now),
  ]
}

function compareAttempts(
  recorded: readonly FixtureAttempt[],
  now: readonly FixtureAttempt[],
): Difference[] {
  const length = Math.max(recorded.length, now.length)
  return Array.from({ length }, (_, index) => index).flatMap(index =>
    differing('attempt', describeAttempt(recorded[index]), describeAttempt(now[index])),
  )
}

function compareEnd({ result }: Fixture, { outcome, unrecorded }: Decisions): Difference[] {
  const recorded = result.ok
    ? `answered by ${result.route_used} (${result.reason})`
    : `failed with ${result.code} (${result.reason})`
  if (unrecorded) return [{ what: 'unrecorded', recorded, now: unrecorded.message }]
  if (!outcome) return []
  const told = outcome.ok
    ? `answered by ${outcome.route} (${outcome.reason})`
    : `failed with ${outcome.failure.code} (${outcome.reason})`
  return differing('result', recorded, told)
}

/** Without what the plan had skipped, and without the reads that verified a write. */
function ranIn({ plan, attempts, trace, capability_id }: Fixture): readonly FixtureAttempt[] {
  const planned = new Set(plan.skipped.map(({ route }) => route))
  const others = trace.steps.flatMap(step =>
    step.kind === 'attempt' && step.capability_id !== capability_id ? [step.route] : [],
  )
  if (others.length > 0) return attemptsOf(trace.steps, capability_id)
  return attempts.filter(({ route, status }) => !(status === 'skipped' && planned.has(route)))
}

function attemptsOf(steps: Fixture['trace']['steps'], capability: string): FixtureAttempt[] {
  return steps.flatMap(step =>
    step.kind === 'attempt' && step.capability_id === capability
      ? [
          {
            route: step.route,
            status: step.failure ? ('error' as const) : ('success' as const),
            ...(step.failure ? { error_code: step.failure.code } : {}),
            ...(step.next ? { next: step.next } : {}),
          },
        ]
      : [],
  )
}

function describeCandidates({ candidates }: Plan): string {
  return candidates.map(({ route, reason }) => `${route} (${reason})`).join(', ') || 'none'
}

function describeSkips({ skipped }: Plan): string {
  return skipped.map(({ route, reason }) => `${route} (${reason})`).join(', ') || 'none'
}

function describeAttempt(attempt: FixtureAttempt | undefined): string {
  if (!attempt) return 'none'
  const { route, status, error_code, reason, next } = attempt
  if (status === 'skipped') return `${route} skipped: ${reason}`
  return `${route} ${error_code ?? 'succeeded'}${next ? `, then ${next}` : ''}`
}

function differing(what: Difference['what'], recorded: string, now: string): Difference[] {
  return recorded === now ? [] : [{ what, recorded, now }]
}
