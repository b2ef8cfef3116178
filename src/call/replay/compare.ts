import { type Static, Type } from '@sinclair/typebox'
import type { Fixture, FixtureAttempt } from '../../journal/fixture.ts'
import { OneOf } from '../../model/one-of.ts'
import type { Outcome } from '../../model/outcome.ts'
import type { Plan } from '../../model/plan.ts'
import type { UnrecordedError } from './recorded-routes.ts'

/** The decisions of the replay. */
export interface Decisions {
  readonly plan: Plan
  readonly attempts: readonly FixtureAttempt[]
  /** Null when there was no route to try, or when the recording ended first. */
  readonly outcome: Outcome | null
  readonly unrecorded: UnrecordedError | null
}

/** One decision that differs from the recorded one. */
export const Difference = Type.Object({
  what: OneOf(
    ['candidates', 'skipped', 'attempt', 'result', 'unrecorded'],
    'The decision. unrecorded: the next one needs the result of a call that was not made.',
  ),
  recorded: Type.String(),
  now: Type.String(),
})
export type Difference = Readonly<Static<typeof Difference>>

/** Lists the differing decisions in the order in which they are made. */
export function compare(fixture: Fixture, now: Decisions): Difference[] {
  return [
    ...differenceIn('candidates', describeCandidates(fixture.plan), describeCandidates(now.plan)),
    ...differenceIn('skipped', describeSkips(fixture.plan), describeSkips(now.plan)),
    ...compareAttempts(attemptsToCompare(fixture), now.attempts),
    ...compareEnd(fixture, now),
  ]
}

function compareAttempts(
  recorded: readonly FixtureAttempt[],
  now: readonly FixtureAttempt[],
): Difference[] {
  const length = Math.max(recorded.length, now.length)
  return Array.from({ length }, (_, index) => index).flatMap(index =>
    differenceIn('attempt', describeAttempt(recorded[index]), describeAttempt(now[index])),
  )
}

function compareEnd({ result }: Fixture, { outcome, unrecorded }: Decisions): Difference[] {
  const recorded = result.ok
    ? `answered by ${result.route_used} (${result.reason})`
    : `failed with ${result.code} (${result.reason})`
  if (unrecorded) return [{ what: 'unrecorded', recorded, now: unrecorded.message }]
  if (!outcome) return []
  const replayed = outcome.ok
    ? `answered by ${outcome.route} (${outcome.reason})`
    : `failed with ${outcome.failure.code} (${outcome.reason})`
  return differenceIn('result', recorded, replayed)
}

/** Leaves out routes that the plan skipped, and the reads that verified a write. */
function attemptsToCompare({
  plan,
  attempts,
  trace,
  capability_id,
}: Fixture): readonly FixtureAttempt[] {
  const planned = new Set(plan.skipped.map(({ route }) => route))
  const hasOtherCalls = trace.steps.some(
    step => step.kind === 'attempt' && step.capability_id !== capability_id,
  )
  if (hasOtherCalls) return attemptsOf(trace.steps, capability_id)
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

function differenceIn(what: Difference['what'], recorded: string, now: string): Difference[] {
  return recorded === now ? [] : [{ what, recorded, now }]
}
